// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/quantities.h"
#include "model/scenario.h"

/// What a run of a scenario gives, the same for every engine.
namespace watershed {

/// Who lost a frame and why. Each component that loses frames names its own as constants.
struct LossCause {
    std::string_view where;
    std::string_view reason;

    friend bool operator==(const LossCause& a, const LossCause& b) { return a.where == b.where && a.reason == b.reason; }
};

/// A frame's place in the data taking; event and module count from 1, frame from 0 within the fragment.
struct FrameId {
    std::int64_t event = 0;
    int module = 0;
    int frame = 0;

    friend bool operator==(const FrameId& a, const FrameId& b) { return a.event == b.event && a.module == b.module && a.frame == b.frame; }
};

struct FirstLoss {
    FrameId frame;
    Time time{0};   ///< of the decision, from the first trigger's time axis

    friend bool operator==(const FirstLoss& a, const FirstLoss& b) { return a.frame == b.frame && a.time == b.time; }
};

struct Outcome {
    struct Loss {
        std::string where;
        std::string reason;
        std::int64_t frames = 0;
        friend bool operator==(const Loss& a, const Loss& b) { return a.where == b.where && a.reason == b.reason && a.frames == b.frames; }
    };
    struct Uplink {
        std::int64_t frames = 0;
        Bytes wire{0};   ///< sum of the slots sent
        friend bool operator==(const Uplink& a, const Uplink& b) { return a.frames == b.frames && a.wire == b.wire; }
    };
    struct IncompleteEvent {
        std::int64_t event = 0;
        std::int64_t missing = 0;   ///< frames
        friend bool operator==(const IncompleteEvent& a, const IncompleteEvent& b) { return a.event == b.event && a.missing == b.missing; }
    };

    std::int64_t frames_sent = 0;
    std::int64_t frames_received = 0;
    std::int64_t events_sent = 0;
    std::int64_t events_complete = 0;
    std::int64_t peak_frames = 0;            ///< most frames in the switch memory at once
    Bytes peak_bytes{0};                     ///< and bytes, by their buffer size
    std::int64_t frames_marked = 0;          ///< by explicit congestion notification
    std::int64_t frames_cut_through = 0;
    Time latency_saved{0};                   ///< by cutting through, over all these frames
    std::int64_t pauses = 0;                 ///< times that a module was told to pause
    std::vector<Loss> losses;                ///< by place and reason, in alphabetical order
    std::optional<FirstLoss> first_loss;
    std::vector<std::int64_t> lost_by_module;
    std::vector<IncompleteEvent> incomplete; ///< by event
    std::vector<Uplink> uplinks;
    Time simulated{0};                       ///< when the last frame had left the switch, or was lost
    /// The switch decided on no frame after one of a later event. Then the first m events are what a burst of m events gives,
    /// because admission never looks ahead.
    bool events_in_order = true;
    /// The first event after the first that found the switch empty and idle; 0 if none did.
    std::int64_t first_idle_event = 0;

    std::int64_t frames_lost() const { return frames_sent - frames_received; }
    /// Everything counted agrees; what two engines must show.
    friend bool operator==(const Outcome& a, const Outcome& b) {
        return a.frames_sent == b.frames_sent && a.frames_received == b.frames_received && a.events_sent == b.events_sent &&
               a.events_complete == b.events_complete && a.peak_frames == b.peak_frames && a.peak_bytes == b.peak_bytes &&
               a.losses == b.losses && a.first_loss == b.first_loss && a.lost_by_module == b.lost_by_module &&
               a.incomplete == b.incomplete && a.frames_marked == b.frames_marked && a.frames_cut_through == b.frames_cut_through &&
               a.latency_saved == b.latency_saved && a.pauses == b.pauses && a.uplinks == b.uplinks && a.simulated == b.simulated &&
               a.events_in_order == b.events_in_order && a.first_idle_event == b.first_idle_event;
    }
};

/// What an engine tells while it runs; members left empty cost nothing.
struct Observer {
    /// The switch memory after each change: time, frames, bytes.
    std::function<void(Time, std::int64_t, Bytes)> occupancy;
    /// A frame that was lost, at the time of the decision.
    std::function<void(const FrameId&, Time, const LossCause&)> lost;
    /// Triggers sent so far, now and then.
    std::function<void(std::int64_t)> progress;
};

}  // namespace watershed
