// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-control-plane.h"

#include <cmath>
#include <numeric>

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

namespace {

constexpr Time kSecond{1'000'000'000'000};

int slots_of(const EjfatControlPlane::Decision& decision, int node) {
    for (std::size_t i = 0; i < decision.members.size(); ++i)
        if (decision.members[i].node == node) return decision.shares[i];
    return 0;
}

}  // namespace

TEST_CASE("There is no epoch before there is a node, and the first begins at event 0") {
    const Ejfat ejfat;
    EjfatControlPlane plane(ejfat, 1);
    CHECK_FALSE(plane.tick(Time{0}));
    plane.register_node(3, Time{0});
    const auto first = plane.tick(kSecond);
    REQUIRE(first);
    CHECK(first->table.first_event == 0);
    CHECK(slots_of(*first, 3) == 512);
}

TEST_CASE("A later epoch begins at the event that the last synchronisation predicts for the offset") {
    const Ejfat ejfat;  // offset 0.8 s
    EjfatControlPlane plane(ejfat, 1);
    plane.register_node(0, Time{0});
    plane.tick(Time{0});
    CHECK_FALSE(plane.tick(kSecond));  // nothing to predict from
    plane.sync(10'000, 1000, kSecond + kSecond / 2);
    // 0.5 + 0.8 s behind the message: 10000 + 1.3 * 1000.
    CHECK(plane.tick(2 * kSecond)->table.first_event == 11'300);
    // A source that is behind does not turn the clock back.
    plane.sync(500, 10, 2 * kSecond);
    CHECK(plane.tick(3 * kSecond)->table.first_event == 12'300);
}

TEST_CASE("A source that states no rate has that between its last two messages") {
    const Ejfat ejfat;
    EjfatControlPlane plane(ejfat, 1);
    plane.register_node(0, Time{0});
    plane.tick(Time{0});
    plane.sync(100, 0, kSecond);
    plane.sync(300, 0, 2 * kSecond);
    CHECK(plane.tick(2 * kSecond)->table.first_event == 460);  // 300 + 200 /s * 0.8 s
}

TEST_CASE("Weights follow w <- w + u and are scaled to a mean of 1000") {
    // Two nodes: u = -200 and 0 at each tick. 800 and 1000 are scaled by 1000 / 900: 888.9, 1111.1; then 688.9 and
    // 1111.1 by 1000 / 900 again: 765.4, 1234.6. Slots 512 w / 2000.
    Ejfat ejfat;
    ejfat.control.min_factor = Ratio{0, 1};
    EjfatControlPlane plane(ejfat, 1);
    plane.register_node(0, Time{0});
    plane.register_node(1, Time{0});
    plane.sync(0, 1000, Time{0});
    plane.report(0, -200, Time{0});
    const auto first = plane.tick(Time{0});
    REQUIRE(first);
    CHECK(first->members[0].weight == Approx(888.889).epsilon(1e-5));
    CHECK(slots_of(*first, 0) == std::lround(512 * 888.889 / 2000));
    const auto second = plane.tick(kSecond);
    CHECK(second->members[0].weight == Approx(765.432).epsilon(1e-5));
    CHECK(slots_of(*second, 0) + slots_of(*second, 1) == 512);
}

TEST_CASE("Nodes that leave get no slots, and silent ones are evicted") {
    Ejfat ejfat;
    ejfat.control.eviction = 3 * kSecond;
    EjfatControlPlane plane(ejfat, 1);
    for (int node = 0; node < 3; ++node) plane.register_node(node, Time{0});
    plane.sync(0, 1000, Time{0});
    CHECK(plane.tick(Time{0})->members.size() == 3);
    plane.deregister_node(1);
    plane.report(0, 0, 2 * kSecond);
    CHECK(plane.tick(2 * kSecond)->members.size() == 2);
    CHECK(plane.evicted() == 0);
    const auto last = plane.tick(3 * kSecond);
    REQUIRE(last->members.size() == 1);
    CHECK(slots_of(*last, 0) == 512);
    CHECK(plane.evicted() == 1);
    plane.report(2, 1000, 4 * kSecond);  // too late: it has to register again
    CHECK(plane.tick(4 * kSecond)->members.size() == 1);
}
