// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-analysis.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "model/frontend/front-end.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/uniform-senders.h"
#include "model/guarantee/full-inputs.h"
#include "model/guarantee/kept-frames.h"
#include "model/guarantee/mixed-memory.h"
#include "model/guarantee/shaped-classes.h"
#include "model/guarantee/shared-link.h"
#include "model/switch/memory-units.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/switch-fields.h"
#include "model/switch/switch-memory.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

UnsupportedKey not_covered(const UnsupportedKey& obstacle) {
    return {obstacle.key, "bound does not cover it: " + obstacle.why};
}

/// Copies the rules of a memory that grant a frame with less in any queue if they grant it with more; and levels that
/// count only once a frame was lost. takes_all() finds whether all is granted where every queue is fullest.
void copy_monotone(const Buffer& whole, Buffer& copied) {
    if (whole.sharing->is_monotone) copied.sharing = whole.sharing;
    copied.threshold_mantissa = whole.threshold_mantissa;
    copied.threshold_extra_step = whole.threshold_extra_step;
    copied.threshold_whole = whole.threshold_whole;
    copied.port_alpha = whole.port_alpha;
    copied.step_free = whole.step_free;
    const auto falls = [](MemorySize a, MemorySize b) { return a.unit != b.unit || b.amount < a.amount; };
    if (std::adjacent_find(whole.step_limits.begin(), whole.step_limits.end(), falls) == whole.step_limits.end())
        copied.step_limits = whole.step_limits;
    copied.slices = whole.slices;
    copied.reserved = whole.reserved;
    copied.port_limit = whole.port_limit;
    copied.wred_from = whole.wred_from;
    copied.wred_to = whole.wred_to;
    copied.wred_probability = whole.wred_probability;
    copied.ecn = whole.ecn;
    copied.egress_size = whole.egress_size;
    copied.egress_alpha = whole.egress_alpha;
    copied.egress_reserved = whole.egress_reserved;
    copied.resume = whole.resume;
    copied.descriptors_resume = whole.descriptors_resume;
}

/// Copies, beside these, the rules for classes of the same kind.
void copy_monotone_by_class(const Buffer& whole, Buffer& copied) {
    copy_monotone(whole, copied);
    copied.class_limits = whole.class_limits;
    copied.class_alphas = whole.class_alphas;
    copied.class_wred_from = whole.class_wred_from;
    copied.class_wred_to = whole.class_wred_to;
    copied.class_wred_probability = whole.class_wred_probability;
}

/// Returns the first key of the memory that is not covered. @param alike  all frames are of modules, of one size
UnsupportedKey obstacle_of(const Buffer& buffer, bool alike) {
    if (buffer.release != Buffer::Release::End)
        return {"switch.buffer.release", "bound does not cover memory that is given back before a frame has left"};
    if (buffer.sharing->pools != SharingPolicy::Pools::One && buffer.reserved.amount != 0)
        return {"switch.buffer.reserved", "bound covers reserves of queues only in a memory that ports share"};
    const bool by_queue = buffer.sharing->pools == SharingPolicy::Pools::One && !size_decides(buffer);
    if (by_queue && buffer.accounting == Buffer::Accounting::Mixed)
        return {"switch.buffer.accounting", "bound does not cover thresholds of inputs and outputs in one memory"};
    if (!alike && counts_inputs(buffer))
        return {"switch.buffer.accounting", "bound covers thresholds of inputs only for modules' frames of one size"};
    return {};
}

/// Returns the largest difference of two modules' trigger times, apart from jitter.
Time range_of_skews(const FrontEnd& front_end) {
    if (front_end.skew.empty()) return front_end.skew_spread;
    const auto [least, most] = std::minmax_element(front_end.skew.begin(), front_end.skew.end());
    return *most - *least + front_end.skew_spread;
}

/// Returns true if a stream comes to a switch over the link of one of its modules.
bool comes_by_module(const TrafficStream& stream, const Network::Switch& self) {
    return stream.module && *stream.module > self.modules_before &&
           *stream.module <= self.modules_before + self.modules;
}

