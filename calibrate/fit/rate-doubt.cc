// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/rate-doubt.h"

#include "calibrate/fit/report-text.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Relative deviation of a rate that is worth a word, and what Ethernet permits of a port's clock.
constexpr double kOff = 0.1, kClock = 1e-4;
/// Relative excess that no framing and no scenario that is about right explains.
constexpr double kImpossible = 0.5;

/// Whether the whole 95 % interval of a rate is above the nominal one by more than this.
bool above(const ModelFit& one, double nominal, double excess) {
    return one.rate.interval95.low.value_or(0) > (1 + excess) * nominal;
}

/// Largest relative error of a rate by separations that are rounded: half a unit of the shortest, if the fit allows for
/// it.
double most_by_rounding(const Fit& fit) {
    Time shortest = Time::max();
    for (const Burst& burst : fit.bursts) shortest = std::min(shortest, burst.separation);
    return fit.rounding ? double(fit.map.separation_step.count()) / 2 / double(shortest.count()) : 0;
}

/// Bursts that lose frames lose fewer than a tenth of them, taken together.
bool few_losses(const Fit& fit) {
    std::int64_t lost = 0, sent = 0;
    for (const Burst& burst : fit.bursts)
        if (burst.loss_counted()) lost += burst.lost, sent += burst.fragments();
    return 0 < lost && 10 * lost < sent;
}

}  // namespace

std::optional<double> rate_off_nominal(const Fit& fit) {
    if (fit.conditions.scenario.empty() || !fit.conditions.nominal_rate || !fit.options.rate_about_nominal ||
        fit.options.service_rate || fit.models.empty() || fit.best().model.per_packet || !fit.best().rate.value ||
        fit.status == FitStatus::Inconsistent)
        return std::nullopt;
    const auto nominal = double(fit.conditions.nominal_rate->count);
    const double off = *fit.best().rate.value / nominal - 1;
    const Interval& likely = fit.best().rate.interval95;
    const std::vector<BurstParameters>& left = fit.best().parameters;
    const auto off_alike = boost::count_if(left, [&](const BurstParameters& each) {
        return off > 0 ? each.rate > (1 + kOff) * nominal : each.rate < (1 - kOff) * nominal;
    });
    const bool surely = likely.low.value_or(nominal) > nominal || likely.high.value_or(nominal) < nominal ||
                        (!left.empty() && 6 * off_alike >= 5 * std::ptrdiff_t(left.size()));
    return above(fit.best(), nominal, kClock + most_by_rounding(fit)) || (std::abs(off) > kOff && surely)
               ? std::make_optional(off)
               : std::nullopt;
}

RateMismatch rate_doubt(const Fit& fit) {
    const auto off = rate_off_nominal(fit);
    if (!off) return {};
    constexpr double kTimes = 1;  // beyond which a per cent says less than a factor
    const double percent = 100 * std::abs(*off),
                 step = percent < 10 ? std::pow(10, std::floor(std::log10(percent)) - 1) : 1;
    const std::string by =
        *off > kTimes ? number_text(std::round(10 * (1 + *off)) / 10) + " times"
                      : number_text(std::round(percent / step) * step) + " % " + (*off < 0 ? "below" : "above");
    const int uplinks = fit.conditions.uplinks;
    return {
        "service rate " + by + " the scenario's " + to_text(*fit.conditions.nominal_rate),
        *off > kOff ? std::string("another framing or uplink than the scenario's, or losses ahead of the memory") +
                          (few_losses(fit) ? ", or PAUSE (flow control), which holds frames back where the memory "
                                             "would lose them"
                                           : "")
        : *off > 0 ? "a receiver's limit in frames per second, links of an aggregate that are loaded unevenly, a "
                     "second queue, or another framing than the scenario's: no port is so fast"
        : uplinks > 1
            ? "uneven hashing over the " + std::to_string(uplinks) +
                  " uplinks, with which the depth is wrong, too, a shaper or policer, another framing "
                  "than the scenario's, other traffic, or an output that is paused (its counters of PAUSE would tell)"
            : "a shaper or policer, another framing than the scenario's, other traffic, an output that is paused "
              "(its counters of PAUSE would tell), or, if the uplink is several links, uneven hashing, with which "
              "the depth is wrong, too",
        above(fit.best(), double(fit.conditions.nominal_rate->count), kImpossible)};
}

}  // namespace watershed
