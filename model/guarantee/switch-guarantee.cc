// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "model/frontend/module-groups.h"
#include "model/frontend/stream-frames.h"
#include "model/guarantee/fifo-bound.h"
#include "model/guarantee/full-inputs.h"
#include "model/guarantee/mixed-queue.h"
#include "model/guarantee/pause-bound.h"
#include "model/guarantee/server-bound.h"
#include "model/guarantee/shaped-classes.h"
#include "model/guarantee/switch-analysis.h"
#include "model/guarantee/switch-recursion.h"
#include "model/guarantee/tier-links.h"
#include "model/network/network-load.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

/// Builder of a Guarantee. It bounds the switches in the order of Network: each comes after those that feed it.
class GuaranteeBuilder {
  public:
    GuaranteeBuilder(const Network& network, const NetworkScenario& scenario, AdmittedTriggers admitted, bool kinds,
                     std::vector<SwitchAnalysis> analyses, const Ticks& ticks, UnsupportedKey* why)
        : modules_(std::size_t(scenario.front_end.modules)),
          admitted_(std::move(admitted)),
          analyses_(std::move(analyses)),
          ticks_(ticks),
          why_(why),
          class_(scenario.front_end.traffic_class),
          kinds_(kinds),
          alike_(!has_unlike_frames(scenario)),
          per_trigger_(kinds_ ? 1 : std::int64_t(frames_of_fragment(scenario.frame).size())),
          shortest_(shortest_link()),
          spacings_(spacings_in_ticks()),
          horizon_(horizon()),
          links_(network, ticks, horizon_) {
        guarantee_.frame = frames_of_fragment(ModuleGroups(scenario).all().front().frame).front();
        guarantee_.one_train = !admitted_.are_many();
        guarantee_.spacings = admitted_.spacings;
        guarantee_.exact = network.is_one_tier() && scenario.traffic.empty() && !kinds_;
        guarantee_.kinds = has_kinds(scenario);
        guarantee_.tiers = !network.is_one_tier();
        guarantee_.streams = !scenario.traffic.empty();
        for (const SwitchAnalysis& analysis : analyses_) {
            guarantee_.in_step = guarantee_.in_step && analysis.in_step;
            guarantee_.turns = guarantee_.turns || analysis.turns > 1;
            for (const GroupAnalysis& group : analysis.groups)
                guarantee_.own_triggers = guarantee_.own_triggers || group.own_trigger;
        }
    }

    std::optional<Guarantee> run() {
        if (!kinds_ && guarantee_.tiers && frames_of_train() > AsynchronousArrivals::kMostOfTrain)
            return too_many(AsynchronousArrivals::kMostOfTrain, "frames of a module in a train through tiers");
        const bool bucket = std::any_of(spacings_.begin(), spacings_.end(),
                                        [](const ArrivalSpacing& each) { return each.by_token > 0; });
        for (SwitchAnalysis& analysis : analyses_) {
            links_.count(analysis);
            if (!guarantee_.one_train && !kinds_ && analysis.turns == 1) set_loads(analysis);
            const bool mixed =
                kinds_ || analysis.turns > 1 || has_shapers(analysis.scheduling, analysis.uplink_rate) ||
                (guarantee_.tiers ? guarantee_.streams || !guarantee_.in_step || bucket
                                  : !analysis.streams.empty() || (!analysis.in_step && (per_trigger_ > 1 || bucket)));
            auto arrivals = bound_two_tiers(analysis, mixed);
            if (!arrivals) return std::nullopt;
            if (arrivals->size() > longest_.size()) longest_ = std::move(*arrivals);
            conclude(analysis, mixed);
        }
        if (guarantee_.bounded && !guarantee_.own_triggers) guarantee_.witness = witness();
        return std::move(guarantee_);
    }

  private:
    using Arrivals = std::optional<std::vector<Wide>>;

    std::nullopt_t too_many(std::size_t most, const std::string& of_what) const {
        return refused(why_, {"trigger", "bound follows at most " + std::to_string(most) + " " + of_what});
    }

    std::size_t frames_of_train() const { return admitted_.train.size() * std::size_t(per_trigger_); }

