// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "model/base/recovery.h"
#include "model/frontend/sender-ports.h"
#include "model/switch/event-driven-switch.h"
#include "model/switch/event-sequence.h"
#include "model/switch/flow-bytes.h"
#include "model/switch/pause-control.h"
#include "model/switch/step.h"
#include "model/switch/switch-place.h"
#include "model/switch/ties.h"

namespace watershed {

struct Outcome;

/// Decides what a switch whose frames may wait does, step by step: uplinks, cutting through, moving frames on, flow
/// control. Whoever simulates around it brings frames and calls its steps in the order of Step.
class SwitchControl {
  public:
    /// What the switch asks of the simulation around it.
    class Surroundings {
      public:
        virtual ~Surroundings() = default;
        /// Call step(), at `time`.
        virtual void later(const Moment& time, Step step, int index) = 0;
        /// The frame is sent from `begin` until `done`. Call step() with Step::UplinkDone then.
        virtual void sends(int uplink, const SwitchedFrame& frame, const Moment& begin, const Moment& done) = 0;
        virtual void lost(const SwitchedFrame& frame, const LossCause& cause, const Moment& now) = 0;
        /// Tells a sender to pause for so many quanta from the frame's arrival on, or to go on if it is 0.
        virtual void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Moment& now) = 0;
        /// The memory holds more or less than before.
        virtual void occupied(const Moment& now) = 0;
    };

    /// @param senders       of the frames that it sees
    /// @param surroundings  outlive the control
    /// @throws std::invalid_argument naming the key, if the amounts do not fit together
    SwitchControl(const Switch& parameters, const SwitchPlace& place, const Senders& senders, TimeGrid grid,
                  Surroundings& surroundings);

    /// When a frame that begins to arrive then at this input may cut through; nothing if none may.
    std::optional<Moment> header_at(int input, const Moment& begin) const {
        if (header_.empty() || !header_[static_cast<std::size_t>(input)]) return std::nullopt;
        return grid_.after(begin, *header_[static_cast<std::size_t>(input)]);
    }
    /// So much of a frame is there, the rest until `end`. @param frame as for frame_in()
    /// @return it goes at once, and frame_in() will not want it again
    bool header_in(SwitchedFrame& frame, const Moment& now, const Moment& end);
    /// A frame has arrived. @param frame with its id, input, sizes and handle; the rest is for the switch to decide
    /// @return false if it has cut through before
    bool frame_in(SwitchedFrame& frame, const Moment& now);
    void step(Step step, int index, const Moment& now);
    /// Step::UplinkDone and Step::Settle, where nothing else happens at this instant before that.
    void leave(int uplink, const Moment& now);
    /// The other end of an uplink has told it to pause until then, and now it does; a frame that it sends it sends to
    /// its end. A time that is past lets it go on. @param traffic_class  whose frames; absent: all
    void pause(int uplink, const Moment& until, std::optional<int> traffic_class, const Moment& now);

    /// From now on nobody is told what the memory holds.
    void forget_occupancy() { tells_occupancy_ = false; }
    const SwitchMemory& memory() const { return switch_.memory(); }
    /// Adds what only the switch knows. With switch-report.h.
    void report(Outcome& outcome) const;
    /// What each stream held at most, from the camera on.
    const StreamOccupancy::Peaks& peaks() const { return switch_.occupancy().peaks(); }

  private:
    /// What was decided about a frame when its header was there.
    struct Chosen {
        int output;
        bool gone;
    };
    struct Releasing {
        Moment time;
        SwitchedFrame frame;
    };

    bool is_idle() const;
    void occupied(const Moment& now, bool grew);
    /// By whose addresses a hash chooses the uplink of a frame, from 1.
    int sender_of(const SwitchedFrame& frame) const;
    std::uint64_t lot_of(const SwitchedFrame& frame) const;
    /// Whether the frame, which has come, is among the first of its flow.
    bool is_first(const SwitchedFrame& frame, Time now);
    void note_decision(const SwitchedFrame& frame);
    /// What was decided about a frame by its header. @return it is there, and the frame gone
    [[gnu::noinline]] bool went_by_header(SwitchedFrame& frame);
    /// Draws what is drawn for a frame.
    [[gnu::noinline]] void draw(SwitchedFrame& frame, Time now);
    /// Pushes out what must go for a frame. @return something has
    [[gnu::noinline]] bool push_out(const SwitchedFrame& frame, const Moment& now);
    /// A frame waits at its input, or is lost.
    [[gnu::noinline]] void held_up(SwitchedFrame& frame, bool on_headroom, const Moment& now);
    void uplink_done(int uplink, const Moment& now);
    void release(const SwitchedFrame& frame);
    /// Settles after all that happens at this instant before Step::Settle.
    void settle_later(const Moment& now);
    void settle(const Moment& now);
    /// Lets frames into the memory that wait in front of it.
    [[gnu::noinline]] void let_in(const Moment& now);
    /// Begins to send on an uplink, if that is idle and a frame may leave.
    void send(int uplink, const Moment& now);
    [[gnu::noinline]] void wait_for_shaper(int uplink, const Moment& now);
    [[gnu::noinline]] void advance(const Moment& now);
    [[gnu::noinline]] void queued(const Moment& now);
    [[gnu::noinline]] void release_at(const SwitchedFrame& frame, const Moment& begin, const Moment& now);
    void tell_senders(const Moment& now) {
        if (pauses_.is_active()) look_at_senders(now);
    }
    [[gnu::noinline]] void look_at_senders(const Moment& now);
    void tell(int sender, std::int64_t quanta, const Moment& now);

    Switch parameters_;
    std::string name_;
    int number_;
    std::uint64_t seed_;
    TimeGrid grid_;
    Surroundings& surroundings_;
    std::vector<int> ports_of_streams_;
    FlowBytes<std::array<std::int64_t, 3>> flows_;  ///< by event, module and stream
    UplinkSelector selector_;
    EventDrivenSwitch switch_;
    PauseControl pauses_;
    EventSequence sequence_;
    Ties ties_;
    Recovery recovery_;
    std::vector<BitRate> input_rates_;
    std::vector<BitRate> uplink_rates_;
    std::vector<std::optional<Moment>> due_;     ///< by uplink: when it last was to try again
    std::vector<std::optional<Span>> header_;    ///< by input: how long after its beginning a frame may cut through
    std::vector<std::optional<Chosen>> chosen_;  ///< by input, until the frame has arrived; empty: none cuts through
    std::deque<Releasing> releasing_;            ///< by time
    bool settling_ = false;                      ///< will settle at this instant
    std::int64_t cut_through_ = 0;
    bool tells_occupancy_ = true;
    bool has_headroom_;
    bool draws_;  ///< lots for frames, or knows which are the first of their flow
    Time saved_{0};
    Moment last_activity_;
};

}  // namespace watershed
