// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/loss.h"
#include "model/base/quantities.h"
#include "model/base/recovery.h"

/// Result of a run of a scenario, equal for all engines.
namespace watershed {

/// The first frame that was lost.
struct FirstLoss {
    FrameId frame;
    Time time{0};       ///< time of the loss, on the time axis of the triggers
    std::string where;  ///< place as in LossCause

    friend bool operator==(const FirstLoss& a, const FirstLoss& b) {
        return a.frame == b.frame && a.time == b.time && a.where == b.where;
    }
};

/// Result of a run; both engines give the same.
struct Outcome {
    /// Frames lost in one place for one reason.
    struct Loss {
        std::string where;
        std::string reason;
        std::int64_t frames = 0;
        friend bool operator==(const Loss& a, const Loss& b) {
            return a.where == b.where && a.reason == b.reason && a.frames == b.frames;
        }
    };
    /// Frames that a link carried.
    struct Link {
        std::int64_t frames = 0;
        Bytes wire{0};  ///< sum of the slots sent
        friend bool operator==(const Link& a, const Link& b) { return a.frames == b.frames && a.wire == b.wire; }
    };
    /// Results of one switch.
    struct Switch {
        std::string name;  ///< as in Network
        std::int64_t frames_lost = 0;
        std::int64_t peak_frames = 0;            ///< most frames in its memory at once
        Bytes peak_bytes{0};                     ///< most bytes there at once, by buffer size
        std::optional<std::int64_t> peak_cells;  ///< most cells there at once, if the memory is handed out in cells
        std::int64_t first_idle_event =
            0;            ///< the first event after the first that found it empty and idle; 0 if none did
        Time fullest{0};  ///< time of the last frame that filled it to its peak; 0 if it never held one
        Time drained{0};  ///< time at which its memory was empty next
        friend bool operator==(const Switch& a, const Switch& b) {
            return a.name == b.name && a.frames_lost == b.frames_lost && a.peak_frames == b.peak_frames &&
                   a.peak_bytes == b.peak_bytes && a.peak_cells == b.peak_cells &&
                   a.first_idle_event == b.first_idle_event && a.fullest == b.fullest && a.drained == b.drained;
        }
    };
    /// An event some frames of which were lost.
    struct IncompleteEvent {
        std::int64_t event = 0;
        std::int64_t missing = 0;  ///< frames
        friend bool operator==(const IncompleteEvent& a, const IncompleteEvent& b) {
            return a.event == b.event && a.missing == b.missing;
        }
    };

    /// An event that became complete.
    struct Completion {
        std::int64_t event = 0;
        Time trigger{0};
        Time complete{0};
        Time latency() const { return complete - trigger; }
        friend bool operator==(const Completion& a, const Completion& b) {
            return a.event == b.event && a.trigger == b.trigger && a.complete == b.complete;
        }
    };
    /// Results of a server with limits.
    struct Server {
        struct Interface {
            std::int64_t frames_lost = 0;  ///< frames lost for want of a descriptor
            Recovery ring;                 ///< in frames
            friend bool operator==(const Interface& a, const Interface& b) {
                return a.frames_lost == b.frames_lost && a.ring == b.ring;
            }
        };
        std::vector<Interface> interfaces;
        Recovery memory;                      ///< for event building, in bytes of payload
        std::vector<Completion> completions;  ///< in the order of completion
        std::int64_t timed_out = 0;           ///< events that were closed incomplete
        std::int64_t open = 0;                ///< events that wait for ever
        std::int64_t wake_ups = 0;
        Time busy{0};  ///< time that all cores together have worked
        Time done{0};  ///< time at which the last core was done, which may be after the last frame left the last switch
        friend bool operator==(const Server& a, const Server& b) {
            return a.interfaces == b.interfaces && a.memory == b.memory && a.completions == b.completions &&
                   a.timed_out == b.timed_out && a.open == b.open && a.wake_ups == b.wake_ups && a.busy == b.busy &&
                   a.done == b.done;
        }
    };

