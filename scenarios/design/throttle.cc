// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/throttle.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "model/base/frame.h"
#include "model/base/random.h"
#include "model/base/timestamp.h"
#include "model/exact/engine.h"
#include "model/exact/exact-engine.h"
#include "model/frontend/trigger.h"
#include "model/frontend/uniform-senders.h"
#include "model/guarantee/almost-full-level-bound.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/witness.h"
#include "model/network/network.h"
#include "model/risk/endless-triggers.h"
#include "scenarios/design/risk.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/units.h"

namespace watershed {

UnsupportedKey bound_reason(const NetworkScenario& scenario, UnsupportedKey obstacle) {
    const Trigger& trigger = scenario.trigger;
    if (obstacle.key == "trigger.rules") {
        const auto other = std::find_if(trigger.rules.begin(), trigger.rules.end(), [](const TriggerRule& rule) {
            return rule.kind == TriggerRule::Kind::AlmostFull;
        });
        if (other != trigger.rules.end())
            obstacle.why = "found \"" + to_text(*other) +
                           "\", expected counts such as \"3 in 40 us\" or token buckets: bound does not cover "
                           "almost-full rules, throttle finds those without loss";
    }
    const TransmissionTime slot =
        TransmissionTime::of(frames_of_fragment(scenario.frame).front().wire, scenario.front_end.link_rate);
    const Time frame{std::int64_t(ceil_div(slot.numerator, slot.denominator))};
    const FrontEnd& front_end = scenario.front_end;
    const bool out_of_step = !front_end.skew.empty() || front_end.skew_spread > Time{0} || front_end.jitter > Time{0} ||
                             !front_end.clock.empty() || ClockTolerance{} < front_end.clock_spread;
    if (obstacle.key == "trigger" && out_of_step && trigger.pattern == Trigger::Pattern::Poisson &&
        trigger.dead_time < frame)
        return {
            "trigger.dead_time",
            "found " + to_text(trigger.dead_time) + ", expected a frame's time on a module's link, " + to_text(frame) +
                ", or more: faster triggers to modules out of step (skew, jitter, clocks) make frames wait in front "
                "of the links, and bound has no limit for these"};
    if (obstacle.key == "trigger.dead_time")
        obstacle.why = "found " + to_text(trigger.dead_time) + ", expected a frame's time on a module's link, " +
                       to_text(frame) + ", or more: " + obstacle.why;
    if (obstacle.key.rfind("aggregation", 0) == 0 || obstacle.key.rfind("node", 0) == 0)
        obstacle.why += "; for random triggers, risk --method bound gives an upper bound on the chance of a loss";
    return obstacle;
}

namespace {

using Json = nlohmann::ordered_json;

constexpr Time kStep{1000};  ///< granularity of the times of rules

/// Returns a time, rounded up to whole steps.
Time in_steps(Wide picoseconds) {
    return Time{std::int64_t((picoseconds + kStep.count() - 1) / kStep.count()) * kStep.count()};
}

bool fits_with(const NetworkScenario& scenario, const std::vector<TriggerSpacing>& spacings,
               UnsupportedKey* why = nullptr) {
    const auto guarantee = Guarantee::of(scenario, {{}, spacings}, why);
    return guarantee && guarantee->bounded && guarantee->fits();
}

/// Returns the scenario with one frame per module and event, so that its first obstacle is the key that puts modules
/// out of step.
NetworkScenario one_frame_each(NetworkScenario scenario) {
    scenario.front_end.fifo.reset();
    scenario.frame.fragments = 1;
    scenario.frame.split = false;
    return scenario;
}

class ThrottleSearch {
  public:
    ThrottleSearch(Engine& engine, const NetworkScenario& scenario, std::optional<Time> latency)
        : engine_(engine), scenario_(scenario), latency_(latency) {}

    Throttle run() {
        Throttle found;
        for (const Group& group : scenario_.groups)
            if (group.trigger)
                throw KeyError(
                    "group." + group.name + ".trigger",
                    "expected \"common\": rules are sought for the common trigger, which all groups must answer");
        UnsupportedKey obstacle;
        const auto now = Guarantee::of(scenario_, &obstacle);
        if (!now) {
            obstacle = bound_reason(scenario_, obstacle);
            throw KeyError(obstacle.key, obstacle.why);
        }
        found.exact = exact_ = now->exact;
        found.needless = now->bounded && now->fits();
        if (found.needless) return found;
        if (now->pauses)
            throw KeyError("switch.flow_control.kind", "throttle seeks rules for switches without flow control");
        if (!scenario_.trigger.rules.empty())
            throw KeyError(
                "trigger.rules",
                "expected none, as by --set 'trigger.rules=[]': the weakest rules are sought in place of these");
        const auto dead_time = shortest_dead_time(scenario_, *now);
        if (!dead_time) return found;
        dead_time_ = *dead_time;
        found.rules.push_back(rule("dead-time", dead_time_, dead_time_ - kStep));
        seek(found, "count", &ThrottleSearch::count_rule, found.no_count);
        // A bucket of modules out of step needs a load below 1 (mixed sources). One token per dead time guarantees this
        // only if streams come, or several kinds of frames.
        if (exact_ || ((now->streams || now->kinds || (now->other_places && now->in_step)) && !now->tiers))
            seek(found, "token-bucket", &ThrottleSearch::bucket_rule, found.no_bucket);
        else if (now->tiers)
            found.no_bucket = several_switches(scenario_);
        else
            UniformSenders::of(one_frame_each(scenario_), &found.no_bucket);
        if (latency_) seek_level(found);
        return found;
    }

