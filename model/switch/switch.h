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

/// Which of the frames that arrive at the same instant asks for memory first.
enum class ArrivalOrder {
    Module,    ///< the lowest module number
    Rotating,  ///< event e begins with module e, modulo the number of modules
    Random     ///< a permutation drawn for each event from the seed
};

/// How a frame's uplink is chosen.
struct UplinkChoice {
    enum class Rule {
        Modulo,      ///< modules take turns by their number
        RoundRobin,  ///< frames take turns in the order in which the switch decides on them
        Hash,        ///< of the frame's addresses: every module keeps to one uplink
        Static,      ///< as `list` says
        Random       ///< by lot for each frame; of a switch among hosts in ns-3 alone
    };
    enum class Fields { Layer2, Layer3, Layer3And4, FiveTuple };
    enum class Fold { Crc16, Xor };
    Rule rule = Rule::Modulo;
    Fields fields = Fields::Layer3And4;
    Fold fold = Fold::Crc16;
    std::vector<std::int64_t> list;  ///< uplink of each module, from 1, cyclic

    static constexpr bool has_ports(Fields fields) { return fields >= Fields::Layer3And4; }
};

/// What a switch does to keep its senders from overrunning it.
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
    std::vector<std::int64_t> classes{};          ///< that priority flow control pauses; empty: all
    std::optional<Ratio> alpha{};  ///< in place of xoff and xon: pause at so many times what is free of the memory
    MemorySize xon_offset{0, MemorySize::Unit::Frame};  ///< and go on so far below that, or when empty
    std::vector<Ratio> class_alphas{};                  ///< in place of `alpha`, from class 0 on
    bool xon_fixed = false;  ///< below what was held when the pause began, whatever has become free since
    /// Which frames go to headroom, and what is looked at before an input is told anything.
    enum class Rule {
        Memory,  ///< those that the memory refuses after a pause; who may go on is told so whoever gave memory back
        Hpcc,    ///< those that take their queue above its threshold; nobody but that queue is looked at
        Sonic    ///< the same with other books: what is held, and headroom until there is none
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

/// How an uplink serves traffic classes.
struct Scheduling {
    enum class Kind {
        Fifo,                ///< all in one queue
        StrictPriority,      ///< a queue for each class, the highest first
        WeightedRoundRobin,  ///< these take turns of so many frames
        DeficitRoundRobin  ///< or of so many bytes; Shreedhar and Varghese, IEEE/ACM Transactions on Networking 4, 1996
    };
    Kind kind = Kind::Fifo;
    std::vector<std::int64_t> weights;  ///< of classes 0, 1, …; 1 for those beyond the list
    Bytes quantum{1538};                ///< of the link for each weight, deficit round robin
    std::vector<BitRate> rates{};       ///< of the shapers of classes 0, 1, …; no limit for those beyond the list
    std::vector<Bytes> bursts{};        ///< of their token buckets; 0 B for those beyond the list
    /// What of a frame a shaper counts.
    enum class Counts { Link, Frame };
    Counts counts = Counts::Link;
};

/// Where frames wait inside a switch.
enum class Queueing {
    Output,         ///< in one queue for each uplink
    VirtualOutput,  ///< in one queue for each input and uplink; uplinks serve the inputs in turn
    InputFifo       ///< in one queue for each input, where the first frame holds up those behind it
};

/// Ports of one speed.
struct PortGroup {
    BitRate speed;
    int count = 0;

    friend bool operator==(const PortGroup& a, const PortGroup& b) { return a.speed == b.speed && a.count == b.count; }
};

/// A switch: its uplinks, what lies between inputs and outputs, and its memory.
struct Switch {
    std::string model;             ///< name of a real switch whose values the scenario begins with; empty for none
    std::vector<PortGroup> ports;  ///< that model's, or as the scenario says; empty: unknown
    int count = 1;                 ///< of such switches, among which modules or links are spread as evenly as possible
    int uplinks = 1;               ///< of each
    BitRate uplink_rate{10'000'000'000};
    Time latency{0};  ///< from a frame's last bit in to its first bit out, where nothing is queued
    ArrivalOrder arrival_order = ArrivalOrder::Module;
    UplinkChoice uplink_choice;
    Queueing queueing = Queueing::Output;
    Scheduling scheduling;
    std::optional<MemorySize>
        input_fifo;  ///< of each input: frames or bytes that wait for memory; absent: they are lost at once
    std::optional<BitRate> fabric_rate;  ///< between the inputs of a port group and the memory; absent: no limit
    int port_groups = 1;                 ///< of neighbouring inputs
    bool cut_through = false;            ///< a frame that finds its uplink idle leaves before it has arrived
    Bytes cut_through_after{64};         ///< once so much of it has
    FlowControl flow_control;
    bool obeys_pause = true;  ///< uplinks stop when the switch that they lead to tells them to
    Time pause_reaction{0};   ///< from the end of a PAUSE frame to its effect
    Buffer buffer;
};

/// A switch among others: how they know it, and the links that lead to it and away.
struct SwitchPlace {
    struct Input {
        BitRate rate{0};
        std::vector<int> classes;  ///< of the frames that may come there, ascending
    };

    std::string name = "switch";
    int number = 0;  ///< in the order of Network
    std::vector<Input> inputs;
    std::vector<BitRate> uplinks;  ///< their rates
    /// Uplinks that lead to each event builder, by its number from 0, ascending; empty: there is one builder.
    std::vector<std::vector<int>> towards{};
};

}  // namespace watershed
