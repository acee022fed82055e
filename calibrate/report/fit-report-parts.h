// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/report/fit-report.h"

/// Numbers and sentences of a fit's report.
namespace watershed {

/// Returns the bits of one frame of the map's first row on a link.
double bits_per_frame(const Fit& fit);

/// Returns the depth of a kind. No limit is hard if lossy and lossless bursts overlap: those that are in line with each
/// other may exclude the truth.
Estimate depth_of(const Fit& fit, const ModelFit& one);

/// Returns the depth as it is printed: without a value for the reported kind if bursts contradict each other.
Estimate told_depth(const Fit& fit, const ModelFit& one);

/// Returns the service rate. A given rate is stated as given, not as the range that a simulation takes for the same.
Estimate rate_of(const Fit& fit);

nlohmann::json feature_of(const ModelFit& one);

/// Returns the prior probability of each model.
std::vector<double> priors_of(const Fit& fit);

/// Returns the probability of a kind to one hundredth, as samples determine it; 0 and 1 only beyond the error.
std::string share_text(const ModelFit& one);

/// Returns the log evidence of a kind with its error.
std::string evidence_text(const ModelFit& one);

/// Returns the depth of a kind: fewer digits unless it is chosen, "-" without samples.
/// @param told  result of told_depth()
std::string depth_text(const ModelFit& fit, const Estimate& told, bool chosen);

/// One number of the result with its intervals. The same rows make the table of the text, the JSON and the page.
struct ReportedNumber {
    std::string name, unit;
    Estimate value;
};

std::vector<ReportedNumber> quantities_of(const Fit& fit);

/// Returns the bursts by row whose frames_sent is not that of one burst, so that only loss or no loss counts; none if
/// no counts are used.
std::vector<Burst> without_counts(const Fit& fit);

/// Returns true if the bursts contradict each other or every kind of memory: no statement about a memory holds then.
bool contradicted(const Fit& fit);

std::string headline_of(const Fit& fit);

/// Returns the meaning of the fit's status.
std::string standing_of(const Fit& fit);

/// Returns the result in sentences; empty if contradicted().
std::string answer_of(const Fit& fit, const std::vector<ReportedNumber>& all);

/// Returns why the estimate lies outside of the feasible region; empty if it does not.
std::string region_note(const Fit& fit);

/// Returns the notes on the assumptions of the fit.
Notes basis_of(const Fit& fit);

/// Returns the notes on the numbers and on single rows; sentences about the numbers have no topic.
Notes data_of(const Fit& fit, const Estimate& depth);

}  // namespace watershed
