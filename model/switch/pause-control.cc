// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/pause-control.h"

#include <algorithm>

#include "model/base/serializer.h"

namespace watershed {

Time pause_length(BitRate link, std::int64_t quanta) {
    constexpr Bytes kQuantum{64};
    return Serializer(link).send(Time{0}, kQuantum * quanta).time;
}

PauseControl::PauseControl(const FlowControl& control, BitRate link, int inputs, const MemoryUnits& units)
    : control_(control),
      renewed_after_(
          std::max(pause_length(link, control.quanta) / 2, Serializer(link).send(Time{0}, kPauseFrame).time)),
      xoff_(units.amount("switch.flow_control.xoff", control.xoff)),
      xon_(units.amount("switch.flow_control.xon", control.xon)),
      xon_offset_(units.amount("switch.flow_control.xon_offset", control.xon_offset)),
      inputs_(static_cast<std::size_t>(inputs)) {}

bool PauseControl::must_pause(int input, const SwitchMemory& memory) const {
    if (!control_.alpha) return memory.held_by_input(input) > xoff_;
    if (memory.frames() == 0) return false;  // nothing would ever end that pause
    return Wide{memory.drawn_by_input(input)} * control_.alpha->denominator >=
           Wide{control_.alpha->numerator} * memory.free_to_input(input);
}

bool PauseControl::may_go_on(int input, const SwitchMemory& memory) const {
    const std::int64_t held = memory.held_by_input(input);
    if (!control_.alpha) return held <= xon_;
    if (must_pause(input, memory)) return false;
    if (held == 0) return true;
    if (control_.xon_fixed) return held <= inputs_[static_cast<std::size_t>(input)].held - xon_offset_;
    const Wide threshold = Wide{control_.alpha->numerator} * memory.free_to_input(input) / control_.alpha->denominator;
    return memory.drawn_by_input(input) <= threshold - xon_offset_;
}

std::optional<std::int64_t> PauseControl::order(int number, const SwitchMemory& memory, const Moment& now) {
    Input& input = inputs_[static_cast<std::size_t>(number)];
    if (!input.paused && must_pause(number, memory)) {
        input.paused = true;
        input.held = memory.held_by_input(number);
        ++pauses_;
        return pause(input, now);
    }
    if (input.paused && may_go_on(number, memory)) {
        input.paused = false;
        return 0;
    }
    return std::nullopt;
}

std::optional<std::int64_t> PauseControl::renew(int number, const Moment& now) {
    Input& input = inputs_[static_cast<std::size_t>(number)];
    if (!input.paused || input.renewal != now) return std::nullopt;  // gone on since, and perhaps paused again
    return pause(input, now);
}

std::int64_t PauseControl::pause(Input& input, const Moment& now) {
    input.renewal = now + renewed_after_;
    return control_.quanta;
}

}  // namespace watershed
