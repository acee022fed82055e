// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "model/base/recovery.h"
#include "model/frontend/sender-ports.h"
#include "model/switch/event-sequence.h"
#include "model/switch/pause-control.h"
#include "model/switch/step.h"
#include "model/switch/stepped-switch.h"

namespace watershed {

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

    /// Inputs are those of SenderPorts.
    /// @param surroundings outlive the control
    /// @throws std::invalid_argument naming the key, if the amounts do not fit together
    SwitchControl(const Switch& parameters, const Senders& senders, TimeGrid grid, Surroundings& surroundings);

    /// When a frame that begins to arrive then at this input may cut through; nothing if none may.
    std::optional<Moment> header_at(int input, const Moment& begin) const;
    /// So much of a frame is there, the rest until `end`. @param frame as for frame_in()
    /// @return it goes at once, and frame_in() will not want it again
    bool header_in(SwitchedFrame frame, const Moment& now, const Moment& end);
    /// A frame has arrived. @param frame with its id, input, sizes and handle; the rest is for the switch to decide
    /// @return false if it has cut through before
    bool frame_in(SwitchedFrame frame, const Moment& now);
    void step(Step step, int index, const Moment& now);

    const SwitchMemory& memory() const { return switch_.memory(); }
    /// Adds what only the switch knows.
    void report(Outcome& outcome) const;
    /// What each stream held at most, from the camera on.
    const std::vector<Outcome::Stream>& peaks() const { return switch_.occupancy().peaks(); }

  private:
    SwitchControl(const Switch& parameters, const Senders& senders, const SenderPorts& ports, TimeGrid grid,
                  Surroundings& surroundings);

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
    void note_decision(const SwitchedFrame& frame);
    void uplink_done(int uplink, const Moment& now);
    void settle(const Moment& now);
    void advance(const Moment& now);
    void queued(const Moment& now);
    void release_at(const SwitchedFrame& frame, const Moment& begin, const Moment& now);
    void tell_senders(const Moment& now);
    void tell(int sender, std::int64_t quanta, const Moment& now);

    Switch parameters_;
    std::uint64_t seed_;
    TimeGrid grid_;
    Surroundings& surroundings_;
    UplinkSelector selector_;
    SteppedSwitch switch_;
    PauseControl pauses_;
    EventSequence sequence_;
    Recovery recovery_;
    /// What becomes of frames that cut through, by the input's rate.
    struct CutThrough {
        bool stores = false;         ///< the uplinks are slower than the link: what cuts through waits in memory
        std::optional<Span> header;  ///< how long after its beginning a frame may cut through; nothing if none may
    };
    std::vector<CutThrough> cut_through_at_;     ///< by input
    std::vector<std::optional<Chosen>> chosen_;  ///< by input, until the frame has arrived
    std::deque<Releasing> releasing_;            ///< by time
    bool settling_ = false;                      ///< will settle at this instant
    std::int64_t cut_through_ = 0;
    Time saved_{0};
    Moment last_activity_;
};

}  // namespace watershed
