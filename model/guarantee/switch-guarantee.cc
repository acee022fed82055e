// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>

#include "model/guarantee/followed-switch.h"
#include "model/guarantee/needed-memory.h"
#include "model/guarantee/out-of-step.h"
#include "model/guarantee/switch-part.h"
#include "model/guarantee/tier-links.h"

namespace watershed {
namespace {

/// The table of a switch in a scenario.
std::string table_of(const Incast& scenario, const Network::Switch& self) {
    if (!scenario.nodes.empty()) return "node." + self.name;
    return self.name.compare(0, 6, "switch") == 0 ? "switch" : "aggregation";
}

}  // namespace

bool Guarantee::fits() const {
    return std::all_of(switches.begin(), switches.end(), [](const SwitchGuarantee& each) { return each.fits; });
}

std::int64_t Guarantee::frames() const {
    std::int64_t most = 0;
    for (const SwitchGuarantee& each : switches) most = std::max(most, each.frames);
    return most;
}

std::optional<Guarantee> Guarantee::of(const Incast& scenario, Obstacle* why, Tiers tiers) {
    auto admitted = AdmittedTriggers::of(scenario, why);
    if (!admitted) return std::nullopt;
    return of(scenario, std::move(*admitted), why, tiers);
}

std::optional<Guarantee> Guarantee::of(const Incast& scenario, AdmittedTriggers admitted, Obstacle* why, Tiers tiers) {
    if (scenario.server.receiver) return refused(why, {"server.path", "bound does not cover what a server loses"});
    const Network network(scenario);
    const bool one_tier = network.is_one_tier();
    const bool one_rate = std::all_of(network.links().begin(), network.links().end(), [&](const Network::Link& link) {
        return link.rate == network.switches()[static_cast<std::size_t>(link.from)].settings.uplink_rate;
    });
    if (!one_tier && (tiers == Tiers::One || !one_rate))
        return refused(why, {scenario.nodes.empty() ? "aggregation" : "node",
                             tiers == Tiers::One
                                 ? "what is exact is known only of switches that lead to the server, each by links of "
                                   "one rate"
                                 : "bound covers switches each with links of one rate"});
    if (!scenario.traffic.empty()) return refused(why, {"traffic", "bound does not cover streams beside the camera"});
    std::vector<SwitchPart> parts;
    std::vector<Slot> slots;
    for (int i = 0; i < static_cast<int>(network.switches().size()); ++i) {
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(i)];
        if (self.inputs() == 0) continue;
        auto part = part_of(scenario, network, i, why);
        if (!part) {
            if (why && !one_tier && why->key.compare(0, 7, "switch.") == 0)
                why->key.replace(0, 6, table_of(scenario, self));
            return std::nullopt;
        }
        slots.insert(slots.end(), {part->link, part->uplink});
        parts.push_back(std::move(*part));
    }
    const auto ticks = ticks_for(slots);
    if (!ticks) return refused(why, {"front_end.clock", "bound does not cover rates and clocks of so many odd digits"});

    Guarantee guarantee;
    guarantee.frame = frames_of_fragment(scenario.frame).front();
    guarantee.one_train = !admitted.are_many();
    guarantee.spacings = admitted.spacings;
    guarantee.exact = one_tier;
    guarantee.tiers = !one_tier;
    std::vector<ArrivalSpacing> of_triggers;
    for (const TriggerSpacing& each : admitted.spacings) of_triggers.push_back({each.triggers, ticks->of(each.apart)});
    Wide shortest = 0, horizon = 0;
    for (const SwitchPart& part : parts)
        if (const Wide link = ticks->of(part.link); link > 0 && (shortest == 0 || link < shortest)) shortest = link;
    std::vector<ArrivalSpacing> of_all = of_triggers;
    of_all.push_back({1, shortest});
    if (!guarantee.one_train)
        for (const SwitchPart& part : parts)
            horizon = std::max(horizon, ticks->of(part.latency) + widest_of(of_all).apart);
    if (!one_tier && guarantee.one_train && admitted.train.size() > OutOfStep::kMostOfTrain)
        return refused(why, {"trigger", "bound follows at most " + std::to_string(OutOfStep::kMostOfTrain) +
                                            " triggers of a train through tiers"});
    TierLinks links(network, *ticks, horizon);
    std::size_t reached = 1;
    std::vector<Wide> longest;  // of the earliest trains
    for (SwitchPart& part : parts) {
        links.count(part);
        const Wide link = part.is_fed ? shortest : ticks->of(part.link), slot = ticks->of(part.uplink),
                   latency = ticks->of(part.latency);
        SwitchGuarantee& self = part.guarantee;
        std::vector<ArrivalSpacing> spacings = of_triggers;
        spacings.push_back({1, link});
        const ArrivalSpacing widest = widest_of(spacings);
        if (!guarantee.one_train)
            for (std::size_t i = 0; i < self.queues.size(); ++i) {
                QueueGuarantee& queue = self.queues[i];
                const Wide busy = slot * links.brought(part, i, widest);
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
                const Wide end = std::max(one_tier ? 0 : horizon, latency + widest.apart);
                for (Wide time = 0; time <= end; time = next_time(arrivals, spacings)) {
                    if (arrivals.size() == AdmittedTriggers::kMost) return too_many();
                    arrivals.push_back(time);
                }
            }
            if (!part.is_fed) {
                FollowedSwitch followed(part, *ticks);
                for (const Wide& time : arrivals) followed.arrive(time);
                reached = std::max(reached, followed.tell(self, *ticks));
                self.frames = followed.most();
            }
            if (!one_tier) {
                if (arrivals.size() * static_cast<std::size_t>(scenario.front_end.modules) > TierLinks::kMost)
                    return refused(why, {"trigger", "bound follows at most " + std::to_string(TierLinks::kMost) +
                                                        " frames through tiers"});
                const Wide longest_busy = links.pass(part, guarantee.one_train ? least_distances(arrivals) : arrivals);
                const auto after = std::upper_bound(arrivals.begin(), arrivals.end(), longest_busy);
                reached = std::max(reached, static_cast<std::size_t>(after - arrivals.begin()));
            }
        } else {
            OutOfStep train{ticks->of(part.jitter), link, {}, {}, {}};
            if (guarantee.one_train) {
                if (admitted.train.size() > OutOfStep::kMostOfTrain)
                    return refused(why, {"trigger", "bound follows at most " + std::to_string(OutOfStep::kMostOfTrain) +
                                                        " triggers of a train to modules that are not in step"});
                const Wide slowest = ticks->of(part.slowest_link);
                train.span = behind_link(admitted.train, *ticks, slowest).back() - ticks->of(admitted.train.front()) -
                             link + ticks->of(part.jitter + part.apart);
                for (const Wide& distance : least_distances(behind_link(admitted.train, *ticks, 0)))
                    train.add(distance);
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
            if (!guarantee.one_train || !part.in_step || part.is_fed) {
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
        for (std::size_t i = 0; i < reached; ++i) {
            const Wide time = one_tier ? end - longest[reached - 1 - i] : longest[i];
            guarantee.witness.push_back(Time{static_cast<std::int64_t>(time / ticks->in_picosecond)});
        }
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
    if (scenario.aggregation) ample(scenario.aggregation->buffer);
    for (Node& node : scenario.nodes) ample(node.network_switch.buffer);
    return scenario;
}

}  // namespace watershed
