// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/frame.h"
#include "model/quantities.h"

/// What a scenario file says, as plain data: every member is one key, and its default is the key's.
namespace watershed {

/// When the camera triggers.
struct Trigger {
    enum class Pattern {
        Burst,     ///< `events` triggers, `separation` apart
        Periodic,  ///< at `rate`, until `events` or `duration` is reached
        Bursts,    ///< `bursts` bursts, the first triggers of two bursts `period` apart
        Poisson,   ///< at `rate` before dead time, until `events` or `duration` is reached
        File       ///< at `times`
    };
    Pattern pattern = Pattern::Burst;
    Time separation{0};
    std::optional<std::int64_t> events;
    Frequency rate{0};
    std::optional<Time> duration;
    std::int64_t bursts = 1;
    Time period{0};
    Time dead_time{0};          ///< a trigger closer to the last accepted one is ignored; 2 us for poisson
    std::vector<Time> times;    ///< pattern `file`: when, ascending
    std::string file;           ///< where `times` came from
};

/// The modules' Ethernet ports, one link each.
struct FrontEnd {
    int modules = 44;
    BitRate link_rate{1'000'000'000};
    std::optional<std::int64_t> fifo;   ///< frames an output FIFO holds, the one being sent included; absent: no limit
    std::vector<Time> skew;             ///< delay of each module's trigger, cyclic if shorter than `modules`
    Time skew_spread{0};                ///< and a constant uniform in [0, spread] per module
    Time jitter{0};                     ///< and one uniform in [0, jitter] per module and trigger
    std::vector<ClockTolerance> clock;  ///< deviation of each module's clock, cyclic if shorter than `modules`
    ClockTolerance clock_spread{0};     ///< and a constant uniform in [-spread, +spread] per module
};

/// The memory of a switch and who may use it.
struct Buffer {
    enum class Sharing { Shared, PerInput };
    Sharing sharing = Sharing::Shared;
    MemorySize size;   ///< the whole memory, or each input's own with PerInput
};

/// Which of the frames that arrive at the same instant asks for memory first.
enum class ArrivalOrder {
    Module,    ///< the lowest module number
    Rotating,  ///< event e begins with module e, modulo the number of modules
    Random     ///< a permutation drawn for each event from the seed
};

struct Switch {
    int uplinks = 1;
    BitRate uplink_rate{10'000'000'000};
    Time latency{0};   ///< from a frame's last bit in to its first bit out, where nothing is queued
    ArrivalOrder arrival_order = ArrivalOrder::Module;
    Buffer buffer;
};

struct Scenario {
    FrameFormat frame;
    FrontEnd front_end;
    Trigger trigger;
    Switch network_switch;
    std::uint64_t seed = 1;
};

}  // namespace watershed
