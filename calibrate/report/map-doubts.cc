// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/fit/rate-doubt.h"
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

std::string feature_doubt(const Fit& fit) {
    constexpr double kPerhaps = 0.3;
    if (fit.models.empty()) return {};
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
