// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/throttle.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/exact/engine.h"
#include "model/exact/synchronous-camera.h"
#include "model/frontend/trigger.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr Time kStep{1000};  ///< of the times of rules

/// The least whole number of steps that is at least so long.
Time in_steps(Wide picoseconds) {
    return Time{static_cast<std::int64_t>((picoseconds + kStep.count() - 1) / kStep.count()) * kStep.count()};
}

/// @throws KeyError for what the proof does not hold for
SynchronousCamera even_camera(const Incast& scenario) {
    Obstacle obstacle;
    const auto camera = SynchronousCamera::of(scenario, &obstacle);
    if (!camera) throw KeyError(obstacle.key, obstacle.why);
    if (camera->takes_turns)
        throw KeyError("switch.uplink_selection", "frames take turns, so an uplink may get more of one trigger");
    std::set<std::int64_t> numbers(camera->modules_of_uplink.begin(), camera->modules_of_uplink.end());
    numbers.erase(0);
    if (camera->pools == SynchronousCamera::Pools::All && numbers.size() > 1)
        throw KeyError("switch.uplinks",
                       "uplinks that share a memory have unequal numbers of modules, expected equal ones");
    if (camera->pools == SynchronousCamera::Pools::Input &&
        scenario.network_switch.arrival_order != ArrivalOrder::Module)
        throw KeyError("switch.arrival_order",
                       "an input's memory holds more if its frame comes last, expected \"module\"");
    return *camera;
}

class ThrottleSearch {
  public:
    ThrottleSearch(Engine& engine, const Incast& scenario)
        : engine_(engine), scenario_(scenario), camera_(even_camera(scenario)) {
        const std::int64_t most = *std::max_element(camera_.modules_of_uplink.begin(), camera_.modules_of_uplink.end());
        const auto slot = [](const Slot& of, std::int64_t frames) {
            return ceil_div(of.numerator * frames, of.denominator);
        };
        service_ = in_steps(std::max(slot(camera_.uplink_slot, most), slot(camera_.link, 1)));
    }

    Throttle run() {
        Throttle found;
        found.needless = scenario_.trigger.dead_time >= service_ && loses(densest(scenario_.trigger, 2)) == 0;
        if (found.needless) return found;
        if (!scenario_.trigger.rules.empty())
            throw KeyError("trigger.rules", "weakest rules are sought in place of others, expected none");
        found.burst = longest_burst();
        if (found.burst == 0) return found;
        found.rules.push_back(rule("dead-time", service_, service_ - kStep));
        found.rules.push_back(rule("count", counting(found.burst), counting(found.burst + 1)));
        const std::int64_t bucket = largest_bucket(found.burst);
        found.rules.push_back(rule("token-bucket", filling(bucket), filling(bucket + 1)));
        return found;
    }

  private:
    TriggerRule counting(std::int64_t events) const {
        return {TriggerRule::Kind::Count, events, Time{service_.count() * events}};
    }
    TriggerRule filling(std::int64_t events) const { return {TriggerRule::Kind::Bucket, events, service_}; }

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

    template <class Rule>
    LosslessRule rule(const std::string& kind, const Rule& weakest, const Rule& weaker) const {
        LosslessRule found{kind, {key(weakest)}, with(weakest), {}, key(weaker), {}};
        found.refused = refused_share(found.trigger, scenario_.seed);
        const std::int64_t seen = events_to_settle(found.trigger);
        if (loses(densest(found.trigger, seen)) != 0)
            throw std::logic_error("the weakest rule of kind " + kind + " loses frames");
        found.witness = densest(with(weaker), kLongestWitness);
        found.witness.resize(static_cast<std::size_t>(first_incomplete(found.witness)));
        return found;
    }

    std::vector<Time> densest(const Trigger& trigger, std::int64_t events) const {
        return densest_triggers(trigger, events);
    }
    Incast with_times(const std::vector<Time>& times) const {
        Incast scenario = scenario_;
        scenario.trigger = Trigger{};
        scenario.trigger.pattern = Trigger::Pattern::File;
        scenario.trigger.times = times;
        return scenario;
    }
    std::int64_t loses(const std::vector<Time>& times) const { return engine_.run(with_times(times)).frames_lost(); }
    /// 0 if none is.
    std::int64_t first_incomplete(const std::vector<Time>& times) const {
        const Outcome outcome = engine_.run(with_times(times));
        return outcome.first_loss ? outcome.first_loss->frame.event : 0;
    }

