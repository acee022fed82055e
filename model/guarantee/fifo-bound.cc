// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/fifo-bound.h"

#include <algorithm>

#include "model/frontend/front-end.h"
#include "model/guarantee/asynchronous-arrivals.h"
#include "model/guarantee/switch-part.h"

namespace watershed {
namespace {

/// On the slowest link; of clocks, which have many digits, a little longer than it is.
TransmissionTime slot_of(const NetworkScenario& scenario, Bytes wire) {
    const FrontEnd& front_end = scenario.front_end;
    const ClockTolerance slowest = fastest_and_slowest(front_end).second;
    const TransmissionTime slot = TransmissionTime::of(wire, front_end.link_rate, slowest);
    return slowest == ClockTolerance{} ? slot : TransmissionTime{slot.ceil(), 1};
}

/// Triggers of many trains, each as early as it may come, until later ones add nothing.
/// @return whether there are few enough
bool follow(AsynchronousArrivals& train, const std::vector<ArrivalSpacing>& spacings, const ArrivalSpacing& widest) {
    EarliestTrain triggers(spacings);
    bool settled = widest.by_token == 0;
    do {
        if (train.triggers.size() == AdmittedTriggers::kMost) return false;
        train.add(triggers.next());
        settled = settled || triggers.is_settled();
    } while (!settled || !train.is_over(0, widest.by_token > 0 ? 1 : widest.number, false));
    return true;
}

}  // namespace

std::optional<FifoGuarantee> bound_fifo(const NetworkScenario& scenario, const AdmittedTriggers& admitted,
                                        UnsupportedKey* why) {
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    const auto each = static_cast<int>(frames.size());
    const TransmissionTime slot = slot_of(scenario, frames.front().wire);
    const auto ticks = ticks_for({slot});
    if (!ticks) return refused(why, {"front_end.link_rate", "bound does not cover rates of so many odd digits"});
    const Wide work = ticks->of(slot) * each;
    FifoGuarantee fifo;
    fifo.limit = *scenario.front_end.fifo;
    fifo.least_distance = Time{static_cast<std::int64_t>(ceil_div(work, ticks->in_picosecond))};
    AsynchronousArrivals train{ticks->of(scenario.front_end.jitter), 0, {}, {}, {}};
    if (!admitted.are_many()) {
        if (admitted.train.size() > AsynchronousArrivals::kMostOfTrain)
            return refused(
                why, {"front_end.fifo", "bound follows at most " + std::to_string(AsynchronousArrivals::kMostOfTrain) +
                                            " triggers of a train to it"});
        for (const Wide& distance : least_distances(behind_link(admitted.train, 1, *ticks, 0))) train.add(distance);
    } else {
        std::vector<ArrivalSpacing> spacings;
        for (const TriggerSpacing& of : admitted.spacings)
            spacings.push_back({of.triggers, ticks->of(of.apart), of.bucket ? 1 : 0});
        fifo.bounded = !spacings.empty() && work * widest_of(spacings).in_long_run() <= widest_of(spacings).apart;
        if (fifo.bounded && !follow(train, spacings, widest_of(spacings)))
            return refused(why, {"front_end.fifo", "bound follows at most " + std::to_string(AdmittedTriggers::kMost) +
                                                       " triggers to it"});
    }
    if (!fifo.bounded) return fifo;
    QueueGuarantee queue;
    const std::size_t last = bound_queue(train.arrivals, each, 0, ticks->of(slot), *ticks, queue);
    fifo.frames = queue.frames;
    for (std::size_t i = 0; i <= last; ++i)
        fifo.witness.push_back(
            Time{static_cast<std::int64_t>((train.triggers[last] - train.triggers[last - i]) / ticks->in_picosecond)});
    return fifo;
}

}  // namespace watershed
