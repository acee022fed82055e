// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>

#include "calibrate/fit/fit.h"

namespace watershed {

/// The fitted switch as a fragment for `switch.model`. @throws InputError where the data give limits only
void write_switch(std::ostream& out, const Fit& fit);

}  // namespace watershed
