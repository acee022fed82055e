// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <toml++/toml.h>

#include "scenarios/keys/keys.h"

namespace watershed {

/// What stands behind an equals sign. @throws std::invalid_argument if no key takes such a value
KeyValue value_of(const toml::node& node);

/// What stands behind KEY= of --set, as the member "value": TOML, or else text without quotes.
toml::table override_value(const std::string& text);

/// Takes a key or table, dotted, out. @return whether it was there
bool take_out(toml::table& table, const std::string& name);

/// The table in a TOML file. @throws InputError with file and line
toml::table read_toml(const std::string& file);

}  // namespace watershed