/// Returns true if frames of streams may come to a switch, directly or from switches that feed it.
bool gets_streams(const NetworkScenario& scenario, const Network& network, const Network::Switch& self) {
    return !self.stream_ports.empty() ||
           std::any_of(scenario.traffic.begin(), scenario.traffic.end(),
                       [&](const TrafficStream& stream) { return comes_by_module(stream, self); }) ||
           std::any_of(self.feeds.begin(), self.feeds.end(), [&](int feed) {
               const Network::Link& link = network.links()[std::size_t(feed)];
               return gets_streams(scenario, network, network.switches()[std::size_t(link.from)]);
           });
}

/// Returns the rate of the fastest link that may lead to a switch.
BitRate fastest_link(const NetworkScenario& scenario, const Network& network, const Network::Switch& self) {
    BitRate fastest{0};
    for (const Group& group : ModuleGroups(scenario).all()) fastest = std::max(fastest, group.front_end.link_rate);
    for (const TrafficStream& stream : scenario.traffic)
        if (!stream.module) fastest = std::max(fastest, link_of_stream(stream, scenario));
    for (const int feed : self.feeds) fastest = std::max(fastest, network.links()[std::size_t(feed)].rate);
    return fastest;
}

/// Adds the streams whose links lead to this switch. @return false if a stream is not covered; `why` receives its key
bool add_streams(SwitchAnalysis& analysis, const NetworkScenario& scenario, const Network::Switch& self,
                 UnsupportedKey* why) {
    const Switch& settings = self.settings;
    const std::vector<int> ports = SenderPorts::of_streams(scenario);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const TrafficStream& stream = scenario.traffic[i];
        const std::string key = "traffic." + stream.name;
        const auto refuse = [&](const std::string& of, const std::string& reason) {
            refused(why, {of, reason});
            return false;
        };
        const auto place = std::find(self.stream_ports.begin(), self.stream_ports.end(), ports[i]);
        if (stream.module ? !comes_by_module(stream, self) : place == self.stream_ports.end()) continue;
        if (settings.uplinks > 1 && settings.uplink_choice.rule == UplinkChoice::Rule::RoundRobin)
            return refuse("switch.uplink_selection", "bound covers streams only if each keeps to one uplink");
        const int input = stream.module ? *stream.module - 1 - self.modules_before
                                        : self.inputs() + int(place - self.stream_ports.begin());
        CrossTrafficStream& one = analysis.streams.emplace_back();
        one.stream = stream;
        one.queue = std::size_t(
            UplinkSelector(settings, SenderPorts::addresses(scenario), self.all_inputs()).next(input, ports[i] + 1));
        one.frame = frame_of_stream(stream, scenario.frame);
        one.interval = interval_of(stream, scenario.frame);
        if (stream.module) {
            const ModuleGroups groups(scenario);
            const FrontEnd& front_end = groups.all()[groups.of(*stream.module)].front_end;
            std::tie(one.link, one.slow) = fast_and_slow(one.frame, front_end);
        } else {
            one.link = TransmissionTime::of(one.frame.wire, link_of_stream(stream, scenario));
        }
    }
    for (GroupAnalysis& group : analysis.groups)
        if (group.number != 0 && !hold_up(group, analysis, why)) return false;
    return true;
}

}  // namespace

bool size_decides(const Buffer& buffer) {
    return buffer.sharing == Sharing::Shared && buffer.slices == 1 && buffer.reserved.amount == 0 &&
           !buffer.port_limit && buffer.wred_to.amount == 0;
}

bool size_alone_decides(const Buffer& buffer) {
    return size_decides(buffer) && buffer.class_limits.empty() && !buffer.drops_early();
}

FrontEnd in_step_with(FrontEnd front_end) {
    front_end.jitter = front_end.skew_spread = Time{0};
    front_end.skew.clear();
    front_end.clock.clear();
    front_end.clock_spread = {};
    return front_end;
}

std::pair<ClockTolerance, ClockTolerance> fastest_and_slowest(const FrontEnd& front_end) {
    std::pair<ClockTolerance, ClockTolerance> extremes;
    for (std::size_t i = 0; i < front_end.clock.size(); ++i) {
        const ClockTolerance each = front_end.clock[i];
        if (i == 0 || extremes.first < each) extremes.first = each;
        if (i == 0 || each < extremes.second) extremes.second = each;
    }
    return {extremes.first + front_end.clock_spread, extremes.second - front_end.clock_spread};
}