    /// Returns the slot of the fastest module's link or, where kinds are added up, its shortest time for an event.
    Wide shortest_link() const {
        Wide shortest = 0;
        const auto consider = [&](Wide link) {
            if (link > 0 && (shortest == 0 || link < shortest)) shortest = link;
        };
        for (const SwitchAnalysis& analysis : analyses_) {
            consider(ticks_.of(analysis.link));
            for (const GroupAnalysis& group : analysis.groups) {
                Wide event = ticks_.of(group.gap) * std::int64_t(group.frames.size() - 1);
                for (const TransmissionTime& slot : group.fast) event += ticks_.of(slot);
                consider(event);
            }
        }
        return shortest;
    }
    std::vector<ArrivalSpacing> spacings_in_ticks() const {
        std::vector<ArrivalSpacing> spacings;
        for (const TriggerSpacing& each : admitted_.spacings)
            spacings.push_back({each.triggers, ticks_.of(each.apart), each.bucket});
        return spacings;
    }
    /// Returns the spacing with the lowest long-run rate of one module's frames; the slot of the link is one spacing.
    ArrivalSpacing widest_behind(Wide link) const {
        std::vector<ArrivalSpacing> spacings;
        for (const ArrivalSpacing& of : spacings_)
            spacings.push_back({of.number * per_trigger_, of.apart, of.by_token * per_trigger_});
        // Last, so that it is preferred at equal rates: frames may then wait for the link without end.
        spacings.push_back({1, link});
        return widest_of(spacings);
    }
    /// Returns the longest distance of arrivals that tiers have to keep, ticks; 0 for one train.
    Wide horizon() const {
        Wide horizon = 0;
        if (admitted_.are_many())
            for (const SwitchAnalysis& analysis : analyses_)
                horizon = std::max(horizon, ticks_.of(analysis.latency) + widest_behind(shortest_).apart);
        return horizon;
    }
    /// Returns the slot of the modules' links at a switch or, without modules, at the switches that feed it.
    Wide link_of(const SwitchAnalysis& analysis) const {
        const Wide own = ticks_.of(analysis.link);
        return own > 0 ? own : shortest_;
    }

    /// Sets the loads of the queues if triggers always come as fast as the rules allow.
    void set_loads(SwitchAnalysis& analysis) {
        const Wide slot = ticks_.of(analysis.uplink);
        const ArrivalSpacing widest = widest_behind(link_of(analysis));
        SwitchGuarantee& self = analysis.guarantee;
        for (std::size_t i = 0; i < self.queues.size(); ++i) {
            QueueGuarantee& queue = self.queues[i];
            const Wide busy = slot * links_.brought(analysis, i, widest);
            queue.load = double(busy) / double(widest.apart);
            queue.bounded = busy <= widest.apart;
            raise_least_distance(ceil_div(slot * queue.modules * per_trigger_, ticks_.in_picosecond));
            self.bounded = self.bounded && queue.bounded;
        }
    }

    /// Bounds a switch with one queue for each uplink. @param mixed  by bound_many_sources()
    Arrivals bound_queues(SwitchAnalysis& analysis, bool mixed) {
        return mixed              ? bound_many_sources(analysis)
               : analysis.in_step ? bound_in_step(analysis)
                                  : bound_asynchronous(analysis);
    }
    /// Bounds a switch whose memory may have a second tier (conclude_two_tiers()).
    Arrivals bound_two_tiers(SwitchAnalysis& analysis, bool mixed) {
        const SwitchAnalysis begun = analysis;
        auto arrivals = bound_queues(analysis, mixed);
        const auto& tier = begun.places.tier;
        if (!arrivals || !tier ||
            (analysis.guarantee.bounded && !uses_second_tier(analysis.guarantee, *tier, guarantee_.frame.buffer)))
            return arrivals;
        guarantee_.exact = false;
        guarantee_.other_places = true;
        if (!analysis.guarantee.bounded) return arrivals;
        SwitchAnalysis writer = begun;
        QueueGuarantee all;
        for (const QueueGuarantee& queue : begun.guarantee.queues) all.modules += queue.modules;
        writer.guarantee.queues = {all};
        writer.feeds.resize(1);
        writer.uplink = writing_time(*tier, guarantee_.frame);
        writer.uplink_rate = tier->rate;
        writer.latency = Time{1};  // the engines round the end of writing up
        if (!guarantee_.one_train) set_loads(writer);
        if (writer.guarantee.bounded && !bound_queues(writer, mixed)) return std::nullopt;
        if (!writer.guarantee.bounded)
            return refused(why_, {"switch.buffer.dram_rate",
                                  "bound does not cover a second tier that is written to "
                                  "more slowly than triggers may bring frames"});
        analysis = begun;
        analysis.places.tier->in_writing = writer.guarantee.queues[0].frames;
        const Time written{std::int64_t(writer.guarantee.queues[0].delay_s * 1e12) + 2};
        analysis.latency = std::max(analysis.latency, written);
        return bound_queues(analysis, mixed);
    }

