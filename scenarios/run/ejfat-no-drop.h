// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>

#include "model/ejfat/ejfat-monitor.h"

namespace watershed {

/// The highest bit rate at which a run loses no event, found by bisection between one that loses and one that does not,
/// 0.2 % apart. The first run, at `point.bit_rate`, is to lose events: the rate at which it processes them is where the
/// search begins. If it loses none, it is the answer.
/// @param simulate  one run
/// @throws InputError if even a millionth of that rate loses events
EjfatResult find_no_drop(const EjfatPoint& point, const std::function<EjfatResult(const EjfatPoint&)>& simulate);

}  // namespace watershed
