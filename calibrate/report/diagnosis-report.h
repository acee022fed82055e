// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "calibrate/fit/diagnosis.h"

/// The diagnosis of a fit beside its report.
namespace watershed {

/// Adds fields to the JSON of the fit.
void add_diagnosis(nlohmann::json& json, const Fit& fit, const Diagnosis& diagnosis);
void print(std::ostream& out, const Fit& fit, const Diagnosis& diagnosis);

/// Densities of depth and of frames per second, [value, density] each, from the support of the fit.
nlohmann::json marginals_of(const Fit& fit, double bits_per_frame);

}  // namespace watershed
