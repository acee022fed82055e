// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <toml++/toml.h>

#include "scenarios/text/key-value.h"

namespace watershed {

/// Returns the value of a key in a TOML file. @throws std::invalid_argument if no key takes such a value
KeyValue value_of(const toml::node& node);

/// Returns the text behind KEY= of --set as a table with the member "value"; text that is no TOML becomes a string.
toml::table override_value(const std::string& text);

/// Removes a key or table with a dotted name. @return true if it was there
bool take_out(toml::table& table, const std::string& name);

/// The table in a TOML file. @throws InputError with file and line
toml::table read_toml(const std::string& file);

}  // namespace watershed
