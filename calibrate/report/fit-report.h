// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>

#include "calibrate/absorption/absorption-fit.h"
#include "calibrate/fit/fit.h"
#include "scenarios/text/warning.h"

/// Fit and diagnosis as JSON. Both the printed text and the page are made from this JSON.
namespace watershed {

/// Rank of a line: the text has kDetail with --verbose alone, and drops kUseful first where it would be too long.
enum Rank { kWarning = 1, kBasis, kUseful, kDetail };
/// Line of a report. A sentence about the numbers has an empty topic.
struct Note {
    std::string topic, text;
    Rank rank = kUseful;
};
using Notes = std::vector<Note>;
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Note, topic, text, rank)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RowSetAside, row, line, reason)

/// Returns the JSON of a fit. "headline", "answer" and "standing" are sentences of the report, "quantities" the rows of
/// its table, "notes" further lines.
nlohmann::json to_json(const Fit& fit);

/// Returns the JSON of a fit with the fields and notes of its diagnosis.
nlohmann::json to_json(const Fit& fit, const Diagnosis& diagnosis);

/// Prints the JSON of a fit, with its diagnosis or without, for people.
/// @param verbose  false: no details, and at most kScreen lines with those that say how many are left out
/// @param others   lines that the command adds to a screen
void print_report(std::ostream& out, const nlohmann::json& fit, bool verbose = false, std::size_t others = 0);
constexpr std::size_t kScreen = 25;

/// Returns true if the fit has estimates: bursts that contradict each other give none, beside the values of --fix.
inline bool has_estimates(const Fit& fit) { return fit.status != FitStatus::Inconsistent; }

/// Writes the fitted switch as a file for `switch.model`; given values are told as such.
/// @throws InputError if there is no estimate, or the data give limits only
void write_switch(std::ostream& out, const Fit& fit);

/// Returns the densities of depth and of frames per second, as pairs [value, density], from the support of the fit.
nlohmann::json marginals_of(const Fit& fit, double bits_per_frame);

nlohmann::json to_json(const std::vector<Disturbance>& disturbances);

/// Returns one note for each known or likely disturbance, with its consequence for the depth, and one for all others.
Notes notes_on(const std::vector<Disturbance>& disturbances);

/// Returns "1.04 % of the frames are lost at random (95 %: 0.91 to 1.19)" if no memory without a feature explains the
/// bursts unless frames are lost at random, so that the depth depends on this loss; empty if such a loss is not likely.
std::string loss_beside(const ModelFit& one);

/// Returns the words of likely nuisance models in the headline: "the depth grows by 9.1 % from the first row to the
/// last, ".
std::string nuisances_in_headline(const ModelFit& one);

/// Returns the notes on peak counters; empty if none was read.
Notes notes_on_peaks(const Fit& fit);
nlohmann::json json_of_peaks(const Fit& fit);

// Warnings: likely mistakes in a map that can be read.

/// Returns warnings about columns that resemble a known one and, with a scenario, about separations off by a factor
/// near 1000: shorter than frames take on a link, or so long that nothing can be lost.
std::vector<std::string> warnings_of(const LossMap& map, const Conditions& conditions);

/// Returns the feature of the chosen kind, "uneven uplinks, ". If it has none, but a kind with a feature is nearly as
/// likely or likelier, returns "perhaps uneven uplinks (86 %), "; else empty.
std::string feature_doubt(const Fit& fit);

/// Returns warnings about a fitted rate off the scenario's by a factor near 1000, or near 8 as between bits and bytes.
std::vector<std::string> warnings_of(const Fit& fit);

/// Prints warnings on standard error.
inline void warn_of(const std::vector<std::string>& doubts) {
    for (const std::string& doubt : doubts) warn(doubt);
}

// Burst-absorption tables.

/// Conditions of a burst-absorption table.
struct AbsorptionTest {
    std::string source;    ///< file of the table
    std::string scenario;  ///< scenario that supplied the rates, or empty
    BitRate link_rate{1'000'000'000}, uplink_rate{1'000'000'000};
};

nlohmann::json to_json(const AbsorptionFit& fit, const AbsorptionTest& test);
void print(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test);

/// @throws InputError if nothing explains the table
void write_switch(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test);

}  // namespace watershed
