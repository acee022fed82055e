// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>
#include <iterator>

#include "model/frontend/sender-fields.h"
#include "model/frontend/stream-train.h"
#include "model/frontend/trigger.h"
#include "model/guarantee/fifo-bound.h"
#include "model/guarantee/mixed-queue.h"
#include "model/guarantee/switch-part.h"
#include "model/guarantee/switch-recursion.h"
#include "model/guarantee/tier-links.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

/// Returns a copy with the keys that a bound covers. A new key of Trigger is refused until it is added here.
Trigger understood(const Trigger& from) {
    Trigger to;
    to.pattern = from.pattern;
    to.separation = from.separation;
    to.events = from.events;
    to.rate = from.rate;
    to.duration = from.duration;
    to.bursts = from.bursts;
    to.period = from.period;
    to.dead_time = from.dead_time;
    std::copy_if(from.rules.begin(), from.rules.end(), std::back_inserter(to.rules),
                 [](const TriggerRule& rule) { return rule.kind != TriggerRule::Kind::AlmostFull; });
    to.times = from.times;
    to.profile = from.profile;
    to.regular = from.regular;
    to.largest_step = from.largest_step;
    to.file = from.file;
    to.burst = from.burst;
    return to;
}

bool is_random(const Trigger& trigger) {
    const bool bursts = trigger.burst.events > 0 && trigger.burst.rate.count > 0;
    return bursts || trigger.pattern == Trigger::Pattern::Poisson ||
           (trigger.pattern == Trigger::Pattern::Profile && !trigger.regular);
}

}  // namespace

std::vector<TriggerSpacing> spacings_of(const Trigger& trigger) {
    std::vector<TriggerSpacing> spacings;
    if (trigger.dead_time > Time{0}) spacings.push_back({1, trigger.dead_time});
    for (const TriggerRule& rule : trigger.rules)
        if (rule.kind != TriggerRule::Kind::AlmostFull)
            spacings.push_back({rule.events, rule.time, rule.kind == TriggerRule::Kind::Bucket});
    return spacings;
}

std::optional<AdmittedTriggers> AdmittedTriggers::of(const Senders& senders, UnsupportedKey* why) {
    Senders copied = senders;
    copied.trigger = understood(senders.trigger);
    if (const SenderField* field = first_left_out(sender_fields(), senders, copied))
        return refused(why, {field->name, "bound does not cover it"});
    const Trigger& trigger = copied.trigger;
    if (trigger.pattern == Trigger::Pattern::LineRatePlusBurst)
        return refused(why, {"trigger.pattern", "bound does not cover a stream at line rate"});
    AdmittedTriggers admitted;
    if (is_random(trigger)) {
        admitted.spacings = spacings_of(trigger);
        return admitted;
    }
    if (trigger.pattern == Trigger::Pattern::Periodic && !trigger.events && !trigger.duration) {
        // Rounded to a picosecond each, two triggers may be one closer than the period.
        admitted.spacings = {{1, periodic_time(trigger.rate, 1) - Time{1}}};
        return admitted;
    }
    TriggerTrain train(trigger, senders.seed);
    while (const auto time = train.next()) {
        if (admitted.train.size() == kMost)
            return refused(why, {"trigger", "bound follows at most " + std::to_string(kMost) + " triggers of a train"});
        admitted.train.push_back(*time);
    }
    if (admitted.train.empty()) return refused(why, {"trigger", "no trigger comes"});
    return admitted;
}

