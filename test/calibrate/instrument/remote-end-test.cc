// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/receiving-end.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Frames that a peer's answer to a burst of 20 tells.
ArrivedFrames answered(const std::string& answer) {
    const auto end = remote_end(
        R"(echo '{"version": 5, "mac": "02:00:00:00:00:01", "mtu": 1500, "name": "eth1", "port": {"name": "", )"
        R"("mtu": 1500, "queue": "noqueue", "megabits": 1000, "half_duplex": false, "knows_pause": false, "negotiates": false, )"
        R"("obeys": false, "asks": false, "ring": 0, "longer": 0, "interrupt_us": 0, "merges": [], "others": 0}}'; )"
        "read -r begin; echo '{\"ready\": true}'; read -r end; echo '" +
        answer + "'");
    end->begin({2, Bytes{1024}, Time{1'000'000}, 10}, 1, {});
    return end->end(20, Time{1'000'000'000});
}

std::string answer(const std::string& frames, const std::string& missing, const std::string& more = "") {
    return R"({"frames": )" + frames + R"(, "missing": ")" + missing +
           R"(", "host_loss": "", "silence_ps": 0, "spread_ps": 9, "stalls": [])" + more + "}";
}

}  // namespace

// Digits of 4 frames each, the first highest: c0000 are 2 of 20.
TEST_CASE("What a peer counts is believed only where it can be and agrees with the frames that are missing") {
    const ArrivedFrames right = answered(answer("18", "c0000"));
    CHECK(right.frames == 18);
    CHECK(right.host_loss.empty());
    for (const auto& [frames, missing, says] : std::vector<std::array<std::string, 3>>{
             {"1000000000000", "00000", R"("frames": found 1000000000000, expected a whole number from 0 to 20)"},
             {"-5", "00000", R"("frames": found -5, expected a whole number from 0 to 20)"},
             {"1.5", "00000", R"("frames": found 1.5, expected a whole number from 0 to 20)"},
             {"20", "c0000", R"("frames": found 20, expected the 18 that "missing" leaves of 20)"},
             {"18", "c000", R"("missing": found 4 digits)"}}) {
        const ArrivedFrames wrong = answered(answer(frames, missing));
        CHECK_THAT(wrong.host_loss, Contains("the peer that receives: ") && Contains(says));
        CHECK(wrong.frames == 0);
    }
    // Later members of the same name count.
    CHECK_THAT(answered(answer("20", "00000", R"(, "spread_ps": 9000000000000000000)")).host_loss,
               Contains(R"("spread_ps": found 9000000000000000000, expected a whole number from 0 to)"));
    CHECK_THAT(answered(answer("20", "00000", R"(, "stalls": [[20, 0, 0]])")).host_loss,
               Contains(R"("stalls": found 20, expected a whole number from 0 to 19)"));
}

TEST_CASE("A peer that says why its machine lost frames says so in one line") {
    CHECK(answered(answer("20", "00000", R"(, "host_loss": "ring\u000a2,1024,1,10,20,20")")).host_loss ==
          "ring 2,1024,1,10,20,20");
}
