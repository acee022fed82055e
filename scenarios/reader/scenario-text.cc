// SPDX-License-Identifier: GPL-2.0-only
#include <toml++/toml.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "scenarios/catalogue/catalogue.h"
#include "scenarios/reader/reader.h"
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

namespace {

using Values = std::map<std::string, std::string>;

std::string as_toml(const toml::node& node) {
    std::ostringstream text;
    text << toml::toml_formatter(node, toml::format_flags::none);
    return text.str();
}

void flatten(const toml::table& table, const std::string& prefix, Values& values) {
    for (const auto& [key, node] : table) {
        const std::string name = prefix + std::string(key.str());
        if (const toml::table* inner = node.as_table())
            flatten(*inner, name + ".", values);
        else
            values[name] = as_toml(node);
    }
}

std::string as_text(const KeyValue& value) {
    std::ostringstream text;
    const auto print = [&](const auto& item) {
        if constexpr (std::is_same_v<std::decay_t<decltype(item)>, std::string>)
            text << '"' << item << '"';
        else
            text << std::boolalpha << item;
    };
    std::visit(
        [&](const auto& content) {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, std::vector<std::string>> ||
                          std::is_same_v<Content, std::vector<std::int64_t>>) {
                for (const auto& item : content) print(item), text << ' ';
            } else {
                print(content);
            }
        },
        value);
    return text.str();
}

}  // namespace

std::string scenario_values(const std::string& file, const std::vector<std::string>& overrides,
                            const std::string& leave_out) {
    Values values;
    flatten(read_toml(file), "", values);
    for (const std::string& each : overrides) {
        const auto equals = each.find('=');
        values[each.substr(0, equals)] = as_toml(*override_value(each.substr(equals + 1)).get("value"));
    }

    std::ostringstream text;
    for (const auto& [key, value] : values) {
        if (!leave_out.empty() && key.compare(0, leave_out.size() + 1, leave_out + ".") == 0) continue;
        text << key << " = " << value << "\n";
        const bool names_a_switch = ends_with(key, ".model") && value.size() > 2;
        if (!names_a_switch) continue;
        const auto model = read_catalogue_switch(value.substr(1, value.size() - 2),
                                                 std::filesystem::path(file).parent_path().string());
        for (const auto& of_model : model.values)
            text << "  " << of_model.key << " = " << (of_model.value ? as_text(*of_model.value) : "unknown") << "\n";
        for (const auto& ports : model.ports)
            text << "  ports = " << ports.count << " of " << ports.speed.count << " b/s\n";
    }
    return text.str();
}

}  // namespace watershed
