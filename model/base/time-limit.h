// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>
#include <string>

#include "model/base/quantities.h"
#include "model/scenario.h"

/// How far simulated time reaches. A Time holds 106 days. Triggers end within 53 of them, delays last 10 at most, a frame 6 on a link,
/// and a link on which frames leave later than kLastDeparture ends the run: so no sum of these ever wraps.
namespace watershed {

constexpr Time kDay{std::int64_t{86'400} * 1'000'000'000'000};
constexpr Time kLongestDelay = kDay * 10;
constexpr Time kLongestSlot = kDay * 6;
constexpr Time kLastDeparture = kDay * 90;

/// A link is so slow, or so much waits for it, that simulated time does not reach to the end.
struct TimeExceeded : std::runtime_error {
    explicit TimeExceeded(BitRate of_link, const std::string& key = {})
        : std::runtime_error((key.empty() ? "" : key + ": ") + "a link of " + std::to_string(of_link.count) +
                             " b/s would still send what waits for it after 90 days, expected a faster link, less traffic or less memory"),
          rate(of_link) {}
    BitRate rate;
};

/// Runs what gives an outcome; if that exceeds the time, the error begins with the key of the link's rate.
template <class Run>
auto within_time(const Scenario& scenario, Run&& run) {
    try {
        return run();
    } catch (const TimeExceeded& error) {
        const auto is = [&](const std::optional<BitRate>& rate) { return rate && rate->count == error.rate.count; };
        const auto& receiver = scenario.server.receiver;
        const char* key = is(scenario.network_switch.uplink_rate)                      ? "switch.uplink_rate"
                          : is(scenario.front_end.link_rate)                           ? "front_end.link_rate"
                          : is(scenario.network_switch.fabric_rate)                    ? "switch.fabric_rate"
                          : scenario.aggregation && is(scenario.aggregation->uplink_rate) ? "aggregation.uplink_rate"
                          : receiver && is(receiver->output_rate)                      ? "server.output_rate"
                          : !scenario.nodes.empty()                                    ? "node.NAME.rates"
                                                                                       : "";
        throw TimeExceeded(error.rate, key);
    }
}

}  // namespace watershed
