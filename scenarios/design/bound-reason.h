// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/obstacle.h"
#include "model/network/incast.h"

namespace watershed {

/// An obstacle that Guarantee tells, in the words of who asked: which value stands against it, and what may help.
Obstacle bound_reason(const Incast& scenario, Obstacle obstacle);

}  // namespace watershed
