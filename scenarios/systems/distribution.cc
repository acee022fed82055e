// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/distribution.h"

#include "model/roce/roce.h"
#include "scenarios/keys/key-setters.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/distribution-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/text/input-error.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_setters;

constexpr std::int64_t kMostHosts = 1000;
constexpr std::int64_t kMostBytes = 1'000'000'000;

/// What goes without padding into frames: multiples of 4 B, as RoCE carries them.
auto data(std::int64_t least, std::int64_t most) {
    return limited(
        parse_bytes, [=](Bytes bytes) { return bytes.count >= least && bytes.count <= most && bytes.count % 4 == 0; },
        "a multiple of 4 B from " + std::to_string(least) + " B to " + std::to_string(most) + " B");
}
const auto parse_event = data(4, 100'000'000);
const auto parse_infiniband_mtu = data(256, 4096);  // what InfiniBand allows
const auto parse_bounded_bytes = between(parse_bytes, Bytes{1}, Bytes{kMostBytes}, "1 B to 1 GB");

MemorySize parse_memory_bytes(const std::string& value) {
    return {parse_bounded_bytes(value).count, MemorySize::Unit::Byte};
}

Ratio parse_fraction(const std::string& value) {
    std::string number = value;
    const bool percent = !number.empty() && number.back() == '%';
    if (percent) number.pop_back();
    while (percent && !number.empty() && number.back() == ' ') number.pop_back();
    Ratio ratio = parse_ratio(number);
    if (percent) ratio.denominator *= 100;
    return ratio;
}

/// A number that is at most, or less than, one.
template <class Place>
KeyRule fraction(Place place, bool one_included) {
    const KeyRule number = ratio(place);
    const std::string limits = one_included ? "at most 1" : "less than 1";
    return {[=](Scenario& scenario, const KeyValue& value) {
                if (const auto* written = std::get_if<std::string>(&value))
                    place(scenario) = parse_fraction(*written);
                else
                    number.set(scenario, value);
                const Ratio found = place(scenario);
                if (found.numerator > found.denominator || (!one_included && found.numerator == found.denominator))
                    refuse(value, limits);
            },
            limits};
}

