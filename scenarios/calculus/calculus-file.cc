// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/calculus/calculus-file.h"

#include <algorithm>
#include <map>
#include <regex>

#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

enum class Kind { Time, Data, Rate };

/// Prefixes of units, and units of time: "ms" is a millisecond, "m" a minute, "MBps" a million bytes per second.
const std::map<char, int> kPowersOfTen = {{'a', -18}, {'f', -15}, {'p', -12}, {'n', -9}, {'u', -6}, {'m', -3},
                                          {'k', 3},   {'M', 6},   {'G', 9},   {'T', 12}, {'P', 15}, {'E', 18}};
const std::map<char, int> kSeconds = {{'h', 3600}, {'m', 60}, {'s', 1}};
const std::map<char, int> kBits = {{'b', 1}, {'B', 8}};
constexpr int kMostExponent = 1000;  // largest power of ten; beyond it a number takes all memory

Rational power_of_ten(int exponent) {
    const Rational power(boost::multiprecision::cpp_int(boost::multiprecision::pow(
        boost::multiprecision::cpp_int(10), static_cast<unsigned>(exponent < 0 ? -exponent : exponent))));
    return exponent < 0 ? 1 / power : power;
}

std::string example_of(Kind kind) {
    switch (kind) {
        case Kind::Time: return "a time as \"10 us\", with a unit of h, m or s";
        case Kind::Data: return "an amount as \"2 kB\", with a unit of b or B";
        case Kind::Rate: return "a rate as \"4 Mbps\", with a unit of bps or Bps";
    }
    throw std::logic_error("no such kind");
}

/// Returns the value of one unit in seconds, bits or bits per second; std::nullopt for an unknown unit.
std::optional<Rational> value_of_unit(const std::string& unit, Kind kind) {
    const auto known = [](const std::map<char, int>& units, char c) -> std::optional<Rational> {
        const auto found = units.find(c);
        if (found == units.end()) return std::nullopt;
        return Rational(found->second);
    };
    const std::size_t length = kind == Kind::Rate ? 3 : 1;
    if (unit.size() != length && unit.size() != length + 1) return std::nullopt;
    const std::string base = unit.substr(unit.size() - length);
    std::optional<Rational> value = known(kind == Kind::Time ? kSeconds : kBits, base[0]);
    if (value && kind == Kind::Rate) {
        const auto seconds = known(kSeconds, base[2]);
        if (base[1] != 'p' || !seconds) return std::nullopt;
        value = *value / *seconds;
    }
    if (value && unit.size() > length) {
        const auto power = kPowersOfTen.find(unit[0]);
        if (power == kPowersOfTen.end() || (kind == Kind::Data && power->second < 0)) return std::nullopt;
        value = *value * power_of_ten(power->second);
    }
    return value;
}

/// One object of the file, which hands out its members and then refuses those that nobody asked for.
class Table {
  public:
    Table(const std::string& file, std::string place, const nlohmann::json& object)
        : file_(file), place_(std::move(place)), object_(object) {
        if (!object.is_object()) refuse("", "found " + shown(object) + ", expected an object");
    }

    [[noreturn]] void refuse(const std::string& name, const std::string& why) const {
        throw InputError(file_, place_ + (place_.empty() || name.empty() ? "" : ".") + name, why);
    }
    /// nullptr where it is missing, and may be
    const nlohmann::json* find(const std::string& name) {
        known_.push_back(name);
        const auto found = object_.find(name);
        return found == object_.end() ? nullptr : &*found;
    }
    const nlohmann::json& at(const std::string& name, const std::string& expected) {
        const nlohmann::json* found = find(name);
        if (!found) refuse(name, "missing, expected " + expected);
        return *found;
    }
    std::string text(const std::string& name, const std::string& expected) {
        const nlohmann::json& found = at(name, expected);
        if (!found.is_string()) refuse(name, "found " + shown(found) + ", expected " + expected);
        return found.get<std::string>();
    }
    const nlohmann::json& array(const std::string& name, const std::string& expected) {
        const nlohmann::json& found = at(name, expected);
        if (!found.is_array() || found.empty()) refuse(name, "found " + shown(found) + ", expected " + expected);
        return found;
    }
    /// Refuses a member of the file that these analyses do not know.
    void expect_absent(const std::string& name, const std::string& why) {
        const nlohmann::json* found = find(name);
        if (found && !found->is_null() && !(found->is_array() && found->empty()))
            refuse(name, "found " + shown(*found) + ", expected none: " + why);
    }
    void refuse_others() const {
        for (const auto& [name, value] : object_.items())
            if (std::find(known_.begin(), known_.end(), name) == known_.end())
                refuse(name, "unknown key, expected one of " + listed(known_) + did_you_mean(name, known_));
    }

