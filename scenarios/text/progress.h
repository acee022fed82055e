// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace watershed {

/// One line on standard error that says how far long work has come; silent where that is no terminal, and for the first
/// second. One that is made while another lives is a part of its next unit, and shows nothing of its own; processes
/// that were started meanwhile show nothing.
class Progress {
  public:
    /// @param total  amount of work, in `unit`
    Progress(std::string what, std::string unit, std::int64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void done(std::int64_t amount);

  private:
    using Clock = std::chrono::steady_clock;

    void show(double amount);

    Progress* outer_;  ///< null: none
    int process_;
    std::string what_;
    std::string unit_;
    std::int64_t total_;
    bool terminal_;
    std::int64_t done_ = 0;
    double most_ = 0;  ///< amount that was shown, which never falls
    bool shown_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
};

}  // namespace watershed
