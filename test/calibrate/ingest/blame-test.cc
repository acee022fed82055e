// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/blame.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

namespace {

using What = Counter::What;

Counter counter(What what, Place place, std::int64_t value, const std::string& name = "a",
                const std::string& device = "") {
    return {name, device, what, place, value};
}

}  // namespace

TEST_CASE("Losses that counters explain have their places for certain") {
    const Blame blame = blame_for(1000, std::nullopt,
                                  {counter(What::Lost, Place::Switch, 90), counter(What::Lost, Place::Socket, 10),
                                   counter(What::Arrived, Place::Socket, 900)});
    CHECK(blame.missing() == 100);
    CHECK(blame.unexplained == 0);
    CHECK(blame.at(Place::Switch).probability == Approx(0.9));
    CHECK(blame.at(Place::Switch).low == Approx(0.9));
    CHECK(blame.at(Place::Switch).high == Approx(0.9));
    CHECK(blame.at(Place::Card).high == 0);
    CHECK(blame.contradictions.empty());
    CHECK(lost_at_text(blame) == "switch 90; socket 10");
}

TEST_CASE("What no counter saw was lost at a place without counters, each as likely") {
    // Six places have no counter, and share 50 of the 100 frames that are missing.
    const Blame blame = blame_for(1000, 900, {counter(What::Lost, Place::Socket, 50)});
    CHECK(blame.unexplained == 50);
    CHECK(blame.at(Place::Switch).probability == Approx(0.5 / 6));
    CHECK(blame.at(Place::Switch).low == 0);
    CHECK(blame.at(Place::Switch).high == Approx(0.5));
    CHECK(blame.at(Place::Socket).probability == Approx(0.5));
}

TEST_CASE("Of one device and place the largest counter counts, and devices add up") {
    const Blame blame = blame_for(1000, 980,
                                  {counter(What::Lost, Place::Card, 12, "rx_missed_errors", "eth0"),
                                   counter(What::Lost, Place::Card, 12, "rx_fifo_errors", "eth0"),
                                   counter(What::Lost, Place::Card, 8, "rx_missed_errors", "eth1")});
    CHECK(blame.at(Place::Card).lost == 20);
    CHECK(blame.unexplained == 0);
}

TEST_CASE("What several devices lost at one place is told device by device") {
    const Blame blame = blame_for(1000, 980,
                                  {counter(What::Lost, Place::Kernel, 0, "rx.dropped", "eth0"),
                                   counter(What::Lost, Place::Kernel, 1500, "rx.dropped", "eth1"),
                                   counter(What::Lost, Place::Kernel, 2, "rx.dropped", "eth2"),
                                   counter(What::Lost, Place::Kernel, 1, "rx.fifo", "eth2"),
                                   counter(What::Lost, Place::Card, 0, "rx.missed", "eth1"),
                                   counter(What::Lost, Place::Card, 0, "rx.missed", "eth2")});
    const PlaceLoss& kernel = blame.at(Place::Kernel);
    REQUIRE(kernel.devices.size() == 2);
    CHECK(kernel.devices[0].device == "eth1");
    CHECK(kernel.devices[0].lost == 1500);
    CHECK(kernel.devices[1].by == "rx.dropped of eth2");
    CHECK(kernel.devices[1].lost == 2);
    CHECK(kernel.by == "rx.dropped of eth1 + rx.dropped of eth2");
    CHECK(blame.at(Place::Card).devices.empty());
    CHECK(blame.at(Place::Card).by == "rx.missed of eth1");
    CHECK(blame.at(Place::Switch).by.empty());
}

TEST_CASE("What cannot be together is named") {
    const auto contradiction = [](const std::vector<Counter>& counters, std::optional<std::int64_t> arrived) {
        const Blame blame = blame_for(1000, arrived, counters);
        return blame.contradictions.empty() ? std::string() : blame.contradictions.front();
    };
    CHECK_THAT(contradiction({counter(What::Sent, Place::Sender, 990)}, 990), Contains("did not send all"));
    CHECK_THAT(contradiction({counter(What::Arrived, Place::Card, 1010)}, 1000), Contains("others sent too"));
    CHECK_THAT(contradiction({counter(What::Lost, Place::Switch, 30)}, 980),
               Contains("more than the 20 that are missing"));
    CHECK_THAT(contradiction({counter(What::Arrived, Place::Card, 1000), counter(What::Arrived, Place::Socket, 990),
                              counter(What::Lost, Place::Socket, 4)},
                             990),
               Contains("between card and socket 10 frames are gone, of which counters there saw 4"));
    CHECK(contradiction({counter(What::Lost, Place::Switch, 20)}, 980).empty());
}

TEST_CASE("Probabilities of all places sum to one where anything is missing and a place has no counter") {
    CHECK(rc::check([] {
        const auto sent = *rc::gen::inRange<std::int64_t>(2, 10000);
        const auto arrived = *rc::gen::inRange<std::int64_t>(0, sent);
        std::vector<Counter> counters;
        for (const Place place : {Place::Switch, Place::Ring, Place::Socket})
            if (*rc::gen::arbitrary<bool>())
                counters.push_back(counter(What::Lost, place, *rc::gen::inRange<std::int64_t>(0, 3000)));
        const Blame blame = blame_for(sent, arrived, counters);
        double sum = 0;
        for (const PlaceLoss& one : blame.places) {
            sum += one.probability;
            RC_ASSERT(one.low <= one.probability && one.probability <= one.high);
        }
        RC_ASSERT(std::abs(sum - 1) < 1e-9);
        std::int64_t all = 0;
        for (const Counter& one : counters) all += one.value;
        RC_ASSERT(blame.contradictions.empty() == (all <= sent - arrived));
    }));
}

TEST_CASE("A cell of lost_at reads as it was written") {
    const auto counters = counters_of_lost_at("switch 120; socket 3");
    REQUIRE(counters.size() == 2);
    CHECK(counters[0].place == Place::Switch);
    CHECK(counters[0].value == 120);
    CHECK(counters[1].place == Place::Socket);
    CHECK(counters_of_lost_at("none").empty());
    CHECK_THROWS_WITH(counters_of_lost_at("switch"), Contains("switch") && Contains("switch 120"));
    CHECK_THROWS_WITH(counters_of_lost_at("moon 3"), Contains("moon 3"));
}
