// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sonic/sonic-config.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using SonicFields = std::map<std::string, std::string>;
/// The entries of a table, by their keys.
using SonicTable = std::map<std::string, SonicFields>;

constexpr std::int64_t kMostSonicBytes = 1'000'000'000'000;
/// Largest number of a priority group or queue that is accepted; chips have groups 0 to 7 and queues 0 to 19.
constexpr int kMostSonicQueue = 63;

/// "[BUFFER_PROFILE|name]", as releases before 2021 write it, or "name".
std::string referred(const std::string& text) {
    const std::size_t bar = text.rfind('|');
    if (text.size() < 2 || text.front() != '[' || text.back() != ']' || bar == std::string::npos) return text;
    return text.substr(bar + 1, text.size() - bar - 2);
}

/// One entry of a table, whose values are text.
class SonicEntry {
  public:
    SonicEntry(const std::string& file, std::string key, const SonicFields& fields)
        : file_(file), key_(std::move(key)), fields_(fields) {}

    [[noreturn]] void refuse(const std::string& field, const std::string& what) const {
        throw InputError(file_, key_ + ": " + field, what);
    }
    std::string text(const char* field) const {
        const auto found = fields_.find(field);
        return found == fields_.end() ? std::string() : found->second;
    }
    std::string needed(const char* field, const std::string& expected) const {
        if (text(field).empty()) refuse(field, "missing, expected " + expected);
        return text(field);
    }
    std::optional<std::int64_t> number(const char* field, std::int64_t least, std::int64_t most,
                                       const std::string& expected) const {
        const std::string found = text(field);
        if (found.empty()) return std::nullopt;
        std::size_t end = 0;
        std::int64_t value = 0;
        try {
            value = std::stoll(found, &end);
        } catch (const std::exception&) {
            end = 0;
        }
        if (end == 0 || end != found.size() || value < least || value > most)
            refuse(field, "found \"" + found + "\", expected " + expected);
        return value;
    }
    std::optional<std::int64_t> bytes(const char* field) const {
        return number(field, 0, kMostSonicBytes, "bytes from 0 to 10^12");
    }

  private:
    const std::string& file_;
    std::string key_;
    const SonicFields& fields_;
};

SonicPool pool_from(const SonicEntry& entry, const std::string& name) {
    SonicPool pool;
    pool.name = name;
    const std::string type = entry.needed("type", "ingress, egress or both");
    if (type != "ingress" && type != "egress" && type != "both")
        entry.refuse("type", "found \"" + type + "\", expected ingress, egress or both");
    pool.ingress = type != "egress";
    pool.egress = type != "ingress";
    if (entry.text("size").empty())
        entry.refuse("size",
                     "missing, expected bytes; where the switch calculates it, `show buffer information` tells it");
    pool.size = *entry.bytes("size");
    pool.xoff = entry.bytes("xoff").value_or(0);
    return pool;
}

SonicProfile profile_from(const SonicEntry& entry, const std::string& name) {
    SonicProfile profile;
    profile.name = name;
    profile.pool = referred(entry.needed("pool", "the name of a pool"));
    profile.size = entry.bytes("size").value_or(0);
    if (const auto power = entry.number("dynamic_th", -10, 10, "a power of two from -10 to 10"))
        profile.dynamic_th = static_cast<int>(*power);
    profile.static_th = entry.bytes("static_th");
    if (profile.dynamic_th && profile.static_th) entry.refuse("static_th", "conflicts with dynamic_th");
    profile.xoff = entry.bytes("xoff");
    profile.xon = entry.bytes("xon").value_or(0);
    profile.xon_offset = entry.bytes("xon_offset").value_or(0);
    return profile;
}

class SonicReader {
  public:
    explicit SonicReader(const std::string& file) { config_.file = file; }

    SonicConfig take() { return std::move(config_); }

