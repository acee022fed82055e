// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/keys/port-check.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;

std::string& chosen_folder() {
    static std::string folder;
    return folder;
}

std::vector<fs::path>& added_files() {
    static std::vector<fs::path> files;
    return files;
}

/// A value with what is known about it: either plain, or { value, source, standing }.
struct Annotated {
    const toml::node* value;
    std::string source;
    std::string standing;
};

std::string text_of(const toml::table& table, const std::string& name, const std::string& place) {
    const toml::node* node = table.get(name);
    if (!node) return {};
    if (!node->is_string()) throw InputError(place + ": " + name + ": expected text");
    return node->as_string()->get();
}

/// @param also  a further member that the table may have; empty: none
Annotated annotated(const toml::node& node, const std::string& place, const std::string& also = "") {
    const auto* table = node.as_table();
    if (!table) return {&node, {}, {}};
    for (const auto& [name, member] : *table)
        if (name != "value" && name != "source" && name != "standing" && name.str() != also)
            throw InputError(place + ": found \"" + std::string(name.str()) + "\", expected value, " +
                             (also.empty() ? "" : also + ", ") + "source and standing");
    Annotated result{table->get("value"), text_of(*table, "source", place), text_of(*table, "standing", place)};
    if (!result.value) throw InputError(place + ": value: missing");
    static const std::set<std::string> standings{"", "read", "derived", "recalled", "from configuration"};
    if (standings.count(result.standing) == 0)
        throw InputError(place + ": standing: found \"" + result.standing +
                         "\", expected \"read\", \"derived\", \"from configuration\" or \"recalled\"");
    return result;
}

/// A table of further keys, and not one value with its source.
bool is_section(const toml::node& node) { return node.is_table() && !node.as_table()->contains("value"); }

void read_values(CatalogueSwitch& entry, const toml::table& table, const std::string& prefix) {
    for (const auto& [name, node] : table) {
        const std::string key = prefix + std::string(name.str());
        const std::string place = entry.file + ":" + std::to_string(name.source().begin.line);
        if (is_section(node)) {
            read_values(entry, *node.as_table(), key + ".");
            continue;
        }
        const Annotated about = annotated(node, place + ": " + key);
        CatalogueSwitch::Value value{key, std::nullopt, about.source, about.standing, place};
        const auto* text = about.value->as_string();
        read_at(place, key, [&] {
            if (!text || text->get() != "unknown") value.value = value_of(*about.value);
        });
        entry.values.push_back(std::move(value));
    }
}

/// Reads what one port can be split into, [] if it cannot be: ["4 x 25 Gb/s", "4 x 10 Gb/s"].
std::map<BitRate, int> breakout_of(const toml::node& node, const std::string& place) {
    const auto* list = node.as_array();
    if (!list) throw InputError(place + ": breakout: expected a list such as [\"4 x 25 Gb/s\", \"4 x 10 Gb/s\"]");
    std::map<BitRate, int> breakout;
    for (const toml::node& each : *list)
        for (const PortGroup& group : read_at(place, [&] { return parse_ports(each.value_or(std::string())); }))
            breakout[group.speed] = group.count;
    return breakout;
}

void read_ports(CatalogueSwitch& entry, const toml::table& table) {
    for (const auto& [name, node] : table) {
        const std::string place =
            entry.file + ":" + std::to_string(name.source().begin.line) + ": ports." + std::string(name.str());
        const Annotated about = annotated(node, place, "breakout");
        const auto* count = about.value->as_integer();
        if (!count || count->get() < 1 || count->get() > 65535)
            throw InputError(place + ": expected an integer from 1 to 65535");
        entry.ports.push_back({read_at(place, [&] { return parse_bit_rate(name.str()); }),
                               static_cast<int>(count->get()), about.source, about.standing});
        if (const toml::table* table_of_port = node.as_table(); table_of_port && table_of_port->contains("breakout"))
            entry.breakouts[entry.ports.back().speed] = breakout_of(*table_of_port->get("breakout"), place);
    }
    std::sort(entry.ports.begin(), entry.ports.end(), [](const auto& a, const auto& b) { return a.speed < b.speed; });
}

const std::vector<std::string> kEntryKeys{"name", "note", "ports", "switch"};

CatalogueSwitch parse_file(const fs::path& path) {
    CatalogueSwitch entry;
    entry.id = path.stem().string();
    entry.file = path.string();
    for (const auto& [name, node] : read_toml(entry.file)) {
        const std::string place =
            entry.file + ":" + std::to_string(name.source().begin.line) + ": " + std::string(name.str());
        if ((name == "name" || name == "note") && node.is_string())
            (name == "name" ? entry.name : entry.note) = node.as_string()->get();
        else if (name == "ports" && node.is_table())
            read_ports(entry, *node.as_table());
        else if (name == "switch" && node.is_table())
            read_values(entry, *node.as_table(), "switch.");
        else
            throw InputError(place + ": unknown key, expected one of " + listed(kEntryKeys) +
                             did_you_mean(std::string(name.str()), kEntryKeys));
    }
    return entry;
}

