// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "model/base/serializer.h"
#include "model/base/timestamp.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch.h"

namespace watershed {

/// Size of a PAUSE or priority flow control frame on the link to the sender: the minimum of 64 B, preamble 8, gap 12.
constexpr Bytes kPauseFrame{84};

/// Returns the length of a pause of `quanta`; one is 512 bit times, IEEE 802.3 annex 31B.
inline Time pause_length(BitRate link, std::int64_t quanta) {
    constexpr Bytes kQuantum{64};
    return Serializer(link).send(Time{0}, kQuantum * quanta).time;
}

/// Decides which senders a switch pauses as its inputs fill and empty. It sees amounts and its caller's time.
class PauseControl {
  public:
    /// Unit that can be paused: an input's link, or one class of frames on it.
    struct Sender {
        int input = 0;
        std::optional<int> traffic_class{};
        BitRate link{0};
        std::optional<Ratio> alpha{};  ///< factor of its threshold, in place of that of its class or of all
    };

    /// @param memory  is told whose frames go to headroom by a rule of their own
    /// @throws std::invalid_argument naming the key, if the amounts do not fit the memory's unit
    PauseControl(const FlowControl& control, std::vector<Sender> senders, SwitchMemory& memory)
        : control_(control),
          xoff_(memory.units().amount("switch.flow_control.xoff", control.xoff)),
          xon_(memory.units().amount("switch.flow_control.xon", control.xon)),
          xon_offset_(memory.units().amount("switch.flow_control.xon_offset", control.xon_offset)),
          senders_(std::move(senders)),
          by_input_(static_cast<std::size_t>(memory.inputs())) {
        for (Sender& sender : senders_)
            if (!sender.alpha) sender.alpha = alpha_of(sender.traffic_class.value_or(kTrafficClasses));
        if (is_active() && control.rule != FlowControl::Rule::Memory)
            for (const Sender& sender : senders_)
                memory.divert(sender.input, class_of(sender), control.rule, sender.alpha.value_or(Ratio{}));
        of_held_alone_ = control.rule == FlowControl::Rule::Memory &&
                         std::none_of(senders_.begin(), senders_.end(), [](const Sender& each) { return each.alpha; });
        BitRate last{0};
        Time after{0};
        for (const Sender& sender : senders_) {
            if (sender.link != last)
                after = std::max(pause_length(sender.link, control.quanta) / 2,
                                 Serializer(sender.link).send(Time{0}, kPauseFrame).time);
            last = sender.link;
            by_input_[static_cast<std::size_t>(sender.input)].push_back(static_cast<int>(states_.size()));
            states_.push_back({after});
        }
    }
    /// A sender at each input, of one class.
    PauseControl(const FlowControl& control, BitRate link, int inputs, SwitchMemory& memory)
        : PauseControl(
              control,
              [&] {
                  std::vector<Sender> senders;
                  for (int input = 0; input < inputs; ++input) senders.push_back({input, std::nullopt, link});
                  return senders;
              }(),
              memory) {}

    /// Returns true if the orders to a sender depend on nothing but the amount held for it.
    bool is_of_held_alone() const { return of_held_alone_; }
    /// Returns the senders at an input, by their indices in senders().
    const std::vector<int>& senders_at(int input) const { return by_input_[static_cast<std::size_t>(input)]; }
    bool is_active() const { return control_.kind != FlowControl::Kind::None; }
    /// Returns the senders; their indices here identify them everywhere.
    const std::vector<Sender>& senders() const { return senders_; }
    /// Returns true if the sender was told to pause, and not yet to go on.
    bool is_paused(int sender) const { return states_[static_cast<std::size_t>(sender)].paused; }
    /// Returns true if the sender of this class at this input was told to pause, and not yet to go on.
    bool is_paused(int input, int traffic_class) const {
        for (const int number : senders_at(input)) {
            const auto& of_class = senders_[static_cast<std::size_t>(number)].traffic_class;
            if (!of_class || *of_class == traffic_class) return is_paused(number);
        }
        return false;
    }
    /// Returns true if a frame of this sender that the memory refuses may ask for headroom.
    bool opens_headroom(int sender) const { return control_.rule == FlowControl::Rule::Memory && is_paused(sender); }
    bool opens_headroom(int input, int traffic_class) const {
        return control_.rule == FlowControl::Rule::Memory && is_paused(input, traffic_class);
    }
    /// Returns true if the amounts as they are turn a sender that goes on to a pause, or end its pause.
    bool turns(int number, const SwitchMemory& memory) const {
        const auto index = static_cast<std::size_t>(number);
        return turns(senders_[index], states_[index], memory);
    }
    /// Number of orders to pause, renewals not counted.
    std::int64_t pauses() const { return pauses_; }

