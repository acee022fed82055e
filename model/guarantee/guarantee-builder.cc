// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/guarantee-builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/frontend/module-groups.h"
#include "model/guarantee/fifo-bound.h"
#include "model/guarantee/full-inputs.h"
#include "model/guarantee/shaped-classes.h"
#include "model/switch/memory-units.h"

namespace watershed {

GuaranteeBuilder::GuaranteeBuilder(const Network& network, const NetworkScenario& scenario, AdmittedTriggers admitted,
                                   bool kinds, std::vector<SwitchAnalysis> analyses, const Ticks& ticks,
                                   UnsupportedKey* why)
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
        guarantee_.shapers = guarantee_.shapers || has_shapers(analysis.scheduling, analysis.fastest_uplink());
        for (const GroupAnalysis& group : analysis.groups)
            guarantee_.own_triggers = guarantee_.own_triggers || group.own_trigger;
    }
}

std::optional<Guarantee> GuaranteeBuilder::run() {
    if (!kinds_ && guarantee_.tiers && frames_of_train() > AsynchronousArrivals::kMostOfTrain)
        return too_many(AsynchronousArrivals::kMostOfTrain,
                        "frames of a module in a train through tiers; a shorter train brings fewer");
    const bool bucket =
        std::any_of(spacings_.begin(), spacings_.end(), [](const ArrivalSpacing& each) { return each.by_token > 0; });
    for (SwitchAnalysis& analysis : analyses_) {
        links_.count(analysis);
        if (!guarantee_.one_train && !kinds_ && analysis.turns == 1) set_loads(analysis);
        const bool mixed =
            kinds_ || analysis.turns > 1 || has_shapers(analysis.scheduling, analysis.fastest_uplink()) ||
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

std::nullopt_t GuaranteeBuilder::too_many(std::size_t most, const std::string& of_what) const {
    return refused(why_, {"trigger", "bound follows at most " + std::to_string(most) + " " + of_what});
}

Wide GuaranteeBuilder::shortest_link() const {
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

std::vector<ArrivalSpacing> GuaranteeBuilder::spacings_in_ticks() const {
    std::vector<ArrivalSpacing> spacings;
    for (const TriggerSpacing& each : admitted_.spacings)
        spacings.push_back({each.triggers, ticks_.of(each.apart), each.bucket});
    return spacings;
}

ArrivalSpacing GuaranteeBuilder::widest_behind(Wide link) const {
    std::vector<ArrivalSpacing> spacings;
    for (const ArrivalSpacing& of : spacings_)
        spacings.push_back({of.number * per_trigger_, of.apart, of.by_token * per_trigger_});
    // Last, so that it is preferred at equal rates: frames may then wait for the link without end.
    spacings.push_back({1, link});
    return widest_of(spacings);
}

Wide GuaranteeBuilder::horizon() const {
    Wide horizon = 0;
    if (admitted_.are_many())
        for (const SwitchAnalysis& analysis : analyses_)
            horizon = std::max(horizon, ticks_.of(analysis.latency) + widest_behind(shortest_).apart);
    return horizon;
}

Wide GuaranteeBuilder::link_of(const SwitchAnalysis& analysis) const {
    const Wide own = ticks_.of(analysis.link);
    return own > 0 ? own : shortest_;
}

void GuaranteeBuilder::set_loads(SwitchAnalysis& analysis) {
    const ArrivalSpacing widest = widest_behind(link_of(analysis));
    SwitchGuarantee& self = analysis.guarantee;
    for (std::size_t i = 0; i < self.queues.size(); ++i) {
        QueueGuarantee& queue = self.queues[i];
        const Wide slot = ticks_.of(analysis.slot_of(i)), busy = slot * links_.brought(analysis, i, widest);
        queue.load = double(busy) / double(widest.apart);
        queue.bounded = busy <= widest.apart;
        raise_least_distance(ceil_div(slot * queue.modules * per_trigger_, ticks_.in_picosecond));
        self.bounded = self.bounded && queue.bounded;
    }
}

GuaranteeBuilder::Arrivals GuaranteeBuilder::bound_queues(SwitchAnalysis& analysis, bool mixed) {
    return mixed              ? bound_many_sources(analysis)
           : analysis.in_step ? bound_in_step(analysis)
                              : bound_asynchronous(analysis);
}

GuaranteeBuilder::Arrivals GuaranteeBuilder::bound_two_tiers(SwitchAnalysis& analysis, bool mixed) {
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
    writer.uplink_rates = {tier->rate};
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

void GuaranteeBuilder::raise_least_distance(Wide picoseconds) {
    guarantee_.least_distance = std::max(guarantee_.least_distance, Time{std::int64_t(picoseconds)});
}

void GuaranteeBuilder::limit_sum_by_turns(SwitchAnalysis& analysis) {
    const bool builders = !analysis.groups.empty() && analysis.groups.front().every > 1;
    if (!analysis.guarantee.bounded || (!builders && analysis.turns == 1)) return;
    SwitchAnalysis all = analysis;
    std::vector<QueueSource> sources;
    if (builders) {
        for (GroupAnalysis& group : all.groups) {
            const auto all_builders = std::accumulate(group.modules.begin(), group.modules.end(), std::int64_t{0});
            group.modules = {all_builders / std::exchange(group.every, 1)};
        }
        if (!add_kinds(all, 0, sources)) return;
        for (const CrossTrafficStream& stream : all.streams) sources.push_back(*source_of(stream, ticks_, why_));
    } else {
        sources.push_back(before_turns_);
    }
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

void GuaranteeBuilder::conclude(SwitchAnalysis& analysis, bool mixed) {
    SwitchGuarantee& self = analysis.guarantee;
    guarantee_.bounded = guarantee_.bounded && self.bounded;
    const Bytes frame = guarantee_.frame.buffer;
    const MemoryUnits units(self.buffer);
    const bool alike = alike_ && std::all_of(self.queues.begin(), self.queues.end(),
                                             [](const QueueGuarantee&queue) { return queue.streams == 0; }),
               in_step = analysis.in_step && !analysis.is_fed && !mixed, followed = guarantee_.one_train && in_step;
    const auto count = [&](auto& of) { of.bytes = of.frames * frame.count, of.units = of.frames * units.cost(frame); };
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
        self.needed = [of = self, frame] { return needed_size(of, frame); };
    } else if (self.bounded) {
        if (!mixed)
            for (std::size_t i = 0; i < self.queues.size(); ++i)
                if (self.queues[i].modules > 0)
                    analysis.accounts.push_back({int(i), class_, self.queues[i].units, units.cost(frame)});
        const auto takes = [of = self, accounts = analysis.accounts, by_class](const Buffer& buffer) {
            return takes_all(of, accounts, by_class, buffer);
        };
        self.fits = takes(self.buffer);
        self.needed = [buffer = self.buffer, units = self.units, takes] { return least_size(buffer, units, takes); };
    }
    const bool by_turns = analysis.places.by_turns && counts_inputs(self.buffer) && self.buffer.slices > 1;
    // With input FIFOs less memory than `needed` may be enough.
    if (analysis.places.before_memory || by_turns) guarantee_.exact = false, guarantee_.other_places = true;
    guarantee_.switches.push_back(self);
}

std::vector<Time> GuaranteeBuilder::witness() {
    if (guarantee_.one_train) return std::move(admitted_.train);
    std::vector<Time> triggers;
    const auto each = std::size_t(per_trigger_);
    const std::size_t number = (reached_ + each - 1) / each;
    for (std::size_t i = 0; i < number; ++i) {
        const Wide time =
            guarantee_.tiers ? longest_[i * each] : longest_[(number - 1) * each] - longest_[(number - 1 - i) * each];
        triggers.push_back(Time{std::int64_t(time / ticks_.in_picosecond)});
    }
    return triggers;
}

}  // namespace watershed
