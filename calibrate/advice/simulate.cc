// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/simulate.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "calibrate/posterior/statistics.h"
#include "model/base/random.h"
#include "model/exact/exact-engine.h"

namespace watershed {
namespace {

/// The disturbances of one burst, each with a draw of its own.
enum class Draw { Threshold, Count, Background, Late, LateTrigger, Lateness, Loss, Bucket, Stray, Strayed };

class BurstDraws {
  public:
    BurstDraws(std::uint64_t seed, std::int64_t number) : seed_(seed), number_(number) {}

    double uniform(Draw draw) const { return uniform_draw(seed_, number_, std::uint64_t(draw)); }
    double normal(Draw draw) const { return normal_quantile(uniform(draw)); }
    /// Normal, or Student's t with two degrees of freedom.
    double scattered(Draw draw, bool heavy_tails) const {
        if (!heavy_tails) return normal(draw);
        const double u = uniform(draw);
        return (2 * u - 1) / std::sqrt(2 * u * (1 - u));
    }
    /// The least number that is not exceeded with the probability that was drawn.
    std::int64_t binomial(Draw draw, std::int64_t trials, double share) const {
        if (share <= 0 || trials <= 0) return 0;
        using namespace boost::math::policies;
        using Policy = policy<discrete_quantile<integer_round_up>>;
        return std::llround(
            quantile(boost::math::binomial_distribution<double, Policy>(double(trials), share), uniform(draw)));
    }

