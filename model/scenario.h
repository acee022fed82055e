// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/roce/distribution.h"
#include "model/ejfat/ejfat.h"
#include "model/ipbus/flashing.h"
#include "model/base/frame.h"
#include "model/ipbus/ipbus.h"
#include "model/base/quantities.h"
#include "model/server/receiver.h"
#include "model/udpmon/udpmon.h"

/// What a scenario file says, as plain data: every member is one key, and its default is the key's.
namespace watershed {

/// A row of a rate profile.
struct RatePoint {
    Time time{0};
    Frequency rate{0};
};

/// Bursts that come beside other triggers: an aeroplane's flashes, a calibration.
struct ExtraBursts {
    std::int64_t events = 0;    ///< triggers of each; 0: there are none
    Time separation{0};         ///< of these
    Frequency rate{0};          ///< at which they come at random, from the end of one to the beginning of the next; 0: they come regularly
    Time period{0};             ///< then: from the beginning of one to that of the next; the first one period after the start
};

/// When the camera triggers.
struct Trigger {
    enum class Pattern {
        Burst,     ///< `events` triggers, `separation` apart
        Periodic,  ///< at `rate`, until `events` or `duration` is reached
        Bursts,    ///< `bursts` bursts, the first triggers of two bursts `period` apart
        Poisson,   ///< at `rate` before dead time, until `events` or `duration` is reached
        File,      ///< at `times`
        Profile,   ///< at a rate that changes as `profile` says, until its end, `events` or `duration` is reached
        LineRatePlusBurst  ///< module 1 sends without pause, module 2 only the first `events` frames
    };
    Pattern pattern = Pattern::Burst;
    Time separation{0};
    std::optional<std::int64_t> events;
    Frequency rate{0};
    std::optional<Time> duration;
    std::int64_t bursts = 1;
    Time period{0};
    Time dead_time{0};          ///< a trigger closer to the last accepted one is ignored; 2 us for poisson and random profiles
    std::vector<Time> times;    ///< pattern `file`: when, ascending
    std::vector<RatePoint> profile;   ///< pattern `profile`: rates by time, linear between
    bool regular = false;       ///< pattern `profile`: evenly spaced instead of at random
    std::optional<Time> largest_step; ///< pattern `profile`: rows further apart are a gap
    std::string file;           ///< where `times` or `profile` came from
    ExtraBursts burst;          ///< on top of the patterns periodic, poisson and profile
};

/// The modules' Ethernet ports, one link each.
struct FrontEnd {
    int modules = 44;
    int modules_before = 0;             ///< not a key: modules of the whole camera that precede these, where a scenario is one switch of several
    BitRate link_rate{1'000'000'000};
    std::optional<std::int64_t> fifo;   ///< frames an output FIFO holds, the one being sent included; absent: no limit
    std::vector<Time> skew;             ///< delay of each module's trigger, cyclic if shorter than `modules`
    Time skew_spread{0};                ///< and a constant uniform in [0, spread] per module
    Time jitter{0};                     ///< and one uniform in [0, jitter] per module and trigger
    std::vector<ClockTolerance> clock;  ///< deviation of each module's clock, cyclic if shorter than `modules`
    ClockTolerance clock_spread{0};     ///< and a constant uniform in [-spread, +spread] per module
    bool obeys_pause = true;            ///< modules stop when the switch tells them to
    Time pause_reaction{0};             ///< from the end of a PAUSE frame to its effect
    std::vector<std::int64_t> source_ports;   ///< UDP port of each module, cyclic; empty: 49152 + module
};

/// How far a queue must have fallen: to a fraction of what it held at the drop, or to an amount.
using ResumeLevel = std::variant<Ratio, MemorySize>;

/// The memory of a switch and who may use it.
struct Buffer {
    enum class Sharing {
        Shared,                   ///< one memory for all
        PerInput,                 ///< each input owns one of `size`
        PerOutput,                ///< each output owns one of `size`
        DynamicThreshold,         ///< a queue may grow while it is below alpha times what is free; Choudhury and Hahne, 1998
        Abm,                      ///< the same, with alpha divided among the congested queues; Addanki et al., 2022
        EnhancedDynamicThreshold  ///< the same, but a queue that has just begun may exceed its threshold by `excess`
    };
    /// Whose queues the accounts are of.
    enum class Accounting { Egress, Ingress, Both };
    /// Which end of a frame's way out gives its memory back.
    enum class Release { End, Start };

