// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/shared-link.h"

#include <string>

#include "model/guarantee/queue-source.h"

namespace watershed {
namespace {

/// Returns the events of a module as a source of its link's queue. @param slot  time of an event on the link, ticks
std::optional<QueueSource> events_of(const GroupAnalysis& module, Wide slot, const Ticks& ticks, UnsupportedKey* why) {
    QueueSource events;
    events.slot = slot;
    const Wide jitter = ticks.of(module.jitter);
    if (!module.admitted.are_many()) {
        const auto distances = least_distances_of(module.admitted.train, ticks, why);
        if (!distances) return std::nullopt;
        for (const Wide& each : *distances) events.distances.push_back(std::max<Wide>(0, each - jitter));
        events.burst = static_cast<std::int64_t>(distances->size());
        return events;
    }
    std::vector<ArrivalSpacing> spacings;
    for (const TriggerSpacing& each : module.admitted.spacings)
        spacings.push_back({each.triggers, ticks.of(each.apart), each.bucket ? 1 : 0});
    const ArrivalSpacing widest = widest_of(spacings);
    events.rate = Rational(widest.in_long_run()) / Rational(widest.apart);
    events.burst = widest.number + events.rate * Rational(jitter);
    EarliestTrain triggers(spacings);
    events.distances = {triggers.next()};
    events.next = [triggers, jitter]() mutable { return std::max<Wide>(0, triggers.next() - jitter); };
    return events;
}

}  // namespace

bool hold_up(GroupAnalysis& module, SwitchAnalysis& analysis, UnsupportedKey* why) {
    std::vector<CrossTrafficStream*> streams;
    for (CrossTrafficStream& each : analysis.streams)
        if (each.stream.module == module.number) streams.push_back(&each);
    std::vector<TransmissionTime> slots = module.slow;
    const std::string key = "traffic." + streams.front()->stream.name + ".module";
    for (const CrossTrafficStream* each : streams) slots.push_back(each->slow);
    const auto ticks = ticks_for(slots);
    if (!ticks) {
        refused(why, {key, "bound does not cover rates of so many odd digits"});
        return false;
    }
    Wide event = ticks->of(module.gap) * static_cast<std::int64_t>(module.slow.size() - 1);
    for (const TransmissionTime& slot : module.slow) event += ticks->of(slot);
    std::vector<QueueSource> sources;
    for (const CrossTrafficStream* each : streams) {
        CrossTrafficStream ready = *each;
        ready.link = {};
        auto source = source_of(ready, *ticks, why);
        if (!source) return false;
        source->slot = ticks->of(each->slow);
        sources.push_back(std::move(*source));
    }
    const auto refuse = [&](const std::string& reason) {
        refused(why, {key, "there is no bound: " + reason + " the link of module " + std::to_string(module.number)});
        return false;
    };
    const Rational of_streams = load_of(sources);
    if (of_streams >= 1) return refuse("streams bring all that is sent, or more, over");
    if (!module.own_trigger)
        analysis.least_distance = std::max(
            analysis.least_distance,
            Time{static_cast<std::int64_t>(whole_of(event / (1 - of_streams) / Rational(ticks->in_picosecond)) + 1)});
    const auto overloaded = [&] { return analysis.links_bounded = false, true; };
    if (module.admitted.are_many() && module.admitted.spacings.empty()) return overloaded();
    auto events = events_of(module, event, *ticks, why);
    if (!events) return false;
    sources.push_back(std::move(*events));
    if (load_of(sources) >= 1) return overloaded();
    SwitchAnalysis link;
    link.guarantee.queues.resize(1);
    link.uplink_rates = {BitRate{0}};  // first in, first out: no rate but those of the sources counts
    if (!bound_mixed_queue(sources, link, 0, *ticks)) return refuse("too many frames wait for");
    const auto late = [&](Wide alone) {
        return Time{static_cast<std::int64_t>(ceil_div(sources.front().delay - alone, ticks->in_picosecond))};
    };
    module.jitter += late(event);
    for (CrossTrafficStream* each : streams) each->stream.jitter += late(ticks->of(each->slow));
    return true;
}

}  // namespace watershed