std::vector<ScenarioKey> host_keys() {
    using Scheduler = Distribution::Scheduler;
    return {
        {"distribution.scheduler", "text", "round-robin",
         "Where a producer sends an event. \"round-robin\": blindly to each consumer in turn. \"credit\": to the next "
         "consumer that has promised room for it.",
         choice(WATERSHED_PLACE(of<Distribution>().scheduler),
                {{"round-robin", Scheduler::RoundRobin}, {"credit", Scheduler::Credit}})},
        {"distribution.event", "size \"100 kB\"", "100 kB", "Size of each event, which goes whole to one consumer.",
         text(WATERSHED_PLACE(of<Distribution>().event), parse_event)},
        {"distribution.mtu", "size \"4096 B\"", "4096 B",
         "Data of a RoCE frame, 82 B less than the frame costs a link.",
         text(WATERSHED_PLACE(of<Distribution>().mtu), parse_infiniband_mtu)},
        {"distribution.control_delay", "time \"2 us\"", "2 us",
         "Delay of completions and credits from a consumer to whoever waits for them.",
         text(WATERSHED_PLACE(of<Distribution>().control_delay), parse_time)},
        {"distribution.timeout", "time \"1 ms\"", "1 ms",
         "Time until the place of an event that lost a frame is used again; nothing is sent again.",
         text(WATERSHED_PLACE(of<Distribution>().timeout), parse_some_time)},
        {"distribution.cable_delay", "time \"50 ns\"", "50 ns", "Delay of every link, one way.",
         text(WATERSHED_PLACE(of<Distribution>().cable_delay), parse_time)},
        {"distribution.duration", "time \"12 ms\"", "12 ms",
         "New events end at this time; what is under way still arrives.",
         text(WATERSHED_PLACE(of<Distribution>().duration), parse_some_time)},
        {"distribution.warm_up", "time \"2 ms\"", "2 ms", "Throughput counts from this time on.",
         text(WATERSHED_PLACE(of<Distribution>().warm_up), parse_time)},
        {"distribution.window", "time \"500 us\"", "500 us", "Length of the windows over which throughput is averaged.",
         text(WATERSHED_PLACE(of<Distribution>().window), parse_some_time)},

        {"distribution.producers.count", "integer", "14", "Number of producers that send events.",
         count(WATERSHED_PLACE(of<Distribution>().producers.count), 1, kMostHosts)},
        {"distribution.producers.link_rate", "bit rate \"100 Gb/s\"", "100 Gb/s", "Bit rate of each producer's link.",
         text(WATERSHED_PLACE(of<Distribution>().producers.link_rate), parse_bit_rate)},
        {"distribution.producers.in_flight", "integer", "4",
         "Number of events that a producer sends at a time, a frame of each in turn.",
         count(WATERSHED_PLACE(of<Distribution>().producers.in_flight), 1, 4096)},
        {"distribution.producers.obeys_pause", "true or false", "true",
         "Producers stop when the switch tells them to pause.",
         flag(WATERSHED_PLACE(of<Distribution>().producers.obeys_pause))},

        {"distribution.consumers.count", "integer", "72", "Number of consumers that take events.",
         count(WATERSHED_PLACE(of<Distribution>().consumers.count), 1, kMostHosts)},
        {"distribution.consumers.link_rate", "list of \"25 Gb/s\"", "[\"25 Gb/s\"]",
         "Bit rate of each consumer's link; the list repeats if there are more consumers.",
         list(WATERSHED_PLACE(of<Distribution>().consumers.link_rates), parse_bit_rate)},
        {"distribution.consumers.busy_fraction", "0 to below 1, \"10 %\"", "0",
         "Fraction of the time in which a consumer is busy and takes nothing.",
         fraction(WATERSHED_PLACE(of<Distribution>().consumers.busy_fraction), false)},
        {"distribution.consumers.busy_mean", "time \"100 us\"", "100 us",
         "Mean length of a busy time, which is exponential; so are the times between.",
         text(WATERSHED_PLACE(of<Distribution>().consumers.busy_mean), parse_some_time)},
        {"distribution.consumers.buffer", "size \"4 MB\"", "4 MB",
         "Memory of a consumer for what arrives while it is busy; a frame that finds it full is lost.",
         text(WATERSHED_PLACE(of<Distribution>().consumers.buffer), parse_bounded_bytes)},
        {"distribution.consumers.xoff", "size \"2 MB\"", "2 MB",
         "XOFF threshold of a consumer, with flow control: if it holds more, it tells the switch to pause.",
         text(WATERSHED_PLACE(of<Distribution>().consumers.xoff), parse_bytes)},
        {"distribution.consumers.credits", "integer", "2",
         "Number of events that a consumer promises room for, with the scheduler \"credit\".",
         count(WATERSHED_PLACE(of<Distribution>().consumers.credits), 1, 100'000)},

        {"distribution.switch.buffer", "size \"16 MB\"", "16 MB",
         "Memory of the switch, shared by all ports; a frame that finds it full is lost.",
         text(WATERSHED_PLACE(of<Distribution>().network_switch.buffer), parse_memory_bytes)},
        {"distribution.switch.flow_control", "true or false", "true",
         "Switch and consumers use priority flow control (IEEE 802.1Qbb).",
         flag(WATERSHED_PLACE(of<Distribution>().network_switch.flow_control))},
        {"distribution.switch.alpha", "number \"1/8\"", "1/8",
         "Dynamic XOFF threshold: an input pauses its producer once it holds this many times the free memory.",
         ratio(WATERSHED_PLACE(of<Distribution>().network_switch.alpha))},
        {"distribution.switch.xon_offset", "size \"16 kB\"", "16 kB",
         "A paused input lets its producer go on once it holds this much less than the XOFF threshold, or nothing.",
         text(WATERSHED_PLACE(of<Distribution>().network_switch.xon_offset), parse_bytes)},
        {"distribution.switch.headroom", "size \"100 kB\"", "100 kB",
         "Memory of each input, beside the buffer, for frames that arrive after their sender was told to pause.",
         text(WATERSHED_PLACE(of<Distribution>().network_switch.headroom), parse_bytes)},
        {"distribution.switch.quanta", "integer", "65535",
         "Length of a pause in 512 bit times; it is renewed while it is needed.",
         count(WATERSHED_PLACE(of<Distribution>().network_switch.quanta), 1, 65535)},
    };
}

std::vector<ScenarioKey> dcqcn_keys() {
    return {
        {"distribution.dcqcn.enabled", "true or false", "true",
         "Queues mark frames (ECN), and flows slow down for it (DCQCN).",
         flag(WATERSHED_PLACE(of<Distribution>().dcqcn.enabled))},
        {"distribution.dcqcn.mark_from", "size \"400 kB\"", "400 kB",
         "Marking begins when an output's queue holds this much (Kmin).",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.mark_from), parse_bytes)},
        {"distribution.dcqcn.mark_to", "size \"1600 kB\"", "1600 kB",
         "Marking is certain once an output's queue holds this much (Kmax).",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.mark_to), parse_bounded_bytes)},
        {"distribution.dcqcn.mark_probability", "0 to 1", "0.2", "Probability of a mark just below mark_to (Pmax).",
         fraction(WATERSHED_PLACE(of<Distribution>().dcqcn.mark_probability), true)},
        {"distribution.dcqcn.cnp_interval", "time \"50 us\"", "50 us",
         "A consumer sends a flow at most one congestion notification in this time.",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.cnp_interval), parse_time)},
        {"distribution.dcqcn.gain", "0 to 1", "1/256", "Gain of the estimate of congestion (g).",
         fraction(WATERSHED_PLACE(of<Distribution>().dcqcn.gain), true)},
        {"distribution.dcqcn.alpha_timer", "time \"55 us\"", "55 us",
         "Time without a notification after which the estimate of congestion falls.",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.alpha_timer), parse_some_time)},
        {"distribution.dcqcn.rate_timer", "time \"900 us\"", "900 us", "Time after which a flow's rate is increased.",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.rate_timer), parse_some_time)},
        {"distribution.dcqcn.byte_counter", "size \"10 MB\"", "10 MB",
         "Bytes sent after which a flow's rate is increased.",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.byte_counter), parse_bounded_bytes)},
        {"distribution.dcqcn.fast_recovery", "integer", "1",
         "Number of increases that only halve the distance to the target rate (F).",
         count(WATERSHED_PLACE(of<Distribution>().dcqcn.fast_recovery), 0, 1000)},
        {"distribution.dcqcn.additive_increase", "bit rate \"50 Mb/s\"", "50 Mb/s",
         "Increase of the target rate after fast recovery.",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.additive_increase), parse_bit_rate)},
        {"distribution.dcqcn.hyper_increase", "bit rate \"100 Mb/s\"", "100 Mb/s",
         "Increase of the target rate once timer and byte counter are both beyond fast recovery.",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.hyper_increase), parse_bit_rate)},
        {"distribution.dcqcn.least", "bit rate \"100 Mb/s\"", "100 Mb/s", "No flow is slowed down below this rate.",
         text(WATERSHED_PLACE(of<Distribution>().dcqcn.least), parse_bit_rate)},
    };
}

