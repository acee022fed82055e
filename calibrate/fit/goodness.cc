// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/goodness.h"

#include <algorithm>
#include <cmath>

#include "calibrate/posterior/statistics.h"

namespace watershed {

RunsTest wald_wolfowitz(const std::string& order, const std::vector<double>& values) {
    RunsTest test;
    test.order = order;
    test.residuals = values.size();
    const auto positive = static_cast<double>(
                   std::count_if(values.begin(), values.end(), [](double value) { return value > 0; })),
               n = static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) test.runs += i == 0 || (values[i] > 0) != (values[i - 1] > 0);
    const double both = 2 * positive * (n - positive);
    if (both <= 0 || n < 10) return test;
    const double mean = both / n + 1, variance = both * (both - n) / (n * n * (n - 1));
    if (variance > 0)
        test.p_value =
            2 * below(-std::max(0.0, std::abs(static_cast<double>(test.runs) - mean) - 0.5) / std::sqrt(variance));
    test.p_value = std::min(1.0, test.p_value);
    return test;
}

}  // namespace watershed
