// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>

namespace watershed {

/// One line on standard error that says how far long work has come; silent where that is no terminal, and for the first
/// two seconds. Then it changes with the time, also while no unit is done. One that is made while another lives is a
/// part of its next unit, and shows nothing of its own; processes that were started meanwhile show nothing.
class Progress {
  public:
    /// @param unit   empty: no rate is shown
    /// @param total  amount of work, in `unit`
    Progress(std::string what, std::string unit, std::int64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void done(std::int64_t amount);

  private:
    void show(double amount);

    Progress* outer_;  ///< null: none
    int process_;
    std::int64_t total_;
    std::int64_t done_ = 0;
    bool ticks_ = false;  ///< owns the line
};

}  // namespace watershed
