// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/port-check.h"

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

namespace {

using Fit = PortFit::Fit;
constexpr BitRate kFast{100'000'000}, kGigabit{1'000'000'000}, k10Gigabit{10'000'000'000}, k40Gigabit{40'000'000'000};
const std::vector<PortGroup> kUsual{{kGigabit, 48}, {k10Gigabit, 4}};

NeededPorts needed(BitRate link, int inputs, BitRate uplink, int uplinks) {
    NeededPorts all;
    all.speeds[link].inputs += inputs;
    all.speeds[uplink].uplinks += uplinks;
    return all;
}

}  // namespace

TEST_CASE("Inputs and uplinks each take a port of their speed") {
    CHECK(fit_ports(kUsual, needed(kGigabit, 48, k10Gigabit, 4)).fits == Fit::Yes);
    const PortFit uplinks = fit_ports(kUsual, needed(kGigabit, 48, k10Gigabit, 5));
    CHECK(uplinks.fits == Fit::No);
    CHECK(uplinks.speed == k10Gigabit);
    CHECK(uplinks.why == "it has 4 ports of 10 Gb/s, 5 are needed");
    CHECK(fit_ports(kUsual, needed(kGigabit, 47, kGigabit, 1)).fits == Fit::Yes);
}

TEST_CASE("A switch without ports of the uplinks' speed does not have them") {
    CHECK(fit_ports({{kGigabit, 48}}, needed(kGigabit, 40, k10Gigabit, 1)).fits == Fit::No);
    CHECK(fit_ports(kUsual, needed(k10Gigabit, 4, k40Gigabit, 1)).fits == Fit::No);
}

TEST_CASE("Whether spare faster ports run at a slower speed is unknown, and those that are taken are not spare") {
    const PortFit spare = fit_ports(kUsual, needed(kGigabit, 50, k10Gigabit, 2));
    CHECK(spare.fits == Fit::Unknown);
    CHECK(spare.why ==
          "it has 48 ports of 1 Gb/s, 50 are needed; whether its faster ports run at that speed is unknown");
    CHECK(fit_ports(kUsual, needed(kGigabit, 50, k10Gigabit, 3)).fits == Fit::No);
    CHECK(fit_ports(kUsual, needed(kFast, 40, k10Gigabit, 1)).fits == Fit::Unknown);
    CHECK(fit_ports({}, needed(kGigabit, 1, k10Gigabit, 1)).fits == Fit::Unknown);
}

TEST_CASE(
    "A port that can be split counts as several, and whether one of 100 or 40 Gb/s can be is asked where nobody says") {
    constexpr BitRate k25Gigabit{25'000'000'000}, k100Gigabit{100'000'000'000};
    const std::vector<PortGroup> fast{{k100Gigabit, 32}};
    const NeededPorts links = needed(k25Gigabit, 100, k100Gigabit, 7);
    const PortFit open = fit_ports(fast, links);
    CHECK(open.fits == Fit::Unknown);
    CHECK_THAT(open.why, Contains("no port of 25 Gb/s, 100 are needed; whether its faster ports can be split"));
    CHECK(fit_ports(fast, needed(k25Gigabit, 101, k100Gigabit, 7)).fits == Fit::No);  // 25 ports make 100
    const Breakouts split{{k100Gigabit, {{k25Gigabit, 4}}}}, whole{{k100Gigabit, {}}};
    CHECK(fit_ports(fast, links, split).fits == Fit::Yes);
    CHECK(fit_ports(fast, links, whole).fits == Fit::No);
    // A port that is known to split into 25 Gb/s alone may still run at 10 Gb/s, one link for each port.
    CHECK(fit_ports(fast, needed(k10Gigabit, 25, k100Gigabit, 7), split).fits == Fit::Unknown);
    CHECK(fit_ports(fast, needed(k10Gigabit, 26, k100Gigabit, 7), split).fits == Fit::No);
    CHECK(fit_ports({{k40Gigabit, 4}}, needed(k10Gigabit, 12, k40Gigabit, 1)).fits == Fit::Unknown);
    CHECK(fit_ports({{k40Gigabit, 4}}, needed(k10Gigabit, 13, k40Gigabit, 1)).fits == Fit::No);
    // Ports of 40 Gb/s are split before those of 100 Gb/s, which are then left for others.
    const Breakouts both{{k40Gigabit, {{k10Gigabit, 4}}}, {k100Gigabit, {{k10Gigabit, 4}}}};
    CHECK(fit_ports({{k40Gigabit, 1}, {k100Gigabit, 1}}, needed(k10Gigabit, 4, k100Gigabit, 1), both).fits == Fit::Yes);
}

TEST_CASE("Ports are read as they are written") {
    const std::string text = "48 x 1 Gb/s + 4 x 10 Gb/s";
    CHECK(to_text(parse_ports(text)) == text);
    CHECK(to_text(parse_ports("2 x 100Gb/s")) == "2 x 100 Gb/s");
    for (const char* wrong :
         {"", "48", "48 x", "0 x 1 Gb/s", "x 1 Gb/s", "48 x 1 Gb/s +", "48 y 1 Gb/s", "4.5 x 1 Gb/s", "70000 x 1 Gb/s"})
        CHECK_THROWS_AS(parse_ports(wrong), std::invalid_argument);
}

TEST_CASE("A switch between switches has inputs of the links that lead to it") {
    Scenario s;
    s.front_end.modules = 20;
    s.network_switch.count = 3;
    s.network_switch.uplinks = 2;
    s.network_switch.uplink_rate = k10Gigabit;
    Switch& second = s.aggregation.emplace();
    second.uplinks = 1;
    second.uplink_rate = k40Gigabit;
    const Network network(s);
    const std::vector<NeededPorts> all = needed_ports(s, network);
    const NeededPorts &first = all[0], &behind = all[3];
    CHECK(first.speeds.at(kGigabit).inputs == 7);
    CHECK(first.speeds.at(k10Gigabit).uplinks == 2);
    CHECK(behind.speeds.at(k10Gigabit).inputs == 6);
    CHECK(behind.speeds.at(k40Gigabit).uplinks == 1);
    CHECK(behind.speeds.count(kGigabit) == 0);
}
