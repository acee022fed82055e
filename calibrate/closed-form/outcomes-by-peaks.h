// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/burst.h"

namespace watershed {

/// Whether bursts lost frames of which nobody counted what arrived, as far as the peaks of all bursts tell it: the peak
/// of a burst without loss is what it sent, less what the uplinks drained meanwhile; a smaller one is that of a memory
/// that was full. What the uplinks drain at most is what they drained of any burst that kept them busy, for a longer
/// time or, by the rule of three, for a shorter one. A burst that neither surely lost frames nor is explained by the
/// others stays untold.
void tell_outcomes_by_peaks(std::vector<Burst>& bursts);

}  // namespace watershed
