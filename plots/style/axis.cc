// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/axis.h"

#include <algorithm>
#include <cmath>

#include "plots/style/style.h"
#include "scenarios/text/readable.h"

namespace watershed {

int digits_for(double spread) {
    return std::max(4, 2 + static_cast<int>(std::ceil(-std::log10(std::max(spread, 1e-12)))));
}

Axis axis_for(const std::string& quantity, std::string unit, double reference, double low, double high) {
    const double spread = (high - low) / reference;
    double unit_size = 1;
    if (unit == "bytes" && reference >= 1e4) {
        unit = reference >= 1e6 ? "MB" : "kB";
        unit_size = reference >= 1e6 ? 1e6 : 1e3;
    }
    constexpr double kMillion = 1e6;  // from here on numbers would have exponents
    if ((unit == "frames" || unit == "frames/s") && high >= kMillion) unit = "million " + unit, unit_size = kMillion;
    if (spread > 0.1) return {quantity + " / " + unit, unit, unit_size, 0, 1 / unit_size};
    const bool percent = spread > 1e-4;
    return {quantity + ", deviation from " + plain_number(reference / unit_size, digits_for(spread)) + ' ' + unit +
                (percent ? " / %" : " / ppm"),
            unit, unit_size, reference, (percent ? 1e2 : 1e6) / reference};
}

double AxisPower::operator()(double value) const { return exponent == 0 ? value : value / std::pow(10, exponent); }

std::string AxisPower::label(const std::string& text) const {
    if (exponent == 0) return text;
    const std::string power = power_of_ten(exponent);
    const auto slash = text.find(" / ");
    if (slash == std::string::npos) return text + " / " + power;
    const std::string quantity = text.substr(0, slash + 3), unit = text.substr(slash + 3);
    return quantity + '(' + power + ' ' + (unit.front() == '(' ? unit.substr(1) : unit + ')');
}

AxisPower axis_power(double largest) {
    constexpr double kLeast = 1e-3, kMost = 1e6;
    if (!std::isfinite(largest) || largest == 0 || (largest >= kLeast && largest < kMost)) return {};
    return {3 * static_cast<int>(std::floor(std::log10(largest) / 3))};
}

}  // namespace watershed
