// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/advice-options.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A precision is a percentage, and says so") {
    CHECK(parse_precision("--target", "1%") == Approx(0.01));
    CHECK(parse_precision("--target", "0.5 %") == Approx(0.005));
    for (const char* text : {"", "1", "0%", "100%", "x%", "-1%"})
        CHECK_THROWS_WITH(parse_precision("--target", text), StartsWith("--target: found"));
}

TEST_CASE("The target is the depth, the rate, or the watershed at a separation") {
    AdviceOptionTexts texts;
    CHECK(advice_options_of(texts).target == AdviceTarget::Depth);
    texts.target = "rate";
    CHECK(advice_options_of(texts).target == AdviceTarget::Rate);
    texts.target = "watershed@20us";
    CHECK(advice_options_of(texts).target == AdviceTarget::Watershed);
    CHECK(advice_options_of(texts).watershed_at == Time{20'000'000});
    for (const char* text : {"watershed", "watershed@", "watershed@20", "Depth"}) {
        texts.target = text;
        CHECK_THROWS_AS(advice_options_of(texts), InputError);
    }
}

TEST_CASE("Lists of what the generator can set are taken in ascending order, once each") {
    AdviceOptionTexts texts;
    texts.separations = "20us,9us,20us";
    texts.events = "100,10";
    const Generator generator = advice_options_of(texts).generator;
    CHECK(generator.separations == std::vector<Time>{Time{9'000'000}, Time{20'000'000}});
    CHECK(generator.lengths == std::vector<std::int64_t>{10, 100});
}

TEST_CASE("A generator without a step and a measurement without time are refused") {
    AdviceOptionTexts texts;
    texts.step = "0 ns";
    CHECK_THROWS_AS(advice_options_of(texts), InputError);
    texts = {};
    texts.setup = "0 s";
    CHECK_THROWS_AS(advice_options_of(texts), InputError);
}

TEST_CASE("What the rig can do limits separations, lengths, ports and payloads") {
    AdviceOptionTexts texts;
    CHECK_FALSE(advice_options_of(texts).ports);
    CHECK_FALSE(advice_options_of(texts).payloads);
    texts.shortest_separation = "20us";
    texts.longest_burst = 500;
    texts.ports = "22,11";
    texts.payloads = "512 B,128 B";
    AdviceOptions advice = advice_options_of(texts);
    CHECK(advice.generator.shortest == Time{20'000'000});
    CHECK(advice.generator.at_least(std::int64_t{1000}) == 500);
    CHECK(*advice.ports == std::vector<std::int64_t>{11, 22});
    CHECK(*advice.payloads == std::vector<std::int64_t>{128, 512});
    texts.ports = texts.payloads = "0";
    advice = advice_options_of(texts);
    CHECK(advice.ports->empty());
    CHECK(advice.payloads->empty());
    for (const char* text : {"512", "70000 B", ",", "x"}) {
        texts.payloads = text;
        CHECK_THROWS_AS(advice_options_of(texts), InputError);
    }
    texts.payloads.clear();
    texts.ports = "x";
    CHECK_THROWS_AS(advice_options_of(texts), InputError);
}
