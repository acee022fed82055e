// SPDX-License-Identifier: GPL-2.0-only
// Bounds of the queues of one switch.
#include <algorithm>
#include <map>
#include <utility>

#include "model/guarantee/fifo-bound.h"
#include "model/guarantee/guarantee-builder.h"
#include "model/guarantee/mixed-queue.h"
#include "model/guarantee/shaped-classes.h"
#include "model/guarantee/switch-recursion.h"
#include "model/switch/memory-units.h"

namespace watershed {

GuaranteeBuilder::Arrivals GuaranteeBuilder::bound_many_sources(SwitchAnalysis& analysis) {
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
            return too_many(AsynchronousArrivals::kMostOfTrain,
                            "frames of a module in a train; a shorter train brings fewer");
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
        const BitRate rate = analysis.uplink_rates[i];
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
            if (analysis.turns > 1) own = by_turns(before_turns_ = own, analysis.turns);
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
            each.slot = ticks_.of(TransmissionTime::of(each.frame.wire, rate));
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
                                              analysis.turns * Rational(per_trigger_ * ticks_.of(analysis.slot_of(i)));
        raise_least_distance(whole_of(of_trigger / (1 - of_streams) / Rational(ticks_.in_picosecond)) + 1);
        const Rational load = load_of(sources);
        queue.load = load.convert_to<double>();
        queue.bounded = fed_bounded && load < 1 && analysis.links_bounded;
        if (has_shapers(analysis.scheduling, rate)) {
            const ShapedClasses classes(sources, analysis.scheduling, rate, ticks_);
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
            const auto at = bound_mixed_queue(sources, analysis, i, ticks_);
            if (!at)
                return too_many(TierLinks::kMost,
                                std::string("frames from several sides, over at most 90 days; near the full load of ") +
                                    (guarantee_.shapers ? "a shaper or an uplink more come: a longer "
                                                          "trigger.dead_time, a higher rate in switch.class_rates"
                                                        : "an uplink more come: a longer trigger.dead_time") +
                                    " or slower streams bring fewer");
            add_accounts(analysis, i, sources);
            for (const QueueSource& each : sources) longest_delay_ = std::max(longest_delay_, each.delay);
            if (!kinds_ && analysis.turns == 1 && own_modules > 0 && queue.modules == own_modules)
                queue.by_input = sources.front().within(sources.front().delay) / own_modules;
            while (!guarantee_.one_train && (earliest.times().empty() || earliest.times().back() <= *at))
                earliest.next();
            reached_ =
                std::max(reached_, std::size_t(std::upper_bound(earliest.times().begin(), earliest.times().end(), *at) -
                                               earliest.times().begin()));
        }
        links_.pass(analysis, i, sources, queue.bounded);
    }
    return earliest.times();
}

void GuaranteeBuilder::add_accounts(SwitchAnalysis& analysis, std::size_t queue,
                                    const std::vector<QueueSource>& sources) {
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

bool GuaranteeBuilder::add_kinds(const SwitchAnalysis& analysis, std::size_t queue,
                                 std::vector<QueueSource>& sources) const {
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

Rational GuaranteeBuilder::work_of_trigger(const SwitchAnalysis& analysis, std::size_t queue) const {
    Rational work = 0;
    for (const GroupAnalysis& group : analysis.groups)
        for (const FrameSizes& frame : group.frames)
            if (!group.own_trigger)
                work += Rational(group.modules[queue] *
                                 ticks_.of(TransmissionTime::of(frame.wire, analysis.uplink_rates[queue]))) /
                        group.every;
    return work;
}

void GuaranteeBuilder::set_spacings(QueueSource& camera, const SwitchAnalysis& analysis) const {
    const ArrivalSpacing widest = widest_behind(link_of(analysis));
    const Wide jitter = ticks_.of(analysis.jitter);
    camera.rate = Rational(widest.in_long_run()) / Rational(widest.apart);
    camera.burst = widest.number + camera.rate * Rational(jitter);
    EarliestFrames frames(spacings_, per_trigger_, link_of(analysis), jitter);
    camera.distances = {frames.next()};
    camera.next = [frames]() mutable { return frames.next(); };
}

GuaranteeBuilder::Arrivals GuaranteeBuilder::bound_in_step(SwitchAnalysis& analysis) {
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
            if (frames.times().size() > AdmittedTriggers::kMost)
                return too_many(AdmittedTriggers::kMost,
                                "frames; a longer trigger.dead_time or shorter times in trigger.rules bring fewer");
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
    if (arrivals.size() * modules_ > TierLinks::kMost)
        return too_many(TierLinks::kMost,
                        "frames through tiers; a shorter train, or shorter times in trigger.rules, bring fewer");
    const Wide longest = links_.pass(analysis, guarantee_.one_train ? least_distances(arrivals) : arrivals);
    const auto after = std::upper_bound(arrivals.begin(), arrivals.end(), longest);
    reached_ = std::max(reached_, std::size_t(after - arrivals.begin()));
    return arrivals;
}

GuaranteeBuilder::Arrivals GuaranteeBuilder::bound_asynchronous(SwitchAnalysis& analysis) {
    guarantee_.exact = false;
    const Wide link = link_of(analysis), latency = ticks_.of(analysis.latency);
    const auto slot_of = [&](std::size_t queue) { return ticks_.of(analysis.slot_of(queue)); };
    SwitchGuarantee& self = analysis.guarantee;
    AsynchronousArrivals train{ticks_.of(analysis.jitter), link, {}, {}, {}};
    EarliestFrames earliest(spacings_, 1, link);
    EarliestTrain triggers(spacings_);
    if (guarantee_.one_train) {
        if (admitted_.train.size() > AsynchronousArrivals::kMostOfTrain)
            return too_many(AsynchronousArrivals::kMostOfTrain,
                            "triggers of a train to modules that are not in step; a shorter train is followed");
        const Wide slowest = ticks_.of(analysis.slowest_link);
        train.span = behind_link(admitted_.train, 1, ticks_, slowest).back() - ticks_.of(admitted_.train.front()) -
                     link + ticks_.of(analysis.jitter + analysis.apart);
        for (const Wide& distance : least_distances(behind_link(admitted_.train, 1, ticks_, 0))) train.add(distance);
    } else {
        bool by_link = true;
        for (std::size_t i = 0; i < self.queues.size(); ++i)
            by_link = by_link && (!self.queues[i].bounded || slot_of(i) * self.queues[i].modules <= link);
        while (!train.is_over(latency, by_link ? 1 : widest_behind(link).number, by_link)) {
            if (earliest.times().size() == AdmittedTriggers::kMost)
                return too_many(AdmittedTriggers::kMost,
                                "triggers; a longer trigger.dead_time or shorter times in trigger.rules bring fewer");
            train.add(triggers.next());
            earliest.next();
        }
    }
    for (std::size_t i = 0; i < self.queues.size(); ++i) {
        QueueGuarantee& queue = self.queues[i];
        if (queue.modules == 0 || !queue.bounded) continue;
        reached_ = std::max(reached_, bound_out_of_step(train, latency, slot_of(i), ticks_, queue) + 1);
    }
    return earliest.times();
}

}  // namespace watershed
