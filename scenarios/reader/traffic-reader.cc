// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <stdexcept>

#include "model/frontend/stream-train.h"
#include "model/network/network-load.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using StreamPattern = TrafficStream::Pattern;

struct StreamPatternKeys {
    const char* name;
    std::vector<std::string> required;
    std::vector<std::string> allowed;
};

const StreamPatternKeys& stream_pattern_keys(StreamPattern pattern) {
    static const StreamPatternKeys constant{"constant", {"rate"}, {}}, bursts{"bursts", {"period"}, {"burst"}},
        poisson{"poisson", {"rate"}, {}}, on_off{"on-off", {"rate", "on", "off"}, {}};
    switch (pattern) {
        case StreamPattern::Constant: return constant;
        case StreamPattern::Bursts: return bursts;
        case StreamPattern::Poisson: return poisson;
        case StreamPattern::OnOff: break;
    }
    return on_off;
}

}  // namespace

std::string TrafficReader::place_of_stream(const std::string& name) const {
    const auto value = std::find_if(values_.begin(), values_.end(),
                                    [&](const NodeValue& v) { return named_in("traffic.", v.name) == name; });
    return value == values_.end() ? file_ : value->place;
}

std::string TrafficReader::place_of(const std::string& key, const Places& given) const {
    const auto place = given.find(key);
    return place == given.end() ? place_of_stream(named_in("traffic.", key)) : place->second;
}

void TrafficReader::build(const Places& given) {
    for (const auto& [name, own] : by_name(values_, "traffic.")) {
        if (!is_plain_name(name) || name == "camera")
            throw InputError(own.front()->place + ": traffic." + name +
                             ": expected a name of letters, digits, - and _, other than \"camera\"");
        Scenario one;
        one.traffic.emplace_back().name = name;
        for (const NodeValue* each : own) read_at(each->place, each->name, [&] { each->key->set(one, each->value); });
        // The last one counts, as everywhere.
        const NodeValue* pattern = nullptr;
        for (const NodeValue* each : own)
            if (each->name == "traffic." + name + ".pattern") pattern = each;
        if (!pattern || pattern->value != KeyValue(std::string(kNoStream)))
            scenario_.traffic.push_back(one.traffic.front());
    }
    if (scenario_.traffic.empty()) return;
    const std::string first = scenario_.traffic.front().name;
    const auto conflict = [&](bool there, const std::string& with) {
        if (there) throw InputError(place_of_stream(first) + ": traffic." + first + ": conflicts with " + with);
    };
    conflict(scenario_.trigger.pattern == Trigger::Pattern::LineRatePlusBurst,
             "trigger.pattern \"line-rate-plus-burst\"");
    constexpr std::size_t kMostStreams = 1000;
    conflict(scenario_.traffic.size() > kMostStreams, "others, expected at most 1000 streams");
    for (const TrafficStream& stream : scenario_.traffic) check(stream, given);
}

void TrafficReader::check_switches() const {
    if (scenario_.traffic.empty()) return;
    const TrafficStream& first = scenario_.traffic.front();
    const Network network(scenario_);
    for (const Network::Switch& each : network.switches()) {
        if (!each.settings.buffer.queue_split) continue;
        throw InputError(place_of_stream(first.name) + ": traffic." + first.name + ": conflicts with " +
                         table_of(scenario_, each) + ".buffer.queue_split, which leaves the camera's class alone");
    }
}

void TrafficReader::check_pattern(const TrafficStream& stream, const Places& given) const {
    const std::string table = "traffic." + stream.name + ".";
    const StreamPatternKeys& keys = stream_pattern_keys(stream.pattern);
    for (const std::string& key : keys.required)
        if (given.count(table + key) == 0)
            throw InputError(place_of_stream(stream.name) + ": " + table + key + ": missing, expected with pattern \"" +
                             keys.name + "\"");
    for (const std::string key : {"rate", "burst", "period", "on", "off"}) {
        const auto has = [&](const std::vector<std::string>& list) {
            return std::find(list.begin(), list.end(), key) != list.end();
        };
        if (given.count(table + key) != 0 && !has(keys.required) && !has(keys.allowed))
            throw InputError(given.at(table + key) + ": " + table + key + ": conflicts with pattern \"" + keys.name +
                             "\", which does not use it");
    }
}

void TrafficReader::check(const TrafficStream& stream, const Places& given) const {
    const std::string table = "traffic." + stream.name + ".";
    const auto refuse = [&](const std::string& key, const std::string& message) {
        throw InputError(place_of(table + key, given) + ": " + table + key + ": " + message);
    };
    check_pattern(stream, given);
    if (stream.module) {
        for (const std::string key : {"link_rate", "obeys_pause", "switch"})
            if (given.count(table + key) != 0) refuse(key, "conflicts with " + table + "module, whose link it is");
        if (*stream.module > scenario_.front_end.modules)
            refuse("module", "found " + std::to_string(*stream.module) + ", expected 1 to " +
                                 std::to_string(scenario_.front_end.modules) + ", the modules there are");
    }
    if (stream.stop && *stream.stop <= stream.start)
        refuse("stop", "found \"" + to_text(*stream.stop) + "\", expected more than " + table + "start");
    try {
        frame_of_stream(stream, scenario_.frame);
    } catch (const std::invalid_argument&) {
        refuse("payload", "found \"" + to_text(stream.payload) + "\", expected at most " +
                              to_text(scenario_.frame.mtu - kIpUdpHeaders) + ", what frame.mtu leaves to a datagram");
    }
    const BitRate link = link_of_stream(stream, scenario_);
    if (mean_bits(stream, scenario_.frame) > static_cast<double>(link.count))
        refuse(stream.pattern == StreamPattern::Bursts ? "period" : "rate",
               text_line("found %.4g Gb/s with preambles and gaps, expected no more than its link carries, %s",
                         mean_bits(stream, scenario_.frame) * 1e-9, to_text(link)));
}

}  // namespace watershed
