// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/group-analysis.h"

#include <algorithm>
#include <set>

#include "model/frontend/event-train.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/uniform-senders.h"
#include "model/guarantee/switch-analysis.h"
#include "model/switch/builder-uplinks.h"

namespace watershed {
namespace {

bool are_alike(const std::vector<FrameSizes>& frames) {
    return std::all_of(frames.begin(), frames.end(), [&](const FrameSizes& each) {
        return each.wire == frames.front().wire && each.buffer == frames.front().buffer;
    });
}

/// Returns the modules over whose links streams come.
std::set<int> modules_of_streams(const Senders& senders) {
    std::set<int> modules;
    for (const TrafficStream& stream : senders.traffic)
        if (stream.module) modules.insert(*stream.module);
    return modules;
}

/// Returns the first key of a group's modules that is not covered.
UnsupportedKey obstacle_of(const Group& group, const Senders& senders) {
    Senders alone;
    alone.seed = senders.seed;
    alone.frame = group.frame;
    alone.frame.fragments = {};
    if (alone.frame.payloads.empty()) alone.frame.payload = frames_of_fragment(group.frame).front().payload;
    alone.frame.split = false;
    alone.front_end = in_step_with(group.front_end);
    alone.front_end.gap = Time{0};
    UnsupportedKey found;
    UniformSenders::of(alone, &found);
    return found;
}

/// Returns the number of modules that send to each queue. @param first, last  their numbers in the whole network
std::vector<std::int64_t> modules_of_queues(const NetworkScenario& scenario, const Network& network, int number,
                                            int first, int last) {
    const Network::Switch& self = network.switches()[std::size_t(number)];
    std::vector<std::int64_t> modules(std::size_t(self.settings.uplinks));
    const SwitchPlace place = switch_places(network, scenario)[std::size_t(number)];
    BuilderUplinks of_builders(self.settings, senders_seen(scenario), place);
    UplinkSelector of_all(self.settings, SenderPorts::addresses(scenario), self.all_inputs());
    const BuilderChoice choice(scenario);
    const auto builders = std::size_t(choice.keeps_modules_together() ? 1 : choice.count());
    for (int module = first; module <= last; ++module) {
        const int input = module - 1 - self.modules_before;
        if (of_builders.are_one()) {
            ++modules[std::size_t(of_all.next(input, module))];
            continue;
        }
        std::set<int> met;  // builders to which events of the module have gone
        for (FrameId frame{1, module}; met.size() < builders; ++frame.event)
            if (met.insert(choice.of(frame)).second) ++modules[std::size_t(of_builders.next(frame, input, module))];
    }
    return modules;
}

}  // namespace

bool has_kinds(const NetworkScenario& scenario) {
    if (!scenario.groups.empty() || scenario.builders.count > 1 || !modules_of_streams(scenario).empty()) return true;
    if (!scenario.frame.payloads.empty()) return false;
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    return !are_alike(frames) || (frames.size() > 1 && scenario.front_end.gap > Time{0});
}

bool has_unlike_frames(const Senders& senders) {
    std::optional<FrameSizes> first;
    for (const Group& group : ModuleGroups(senders).all())
        for (const FrameSizes& frame : frames_of_fragment(group.frame)) {
            if (first && (frame.wire != first->wire || frame.buffer != first->buffer)) return true;
            first = frame;
        }
    return false;
}

std::optional<std::vector<GroupAnalysis>> groups_of(const NetworkScenario& scenario, const Network& network, int number,
                                                    const AdmittedTriggers& common, UnsupportedKey* why) {
    const Network::Switch& self = network.switches()[std::size_t(number)];
    const ModuleGroups groups(scenario);
    const bool merged = std::any_of(groups.all().begin(), groups.all().end(),
                                    [](const Group& group) { return group.trigger.has_value(); });
    const BuilderChoice choice(scenario);
    std::vector<GroupAnalysis> all;
    const std::set<int> shared = modules_of_streams(scenario);
    int before = 0;
    for (const Group& unplaced : groups.all()) {
        const Group group = placed_after(before, unplaced);
        const int first = std::max(before, self.modules_before) + 1;
        before += group.front_end.modules;
        const int last = std::min(before, self.modules_before + self.modules);
        if (UnsupportedKey found = obstacle_of(group, scenario))
            return refused(why, {found.key, "bound does not cover it: " + found.why});
        if (last < first) continue;
        GroupAnalysis one;
        one.own_trigger = group.trigger.has_value();
        if (one.own_trigger) {
            Senders own;
            own.seed = scenario.seed;
            own.trigger = *group.trigger;
            auto admitted = AdmittedTriggers::of(own, why);
            if (!admitted) return std::nullopt;
            one.admitted = std::move(*admitted);
        } else {
            one.admitted = common;
        }
        // Shifted or not, a module that takes turns sends each M-th event to a builder.
        if (!merged && !choice.keeps_modules_together() && !scenario.builders.are_drawn()) one.every = choice.count();
        one.jitter = group.front_end.jitter;
        one.traffic_class = group.front_end.traffic_class;
        one.frames = frames_of_fragment(group.frame);
        one.gap = group.front_end.gap;
        for (const FrameSizes& frame : one.frames) {
            const auto [fast, slow] = fast_and_slow(frame, group.front_end);
            one.fast.push_back(fast);
            one.slow.push_back(slow);
        }
        for (int from = first; from <= last;) {
            const auto next = shared.lower_bound(from);
            one.number = next != shared.end() && *next == from ? from : 0;
            const int to = one.number != 0 ? from : next == shared.end() ? last : std::min(last, *next - 1);
            one.modules = modules_of_queues(scenario, network, number, from, to);
            all.push_back(one);
            from = to + 1;
        }
    }
    return all;
}

EventDistances::EventDistances(Event event, std::function<std::optional<Wide>()> triggers)
    : event_(std::move(event)), triggers_(std::move(triggers)) {
    const std::size_t number = event_.frames.size();
    bool even = true;  // frames at equal distances: the first or the last one of an event begins the nearest
    const auto step = [&](const std::vector<Wide>& ends, std::size_t i) {
        return ends[event_.frames[i]] - ends[event_.frames[i - 1]];
    };
    for (std::size_t i = 2; i < number; ++i)
        even = even && step(event_.fast, i) == step(event_.fast, 1) && step(event_.slow, i) == step(event_.slow, 1);
    for (std::size_t i = 0; i < number; i += even && number > 1 ? number - 1 : 1) first_.push_back(i);
}

const EventDistances::Beginning* EventDistances::beginning(std::size_t k) {
    const std::size_t index = k * std::size_t(event_.every);
    while (beginnings_.size() <= index) {
        const auto trigger = triggers_();
        if (!trigger) return nullptr;
        Beginning next;
        if (!beginnings_.empty()) {
            next.by_link = beginnings_.back().least + event_.fast.back();
            next.by_trigger = *trigger - event_.jitter;
            next.least = std::max(next.by_link, next.by_trigger);
        }
        beginnings_.push_back(next);
    }
    return &beginnings_[index];
}

std::optional<Wide> EventDistances::next() {
    std::optional<Wide> least;
    const std::size_t number = event_.frames.size();
    for (const std::size_t from : first_) {
        const std::size_t to = from + next_, p = event_.frames[from], q = event_.frames[to % number];
        const Beginning* begun = beginning(to / number);
        if (!begun) continue;
        const Wide fast = event_.fast[q] - event_.fast[p], slow = event_.slow[q] - event_.slow[p];
        const Wide distance = q >= p ? begun->least + fast : std::max(begun->by_link + fast, begun->by_trigger + slow);
        if (!least || distance < *least) least = distance;
    }
    if (!least) return least;
    ++next_;
    return last_ = std::max(last_, *least);
}

}  // namespace watershed