  private:
    TriggerRule count_rule(std::int64_t events) const {
        return {TriggerRule::Kind::Count, events, Time{dead_time_.count() * events}};
    }
    TriggerRule bucket_rule(std::int64_t events) const { return {TriggerRule::Kind::Bucket, events, dead_time_}; }

    /// Adds the rule of one kind with the largest number of events that fits, or sets the reason why none was found.
    /// @param of  function that returns the rule for a number of events
    void seek(Throttle& found, const std::string& kind, TriggerRule (ThrottleSearch::*of)(std::int64_t) const,
              UnsupportedKey& why_not) const {
        const std::int64_t holds = largest_good(kLongestWitness, [&](std::int64_t events) {
            UnsupportedKey why;
            const bool good = fits_with(scenario_, spacings_of(with((this->*of)(events))), &why);
            if (why) why_not = bound_reason(scenario_, why);
            return good;
        });
        if (holds > 1) why_not = {};
        // A rule of one event is the dead time again. If triggers may come faster than a link sends, that is why.
        if (holds == 1 && !exact_ && !why_not)
            if (UnsupportedKey reason = bound_reason(scenario_, {"trigger", ""}); reason.key != "trigger")
                why_not = std::move(reason);
        if (!why_not) found.rules.push_back(rule(kind, (this->*of)(holds), (this->*of)(holds + 1)));
    }

    void seek_level(Throttle& found) {
        const auto bound = AlmostFullLevelBound::of(scenario_, *latency_, &found.no_level);
        if (!bound) {
            found.no_level = bound_reason(scenario_, found.no_level);
            return;
        }
        const auto level = bound->highest();
        if (!level) {
            found.no_level = {"--latency",
                              "found " + to_text(*latency_) +
                                  ", expected less: so many triggers pass before the memory holds any frame that it "
                                  "loses some"};
            return;
        }
        const TriggerRule weakest{TriggerRule::Kind::AlmostFull, 1, *latency_, *level};
        TriggerRule weaker = weakest;
        ++weaker.level.amount;
        LosslessRule rule{"almost-full", {key(weakest)}, with(weakest), {}, {}, key(weaker), {}};
        NetworkScenario ruled = scenario_;
        ruled.trigger = rule.trigger;
        rule.refused = refused_share(engine_, ruled);
        rule.after_dead_time = refused_share(engine_, ruled, scenario_.trigger.dead_time);
        Observer observer;
        observer.incomplete_kept = 1;
        for (const std::vector<Time>& offered : bound->worst(weaker.level)) {
            NetworkScenario tried = with_triggers(scenario_, offered);
            tried.trigger.rules = {weaker};
            Outcome outcome = engine_.run(tried, &observer);
            if (outcome.incomplete.empty()) continue;
            const auto events = std::size_t(outcome.incomplete.front().event);
            if (rule.witness.empty() || events < rule.witness.size()) {
                outcome.triggers.resize(events);
                rule.witness = std::move(outcome.triggers);
            }
        }
        found.rules.push_back(std::move(rule));
    }

    Trigger with(Time dead_time) const {
        Trigger trigger = scenario_.trigger;
        trigger.dead_time = dead_time;
        return trigger;
    }
    Trigger with(const TriggerRule& rule) const {
        Trigger trigger = scenario_.trigger;
        trigger.rules = {rule};
        return trigger;
    }
    static std::pair<std::string, std::string> key(Time dead_time) { return {"trigger.dead_time", to_text(dead_time)}; }
    static std::pair<std::string, std::string> key(const TriggerRule& rule) {
        return {"trigger.rules", "[\"" + to_text(rule) + "\"]"};
    }
    /// Returns the largest good number below `beyond`. @pre 1 is good, and all numbers below a good one are
    template <class Good>
    static std::int64_t largest_good(std::int64_t beyond, const Good& good) {
        std::int64_t holds = 1;
        for (std::int64_t next = 2; next < beyond; next *= 2) {
            if (!good(next))
                beyond = next;
            else
                holds = next;
        }
        while (beyond - holds > 1) {
            const std::int64_t middle = holds + (beyond - holds) / 2;
            (good(middle) ? holds : beyond) = middle;
        }
        return holds;
    }