    /// Bounds a switch by its sources (bound_mixed_queue()), whatever their phases.
    /// @return earliest arrivals from one module; empty for one train
    Arrivals bound_many_sources(SwitchAnalysis& analysis) {
        guarantee_.exact = false;
        longest_delay_ = 0;
        raise_least_distance(analysis.least_distance.count());
        const Wide link = link_of(analysis);
        SwitchGuarantee& self = analysis.guarantee;
        QueueSource camera;
        camera.frame = guarantee_.frame;
        camera.traffic_class = class_;
        if (guarantee_.one_train && !kinds_) {
            if (frames_of_train() > AsynchronousArrivals::kMostOfTrain)
                return too_many(AsynchronousArrivals::kMostOfTrain, "frames of a module in a train");
            AsynchronousArrivals train{ticks_.of(analysis.jitter), link, {}, {}, {}};
            for (const Wide& distance :
                 least_distances(behind_link(admitted_.train, per_trigger_, ticks_, analysis.in_step ? link : 0)))
                train.add(distance);
            camera.burst = std::int64_t(train.arrivals.size());
            camera.distances = std::move(train.arrivals);
        }
        EarliestFrames earliest(spacings_, per_trigger_, link);
        for (std::size_t i = 0; i < self.queues.size(); ++i) {
            QueueGuarantee& queue = self.queues[i];
            std::vector<QueueSource> sources;
            const int own_modules = links_.own_modules(analysis, i);
            if (kinds_) {
                if (!add_kinds(analysis, i, sources)) return std::nullopt;
            } else if (own_modules > 0) {
                QueueSource& own = sources.emplace_back(camera);
                own.each = analysis.turns > 1 ? std::int64_t(modules_) : own_modules;
                if (!guarantee_.one_train) set_spacings(own, analysis);
                own.burst *= own.each;
                own.rate *= own.each;
                if (analysis.turns > 1) own = by_turns(own, analysis.turns);
            }
            for (const CrossTrafficStream& stream : analysis.streams) {
                if (stream.queue != i) continue;
                const auto source = source_of(stream, ticks_, why_);
                if (!source) return std::nullopt;
                sources.push_back(*source);
            }
            const bool fed_bounded = links_.add_sources(analysis, i, sources);
            Rational of_streams = 0;
            for (QueueSource& each : sources) {
                each.slot = ticks_.of(TransmissionTime::of(each.frame.wire, analysis.uplink_rate));
                each.units = MemoryUnits(self.buffer).cost(each.frame.buffer);
                if (each.of_stream || each.own_trigger) of_streams += each.rate * Rational(each.slot);
                queue.streams += each.of_stream;
            }
            if (of_streams >= 1)
                return refused(why_, {guarantee_.streams ? "traffic" : "group",
                                      "there is no bound: what does not answer the common triggers brings all that " +
                                          queue.name + " sends, or more: a load of " +
                                          std::to_string(std::int64_t(whole_of(of_streams * 100))) + " %"});
            if (sources.empty()) continue;
            const Rational of_trigger = kinds_
                                            ? work_of_trigger(analysis, i)
                                            : Rational(analysis.turns > 1 ? std::int64_t(modules_) : queue.modules) /
                                                  analysis.turns * Rational(per_trigger_ * ticks_.of(analysis.uplink));
            raise_least_distance(whole_of(of_trigger / (1 - of_streams) / Rational(ticks_.in_picosecond)) + 1);
            const Rational load = load_of(sources);
            queue.load = load.convert_to<double>();
            queue.bounded = fed_bounded && load < 1 && analysis.links_bounded;
            if (has_shapers(analysis.scheduling, analysis.uplink_rate)) {
                const ShapedClasses classes(sources, analysis.scheduling, analysis.uplink_rate, ticks_);
                const auto apart = classes.least_distance(Rational(queue.modules * per_trigger_));
                if (!apart)
                    return refused(why_, {"switch.class_rates",
                                          "there is no bound: streams bring a class all that its shaper lets go to " +
                                              queue.name + ", or more"});
                raise_least_distance(whole_of(*apart / Rational(ticks_.in_picosecond)) + 1);
                queue.bounded = queue.bounded && classes.load() < 1;
            }
            self.bounded = self.bounded && queue.bounded;
            if (queue.bounded) {
                const auto at = bound_mixed_queue(sources, analysis, ticks_, queue);
                if (!at) return too_many(TierLinks::kMost, "frames from several sides");
                add_accounts(analysis, i, sources);
                for (const QueueSource& each : sources) longest_delay_ = std::max(longest_delay_, each.delay);
                if (!kinds_ && analysis.turns == 1 && own_modules > 0 && queue.modules == own_modules)
                    queue.by_input = sources.front().within(sources.front().delay) / own_modules;
                while (!guarantee_.one_train && (earliest.times().empty() || earliest.times().back() <= *at))
                    earliest.next();
                reached_ = std::max(
                    reached_, std::size_t(std::upper_bound(earliest.times().begin(), earliest.times().end(), *at) -
                                          earliest.times().begin()));
            }
            links_.pass(analysis, i, sources, queue.bounded);
        }
        return earliest.times();
    }
    /// Notes what the memory's accounts of a queue hold at most.
    static void add_accounts(SwitchAnalysis& analysis, std::size_t queue, const std::vector<QueueSource>& sources) {
        const QueueGuarantee& self = analysis.guarantee.queues[queue];
        const auto add = [&](int traffic_class, std::int64_t units) {
            HeldFrames held{int(queue), traffic_class, units, units};
            for (const QueueSource& each : sources)
                if (self.classes.empty() || each.traffic_class == traffic_class)
                    held.least = std::min(held.least, each.units);
            analysis.accounts.push_back(held);
        };
        for (const ClassGuarantee& each : self.classes) add(each.traffic_class, each.units);
        if (self.classes.empty()) add(sources.front().traffic_class, self.units);
    }
    /// Adds the modules of each kind that send to a queue, by the sizes of their frames.
    bool add_kinds(const SwitchAnalysis& analysis, std::size_t queue, std::vector<QueueSource>& sources) const {
        for (const GroupAnalysis& group : analysis.groups) {
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
    Rational work_of_trigger(const SwitchAnalysis& analysis, std::size_t queue) const {
        Rational work = 0;
        for (const GroupAnalysis& group : analysis.groups)
            for (const FrameSizes& frame : group.frames)
                if (!group.own_trigger)
                    work += Rational(group.modules[queue] *
                                     ticks_.of(TransmissionTime::of(frame.wire, analysis.uplink_rate))) /
                            group.every;
        return work;
    }
    /// Sets rate, burst and distances of the frames of one module, if many trains are admitted.
    void set_spacings(QueueSource& camera, const SwitchAnalysis& analysis) const {
        const ArrivalSpacing widest = widest_behind(link_of(analysis));
        const Wide jitter = ticks_.of(analysis.jitter);
        camera.rate = Rational(widest.in_long_run()) / Rational(widest.apart);
        camera.burst = widest.number + camera.rate * Rational(jitter);
        EarliestFrames frames(spacings_, per_trigger_, link_of(analysis), jitter);
        camera.distances = {frames.next()};
        camera.next = [frames]() mutable { return frames.next(); };
    }
    /// Raises Guarantee::least_distance to this time at least.
    void raise_least_distance(Wide picoseconds) {
        guarantee_.least_distance = std::max(guarantee_.least_distance, Time{std::int64_t(picoseconds)});
    }

    /// Bounds a switch whose modules send at the same instants.
    /// @return earliest arrivals from one module, or the arrivals of the only train
    Arrivals bound_in_step(SwitchAnalysis& analysis) {
        const Wide link = link_of(analysis);
        std::vector<Wide> arrivals;
        if (guarantee_.one_train) {
            arrivals = behind_link(admitted_.train, per_trigger_, ticks_, link);
        } else {
            const ArrivalSpacing widest = widest_behind(link);
            const Wide latency = ticks_.of(analysis.latency);
            const Wide end = std::max(guarantee_.tiers ? horizon_ : 0, latency + widest.apart);
            EarliestFrames frames(spacings_, per_trigger_, link);
            // Ends with the last frame of a trigger.
            bool settled = widest.by_token == 0;
            while (frames.next() <= end || !settled || (frames.times().size() - 1) % std::size_t(per_trigger_) != 0) {
                if (frames.times().size() > AdmittedTriggers::kMost) return too_many(AdmittedTriggers::kMost, "frames");
                settled |= frames.is_settled();
            }
            arrivals = frames.times();
            arrivals.pop_back();
        }
        if (!analysis.is_fed) {
            SwitchRecursion followed(analysis, ticks_);
            for (const Wide& time : arrivals) followed.arrive(time);
            reached_ = std::max(reached_, followed.write_maxima(analysis.guarantee, ticks_));
            analysis.guarantee.frames = followed.most();
        }
        if (!guarantee_.tiers) return arrivals;
        if (arrivals.size() * modules_ > TierLinks::kMost) return too_many(TierLinks::kMost, "frames through tiers");
        const Wide longest = links_.pass(analysis, guarantee_.one_train ? least_distances(arrivals) : arrivals);
        const auto after = std::upper_bound(arrivals.begin(), arrivals.end(), longest);
        reached_ = std::max(reached_, std::size_t(after - arrivals.begin()));
        return arrivals;
    }

    /// Bounds a switch of a single tier whose modules are out of step.
    /// @return earliest arrivals from one module; empty for one train
    Arrivals bound_asynchronous(SwitchAnalysis& analysis) {
        guarantee_.exact = false;
        const Wide link = link_of(analysis), slot = ticks_.of(analysis.uplink), latency = ticks_.of(analysis.latency);
        SwitchGuarantee& self = analysis.guarantee;
        AsynchronousArrivals train{ticks_.of(analysis.jitter), link, {}, {}, {}};
        EarliestFrames earliest(spacings_, 1, link);
        EarliestTrain triggers(spacings_);
        if (guarantee_.one_train) {
            if (admitted_.train.size() > AsynchronousArrivals::kMostOfTrain)
                return too_many(AsynchronousArrivals::kMostOfTrain,
                                "triggers of a train to modules that are not in step");
            const Wide slowest = ticks_.of(analysis.slowest_link);
            train.span = behind_link(admitted_.train, 1, ticks_, slowest).back() - ticks_.of(admitted_.train.front()) -
                         link + ticks_.of(analysis.jitter + analysis.apart);
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
    void limit_sum_by_turns(SwitchAnalysis& analysis) {
        if (!analysis.guarantee.bounded || analysis.groups.empty() || analysis.groups.front().every == 1) return;
        SwitchAnalysis all = analysis;
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
        SwitchGuarantee& sum = analysis.guarantee;
        sum.frames = std::min(sum.frames, self.frames);
        sum.bytes = std::min(sum.bytes, self.bytes);
        sum.units = std::min(sum.units, self.units);
    }

    /// Sums up the queues of a switch and compares them with its memory. @param mixed  bounded by bound_many_sources()
    void conclude(SwitchAnalysis& analysis, bool mixed) {
        SwitchGuarantee& self = analysis.guarantee;
        guarantee_.bounded = guarantee_.bounded && self.bounded;
        const Bytes frame = guarantee_.frame.buffer;
        const MemoryUnits units(self.buffer);
        const bool alike = alike_ && std::all_of(self.queues.begin(), self.queues.end(),
                                                 [](const QueueGuarantee&queue) { return queue.streams == 0; }),
                   in_step = analysis.in_step && !analysis.is_fed && !mixed, followed = guarantee_.one_train && in_step;
        const auto count = [&](auto& of) {
            of.bytes = of.frames * frame.count, of.units = of.frames * units.cost(frame);
        };
        if (!followed) self.frames = 0;
        for (QueueGuarantee& queue : self.queues) {
            if (alike) count(queue);
            const std::int64_t others = queue.modules * (queue.by_input - 1);
            queue.fullest_inputs = in_step && queue.bounded ? int(queue.frames - others) : queue.modules;
            if (!followed) self.frames += queue.frames;
            self.bytes += queue.bytes, self.units += queue.units;
        }
        limit_sum_by_turns(analysis);
        if (alike) count(self);
        const bool by_class = analysis.scheduling.kind != Scheduling::Kind::Fifo;
        if (self.bounded && analysis.places.tier) {
            conclude_two_tiers(self, *analysis.places.tier, frame);
        } else if (self.bounded && alike && !by_class) {
            self.fits = takes_all(self, self.buffer, frame);
            self.needed = needed_size(self, frame);
        } else if (self.bounded) {
            if (!mixed)
                for (std::size_t i = 0; i < self.queues.size(); ++i)
                    if (self.queues[i].modules > 0)
                        analysis.accounts.push_back({int(i), class_, self.queues[i].units, units.cost(frame)});
            const auto takes = [&](const Buffer& buffer) {
                return takes_all(self, analysis.accounts, by_class, buffer);
            };
            self.fits = takes(self.buffer);
            self.needed = least_size(self.buffer, self.units, takes);
        }
        const bool may_wait = analysis.places.before_memory && !self.fits,
                   by_turns = analysis.places.by_turns && counts_inputs(self.buffer) && self.buffer.slices > 1;
        if (may_wait || by_turns) guarantee_.exact = false, guarantee_.other_places = true;
        guarantee_.switches.push_back(self);
    }

    std::vector<Time> witness() {
        if (guarantee_.one_train) return std::move(admitted_.train);
        std::vector<Time> triggers;
        const auto each = std::size_t(per_trigger_);
        const std::size_t number = (reached_ + each - 1) / each;
        for (std::size_t i = 0; i < number; ++i) {
            const Wide time = guarantee_.tiers ? longest_[i * each]
                                               : longest_[(number - 1) * each] - longest_[(number - 1 - i) * each];
            triggers.push_back(Time{std::int64_t(time / ticks_.in_picosecond)});
        }
        return triggers;
    }

    const std::size_t modules_;
    AdmittedTriggers admitted_;
    std::vector<SwitchAnalysis> analyses_;
    const Ticks ticks_;
    UnsupportedKey* why_;
    const int class_;                 ///< class of the camera's frames
    const bool kinds_;                ///< true if the frames of each kind of module are added up
    const bool alike_;                ///< true if all frames of modules have one size
    const std::int64_t per_trigger_;  ///< frames per module and trigger; 1 if there are kinds
    const Wide shortest_;             ///< shortest_link(), ticks
    const std::vector<ArrivalSpacing> spacings_;
    const Wide horizon_;
    TierLinks links_;
    Wide longest_delay_ = 0;     ///< longest delay of a frame in the switch bounded last, ticks
    std::size_t reached_ = 1;    ///< frames of one module until every queue has held its maximum
    std::vector<Wide> longest_;  ///< longest of the switches' earliest arrivals, ticks
    Guarantee guarantee_;
};

/// Returns the bounds of a scenario without the FIFOs of its modules.
/// @param kinds  true: the frames of each kind of module are added up; required if has_kinds()
std::optional<Guarantee> bounds_of(const NetworkScenario& scenario, const AdmittedTriggers& admitted, bool kinds,
                                   UnsupportedKey& why) {
    if (scenario.builders.receiving() > 1)
        return refused(&why, {"server.copies", "bound does not cover copies of a frame for several event builders"});
    const Network network(scenario);
    const bool one_rate = std::all_of(network.links().begin(), network.links().end(), [&](const Network::Link& link) {
        return link.rate == network.switches()[std::size_t(link.from)].settings.uplink_rate;
    });
    if (!one_rate)
        return refused(&why, {scenario.nodes.empty() ? "aggregation" : "node",
                              "bound covers switches each with links of one rate"});
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
        slots.insert(slots.end(), {analysis->link, analysis->uplink});
        if (analysis->places.tier)
            slots.push_back(writing_time(*analysis->places.tier, frames_of_fragment(scenario.frame).front()));
        for (const CrossTrafficStream& stream : analysis->streams) slots.push_back(stream.link);
        for (const GroupAnalysis& group : analysis->groups) {
            slots.insert(slots.end(), group.fast.begin(), group.fast.end());
            slots.insert(slots.end(), group.slow.begin(), group.slow.end());
        }
        for (const Group& group : ModuleGroups(scenario).all())
            for (const FrameSizes& frame : frames_of_fragment(group.frame))
                slots.push_back(TransmissionTime::of(frame.wire, analysis->uplink_rate));
        for (const TrafficStream& stream : scenario.traffic)
            slots.push_back(TransmissionTime::of(frame_of_stream(stream, scenario.frame).wire, analysis->uplink_rate));
        if (analysis->scheduling.kind != Scheduling::Kind::Fifo)
            slots.push_back(TransmissionTime::of(Bytes{1}, analysis->uplink_rate));
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
