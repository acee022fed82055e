// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/bursts.h"

#include "test/catch.h"

using namespace watershed;

namespace {

LossMapRow row(int ports, std::int64_t microseconds, std::int64_t events, std::int64_t lost) {
    LossMapRow one;
    one.ports = ports, one.payload = Bytes{1024}, one.separation = Time{microseconds * 1'000'000}, one.events = events;
    one.frames_sent = ports * events, one.frames_received = one.frames_sent - lost;
    return one;
}

}  // namespace

TEST_CASE("Bursts are sorted by what became of them and by what the fit says of their rows") {
    Inputs inputs;
    inputs.maps.push_back({"map.csv", {row(44, 9, 50, 0), row(44, 9, 90, 3), row(28, 9, 90, 0), row(44, 9, 70, 0)}});
    FitFile fit;
    fit.lines = {{{44, Bytes{1024}, 1}, {}, {}}}, fit.map = "map.csv";
    fit.binding_rows = {1}, fit.violating_rows = {2}, fit.rows_set_aside = {4};
    inputs.fits.push_back(fit);
    REQUIRE(mixes_of(inputs).size() == 1);
    const Bursts bursts = bursts_from(inputs, mixes_of(inputs).front());
    CHECK(bursts.complete.size() == 1);
    CHECK(bursts.lossy.size() == 1);
    CHECK(bursts.set_aside.size() == 1);
    CHECK(bursts.measured() == 3);
    CHECK(bursts.binding.at(0).y == 50);
    CHECK(bursts.violating.at(0).y == 90);
    CHECK(bursts.mix == "44 ports, 1024 B");
}

TEST_CASE("The line between lies in the middle of each separation's bracket") {
    Inputs inputs;
    inputs.maps.push_back({"map.csv", {row(44, 9, 50, 0), row(44, 9, 90, 3), row(44, 9, 60, 0), row(44, 20, 60, 0)}});
    const auto line = line_between(bursts_from(inputs, mixes_of(inputs).front()));
    REQUIRE(line.size() == 1);
    CHECK(line[0].x == 9);
    CHECK(line[0].y == 75);
}

TEST_CASE("Advice is marked with its next points, or with its checks once there is enough") {
    Inputs inputs;
    inputs.advices.push_back({"next.json", "depth", false, {{9, 44, 0.5, 1}}, {}});
    CHECK(bursts_from(inputs, {}).advised.size() == 1);
    inputs.advices.front() = {"next.json", "depth", true, {{9, 44, 0.5, 1}}, {{20, 40, 0, 0}, {20, 60, 1, 0}}};
    CHECK(bursts_from(inputs, {}).advised.empty());
    CHECK(bursts_from(inputs, {}).checks.size() == 2);
}

TEST_CASE("Bursts towards other numbers of uplinks than the fitted curve's are of another mix") {
    Inputs inputs;
    LossMapRow two = row(44, 9, 90, 0);
    two.congested_uplinks = 2;
    LossMapRow one = row(44, 9, 50, 0);
    one.congested_uplinks = 1;
    inputs.maps.push_back({"map.csv", {one, two, row(44, 9, 70, 3)}});
    FitFile fit;
    fit.lines = {{{44, Bytes{1024}, 1}, {}, {}}}, fit.map = "map.csv";
    inputs.fits.push_back(fit);
    const Bursts bursts =
        bursts_from(inputs, mixes_of(inputs).front());  // the row that says nothing has the scenario's one uplink
    CHECK(bursts.complete.size() == 1);
    CHECK(bursts.lossy.size() == 1);
    CHECK(bursts.measured() == 2);
    CHECK(bursts.mix == "44 ports, 1024 B, 1 congested uplink");
}

TEST_CASE("Without a fit the mix of the first row comes first, then those with most rows, six at most") {
    Inputs inputs;
    inputs.maps.push_back({"map.csv", {row(40, 9, 50, 0)}});
    for (int ports = 41; ports <= 47; ++ports)  // 41 ports with two rows, 47 with eight
        for (int events = 0; events < ports - 39; ++events)
            inputs.maps.front().rows.push_back(row(ports, 9, 50 + events, 0));
    std::vector<int> ports;
    for (const Mix& mix : mixes_of(inputs)) ports.push_back(mix.ports);
    CHECK(ports == std::vector<int>{40, 47, 46, 45, 44, 43});
}

TEST_CASE("Advice that does not say its mix is for that of the first row") {
    Inputs inputs;
    inputs.maps.push_back({"map.csv", {row(44, 9, 50, 0), row(28, 9, 50, 0)}});
    inputs.advices.push_back({"next.json", "depth", false, {{9, 44, 0.5, 1}}, {}});
    REQUIRE(mixes_of(inputs).size() == 2);
    CHECK(bursts_from(inputs, mixes_of(inputs)[0]).advised.size() == 1);
    CHECK(bursts_from(inputs, mixes_of(inputs)[1]).advised.empty());
}

TEST_CASE("Advice that says its mix is shown with that, even where nothing was measured of it yet") {
    Inputs inputs;
    inputs.maps.push_back({"map.csv", {row(44, 9, 50, 0), row(28, 9, 50, 0)}});
    inputs.advices.push_back({"next.json", "depth", false, {{9, 44, 0.5, 1}}, {}, Mix{28, Bytes{1024}, 0}});
    REQUIRE(mixes_of(inputs).size() == 2);
    CHECK(bursts_from(inputs, mixes_of(inputs)[0]).advised.empty());
    CHECK(bursts_from(inputs, mixes_of(inputs)[1]).advised.size() == 1);
    inputs.advices.front().mix = Mix{28, Bytes{512}, 0};
    REQUIRE(mixes_of(inputs).size() == 3);
    CHECK(bursts_from(inputs, mixes_of(inputs)[2]).advised.size() == 1);
    CHECK(bursts_from(inputs, mixes_of(inputs)[2]).mix == "28 ports, 512 B");
}