    using Amount = watershed::Amount;
    /// Results of one stream that shares switches with the camera, or of the camera beside streams.
    struct Stream {
        std::string name;  ///< "camera", or as the scenario says
        int traffic_class = 0;
        std::int64_t frames_sent = 0;
        std::int64_t frames_received = 0;
        std::vector<Loss> losses;         ///< by place and reason, in alphabetical order
        std::int64_t frames_arrived = 0;  ///< a camera's server may lose some of these
        Time latency{0};                  ///< sum over all frames that arrived, each from the time when it was ready
        Time latency_most{0};
        std::vector<Amount>
            peaks;  ///< most of its frames at once in the memory of each switch, in the order of Network
        /// Peak in any one memory.
        Amount peak() const {
            Amount most;
            for (const Amount& each : peaks)
                most = {std::max(most.frames, each.frames), std::max(most.bytes, each.bytes)};
            return most;
        }
        friend bool operator==(const Stream& a, const Stream& b) {
            return a.name == b.name && a.traffic_class == b.traffic_class && a.frames_sent == b.frames_sent &&
                   a.frames_received == b.frames_received && a.losses == b.losses &&
                   a.frames_arrived == b.frames_arrived && a.latency == b.latency && a.latency_most == b.latency_most &&
                   a.peaks == b.peaks;
        }
    };

    /// Results of one group of modules.
    struct Group {
        std::string name;
        int modules = 0;
        std::int64_t events = 0;  ///< that its modules answered
        std::int64_t frames_sent = 0;
        std::int64_t frames_received = 0;
        friend bool operator==(const Group& a, const Group& b) {
            return a.name == b.name && a.modules == b.modules && a.events == b.events &&
                   a.frames_sent == b.frames_sent && a.frames_received == b.frames_received;
        }
    };
    /// Results of one event builder.
    struct Builder {
        std::int64_t frames_sent = 0;  ///< to it
        std::int64_t frames_received = 0;
        std::int64_t events_sent = 0;  ///< events of which it gets fragments
        std::int64_t events_complete = 0;
        Time latency{0};  ///< sum over its complete events, each from the trigger to the arrival of the last frame
        Time latency_most{0};
        friend bool operator==(const Builder& a, const Builder& b) {
            return a.frames_sent == b.frames_sent && a.frames_received == b.frames_received &&
                   a.events_sent == b.events_sent && a.events_complete == b.events_complete && a.latency == b.latency &&
                   a.latency_most == b.latency_most;
        }
    };

    std::int64_t frames_sent = 0;  ///< these and all that follow are the camera's, unless they say otherwise
    std::int64_t frames_received = 0;
    std::int64_t events_sent = 0;
    std::int64_t events_complete = 0;
    std::int64_t peak_frames = 0;            ///< most frames at once in the memory of any one switch
    Bytes peak_bytes{0};                     ///< most bytes in any one of them, by buffer size
    std::optional<std::int64_t> peak_cells;  ///< most cells in any one memory that is handed out in cells
    std::int64_t frames_marked = 0;          ///< frames marked by explicit congestion notification
    std::int64_t frames_to_dram = 0;         ///< frames written to the second tier of a memory
    std::int64_t frames_cut_through = 0;
    Time latency_saved{0};    ///< sum over all frames that cut through
    std::int64_t pauses = 0;  ///< times that a sender was told to pause
    /// Times of the triggers that were not refused, and number of those that were, by all rules; only if a rule depends
    /// on the level of a memory: else they are known without a run.
    std::vector<Time> triggers;
    std::int64_t triggers_refused = 0;
    std::vector<Loss> losses;  ///< by place and reason, in alphabetical order
    std::optional<FirstLoss> first_loss;
    std::vector<std::int64_t> lost_by_module;
    std::vector<IncompleteEvent>
        incomplete;  ///< by event; the first ones, if the observer did not want all: see events_incomplete()
    std::int64_t last_incomplete = 0;  ///< last incomplete event; 0 if there is none
    std::vector<Switch> switches;      ///< in the order of Network
    std::vector<Link> uplinks;         ///< uplinks of all switches, in the order of Network
    std::vector<Link> module_links;    ///< links of the modules
    Time simulated{0};                 ///< time at which the last frame had left the last switch, or was lost
    std::optional<Server> server;      ///< absent: a server without limits
    std::vector<Stream> streams;       ///< the camera and those beside it; empty where there are none
    std::vector<Group> groups;         ///< in the order of Senders; empty where modules are of one kind
    std::vector<Builder> builders;     ///< empty where there is one
    /// Frames lost because others are always served first, as Ties counts them; by stream, from the camera on.
    std::vector<std::int64_t> decided_by_ties;
    /// No switch decided on a frame after one of a later event. Then the first m events are what a burst of m events
    /// gives, because admission never looks ahead, and frames leave a switch by each uplink in the order in which it
    /// admitted them.
    bool events_in_order = true;
    /// The first event after the first that found the switch empty and idle, of several switches the last one to be so;
    /// 0 if that never happened.
    std::int64_t first_idle_event = 0;