    std::int64_t longest_burst() const {
        Incast burst = scenario_;
        burst.trigger = Trigger{};
        burst.trigger.events = 1;
        const Boundary boundary = find_boundary(engine_, burst, scenario_.trigger.dead_time, kLongestWitness);
        return boundary.events_lossless.value_or(boundary.unknown_beyond);
    }

    /// After how many of the densest triggers what waits grows no more: their rate is then that of the uplink or less.
    std::int64_t events_to_settle(const Trigger& trigger) const {
        std::int64_t events = 2;
        for (const TriggerRule& rule : trigger.rules) events = std::max(events, rule.events);
        const double dense =
                         in_seconds(std::max(trigger.dead_time, Time{static_cast<std::int64_t>(camera_.link.floor())})),
                     work = in_seconds(service_);
        const double caught = static_cast<double>(events) / (1 - std::min(dense / work, 0.99));
        return std::min(kLongestWitness, 2 * static_cast<std::int64_t>(caught) + 10);
    }

    std::int64_t largest_bucket(std::int64_t longest_burst) const {
        std::int64_t holds = 1, beyond = longest_burst + 1;
        while (beyond - holds > 1) {
            const std::int64_t middle = holds + (beyond - holds) / 2;
            const Trigger trigger = with(filling(middle));
            (loses(densest(trigger, events_to_settle(trigger))) == 0 ? holds : beyond) = middle;
        }
        return holds;
    }

    Engine& engine_;
    const Incast& scenario_;
    SynchronousCamera camera_;
    Time service_;  ///< that the busiest uplink needs for a trigger, or a module's link, in steps
};

}  // namespace

RefusedShare refused_share(const Trigger& trigger, std::uint64_t seed) {
    if (trigger.pattern != Trigger::Pattern::Poisson || trigger.burst.events > 0)
        throw KeyError(trigger.burst.events > 0 ? "trigger.burst.events" : "trigger.pattern",
                       "which part a rule refuses is asked of random triggers of one rate, expected \"poisson\" alone");
    const double rate = in_hertz(trigger.rate);
    const auto calculated = [](double share) { return RefusedShare{share, share, share, true}; };
    const bool one = trigger.rules.size() == 1 && trigger.rules[0].events == 1;  // a dead time, by either kind
    if (trigger.rules.empty() || one) {
        const double busy =
            rate * in_seconds(one ? std::max(trigger.dead_time, trigger.rules[0].time) : trigger.dead_time);
        return calculated(busy / (1 + busy));
    }
    if (trigger.rules.size() == 1 && trigger.rules[0].kind == TriggerRule::Kind::Count &&
        trigger.dead_time == Time{0}) {
        const double offered = rate * in_seconds(trigger.rules[0].time);
        double blocked = 1;
        for (std::int64_t n = 1; n <= trigger.rules[0].events; ++n)
            blocked = offered * blocked / (static_cast<double>(n) + offered * blocked);
        return calculated(blocked);
    }
    // Batch means; Student's 97.5 % point of 15 degrees of freedom.
    constexpr int kBatches = 16;
    constexpr std::int64_t kEach = 1 << 16;
    constexpr double kStudent = 2.131;
    Trigger longest = trigger;
    longest.events = (kBatches + 1) * kEach;
    longest.duration.reset();
    TriggerTrain train(longest, seed);
    double sum = 0, squares = 0;
    Time begin{0};
    for (int batch = 0; batch <= kBatches; ++batch) {
        Time end{0};
        for (std::int64_t i = 0; i < kEach; ++i) end = *train.next();
        const double refused = 1 - static_cast<double>(kEach) / (rate * in_seconds(end - begin));
        if (batch > 0) sum += refused, squares += refused * refused;  // the first one settles
        begin = end;
    }
    const double mean = sum / kBatches,
                 error = std::sqrt(std::max(0.0, squares / kBatches - mean * mean) / (kBatches - 1));
    return {mean, std::max(0.0, mean - kStudent * error), std::min(1.0, mean + kStudent * error), false};
}

Throttle find_throttle(Engine& engine, const Incast& scenario) { return ThrottleSearch(engine, scenario).run(); }

}  // namespace watershed
