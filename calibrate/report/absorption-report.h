// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "calibrate/absorption/absorption-fit.h"

/// The fit of a burst-absorption table as a table to read, as JSON, and as a switch that a scenario can name.
namespace watershed {

/// What is known beside the table.
struct AbsorptionTest {
    std::string source;    ///< the table
    std::string scenario;  ///< that supplied the rates, or empty
    BitRate link_rate{1'000'000'000}, uplink_rate{1'000'000'000};
};

nlohmann::json to_json(const AbsorptionFit& fit, const AbsorptionTest& test);
void print(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test);

/// A fragment for `switch.model`. @throws InputError if nothing explains the table
void write_switch(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test);

}  // namespace watershed
