// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>

#include "model/guarantee/followed-switch.h"
#include "model/guarantee/needed-memory.h"
#include "model/guarantee/out-of-step.h"
#include "model/guarantee/switch-part.h"

namespace watershed {

bool Guarantee::fits() const {
    return std::all_of(switches.begin(), switches.end(), [](const SwitchGuarantee& each) { return each.fits; });
}

std::int64_t Guarantee::frames() const {
    std::int64_t most = 0;
    for (const SwitchGuarantee& each : switches) most = std::max(most, each.frames);
    return most;
}

std::optional<Guarantee> Guarantee::of(const Incast& scenario, Obstacle* why) {
    auto admitted = AdmittedTriggers::of(scenario, why);
    if (!admitted) return std::nullopt;
    return of(scenario, std::move(*admitted), why);
}

std::optional<Guarantee> Guarantee::of(const Incast& scenario, AdmittedTriggers admitted, Obstacle* why) {
    if (scenario.server.receiver) return refused(why, {"server.path", "bound does not cover what a server loses"});
    const Network network(scenario);
    if (!network.is_one_tier())
        return refused(why, {scenario.nodes.empty() ? "aggregation" : "node",
                             "bound covers switches that lead to the server, each by links of one rate"});
    if (!scenario.traffic.empty()) return refused(why, {"traffic", "bound does not cover streams beside the camera"});
    std::vector<SwitchPart> parts;
    std::vector<Slot> slots;
    for (int i = 0; i < static_cast<int>(network.switches().size()); ++i) {
        if (network.switches()[static_cast<std::size_t>(i)].modules == 0) continue;
        auto part = part_of(scenario, network, i, why);
        if (!part) return std::nullopt;
        slots.insert(slots.end(), {part->link, part->uplink});
        parts.push_back(std::move(*part));
    }
    const auto ticks = ticks_for(slots);
    if (!ticks) return refused(why, {"front_end.clock", "bound does not cover rates and clocks of so many odd digits"});

    Guarantee guarantee;
    guarantee.frame = frames_of_fragment(scenario.frame).front();
    guarantee.one_train = !admitted.are_many();
    guarantee.spacings = admitted.spacings;
    std::size_t reached = 1;
    std::vector<Wide> longest;  // of the earliest trains
    for (SwitchPart& part : parts) {
        const Wide link = ticks->of(part.link), slot = ticks->of(part.uplink), latency = ticks->of(part.latency);
        SwitchGuarantee& self = part.guarantee;
        std::vector<ArrivalSpacing> spacings;
        for (const TriggerSpacing& each : admitted.spacings) spacings.push_back({each.triggers, ticks->of(each.apart)});
        const std::vector<ArrivalSpacing> of_triggers = spacings;
        spacings.push_back({1, link});
        const ArrivalSpacing widest = widest_of(spacings);
        if (!guarantee.one_train)
            for (QueueGuarantee& queue : self.queues) {
                const Wide busy = slot * queue.modules * widest.triggers;
                queue.load = static_cast<double>(busy) / static_cast<double>(widest.apart);
                queue.bounded = busy <= widest.apart;
                const Wide needed = ceil_div(slot * queue.modules, ticks->in_picosecond);
                guarantee.least_distance = std::max(guarantee.least_distance, Time{static_cast<std::int64_t>(needed)});
                self.bounded = self.bounded && queue.bounded;
            }
        guarantee.exact = guarantee.exact && part.in_step;
        std::vector<Wide> arrivals;  // the earliest, or those of the only train
        const auto too_many = [&] {
            return refused(
                why, {"trigger", "bound follows at most " + std::to_string(AdmittedTriggers::kMost) + " triggers"});
        };
        if (part.in_step) {
            if (guarantee.one_train) {
                arrivals = behind_link(admitted.train, *ticks, link);
            } else {
                for (Wide time = 0; time <= latency + widest.apart; time = next_time(arrivals, spacings)) {
                    if (arrivals.size() == AdmittedTriggers::kMost) return too_many();
                    arrivals.push_back(time);
                }
            }
            FollowedSwitch followed(part, *ticks);
            for (const Wide& time : arrivals) followed.arrive(time);
            reached = std::max(reached, followed.tell(self, *ticks));
            self.frames = followed.most();
        } else {
            OutOfStep train{ticks->of(part.jitter), link, {}, {}, {}};
            if (guarantee.one_train) {
                if (admitted.train.size() > OutOfStep::kMostOfTrain)
                    return refused(why, {"trigger", "bound follows at most " + std::to_string(OutOfStep::kMostOfTrain) +
                                                        " triggers of a train to modules that are not in step"});
                const Wide slowest = ticks->of(part.slowest_link);
                train.span = behind_link(admitted.train, *ticks, slowest).back() - ticks->of(admitted.train.front()) -
                             link + ticks->of(part.jitter + part.apart);
                for (const Wide& distance : least_distances(admitted.train, *ticks)) train.add(distance);
            } else {
                const bool by_link = std::all_of(
                    self.queues.begin(), self.queues.end(),
                    [&](const QueueGuarantee& queue) { return !queue.bounded || slot * queue.modules <= link; });
                while (!train.is_over(latency, by_link ? 1 : widest.triggers, by_link)) {
                    if (train.arrivals.size() == AdmittedTriggers::kMost) return too_many();
                    train.add(next_time(train.triggers, of_triggers));
                }
            }
            for (QueueGuarantee& queue : self.queues) {
                if (queue.modules == 0 || !queue.bounded) continue;
                const std::size_t index = bound_out_of_step(train, latency, slot, *ticks, queue);
                reached = std::max(reached, index + 1);
            }
            if (!guarantee.one_train)
                while (arrivals.size() < train.arrivals.size()) arrivals.push_back(next_time(arrivals, spacings));
        }
        if (arrivals.size() > longest.size()) longest = arrivals;
        guarantee.bounded = guarantee.bounded && self.bounded;
        if (self.bounded) {
            if (!guarantee.one_train || !part.in_step) {
                self.frames = 0;
                for (const QueueGuarantee& queue : self.queues) self.frames += queue.frames;
            }
            self.fits = takes_all(self, self.buffer, guarantee.frame.buffer);
            self.needed = needed_size(self, guarantee.frame.buffer);
        }
        guarantee.switches.push_back(self);
    }
    if (!guarantee.bounded) return guarantee;
    if (guarantee.one_train) {
        guarantee.witness = std::move(admitted.train);
    } else {
        const Wide end = longest[reached - 1];
        for (std::size_t i = 0; i < reached; ++i)
            guarantee.witness.push_back(
                Time{static_cast<std::int64_t>((end - longest[reached - 1 - i]) / ticks->in_picosecond)});
    }
    return guarantee;
}

Incast with_triggers(Incast scenario, const std::vector<Time>& times) {
    const Time dead_time = scenario.trigger.dead_time;
    scenario.trigger = Trigger{};
    scenario.trigger.pattern = Trigger::Pattern::File;
    scenario.trigger.times = times;
    scenario.trigger.dead_time = dead_time;
    return scenario;
}

Incast with_ample_memory(Incast scenario, std::int64_t frames) {
    const auto ample = [&](Buffer& buffer) {
        buffer = Buffer{};
        buffer.size = {frames, MemorySize::Unit::Frame};
    };
    ample(scenario.network_switch.buffer);
    for (Node& node : scenario.nodes) ample(node.network_switch.buffer);
    return scenario;
}

}  // namespace watershed