    /// Some more losses that ties decided, by stream.
    void add_decided_by_ties(const std::vector<std::int64_t>& frames) {
        decided_by_ties.resize(std::max(decided_by_ties.size(), frames.size()));
        for (std::size_t i = 0; i < frames.size(); ++i) decided_by_ties[i] += frames[i];
    }
    std::int64_t frames_lost() const { return frames_sent - frames_received; }
    std::int64_t events_incomplete() const { return events_sent - events_complete; }
    /// One more switch, whose extremes become those of all.
    void add(Switch seen) {
        peak_frames = std::max(peak_frames, seen.peak_frames);
        peak_bytes = std::max(peak_bytes, seen.peak_bytes);
        peak_cells = std::max(peak_cells, seen.peak_cells);
        const bool every = seen.first_idle_event != 0 && (switches.empty() || first_idle_event != 0);
        first_idle_event = every ? std::max(first_idle_event, seen.first_idle_event) : 0;
        switches.push_back(std::move(seen));
    }
    /// Everything counted agrees; what two engines must show.
    friend bool operator==(const Outcome& a, const Outcome& b) {
        return a.frames_sent == b.frames_sent && a.frames_received == b.frames_received &&
               a.events_sent == b.events_sent && a.events_complete == b.events_complete &&
               a.peak_frames == b.peak_frames && a.peak_bytes == b.peak_bytes && a.peak_cells == b.peak_cells &&
               a.losses == b.losses && a.first_loss == b.first_loss && a.lost_by_module == b.lost_by_module &&
               a.incomplete == b.incomplete && a.last_incomplete == b.last_incomplete &&
               a.frames_marked == b.frames_marked && a.frames_to_dram == b.frames_to_dram &&
               a.frames_cut_through == b.frames_cut_through && a.latency_saved == b.latency_saved &&
               a.pauses == b.pauses && a.triggers == b.triggers && a.triggers_refused == b.triggers_refused &&
               a.switches == b.switches && a.uplinks == b.uplinks && a.module_links == b.module_links &&
               a.simulated == b.simulated && a.server == b.server && a.streams == b.streams && a.groups == b.groups &&
               a.builders == b.builders && a.decided_by_ties == b.decided_by_ties &&
               a.events_in_order == b.events_in_order && a.first_idle_event == b.first_idle_event;
    }
};

/// Callbacks of an engine during a run; empty ones cost no time.
struct Observer {
    /// The memory of one switch after each change: time, frames, bytes.
    std::function<void(Time, std::int64_t, Bytes)> occupancy;
    int occupancy_of =
        0;  ///< the switch, by its place in Network; or Network::kServer: frames in rings, bytes in memory
    /// A frame that was lost, at the time of the decision.
    std::function<void(const FrameId&, Time, const LossCause&)> lost;
    /// Every event some frames of which were lost, in ascending order, before the run ends.
    std::function<void(const Outcome::IncompleteEvent&)> incomplete;
    std::int64_t incomplete_kept =
        std::numeric_limits<std::int64_t>::max();  ///< so many of them, the first ones, the outcome lists
    /// Triggers sent so far, now and then.
    std::function<void(std::int64_t)> progress;
    /// An engine may send no more triggers once a frame is lost; then the outcome is that of those which it has sent.
    bool may_end_at_loss = false;
};

/// Takes down the events some frames of which were lost, in their order: no more of them than whoever looks on wants to
/// keep.
class IncompleteEvents {
  public:
    /// @param observer  may be null; then all are kept
    explicit IncompleteEvents(const Observer* observer) : observer_(observer) {}

    void add(std::int64_t event, std::int64_t missing) {
        const Outcome::IncompleteEvent incomplete{event, missing};
        ++count_;
        last_ = event;
        if (!observer_ || count_ <= observer_->incomplete_kept) kept_.push_back(incomplete);
        if (observer_ && observer_->incomplete) observer_->incomplete(incomplete);
    }

    /// Closes the list of an outcome whose events_sent is known.
    void report(Outcome& outcome) {
        outcome.events_complete = outcome.events_sent - count_;
        outcome.last_incomplete = last_;
        outcome.incomplete = std::move(kept_);
    }

  private:
    const Observer* observer_;
    std::vector<Outcome::IncompleteEvent> kept_;
    std::int64_t count_ = 0;
    std::int64_t last_ = 0;
};

}  // namespace watershed