namespace {

/// Returns the name of a switch's table in the scenario.
std::string table_of(const NetworkScenario& scenario, const Network::Switch& self) {
    if (!scenario.nodes.empty()) return "node." + self.name;
    return self.name.compare(0, 6, "switch") == 0 ? "switch" : "aggregation";
}

/// Bounds one switch after the other, in the order of Network: each switch comes after those that feed it.
class Bounding {
  public:
    Bounding(const Network& network, const NetworkScenario& scenario, AdmittedTriggers admitted,
             std::vector<SwitchAnalysis> parts, const Ticks& ticks, UnsupportedKey* why)
        : modules_(static_cast<std::size_t>(scenario.front_end.modules)),
          admitted_(std::move(admitted)),
          parts_(std::move(parts)),
          ticks_(ticks),
          why_(why),
          class_(scenario.front_end.traffic_class),
          each_(static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size())),
          shortest_(shortest_link()),
          of_triggers_(spacings_of_triggers()),
          horizon_(horizon()),
          links_(network, ticks, horizon_) {
        guarantee_.frame = frames_of_fragment(scenario.frame).front();
        guarantee_.one_train = !admitted_.are_many();
        guarantee_.spacings = admitted_.spacings;
        guarantee_.exact = network.is_one_tier() && scenario.traffic.empty();
        guarantee_.tiers = !network.is_one_tier();
        guarantee_.streams = !scenario.traffic.empty();
        for (const SwitchAnalysis& part : parts_) guarantee_.in_step = guarantee_.in_step && part.in_step;
    }

    std::optional<Guarantee> run() {
        if (guarantee_.tiers && frames_of_train() > AsynchronousArrivals::kMostOfTrain)
            return too_many(AsynchronousArrivals::kMostOfTrain, "frames of a module in a train through tiers");
        const bool bucket = std::any_of(of_triggers_.begin(), of_triggers_.end(),
                                        [](const ArrivalSpacing& each) { return each.by_token > 0; });
        for (SwitchAnalysis& part : parts_) {
            links_.count(part);
            if (!guarantee_.one_train) load(part);
            const bool mixed = guarantee_.tiers ? guarantee_.streams || !guarantee_.in_step || bucket
                                                : !part.streams.empty() || (!part.in_step && (each_ > 1 || bucket));
            auto arrivals = mixed ? of_many_sources(part) : part.in_step ? in_step(part) : out_of_step(part);
            if (!arrivals) return std::nullopt;
            if (arrivals->size() > longest_.size()) longest_ = std::move(*arrivals);
            conclude(part, mixed);
        }
        if (guarantee_.bounded) guarantee_.witness = witness();
        return std::move(guarantee_);
    }

  private:
    using Arrivals = std::optional<std::vector<Wide>>;

    std::nullopt_t too_many(std::size_t most, const std::string& of_what) const {
        return refused(why_, {"trigger", "bound follows at most " + std::to_string(most) + " " + of_what});
    }

    std::size_t frames_of_train() const { return admitted_.train.size() * static_cast<std::size_t>(each_); }

    Wide shortest_link() const {
        Wide shortest = 0;
        for (const SwitchAnalysis& part : parts_)
            if (const Wide link = ticks_.of(part.link); link > 0 && (shortest == 0 || link < shortest)) shortest = link;
        return shortest;
    }
    std::vector<ArrivalSpacing> spacings_of_triggers() const {
        std::vector<ArrivalSpacing> spacings;
        for (const TriggerSpacing& each : admitted_.spacings)
            spacings.push_back({each.triggers, ticks_.of(each.apart), each.bucket});
        return spacings;
    }
    /// Returns the spacing with the lowest long-run rate of one module's frames; the slot of the link is one spacing.
    ArrivalSpacing widest_behind(Wide link) const {
        std::vector<ArrivalSpacing> spacings;
        for (const ArrivalSpacing& of : of_triggers_)
            spacings.push_back({of.number * each_, of.apart, of.by_token * each_});
        spacings.push_back({1, link});  // last, so that it wins if rates are equal: the link may then never have sent
                                        // all frames that are ready
        return widest_of(spacings);
    }
    /// Returns the longest distance of arrivals that tiers have to keep, ticks; 0 for one train.
    Wide horizon() const {
        Wide horizon = 0;
        if (admitted_.are_many())
            for (const SwitchAnalysis& part : parts_)
                horizon = std::max(horizon, ticks_.of(part.latency) + widest_behind(shortest_).apart);
        return horizon;
    }
    /// Returns the slot of the modules' links at a switch or, without modules, at the switches that feed it.
    Wide link_of(const SwitchAnalysis& part) const {
        const Wide own = ticks_.of(part.link);
        return own > 0 ? own : shortest_;
    }