/// Returns the switch of a file, which is parsed once as long as it does not change.
CatalogueSwitch read_file(const fs::path& path) {
    struct Parsed {
        fs::file_time_type written;
        std::uintmax_t size = 0;
        CatalogueSwitch entry;
    };
    static std::mutex mutex;
    static std::map<std::string, Parsed> files;
    const std::lock_guard lock(mutex);
    std::error_code unknown;
    const auto written = fs::last_write_time(path, unknown);
    const auto size = fs::file_size(path, unknown);
    Parsed& known = files[path.string()];
    if (unknown || known.written != written || known.size != size) known = {written, size, parse_file(path)};
    return known.entry;
}

std::vector<std::string> ids_in(const std::vector<std::string>& folders) {
    std::set<std::string> ids;
    for (const std::string& folder : folders)
        for (const auto& file : fs::directory_iterator(folder))
            if (file.path().extension() == ".toml") ids.insert(file.path().stem().string());
    return {ids.begin(), ids.end()};
}

std::vector<CatalogueSwitch> read_folders(const std::vector<std::string>& folders) {
    std::vector<CatalogueSwitch> all;
    for (const fs::path& file : added_files()) all.push_back(read_file(file));
    for (const std::string& folder : folders)
        for (const auto& file : fs::directory_iterator(folder)) {
            const bool known = std::any_of(all.begin(), all.end(),
                                           [&](const CatalogueSwitch& s) { return s.id == file.path().stem(); });
            if (file.path().extension() == ".toml" && !known) all.push_back(read_file(file.path()));
        }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return all;
}

}  // namespace

const CatalogueSwitch::Value* CatalogueSwitch::find(const std::string& key) const {
    const auto value = std::find_if(values.begin(), values.end(), [&](const Value& v) { return v.key == key; });
    return value == values.end() ? nullptr : &*value;
}

void set_catalogue_folder(const std::string& folder) {
    if (std::error_code ignored; !fs::is_directory(folder, ignored))
        throw InputError("--switches: found \"" + folder + "\", expected a folder of switches");
    chosen_folder() = folder;
}

std::string add_catalogue_file(const std::string& file) {
    const CatalogueSwitch entry = read_file(file);
    for (const fs::path& other : added_files())
        if (other.stem() == entry.id) {
            if (fs::path(file) == other) return entry.id;
            throw InputError(file + ": found a second switch \"" + entry.id + "\", expected one, as " + other.string());
        }
    added_files().emplace_back(file);
    return entry.id;
}

std::vector<std::string> catalogue_files() {
    std::vector<std::string> files;
    for (const fs::path& file : added_files()) files.push_back(file.string());
    return files;
}

std::vector<std::string> catalogue_folders(const std::string& scenario_folder) {
    std::vector<fs::path> candidates{chosen_folder(), fs::path(scenario_folder) / "switches"};
    for (const fs::path folder : scenario_folders()) candidates.push_back(folder / "switches");
    std::vector<std::string> folders;
    for (const fs::path& folder : candidates)
        if (std::error_code ignored; !folder.empty() && fs::is_directory(folder, ignored))
            folders.push_back(folder.string());
    return folders;
}

CatalogueSwitch read_catalogue_switch(const std::string& model, const std::string& scenario_folder) {
    if (ends_with(model, ".toml")) {
        const fs::path path(model);
        return read_file(path.is_relative() ? fs::path(scenario_folder) / path : path);
    }
    for (const fs::path& file : added_files())
        if (file.stem() == model) return read_file(file);
    const std::vector<std::string> folders = catalogue_folders(scenario_folder);
    if (model.find('/') == std::string::npos)
        for (const std::string& folder : folders)
            if (std::error_code ignored; fs::is_regular_file(fs::path(folder) / (model + ".toml"), ignored))
                return read_file(fs::path(folder) / (model + ".toml"));
    const std::string searched = listed(folders);
    throw InputError("found \"" + model + "\", expected a switch that `watershed switches` lists (searched: " +
                     (searched.empty() ? "no folder" : searched) + ")" + did_you_mean(model, ids_in(folders)));
}

std::string did_you_mean(const std::string& name, const std::vector<CatalogueSwitch>& catalogue) {
    std::vector<std::string> ids;
    for (const CatalogueSwitch& entry : catalogue) ids.push_back(entry.id);
    return did_you_mean(name, ids);
}

std::vector<CatalogueSwitch> read_catalogue(const std::string& scenario_folder) {
    const std::vector<std::string> folders = catalogue_folders(scenario_folder);
    if (folders.empty()) throw InputError("no folder of switches was found, expected one with --switches");
    return read_folders(folders);
}

}  // namespace watershed
