// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <type_traits>
#include <vector>

/// Kinds of options on the command line.
namespace watershed {

/// Adds an option whose default the help shows.
template <class Value>
CLI::Option* shown_option(CLI::App& command, const std::string& name, Value& value, const std::string& help) {
    return command.add_option(name, value, help)->capture_default_str();
}
/// Adds an option of a value between two limits.
template <class Value>
CLI::Option* ranged_option(CLI::App& command, const std::string& name, Value& value, std::common_type_t<Value> least,
                           std::common_type_t<Value> most, const std::string& help) {
    return shown_option(command, name, value, help)->check(CLI::Range(least, most));
}
/// Adds an option that may be given several times, each time with one value.
inline void repeatable_option(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                              const std::string& help) {
    command.add_option(name, values, help)->allow_extra_args(false);
}

}  // namespace watershed