    static std::string shown(const nlohmann::json& value) {
        if (value.is_array() && value.empty()) return "an empty list";
        if (value.is_array() && value.size() != 1) return "a list of " + std::to_string(value.size());
        const std::string text = value.dump();
        return text.size() > 60 ? "a long " + std::string(value.type_name()) : text;
    }
    const std::string& file() const { return file_; }
    const std::string& place() const { return place_; }

  private:
    const std::string& file_;
    std::string place_;
    const nlohmann::json& object_;
    std::vector<std::string> known_;
};

/// Units of numbers that state none.
struct Units {
    std::map<Kind, std::string> of = {{Kind::Time, "s"}, {Kind::Data, "b"}, {Kind::Rate, "bps"}};

    void read(Table& table) {
        read(table, "time_unit", Kind::Time, "a unit of time, as \"us\"");
        read(table, "data_unit", Kind::Data, "a unit of data, as \"kB\"");
        read(table, "rate_unit", Kind::Rate, "a unit of rates, as \"Mbps\"");
    }
    Rational value(Kind kind) const { return *value_of_unit(of.at(kind), kind); }

  private:
    void read(Table& table, const std::string& key, Kind kind, const std::string& expected) {
        if (!table.find(key)) return;
        const std::string unit = table.text(key, expected);
        if (!value_of_unit(unit, kind)) table.refuse(key, "found \"" + unit + "\", expected " + expected);
        of[kind] = unit;
    }
};

Rational quantity(const Table& table, const std::string& key, const nlohmann::json& value, Kind kind,
                  const Units& units) {
    const auto refuse = [&] {
        table.refuse(key, "found " + Table::shown(value) + ", expected 0 or more: " + example_of(kind) +
                              ", or a number in the file's unit");
    };
    if (!value.is_string() && !value.is_number_integer()) refuse();
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    static const std::regex form(R"(\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([A-Za-z]*)\s*)");
    std::smatch parts;
    if (!std::regex_match(text, parts, form)) refuse();
    const std::string unit = parts[2].length() == 0 ? units.of.at(kind) : parts[2].str();
    const auto one = value_of_unit(unit, kind);
    if (!one) refuse();
    const Rational number = read_at(table.file(), table.place() + "." + key, [&] { return parse_decimal(parts[1]); });
    if (number < 0) refuse();
    return number * *one;
}

/// The only element of a list: curves of several pieces are not understood.
const nlohmann::json& only(Table& table, const std::string& key, const std::string& several) {
    const nlohmann::json& list = table.array(key, "a list of one number");
    if (list.size() > 1) table.refuse(key, "found " + Table::shown(list) + ", expected one: " + several);
    return list.front();
}

void check_packets(Table& table, const Units& units) {
    for (const char* key : {"max_packet_length", "min_packet_length"})
        if (const nlohmann::json* length = table.find(key)) quantity(table, key, *length, Kind::Data, units);
}

std::size_t index_of(const Table& table, const std::string& key, const std::string& name,
                     const std::vector<std::string>& names) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        table.refuse(key, "found \"" + name + "\", expected a name of \"servers\"" + did_you_mean(name, names));
    return static_cast<std::size_t>(found - names.begin());
}

std::string own_name(Table& table, const std::vector<std::string>& others) {
    std::string name = table.text("name", "a name");
    if (std::find(others.begin(), others.end(), name) != others.end())
        table.refuse("name", "found \"" + name + "\" twice, expected names that differ");
    return name;
}

std::string place_of(const char* list, std::size_t i) { return list + ("[" + std::to_string(i) + "]"); }

Multiplexing multiplexing_of(Table& table) {
    const std::string expected = "\"FIFO\" or \"ARBITRARY\"";
    const std::string found = table.text("multiplexing", expected);
    if (found == "FIFO") return Multiplexing::Fifo;
    if (found == "ARBITRARY") return Multiplexing::Arbitrary;
    table.refuse("multiplexing", "found \"" + found + "\", expected " + expected);
}

Units read_head(CalculusFile& result, Table& head) {
    result.name = head.text("name", "a name");
    if (const nlohmann::json* packetizer = head.find("packetizer"); packetizer && *packetizer != false)
        head.refuse("packetizer",
                    "found " + Table::shown(*packetizer) + ", expected false: packetizers are not understood");
    for (const char* key : {"analysis_option", "analysis_options"})
        head.expect_absent(key, "input shaping and other options are not understood");
    if (head.find("multiplexing")) result.multiplexing = multiplexing_of(head);
    Units units;
    units.read(head);
    for (const char* key : {"arrival_curve", "service_curve"})
        head.expect_absent(key, "each flow and each server has its own");
    if (const nlohmann::json* capacity = head.find("capacity")) {
        quantity(head, "capacity", *capacity, Kind::Rate, units);
        result.has_capacity = true;
    }
    check_packets(head, units);
    head.refuse_others();
    result.time_unit = units.of.at(Kind::Time);
    result.data_unit = units.of.at(Kind::Data);
    result.seconds = units.value(Kind::Time);
    result.bits = units.value(Kind::Data);
    return units;
}

