// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "scenarios/text/csv.h"

namespace watershed {

/// `watershed fit` of a table of thresholds. @param json  file, "-" or empty
void fit_thresholds(const CsvTable& table, const std::string& json);
/// `watershed next` of one. @param costs  table of what trials cost, or empty
void advise_thresholds(const CsvTable& table, const std::string& costs, const std::string& json);

}  // namespace watershed
