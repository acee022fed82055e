// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/moment.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch.h"

namespace watershed {

/// What a PAUSE or priority flow control frame costs the link towards the sender: the minimum of 64 B, preamble 8,
/// gap 12.
constexpr Bytes kPauseFrame{84};

/// How long a pause of so many quanta lasts; one is 512 bit times, IEEE 802.3 annex 31B.
Time pause_length(BitRate link, std::int64_t quanta);

/// Whom a switch tells to pause, as its inputs fill and empty. It sees amounts and the time its caller gives it.
class PauseControl {
  public:
    /// What can be paused: an input's link, or one class of frames on it.
    struct Sender {
        int input = 0;
        std::optional<int> traffic_class{};
        BitRate link{0};
    };

    /// @throws std::invalid_argument naming the key, if the amounts do not fit the memory's unit
    PauseControl(const FlowControl& control, std::vector<Sender> senders, const MemoryUnits& units);
    /// A sender at each input, of one class.
    PauseControl(const FlowControl& control, BitRate link, int inputs, const MemoryUnits& units);

    bool is_active() const { return control_.kind != FlowControl::Kind::None; }
    /// By whose places in this list all others know them.
    const std::vector<Sender>& senders() const { return senders_; }
    /// It was told to pause, and not yet to go on.
    bool is_paused(int sender) const { return states_[static_cast<std::size_t>(sender)].paused; }
    /// Whoever sends frames of this class at this input was told so.
    bool is_paused(int input, int traffic_class) const;
    /// Times that a sender was told to pause, renewals not counted.
    std::int64_t pauses() const { return pauses_; }

    /// What to tell a sender now, as the memory stands: quanta to pause for, 0 to go on, or nothing.
    std::optional<std::int64_t> order(int sender, const SwitchMemory& memory, const Moment& now);
    /// The same at a time that renewal() gave: a pause that is still needed is told again.
    std::optional<std::int64_t> renew(int sender, const Moment& now);
    /// When half of the pause that was told last has passed, but not before the link has carried the frame that told
    /// it.
    const Moment& renewal(int sender) const { return states_[static_cast<std::size_t>(sender)].renewal; }

  private:
    struct State {
        Time renewed_after{0};
        bool paused = false;
        std::int64_t held = 0;  ///< when the pause began
        Moment renewal{};
    };

    std::int64_t pause(State& state, const Moment& now);
    static std::int64_t held(const Sender& sender, const SwitchMemory& memory);
    /// What it draws from the pool of its input.
    static std::int64_t drawn(const Sender& sender, const SwitchMemory& memory);
    bool must_pause(const Sender& sender, const SwitchMemory& memory) const;
    bool may_go_on(const Sender& sender, const State& state, const SwitchMemory& memory) const;

    FlowControl control_;
    std::int64_t xoff_, xon_, xon_offset_;
    std::vector<Sender> senders_;
    std::vector<State> states_;
    std::int64_t pauses_ = 0;
};

}  // namespace watershed
