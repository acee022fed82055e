// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/tilted-risk.h"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "model/base/frame.h"
#include "model/base/random.h"
#include "model/network/network-load.h"

namespace watershed {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

/// The triggers of one cycle, drawn as far as they are needed.
class Triggers {
  public:
    Triggers(double dead_time, double mean_wait, std::uint64_t bits)
        : dead_time_(dead_time), mean_wait_(mean_wait), random_(bits) {}

    /// Draws as many as make `count`, `tilt` times as fast as they come.
    void extend(std::size_t count, double tilt) {
        while (times_.size() < count) {
            const double wait = draw_(random_);  // in units of the tilted mean
            times_.push_back(times_.back() + Time{std::llround(dead_time_ + wait * mean_wait_ / tilt)});
            log_likelihood_.push_back(log_likelihood_.back() + wait - wait / tilt - std::log(tilt));
        }
    }
    void keep(std::size_t count) {
        times_.resize(count);
        log_likelihood_.resize(count);
    }
    const std::vector<Time>& times() const { return times_; }
    /// Returns the likelihood of the first `count` triggers at their own rate over that at which they were drawn.
    double log_likelihood(std::size_t count) const { return log_likelihood_[count - 1]; }

  private:
    double dead_time_;
    double mean_wait_;
    std::mt19937_64 random_;
    boost::random::exponential_distribution<double> draw_{1.0};
    std::vector<Time> times_{Time{0}};
    std::vector<double> log_likelihood_{0};
};

double slot_ps(Bytes wire, BitRate rate) { return bit_picoseconds(wire.count) / static_cast<double>(rate.count); }

}  // namespace

TiltedCycles::TiltedCycles(const NetworkScenario& scenario, std::int64_t most_events)
    : scenario_(scenario), most_events_(most_events) {
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson)
        throw UnsupportedScenario("trigger.pattern", "method tilted needs \"poisson\"");
    if (scenario.trigger.burst.events > 0)
        throw UnsupportedScenario("trigger.burst.events", "method tilted needs triggers without bursts on top");
    if (scenario.server.receiver)
        throw UnsupportedScenario("server.path", "method tilted needs a server without limits");
    if (!scenario.frame.payloads.empty())
        throw UnsupportedScenario("frame.payloads", "method tilted needs fragments of one size");
    if (scenario.front_end.gap != Time{0})
        throw UnsupportedScenario("front_end.gap", "method tilted needs fragments without a pause");
    dead_time_ = static_cast<double>(scenario.trigger.dead_time.count());
    mean_wait_ = period_in_picoseconds(scenario.trigger.rate);

    const Bytes fragment = wire_of_fragment(scenario.frame);
    // Time of the link that takes longest for the frames of an event.
    const Network network(scenario);
    const std::vector<double> modules = modules_per_link(scenario, network);
    // Memory that is held for a latency without work for an uplink keeps a cycle going while triggers wait. Triggers
    // that come more often hardly ever wait so long: the few that do would have all the weight.
    constexpr double kShort = 0.1;
    for (const Network::Switch& each : network.switches())
        if (static_cast<double>(each.settings.latency.count()) > kShort * mean_wait_)
            throw UnsupportedScenario(
                "switch.latency",
                "method tilted needs a latency of at most a tenth of the mean time from the end of the "
                "dead time to the next trigger");
    double work = 0;
    for (std::size_t i = 0; i < modules.size(); ++i)
        work = std::max(work, modules[i] * slot_ps(fragment, network.links()[i].rate));
    const double link = slot_ps(fragment, scenario.front_end.link_rate);
    if (work <= link)
        throw UnsupportedScenario("switch.uplinks",
                                  "no uplink gets more than it can carry, so nothing builds up, and method tilted has "
                                  "nothing to speed up");

    // As a batch queue whose time unit is the work of one event.
    const double unit = work;
    const double root = decay_rate({unit / mean_wait_, dead_time_ / unit, link / unit, 1, 0});
    if (root <= 0)
        throw UnsupportedScenario(
            "trigger.rate", "more than an uplink can carry; method tilted needs a switch that is empty now and then");
    tilt_ = 1 + root / (unit / mean_wait_);
    // No faster than the modules' links carry them: beyond, triggers would pile up there.
    if (link > dead_time_) tilt_ = std::min(tilt_, std::max(1.0, 0.98 * mean_wait_ / (link - dead_time_)));
    usual_ = 32;

    scenario_.trigger.pattern = Trigger::Pattern::File;
    scenario_.trigger.dead_time = Time{0};
    scenario_.trigger.duration.reset();
    scenario_.trigger.events.reset();
}

