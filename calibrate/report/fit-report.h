// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "calibrate/fit/diagnosis.h"
#include "calibrate/fit/fit.h"

/// A fit and its diagnosis as a table to read and as JSON, and the parts of both.
namespace watershed {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RowSetAside, row, line, reason)

nlohmann::json to_json(const Fit& fit);
void print(std::ostream& out, const Fit& fit);

/// Adds fields to the JSON of the fit.
void add_diagnosis(nlohmann::json& json, const Fit& fit, const Diagnosis& diagnosis);
void print(std::ostream& out, const Fit& fit, const Diagnosis& diagnosis);

/// The fitted switch as a fragment for `switch.model`. @throws InputError where the data give limits only
void write_switch(std::ostream& out, const Fit& fit);

/// Densities of depth and of frames per second, [value, density] each, from the support of the fit.
nlohmann::json marginals_of(const Fit& fit, double bits_per_frame);

nlohmann::json to_json(const std::vector<Disturbance>& disturbances);

/// A line for each that is known or likely, with what it means for the depth, and one for the others.
void print(std::ostream& out, const std::vector<Disturbance>& disturbances);

/// "1.04 % of the frames are lost at random (95 %: 0.91 to 1.19)", where no plain memory explains the bursts without
/// it: their depth holds only beside it. Empty where such a loss is not likely.
std::string loss_beside(const ModelFit& one);

/// "the depth grows by 9.1 % from the first row to the last, ": what further laws say in the first line where they are
/// likely.
std::string further_laws_in_headline(const ModelFit& one);

/// A line; nothing where no counter was read.
void print_peaks(std::ostream& out, const Fit& fit);
nlohmann::json json_of_peaks(const Fit& fit);

}  // namespace watershed