std::vector<ScenarioKey> distribution_keys() {
    std::vector<ScenarioKey> keys = host_keys();
    const std::vector<ScenarioKey> dcqcn = dcqcn_keys();
    keys.insert(keys.end(), dcqcn.begin(), dcqcn.end());
    return keys;
}

void check_distribution(const Distribution& distribution, const KeyPlace& place) {
    const auto refuse_key = [&](const std::string& name, const std::string& complaint) {
        const std::string key = "distribution." + name;
        throw InputError(place(key) + ": " + key + ": " + complaint);
    };
    const auto shown_as = [](auto value) { return "\"" + to_text(value) + "\""; };
    const DistributionConsumers& consumers = distribution.consumers;
    const DistributionSwitch& network_switch = distribution.network_switch;
    if (consumers.buffer < distribution.event)
        refuse_key("event", "found " + shown_as(distribution.event) +
                                ", expected no more than a consumer holds, distribution.consumers.buffer = " +
                                shown_as(consumers.buffer));
    const bool by_credit = distribution.scheduler == Distribution::Scheduler::Credit;
    if (by_credit && Wide{distribution.event.count} * consumers.credits > consumers.buffer.count)
        refuse_key("consumers.credits",
                   "found " + std::to_string(consumers.credits) + " credits of " + shown_as(distribution.event) +
                       ", expected no more than distribution.consumers.buffer = " + shown_as(consumers.buffer) +
                       " holds");
    if (consumers.xoff > consumers.buffer)
        refuse_key("consumers.xoff",
                   "found " + shown_as(consumers.xoff) +
                       ", expected at most distribution.consumers.buffer = " + shown_as(consumers.buffer));
    const Bytes frame = roce::frame_size(distribution.mtu, true) + Bytes{roce::kFcs};
    if (network_switch.buffer.amount < frame.count)
        refuse_key("switch.buffer",
                   "found " + shown_as(network_switch.buffer) + ", expected at least one frame, " + shown_as(frame));
    if (network_switch.alpha.numerator <= 0)
        refuse_key("switch.alpha", "found 0, expected more: inputs would always be paused");
    if (distribution.dcqcn.mark_from >= distribution.dcqcn.mark_to)
        refuse_key("dcqcn.mark_from",
                   "found " + shown_as(distribution.dcqcn.mark_from) +
                       ", expected less than distribution.dcqcn.mark_to = " + shown_as(distribution.dcqcn.mark_to));
    if (distribution.duration - distribution.warm_up < distribution.window)
        refuse_key("duration", "found " + shown_as(distribution.duration) +
                                   ", expected at least a window after the warm-up, distribution.warm_up = " +
                                   shown_as(distribution.warm_up) +
                                   " and distribution.window = " + shown_as(distribution.window));
    if (distribution.duration > Time{60'000'000'000'000})
        refuse_key("duration", "found " + shown_as(distribution.duration) + ", expected at most a minute");
}

}  // namespace

System distribution() {
    System system;
    system.name = "distribution";
    system.help = "producers that send whole events to consumers by RoCE";
    system.keys = distribution_keys;
    system.check = [](const Scenario& scenario, const KeyPlace& place) {
        check_distribution(scenario.of<Distribution>(), place);
    };
    system.engine = "ns3";
    system.run = [](const Scenario& scenario, const Simulators& simulators, const std::string& pcap_prefix) {
        return report_of(run_distribution(scenario, simulators, pcap_prefix));
    };
    system.published = "lhcb";
    system.validate = validate_lhcb;
    system.figures = {"lhcb-throughput"};
    return system;
}

}  // namespace watershed::systems
