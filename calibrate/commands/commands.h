// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/burst.h"
#include "scenarios/text/csv.h"
#include "scenarios/validate/validate.h"

namespace CLI {
class App;
}

namespace watershed {

/// `watershed fit`, `watershed next`, and so on.
void add_fit_command(CLI::App& app);
void add_next_command(CLI::App& app);
void add_measure_command(CLI::App& app);
void add_campaign_simulate_command(CLI::App& app);
void add_ingest_command(CLI::App& app);
void add_blame_command(CLI::App& app);

/// `watershed fit` of a table of overloads.
void fit_overload_table(const CsvTable& table, const Conditions& conditions, const std::string& json);
/// `watershed next` of one.
void advise_overloads(const CsvTable& table, const Conditions& conditions, double precision, const std::string& json);
/// Whether they tell the depth to this share of it.
bool overloads_suffice(const CsvTable& table, const Conditions& conditions, double precision);

/// Own measurement of a Linux token bucket filter: what a fit finds in the two loss maps beside what was configured,
/// and the losses of all measured bursts beside those of the configured queue.
std::vector<Comparison> validate_kernel_queue(const Validation& validation);

}  // namespace watershed
