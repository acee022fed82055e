// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/pause-control.h"

#include <algorithm>
#include <utility>

#include "model/base/serializer.h"

namespace watershed {

Time pause_length(BitRate link, std::int64_t quanta) {
    constexpr Bytes kQuantum{64};
    return Serializer(link).send(Time{0}, kQuantum * quanta).time;
}

PauseControl::PauseControl(const FlowControl& control, std::vector<Sender> senders, const MemoryUnits& units)
    : control_(control),
      xoff_(units.amount("switch.flow_control.xoff", control.xoff)),
      xon_(units.amount("switch.flow_control.xon", control.xon)),
      xon_offset_(units.amount("switch.flow_control.xon_offset", control.xon_offset)),
      senders_(std::move(senders)) {
    BitRate last{0};
    Time after{0};
    for (const Sender& sender : senders_) {
        if (sender.link != last)
            after = std::max(pause_length(sender.link, control.quanta) / 2,
                             Serializer(sender.link).send(Time{0}, kPauseFrame).time);
        last = sender.link;
        states_.push_back({after});
    }
}

PauseControl::PauseControl(const FlowControl& control, BitRate link, int inputs, const MemoryUnits& units)
    : PauseControl(
          control,
          [&] {
              std::vector<Sender> senders;
              for (int input = 0; input < inputs; ++input) senders.push_back({input, std::nullopt, link});
              return senders;
          }(),
          units) {}

bool PauseControl::is_paused(int input, int traffic_class) const {
    for (std::size_t i = 0; i < senders_.size(); ++i)
        if (senders_[i].input == input && (!senders_[i].traffic_class || *senders_[i].traffic_class == traffic_class))
            return states_[i].paused;
    return false;
}

std::int64_t PauseControl::held(const Sender& sender, const SwitchMemory& memory) {
    return sender.traffic_class ? memory.held_by_input(sender.input, *sender.traffic_class)
                                : memory.held_by_input(sender.input);
}

bool PauseControl::must_pause(const Sender& sender, const SwitchMemory& memory) const {
    if (!control_.alpha) return held(sender, memory) > xoff_;
    if (memory.frames() == 0) return false;  // nothing would ever end that pause
    return Wide{drawn(sender, memory)} * control_.alpha->denominator >=
           Wide{control_.alpha->numerator} * memory.free_to_input(sender.input);
}

std::int64_t PauseControl::drawn(const Sender& sender, const SwitchMemory& memory) {
    return held(sender, memory) - (memory.held_by_input(sender.input) - memory.drawn_by_input(sender.input));
}

bool PauseControl::may_go_on(const Sender& sender, const State& state, const SwitchMemory& memory) const {
    const std::int64_t amount = held(sender, memory);
    if (!control_.alpha) return amount <= xon_;
    if (must_pause(sender, memory)) return false;
    if (amount == 0) return true;
    if (control_.xon_fixed) return amount <= state.held - xon_offset_;
    const Wide threshold =
        Wide{control_.alpha->numerator} * memory.free_to_input(sender.input) / control_.alpha->denominator;
    return drawn(sender, memory) <= threshold - xon_offset_;
}

std::optional<std::int64_t> PauseControl::order(int number, const SwitchMemory& memory, const Moment& now) {
    const Sender& sender = senders_[static_cast<std::size_t>(number)];
    State& state = states_[static_cast<std::size_t>(number)];
    if (!state.paused && must_pause(sender, memory)) {
        state.paused = true;
        state.held = held(sender, memory);
        ++pauses_;
        return pause(state, now);
    }
    if (state.paused && may_go_on(sender, state, memory)) {
        state.paused = false;
        return 0;
    }
    return std::nullopt;
}

std::optional<std::int64_t> PauseControl::renew(int number, const Moment& now) {
    State& state = states_[static_cast<std::size_t>(number)];
    if (!state.paused || state.renewal != now) return std::nullopt;  // gone on since, and perhaps paused again
    return pause(state, now);
}

std::int64_t PauseControl::pause(State& state, const Moment& now) {
    state.renewal = now + state.renewed_after;
    return control_.quanta;
}

}  // namespace watershed