    /// Computes the loads of the queues if triggers always come as fast as the rules allow.
    void load(SwitchAnalysis& part) {
        const Wide slot = ticks_.of(part.uplink);
        const ArrivalSpacing widest = widest_behind(link_of(part));
        SwitchGuarantee& self = part.guarantee;
        for (std::size_t i = 0; i < self.queues.size(); ++i) {
            QueueGuarantee& queue = self.queues[i];
            const Wide busy = slot * links_.brought(part, i, widest);
            queue.load = static_cast<double>(busy) / static_cast<double>(widest.apart);
            queue.bounded = busy <= widest.apart;
            need(ceil_div(slot * queue.modules * each_, ticks_.in_picosecond));
            self.bounded = self.bounded && queue.bounded;
        }
    }

    /// Bounds a switch by its sources (bound_mixed_queue()). It is used if streams send to queues, or if modules out of
    /// step have several frames per trigger, a token bucket or several tiers.
    /// @return earliest arrivals from one module; empty for one train
    Arrivals of_many_sources(SwitchAnalysis& part) {
        guarantee_.exact = false;
        const Wide link = link_of(part);
        SwitchGuarantee& self = part.guarantee;
        QueueSource camera;
        camera.frame = guarantee_.frame;
        camera.traffic_class = class_;
        if (guarantee_.one_train) {
            if (frames_of_train() > AsynchronousArrivals::kMostOfTrain)
                return too_many(AsynchronousArrivals::kMostOfTrain, "frames of a module in a train");
            AsynchronousArrivals train{ticks_.of(part.jitter), link, {}, {}, {}};
            for (const Wide& distance :
                 least_distances(behind_link(admitted_.train, each_, ticks_, part.in_step ? link : 0)))
                train.add(distance);
            camera.burst = static_cast<std::int64_t>(train.arrivals.size());
            camera.distances = std::move(train.arrivals);
        }
        EarliestFrames earliest(of_triggers_, each_, link);
        for (std::size_t i = 0; i < self.queues.size(); ++i) {
            QueueGuarantee& queue = self.queues[i];
            std::vector<QueueSource> sources;
            const int own_modules = links_.own_modules(part, i);
            if (own_modules > 0) {
                QueueSource& own = sources.emplace_back(camera);
                own.each = own_modules;
                if (!guarantee_.one_train) give_triggers(own, part);
                own.burst *= own_modules;
                own.rate *= own_modules;
            }
            for (const CrossTrafficStream& stream : part.streams) {
                if (stream.queue != i) continue;
                const auto source = source_of(stream, ticks_, why_);
                if (!source) return std::nullopt;
                sources.push_back(*source);
            }
            const bool fed_bounded = links_.add_sources(part, i, sources);
            Rational of_streams = 0;
            for (QueueSource& each : sources) {
                each.slot = ticks_.of(TransmissionTime::of(each.frame.wire, part.uplink_rate));
                each.units = MemoryUnits(self.buffer).cost(each.frame.buffer);
                if (each.of_stream) of_streams += each.rate * Rational(each.slot);
                queue.streams += each.of_stream;
            }
            if (of_streams >= 1)
                return refused(why_, {"traffic", "there is no bound: streams alone bring more than an uplink sends"});
            if (sources.empty()) continue;
            const Wide slot = ticks_.of(part.uplink);
            need(whole_of(queue.modules * each_ * Rational(slot) / (1 - of_streams) / Rational(ticks_.in_picosecond)) +
                 1);
            const Rational load = load_of(sources);
            queue.load = load.convert_to<double>();
            queue.bounded = fed_bounded && load < 1;
            self.bounded = self.bounded && queue.bounded;
            if (queue.bounded) {
                const auto at = bound_mixed_queue(sources, part, ticks_, queue);
                if (!at) return too_many(TierLinks::kMost, "frames from several sides");
                if (own_modules > 0 && queue.modules == own_modules)
                    queue.by_input = sources.front().within(sources.front().delay) / own_modules;
                while (!guarantee_.one_train && (earliest.times().empty() || earliest.times().back() <= *at))
                    earliest.next();
                reached_ = std::max(reached_, static_cast<std::size_t>(std::upper_bound(earliest.times().begin(),
                                                                                        earliest.times().end(), *at) -
                                                                       earliest.times().begin()));
            }
            links_.pass(part, i, sources, queue.bounded);
        }
        return earliest.times();
    }
    /// Sets rate, burst and distances of the frames of one module, if many trains are admitted.
    void give_triggers(QueueSource& camera, const SwitchAnalysis& part) const {
        const ArrivalSpacing widest = widest_behind(link_of(part));
        const Wide jitter = ticks_.of(part.jitter);
        camera.rate = Rational(widest.in_long_run()) / Rational(widest.apart);
        camera.burst = widest.number + camera.rate * Rational(jitter);
        EarliestFrames frames(of_triggers_, each_, link_of(part), jitter);
        camera.distances = {frames.next()};
        camera.next = [frames]() mutable { return frames.next(); };
    }
    void need(Wide picoseconds) {
        guarantee_.least_distance = std::max(guarantee_.least_distance, Time{static_cast<std::int64_t>(picoseconds)});
    }

