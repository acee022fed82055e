// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>
#include <map>

#include "model/base/slot.h"
#include "model/frontend/front-end.h"
#include "model/frontend/synchronous-senders.h"
#include "model/guarantee/needed-memory.h"
#include "model/network/network.h"
#include "model/switch/plain-switch.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

/// Exact times, in ticks of which a picosecond has so many.
struct Ticks {
    Wide in_picosecond = 1;

    Wide of(Time time) const { return Wide{time.count()} * in_picosecond; }
    Wide of(const Slot& slot) const { return slot.numerator * (in_picosecond / slot.denominator); }
};

/// In which each slot is whole; nothing where times would not fit.
std::optional<Ticks> ticks_for(const std::vector<Slot>& slots) {
    constexpr Wide kFinest = Wide{1'000'000'000'000'000'000} * 10;  // a day is 8.64e16 ps, and fits 10^20 times
    Wide ticks = 1;
    for (const Slot& slot : slots) {
        const Wide factor = slot.denominator / common_divisor(slot.denominator, ticks);
        if (factor > kFinest / ticks) return std::nullopt;
        ticks *= factor;
    }
    return Ticks{ticks};
}

/// A distance that all arrivals keep.
struct ArrivalSpacing {
    std::int64_t triggers;
    Wide apart;

    /// Whether in the long run this one admits fewer triggers.
    bool is_wider_than(const ArrivalSpacing& other) const {
        return static_cast<double>(apart) * static_cast<double>(other.triggers) >
               static_cast<double>(other.apart) * static_cast<double>(triggers);
    }
};

/// One queue, trigger by trigger.
class FollowedQueue {
  public:
    FollowedQueue(int modules, Wide slot, Wide latency) : modules_(modules), slot_(slot), latency_(latency) {}

    void arrive(Wide now) {
        const Wide start = std::max(now + latency_, free_);
        free_ = start + slot_ * modules_;
        starts_.push_back(start);
        while (starts_[oldest_] + slot_ * modules_ <= now) ++oldest_;
        const Wide begun = now - starts_[oldest_];
        const auto left =
            static_cast<std::int64_t>(oldest_) * modules_ + (begun > 0 ? static_cast<std::int64_t>(begun / slot_) : 0);
        const auto triggers = static_cast<std::int64_t>(starts_.size());
        held_ = triggers * modules_ - left;
        keep(most_, held_, most_at_);
        keep(by_input_, triggers - static_cast<std::int64_t>(oldest_), by_input_at_);
        keep(delay_, free_ - now, delay_at_);
    }

    std::int64_t held() const { return held_; }
    std::int64_t most() const { return most_; }
    std::int64_t by_input() const { return by_input_; }
    Wide delay() const { return delay_; }
    /// Triggers until all of these were reached for the first time.
    std::size_t reached() const { return std::max({most_at_, by_input_at_, delay_at_}); }

  private:
    template <class Value>
    void keep(Value& most, Value now, std::size_t& at) {
        if (now <= most) return;
        most = now;
        at = starts_.size();
    }

    std::int64_t modules_;
    Wide slot_, latency_;
    Wide free_ = 0;             ///< of the uplink, when it has sent all that came
    std::vector<Wide> starts_;  ///< of sending what a trigger brought
    std::size_t oldest_ = 0;    ///< of triggers that have frames left
    std::int64_t held_ = 0, most_ = 0, by_input_ = 0;
    Wide delay_ = 0;
    std::size_t most_at_ = 0, by_input_at_ = 0, delay_at_ = 0;
};

/// One switch of the scenario, which knows no other.
struct Part {
    SwitchGuarantee guarantee;
    Slot link, uplink;
    Time latency{0};
    bool in_step = true;  ///< all modules send at the same instants; else each has its own time, and at most this later
    Time jitter{0};
    Time apart{0};         ///< of the earliest and the latest module
    Time slowest_link{0};  ///< a frame there, rounded up
};

Obstacle not_covered(const Obstacle& obstacle) { return {obstacle.key, "bound does not cover it: " + obstacle.why}; }

/// What of the memory is not covered.
Obstacle obstacle_of(const Buffer& buffer) {
    if (buffer.release != Buffer::Release::End)
        return {"switch.buffer.release", "bound does not cover memory that is given back before a frame has left"};
    const bool by_queue = buffer.sharing == Sharing::DynamicThreshold;
    if (buffer.accounting == Buffer::Accounting::Both || (by_queue && buffer.accounting != Buffer::Accounting::Egress))
        return {"switch.buffer.accounting", "bound does not cover thresholds of inputs"};
    return {};
}

/// The same with modules that all send at the same instants.
Senders in_step_with(Senders senders) {
    FrontEnd& front_end = senders.front_end;
    front_end.jitter = front_end.skew_spread = Time{0};
    front_end.skew.clear();
    front_end.clock.clear();
    front_end.clock_spread = {};
    return senders;
}

