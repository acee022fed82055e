// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/fifo-bound.h"

#include <algorithm>

#include "model/frontend/front-end.h"
#include "model/guarantee/switch-analysis.h"

namespace watershed {
namespace {

/// Returns the largest number of frames of one module in memory. Frames that come within e_j of the beginning of a busy
/// period have left l + (j + 1) m s after its beginning. Just before this time, all frames in memory have come within
/// the last l + (j + 1) m s - e_j.
/// @param work  m s, time that the uplink takes for one frame of each module
std::int64_t most_of_input(const AsynchronousArrivals& train, Wide latency, Wide work) {
    const std::vector<Wide>& arrivals = train.arrivals;
    Wide most = 0;
    for (std::size_t j = 0; j < arrivals.size(); ++j) {
        const Wide left = latency + work * (static_cast<Wide>(j) + 1);
        const bool at_end = train.span && *train.span < left;
        const Wide within = (at_end ? *train.span + 1 : left) - arrivals[j];
        Wide held = std::lower_bound(arrivals.begin(), arrivals.end(), within) - arrivals.begin();
        if (!train.span && within > arrivals.back()) held = ceil_div(within, train.link);
        most = std::max(most, held);
    }
    return std::int64_t(most);
}

}  // namespace

std::size_t bound_queue(const std::vector<Wide>& arrivals, int each, Wide latency, Wide slot, const Ticks& ticks,
                        QueueGuarantee& queue) {
    std::size_t index = 0;
    Wide delay = 0;
    for (std::size_t k = 0; k < arrivals.size(); ++k) {
        const Wide sent = std::max<Wide>(0, arrivals[k] - latency) / slot;
        const Wide all = Wide{each} * (static_cast<Wide>(k) + 1);
        const auto held = std::int64_t(all - sent);
        if (held > queue.frames) {
            queue.frames = held;
            index = k;
        }
        delay = std::max(delay, latency + all * slot - arrivals[k]);
    }
    queue.delay_s = seconds_of_picoseconds(double(delay) / double(ticks.in_picosecond));
    return index;
}

std::size_t bound_out_of_step(const AsynchronousArrivals& train, Wide latency, Wide slot, const Ticks& ticks,
                              QueueGuarantee& queue) {
    queue.by_input = most_of_input(train, latency, slot * queue.modules);
    return bound_queue(train.arrivals, queue.modules, latency, slot, ticks, queue);
}

namespace {

/// Returns the slot of a frame on the slowest link; rounded up to a picosecond if the link has a clock of its own,
/// whose rate has many digits.
TransmissionTime slot_of(const NetworkScenario& scenario, Bytes wire) {
    const FrontEnd& front_end = scenario.front_end;
    const ClockTolerance slowest = fastest_and_slowest(front_end).second;
    const TransmissionTime slot = TransmissionTime::of(wire, front_end.link_rate, slowest);
    return slowest == ClockTolerance{} ? slot : TransmissionTime{slot.ceil(), 1};
}

/// Adds triggers, each as early as the rules allow, until later ones increase no bound.
/// @return false if this takes too many triggers
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
    const auto each = int(frames.size());
    const TransmissionTime slot = slot_of(scenario, frames.front().wire);
    const auto ticks = ticks_for({slot});
    if (!ticks) return refused(why, {"front_end.link_rate", "bound does not cover rates of so many odd digits"});
    const Wide work = ticks->of(slot) * each;
    FifoGuarantee fifo;
    fifo.limit = *scenario.front_end.fifo;
    fifo.least_distance = Time{std::int64_t(ceil_div(work, ticks->in_picosecond))};
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
            Time{std::int64_t((train.triggers[last] - train.triggers[last - i]) / ticks->in_picosecond)});
    return fifo;
}

}  // namespace watershed
