// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/rig.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const BurstSetting kBurst{28, Bytes{1024}, Time{8'720'000}, 85};
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
    CHECK(record_of(kBurst, R"({"frames_sent": 3, "frames_received": 1, "host_loss": "ring full"})").host_loss ==
          "ring full");
}

TEST_CASE("A rig may tell what was in use at most") {
    const auto peak = [](const std::string& more) {
        return record_of(kBurst, R"({"frames_sent": 3, "frames_received": 3, )" + more + "}").row.peak;
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
            record_of(kBurst, answer);
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
    CHECK_THAT(says(R"({"frames_sent": 0, "frames_received": 0})"), Contains("1 at least"));
    CHECK_THAT(says(R"({"error": "no light"})"), Contains("no light"));
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