    /// Returns the order for a sender now: quanta to pause for, 0 to go on, std::nullopt if there is none.
    std::optional<std::int64_t> order(int number, const SwitchMemory& memory, const Timestamp& now) {
        const Sender& sender = senders_[static_cast<std::size_t>(number)];
        State& state = states_[static_cast<std::size_t>(number)];
        if (of_held_alone_) {  // an amount as before has been decided on
            const std::int64_t amount = held(sender, memory);
            if (std::exchange(state.seen, amount) == amount) return std::nullopt;
        }
        return decided(sender, state, memory, now);
    }
    /// Returns the order at a time that renewal() gave: a pause that is still needed is repeated.
    std::optional<std::int64_t> renew(int number, const Timestamp& now) {
        State& state = states_[static_cast<std::size_t>(number)];
        if (!state.paused || state.renewal != now) return std::nullopt;  // gone on since, and perhaps paused again
        return pause(state, now);
    }
    /// Time at which half of the last pause has passed, but no sooner than a PAUSE frame takes on the link.
    const Timestamp& renewal(int sender) const { return states_[static_cast<std::size_t>(sender)].renewal; }

  private:
    struct State {
        Time renewed_after{0};
        bool paused = false;
        std::int64_t held = 0;            ///< amount held when the pause began
        std::int64_t came = 0, left = 0;  ///< frames of a diverted queue at its last check
        Timestamp renewal{};
        std::int64_t seen = -1;  ///< amount held at the last decision, if nothing else counts
    };

    std::optional<std::int64_t> decided(const Sender& sender, State& state, const SwitchMemory& memory,
                                        const Timestamp& now) {
        bool came = true, left = true;
        if (control_.rule != FlowControl::Rule::Memory) {  // other queues' frames change nothing
            const IngressHeadroomQueues::Queue& queue = memory.diverted(sender.input, class_of(sender));
            came = std::exchange(state.came, queue.came) != queue.came;
            left = std::exchange(state.left, queue.left) != queue.left;
        }
        if (!(state.paused ? left : came) || !turns(sender, state, memory)) return std::nullopt;
        state.paused = !state.paused;
        if (!state.paused) return 0;
        state.held = held(sender, memory);
        ++pauses_;
        return pause(state, now);
    }
    bool turns(const Sender& sender, const State& state, const SwitchMemory& memory) const {
        return state.paused ? may_go_on(sender, state, memory) : must_pause(sender, memory);
    }

    std::int64_t pause(State& state, const Timestamp& now) {
        state.renewal = now + state.renewed_after;
        return control_.quanta;
    }
    static std::int64_t held(const Sender& sender, const SwitchMemory& memory) {
        return sender.traffic_class ? memory.held_by_input(sender.input, *sender.traffic_class)
                                    : memory.held_by_input(sender.input);
    }
    /// Amount that a sender draws from the pool of its input, the input's whole reserve counted as this sender's.
    static std::int64_t drawn(const Sender& sender, const SwitchMemory& memory) {
        return held(sender, memory) - (memory.held_by_input(sender.input) - memory.drawn_by_input(sender.input));
    }
    static int class_of(const Sender& sender) { return sender.traffic_class.value_or(0); }
    std::optional<Ratio> alpha_of(int traffic_class) const {
        const auto index = static_cast<std::size_t>(traffic_class);
        return index < control_.class_alphas.size() ? control_.class_alphas[index] : control_.alpha;
    }
    bool must_pause(const Sender& sender, const SwitchMemory& memory) const {
        if (control_.rule != FlowControl::Rule::Memory) return memory.must_pause(sender.input, class_of(sender));
        const auto& alpha = sender.alpha;
        if (!alpha) return held(sender, memory) > xoff_;
        if (memory.frames() == 0) return false;  // nothing would ever end that pause
        return Wide{drawn(sender, memory)} * alpha->denominator >=
               Wide{alpha->numerator} * memory.free_to_input(sender.input);
    }
    bool may_go_on(const Sender& sender, const State& state, const SwitchMemory& memory) const {
        if (control_.rule != FlowControl::Rule::Memory)
            return memory.may_go_on(sender.input, class_of(sender), xon_, xon_offset_);
        const std::int64_t amount = held(sender, memory);
        const auto& alpha = sender.alpha;
        if (!alpha) return amount <= xon_;
        if (must_pause(sender, memory)) return false;
        if (amount == 0) return true;
        if (control_.xon_fixed) return amount <= state.held - xon_offset_;
        const Wide threshold = Wide{alpha->numerator} * memory.free_to_input(sender.input) / alpha->denominator;
        return drawn(sender, memory) <= threshold - xon_offset_;
    }

    FlowControl control_;
    std::int64_t xoff_, xon_, xon_offset_;
    std::vector<Sender> senders_;
    std::vector<State> states_;
    std::vector<std::vector<int>> by_input_;  ///< indices in senders_
    bool of_held_alone_ = false;              ///< orders depend on nothing else
    std::int64_t pauses_ = 0;
};

}  // namespace watershed
