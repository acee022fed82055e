// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "model/switch/buffer.h"

/// A switch and its flow control, as plain data.
namespace watershed {

/// Order in which frames that arrive at the same instant ask for memory.
enum class ArrivalOrder {
    Module,    ///< the lowest module number
    Rotating,  ///< event e begins with module e, modulo the number of modules
    Random     ///< a permutation drawn for each event from the seed
};

/// Rule by which a frame's uplink is chosen.
struct UplinkChoice {
    enum class Rule {
        Modulo,      ///< modules take turns by their number
        RoundRobin,  ///< frames take turns in the order in which the switch decides on them
        Hash,        ///< hash of the frame's addresses: every module keeps to one uplink
        Static,      ///< the uplink in `list`
        Random       ///< drawn for each frame; only at a switch among hosts in ns-3
    };
    enum class Fields { Layer2, Layer3, Layer3And4, FiveTuple };
    enum class Fold { Crc16, Xor };
    Rule rule = Rule::Modulo;
    Fields fields = Fields::Layer3And4;
    Fold fold = Fold::Crc16;
    std::vector<std::int64_t> list;  ///< uplink of each module, from 1, cyclic

    static constexpr bool has_ports(Fields fields) { return fields >= Fields::Layer3And4; }
};

/// Flow control: the orders by which a switch keeps its senders from overrunning it.
struct FlowControl {
    enum class Kind {
        None,
        Pause,  ///< IEEE 802.3x: the whole link stops
        Pfc     ///< IEEE 802.1Qbb: one traffic class stops, the camera's
    };
    Kind kind = Kind::None;
    MemorySize xoff{0, MemorySize::Unit::Frame};  ///< an input that holds more tells its sender to pause
    MemorySize xon{0, MemorySize::Unit::Frame};   ///< and to go on once it holds no more than this
    std::int64_t quanta = 65535;                  ///< length of a pause in 512 bit times; renewed while it is needed
    std::vector<std::int64_t> classes{};          ///< classes that priority flow control pauses; empty: all
    std::optional<Ratio> alpha{};                 ///< in place of xoff and xon: pause at alpha times the free memory
    MemorySize xon_offset{0, MemorySize::Unit::Frame};  ///< and go on this far below that, or when empty
    std::vector<Ratio> class_alphas{};                  ///< in place of `alpha`, from class 0 on
    bool xon_fixed = false;                             ///< xon_offset counts from the amount held when the pause began
    /// Frames that go to headroom, and the amounts that decide on a pause and its end.
    enum class Rule {
        Memory,  ///< frames that the memory refuses after a pause; memory that any input gives back may end a pause
        Hpcc,    ///< frames that take their queue above its threshold; that queue alone decides
        Sonic    ///< as Hpcc, by the amount held, and on headroom as long as the queue has some there
    };
    Rule rule = Rule::Memory;

    bool pauses(int traffic_class) const {
        return classes.empty() || std::find(classes.begin(), classes.end(), traffic_class) != classes.end();
    }
};

/// Bit c for class c that priority flow control pauses.
inline unsigned lossless_classes(const FlowControl& control) {
    unsigned classes = 0;
    if (control.kind == FlowControl::Kind::Pfc)
        for (int each = 0; each < 8; ++each) classes |= static_cast<unsigned>(control.pauses(each)) << each;
    return classes;
}

/// An entry of a gate control list.
struct GateEntry {
    Time lasts{0};
    unsigned classes = 0;  ///< bit c for class c, whose gate is open

