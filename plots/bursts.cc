// SPDX-License-Identifier: GPL-2.0-only
#include "plots/bursts.h"

#include <algorithm>
#include <map>
#include <set>

namespace watershed {

Bursts bursts_from(const Inputs& inputs) {
    Bursts bursts;
    for (const AdviceFile& advice : inputs.advices) {
        if (!advice.stop)
            for (const AdviceFile::Point& point : advice.points) bursts.advised.push_back({point.separation_us, point.events});
        for (const AdviceFile::Point& point : advice.checks) bursts.checks.push_back({point.separation_us, point.events});
    }
    if (inputs.maps.empty()) return bursts;
    const FitFile* fit = inputs.fits.empty() ? nullptr : &inputs.fits.front();
    const LossMapRow& first = inputs.maps.front().rows.front();
    const int ports = fit ? fit->ports : first.ports;
    const Bytes payload = fit ? fit->payload : first.payload;
    // The curve of a fit is for its first row.
    const auto uplinks_of = [&](const LossMapRow& row) { return row.congested_uplinks.value_or(fit ? fit->uplinks : 0); };
    const auto used = std::find_if(inputs.maps.front().rows.begin(), inputs.maps.front().rows.end(), [&](const LossMapRow& row) { return row.ports == ports && row.payload == payload; });
    const int uplinks = uplinks_of(used == inputs.maps.front().rows.end() ? first : *used);
    bursts.mix = std::to_string(ports) + " ports, " + std::to_string(payload.count) + " B" + (first.congested_uplinks ? ", " + std::to_string(uplinks) + (uplinks == 1 ? " congested uplink" : " congested uplinks") : "");
    for (const LossMap& map : inputs.maps) {
        const bool fitted = fit && (inputs.maps.size() == 1 || stem_of(map.source) == stem_of(fit->map));
        const auto is_in = [&](std::set<std::int64_t> FitFile::*rows, std::size_t i) { return fitted && (fit->*rows).count(static_cast<std::int64_t>(i + 1)) == 1; };
        for (std::size_t i = 0; i < map.rows.size(); ++i) {
            const LossMapRow& row = map.rows[i];
            if (row.ports != ports || row.payload != payload || uplinks_of(row) != uplinks) {
                ++bursts.left_out;
                continue;
            }
            const PlotPoint burst{std::chrono::duration<double, std::micro>(row.separation).count(), static_cast<double>(row.events)};
            (is_in(&FitFile::rows_set_aside, i) ? bursts.set_aside : row.lossless() ? bursts.complete : bursts.lossy).push_back(burst);
            if (is_in(&FitFile::binding_rows, i)) bursts.binding.push_back(burst);
            if (is_in(&FitFile::violating_rows, i)) bursts.violating.push_back(burst);
        }
    }
    return bursts;
}

std::vector<PlotPoint> line_between(const Bursts& bursts) {
    std::map<double, double> longest_complete, shortest_lossy;
    for (const PlotPoint& burst : bursts.complete) longest_complete[burst.x] = std::max(longest_complete[burst.x], burst.y);
    for (const PlotPoint& burst : bursts.lossy) {
        const auto [entry, is_new] = shortest_lossy.try_emplace(burst.x, burst.y);
        if (!is_new) entry->second = std::min(entry->second, burst.y);
    }
    std::vector<PlotPoint> line;
    for (const auto& [x, y] : longest_complete)
        if (const auto lossy = shortest_lossy.find(x); lossy != shortest_lossy.end()) line.push_back({x, (y + lossy->second) / 2});
    return line;
}

}  // namespace watershed
