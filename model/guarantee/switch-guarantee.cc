// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>
#include <set>
#include <utility>

#include "model/frontend/module-groups.h"
#include "model/frontend/stream-frames.h"
#include "model/guarantee/fifo-bound.h"
#include "model/guarantee/guarantee-builder.h"
#include "model/guarantee/pause-bound.h"
#include "model/guarantee/server-bound.h"
#include "model/network/network-load.h"

namespace watershed {
namespace {

/// Returns the bounds of a scenario without the FIFOs of its modules.
/// @param kinds  true: the frames of each kind of module are added up; required if has_kinds()
std::optional<Guarantee> bounds_of(const NetworkScenario& scenario, const AdmittedTriggers& admitted, bool kinds,
                                   UnsupportedKey& why) {
    if (scenario.builders.receiving() > 1)
        return refused(&why, {"server.copies", "bound does not cover copies of a frame for several event builders"});
    const Network network(scenario);
    std::vector<SwitchAnalysis> analyses;
    std::vector<TransmissionTime> slots;
    for (int i = 0; i < int(network.switches().size()); ++i) {
        const Network::Switch& self = network.switches()[std::size_t(i)];
        if (self.inputs() == 0) continue;
        auto analysis = analysis_of(scenario, network, i, admitted, kinds, &why);
        if (!analysis) {
            if (!network.is_one_tier() && why.key.compare(0, 7, "switch.") == 0)
                why.key.replace(0, 6, table_of(scenario, self));
            return std::nullopt;
        }
        slots.push_back(analysis->link);
        if (analysis->places.tier)
            slots.push_back(writing_time(*analysis->places.tier, frames_of_fragment(scenario.frame).front()));
        for (const CrossTrafficStream& stream : analysis->streams) slots.push_back(stream.link);
        for (const GroupAnalysis& group : analysis->groups) {
            slots.insert(slots.end(), group.fast.begin(), group.fast.end());
            slots.insert(slots.end(), group.slow.begin(), group.slow.end());
        }
        for (const BitRate rate : std::set<BitRate>(analysis->uplink_rates.begin(), analysis->uplink_rates.end())) {
            for (const Group& group : ModuleGroups(scenario).all())
                for (const FrameSizes& frame : frames_of_fragment(group.frame))
                    slots.push_back(TransmissionTime::of(frame.wire, rate));
            for (const TrafficStream& stream : scenario.traffic)
                slots.push_back(TransmissionTime::of(frame_of_stream(stream, scenario.frame).wire, rate));
            if (analysis->scheduling.kind != Scheduling::Kind::Fifo)
                slots.push_back(TransmissionTime::of(Bytes{1}, rate));
        }
        analyses.push_back(std::move(*analysis));
    }
    const auto ticks = ticks_for(slots);
    if (!ticks)
        return refused(&why, {"front_end.clock", "bound does not cover rates and clocks of so many odd digits"});
    return GuaranteeBuilder(network, scenario, admitted, kinds, std::move(analyses), *ticks, &why).run();
}

}  // namespace

bool Guarantee::fits() const {
    return std::all_of(switches.begin(), switches.end(), [](const SwitchGuarantee& each) { return each.fits; }) &&
           (!fifo || fifo->fits()) && (!server || server->fits());
}

std::int64_t Guarantee::frames() const {
    std::int64_t most = 0;
    for (const SwitchGuarantee& each : switches) most = std::max(most, each.frames);
    return most;
}

std::optional<Guarantee> Guarantee::of(const NetworkScenario& scenario, UnsupportedKey* why) {
    if (has_flow_control(scenario)) return bounds_with_pauses(scenario, why);
    // If all groups have triggers of their own, no module answers the common one: the first group's stands in for it.
    const std::vector<Group>& groups = scenario.groups;
    Senders senders = scenario;
    if (!groups.empty() && std::all_of(groups.begin(), groups.end(), [](const Group& each) { return each.trigger; }))
        senders.trigger = *groups.front().trigger;
    auto admitted = AdmittedTriggers::of(senders, why);
    if (!admitted) return std::nullopt;
    return of(scenario, std::move(*admitted), why);
}

std::optional<Guarantee> Guarantee::of(const NetworkScenario& scenario, AdmittedTriggers admitted,
                                       UnsupportedKey* why) {
    if (scenario.front_end.fifo && !has_kinds(scenario)) {
        NetworkScenario without = scenario;
        without.front_end.fifo.reset();
        auto guarantee = of(without, admitted, why);
        if (!guarantee) return std::nullopt;
        auto fifo = bound_fifo(scenario, admitted, why);
        if (!fifo) return std::nullopt;
        guarantee->least_distance = std::max(guarantee->least_distance, fifo->least_distance);
        guarantee->bounded = guarantee->bounded && fifo->bounded;
        if (guarantee->bounded && !fifo->fits() && !guarantee->one_train) guarantee->witness = fifo->witness;
        guarantee->fifo = std::move(fifo);
        return guarantee;
    }
    if (scenario.server.receiver) {
        NetworkScenario without = scenario;
        without.server.receiver.reset();
        auto guarantee = of(without, admitted, why);
        if (guarantee && !(guarantee->server = bound_server(scenario, admitted, *guarantee, why))) return std::nullopt;
        return guarantee;
    }
    UnsupportedKey reason;
    auto guarantee = bounds_of(scenario, admitted, has_kinds(scenario), reason);
    // Kinds are followed trigger by trigger. A train with too many frames may have few enough triggers.
    if (UnsupportedKey again; !guarantee && reason.key == "trigger" && !has_kinds(scenario))
        guarantee = bounds_of(scenario, admitted, true, again);
    return guarantee ? guarantee : refused(why, std::move(reason));
}

}  // namespace watershed
