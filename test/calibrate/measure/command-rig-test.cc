// SPDX-License-Identifier: GPL-2.0-only
#include <thread>

#include "calibrate/measure/measuring.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const BurstSetting kBurst{28, Bytes{1024}, Time{8'720'000}, 85}, kThree{3, Bytes{1024}, Time{8'720'000}, 1};
constexpr Time kPatience{2'000'000'000'000};

}  // namespace

TEST_CASE("A rig's answer becomes a row") {
    const BurstRecord record = record_of(
        kBurst, R"({"frames_sent": 2380, "frames_received": 1207, "worst_trigger_lateness_us": 0.05, "more": true})");
    CHECK(record.row.ports == 28);
    CHECK(record.row.separation == Time{8'720'000});
    CHECK(record.row.events == 85);
    CHECK(record.row.frames_lost() == 1173);
    CHECK(record.row.worst_trigger_lateness == Time{50'000});
    CHECK(record.host_loss.empty());
    CHECK(record_of(kThree, R"({"frames_sent": 3, "frames_received": 1, "host_loss": "ring full"})").host_loss ==
          "ring full");
    // A text that becomes a comment of the map cannot end its line.
    CHECK(record_of(kThree, R"({"frames_sent": 3, "frames_received": 1, "host_loss": "full\n3,1024,8.72,1,3,3"})")
              .host_loss == "full 3,1024,8.72,1,3,3");
}

TEST_CASE("A rig may tell what was in use at most") {
    const auto peak = [](const std::string& more) {
        return record_of(kThree, R"({"frames_sent": 3, "frames_received": 3, )" + more + "}").row.peak;
    };
    REQUIRE(peak(R"("peak_bytes": 3198, "peak_resolution": 208)"));
    CHECK(peak(R"("peak_bytes": 3198, "peak_resolution": 208)")->amount == 3198);
    CHECK(peak(R"("peak_bytes": 3198, "peak_resolution": 208)")->resolution == 208);
    CHECK(peak(R"("peak_cells": 18)")->cells);
    CHECK_FALSE(peak(R"("peak_bytes": null)"));
    CHECK_THROWS_WITH(peak(R"("peak_bytes": 0)"), Contains("peak_bytes"));
    CHECK_THROWS_WITH(peak(R"("peak_bytes": 1, "peak_cells": 1)"), Contains("one of them"));
}

TEST_CASE("An answer that is none says what was expected") {
    const auto says = [](const std::string& answer) -> std::string {
        try {
            record_of(kThree, answer);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    };
    CHECK_THAT(says("hello"), Contains("hello") && Contains("frames_sent"));
    CHECK_THAT(says("{}"), Contains("frames_sent"));
    CHECK_THAT(says(R"({"frames_sent": 3})"), Contains("frames_received"));
    CHECK_THAT(says(R"({"frames_sent": 3, "frames_received": 4})"), Contains("at most the 3"));
    CHECK_THAT(says(R"({"frames_sent": 3.5, "frames_received": 3})"), Contains("3.5") && Contains("whole"));
    CHECK_THAT(says(R"({"frames_sent": 3, "frames_received": -1})"), Contains("-1"));
    CHECK_THAT(says(R"({"frames_sent": 0, "frames_received": 0})"), Contains("found 0, expected 1 to the 3"));
    CHECK_THAT(says(R"({"frames_sent": 6908, "frames_received": 1})"), Contains("found 6908, expected 1 to the 3"));
    CHECK_THAT(says(R"({"frames_sent": 18446744073709551615, "frames_received": 3})"),
               Contains("found 18446744073709551615"));
    CHECK_THAT(says(R"({"error": "no light"})"), Contains("no light"));
}

TEST_CASE("A burst that was not sent as a whole is set aside") {
    CHECK(record_of(kThree, R"({"frames_sent": 2, "frames_received": 1})").host_loss ==
          "the rig sent 2 of the 3 frames that were asked for");
}

TEST_CASE("An answer that nobody asked for ends the campaign, whatever burst it is of") {
    const auto rig = command_rig(
        R"(while read -r line; do for i in 1 2; do echo '{"frames_sent": 3, "frames_received": 3}'; done; done)",
        kPatience);
    CHECK(rig->measure(kThree).row.frames_received == 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_THROWS_WITH(rig->measure(kThree), Contains("before the burst, expected it to wait"));
}

TEST_CASE("One program measures all bursts of a campaign") {
    const auto rig = command_rig(
        R"(n=0; while read -r line; do n=$((n + 1)); case "$line" in *'"separation_us": 8.72, "events": 85, "ports": 28, "payload_bytes": 1024'*) echo "{\"frames_sent\": 2380, \"frames_received\": $n}";; esac; done)",
        kPatience);
    CHECK(rig->measure(kBurst).row.frames_received == 1);
    CHECK(rig->measure(kBurst).row.frames_received == 2);
}

TEST_CASE("A program that ends, or is silent, is named") {
    const auto ended = command_rig("exit 0", kPatience);
    CHECK_THROWS_WITH(ended->measure(kBurst), Contains("exit 0: ended"));
    const auto silent = command_rig("cat > /dev/null; exec sleep 1", Time{50'000'000'000});
    CHECK_THROWS_WITH(silent->measure(kBurst), Contains("no answer within"));
}