    template <class Rule>
    LosslessRule rule(const std::string& kind, const Rule& weakest, const Rule& weaker) const {
        LosslessRule found{kind, {key(weakest)}, with(weakest), {}, {}, key(weaker), {}};
        found.refused = refused_share(found.trigger, scenario_.seed);
        found.after_dead_time = refused_share(found.trigger, scenario_.seed, scenario_.trigger.dead_time);
        // A bound that is not exact may never be reached: a short search is enough.
        constexpr std::int64_t kFew = 10'000;
        if (auto train = shortest_losing_train(engine_, scenario_, with(weaker), exact_ ? kLongestWitness : kFew))
            found.witness = std::move(*train);
        return found;
    }

    Engine& engine_;
    const NetworkScenario& scenario_;
    const std::optional<Time> latency_;
    bool exact_ = true;  ///< Guarantee::exact of the scenario
    Time dead_time_{0};  ///< D, the shortest dead time without loss
};

constexpr int kBatches = 16;

/// Estimates the refused fraction by batch means. The number that the dead time refuses per accepted trigger is known;
/// the batches give the number that rules refuse in addition. The interval uses Student's 97.5 % point of 15 degrees of
/// freedom, or the rule of three if no batch counted any.
/// @param batches  triggers that rules refused per accepted trigger, one value per batch
/// @param each     accepted triggers of a batch
RefusedShare counted(const std::vector<double>& batches, std::int64_t each, const Trigger& trigger, Time passed) {
    constexpr double kStudent = 2.131;
    double sum = 0, squares = 0;
    for (const double refused : batches) sum += refused, squares += refused * refused;
    const double mean = sum / kBatches, none_seen = 3.0 / kBatches / double(each),
                 error = std::sqrt(std::max(0.0, squares / kBatches - mean * mean) / (kBatches - 1));
    const double rate = in_hertz(trigger.rate), known = 1 + rate * in_seconds(trigger.dead_time);
    const auto share = [&](double more) { return std::max(0.0, 1 - (1 + rate * in_seconds(passed)) / (known + more)); };
    return {share(mean), share(std::max(0.0, mean - kStudent * error)),
            share(std::max(none_seen, mean + kStudent * error)), false};
}

/// Returns the number of accepted triggers of a batch: `wanted`, or as many as `batches` batches can simulate.
std::int64_t batch_of(const Trigger& trigger, std::int64_t wanted, std::int64_t batches) {
    constexpr std::int64_t kLeast = 16;
    const std::int64_t each = std::min(wanted, events_in_reach(trigger) / batches);
    if (each >= kLeast) return each;
    throw KeyError("trigger.rate", "found " + to_text(trigger.rate) + ", expected so much more that a rule lets " +
                                       std::to_string(kLeast * batches) +
                                       " triggers pass within 53 days: their refused fraction is counted");
}

}  // namespace

RefusedShare refused_share(const Trigger& trigger, std::uint64_t seed, Time passed) {
    if (almost_full_rule(trigger))
        throw KeyError("trigger.rules",
                       "expected no almost-full rule: only a run of the scenario shows what it refuses");
    if (trigger.pattern != Trigger::Pattern::Poisson || trigger.burst.events > 0)
        throw KeyError(trigger.burst.events > 0 ? "trigger.burst.events" : "trigger.pattern",
                       "expected \"poisson\" alone: the refused fraction is that of random triggers of one rate");
    const double rate = in_hertz(trigger.rate), of_those = 1 + rate * in_seconds(passed);
    const auto share = [&](double for_each_accepted) { return std::max(0.0, 1 - of_those / for_each_accepted); };
    const auto calculated = [&](double for_each_accepted) {
        const double all = share(for_each_accepted);
        return RefusedShare{all, all, all, true};
    };
    const bool one = trigger.rules.size() == 1 && trigger.rules[0].events == 1;  // a dead time, by either kind
    if (trigger.rules.empty() || one)
        return calculated(
            1 + rate * in_seconds(one ? std::max(trigger.dead_time, trigger.rules[0].time) : trigger.dead_time));
    if (trigger.rules.size() == 1 && trigger.rules[0].kind == TriggerRule::Kind::Count &&
        trigger.dead_time == Time{0}) {
        const double offered = rate * in_seconds(trigger.rules[0].time);
        double blocked = 1;
        for (std::int64_t n = 1; n <= trigger.rules[0].events; ++n)
            blocked = offered * blocked / (double(n) + offered * blocked);
        return calculated(1 / (1 - blocked));
    }
    constexpr std::int64_t kWanted = 1 << 16;
    const std::int64_t each = batch_of(trigger, kWanted, kBatches + 1);
    Trigger longest = trigger;
    longest.events = (kBatches + 1) * each;
    longest.duration.reset();
    TriggerTrain train(longest, seed);
    std::vector<double> batches;
    for (int batch = 0; batch <= kBatches; ++batch) {
        const std::int64_t before = train.refused();
        for (std::int64_t i = 0; i < each; ++i) train.next();
        if (batch > 0)
            batches.push_back(double(train.refused() - before) / double(each));  // drop the initial transient
    }
    return counted(batches, each, trigger, passed);
}

RefusedShare refused_share(Engine& engine, const NetworkScenario& scenario, Time passed) {
    if (!almost_full_rule(scenario.trigger)) return refused_share(scenario.trigger, scenario.seed, passed);
    // Each batch is an independent run without its first fifth, the initial transient.
    constexpr double kWork = 5e6, kLeast = 256, kMost = 1 << 14;
    const auto wanted = std::int64_t(std::clamp(kWork / kBatches / cost_of_event(scenario), kLeast, kMost));
    const std::int64_t each = batch_of(scenario.trigger, wanted, 2);  // the initial transient is part of a run
    NetworkScenario tried = scenario;
    tried.trigger.duration.reset();
    const auto refused = [&](std::int64_t events) {
        tried.trigger.events = events;
        return engine.run(tried).triggers_refused;
    };
    std::vector<double> batches;
    for (std::uint64_t batch = 0; batch < kBatches; ++batch) {
        tried.seed = random_bits(scenario.seed, Stream::Replication, batch);
        const std::int64_t settled = refused(each / 4);
        batches.push_back(double(refused(each / 4 + each) - settled) / double(each));
    }
    return counted(batches, each, scenario.trigger, passed);
}

std::optional<Time> shortest_dead_time(const NetworkScenario& scenario, const Guarantee& now) {
    if (now.pauses) return std::nullopt;
    constexpr std::int64_t kLongestWait = 1000;  // in units of the least distance with a bound
    std::int64_t least = in_steps(now.least_distance.count()) / kStep, longest = kLongestWait * least;
    const auto good = [&](std::int64_t steps) { return fits_with(scenario, {{1, kStep * steps}}); };
    if (fits_with(scenario, {})) return Time{0};
    if (good(least)) return kStep * least;
    if (!good(longest)) return std::nullopt;
    while (longest - least > 1) {
        const std::int64_t middle = least + (longest - least) / 2;
        (good(middle) ? longest : least) = middle;
    }
    return kStep * longest;
}

Throttle find_throttle(Engine& engine, const NetworkScenario& scenario, std::optional<Time> latency) {
    return ThrottleSearch(engine, scenario, latency).run();
}

namespace {

/// Returns the point of the curve at one rate.
Json curve_point(NetworkScenario scenario, const std::vector<LosslessRule>& rules, Frequency rate, Engine& engine) {
    scenario.trigger.rate = rate;
    Json point{{"rate_hz", in_hertz(rate)}, {"without", nullptr}, {"refused", Json::object()}};
    RiskEffort effort;
    effort.work = 1e7;
    try {
        point["without"] = find_risk(scenario, "auto", effort, engine);
    } catch (const std::invalid_argument&) {
    } catch (const InputError&) {
    }
    for (const LosslessRule& rule : rules) {
        NetworkScenario ruled = scenario;
        ruled.trigger = rule.trigger;
        ruled.trigger.rate = rate;
        const RefusedShare share = refused_share(engine, ruled, scenario.trigger.dead_time);
        Json& of_rule = point["refused"][rule.kind] = {{"estimate", share.estimate}};
        add_interval(of_rule, share);
    }
    return point;
}

}  // namespace

std::vector<Frequency> usual_rates(Frequency rate) {
    constexpr int kEachWay = 8, kOfAnOctave = 4;
    std::vector<Frequency> rates;
    for (int i = -kEachWay; i <= kEachWay; ++i)
        rates.push_back(Frequency{std::llround(double(rate.count) * std::exp2(i / double(kOfAnOctave)))});
    return rates;
}

Json throttle_curve(const NetworkScenario& scenario, const std::vector<LosslessRule>& rules,
                    const std::vector<Frequency>& rates, Engine& engine, int jobs) {
    Progress progress("throttle", "rates", std::int64_t(rates.size()));
    std::int64_t done = 0;
    const auto points = do_in_processes(
        jobs, rates.size(), [&](std::size_t i) { return curve_point(scenario, rules, rates[i], engine).dump(); },
        [&](std::size_t, const std::string&) { progress.done(++done); });
    Json curve = Json::array();
    for (const std::string& point : points) curve.push_back(Json::parse(point));
    return curve;
}

void add_interval(Json& json, const RefusedShare& share) {
    json[share.calculated ? "bounds" : "interval95"] = {share.lower, share.upper};
}

}  // namespace watershed