    void read_buffers(const SonicTable& pools, const SonicTable& profiles) {
        if (pools.empty()) throw InputError(config_.file, "BUFFER_POOL", "missing, expected the pools of the switch");
        if (profiles.empty())
            throw InputError(config_.file, "BUFFER_PROFILE", "missing, expected the profiles of its queues");
        for (const auto& [name, fields] : pools)
            config_.pools[name] = pool_from({config_.file, "BUFFER_POOL|" + name, fields}, name);
        for (const auto& [name, fields] : profiles) {
            const SonicEntry entry(config_.file, "BUFFER_PROFILE|" + name, fields);
            const SonicProfile& profile = config_.profiles[name] = profile_from(entry, name);
            if (config_.pools.count(profile.pool) == 0)
                entry.refuse("pool", "found \"" + profile.pool + "\", expected one of " + names_of(config_.pools));
        }
    }

    void read_groups(const SonicTable& entries) { read_uses("BUFFER_PG", entries, config_.groups); }
    void read_queues(const SonicTable& entries) { read_uses("BUFFER_QUEUE", entries, config_.queues); }

    void read_ports(const SonicTable& ports) {
        for (const auto& [name, fields] : ports) {
            const SonicEntry entry(config_.file, "PORT|" + name, fields);
            entry.needed("speed", "Mb/s");
            SonicPort& port = config_.ports[name];
            port.speed = *entry.number("speed", 1, 10'000'000, "Mb/s from 1 to 10^7");
            port.mtu = entry.number("mtu", 64, 65535, "bytes from 64 to 65535").value_or(port.mtu);
        }
    }

    /// CABLE_LENGTH has one entry, whose fields are ports.
    void read_cables(const SonicTable& cables) {
        for (const auto& [name, fields] : cables)
            for (const auto& [port, length] : fields) {
                SonicFields metres{{port, length}};
                if (ends_with(length, "m")) metres[port].pop_back();
                const SonicEntry entry(config_.file, "CABLE_LENGTH|" + name, metres);
                if (metres[port].empty()) entry.refuse(port, "found \"" + length + "\", expected a length such as 40m");
                config_.cables[port] =
                    *entry.number(port.c_str(), 0, 1'000'000, "a length such as 40m, of 0 to 10^6 metres");
            }
    }

    void read_device(const SonicTable& device) {
        const auto localhost = device.find("localhost");
        if (localhost == device.end()) return;
        const SonicEntry entry(config_.file, "DEVICE_METADATA|localhost", localhost->second);
        config_.hwsku = entry.text("hwsku");
        config_.platform = entry.text("platform");
    }

  private:
    template <class Named>
    static std::string names_of(const std::map<std::string, Named>& all) {
        return listed(all, [](const auto& each) { return each.first; });
    }

    void read_uses(const std::string& table, const SonicTable& entries, std::vector<SonicUse>& to) {
        for (const auto& [name, fields] : entries) {
            const SonicEntry entry(config_.file, table + "|" + name, fields);
            const std::string profile = referred(entry.needed("profile", "the name of a profile"));
            if (profile == "NULL") {
                config_.calculated.push_back(table + "|" + name);
                continue;
            }
            if (config_.profiles.count(profile) == 0)
                entry.refuse("profile", "found \"" + profile + "\", expected one of " + names_of(config_.profiles));
            add_uses(table, name, profile, to);
        }
    }

    /// "Ethernet0|3-4", "Ethernet0,Ethernet4|0", of a line card "switch|asic0|Ethernet0|0-2"
    void add_uses(const std::string& table, const std::string& name, const std::string& profile,
                  std::vector<SonicUse>& to) {
        const std::string key = table + "|" + name;
        const auto refuse = [&]() {
            throw InputError(config_.file, key,
                             "found \"" + name + "\", expected ports and a range such as Ethernet0,Ethernet4|3-4");
        };
        const std::size_t bar = name.rfind('|');
        if (bar == std::string::npos) refuse();
        const std::string range = name.substr(bar + 1);
        const std::size_t dash = range.find('-');
        const auto number = [&](const std::string& text) {
            if (text.empty() || text.size() > 2 || text.find_first_not_of("0123456789") != std::string::npos) refuse();
            return std::stoi(text);
        };
        SonicUse use;
        use.key = key;
        use.profile = profile;
        use.first = number(range.substr(0, dash));
        use.last = dash == std::string::npos ? use.first : number(range.substr(dash + 1));
        if (use.last < use.first || use.last > kMostSonicQueue) refuse();
        std::string ports = name.substr(0, bar);
        ports.erase(0, ports.rfind('|') + 1);
        std::istringstream list(ports);
        while (std::getline(list, use.port, ',')) {
            if (use.port.empty()) refuse();
            to.push_back(use);
        }
        if (ports.empty()) refuse();
    }