std::pair<TransmissionTime, TransmissionTime> fast_and_slow(const FrameSizes& frame, const FrontEnd& front_end) {
    const auto [fastest, slowest] = fastest_and_slowest(front_end);
    const auto on_link = [&](ClockTolerance clock) {
        return TransmissionTime::of(frame.wire, front_end.link_rate, clock);
    };
    if (fastest == ClockTolerance{} && slowest == ClockTolerance{}) return {on_link({}), on_link({})};
    return {{on_link(fastest).floor(), 1}, {on_link(slowest).ceil(), 1}};
}

std::optional<SwitchAnalysis> analysis_of(const NetworkScenario& scenario, const Network& network, int number,
                                          const AdmittedTriggers& common, bool kinds, UnsupportedKey* why) {
    const Network::Switch& self = network.switches()[std::size_t(number)];
    const auto refuse = [&](const char* key, const char* reason) { return refused(why, {key, reason}); };
    NetworkScenario single = network.part(scenario, number);
    single.traffic.clear();
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    single.frame.payload = frames.front().payload;
    single.frame.fragments = {};
    single.frame.split = false;
    UnsupportedKey found;
    auto senders = self.modules > 0 && !kinds ? UniformSenders::of(single, &found) : std::nullopt;
    const bool in_step = !kinds && (senders.has_value() || self.modules == 0);
    if (!in_step && !kinds) {
        NetworkScenario together = single;
        together.front_end = in_step_with(single.front_end);
        senders = UniformSenders::of(together, &found);
        if (!senders) return refused(why, not_covered(found));
    }
    const bool alike = !gets_streams(scenario, network, self) && !has_unlike_frames(scenario);
    const bool takes_turns =
        single.network_switch.uplinks > 1 && single.network_switch.uplink_choice.rule == UplinkChoice::Rule::RoundRobin;
    std::vector<BitRate> rates;
    for (int i = 0; i < self.settings.uplinks; ++i)
        rates.push_back(network.links()[std::size_t(self.first_link + i)].rate);
    single.network_switch.uplink_rate = *std::min_element(rates.begin(), rates.end());
    OtherPlaces places;
    const Switch whole = single.network_switch =
        with_one_queue(single.network_switch, fastest_link(scenario, network, self),
                       alike && !kinds && !takes_turns && network.is_one_tier() &&
                           single.network_switch.scheduling.kind == Scheduling::Kind::Fifo,
                       places);
    // OutputQueuedSwitch knows no scheduler, but class_delays() does, if the memory treats all queues alike.
    const bool by_class = whole.scheduling.kind != Scheduling::Kind::Fifo;
    if (by_class) single.network_switch.scheduling = {};
    const auto plain =
        OutputQueuedSwitch::of(single.network_switch, &found, by_class ? copy_monotone_by_class : copy_monotone);
    if (!plain && found.key == "switch.buffer.dram")
        return refuse(
            "switch.buffer.dram",
            "bound covers a second tier at one switch of first-in-first-out queues alone, behind modules whose "
            "frames have one size and that keep to one uplink each, in a memory whose size alone refuses "
            "frames");
    if (!plain) return refused(why, not_covered(found));
    const Switch& network_switch = **plain;
    if (by_class) {
        Switch covered = network_switch;
        covered.scheduling.kind = whole.scheduling.kind;
        covered.scheduling.weights = whole.scheduling.weights;
        covered.scheduling.quantum = whole.scheduling.quantum;
        if (!has_shapers(whole.scheduling, *std::max_element(rates.begin(), rates.end())) ||
            (whole.scheduling.kind == Scheduling::Kind::StrictPriority && network.is_one_tier() && !kinds &&
             (whole.uplinks == 1 || whole.uplink_choice.rule != UplinkChoice::Rule::RoundRobin))) {
            covered.scheduling.rates = whole.scheduling.rates;
            covered.scheduling.bursts = whole.scheduling.bursts;
            covered.scheduling.counts = whole.scheduling.counts;
        }
        if (const SwitchField* field = first_left_out(switch_fields(), whole, covered))
            return refused(why, {"switch." + field->name,
                                 std::string("bound ") +
                                     (std::string(field->name) == "class_rates"
                                          ? "covers shapers only with strict priority, behind one tier of modules of "
                                            "one kind that keep to one uplink each"
                                          : "does not cover it")});
    }
    if (UnsupportedKey memory = obstacle_of(network_switch.buffer, alike)) return refused(why, std::move(memory));

    const int uplinks = network_switch.uplinks;
    const UplinkChoice::Rule rule = network_switch.uplink_choice.rule;
    const bool has_own = has_account_by_input(network_switch.buffer),
               by_input = has_own || counts_inputs(network_switch.buffer);
    const char* const input_key = has_own ? "switch.buffer.sharing" : "switch.buffer.accounting";
    SwitchAnalysis result;
    result.guarantee.name = self.name;
    result.guarantee.buffer = network_switch.buffer;
    result.guarantee.inputs = self.inputs();
    result.guarantee.kept = kept_frames(whole, scenario);
    result.places = places;
    result.is_fed = !self.feeds.empty();
    result.first_link = self.first_link;
    const FrontEnd& front_end = senders ? (*senders)->front_end : single.front_end;
    const Bytes wire = frames.front().wire;
    result.in_step = in_step;
    result.jitter = single.front_end.jitter;
    const auto [fastest, slowest] = fastest_and_slowest(single.front_end);
    result.apart = range_of_skews(single.front_end);
    result.slowest_link = Time{std::int64_t(TransmissionTime::of(wire, single.front_end.link_rate, slowest).ceil())};
    if (kinds) {
        if (scenario.builders.count > 1 && !network.is_one_tier())
            return refuse("server.builders", "bound covers several event builders behind one tier of switches");
        if (rule == UplinkChoice::Rule::Random || (rule == UplinkChoice::Rule::RoundRobin && uplinks > 1))
            return refuse(
                "switch.uplink_selection",
                "where frames of several kinds are added up, bound covers only modules that keep to one uplink each");
        if (by_input)
            return refuse(input_key,
                          "where frames of several kinds are added up, bound does not cover memory counted by input");
        auto groups = groups_of(scenario, network, number, common, why);
        if (!groups) return std::nullopt;
        result.groups = std::move(*groups);
    }
    if (senders)
        result.link = TransmissionTime::of(wire, front_end.link_rate,
                                           in_step ? module_timing(front_end, single.seed, 1).tolerance : fastest);
    // A clock's rate has many digits. Rounding the slot down brings frames closer together, which is safe.
    if (!in_step && result.link.floor() > 0) result.link = {result.link.floor(), 1};
    result.wire = wire;
    result.uplink_rates = std::move(rates);
    result.latency = network_switch.latency;
    result.scheduling = whole.scheduling;

    auto modules = std::vector<int>(std::size_t(uplinks));
    std::vector<std::vector<int>> inputs(modules.size());
    result.feeds.resize(modules.size());
    if (result.is_fed && by_input)
        return refuse(input_key, "bound does not cover memory counted by the links of other switches");
    if (result.is_fed && uplinks > 1 && (rule == UplinkChoice::Rule::RoundRobin || rule == UplinkChoice::Rule::Hash))
        return refuse("switch.uplink_selection",
                      "behind other switches bound covers only links that keep to one uplink each");
    if (rule == UplinkChoice::Rule::RoundRobin && uplinks > 1) {
        const bool evenly = self.modules % uplinks == 0;
        if ((!evenly && !network.is_one_tier()) || by_input)
            return refuse("switch.uplink_selection",
                          "bound covers frames that take turns only where inputs have no memory of their own and, in "
                          "several tiers, each trigger brings all uplinks equally many");
        if (!evenly) result.turns = uplinks;
        std::fill(modules.begin(), modules.end(), (self.modules + uplinks - 1) / uplinks);
    } else if (rule == UplinkChoice::Rule::Random) {
        return refuse("switch.uplink_selection", "bound does not cover uplinks chosen at random");
    } else {
        UplinkSelector selector(network_switch, front_end, self.inputs());
        for (const GroupAnalysis& group : result.groups)
            for (std::size_t i = 0; i < modules.size(); ++i) modules[i] += int(group.modules[i]);
        for (int module = 1; !kinds && module <= self.modules; ++module) {
            const auto uplink = std::size_t(selector.next(module));
            ++modules[uplink];
            inputs[uplink].push_back(module - 1);
        }
        for (std::size_t i = 0; i < self.feeds.size(); ++i) {
            const int input = self.modules + int(i);
            const int uplink = uplinks == 1 ? 0 : selector.next(input, 0);
            result.feeds[std::size_t(uplink)].push_back(self.feeds[i]);
        }
    }
    for (int i = 0; i < uplinks; ++i) {
        QueueGuarantee& queue = result.guarantee.queues.emplace_back();
        queue.name = network.name(network.links()[std::size_t(self.first_link + i)]);
        queue.modules = modules[std::size_t(i)];
        queue.inputs = std::move(inputs[std::size_t(i)]);
    }
    if (!alike || by_class)
        if (UnsupportedKey memory = obstacle_of_accounts(network_switch.buffer)) return refused(why, std::move(memory));
    if (!add_streams(result, scenario, self, why)) return std::nullopt;
    return result;
}

