// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "model/frontend/module-groups.h"
#include "model/frontend/stream-frames.h"
#include "model/guarantee/fifo-bound.h"
#include "model/guarantee/mixed-queue.h"
#include "model/guarantee/switch-part.h"
#include "model/guarantee/switch-recursion.h"
#include "model/guarantee/tier-links.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

/// Returns the name of a switch's table in the scenario.
std::string table_of(const NetworkScenario& scenario, const Network::Switch& self) {
    if (!scenario.nodes.empty()) return "node." + self.name;
    return self.name.compare(0, 6, "switch") == 0 ? "switch" : "aggregation";
}

/// Bounds one switch after the other, in the order of Network: each switch comes after those that feed it.
class Bounding {
  public:
    Bounding(const Network& network, const NetworkScenario& scenario, AdmittedTriggers admitted, bool kinds,
             std::vector<SwitchAnalysis> parts, const Ticks& ticks, UnsupportedKey* why)
        : modules_(static_cast<std::size_t>(scenario.front_end.modules)),
          admitted_(std::move(admitted)),
          parts_(std::move(parts)),
          ticks_(ticks),
          why_(why),
          class_(scenario.front_end.traffic_class),
          kinds_(kinds),
          alike_(!has_unlike_frames(scenario)),
          each_(kinds_ ? 1 : static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size())),
          shortest_(shortest_link()),
          of_triggers_(spacings_of_triggers()),
          horizon_(horizon()),
          links_(network, ticks, horizon_) {
        guarantee_.frame = frames_of_fragment(ModuleGroups(scenario).all().front().frame).front();
        guarantee_.one_train = !admitted_.are_many();
        guarantee_.spacings = admitted_.spacings;
        guarantee_.exact = network.is_one_tier() && scenario.traffic.empty() && !kinds_;
        guarantee_.kinds = has_kinds(scenario);
        guarantee_.tiers = !network.is_one_tier();
        guarantee_.streams = !scenario.traffic.empty();
        for (const SwitchAnalysis& part : parts_) {
            guarantee_.in_step = guarantee_.in_step && part.in_step;
            for (const GroupAnalysis& group : part.groups)
                guarantee_.own_triggers = guarantee_.own_triggers || group.own_trigger;
        }
    }

    std::optional<Guarantee> run() {
        if (!kinds_ && guarantee_.tiers && frames_of_train() > AsynchronousArrivals::kMostOfTrain)
            return too_many(AsynchronousArrivals::kMostOfTrain, "frames of a module in a train through tiers");
        const bool bucket = std::any_of(of_triggers_.begin(), of_triggers_.end(),
                                        [](const ArrivalSpacing& each) { return each.by_token > 0; });
        for (SwitchAnalysis& part : parts_) {
            links_.count(part);
            if (!guarantee_.one_train && !kinds_) load(part);
            const bool mixed =
                kinds_ || (guarantee_.tiers ? guarantee_.streams || !guarantee_.in_step || bucket
                                            : !part.streams.empty() || (!part.in_step && (each_ > 1 || bucket)));
            auto arrivals = mixed ? of_many_sources(part) : part.in_step ? in_step(part) : out_of_step(part);
            if (!arrivals) return std::nullopt;
            if (arrivals->size() > longest_.size()) longest_ = std::move(*arrivals);
            conclude(part, mixed);
        }
        if (guarantee_.bounded && !guarantee_.own_triggers) guarantee_.witness = witness();
        return std::move(guarantee_);
    }

  private:
    using Arrivals = std::optional<std::vector<Wide>>;

    std::nullopt_t too_many(std::size_t most, const std::string& of_what) const {
        return refused(why_, {"trigger", "bound follows at most " + std::to_string(most) + " " + of_what});
    }

    std::size_t frames_of_train() const { return admitted_.train.size() * static_cast<std::size_t>(each_); }

    /// Returns the slot of the fastest module's link or, where kinds are added up, its shortest time for an event.
    Wide shortest_link() const {
        Wide shortest = 0;
        const auto consider = [&](Wide link) {
            if (link > 0 && (shortest == 0 || link < shortest)) shortest = link;
        };
        for (const SwitchAnalysis& part : parts_) {
            consider(ticks_.of(part.link));
            for (const GroupAnalysis& group : part.groups) {
                Wide event = ticks_.of(group.gap) * static_cast<std::int64_t>(group.frames.size() - 1);
                for (const TransmissionTime& slot : group.fast) event += ticks_.of(slot);
                consider(event);
            }
        }
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
        longest_delay_ = 0;
        const Wide link = link_of(part);
        SwitchGuarantee& self = part.guarantee;
        QueueSource camera;
        camera.frame = guarantee_.frame;
        camera.traffic_class = class_;
        if (guarantee_.one_train && !kinds_) {
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
            if (kinds_) {
                if (!add_kinds(part, i, sources)) return std::nullopt;
            } else if (own_modules > 0) {
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
                if (each.of_stream || each.own_trigger) of_streams += each.rate * Rational(each.slot);
                queue.streams += each.of_stream;
            }
            if (of_streams >= 1)
                return refused(
                    why_, {guarantee_.streams ? "traffic" : "group",
                           "there is no bound: what does not answer the common triggers brings all that " + queue.name +
                               " sends, or more: a load of " +
                               std::to_string(static_cast<std::int64_t>(whole_of(of_streams * 100))) + " %"});
            if (sources.empty()) continue;
            const Rational of_trigger =
                kinds_ ? work_of_trigger(part, i) : Rational(queue.modules * each_ * ticks_.of(part.uplink));
            need(whole_of(of_trigger / (1 - of_streams) / Rational(ticks_.in_picosecond)) + 1);
            const Rational load = load_of(sources);
            queue.load = load.convert_to<double>();
            queue.bounded = fed_bounded && load < 1;
            self.bounded = self.bounded && queue.bounded;
            if (queue.bounded) {
                const auto at = bound_mixed_queue(sources, part, ticks_, queue);
                if (!at) return too_many(TierLinks::kMost, "frames from several sides");
                for (const QueueSource& each : sources) longest_delay_ = std::max(longest_delay_, each.delay);
                if (!kinds_ && own_modules > 0 && queue.modules == own_modules)
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
    /// Adds the modules of each kind that send to a queue, by the sizes of their frames.
    bool add_kinds(const SwitchAnalysis& part, std::size_t queue, std::vector<QueueSource>& sources) const {
        for (const GroupAnalysis& group : part.groups) {
            if (group.modules[queue] == 0) continue;
            std::map<std::pair<Bytes, Bytes>, std::vector<std::size_t>> alike;
            for (std::size_t i = 0; i < group.frames.size(); ++i)
                alike[{group.frames[i].wire, group.frames[i].buffer}].push_back(i);
            for (const auto& [size, frames] : alike) {
                auto source = source_of(group, queue, frames, ticks_, why_);
                if (!source) return false;
                sources.push_back(std::move(*source));
            }
        }
        return true;
    }
    /// Returns the time that an uplink takes for the frames of a common trigger, in the mean over builders.
    Rational work_of_trigger(const SwitchAnalysis& part, std::size_t queue) const {
        Rational work = 0;
        for (const GroupAnalysis& group : part.groups)
            for (const FrameSizes& frame : group.frames)
                if (!group.own_trigger)
                    work +=
                        Rational(group.modules[queue] * ticks_.of(TransmissionTime::of(frame.wire, part.uplink_rate))) /
                        group.every;
        return work;
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

    /// Lowers the sum of the queues to the frames that come within the longest delay of any, if builders take turns:
    /// not all of them get an event in that time.
    void limit_sum_by_turns(SwitchAnalysis& part) {
        if (!part.guarantee.bounded || part.groups.empty() || part.groups.front().every == 1) return;
        SwitchAnalysis all = part;
        for (GroupAnalysis& group : all.groups) {
            const auto all_builders = std::accumulate(group.modules.begin(), group.modules.end(), std::int64_t{0});
            group.modules = {all_builders / std::exchange(group.every, 1)};
        }
        std::vector<QueueSource> sources;
        if (!add_kinds(all, 0, sources)) return;
        for (const CrossTrafficStream& stream : all.streams) sources.push_back(*source_of(stream, ticks_, why_));
        SwitchGuarantee& self = all.guarantee;
        self.frames = self.bytes = self.units = 0;
        for (QueueSource& each : sources) {
            if (!each.extend_to(longest_delay_)) return;
            const std::int64_t frames = each.within(longest_delay_);
            self.frames += frames;
            self.bytes += frames * each.frame.buffer.count;
            self.units += frames * MemoryUnits(self.buffer).cost(each.frame.buffer);
        }
        SwitchGuarantee& sum = part.guarantee;
        sum.frames = std::min(sum.frames, self.frames);
        sum.bytes = std::min(sum.bytes, self.bytes);
        sum.units = std::min(sum.units, self.units);
    }

    /// Sums up the queues of a switch and compares them with its memory. @param mixed  bounded by of_many_sources()
    void conclude(SwitchAnalysis& part, bool mixed) {
        SwitchGuarantee& self = part.guarantee;
        guarantee_.bounded = guarantee_.bounded && self.bounded;
        const Bytes frame = guarantee_.frame.buffer;
        const MemoryUnits units(self.buffer);
        const bool alike = alike_ && std::all_of(self.queues.begin(), self.queues.end(),
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
        limit_sum_by_turns(part);
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
    const bool kinds_;         ///< true if the frames of kinds of modules are added up
    const bool alike_;         ///< true if all frames of modules have one size
    const std::int64_t each_;  ///< frames per module and trigger; 1 if there are kinds
    const Wide shortest_;      ///< shortest_link(), ticks
    const std::vector<ArrivalSpacing> of_triggers_;
    const Wide horizon_;
    TierLinks links_;
    Wide longest_delay_ = 0;     ///< of a frame in the switch bounded last, ticks
    std::size_t reached_ = 1;    ///< frames of one module after which every queue has held its maximum
    std::vector<Wide> longest_;  ///< longest of the switches' earliest arrivals, ticks
    Guarantee guarantee_;
};

/// @param kinds  true: the frames of kinds of modules are added up (has_kinds())
std::optional<Guarantee> bounds_of(const NetworkScenario& scenario, const AdmittedTriggers& admitted, bool kinds,
                                   UnsupportedKey& why) {
    const Network network(scenario);
    const bool one_rate = std::all_of(network.links().begin(), network.links().end(), [&](const Network::Link& link) {
        return link.rate == network.switches()[static_cast<std::size_t>(link.from)].settings.uplink_rate;
    });
    if (!one_rate)
        return refused(&why, {scenario.nodes.empty() ? "aggregation" : "node",
                              "bound covers switches each with links of one rate"});
    std::vector<SwitchAnalysis> parts;
    std::vector<TransmissionTime> slots;
    for (int i = 0; i < static_cast<int>(network.switches().size()); ++i) {
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(i)];
        if (self.inputs() == 0) continue;
        auto part = part_of(scenario, network, i, admitted, kinds, &why);
        if (!part) {
            if (!network.is_one_tier() && why.key.compare(0, 7, "switch.") == 0)
                why.key.replace(0, 6, table_of(scenario, self));
            return std::nullopt;
        }
        slots.insert(slots.end(), {part->link, part->uplink});
        for (const CrossTrafficStream& stream : part->streams) slots.push_back(stream.link);
        for (const GroupAnalysis& group : part->groups) {
            slots.insert(slots.end(), group.fast.begin(), group.fast.end());
            slots.insert(slots.end(), group.slow.begin(), group.slow.end());
        }
        for (const Group& group : ModuleGroups(scenario).all())
            for (const FrameSizes& frame : frames_of_fragment(group.frame))
                slots.push_back(TransmissionTime::of(frame.wire, part->uplink_rate));
        for (const TrafficStream& stream : scenario.traffic)
            slots.push_back(TransmissionTime::of(frame_of_stream(stream, scenario.frame).wire, part->uplink_rate));
        if (part->scheduling.kind != Scheduling::Kind::Fifo)
            slots.push_back(TransmissionTime::of(Bytes{1}, part->uplink_rate));
        parts.push_back(std::move(*part));
    }
    const auto ticks = ticks_for(slots);
    if (!ticks)
        return refused(&why, {"front_end.clock", "bound does not cover rates and clocks of so many odd digits"});
    return Bounding(network, scenario, admitted, kinds, std::move(parts), *ticks, &why).run();
}

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
    // A common trigger that nobody answers is nobody's.
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
    if (scenario.server.receiver) return refused(why, {"server", "bound does not cover what a server loses"});
    UnsupportedKey reason;
    auto guarantee = bounds_of(scenario, admitted, has_kinds(scenario), reason);
    // Kinds of frames are followed trigger by trigger, of which a train has fewer than frames.
    if (UnsupportedKey again; !guarantee && reason.key == "trigger" && !has_kinds(scenario))
        guarantee = bounds_of(scenario, admitted, true, again);
    return guarantee ? guarantee : refused(why, std::move(reason));
}

}  // namespace watershed
