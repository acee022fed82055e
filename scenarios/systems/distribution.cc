// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/distribution.h"

#include "model/roce/roce.h"
#include "scenarios/keys/key-table.h"
#include "scenarios/keys/system.h"
#include "scenarios/run/distribution-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/validate/validate.h"

namespace watershed::systems {
namespace {

using namespace key_tables;

constexpr std::int64_t kMostHosts = 1000;

/// Returns the form of a size that needs no padding in frames: a multiple of 4 B, as in RoCE.
KeyForm in_words_of(std::int64_t least, std::int64_t most) {
    return from_to(least, most,
                   "a multiple of 4 B from " + std::to_string(least) + " B to " + std::to_string(most) + " B")
        .with(&KeyForm::step, 4);
}

std::vector<ScenarioKey> distribution_keys() {
    const KeyForm up_to_1_gb = from_to(1, 1'000'000'000, "1 B to 1 GB");
    const KeyForm less_than_1 = from_to(0, 1, "less than 1").with(&KeyForm::below_most, true);
    const auto memory_in = [=](const KeyValue& value) {
        return MemorySize{read_text<Bytes>(text_to_parse(value), up_to_1_gb).count, MemorySize::Unit::Byte};
    };
    std::vector<Key<Distribution>> all{
        {"scheduler", WATERSHED_AT(Distribution, scheduler),
         "Where a producer sends an event. \"round-robin\": blindly to each consumer in turn. \"credit\": to the "
         "next "
         "consumer that has promised room for it.",
         choice({"round-robin", "credit"})},
        {"event", WATERSHED_AT(Distribution, event), "Size of each event, which goes whole to one consumer.",
         in_words_of(4, 100'000'000)},
        {"mtu", WATERSHED_AT(Distribution, mtu), "Data of a RoCE frame, 82 B less than the frame costs a link.",
         in_words_of(256, 4096)},
        {"control_delay", WATERSHED_AT(Distribution, control_delay),
         "Delay of completions and credits from a consumer to whoever waits for them."},
        {"timeout", WATERSHED_AT(Distribution, timeout),
         "Time until the place of an event that lost a frame is used again; nothing is sent again.", kSomeTime},
        {"cable_delay", WATERSHED_AT(Distribution, cable_delay), "Delay of every link, one way."},
        {"duration", WATERSHED_AT(Distribution, duration),
         "New events end at this time; what is under way still arrives.", kSomeTime},
        {"warm_up", WATERSHED_AT(Distribution, warm_up), "Throughput counts from this time on."},
        {"window", WATERSHED_AT(Distribution, window), "Length of the windows over which throughput is averaged.",
         kSomeTime},

        {"producers.count", WATERSHED_AT(Distribution, producers.count), "Number of producers that send events.",
         from_to(1, kMostHosts)},
        {"producers.link_rate", WATERSHED_AT(Distribution, producers.link_rate), "Bit rate of each producer's link."},
        {"producers.in_flight", WATERSHED_AT(Distribution, producers.in_flight),
         "Number of events that a producer sends at a time, a frame of each in turn.", from_to(1, 4096)},
        {"producers.obeys_pause", WATERSHED_AT(Distribution, producers.obeys_pause),
         "Producers stop when the switch tells them to pause."},

        {"consumers.count", WATERSHED_AT(Distribution, consumers.count), "Number of consumers that take events.",
         from_to(1, kMostHosts)},
        {"consumers.link_rate", WATERSHED_AT(Distribution, consumers.link_rates),
         "Bit rate of each consumer's link; the list repeats if there are more consumers.",
         kAny.written("list of \"25 Gb/s\"", "[\"25 Gb/s\"]")},
        {"consumers.busy_fraction", WATERSHED_AT(Distribution, consumers.busy_fraction),
         "Fraction of the time in which a consumer is busy and takes nothing.",
         less_than_1.written("0 to below 1, \"10 %\"", "0")},
        {"consumers.busy_mean", WATERSHED_AT(Distribution, consumers.busy_mean),
         "Mean length of a busy time, which is exponential; so are the times between.", kSomeTime},
        {"consumers.buffer", WATERSHED_AT(Distribution, consumers.buffer),
         "Memory of a consumer for what arrives while it is busy; a frame that finds it full is lost.", up_to_1_gb},
        {"consumers.xoff", WATERSHED_AT(Distribution, consumers.xoff),
         "XOFF threshold of a consumer, with flow control: if it holds more, it tells the switch to pause."},
        {"consumers.credits", WATERSHED_AT(Distribution, consumers.credits),
         "Number of events that a consumer promises room for, with the scheduler \"credit\".", from_to(1, 100'000)},

        {"switch.buffer", WATERSHED_AT(Distribution, network_switch.buffer),
         "Memory of the switch, shared by all ports; a frame that finds it full is lost.",
         from_to(1, kAny.most, "more than 0").written("size \"16 MB\"", "16 MB"), memory_in},
        {"switch.flow_control", WATERSHED_AT(Distribution, network_switch.flow_control),
         "Switch and consumers use priority flow control (IEEE 802.1Qbb)."},
        {"switch.alpha", WATERSHED_AT(Distribution, network_switch.alpha),
         "Dynamic XOFF threshold: an input pauses its producer once it holds this many times the free memory.",
         kAny.written("number \"1/8\"", "1/8")},
        {"switch.xon_offset", WATERSHED_AT(Distribution, network_switch.xon_offset),
         "A paused input lets its producer go on once it holds this much less than the XOFF threshold, or "
         "nothing."},
        {"switch.headroom", WATERSHED_AT(Distribution, network_switch.headroom),
         "Memory of each input, beside the buffer, for frames that arrive after their sender was told to pause."},
        {"switch.quanta", WATERSHED_AT(Distribution, network_switch.quanta),
         "Length of a pause in 512 bit times; it is renewed while it is needed.", from_to(1, 65535)},

        {"dcqcn.enabled", WATERSHED_AT(Distribution, dcqcn.enabled),
         "Queues mark frames (ECN), and flows slow down for it (DCQCN)."},
        {"dcqcn.mark_from", WATERSHED_AT(Distribution, dcqcn.mark_from),
         "Marking begins when an output's queue holds this much (Kmin)."},
        {"dcqcn.mark_to", WATERSHED_AT(Distribution, dcqcn.mark_to),
         "Marking is certain once an output's queue holds this much (Kmax).", up_to_1_gb.like("1600 kB", "1600 kB")},
        {"dcqcn.mark_probability", WATERSHED_AT(Distribution, dcqcn.mark_probability),
         "Probability of a mark just below mark_to (Pmax).", from_to(0, 1, "at most 1").written("0 to 1", "0.2")},
        {"dcqcn.cnp_interval", WATERSHED_AT(Distribution, dcqcn.cnp_interval),
         "A consumer sends a flow at most one congestion notification in this time."},
        {"dcqcn.gain", WATERSHED_AT(Distribution, dcqcn.gain), "Gain of the estimate of congestion (g).",
         from_to(0, 1, "at most 1").written("0 to 1", "1/256")},
        {"dcqcn.alpha_timer", WATERSHED_AT(Distribution, dcqcn.alpha_timer),
         "Time without a notification after which the estimate of congestion falls.", kSomeTime},
        {"dcqcn.rate_timer", WATERSHED_AT(Distribution, dcqcn.rate_timer),
         "Time after which a flow's rate is increased.", kSomeTime},
        {"dcqcn.byte_counter", WATERSHED_AT(Distribution, dcqcn.byte_counter),
         "Bytes sent after which a flow's rate is increased.", up_to_1_gb},
        {"dcqcn.fast_recovery", WATERSHED_AT(Distribution, dcqcn.fast_recovery),
         "Number of increases that only halve the distance to the target rate (F).", from_to(0, 1000)},
        {"dcqcn.additive_increase", WATERSHED_AT(Distribution, dcqcn.additive_increase),
         "Increase of the target rate after fast recovery."},
        {"dcqcn.hyper_increase", WATERSHED_AT(Distribution, dcqcn.hyper_increase),
         "Increase of the target rate once timer and byte counter are both beyond fast recovery."},
        {"dcqcn.least", WATERSHED_AT(Distribution, dcqcn.least), "No flow is slowed down below this rate."},
    };
    return system_keys("distribution.", std::move(all));
}

void check_distribution(const Distribution& distribution, const KeyCheck& keys) {
    const auto shown_as = [](auto value) { return "\"" + to_text(value) + "\""; };
    const DistributionConsumers& consumers = distribution.consumers;
    const DistributionSwitch& network_switch = distribution.network_switch;
    keys.expect(consumers.buffer >= distribution.event, "event",
                found_text(distribution.event) +
                    "no more than a consumer holds, distribution.consumers.buffer = " + shown_as(consumers.buffer));
    const bool by_credit = distribution.scheduler == Distribution::Scheduler::Credit;
    keys.expect(!by_credit || Wide{distribution.event.count} * consumers.credits <= consumers.buffer.count,
                "consumers.credits",
                "found " + std::to_string(consumers.credits) + " credits of " + shown_as(distribution.event) +
                    ", expected no more than distribution.consumers.buffer = " + shown_as(consumers.buffer) + " holds");
    keys.expect(consumers.xoff <= consumers.buffer, "consumers.xoff",
                found_text(consumers.xoff) + "at most distribution.consumers.buffer = " + shown_as(consumers.buffer));
    const Bytes frame = roce::frame_size(distribution.mtu, true) + Bytes{roce::kFcs};
    keys.expect(network_switch.buffer.amount >= frame.count, "switch.buffer",
                found_text(network_switch.buffer) + "at least one frame, " + shown_as(frame));
    keys.expect(network_switch.alpha.numerator > 0, "switch.alpha",
                "found 0, expected more: inputs would always be paused");
    keys.expect(distribution.dcqcn.mark_from < distribution.dcqcn.mark_to, "dcqcn.mark_from",
                found_text(distribution.dcqcn.mark_from) +
                    "less than distribution.dcqcn.mark_to = " + shown_as(distribution.dcqcn.mark_to));
    keys.expect(distribution.duration - distribution.warm_up >= distribution.window, "duration",
                found_text(distribution.duration) + "at least a window after the warm-up, distribution.warm_up = " +
                    shown_as(distribution.warm_up) + " and distribution.window = " + shown_as(distribution.window));
    keys.expect(distribution.duration <= Time{60'000'000'000'000}, "duration",
                found_text(distribution.duration) + "at most a minute");
}

}  // namespace

System distribution() {
    System system;
    system.name = "distribution";
    system.help = "producers that send whole events to consumers by RoCE";
    system.keys = distribution_keys;
    system.check = [](const Scenario& scenario, const KeyPlace& place) {
        check_distribution(scenario.of<Distribution>(), {place, "distribution."});
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
