// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Limits of a plausible separation: relative to a frame's time on its link, and to the uplink's time for an event. An
/// error by a factor 1000 exceeds them.
constexpr double kTooShort = 0.01, kTooLong = 50;

struct UnitMistake {
    double factor;
    const char* said;
};

/// Nearest to a factor that a wrong unit makes.
const UnitMistake* slip_near(double factor) {
    static const UnitMistake kSlips[] = {
        {1000, "thousands"}, {0.001, "thousands"}, {8, "bits and bytes"}, {0.125, "bits and bytes"}};
    constexpr double kNear = 0.15;
    for (const UnitMistake& slip : kSlips)
        if (std::abs(factor / slip.factor - 1) < kNear) return &slip;
    return nullptr;
}

/// Relative deviation of a rate that is worth a word, and what Ethernet permits of a port's clock.
constexpr double kOff = 0.1, kClock = 1e-4;

/// Bursts that lose frames lose fewer than a tenth of them, taken together.
bool few_losses(const Fit& fit) {
    std::int64_t lost = 0, sent = 0;
    for (const Burst& burst : fit.bursts)
        if (burst.loss_counted()) lost += burst.lost, sent += burst.fragments();
    return 0 < lost && 10 * lost < sent;
}

}  // namespace

std::vector<std::string> warnings_of(const LossMap& map, const Conditions& conditions) {
    std::vector<std::string> doubts;
    for (const auto& [column, meant] : map.doubtful_columns)
        doubts.push_back(map.source + ": column \"" + column + "\" is not known and not read; did you mean " + meant +
                         "?");
    const auto nothing_came = [](const LossMapRow& row) { return row.frames_sent > 0 && row.frames_received == 0; };
    if (const auto row = boost::find_if(map.rows, nothing_came); row != map.rows.end())
        doubts.push_back(map.source + ":" + std::to_string(row->line) + ": frames_received: found 0, as in " +
                         std::to_string(boost::count_if(map.rows, nothing_came)) + " of " +
                         std::to_string(map.rows.size()) +
                         " bursts, expected a frame at least: a memory takes in what comes first; does the output "
                         "reach the receiver?");
    if (conditions.scenario.empty() || !conditions.nominal_rate) return doubts;
    double longest = 0,
           least_idle = HUGE_VAL;  // separation by frame time; separation by the uplink's time for an event
    const Burst* at_longest = nullptr;
    const Burst* at_least = nullptr;
    const std::vector<Burst> bursts = bursts_of(map, conditions, CountUse::Auto);
    for (const Burst& burst : bursts) {
        const double separation = seconds_of_picoseconds(double(burst.separation.count())),
                     bits = 8.0 * double(burst.wire);
        const double frame = bits / double(conditions.link_rate.count);
        const double event = std::max(
            frame, bits * std::ceil(double(burst.ports) / burst.uplinks) / double(conditions.nominal_rate->count));
        if (separation / frame > longest || !at_longest) longest = separation / frame, at_longest = &burst;
        if (separation / event < least_idle) least_idle = separation / event, at_least = &burst;
    }
    const auto where = [&](const Burst& burst) {
        return map.source + ":" + std::to_string(burst.line) + ": separation_us: found " +
               number_text(in_microseconds(burst.separation));
    };
    const std::string slip = "; a likely slip of units, expected microseconds";
    if (longest > 0 && longest < kTooShort)  // none at all means as fast as the link takes them
        doubts.push_back(where(*at_longest) + ", the longest of the map, but a frame takes " +
                         number_text(8e6 * double(at_longest->wire) / double(conditions.link_rate.count)) +
                         " us on its link by " + conditions.scenario + slip);
    if (least_idle > kTooLong)
        doubts.push_back(where(*at_least) +
                         ", the shortest of the map for what it sends, but the uplink is through with an event in " +
                         number_text(100 / least_idle) + " % of that by " + conditions.scenario +
                         ", so that none is ever lost" + slip);
    return doubts;
}

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
    const bool of_no_port = off > 0 && likely.low.value_or(0) > (1 + kClock) * nominal;
    return of_no_port || (std::abs(off) > kOff && surely) ? std::make_optional(off) : std::nullopt;
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
    return {"service rate " + by + " the scenario's " + to_text(*fit.conditions.nominal_rate),
            *off > kOff ? std::string("another framing or uplink than the scenario's, or losses ahead of the memory") +
                              (few_losses(fit) ? ", or PAUSE (flow control), which holds frames back where the memory "
                                                 "would lose them"
                                               : "")
            : *off > 0 ? "a receiver's limit in frames per second, links of an aggregate that are loaded unevenly, a "
                         "second queue, or another framing than the scenario's: no port is so fast"
            : uplinks > 1
                ? "uneven hashing over the " + std::to_string(uplinks) +
                      " uplinks, with which the depth is wrong, too, a shaper or policer, another framing "
                      "than the scenario's, or other traffic"
                : "a shaper or policer, another framing than the scenario's, other traffic, or, if the uplink "
                  "is several links, uneven hashing, with which the depth is wrong, too"};
}

std::string feature_doubt(const Fit& fit) {
    constexpr double kPerhaps = 0.3;
    if (fit.models.empty()) return {};
    const auto words_of = [](Feature feature) {
        std::string words = to_text(feature);
        std::replace(words.begin(), words.end(), '-', ' ');
        return words;
    };
    if (fit.best().model.feature != Feature::None) return words_of(fit.best().model.feature) + ", ";
    std::map<Feature, double> probabilities;
    for (const ModelFit& one : fit.models) probabilities[one.model.feature] += one.probability;
    for (const auto& [feature, probability] : probabilities)
        if (feature != Feature::None && probability > kPerhaps)
            return "perhaps " + words_of(feature) + " (" + std::to_string(std::lround(100 * probability)) + " %), ";
    return {};
}

std::vector<std::string> warnings_of(const Fit& fit) {
    const auto off = rate_off_nominal(fit);
    const UnitMistake* slip = off ? slip_near(1 + *off) : nullptr;
    if (!slip) return {};
    return {fit.map.source + ": the fitted service rate is " + to_text(BitRate{std::llround(*fit.best().rate.value)}) +
            ", about " +
            (slip->factor >= 1 ? number_text(slip->factor) + " times" : "1/" + number_text(1 / slip->factor) + " of") +
            " the " + to_text(*fit.conditions.nominal_rate) + " of " + fit.conditions.scenario +
            "; a likely slip of units (" + slip->said +
            "): look at separation_us, payload_bytes and switch.uplink_rate"};
}

}  // namespace watershed