    friend bool operator==(const GateEntry& a, const GateEntry& b) {
        return a.lasts == b.lasts && a.classes == b.classes;
    }
};

/// Order in which an uplink serves traffic classes.
struct Scheduling {
    enum class Kind {
        Fifo,                ///< all in one queue
        StrictPriority,      ///< a queue for each class, the highest first
        WeightedRoundRobin,  ///< classes take turns of so many frames
        DeficitRoundRobin  ///< or of so many bytes; Shreedhar and Varghese, IEEE/ACM Transactions on Networking 4, 1996
    };
    Kind kind = Kind::Fifo;
    std::vector<std::int64_t> weights;  ///< weights of classes 0, 1, …; 1 beyond the list
    Bytes quantum{1538};                ///< bytes on the link for each unit of weight, deficit round robin
    std::vector<BitRate> rates{};       ///< shaper rates of classes 0, 1, …; no limit beyond the list
    std::vector<Bytes> bursts{};        ///< sizes of their token buckets; 0 B beyond the list
    /// Bytes of a frame that a shaper counts.
    enum class Counts { Link, Frame };
    Counts counts = Counts::Link;
    std::vector<GateEntry> gates{};  ///< gate control list, repeated from time 0 on; empty: all gates are open
};

/// Queues in which frames wait inside a switch.
enum class Queueing {
    Output,         ///< one queue for each uplink
    VirtualOutput,  ///< one queue for each input and uplink; uplinks serve the inputs in turn
    InputFifo       ///< one queue for each input; its first frame holds up those behind it
};

/// Ports of one speed.
struct PortGroup {
    BitRate speed;
    int count = 0;

    friend bool operator==(const PortGroup& a, const PortGroup& b) { return a.speed == b.speed && a.count == b.count; }
};

/// A failure of a link or of a switch.
struct Failure {
    std::string name;
    std::string link;       ///< "switch 1 to aggregation", all cables between them; empty: a switch fails
    std::string at_switch;  ///< fails with all its links and loses what it holds; empty: a link does
    Time at{0};
    std::optional<Time> until;  ///< absent: it does not come back

    friend bool operator==(const Failure& a, const Failure& b) {
        return a.name == b.name && a.link == b.link && a.at_switch == b.at_switch && a.at == b.at && a.until == b.until;
    }
};

/// A switch: its uplinks, what lies between inputs and outputs, and its memory.
struct Switch {
    std::string model;             ///< name of a real switch whose values the scenario begins with; empty for none
    std::vector<PortGroup> ports;  ///< ports of the model, or as the scenario says; empty: unknown
    int count = 1;    ///< number of such switches; modules or links are spread over them as evenly as possible
    int uplinks = 1;  ///< uplinks of each switch
    BitRate uplink_rate{10'000'000'000};
    Time latency{0};  ///< time from a frame's last bit in to its first bit out, if nothing is queued
    ArrivalOrder arrival_order = ArrivalOrder::Module;
    UplinkChoice uplink_choice;
    Queueing queueing = Queueing::Output;
    Scheduling scheduling;
    std::optional<MemorySize>
        input_fifo;  ///< frames or bytes of each input that may wait for memory; absent: they are lost at once
    std::optional<BitRate> fabric_rate;  ///< rate from the inputs of a port group to the memory; absent: no limit
    int port_groups = 1;                 ///< groups of neighbouring inputs
    bool cut_through = false;            ///< a frame that finds its uplink idle leaves before it has arrived
    Bytes cut_through_after{64};         ///< bytes that must have arrived before
    FlowControl flow_control;
    bool obeys_pause = true;  ///< uplinks stop when the switch that they lead to tells them to
    Time pause_reaction{0};   ///< time from the end of a PAUSE frame to its effect
    Buffer buffer;
    std::vector<Failure> failures;  ///< all of the network that it stands in
};

/// A change of the ways from a switch, as links of the network fail or come back.
struct UplinkChange {
    Time time{0};
    std::vector<int> failing;  ///< uplinks that are down from now on
    /// Uplinks by which a frame reaches each event builder from now on, ascending, and last those that lead to any.
    std::vector<std::vector<int>> towards;
};

/// A switch among others: its name and number, and the links that lead to it and away.
struct SwitchPlace {
    struct Input {
        BitRate rate{0};
        std::vector<int> classes;  ///< classes of the frames that may come there, ascending
    };

    std::string name = "switch";
    int number = 0;  ///< index in Network
    std::vector<Input> inputs;
    std::vector<BitRate> uplinks;  ///< their rates
    /// Uplinks that lead to each event builder, by its number from 0, ascending; empty: there is one builder.
    std::vector<std::vector<int>> towards{};
    std::vector<UplinkChange> changes{};  ///< in the order of their times
};

}  // namespace watershed
