// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/map-doubts.h"

#include <algorithm>
#include <cmath>

#include "calibrate/closed-form/burst.h"
#include "calibrate/fit/report-text.h"
#include "scenarios/text/units.h"
#include "scenarios/text/warning.h"

namespace watershed {
namespace {

/// A separation below this part of a frame's time on its link, or above so many times what the uplink needs for an
/// event, was hardly meant. A factor 1000 brings separations that make sense, of some tenths to some times those times,
/// beyond both.
constexpr double kTooShort = 0.01, kTooLong = 50;

struct Slip {
    double factor;
    const char* said;
};

/// Nearest to a factor that a wrong unit makes.
const Slip* slip_near(double factor) {
    static const Slip kSlips[] = {
        {1000, "thousands"}, {0.001, "thousands"}, {8, "bits and bytes"}, {0.125, "bits and bytes"}};
    constexpr double kNear = 0.15;
    for (const Slip& slip : kSlips)
        if (std::abs(factor / slip.factor - 1) < kNear) return &slip;
    return nullptr;
}

}  // namespace

std::vector<std::string> warnings_of(const LossMap& map, const Conditions& conditions) {
    std::vector<std::string> doubts;
    for (const auto& [column, meant] : map.doubtful_columns)
        doubts.push_back(map.source + ": column \"" + column + "\" is not known and not read; did you mean " + meant +
                         "?");
    if (conditions.scenario.empty() || !conditions.nominal_rate) return doubts;
    double longest = 0,
           least_idle = HUGE_VAL;  // separation by frame time; separation by the uplink's time for an event
    const Burst* at_longest = nullptr;
    const Burst* at_least = nullptr;
    const std::vector<Burst> bursts = bursts_of(map, conditions, CountUse::Auto);
    for (const Burst& burst : bursts) {
        const double separation = seconds_of_picoseconds(static_cast<double>(burst.separation.count())),
                     bits = 8.0 * static_cast<double>(burst.wire);
        const double frame = bits / static_cast<double>(conditions.link_rate.count);
        const double event = std::max(frame, bits * std::ceil(static_cast<double>(burst.ports) / burst.uplinks) /
                                                 static_cast<double>(conditions.nominal_rate->count));
        if (separation / frame > longest || !at_longest) longest = separation / frame, at_longest = &burst;
        if (separation / event < least_idle) least_idle = separation / event, at_least = &burst;
    }
    const auto where = [&](const Burst& burst) {
        return map.source + ":" + std::to_string(burst.line) + ": separation_us: found " +
               number_text(in_microseconds(burst.separation));
    };
    const std::string slip = "; a likely slip of units, expected microseconds";
    if (longest > 0 && longest < kTooShort)  // none at all means as fast as the link takes them
        doubts.push_back(
            where(*at_longest) + ", the longest of the map, but a frame takes " +
            number_text(8e6 * static_cast<double>(at_longest->wire) / static_cast<double>(conditions.link_rate.count)) +
            " us on its link by " + conditions.scenario + slip);
    if (least_idle > kTooLong)
        doubts.push_back(where(*at_least) +
                         ", the shortest of the map for what it sends, but the uplink is through with an event in " +
                         number_text(100 / least_idle) + " % of that by " + conditions.scenario +
                         ", so that none is ever lost" + slip);
    return doubts;
}

std::vector<std::string> warnings_of(const Fit& fit) {
    if (fit.conditions.scenario.empty() || !fit.conditions.nominal_rate || fit.options.service_rate ||
        fit.models.empty() || !fit.best().rate.value)
        return {};
    const double nominal = static_cast<double>(fit.conditions.nominal_rate->count), found = *fit.best().rate.value;
    const Slip* slip = slip_near(found / nominal);
    if (!slip) return {};
    return {fit.source + ": the fitted service rate is " + to_text(BitRate{std::llround(found)}) + ", about " +
            (slip->factor >= 1 ? number_text(slip->factor) + " times" : "1/" + number_text(1 / slip->factor) + " of") +
            " the " + to_text(*fit.conditions.nominal_rate) + " of " + fit.conditions.scenario +
            "; a likely slip of units (" + slip->said +
            "): look at separation_us, payload_bytes and switch.uplink_rate"};
}

void warn_of(const std::vector<std::string>& doubts) {
    for (const std::string& doubt : doubts) warn(doubt);
}

}  // namespace watershed