    /// Bounds a switch whose modules send at the same instants.
    /// @return earliest arrivals from one module, or the arrivals of the only train
    Arrivals in_step(SwitchAnalysis& part) {
        const Wide link = link_of(part);
        std::vector<Wide> arrivals;
        if (guarantee_.one_train) {
            arrivals = behind_link(admitted_.train, each_, ticks_, link);
        } else {
            const ArrivalSpacing widest = widest_behind(link);
            const Wide latency = ticks_.of(part.latency);
            const Wide end = std::max(guarantee_.tiers ? horizon_ : 0, latency + (widest.by_token ? 0 : widest.apart));
            EarliestFrames frames(of_triggers_, each_, link);
            // Ends with the last frame of a trigger.
            bool settled = widest.by_token == 0;
            while (frames.next() <= end || !settled || (frames.times().size() - 1) % std::size_t(each_) != 0) {
                if (frames.times().size() > AdmittedTriggers::kMost) return too_many(AdmittedTriggers::kMost, "frames");
                settled |= frames.is_settled();
            }
            arrivals = frames.times();
            arrivals.pop_back();
        }
        if (!part.is_fed) {
            SwitchRecursion followed(part, ticks_);
            for (const Wide& time : arrivals) followed.arrive(time);
            reached_ = std::max(reached_, followed.tell(part.guarantee, ticks_));
            part.guarantee.frames = followed.most();
        }
        if (!guarantee_.tiers) return arrivals;
        if (arrivals.size() * modules_ > TierLinks::kMost) return too_many(TierLinks::kMost, "frames through tiers");
        const Wide longest = links_.pass(part, guarantee_.one_train ? least_distances(arrivals) : arrivals);
        const auto after = std::upper_bound(arrivals.begin(), arrivals.end(), longest);
        reached_ = std::max(reached_, static_cast<std::size_t>(after - arrivals.begin()));
        return arrivals;
    }

    /// Bounds a switch of a single tier whose modules are out of step.
    /// @return earliest arrivals from one module; empty for one train
    Arrivals out_of_step(SwitchAnalysis& part) {
        guarantee_.exact = false;
        const Wide link = link_of(part), slot = ticks_.of(part.uplink), latency = ticks_.of(part.latency);
        SwitchGuarantee& self = part.guarantee;
        AsynchronousArrivals train{ticks_.of(part.jitter), link, {}, {}, {}};
        EarliestFrames earliest(of_triggers_, 1, link);
        EarliestTrain triggers(of_triggers_);
        if (guarantee_.one_train) {
            if (admitted_.train.size() > AsynchronousArrivals::kMostOfTrain)
                return too_many(AsynchronousArrivals::kMostOfTrain,
                                "triggers of a train to modules that are not in step");
            const Wide slowest = ticks_.of(part.slowest_link);
            train.span = behind_link(admitted_.train, 1, ticks_, slowest).back() - ticks_.of(admitted_.train.front()) -
                         link + ticks_.of(part.jitter + part.apart);
            for (const Wide& distance : least_distances(behind_link(admitted_.train, 1, ticks_, 0)))
                train.add(distance);
        } else {
            const bool by_link = std::all_of(self.queues.begin(), self.queues.end(), [&](const QueueGuarantee& queue) {
                return !queue.bounded || slot * queue.modules <= link;
            });
            while (!train.is_over(latency, by_link ? 1 : widest_behind(link).number, by_link)) {
                if (earliest.times().size() == AdmittedTriggers::kMost)
                    return too_many(AdmittedTriggers::kMost, "triggers");
                train.add(triggers.next());
                earliest.next();
            }
        }
        for (QueueGuarantee& queue : self.queues) {
            if (queue.modules == 0 || !queue.bounded) continue;
            reached_ = std::max(reached_, bound_out_of_step(train, latency, slot, ticks_, queue) + 1);
        }
        return earliest.times();
    }