bool takes_all(const SwitchGuarantee& guarantee, const Buffer& buffer, Bytes frame) {
    const int uplinks = int(guarantee.queues.size());
    const auto admit = [&](SwitchMemory& memory, int input, int output, std::int64_t frames) {
        MemoryClaim claim;
        claim.input = input;
        claim.output = output;
        claim.buffer = frame;
        for (std::int64_t i = 0; i < frames; ++i)
            if (memory.admit(claim)) return false;
        return true;
    };
    if (counts_inputs(buffer)) return takes_all_by_input(guarantee, buffer, frame);
    if (size_decides(buffer)) {  // any input and queue will do
        SwitchMemory memory(buffer, guarantee.inputs, uplinks);
        return admit(memory, 0, 0, guarantee.frames);
    }
    std::vector<int> unlike;  // one queue for each pair of maxima
    for (int i = 0; i < uplinks; ++i) {
        const auto same = [&](int other) {
            if (buffer.slices > 1) return false;  // a queue's neighbours matter
            const QueueGuarantee &a = guarantee.queues[std::size_t(other)], &b = guarantee.queues[std::size_t(i)];
            return a.frames == b.frames && a.by_input == b.by_input;
        };
        if (std::none_of(unlike.begin(), unlike.end(), same)) unlike.push_back(i);
    }
    for (const int last : unlike) {
        SwitchMemory memory(buffer, guarantee.inputs, uplinks);
        const auto& queue = guarantee.queues[std::size_t(last)];
        if (has_account_by_input(buffer)) {
            if (!admit(memory, 0, last, queue.by_input)) return false;
            continue;
        }
        for (int other = 0; other < uplinks; ++other)
            if (other != last && !admit(memory, 0, other, guarantee.queues[std::size_t(other)].frames)) return false;
        if (!admit(memory, 0, last, queue.frames)) return false;
    }
    return true;
}

