// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "calibrate/fit/fit.h"

namespace watershed {

/// A fitted switch as a file that a scenario can name as `switch.model`: as those of the catalogue, each value with its
/// source.
class SwitchFile {
  public:
    SwitchFile(std::string name, std::string source) : name_(std::move(name)), source_(std::move(source)) {}

    /// @param key    of a scenario, "switch.buffer.size"
    /// @param remark what else there is to say of the source
    void add(const std::string& key, const std::string& value, const std::string& remark = "");
    void add(const std::string& key, std::int64_t value, const std::string& remark = "");
    void add(const std::string& key, const std::vector<std::int64_t>& values);
    void write(std::ostream& out) const;

  private:
    struct Entry {
        std::string table, key, value, remark;
    };
    std::string name_, source_;
    std::vector<Entry> entries_;
};

/// The fitted switch as a fragment for `switch.model`. @throws InputError where the data give limits only
void write_switch(std::ostream& out, const Fit& fit);

}  // namespace watershed
