// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/frame.h"
#include "model/base/quantities.h"
#include "model/frontend/module-ports.h"

/// Who sends what when, as plain data.
namespace watershed {

/// Frames beside the camera's that go to the server through its switches: slow control, time stamps, another camera.
struct TrafficStream {
    enum class Pattern {
        Constant,  ///< frames evenly spaced, at `rate`
        Bursts,    ///< `burst` frames at once, every `period`
        Poisson,   ///< frames at random, at `rate` on average
        OnOff      ///< evenly spaced at `rate` for a random time of mean `on`, then silent for one of mean `off`
    };
    /// Rate of frames: their number, or their bits on the link, in a second.
    struct Rate {
        Frequency frames{0};
        BitRate bits{0};  ///< if not 0, in place of `frames`
    };

    std::string name;
    Pattern pattern = Pattern::Constant;
    Bytes payload{1024};
    Rate rate;
    std::int64_t burst = 1;
    Time period{0};
    Time on{0}, off{0};
    Time start{0};                     ///< beginning of its first frame, burst or wait
    ClockTolerance clock;              ///< the error of its clock is drawn up to this, fast or slow
    Time jitter{0};                    ///< largest delay of a frame, or burst; uniform
    std::optional<Time> phase;         ///< delay of all frames; absent: drawn, up to one period of frames or bursts
    std::optional<Time> stop;          ///< end of the stream; absent: it sends as long as the camera does
    int traffic_class = 0;             ///< IEEE 802.1p
    std::optional<int> module;         ///< module over whose link it comes, from 1; absent: a link of its own
    std::string at_switch;             ///< name in Network of the switch of its own link; empty: the first
    std::optional<BitRate> link_rate;  ///< rate of its own link; absent: that of the modules
    bool obeys_pause = true;           ///< true if its own link obeys pauses
};

/// A row of a rate profile.
struct RatePoint {
    Time time{0};
    Frequency rate{0};
};

/// Bursts that come beside other triggers: an aeroplane's flashes, a calibration.
struct SuperposedBursts {
    std::int64_t events = 0;  ///< triggers per burst; 0: no bursts
    Time separation{0};       ///< time between the triggers of a burst
    Frequency rate{0};        ///< rate of random bursts, from one's end to the next's beginning; 0: bursts are regular
    Time period{0};           ///< period of regular bursts; the first one begins one period after the start
};

/// Rule by which a trigger system accepts or refuses triggers.
struct TriggerRule {
    enum class Kind {
        Count,      ///< at most `events` in any interval of `time`, one of its ends excluded
        Bucket,     ///< a trigger takes a token of a bucket, which holds `events` and gets one each `time`
        AlmostFull  ///< none where the memory of the switch held `level` or more, `time` before
    };
    Kind kind = Kind::Count;
    std::int64_t events = 1;
    Time time{0};
    MemorySize level{};
    friend bool operator==(const TriggerRule& a, const TriggerRule& b) {
        return a.kind == b.kind && a.events == b.events && a.time == b.time && a.level == b.level;
    }
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
    Time dead_time{0};  ///< a trigger closer to the last accepted one is ignored; 2 us for poisson and random profiles
    std::vector<TriggerRule> rules;    ///< a trigger that one of them refuses is ignored
    std::vector<Time> times;           ///< pattern `file`: when, ascending
    std::vector<RatePoint> profile;    ///< pattern `profile`: rates by time, linear between
    bool regular = false;              ///< pattern `profile`: evenly spaced instead of at random
    std::optional<Time> largest_step;  ///< pattern `profile`: rows further apart are a gap
    std::string file;                  ///< source of `times` or `profile`
    SuperposedBursts burst;            ///< on top of the patterns periodic, poisson and profile
};

/// Modules of one kind, where a detector has several.
struct Group {
    std::string name;
    FrameFormat frame;
    FrontEnd front_end;  ///< `modules` are this group's, `modules_before` those of the groups before it
    Time delay{0};       ///< from the trigger to the group's answer, until placed_after() adds it to the skew
    std::optional<Trigger> trigger;  ///< its own; absent: the common one
    std::string at_switch;           ///< name in Network; empty: its modules are dealt to the switches like all others
};

/// Event builders, each with interfaces of its own, and to which of them a frame goes.
struct Builders {
    enum class Assignment {
        InTurn,  ///< event e goes to builder 1 + (e - 1) mod `count`
        Random,  ///< the builder of each event is drawn
        ByGroup  ///< group g sends all to builder 1 + (g - 1) mod `count`
    };
    enum class Order {
        InTurn,   ///< all modules keep to `assignment`
        Shifted,  ///< module m sends m - 1 builders further, cyclically
        Random    ///< the builder of each module's part of an event is drawn
    };
    enum class Copies {
        One,  ///< a frame goes to the builder that `assignment` and `order` say
        All   ///< switches copy it on its way, so that each builder gets it
    };
    int count = 1;
    Assignment assignment = Assignment::InTurn;
    Order order = Order::InTurn;
    Copies copies = Copies::One;
    /// Returns the number of builders that get each frame.
    int receiving() const { return copies == Copies::All ? count : 1; }
    bool are_drawn() const { return assignment == Assignment::Random || order == Order::Random; }
};

/// Modules that send what they have of every event at once.
struct Senders {
    FrameFormat frame;
    FrontEnd front_end;
    Trigger trigger;
    std::vector<TrafficStream> traffic;  ///< beside the camera
    std::vector<Group> groups;  ///< all modules by kind, in the order of their numbers; empty: one kind, as `frame`
                                ///< and `front_end` say, whose `modules` are always all modules
    Builders builders;
    std::uint64_t seed = 1;
};

}  // namespace watershed
