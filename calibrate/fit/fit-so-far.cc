// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-so-far.h"

namespace watershed {

FitSoFar fit_so_far(const LossMap& map, const Conditions& conditions, const FitOptions& options) {
    FitSoFar result;
    if (map.rows.empty()) return result;
    result.bursts = bursts_of(map, conditions, options.counts);
    std::vector<Burst> in_time = result.bursts;
    result.set_aside = set_aside_unusable(in_time);
    if (!in_time.empty()) result.fit = fit_loss_map(map, conditions, options);
    return result;
}

LossMap map_of(const std::vector<Burst>& bursts, const std::string& source) {
    LossMap map{source, {}};
    for (const Burst& burst : bursts) {
        LossMapRow row;
        row.line = burst.line;
        row.ports = static_cast<int>(burst.ports);
        row.congested_uplinks = burst.uplinks;
        row.payload = Bytes{burst.payload};
        row.separation = burst.separation;
        row.events = burst.events;
        row.frames_sent = burst.sent;
        row.frames_received = burst.sent - burst.lost;
        row.worst_trigger_lateness = burst.lateness;
        map.rows.push_back(row);
    }
    return map;
}

}  // namespace watershed