/// Of the fastest and of the slowest link, whatever the clocks' spread is in the end.
std::pair<ClockTolerance, ClockTolerance> fastest_and_slowest(const FrontEnd& front_end) {
    std::pair<ClockTolerance, ClockTolerance> extremes;
    for (std::size_t i = 0; i < front_end.clock.size(); ++i) {
        const ClockTolerance each = front_end.clock[i];
        if (i == 0 || extremes.first < each) extremes.first = each;
        if (i == 0 || each < extremes.second) extremes.second = each;
    }
    return {extremes.first + front_end.clock_spread, extremes.second - front_end.clock_spread};
}

/// How much later the trigger of one module may be than that of another, jitter apart.
Time range_of_skews(const FrontEnd& front_end) {
    if (front_end.skew.empty()) return front_end.skew_spread;
    const auto [least, most] = std::minmax_element(front_end.skew.begin(), front_end.skew.end());
    return *most - *least + front_end.skew_spread;
}

std::optional<Part> part_of(const Incast& scenario, const Network& network, int number, Obstacle* why) {
    const Network::Switch& self = network.switches()[static_cast<std::size_t>(number)];
    const Incast part = network.part(scenario, number);
    Obstacle found;
    auto senders = SynchronousSenders::of(part);
    const bool in_step = senders.has_value();
    if (!in_step) senders = SynchronousSenders::of(in_step_with(part), &found);
    if (!senders) return refused(why, not_covered(found));
    const auto plain = PlainSwitch::of(part.network_switch, &found);
    if (!plain) return refused(why, not_covered(found));
    const Switch& network_switch = **plain;
    if (Obstacle memory = obstacle_of(network_switch.buffer)) return refused(why, std::move(memory));

    Part result;
    result.guarantee.name = self.name;
    result.guarantee.buffer = network_switch.buffer;
    result.guarantee.inputs = self.modules;
    const FrontEnd& front_end = (*senders)->front_end;
    const Bytes wire = frames_of_fragment((*senders)->frame).front().wire;
    result.in_step = in_step;
    result.jitter = part.front_end.jitter;
    const auto [fastest, slowest] = fastest_and_slowest(part.front_end);
    result.apart = range_of_skews(part.front_end);
    result.slowest_link = Time{static_cast<std::int64_t>(Slot::of(wire, part.front_end.link_rate, slowest).ceil())};
    result.link =
        Slot::of(wire, front_end.link_rate, in_step ? module_timing(front_end, part.seed, 1).tolerance : fastest);
    // A clock has many digits; frames a little closer to each other are on the safe side.
    if (!in_step && result.link.floor() > 0) result.link = {result.link.floor(), 1};
    result.uplink = Slot::of(wire, network_switch.uplink_rate);
    result.latency = network_switch.latency;

    const int uplinks = network_switch.uplinks;
    std::vector<int> modules(static_cast<std::size_t>(uplinks));
    if (network_switch.uplink_choice.rule == UplinkChoice::Rule::RoundRobin && uplinks > 1) {
        if (self.modules % uplinks != 0 || has_account_by_input(network_switch.buffer))
            return refused(why, {"switch.uplink_selection",
                                 "bound covers frames that take turns only where each trigger brings all uplinks "
                                 "equally many and inputs have no memory of their own"});
        std::fill(modules.begin(), modules.end(), self.modules / uplinks);
    } else if (network_switch.uplink_choice.rule == UplinkChoice::Rule::Random) {
        return refused(why, {"switch.uplink_selection", "bound does not cover uplinks by lot"});
    } else {
        UplinkSelector selector(network_switch, front_end);
        for (int module = 1; module <= self.modules; ++module)
            ++modules[static_cast<std::size_t>(selector.next(module))];
    }
    for (int i = 0; i < uplinks; ++i) {
        QueueGuarantee& queue = result.guarantee.queues.emplace_back();
        queue.name = network.name(network.links()[static_cast<std::size_t>(self.first_link + i)]);
        queue.modules = modules[static_cast<std::size_t>(i)];
    }
    return result;
}

/// Arrivals at a switch: a link sends one frame after the other.
std::vector<Wide> behind_link(const std::vector<Time>& triggers, const Ticks& ticks, Wide slot) {
    std::vector<Wide> arrivals;
    for (const Time trigger : triggers) {
        const Wide time = ticks.of(trigger);
        arrivals.push_back(std::max(time, arrivals.empty() ? time : arrivals.back()) + slot);
    }
    return arrivals;
}

ArrivalSpacing widest_of(const std::vector<ArrivalSpacing>& spacings) {
    ArrivalSpacing widest = spacings.back();
    for (const ArrivalSpacing& each : spacings)
        if (each.is_wider_than(widest)) widest = each;
    return widest;
}