    /// Sums up the queues of a switch and compares them with its memory. @param mixed  bounded by of_many_sources()
    void conclude(SwitchAnalysis& part, bool mixed) {
        SwitchGuarantee& self = part.guarantee;
        guarantee_.bounded = guarantee_.bounded && self.bounded;
        const Bytes frame = guarantee_.frame.buffer;
        const MemoryUnits units(self.buffer);
        const bool alike = std::all_of(self.queues.begin(), self.queues.end(),
                                       [](const QueueGuarantee&queue) { return queue.streams == 0; }),
                   followed = guarantee_.one_train && part.in_step && !part.is_fed && !mixed;
        const auto count = [&](auto& of) {
            of.bytes = of.frames * frame.count, of.units = of.frames * units.cost(frame);
        };
        if (!followed) self.frames = 0;
        for (QueueGuarantee& queue : self.queues) {
            if (alike) count(queue);
            if (!followed) self.frames += queue.frames;
            self.bytes += queue.bytes, self.units += queue.units;
        }
        if (alike) count(self);
        if (self.bounded && alike) {
            self.fits = takes_all(self, self.buffer, frame);
            self.needed = needed_size(self, frame);
        } else if (self.bounded) {
            self.fits = self.units <= units.amount("switch.buffer.size", self.buffer.size);
            self.needed = MemorySize{self.units, units.unit()};
        }
        guarantee_.switches.push_back(self);
    }

    std::vector<Time> witness() {
        if (guarantee_.one_train) return std::move(admitted_.train);
        std::vector<Time> triggers;
        const auto each = static_cast<std::size_t>(each_);
        const std::size_t number = (reached_ + each - 1) / each;
        for (std::size_t i = 0; i < number; ++i) {
            const Wide time = guarantee_.tiers ? longest_[i * each]
                                               : longest_[(number - 1) * each] - longest_[(number - 1 - i) * each];
            triggers.push_back(Time{static_cast<std::int64_t>(time / ticks_.in_picosecond)});
        }
        return triggers;
    }

    const std::size_t modules_;
    AdmittedTriggers admitted_;
    std::vector<SwitchAnalysis> parts_;
    const Ticks ticks_;
    UnsupportedKey* why_;
    const int class_;          ///< class of the camera's frames
    const std::int64_t each_;  ///< frames per module and trigger
    const Wide shortest_;      ///< slot of the fastest module's link, ticks
    const std::vector<ArrivalSpacing> of_triggers_;
    const Wide horizon_;
    TierLinks links_;
    std::size_t reached_ = 1;    ///< frames of one module after which every queue has held its maximum
    std::vector<Wide> longest_;  ///< longest of the switches' earliest arrivals, ticks
    Guarantee guarantee_;
};

}  // namespace

bool Guarantee::fits() const {
    return std::all_of(switches.begin(), switches.end(), [](const SwitchGuarantee& each) { return each.fits; }) &&
           (!fifo || fifo->fits());
}

std::int64_t Guarantee::frames() const {
    std::int64_t most = 0;
    for (const SwitchGuarantee& each : switches) most = std::max(most, each.frames);
    return most;
}

std::optional<Guarantee> Guarantee::of(const NetworkScenario& scenario, UnsupportedKey* why) {
    auto admitted = AdmittedTriggers::of(scenario, why);
    if (!admitted) return std::nullopt;
    return of(scenario, std::move(*admitted), why);
}

