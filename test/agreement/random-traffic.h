// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>

#include "model/scenario.h"
#include "test/agreement/choices.h"

namespace watershed {

/// A random_scenario() or random_eventDriven_scenario() with one to four streams of all patterns beside the camera, in
/// random classes, on links of their own or a module's, and often with a scheduler of classes. Many of their times are
/// multiples of a frame's time on a link.
Scenario random_traffic(std::uint64_t seed, std::optional<Sharing> sharing = {});

/// Often gives a switch a scheduler of classes, with limits.
void add_classes(Switch& network_switch, Choices& choose);

}  // namespace watershed
