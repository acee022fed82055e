// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/risk.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "model/risk/endless-triggers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "test/camera.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const RiskEffort kQuick{200'000, 2000, 1, 1e8};

/// Five modules whose frames take 8 us on links and uplink of 1 Gb/s: 40 us an event.
Scenario five(std::int64_t room, Trigger::Pattern pattern, Frequency rate) {
    Scenario s = camera(room);
    s.frame.payload = Bytes{934};
    s.front_end.modules = 5;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.trigger.pattern = pattern;
    s.trigger.rate = rate;
    s.trigger.dead_time = Time{0};
    return s;
}

/// Adds up what the exact engine is asked.
class CountingEngine final : public Engine {
  public:
    std::string name() const override { return exact_.name(); }
    Outcome run(const NetworkScenario& scenario, const Observer* observer) override {
        Outcome outcome = exact_.run(scenario, observer);
        work_ += static_cast<double>(outcome.events_sent) * cost_of_event(scenario);
        return outcome;
    }
    double work() const { return work_; }

  private:
    ExactEngine exact_;
    double work_ = 0;
};

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

TEST_CASE(
    "Without a method the chain is taken where it knows the scenario, counting where losses are common, and sampling "
    "elsewhere") {
    ExactEngine engine;
    CHECK(find_risk(camera(200), "auto", kQuick, engine).method == "chain");
    Scenario jitter = camera(46);
    jitter.front_end.jitter = Time{1000};
    // A tenth of the events, of which a quarter is incomplete, is close enough.
    CHECK_THAT(find_risk(jitter, "auto", {600'000, 320, 1, 1e8}, engine).remark, Contains(" 60000 simulated events"));
    jitter.network_switch.buffer.size = {300};
    const Risk rare = find_risk(jitter, "auto", {200'000, 320, 1, 1e8}, engine);
    CHECK(rare.method == "tilted");
    CHECK(rare.log.estimate == Approx(find_risk(camera(300), "chain", kQuick, engine).log.estimate).epsilon(0.03));
    CHECK_THROWS_AS(find_risk(jitter, "chain", kQuick, engine), InputError);
    CHECK_THROWS_WITH(find_risk(jitter, "chain", kQuick, engine), Contains("--method") && Contains("same instants"));
}

TEST_CASE(
    "No method costs much more work than it may, whatever the memory and the load, and those that are too long say "
    "what would help") {
    Scenario by_input = camera(9), hashed = camera(260), full = camera(3000), deep = camera(7000);
    by_input.network_switch.buffer.sharing = deep.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    by_input.trigger.rate = Frequency{20'000'000'000};
    hashed.network_switch.uplinks = 3;
    hashed.network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
    hashed.trigger.rate = Frequency{30'000'000'000};
    full.trigger.rate = Frequency{27'400'000'000};
    full.front_end.jitter = Time{1000};
    deep.front_end.jitter = Time{1000};
    RiskEffort effort;
    effort.work = 2e6;
    for (const Scenario& s : {by_input, hashed, full, deep}) {
        CountingEngine engine;
        const Risk risk = find_risk(s, "auto", effort, engine);
        INFO(risk.method << ": " << risk.remark);
        // Three methods, each with its warm-up or its first few cycles; where nothing was counted, sampling once more.
        CHECK(engine.work() < 30 * effort.work);
    }
    // 7000 frames for each input: a cycle of tilted takes tens of thousands of events.
    CountingEngine engine;
    CHECK_THROWS_WITH(find_risk(deep, "tilted", effort, engine),
                      Contains("--method") && Contains("tilted") && Contains("--cycles"));
    CHECK(engine.work() < 10 * effort.work);
    effort.events = 1'000;
    CHECK(find_risk(by_input, "direct", effort, engine).remark.find(" of 992 simulated events") !=
          std::string::npos);  // 16 pieces of 62
}

TEST_CASE(
    "Of several switches the fullest tells the risk where it loses whenever another does, and the sum bounds it "
    "elsewhere") {
    // 265 modules on 6 switches are 45 on the first and 44 on each other, which see the same: two queues.
    ExactEngine engine;
    Scenario whole = camera(120);
    whole.front_end.modules = 265;
    whole.network_switch.count = 6;
    Scenario fullest = camera(120);
    fullest.front_end.modules = 45;
    const Risk risk = find_risk(whole, "auto", kQuick, engine),
               of_fullest = find_risk(fullest, "chain", kQuick, engine);
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
    CHECK(std::exp(by_input.log.upper) == Approx(std::exp(find_risk(fullest, "chain", kQuick, engine).log.upper) +
                                                 std::exp(find_risk(other, "chain", kQuick, engine).log.upper)));
    const Risk counted = find_risk(whole, "direct", kQuick, engine);
    CHECK(by_input.log.lower < counted.log.upper);
    CHECK(by_input.log.upper > counted.log.lower);
}

TEST_CASE("A simulation above saturation counts what a full memory loses, not how long it takes to fill") {
    // 27.6 kHz are 1.004 of what the uplink carries; 3738 frames take 500 events a frame to fill.
    Scenario deep = camera(3738);
    deep.trigger.rate = Frequency{27'600'000'000};
    ExactEngine engine;
    const Risk chain = find_risk(deep, "chain", kQuick, engine),
               direct = find_risk(deep, "direct", {2'000'000, 2000, 1, 1e8}, engine);
    INFO("chain " << std::exp(chain.log.estimate) << ", direct " << std::exp(direct.log.lower) << " to "
                  << std::exp(direct.log.upper));
    CHECK(chain.calculated);
    CHECK_FALSE(direct.calculated);
    CHECK(direct.log.lower < chain.log.upper);
    CHECK(direct.log.upper > chain.log.lower);
    CHECK(direct.log.estimate == Approx(chain.log.estimate).margin(0.4));
}

TEST_CASE("Where too few events are simulated to settle, the answer reaches from an empty switch to a full one") {
    Scenario deep = camera(3738);
    deep.trigger.rate = Frequency{27'600'000'000};
    ExactEngine engine;
    const Risk direct = find_risk(deep, "direct", {4'000, 100, 1, 1e8}, engine);
    CHECK_THAT(direct.remark, Contains("takes longer than 250 events to settle") && Contains("from a full one"));
    const double truth = find_risk(deep, "chain", kQuick, engine).log.estimate;
    CHECK(direct.log.lower < truth);
    CHECK(direct.log.upper > truth);
}

TEST_CASE(
    "The bounds for memories by input hold what is counted, and are named bounds only where they are calculated") {
    // Shared, 7 x 44 frames would lose 0.0664 of the events at 25 kHz.
    Scenario s = camera(7);
    s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    s.trigger.rate = Frequency{25'000'000'000};
    ExactEngine engine;
    const Risk chain = find_risk(s, "chain", kQuick, engine),
               answer = find_risk(s, "auto", {2'000'000, 2000, 1, 1e8}, engine);
    CHECK(chain.calculated);
    CHECK_THAT(chain.remark, Contains("first loss") && Contains("without limit"));
    CHECK_FALSE(answer.calculated);
    CHECK(answer.method == "direct");
    CHECK(chain.log.lower < answer.log.lower);
    CHECK(answer.log.upper < chain.log.upper);
}

TEST_CASE("What is too long for importance sampling, and too rare to count, is left to the chain's bounds") {
    // Memories by input for 7000 frames at 98 %: a busy cycle that fills them takes hundreds of thousands of events.
    Scenario s60 = camera(7000);
    s60.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    s60.trigger.rate = Frequency{27'000'000'000};
    ExactEngine engine;
    const Risk risk = find_risk(s60, "auto", kQuick, engine);
    CHECK(risk.method == "chain");
    CHECK(risk.log.upper < -200);
    CHECK(risk.log.upper - risk.log.lower < 10);
}

TEST_CASE("Where nothing was counted, busy cycles are sampled for ten times the work, whatever the seed") {
    // 300 frames at 8 kHz: 1e-6. 4e5 frames are 9091 events, which count none, and too few for 300 cycles of 64.
    Scenario rare = camera(300);
    rare.front_end.jitter = Time{1000};
    RiskEffort effort;
    effort.work = 4e5;
    const double truth = find_risk(camera(300), "chain", kQuick, *std::make_unique<ExactEngine>()).log.estimate;
    for (rare.seed = 1; rare.seed <= 5; ++rare.seed) {
        CountingEngine engine;
        const Risk risk = find_risk(rare, "auto", effort, engine);
        INFO("seed " << rare.seed << ", " << risk.method << ": " << risk.remark);
        CHECK(risk.method == "tilted");
        CHECK(risk.log.estimate == Approx(truth).margin(0.4));
        CHECK(risk.shortfall.empty());
        CHECK(engine.work() < 25 * effort.work);
    }
}

TEST_CASE("A zero that was counted says that it is an upper limit from so many events, and what would tell more") {
    Scenario rare = camera(600);
    rare.front_end.jitter = Time{1000};
    ExactEngine engine;
    const Risk risk = find_risk(rare, "direct", kQuick, engine);
    CHECK(risk.counted_nothing());
    CHECK_THAT(risk.shortfall, Contains("upper limit, from 200000 events") && Contains("--events 2000000") &&
                                   Contains("--method tilted --cycles 300"));
    CHECK(find_risk(camera(46), "direct", kQuick, engine).shortfall.empty());
    // Frames of different events overtake one another: tilted sampling knows no such camera.
    rare.front_end.jitter = Time{20'000'000};
    CHECK_THAT(find_risk(rare, "direct", kQuick, engine).shortfall,
               Contains("--events 2000000") && !Contains("tilted"));
}

TEST_CASE("An answer that is no probability between two bounds stops the program") {
    const auto risk = [](double lower, double estimate, double upper) {
        return Risk{"chain", {lower, estimate, upper}, true, ""};
    };
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    CHECK_NOTHROW(expect_probability(risk(kNever, kNever, -3)));
    CHECK_NOTHROW(expect_probability(risk(-2, -1, 0)));
    CHECK_THROWS_WITH(expect_probability(risk(177, -2.27, -180)), Contains("chain") && Contains("no probability"));
    CHECK_THROWS_AS(expect_probability(risk(-3, std::nan(""), -1)), std::runtime_error);
    CHECK_THROWS_AS(expect_probability(risk(-3, -2, 0.1)), std::runtime_error);
}

TEST_CASE("A risk is exact, a bound or sampled: by what is certain of it, and how closely") {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const auto kind = [](double lower, double estimate, double upper, bool calculated) {
        return std::string(risk_kind(Risk{"", {lower, estimate, upper}, calculated, ""}.known()));
    };
    CHECK(kind(-20.1, -20, -19.9, true) == "exact");
    CHECK(kind(kNever, kNever, kNever, true) == "exact");
    CHECK(kind(-20.1, -20, -19, true) == "bound");
    CHECK(kind(kNever, -20, -20, true) == "bound");
    CHECK(kind(-20.1, -20, -19.9, false) == "sampled");
}

TEST_CASE("The number of processes changes nothing") {
    ExactEngine engine;
    RiskEffort three = kQuick;
    three.jobs = 3;
    for (const char* method : {"direct", "tilted"}) {
        const Risk one = find_risk(camera(60), method, kQuick, engine),
                   other = find_risk(camera(60), method, three, engine);
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

TEST_CASE("A link that is given less than it carries is not overloaded") {
    CHECK(overload_text({"switch 1, uplink 1", 0.999, false}).empty());
    CHECK(overload_text({"module links", 0.5, true}).empty());
    CHECK_THAT(overload_text({"switch 1, uplink 1", 1, false}), Contains("at least 0 % of its frames"));
}

TEST_CASE("An uplink that is given a quarter more than it carries loses a fifth of its frames, whatever the memory") {
    CHECK_THAT(overload_text({"switch 2, uplink 1", 1.25, false}),
               Contains("switch 2, uplink 1 is given 1.25 times what") && Contains("at least 20 % of its frames"));
}

TEST_CASE("On links of modules that are given too much, events wait or are lost before any switch") {
    CHECK_THAT(overload_text({"module links", 1.373, true}),
               Contains("the modules' links are given 1.373 times what they can carry"));
}

TEST_CASE("A bound that tells nothing is not called one, and what is certainly lost is") {
    nlohmann::ordered_json json = Risk{"bound", {-HUGE_VAL, 0, 0}, true, ""};
    CHECK(risk_in_words(json) == "unknown");
    json = Risk{"bound", {std::log(0.25), 0, 0}, true, ""};
    CHECK(risk_in_words(json) == "≥ " + readable_chance_of_log10(std::log10(0.25), 3));
    json = Risk{"bound", {-HUGE_VAL, std::log(1e-3), std::log(1e-3)}, true, ""};
    CHECK(risk_in_words(json).rfind("≤ ", 0) == 0);
}

TEST_CASE("At a fixed rate an event is incomplete always or never, and the time between events of a run is as given") {
    ExactEngine engine;
    const Frequency rate{20'000'000'000};
    // The uplink takes the next frame when the first has left: five at once need room for five.
    const Risk none = find_risk(five(5, Trigger::Pattern::Periodic, rate), "direct", kQuick, engine),
               each = find_risk(five(4, Trigger::Pattern::Periodic, rate), "direct", kQuick, engine);
    CHECK(none.method == "repetition");
    CHECK(find_risk(five(5, Trigger::Pattern::Periodic, rate), "auto", kQuick, engine).method == "proof");
    CHECK(none.calculated);
    CHECK(none.known().is_zero());
    CHECK(none.shortfall.empty());
    CHECK_THAT(none.remark, StartsWith("0 of 1 events incomplete, then"));
    CHECK(each.log.lower == 0);
    CHECK(each.log.upper == 0);
    CHECK_THAT(each.remark, StartsWith("1 of 1 events incomplete, then"));
    // 1600 events at 20 kHz are 16 runs of 5 ms, each after an eighth of that.
    Scenario jitter = five(4, Trigger::Pattern::Periodic, rate);
    jitter.front_end.jitter = Time{1};
    const RiskEffort effort{1600, 300, 1, 1e8};
    const Risk counted = find_risk(jitter, "auto", effort, engine);
    CHECK(counted.method == "direct");
    CHECK_FALSE(counted.calculated);
    CHECK_THAT(counted.remark, StartsWith("1600 of 1600 simulated events incomplete, in 16 episodes, each of 16 runs "
                                          "after 0.000625 s more") &&
                                   !Contains("phases"));
    jitter.network_switch.buffer.size = {5};
    CHECK_THAT(find_risk(jitter, "direct", effort, engine).shortfall, Contains("more --events"));
    // At 1 mHz 46 days hold 4000 events.
    jitter.trigger.rate = Frequency{1'000};
    CHECK_THAT(find_risk(jitter, "direct", {1'000'000, 300, 1, 1e8}, engine).remark,
               StartsWith("0 of 64000 simulated events") && Contains("after 5e+05 s more"));
}

TEST_CASE("At a rate however low, as many random events are simulated as a Time holds, or the rate is refused") {
    ExactEngine engine;
    Scenario rare = five(4, Trigger::Pattern::Poisson, Frequency{1'000});
    rare.front_end.jitter = Time{1};
    // 4.6e18 ps hold 4611 times 1000 s, and the half of them 2305 times, in 16 pieces.
    const Risk risk = find_risk(rare, "direct", {1'000'000, 300, 1, 1e8}, engine);
    CHECK_THAT(risk.remark, StartsWith("36880 of 36880 simulated events incomplete"));
    CHECK(risk.log.upper == 0);
    rare.trigger.rate = Frequency{223};  // 1028 times 4484 s
    CHECK_NOTHROW(find_risk(rare, "direct", {1'000'000, 300, 1, 1e8}, engine));
    rare.trigger.rate = Frequency{222};
    CHECK_THROWS_WITH(find_risk(rare, "direct", {1'000'000, 300, 1, 1e8}, engine),
                      StartsWith("trigger.rate: found 222 uHz, expected so much more that 1024 events"));
    // Dead time and rules keep triggers apart: 3e12 ps of a count of 2 in 6 s.
    Trigger trigger = five(4, Trigger::Pattern::Poisson, Frequency{1'000'000}).trigger;
    CHECK(events_in_reach(trigger) == 4'611'686);
    trigger.dead_time = Time{1'000'000'000'000};
    CHECK(events_in_reach(trigger) == 2'305'843);
    trigger.rules = {{TriggerRule::Kind::Count, 2, Time{6'000'000'000'000}}};
    CHECK(events_in_reach(trigger) == 1'152'921);
    trigger.rules = {{TriggerRule::Kind::Bucket, 2, Time{3'000'000'000'000}}};
    CHECK(events_in_reach(trigger) == 1'152'921);
    trigger.rules = {{TriggerRule::Kind::AlmostFull, 2, Time{6'000'000'000'000}}};
    CHECK(events_in_reach(trigger) == 2'305'843);
}

TEST_CASE("A method that cannot do a scenario says by which key") {
    ExactEngine engine;
    const Scenario plain = five(5, Trigger::Pattern::Poisson, Frequency{1'000'000'000});
    Scenario periodic = plain, burst = plain, builders = plain, group = plain, stream = plain, ends = plain;
    periodic.trigger.pattern = Trigger::Pattern::Periodic;
    burst.trigger.burst.events = 1;
    builders.builders.count = 2;
    group.groups.emplace_back();
    stream.traffic.emplace_back();
    ends.trigger.pattern = Trigger::Pattern::Profile;
    const struct {
        const Scenario& scenario;
        std::string method, why;
    } cases[] = {
        {periodic, "chain", "chain cannot do this scenario, expected direct (trigger.pattern: the triggers are not"},
        {periodic, "tilted", "tilted cannot do this scenario, expected direct (trigger.pattern"},
        {burst, "bound", "bound cannot do this scenario, expected direct (trigger.burst.events: bursts come on top"},
        {builders, "chain", "(server.builders: events go to several builders)"},
        {group, "chain", "(group: modules are of several kinds)"},
        {stream, "auto", "traffic: expected none"},
        {ends, "auto", "trigger.pattern: expected \"poisson\" or \"periodic\""},
    };
    for (const auto& [scenario, method, why] : cases)
        CHECK_THROWS_WITH(find_risk(scenario, method, kQuick, engine), Contains(why));
    CHECK(find_risk(plain, "bound", kQuick, engine).method == "bound");
    CHECK(find_risk(plain, "chain", kQuick, engine).method == "chain");
}

TEST_CASE("Two results contradict each other where intervals twice as wide leave a gap") {
    const auto risk = [](double lower, double upper) {
        return Risk{"direct", {lower, (lower + upper) / 2, upper}, false, ""};
    };
    // [-14, -12] twice as wide is [-15, -11]; [-10, -8] is [-11, -7].
    CHECK_FALSE(contradict(risk(-14, -12), risk(-10, -8)));
    CHECK_FALSE(contradict(risk(-10, -8), risk(-14, -12)));
    CHECK(contradict(risk(-14, -12), risk(-9.75, -7.75)));
    CHECK(contradict(risk(-9.75, -7.75), risk(-14, -12)));
}

TEST_CASE("A hash is a condition where one spreads senders over several uplinks") {
    Scenario s = camera(46);
    UplinkChoice& choice = s.network_switch.uplink_choice;
    choice.rule = UplinkChoice::Rule::Hash;
    CHECK_FALSE(hash_of(s));
    CHECK(hash_condition(s).empty());
    s.network_switch.uplinks = 2;
    CHECK(hash_condition(s) == ", if the switch's hash is that of the scenario (" + to_text(*hash_of(s)) + ")");
    choice.rule = UplinkChoice::Rule::Modulo;
    CHECK_FALSE(hash_of(s));
}