/// The earliest that may follow.
Wide next_time(const std::vector<Wide>& times, const std::vector<ArrivalSpacing>& spacings) {
    Wide time = times.empty() ? 0 : times.back();
    for (const ArrivalSpacing& each : spacings)
        if (times.size() >= static_cast<std::size_t>(each.triggers))
            time = std::max(time, times[times.size() - static_cast<std::size_t>(each.triggers)] + each.apart);
    return time;
}

/// The least distance of two triggers of a train that are k apart, for each k.
std::vector<Wide> least_distances(const std::vector<Time>& train, const Ticks& ticks) {
    std::vector<Wide> distances;
    for (std::size_t k = 0; k < train.size(); ++k) {
        Time least = train[k] - train[0];
        for (std::size_t j = 1; j + k < train.size(); ++j) least = std::min(least, train[j + k] - train[j]);
        distances.push_back(ticks.of(least));
    }
    return distances;
}

/// How close to each other the frames of one module come at most, if each may be late by a jitter.
struct OutOfStep {
    static constexpr std::size_t kMostOfTrain = 10'000;

    Wide jitter, link;
    std::optional<Wide> span;    ///< from the first arrival to the last, of any modules, of one train
    std::vector<Wide> triggers;  ///< k is no earlier after any other
    std::vector<Wide> arrivals;  ///< and so are their frames

    void add(Wide trigger) {
        const Wide late = std::max<Wide>(0, trigger - jitter);
        arrivals.push_back(arrivals.empty() ? late : std::max(late, arrivals.back() + link));
        triggers.push_back(trigger);
    }
    /// Whether later ones add nothing to a queue that the rule of so many triggers bounds.
    bool is_over(Wide latency, std::int64_t rule, bool of_link) const {
        if (arrivals.size() < static_cast<std::size_t>(rule)) return false;
        for (std::size_t k = arrivals.size() - static_cast<std::size_t>(rule); k < arrivals.size(); ++k)
            if (arrivals[k] < latency || (!of_link && arrivals[k] != triggers[k] - jitter)) return false;
        return true;
    }
};

/// How many frames of one module are in memory at most. What has come within e_j since a busy time began has left
/// l + (j + 1) m s after that, so that before then all frames there have come later.
std::int64_t most_of_input(const OutOfStep& train, Wide latency, Wide work) {
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
    return static_cast<std::int64_t>(most);
}

/// @return where the queue holds most
std::size_t bound_out_of_step(const OutOfStep& train, Wide latency, Wide slot, const Ticks& ticks,
                              QueueGuarantee& queue) {
    std::size_t index = 0;
    Wide delay = 0;
    for (std::size_t k = 0; k < train.arrivals.size(); ++k) {
        const Wide sent = std::max<Wide>(0, train.arrivals[k] - latency) / slot;
        const Wide all = Wide{queue.modules} * (static_cast<Wide>(k) + 1);
        const auto held = static_cast<std::int64_t>(all - sent);
        if (held > queue.frames) {
            queue.frames = held;
            index = k;
        }
        delay = std::max(delay, latency + all * slot - train.arrivals[k]);
    }
    queue.by_input = most_of_input(train, latency, slot * queue.modules);
    queue.delay_s = static_cast<double>(delay) / static_cast<double>(ticks.in_picosecond) * 1e-12;
    return index;
}

/// Follows all queues of a switch; queues that carry equally many modules are alike.
class FollowedSwitch {
  public:
    FollowedSwitch(const Part& part, const Ticks& ticks)
        : latency_(ticks.of(part.latency)), slot_(ticks.of(part.uplink)) {
        for (const QueueGuarantee& queue : part.guarantee.queues)
            if (queue.modules > 0 && queue.bounded)
                ++alike_.try_emplace(queue.modules, Alike{0, {queue.modules, slot_, latency_}}).first->second.number;
    }

    void arrive(Wide now) {
        std::int64_t held = 0;
        for (auto& [modules, alike] : alike_) {
            alike.queue.arrive(now);
            held += alike.number * alike.queue.held();
        }
        most_ = std::max(most_, held);
    }
    std::int64_t most() const { return most_; }
    /// @return triggers until all was reached
    std::size_t tell(SwitchGuarantee& guarantee, const Ticks& ticks) const {
        std::size_t reached = 0;
        for (QueueGuarantee& queue : guarantee.queues) {
            const auto found = alike_.find(queue.modules);
            if (found == alike_.end()) continue;
            const FollowedQueue& followed = found->second.queue;
            queue.frames = followed.most();
            queue.by_input = followed.by_input();
            queue.delay_s = static_cast<double>(followed.delay()) / static_cast<double>(ticks.in_picosecond) * 1e-12;
            reached = std::max(reached, followed.reached());
        }
        return reached;
    }

  private:
    struct Alike {
        std::int64_t number;
        FollowedQueue queue;
    };

    Wide latency_, slot_;
    std::map<int, Alike> alike_;
    std::int64_t most_ = 0;
};

}  // namespace

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
    std::vector<Part> parts;
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
    for (Part& part : parts) {
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