    SonicConfig config_;
};

/// A table of the file; empty where there is none. Values may be numbers, as some tools write them.
SonicTable table_of(const nlohmann::json& document, const std::string& file, const char* name) {
    SonicTable table;
    nlohmann::json entries = document.value(name, nlohmann::json::object());
    // sonic-db-dump has keys such as "PORT|Ethernet0", of which some releases put the fields into "value".
    const std::string beginning = std::string(name) + "|";
    for (const auto& [key, fields] : document.items())
        if (begins_with(key, beginning) && entries.is_object())
            entries[key.substr(beginning.size())] =
                fields.is_object() && fields.contains("value") && fields["value"].is_object() ? fields["value"]
                                                                                              : fields;
    if (!entries.is_object()) throw InputError(file, name, "found no object, expected the entries of the table");
    for (const auto& [key, fields] : entries.items()) {
        SonicFields& to = table[key];
        if (!fields.is_object())
            throw InputError(file, std::string(name) + "|" + key, "found no object, expected fields and their values");
        for (const auto& [field, value] : fields.items())
            if (value.is_string())
                to[field] = value.get<std::string>();
            else if (value.is_number_integer())
                to[field] = value.dump();
    }
    return table;
}

SonicConfig from_json(const std::string& file) {
    const auto document = read_json<nlohmann::json>(file);
    if (!document.is_object()) throw InputError(file + ": found no object, expected the tables of config_db.json");
    const auto table = [&](const char* name) { return table_of(document, file, name); };
    SonicReader reader(file);
    reader.read_buffers(table("BUFFER_POOL"), table("BUFFER_PROFILE"));
    reader.read_groups(table("BUFFER_PG"));
    reader.read_queues(table("BUFFER_QUEUE"));
    reader.read_ports(table("PORT"));
    reader.read_cables(table("CABLE_LENGTH"));
    reader.read_device(table("DEVICE_METADATA"));
    return reader.take();
}

/// "Pool: NAME" or "Profile: NAME", then lines of a field and its value between dashes.
SonicConfig from_mmuconfig(const std::string& file, std::istream& in) {
    SonicTable pools, profiles;
    SonicFields* fields = nullptr;
    std::string line;
    for (int at = 1; std::getline(in, line); ++at) {
        std::istringstream words(line);
        std::string first, second, third;
        words >> first >> second >> third;
        if (first == "Pool:" || first == "Profile:") {
            if (second.empty())
                throw InputError(file + ":" + std::to_string(at) + ": found no name, expected one after " + first);
            fields = &(first == "Pool:" ? pools : profiles)[second];
        } else if (first.empty() || first.find_first_not_of('-') == std::string::npos || begins_with(line, "Total ")) {
            continue;
        } else if (fields && !second.empty() && third.empty()) {
            (*fields)[first] = second;
        }
    }
    SonicReader reader(file);
    reader.read_buffers(pools, profiles);
    return reader.take();
}

}  // namespace

SonicConfig read_sonic_config(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    bool is_text = false;
    for (std::string first; !is_text && std::getline(in, line);) {
        std::istringstream(line) >> first;
        if (first == "{" || begins_with(first, "{")) break;
        is_text = first == "Pool:" || first == "Profile:";
    }
    if (!is_text) return from_json(file);
    in.clear();
    in.seekg(0);
    return from_mmuconfig(file, in);
}

}  // namespace watershed
