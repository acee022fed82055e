// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/scenario-text.h"

#include <sstream>

#include "scenarios/text/toml-value.h"

namespace watershed {
namespace {

/// The table that a dotted key stands in, made where it is missing.
toml::table& table_of(toml::table& table, const std::string& key) {
    const auto dot = key.find('.');
    if (dot == std::string::npos) return table;
    const std::string name = key.substr(0, dot);
    if (!table.contains(name)) table.insert(name, toml::table{});
    return table_of(*table[name].as_table(), key.substr(dot + 1));
}

}  // namespace

std::string scenario_text(const std::string& file, const std::vector<std::string>& left_out,
                          const std::vector<std::string>& overrides) {
    toml::table table = read_toml(file);
    for (const std::string& name : left_out) take_out(table, name);
    for (const std::string& each : overrides) {
        const auto equals = each.find('=');
        const std::string key = each.substr(0, equals);
        table_of(table, key)
            .insert_or_assign(key.substr(key.rfind('.') + 1), *override_value(each.substr(equals + 1)).get("value"));
    }
    std::ostringstream text;
    text << toml::toml_formatter(table, toml::format_flags::none) << '\n';
    return text.str();
}

}  // namespace watershed
