// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <sstream>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/report/fit-report.h"
#include "model/exact/exact-engine.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kRing = 1024, kRate = 10'000'000'000;
constexpr double kReads = 1e9 / 1300;  // frames a second

/// A deep switch and a server whose ring is read frame by frame.
Scenario server_that_loses() {
    Scenario scenario;
    scenario.network_switch.buffer.size = {1'000'000, MemorySize::Unit::Frame};
    scenario.network_switch.uplink_rate = BitRate{kRate};
    Receiver& receiver = scenario.server.receiver.emplace();
    receiver.path = Receiver::Path::Ideal;
    receiver.given.ring = MemorySize{kRing};
    receiver.given.frame = Time{1'300'000};
    return scenario;
}

/// Bursts from separations at which the uplink never rests to such at which it does, as the exact engine counts them.
std::vector<LossMapRow> bursts_of_ring() {
    std::vector<LossMapRow> rows;
    for (const int ports : {20, 44})
        for (const std::int64_t nanoseconds : {9000, 15'000, 26'000, 45'000})
            for (const std::int64_t events : {40, 90, 160, 240}) {
                Scenario scenario = server_that_loses();
                scenario.front_end.modules = ports;
                scenario.trigger.separation = Time{nanoseconds * 1000};
                scenario.trigger.events = events;
                const Outcome outcome = ExactEngine().run(scenario);
                LossMapRow& row = rows.emplace_back();
                row.ports = ports, row.payload = scenario.frame.payload, row.separation = scenario.trigger.separation;
                row.events = events, row.frames_sent = outcome.frames_sent;
                row.frames_received = outcome.frames_received;
            }
    return rows;
}

Conditions known_uplink() {
    Conditions conditions = default_conditions();
    conditions.scenario = "bench.toml";
    conditions.nominal_rate = BitRate{kRate};
    return conditions;
}

}  // namespace

TEST_CASE("The closed form of a receiver's ring counts what the exact engine's server loses, but for a few frames") {
    QueueModel ring;
    ring.per_packet = true, ring.ring_port = kRate;
    int lossy = 0;
    const LossMap map{"server", bursts_of_ring()};
    for (const Burst& sent : bursts_of(map, known_uplink(), CountUse::Count)) {
        const Burst burst = seen_by(ring, sent, sent.wire);
        const double lost = overflow(ring, burst, kRing, kReads * 8 * static_cast<double>(sent.wire));
        INFO(sent.ports << " ports, " << sent.events << " events every " << sent.separation.count()
                        << " ps: " << sent.lost << " by the closed form " << lost);
        CHECK(std::abs(std::max(0.0, lost) - static_cast<double>(sent.lost)) <= 2);
        lossy += sent.lossy;
    }
    CHECK(lossy > 10);
}

TEST_CASE("Frames that a server loses are not taken for the switch's: length alone decides where the uplink is busy") {
    const Fit fit = fit_loss_map({"server", bursts_of_ring()}, known_uplink(), {});
    CHECK(fit.best().model.name() == "shared-frames-receiver-ring");
    CHECK(*fit.best().depth.interval95.low <= kRing);
    CHECK(*fit.best().depth.interval95.high >= kRing);
    CHECK(*fit.best().rate.value == Approx(kReads * 8 * 1090).epsilon(0.003));
    const std::string headline = to_json(fit)["headline"];
    CHECK_THAT(headline, Contains("the server loses, not the switch"));
    std::ostringstream out;
    CHECK_THROWS_AS(write_switch(out, fit), InputError);
}

TEST_CASE("What a switch holds is told by the rows that its server's ring explains alone") {
    std::vector<LossMapRow> rows = bursts_of_ring();
    LossMapRow& lossy = rows.emplace_back(rows.back());
    // 44 modules send 44000 frames within 8.991 ms, in which the uplink sends 10310: a memory of 12000 loses the rest.
    lossy.separation = Time{9'000'000};
    lossy.events = 1000, lossy.frames_sent = 44'000, lossy.frames_received = 8000;
    const nlohmann::json fit = to_json(fit_loss_map({"server", rows}, known_uplink(), {}));
    REQUIRE(fit["model"] == "shared-frames-receiver-ring");
    std::string said;
    for (const nlohmann::json& note : fit["notes"]["basis"])
        if (note["topic"] == "switch") said = note["text"];
    // The longest of the others: 240 events that bring 10560 frames, of which 2466 leave meanwhile.
    CHECK_THAT(said, Contains("holds 8093 frames at least, for it lost none in the rows that the ring explains"));
}

TEST_CASE("A ring is not sought where bursts cannot tell it") {
    std::vector<Burst> bursts = bursts_of({"server", bursts_of_ring()}, known_uplink(), CountUse::Count);
    CHECK(receiver_ring(bursts, known_uplink(), {}));
    CHECK_FALSE(receiver_ring(bursts, default_conditions(), {}));
    bursts.erase(std::remove_if(bursts.begin(), bursts.end(),
                                [](const Burst& burst) { return burst.separation < Time{40'000'000}; }),
                 bursts.end());
    CHECK_FALSE(receiver_ring(bursts, known_uplink(), {}));
}
