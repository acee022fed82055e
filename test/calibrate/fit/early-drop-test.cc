// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit.h"
#include "test/calibrate/measure-all.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "Bursts of a memory that drops early are a misfit that names early drop, and those of a full memory are not") {
    std::vector<BurstSetting> wanted;
    for (const std::int64_t microseconds : {9, 15, 25})
        for (const double length : {0.5, 0.7, 0.9, 1.1, 1.4, 1.8, 2.5, 4.0})
            wanted.push_back({44, Bytes{1024}, Time{microseconds * 1'000'000},
                              std::llround(2000 * length / (44 - static_cast<double>(microseconds) / 0.872))});
    Scenario hidden;
    Buffer& buffer = hidden.network_switch.buffer;
    buffer.size = {2000, MemorySize::Unit::Frame};
    const auto fit = [&] {
        return fit_loss_map({"simulated", measure_all(SimulatedSwitch(hidden, {}), wanted)}, default_conditions(), {});
    };
    CHECK(fit().misfit.empty());
    buffer.wred_from = {1200, MemorySize::Unit::Frame};
    buffer.wred_to = buffer.size;
    buffer.wred_probability = Ratio{1, 1};
    const Fit early = fit();
    CHECK(early.status == FitStatus::Misfit);
    CHECK(early.losses_begin_early);
    CHECK_THAT(early.misfit, Contains("early drop, which counters of WRED or RED"));
}
