// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>
#include <sstream>

#include "calibrate/advice/advise.h"
#include "calibrate/advice/burst-planner.h"
#include "calibrate/fit/fit.h"
#include "calibrate/report/fit-report.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A memory of 500 frames that an output of 50 Mb/s drains: 44 frames of 1066 B each millisecond, of which 5.863 leave.
/// A full one delays the last frame by 500 x 8528 bit / 50 Mb/s = 85280 us.
LossMap measured(const std::string& delay, const std::string& delay_of_first) {
    std::ostringstream text;
    text << "ports,payload_bytes,separation_us,events,frames_sent,frames_received,delay_us\n";
    for (const int events : {5, 10, 20, 30, 40}) {
        const int sent = 44 * events, room = 500 + static_cast<int>(5.863 * (events - 1));
        text << "44,1024,1000," << events << ',' << sent << ',' << std::min(sent, room) << ','
             << (sent <= room   ? "0"
                 : events == 20 ? delay_of_first
                                : delay)
             << '\n';
    }
    std::istringstream in(text.str());
    return read_loss_map(in, "map.csv");
}

Fit fit_of(const LossMap& map) {
    Conditions conditions = default_conditions();
    conditions.frame.wire_overhead = conditions.frame.buffer_overhead = Bytes{42};
    conditions.link_rate = BitRate{100'000'000'000};
    return fit_loss_map(map, conditions, {});
}

}  // namespace

TEST_CASE("Frames that are lost while no other is delayed are a policer's, and end a campaign") {
    const Fit fit = fit_of(measured("150", "0"));
    CHECK(fit.policed);
    CHECK(to_json(fit)["queue"] == "policer");
    CHECK(fit.status == FitStatus::Misfit);
    CHECK_THAT(fit.misfit, Contains("policer"));
    const Advice advice = advise(fit, prior_of(fit), {});
    CHECK(advice.stop);
    CHECK_THAT(advice.reason, Contains("no queue but a policer"));
}

TEST_CASE(
    "A queue delays its last frame by depth over rate; one burst of many, or none whose delay is known, is enough for "
    "it") {
    for (const auto& [delay, first] :
         {std::pair("85280", "85280"), std::pair("0", "85280"), std::pair("", ""), std::pair("0", "")}) {
        const Fit fit = fit_of(measured(delay, first));
        CHECK_FALSE(fit.policed);
        CHECK(to_json(fit)["queue"] == "queue");
        CHECK(fit.status == FitStatus::Separated);
    }
}

TEST_CASE("What a token bucket lets pass at once delays no frame: the delay tells how much of the depth is a queue") {
    for (const auto& [delay, queued] : {std::pair("34112", 0.4), std::pair("68224", 0.8)}) {  // 200 and 400 frames
        const Fit fit = fit_of(measured(delay, delay));
        REQUIRE(fit.queued);
        CHECK(*fit.queued == Approx(queued).epsilon(0.01));
        CHECK(to_json(fit)["queue"] == "queue-and-bucket");
        CHECK(to_json(fit)["plain_memory"] == true);
        std::ostringstream text;
        print_report(text, to_json(fit));
        CHECK(text.str().rfind("Fit of map.csv: a queue behind a token bucket, 5 bursts used", 0) == 0);
        CHECK_THAT(text.str(),
                   Contains(queued < 0.5 ? "40 % of the depth is a queue" : "80 % of the depth is a queue"));
    }
    CHECK_FALSE(fit_of(measured("80000", "80000")).queued);  // within a tenth
    CHECK_FALSE(fit_of(measured("0", "")).queued);           // of one burst too few
}

TEST_CASE("Bursts that lose many frames and delay their last one by different times are no single queue's") {
    const auto map = [](int delay_of_three, int lateness) {
        std::ostringstream text;
        text << "ports,payload_bytes,separation_us,events,frames_sent,frames_received,delay_us,worst_trigger_lateness_"
                "us,"
                "span_us\n";
        for (const int events : {5, 10, 20, 22, 24, 26, 28, 30, 40}) {
            const int sent = 44 * events, room = 500 + static_cast<int>(5.863 * (events - 1));
            text << "44,1024,1000," << events << ',' << sent << ',' << std::min(sent, room) << ','
                 << (events >= 20 && events < 26 ? delay_of_three : 85280) << ',' << lateness << ','
                 << 1000 * (events - 1) << '\n';
        }
        std::istringstream in(text.str());
        return read_loss_map(in, "map.csv");
    };
    const Fit two = fit_of(map(40'000, 100));
    REQUIRE(two.delays);
    CHECK(two.delays->first == Time{40'000'000'000});
    CHECK(two.delays->second == Time{85'280'000'000});
    CHECK(two.status == FitStatus::Misfit);
    CHECK(to_json(two)["queue"] == "several");
    CHECK(to_json(two)["plain_memory"] == false);
    const Advice advice = advise(two, prior_of(two), {});
    CHECK(advice.stop);
    CHECK_THAT(advice.reason, Contains("several queues") && Contains("40 ms to 85.28 ms"));
    CHECK_FALSE(fit_of(map(80'000, 100)).delays);     // within a tenth
    CHECK_FALSE(fit_of(map(40'000, 10'000)).delays);  // late triggers find less in the queue
    CHECK_FALSE(fit_of(map(85'280, 100)).delays);
}
