// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>

#include "model/base/outcome.h"
#include "model/base/timestamp.h"
#include "model/base/unsupported-key.h"
#include "model/network/network.h"

namespace watershed {

struct NetworkScenario;

/// A scenario asks for what an engine does not model.
struct UnsupportedScenario : KeyError {
    using KeyError::KeyError;
};

/// Something that can run a scenario. All engines give the same Outcome, member by member.
class Engine {
  public:
    virtual ~Engine() = default;
    virtual std::string name() const = 0;
    /// Whether arithmetic may stand in for a run whose answer it knows.
    virtual bool may_calculate() const { return false; }
    /// @param observer told while it runs, if not null
    /// @throws TimeExceeded if simulated time does not reach to the end
    virtual Outcome run(const NetworkScenario& scenario, const Observer* observer = nullptr) = 0;
};

/// Runs what gives an outcome; if that exceeds the time, the error begins with the key of the link's rate.
template <class Run>
auto within_time(const NetworkScenario& scenario, Run&& run) {
    try {
        return run();
    } catch (const TimeExceeded& error) {
        const auto is = [&](const std::optional<BitRate>& rate) { return rate && rate->count == error.rate.count; };
        const auto& receiver = scenario.server.receiver;
        std::string key = is(scenario.network_switch.uplink_rate)                         ? "switch.uplink_rate"
                          : is(scenario.front_end.link_rate)                              ? "front_end.link_rate"
                          : is(scenario.network_switch.fabric_rate)                       ? "switch.fabric_rate"
                          : scenario.aggregation && is(scenario.aggregation->uplink_rate) ? "aggregation.uplink_rate"
                          : scenario.aggregation && is(scenario.aggregation->fabric_rate) ? "aggregation.fabric_rate"
                          : receiver && is(receiver->output_rate)                         ? "server.output_rate"
                          : !scenario.nodes.empty()                                       ? "node.NAME.rates"
                                                                                          : "";
        for (const TrafficStream& stream : scenario.traffic)
            if (key.empty() && is(stream.link_rate)) key = "traffic." + stream.name + ".link_rate";
        throw TimeExceeded(error.rate, key);
    }
}

}  // namespace watershed
