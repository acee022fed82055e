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

/// A common factor of all numbers at an axis, which leaves them few digits.
struct AxisPower {
    int exponent = 0;  ///< of ten, a multiple of three

    double operator()(double value) const;
    /// "data / (Gb/s)" becomes "data / (10⁹ Gb/s)".
    std::string label(const std::string& text) const;
};

/// None for numbers between a thousandth and a million. @param largest  at the axis, by its size
AxisPower axis_power(double largest);

}  // namespace watershed
