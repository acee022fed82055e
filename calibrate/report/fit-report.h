// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>

#include "calibrate/absorption/absorption-fit.h"
#include "calibrate/fit/fit.h"
#include "scenarios/text/warning.h"

/// A fit and its diagnosis as JSON, which is the one result: the text is printed from it, and the page is made from it.
namespace watershed {

/// A line of a report: what it is about, and what there is to know. A sentence about the numbers has no topic.
struct Note {
    std::string topic, text;
};
using Notes = std::vector<Note>;
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Note, topic, text)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RowSetAside, row, line, reason)

/// "headline", "answer" and "standing" are the sentences that text and page show, "quantities" the rows of their table,
/// and "notes" what else there is to know.
nlohmann::json to_json(const Fit& fit);

/// The JSON of the fit with the fields and notes of its diagnosis.
nlohmann::json to_json(const Fit& fit, const Diagnosis& diagnosis);

/// Prints the JSON of a fit, with its diagnosis or without, for people.
void print_report(std::ostream& out, const nlohmann::json& fit);

/// The fitted switch as a fragment for `switch.model`. @throws InputError where the data give limits only
void write_switch(std::ostream& out, const Fit& fit);

/// Densities of depth and of frames per second, [value, density] each, from the support of the fit.
nlohmann::json marginals_of(const Fit& fit, double bits_per_frame);

nlohmann::json to_json(const std::vector<Disturbance>& disturbances);

/// A note on each that is known or likely, with what it means for the depth, and one on the others.
Notes notes_on(const std::vector<Disturbance>& disturbances);

/// "1.04 % of the frames are lost at random (95 %: 0.91 to 1.19)", where no plain memory explains the bursts without
/// it: their depth holds only beside it. Empty where such a loss is not likely.
std::string loss_beside(const ModelFit& one);

/// "the depth grows by 9.1 % from the first row to the last, ": what further laws say in the first line where they are
/// likely.
std::string further_laws_in_headline(const ModelFit& one);

/// Empty where no counter was read.
Notes notes_on_peaks(const Fit& fit);
nlohmann::json json_of_peaks(const Fit& fit);

// Warnings: likely mistakes in a map that can be read.

/// Returns warnings about columns that resemble a known one and, with a scenario, about separations off by a factor
/// near 1000: shorter than frames take on a link, or so long that nothing can be lost.
std::vector<std::string> warnings_of(const LossMap& map, const Conditions& conditions);

/// Returns the relative deviation of the fitted rate from the scenario's, if above a tenth and beyond its 95 %
/// interval, or likely so. std::nullopt if the rate is given or no scenario counts, if bursts contradict each other,
/// and for receivers.
std::optional<double> rate_off_nominal(const Fit& fit);
/// Deviation of the rate in words, "service rate 50 % below the scenario's 5 Gb/s", and its usual causes; both or
/// neither are empty.
struct RateMismatch {
    std::string off, reasons;
};
RateMismatch rate_doubt(const Fit& fit);

/// "uneven uplinks, ", what the chosen kind has beside a plain memory; "perhaps uneven uplinks (86 %), ", if it is a
/// plain memory and one with a feature is nearly as likely, or likelier; else empty.
std::string feature_doubt(const Fit& fit);

/// Returns warnings about a fitted rate off the scenario's by a factor near 1000, or near 8 as between bits and bytes.
std::vector<std::string> warnings_of(const Fit& fit);

/// Says them on standard error.
inline void warn_of(const std::vector<std::string>& doubts) {
    for (const std::string& doubt : doubts) warn(doubt);
}

// Burst-absorption tables.

/// Conditions of a burst-absorption table.
struct AbsorptionTest {
    std::string source;    ///< the table
    std::string scenario;  ///< that supplied the rates, or empty
    BitRate link_rate{1'000'000'000}, uplink_rate{1'000'000'000};
};

nlohmann::json to_json(const AbsorptionFit& fit, const AbsorptionTest& test);
void print(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test);

/// @throws InputError if nothing explains the table
void write_switch(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test);

}  // namespace watershed