    Sharing sharing = Sharing::Shared;
    MemorySize size;                                   ///< the whole memory, or each port's own
    Accounting accounting = Accounting::Egress;        ///< of the shared kinds
    Bytes cell{0};                                     ///< memory is handed out in cells of this size; 0: it is not
    Bytes cell_header{0};                              ///< stored with each frame, where there are cells
    std::optional<std::int64_t> descriptors{};         ///< frames that `size` holds at most, however small
    int slices = 1;                                    ///< the memory is split evenly among so many groups of ports
    MemorySize reserved{0, MemorySize::Unit::Byte};    ///< of each queue alone, beside `size`
    Ratio alpha{};                                     ///< of the dynamic thresholds
    MemorySize excess{0, MemorySize::Unit::Byte};      ///< of the enhanced dynamic threshold
    int queues = 1;                                    ///< traffic classes of a port
    bool queue_split = false;                          ///< and each has its share of `size`; the camera uses one of them
    std::optional<ResumeLevel> resume{};               ///< after a drop for want of memory a queue refuses until it has fallen to this
    std::optional<ResumeLevel> descriptors_resume{};   ///< and after one for want of descriptors; absent: as `resume`
    Release release = Release::End;
    MemorySize wred_from{0, MemorySize::Unit::Byte};   ///< random early detection begins where a queue holds this
    MemorySize wred_to{0, MemorySize::Unit::Byte};     ///< and is certain from here on; 0: there is none
    Ratio wred_probability{0, 1};                      ///< just below `wred_to`
    bool ecn = false;                                  ///< frames are marked instead of dropped; UDP senders take no notice
    MemorySize headroom{0, MemorySize::Unit::Byte};    ///< of each input, beside `size`, for frames that come although it was told to pause
};

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
        Static       ///< as `list` says
    };
    enum class Fields { Layer2, Layer3, Layer3And4 };
    enum class Fold { Crc16, Xor };
    Rule rule = Rule::Modulo;
    Fields fields = Fields::Layer3And4;
    Fold fold = Fold::Crc16;
    std::vector<std::int64_t> list;   ///< uplink of each module, from 1, cyclic
};

/// What a switch does to keep its senders from overrunning it.
struct FlowControl {
    enum class Kind {
        None,
        Pause,   ///< IEEE 802.3x: the whole link stops
        Pfc      ///< IEEE 802.1Qbb: one traffic class stops, the camera's
    };
    Kind kind = Kind::None;
    MemorySize xoff{0, MemorySize::Unit::Frame};         ///< an input that holds more tells its module to pause
    MemorySize xon{0, MemorySize::Unit::Frame};          ///< and to go on once it holds no more than this
    std::int64_t quanta = 65535;                         ///< length of a pause in 512 bit times; renewed while it is needed
    std::optional<Ratio> alpha{};                        ///< in place of xoff and xon: pause at so many times what is free of the memory
    MemorySize xon_offset{0, MemorySize::Unit::Frame};   ///< and go on so far below that, or when empty
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
};

/// A switch: its uplinks, what lies between inputs and outputs, and its memory.
struct Switch {
    std::string model;   ///< name of a real switch whose values the scenario begins with; empty for none
    std::vector<PortGroup> ports;   ///< that model's, or as the scenario says; empty: unknown
    int count = 1;       ///< of such switches, among which modules or links are spread as evenly as possible
    int uplinks = 1;     ///< of each
    BitRate uplink_rate{10'000'000'000};
    Time latency{0};   ///< from a frame's last bit in to its first bit out, where nothing is queued
    ArrivalOrder arrival_order = ArrivalOrder::Module;
    UplinkChoice uplink_choice;
    Queueing queueing = Queueing::Output;
    std::optional<MemorySize> input_fifo;   ///< of each input: frames or bytes that wait for memory; absent: they are lost at once
    std::optional<BitRate> fabric_rate;     ///< between the inputs of a port group and the memory; absent: no limit
    int port_groups = 1;                    ///< of neighbouring inputs
    bool cut_through = false;               ///< a frame that finds its uplink idle leaves before it has arrived
    Bytes cut_through_after{64};            ///< once so much of it has
    FlowControl flow_control;
    Buffer buffer;
};

/// A switch of a free graph.
struct Node {
    std::string name;
    int modules = 0;                        ///< consecutive ones, after those of the nodes before
    std::vector<std::string> to{"server"};  ///< where its uplinks lead, in turn: other nodes or "server"
    std::vector<BitRate> rates;             ///< of its uplinks, in turn; empty: all as `network_switch` says
    Switch network_switch;
};

/// The camera server.
struct Server {
    std::optional<int> interfaces;      ///< network ports; absent: as many as links lead there
    std::optional<Receiver> receiver;   ///< absent: it takes every frame the moment it has arrived
};

/// What a scenario is about; each system but the camera has a table of its own.
enum class System { Camera, Udpmon, Ejfat, Ipbus, Flashing, Distribution };

/// All that a scenario file says.
struct Scenario {
    System system = System::Camera;
    FrameFormat frame;
    FrontEnd front_end;
    Trigger trigger;
    Switch network_switch;
    std::optional<Switch> aggregation;   ///< switches between the uplinks of `network_switch` and the server
    std::vector<Node> nodes;             ///< in place of both
    Server server;
    std::uint64_t seed = 1;
    Udpmon udpmon;
    Ipbus ipbus;
    Flashing flashing;
    Ejfat ejfat;
    Distribution distribution;
};

}  // namespace watershed