Outcome TiltedCycles::run(Engine& engine, NetworkScenario& scenario, const std::vector<Time>& triggers,
                          std::int64_t& spent) const {
    spent += static_cast<std::int64_t>(triggers.size());
    simulated_ += static_cast<std::int64_t>(triggers.size());
    if (spent > most_events_)
        throw LongCycle("a busy cycle of more than " + std::to_string(most_events_) +
                        " events; the switch is hardly ever empty");
    scenario.trigger.times = triggers;
    Outcome outcome = engine.run(scenario);
    if (!outcome.events_in_order)
        throw UnsupportedScenario("front_end",
                                  "frames of different events overtake one another; method tilted needs them in order");
    return outcome;
}

double TiltedCycles::log_contribution(Engine& engine, std::uint64_t cycle) const {
    NetworkScenario scenario = scenario_;
    scenario.seed = random_bits(scenario_.seed, Stream::Replication, cycle);
    Triggers triggers(dead_time_, mean_wait_, random_bits(scenario_.seed, Stream::TiltedTrigger, cycle, 0));
    std::size_t first = 0;
    std::int64_t spent = 0;
    for (std::size_t count = usual_; first == 0; count *= 2) {
        triggers.extend(count, tilt_);
        const Outcome outcome = run(engine, scenario, triggers.times(), spent);
        const std::int64_t incomplete = outcome.incomplete.empty() ? 0 : outcome.incomplete.front().event;
        if (outcome.first_idle_event != 0 && (incomplete == 0 || outcome.first_idle_event <= incomplete)) return kNever;
        first = static_cast<std::size_t>(incomplete);
    }
    triggers.keep(first);
    for (std::size_t count = first + usual_;; count = first + 2 * (count - first)) {
        triggers.extend(count, 1);
        const Outcome outcome = run(engine, scenario, triggers.times(), spent);
        if (outcome.first_idle_event == 0) continue;
        const auto lost = std::count_if(outcome.incomplete.begin(), outcome.incomplete.end(),
                                        [&](const auto& event) { return event.event < outcome.first_idle_event; });
        return triggers.log_likelihood(first) + std::log(static_cast<double>(lost));
    }
}

std::int64_t TiltedCycles::length(Engine& engine, std::uint64_t cycle) const {
    NetworkScenario scenario = scenario_;
    scenario.seed = random_bits(scenario_.seed, Stream::Replication, cycle);
    Triggers triggers(dead_time_, mean_wait_, random_bits(scenario_.seed, Stream::TiltedTrigger, cycle, 1));
    std::int64_t spent = 0;
    for (std::size_t count = usual_;; count *= 2) {
        triggers.extend(count, 1);
        if (const std::int64_t idle = run(engine, scenario, triggers.times(), spent).first_idle_event; idle != 0)
            return idle - 1;
    }
}

Enclosure log_loss_probability(const std::vector<double>& log_contributions, const std::vector<std::int64_t>& lengths) {
    const double largest = *std::max_element(log_contributions.begin(), log_contributions.end());
    if (largest == kNever) return {kNever, kNever, 0};
    // Relative variance of a mean.
    const auto mean_and_variance = [](const auto& values, auto&& value) {
        double sum = 0, squares = 0;
        const auto n = static_cast<double>(values.size());
        for (const auto& each : values) {
            const double x = value(each);
            sum += x;
            squares += x * x;
        }
        const double mean = sum / n;
        return std::pair(mean, (squares / n / (mean * mean) - 1) / (n - 1));
    };
    const auto [lost, lost_variance] =
        mean_and_variance(log_contributions, [=](double x) { return std::exp(x - largest); });
    const auto [events, events_variance] =
        mean_and_variance(lengths, [](std::int64_t x) { return static_cast<double>(x); });
    const double estimate = std::log(lost / events) + largest,
                 error = 1.96 * std::sqrt(lost_variance + events_variance);
    return {estimate - error, estimate, std::min(0.0, estimate + error)};
}

}  // namespace watershed
