// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-pid.h"

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time kTenth{100'000'000'000};

EjfatControl with(Ratio kp, Ratio ki, Ratio kd) {
    EjfatControl control;
    control.set_point = Ratio{1, 4};
    control.kp = kp;
    control.ki = ki;
    control.kd = kd;
    control.samples = 3;
    return control;
}

}  // namespace

TEST_CASE("A controller step is kp e + ki sum(e dt) + kd de/dt over the samples it looks back on") {
    // Set point 0.25, reports every 0.1 s:
    //   fill 0.25  0.35  0.45  0.45          e  0   -0.1   -0.2   -0.2
    // kp 100:         0, -10, -20, -20
    // ki 10: the sums of e dt over the last 3 are 0, -0.01, -0.03, -0.01 - 0.02 - 0.02 = -0.05:  0, -0.1, -0.3, -0.5
    // kd 2: from the oldest of 3: (-0.1 - 0) / 0.1 = -1, (-0.2 - 0) / 0.2 = -1, (-0.2 + 0.1) / 0.2 = -0.5:  0, -2, -2,
    // -1
    const double fills[] = {0.25, 0.35, 0.45, 0.45};
    const double p[] = {0, -10, -20, -20}, i[] = {0, -0.1, -0.3, -0.5}, d[] = {0, -2, -2, -1};
    EjfatPid only_p(with({100, 1}, {0, 1}, {0, 1})), only_i(with({0, 1}, {10, 1}, {0, 1})),
        only_d(with({0, 1}, {0, 1}, {2, 1})), all(with({100, 1}, {10, 1}, {2, 1}));
    for (int step = 0; step < 4; ++step) {
        CAPTURE(step);
        const Time now = (step + 5) * kTenth;
        CHECK(only_p.step(fills[step], now) == Approx(p[step]).margin(1e-9));
        CHECK(only_i.step(fills[step], now) == Approx(i[step]).margin(1e-9));
        CHECK(only_d.step(fills[step], now) == Approx(d[step]).margin(1e-9));
        CHECK(all.step(fills[step], now) == Approx(p[step] + i[step] + d[step]).margin(1e-9));
    }
}

TEST_CASE("Without gains a controller wants nothing") {
    EjfatPid pid(with({0, 1}, {0, 1}, {0, 1}));
    CHECK(pid.step(1, kTenth) == 0);
    CHECK(pid.step(0, 2 * kTenth) == 0);
}