std::optional<Guarantee> Guarantee::of(const NetworkScenario& scenario, AdmittedTriggers admitted,
                                       UnsupportedKey* why) {
    if (!scenario.groups.empty()) return refused(why, {"group", "bound covers modules of one kind"});
    if (scenario.builders.count > 1) return refused(why, {"server.builders", "bound covers one event builder"});
    if (scenario.front_end.fifo) {
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
    if (scenario.server.receiver) return refused(why, {"server", "bound does not cover what a server loses"});
    const Network network(scenario);
    const bool one_rate = std::all_of(network.links().begin(), network.links().end(), [&](const Network::Link& link) {
        return link.rate == network.switches()[static_cast<std::size_t>(link.from)].settings.uplink_rate;
    });
    if (!one_rate)
        return refused(why, {scenario.nodes.empty() ? "aggregation" : "node",
                             "bound covers switches each with links of one rate"});
    std::vector<SwitchAnalysis> parts;
    std::vector<TransmissionTime> slots;
    for (int i = 0; i < static_cast<int>(network.switches().size()); ++i) {
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(i)];
        if (self.inputs() == 0) continue;
        auto part = part_of(scenario, network, i, why);
        if (!part) {
            if (why && !network.is_one_tier() && why->key.compare(0, 7, "switch.") == 0)
                why->key.replace(0, 6, table_of(scenario, self));
            return std::nullopt;
        }
        slots.insert(slots.end(), {part->link, part->uplink});
        for (const CrossTrafficStream& stream : part->streams) slots.push_back(stream.link);
        for (const TrafficStream& stream : scenario.traffic)
            slots.push_back(TransmissionTime::of(frame_of_stream(stream, scenario.frame).wire, part->uplink_rate));
        if (part->scheduling.kind != Scheduling::Kind::Fifo)
            slots.push_back(TransmissionTime::of(Bytes{1}, part->uplink_rate));
        parts.push_back(std::move(*part));
    }
    const auto ticks = ticks_for(slots);
    if (!ticks) return refused(why, {"front_end.clock", "bound does not cover rates and clocks of so many odd digits"});
    return Bounding(network, scenario, std::move(admitted), std::move(parts), *ticks, why).run();
}

NetworkScenario with_triggers(NetworkScenario scenario, const std::vector<Time>& times) {
    const Time dead_time = scenario.trigger.dead_time;
    scenario.trigger = Trigger{};
    scenario.trigger.pattern = Trigger::Pattern::File;
    scenario.trigger.times = times;
    scenario.trigger.dead_time = dead_time;
    return scenario;
}

NetworkScenario with_ample_memory(NetworkScenario scenario, std::int64_t frames) {
    const auto ample = [&](Buffer& buffer) {
        buffer = Buffer{};
        buffer.size = {frames, MemorySize::Unit::Frame};
    };
    scenario.front_end.fifo.reset();
    ample(scenario.network_switch.buffer);
    if (scenario.aggregation) ample(scenario.aggregation->buffer);
    for (Node& node : scenario.nodes) ample(node.network_switch.buffer);
    return scenario;
}

std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const NetworkScenario& scenario,
                                                       const Trigger& rules, std::int64_t limit) {
    Observer observer;
    observer.incomplete_kept = 1;
    for (std::int64_t length = std::min<std::int64_t>(64, limit);; length = std::min(length * 4, limit)) {
        std::vector<Time> times = densest_triggers(rules, length);
        const Outcome outcome = engine.run(with_triggers(scenario, times), &observer);
        if (!outcome.incomplete.empty()) {
            // If modules are out of step, frames of later triggers may have taken the room: look for a longer
            // beginning.
            for (auto number = static_cast<std::size_t>(outcome.incomplete.front().event); number < times.size();
                 ++number) {
                const std::vector<Time> first(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(number));
                if (engine.run(with_triggers(scenario, first), &observer).frames_lost() > 0) return first;
            }
            return times;
        }
        if (length == limit) return std::nullopt;
    }
}

}  // namespace watershed
