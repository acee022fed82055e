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
    /// @throws std::invalid_argument naming the key, if the amounts do not fit the memory's unit
    PauseControl(const FlowControl& control, BitRate link, int inputs, const MemoryUnits& units);

    bool is_active() const { return control_.kind != FlowControl::Kind::None; }
    /// The input's sender was told to pause, and not yet to go on.
    bool is_paused(int input) const { return inputs_[static_cast<std::size_t>(input)].paused; }
    /// Times that a sender was told to pause, renewals not counted.
    std::int64_t pauses() const { return pauses_; }

    /// What to tell the sender of an input now, as the memory stands: quanta to pause for, 0 to go on, or nothing.
    std::optional<std::int64_t> order(int input, const SwitchMemory& memory, const Moment& now);
    /// The same at a time that renewal() gave: a pause that is still needed is told again.
    std::optional<std::int64_t> renew(int input, const Moment& now);
    /// When half of the pause that was told last has passed, but not before the link has carried the frame that told
    /// it.
    const Moment& renewal(int input) const { return inputs_[static_cast<std::size_t>(input)].renewal; }

  private:
    struct Input {
        bool paused = false;
        std::int64_t held = 0;  ///< when the pause began
        Moment renewal;
    };

    std::int64_t pause(Input& input, const Moment& now);
    bool must_pause(int input, const SwitchMemory& memory) const;
    bool may_go_on(int input, const SwitchMemory& memory) const;

    FlowControl control_;
    Time renewed_after_;
    std::int64_t xoff_, xon_, xon_offset_;
    std::vector<Input> inputs_;
    std::int64_t pauses_ = 0;
};

}  // namespace watershed
