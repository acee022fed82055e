// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/input-error.h"

#include "scenarios/text/units.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("What is wrong with a key is told with its place, and key and reason stay apart") {
    const InputError error("camera.toml:3", "switch.count", "found 0, expected 1 to 1000");
    CHECK(error.key == "switch.count");
    CHECK(error.why == "found 0, expected 1 to 1000");
    CHECK(std::string(error.what()) == "camera.toml:3: switch.count: found 0, expected 1 to 1000");
    CHECK(InputError("camera.toml: cannot be read").key.empty());
}

TEST_CASE("What a reader refuses is refused at its place") {
    CHECK(read_at("--night", [] { return parse_time("8 h"); }) == Time{28'800'000'000'000'000});
    CHECK_THROWS_WITH(read_at("--night", [] { return parse_time("long"); }), StartsWith("--night: found \"long\""));
    try {
        read_at("camera.toml:3", "trigger.period", [] { return parse_time("long"); });
        FAIL("a word is no time");
    } catch (const InputError& error) {
        CHECK(error.key == "trigger.period");
        CHECK_THAT(error.why, StartsWith("found \"long\", expected "));
        CHECK("camera.toml:3: trigger.period: " + error.why == error.what());
    }
}