CalculusNetwork::Server server_from(CalculusFile& result, Table& table, Units units,
                                    const std::vector<std::string>& others) {
    CalculusNetwork::Server server;
    server.name = own_name(table, others);
    units.read(table);
    Table curve(table.file(), table.place() + ".service_curve", table.at("service_curve", "latencies and rates"));
    const std::string several = "several rate-latency curves are not understood";
    server.service.latency = quantity(curve, "latencies", only(curve, "latencies", several), Kind::Time, units);
    server.service.rate = quantity(curve, "rates", only(curve, "rates", several), Kind::Rate, units);
    if (server.service.rate == 0) curve.refuse("rates", "found 0, expected a rate above 0");
    curve.refuse_others();
    if (const nlohmann::json* capacity = table.find("capacity")) {
        result.has_capacity = true;
        if (quantity(table, "capacity", *capacity, Kind::Rate, units) < server.service.rate)
            table.refuse("capacity",
                         "found " + Table::shown(*capacity) + ", expected the rate of service_curve or more");
    }
    table.refuse_others();
    return server;
}

CalculusNetwork::Flow flow_from(Table& table, Units units, const std::vector<std::string>& others,
                                const std::vector<std::string>& servers) {
    CalculusNetwork::Flow flow;
    flow.name = own_name(table, others);
    units.read(table);
    for (const nlohmann::json& each : table.array("path", "a list of names of servers")) {
        if (!each.is_string()) table.refuse("path", "found " + Table::shown(each) + ", expected names of servers");
        const std::size_t server = index_of(table, "path", each.get<std::string>(), servers);
        if (std::find(flow.path.begin(), flow.path.end(), server) != flow.path.end())
            table.refuse("path", "found \"" + servers[server] + "\" twice, expected each server once");
        flow.path.push_back(server);
    }
    table.find("path_name");
    table.expect_absent("multicast", "flows of several paths are not understood");
    Table curve(table.file(), table.place() + ".arrival_curve", table.at("arrival_curve", "bursts and rates"));
    const std::string several = "several token buckets are not understood";
    flow.arrival.burst = quantity(curve, "bursts", only(curve, "bursts", several), Kind::Data, units);
    flow.arrival.rate = quantity(curve, "rates", only(curve, "rates", several), Kind::Rate, units);
    curve.refuse_others();
    check_packets(table, units);
    table.refuse_others();
    return flow;
}

}  // namespace

Rational parse_decimal(const std::string& text) {
    static const std::regex form(R"(([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,5}))?)");
    std::smatch parts;
    const auto refuse = [&] { throw std::invalid_argument("found \"" + text + "\", expected a decimal number"); };
    if (!std::regex_match(text, parts, form)) refuse();
    const std::string digits = parts[2].str() + parts[3].str();
    const int exponent = (parts[4].matched ? std::stoi(parts[4]) : 0) - static_cast<int>(parts[3].length());
    if (digits.empty() || digits.size() > kMostExponent || std::abs(exponent) > kMostExponent) refuse();
    // A leading zero would say that the rest is octal.
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    const Rational value = Rational(boost::multiprecision::cpp_int(digits.substr(first))) * power_of_ten(exponent);
    return parts[1] == "-" ? -value : value;
}

CalculusFile read_calculus_file(const std::string& file) {
    const nlohmann::json json = read_exact_json(file);
    CalculusFile result;
    Table whole(file, "", json);
    Table head(file, "network", whole.at("network", "what holds for the whole network"));
    const Units units = read_head(result, head);
    std::vector<std::string> servers, flows;
    const nlohmann::json& server_list = whole.array("servers", "a list of servers");
    for (std::size_t i = 0; i < server_list.size(); ++i) {
        Table table(file, place_of("servers", i), server_list[i]);
        result.network.servers.push_back(server_from(result, table, units, servers));
        servers.push_back(result.network.servers.back().name);
    }
    const nlohmann::json& flow_list = whole.array("flows", "a list of flows");
    for (std::size_t i = 0; i < flow_list.size(); ++i) {
        Table table(file, place_of("flows", i), flow_list[i]);
        result.network.flows.push_back(flow_from(table, units, flows, servers));
        flows.push_back(result.network.flows.back().name);
    }
    whole.refuse_others();
    return result;
}

}  // namespace watershed