std::optional<MemorySize> needed_size(const SwitchGuarantee& guarantee, Bytes frame) {
    return least_size(guarantee.buffer, guarantee.frames * MemoryUnits(guarantee.buffer).cost(frame),
                      [&](const Buffer& buffer) { return takes_all(guarantee, buffer, frame); });
}

std::optional<MemorySize> least_size(Buffer buffer, std::int64_t shared,
                                     const std::function<bool(const Buffer&)>& takes_all) {
    const auto takes = [&](std::int64_t amount) {
        buffer.size.amount = amount;
        return takes_all(buffer);
    };
    constexpr std::int64_t kMost = std::int64_t{1} << 50;
    // A completely shared memory needs exactly this; another memory may need more or less.
    std::int64_t enough = std::max<std::int64_t>(1, shared);
    if (takes(enough) && enough > 1 && !takes(enough - 1)) {
        buffer.size.amount = enough;
        return buffer.size;
    }
    while (!takes(enough)) {
        if (enough >= kMost) return std::nullopt;  // another limit is in the way
        enough *= 2;
    }
    std::int64_t too_little = 0;
    while (enough - too_little > 1) {
        const std::int64_t middle = too_little + (enough - too_little) / 2;
        (takes(middle) ? enough : too_little) = middle;
    }
    buffer.size.amount = enough;
    return buffer.size;
}

}  // namespace watershed
