// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>

#include "calibrate/fit/fit.h"

/// Checks of a fit that several tests share.
namespace watershed {

inline const ModelFit& model_of(const Fit& fit, const char* name) {
    for (const ModelFit& one : fit.models)
        if (one.model.name() == name) return one;
    throw std::logic_error(name);
}

inline bool holds(const Interval& interval, double value) { return *interval.low <= value && value <= *interval.high; }

}  // namespace watershed
