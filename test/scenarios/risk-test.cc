// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/risk.h"

#include "test/catch.h"

#include <cmath>

#include "model/exact-engine.h"
#include "scenarios/input-error.h"

using namespace watershed;

namespace {

Scenario camera(std::int64_t room) {
    Scenario s;
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{8'000'000'000};
    s.trigger.dead_time = Time{2'000'000};
    s.network_switch.buffer.size = {room};
    return s;
}

const RiskEffort kQuick{200'000, 2000, 1};

}  // namespace

TEST_CASE("The paper's cheap switch loses a quarter of the events at 8 kHz, by three methods") {
    ExactEngine engine;
    const Risk chain = find_risk(camera(46), "chain", kQuick, engine);
    CHECK(std::exp(chain.log.estimate) == Approx(0.2452).epsilon(1e-3));
    for (const char* method : {"direct", "tilted"}) {
        const Risk other = find_risk(camera(46), method, kQuick, engine);
        CHECK(other.method == method);
        CHECK_FALSE(contradict(chain, other));
        CHECK(other.log.estimate == Approx(chain.log.estimate).epsilon(0.05));
    }
    CHECK(contradict(chain, find_risk(camera(90), "direct", kQuick, engine)));
}

TEST_CASE("Without a method the chain is taken where it knows the scenario, counting where losses are common, and sampling elsewhere") {
    ExactEngine engine;
    CHECK(find_risk(camera(200), "auto", kQuick, engine).method == "chain");
    Scenario jitter = camera(46);
    jitter.front_end.jitter = Time{1000};
    CHECK(find_risk(jitter, "auto", {600'000, 320, 1}, engine).method == "direct");
    jitter.network_switch.buffer.size = {300};
    const Risk rare = find_risk(jitter, "auto", {200'000, 320, 1}, engine);
    CHECK(rare.method == "tilted");
    CHECK(rare.log.estimate == Approx(find_risk(camera(300), "chain", kQuick, engine).log.estimate).epsilon(0.03));
    CHECK_THROWS_AS(find_risk(jitter, "chain", kQuick, engine), InputError);
    CHECK_THROWS_WITH(find_risk(jitter, "chain", kQuick, engine), Contains("--method") && Contains("out of step"));
}

TEST_CASE("Of several switches the fullest tells the risk where it loses whenever another does, and the sum bounds it elsewhere") {
    // 265 modules on 6 switches are 45 on the first and 44 on each other, which see the same: two queues.
    ExactEngine engine;
    Scenario whole = camera(120);
    whole.front_end.modules = 265;
    whole.network_switch.count = 6;
    Scenario fullest = camera(120);
    fullest.front_end.modules = 45;
    const Risk risk = find_risk(whole, "auto", kQuick, engine), of_fullest = find_risk(fullest, "chain", kQuick, engine);
    CHECK(risk.method == "chain");
    CHECK(risk.log.estimate == of_fullest.log.estimate);
    CHECK(risk.log.upper == of_fullest.log.upper);
    CHECK_FALSE(contradict(risk, find_risk(whole, "direct", kQuick, engine)));

    // By input the memories of two switches do not fill in step.
    whole.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    whole.network_switch.buffer.size = {3};
    fullest.network_switch.buffer = whole.network_switch.buffer;
    Scenario other = fullest;
    other.front_end.modules = 44;
    const Risk by_input = find_risk(whole, "chain", kQuick, engine);
    CHECK(std::exp(by_input.log.upper) == Approx(std::exp(find_risk(fullest, "chain", kQuick, engine).log.upper) + std::exp(find_risk(other, "chain", kQuick, engine).log.upper)));
    CHECK_FALSE(contradict(by_input, find_risk(whole, "direct", kQuick, engine)));
}

TEST_CASE("The number of processes changes nothing") {
    ExactEngine engine;
    RiskEffort three = kQuick;
    three.jobs = 3;
    for (const char* method : {"direct", "tilted"}) {
        const Risk one = find_risk(camera(60), method, kQuick, engine), other = find_risk(camera(60), method, three, engine);
        CHECK(one.log.estimate == other.log.estimate);
        CHECK(one.log.lower == other.log.lower);
        CHECK(one.remark == other.remark);
    }
}

TEST_CASE("A burst has no chance of loss but a certainty") {
    Scenario burst = camera(46);
    burst.trigger.pattern = Trigger::Pattern::Burst;
    burst.trigger.events = 2;
    ExactEngine engine;
    CHECK_THROWS_WITH(find_risk(burst, "auto", kQuick, engine), Contains("trigger.pattern") && Contains("poisson"));
}
