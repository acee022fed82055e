// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

namespace watershed {

/// How a quantity is drawn: itself, or where all of it lies close together its deviation from a reference.
struct Axis {
    std::string label, unit;
    double unit_size = 1;
    double reference = 0, scale = 1;

    double operator()(double value) const { return (value - reference) * scale; }
};

/// As many digits as tell values apart that differ by this part of themselves.
int digits_for(double spread);

/// The axis of a quantity that lies between `low` and `high`.
/// @param unit "bytes" become kB or MB, "frames" and "frames/s" millions where they are so many
/// @param reference above 0, in `unit`
Axis axis_for(const std::string& quantity, std::string unit, double reference, double low, double high);

}  // namespace watershed
