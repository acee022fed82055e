// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/noise-law.h"

#include <iomanip>
#include <sstream>

namespace watershed {

std::string NoiseLaw::describe(double value, bool relative) {
    std::ostringstream out;
    out << std::setprecision(3) << (relative ? 100 * value : value)
        << (relative ? " % of a burst's length" : " frames");
    return out.str();
}

}  // namespace watershed