  private:
    std::uint64_t seed_;
    std::int64_t number_;
};

std::int64_t frames_lost(Scenario scenario, std::int64_t events) {
    scenario.trigger.events = events;
    return ExactEngine().run(scenario).frames_lost();
}

/// Bytes of a frame on the link.
double wire_of(const Scenario& scenario) { return double(frames_of_fragment(scenario.frame).front().wire.count); }

/// Frames that the uplinks send between two events, if none is idle.
double drained_per_event(const Scenario& scenario) {
    const double bits = 8 * wire_of(scenario);
    const double spacing =
        std::max(double(scenario.trigger.separation.count()), 1e12 * bits / double(scenario.front_end.link_rate.count));
    return seconds_of_picoseconds(spacing) * double(scenario.network_switch.uplink_rate.count) / bits *
           scenario.network_switch.uplinks;
}

/// Frames lost, or, where none is, minus the frames that could have been added before one was: seen in a longer burst.
/// Minus infinity for a burst that is further from a loss than `reach` frames.
double margin(const Scenario& scenario, std::int64_t events, double reach) {
    const std::int64_t lost = frames_lost(scenario, events);
    // Frames that one event more adds to what waits, as long as no uplink falls idle.
    const double growth = scenario.front_end.modules - drained_per_event(scenario);
    if (lost > 0 || reach <= 0) return double(lost);
    if (growth <= 0) return -HUGE_VAL;
    const auto more = std::int64_t(std::ceil(reach / growth));
    const std::int64_t then = frames_lost(scenario, events + more);
    return then > 0 ? std::min(0.0, double(then) - double(more) * growth) : -HUGE_VAL;
}

/// One trigger is late, and those that should have come meanwhile follow it at once.
void delay_one(Trigger& trigger, std::int64_t late_event, Time lateness) {
    const Time resumed = trigger.separation * late_event + lateness;
    trigger.pattern = Trigger::Pattern::File;
    for (std::int64_t event = 0; event < *trigger.events; ++event)
        trigger.times.push_back(event < late_event ? trigger.separation * event
                                                   : std::max(trigger.separation * event, resumed));
}

}  // namespace

double uniform_draw(std::uint64_t seed, std::int64_t number, std::uint64_t draw) {
    const std::uint64_t bits = random_bits(seed, Stream::Apparatus, std::uint64_t(number), draw);
    constexpr int kMantissa = 52;
    return (double(bits >> (64 - kMantissa)) + 0.5) * std::exp2(-kMantissa);
}

SimulatedSwitch::SimulatedSwitch(Scenario hidden, const Apparatus& apparatus, Generator generator)
    : hidden_(std::move(hidden)), apparatus_(apparatus), generator_(std::move(generator)) {
    hidden_.trigger = {};
    hidden_.frame.wire_overhead.count += apparatus.overhead_error;
    hidden_.frame.buffer_overhead.count += apparatus.overhead_error;
}

LossMapRow SimulatedSwitch::measure(std::int64_t number, const BurstSetting& wanted) const {
    const BurstDraws disturbance(apparatus_.seed, number);
    Scenario scenario = hidden_;
    scenario.frame.payload = wanted.payload;
    scenario.front_end.modules = wanted.ports;
    scenario.trigger.separation = generator_.nearest(wanted.separation);
    const std::int64_t events = generator_.nearest(wanted.events);
    if (wanted.uplinks) scenario.network_switch.uplinks = *wanted.uplinks;
    BitRate& rate = scenario.network_switch.uplink_rate;
    if (apparatus_.drift != 0)
        rate.count = std::max<std::int64_t>(
            1, std::llround(double(rate.count) * std::pow(1 + apparatus_.drift, double(number))));

    LossMapRow row{wanted.ports, wanted.payload, scenario.trigger.separation, events, wanted.ports * events, 0,
                   std::nullopt};
    row.congested_uplinks = wanted.uplinks;
    if (apparatus_.late > 0) row.worst_trigger_lateness = Time{0};

    // As many events as the disturbed threshold makes of these; a threshold lies midway between two whole numbers of
    // events.
    NoiseLaw law = apparatus_.noise;
    law.frames = std::sqrt(law.frames * law.frames +
                           apparatus_.other_traffic * drained_per_event(scenario) * double(events - 1));
    const double factor = law.drawn_factor(disturbance.scattered(Draw::Threshold, apparatus_.heavy_tails));
    const auto felt = std::max<std::int64_t>(1, std::llround(double(events) * factor));
    const double ahead = apparatus_.bucket * scenario.network_switch.uplinks / wire_of(scenario);
    double lost = 0;
    if (events > 1 && disturbance.uniform(Draw::Late) < apparatus_.late) {
        constexpr double kMostSeparations = 10;
        const auto late_event = 1 + std::int64_t(disturbance.uniform(Draw::LateTrigger) * double(events - 1));
        const auto lateness = Time{std::llround(double(row.separation.count()) *
                                                (1 + (kMostSeparations - 1) * disturbance.uniform(Draw::Lateness)))};
        scenario.trigger.events = events;
        delay_one(scenario.trigger, late_event, lateness);
        lost = double(frames_lost(scenario, events));
        row.worst_trigger_lateness = lateness;
    } else {
        constexpr double kSigmas = 6;
        lost = margin(scenario, felt, kSigmas * law.frames + ahead);
    }
    // Whole frames that tokens pay for; where in a frame they run out is anybody's guess.
    if (ahead > 0) lost -= std::floor(ahead + disturbance.uniform(Draw::Bucket));
    lost += law.drawn_frames(disturbance.scattered(Draw::Count, apparatus_.heavy_tails));
    if (disturbance.uniform(Draw::Background) < apparatus_.background) lost = std::max(0.0, lost) + 1;
    constexpr double kMostStrayed = 1000;
    if (disturbance.uniform(Draw::Stray) < apparatus_.stray)
        lost = std::max(0.0, lost) + std::pow(kMostStrayed, disturbance.uniform(Draw::Strayed));
    const std::int64_t overflowed = std::llround(std::clamp(lost, 0.0, double(row.frames_sent)));
    lost = double(overflowed + disturbance.binomial(Draw::Loss, row.frames_sent - overflowed, apparatus_.loss));
    const std::int64_t frames = std::llround(std::clamp(lost, 0.0, double(row.frames_sent)));
    row.frames_received = row.frames_sent - (apparatus_.counts ? frames : std::min<std::int64_t>(frames, 1));
    return row;
}

}  // namespace watershed
