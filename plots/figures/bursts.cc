// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/bursts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace watershed {

namespace {

const FitFile* fit_of(const Inputs& inputs) { return inputs.fits.empty() ? nullptr : &inputs.fits.front(); }

Mix mix_of(const LossMapRow& row, const FitFile* fit) {
    return {row.ports, row.payload, row.congested_uplinks.value_or(fit ? fit->uplinks : 0)};
}

std::string text_of(const Inputs& inputs, const Mix& mix) {
    const std::string text = std::to_string(mix.ports) + " ports, " + std::to_string(mix.payload.count) + " B";
    const auto states_uplinks = [](const LossMap& map) {
        return std::any_of(map.rows.begin(), map.rows.end(),
                           [](const LossMapRow& row) { return row.congested_uplinks.has_value(); });
    };
    if (mix.uplinks == 0 || std::none_of(inputs.maps.begin(), inputs.maps.end(), states_uplinks)) return text;
    return text + ", " + std::to_string(mix.uplinks) + (mix.uplinks == 1 ? " congested uplink" : " congested uplinks");
}

/// The uplinks of advice are all of a scenario that only a fit tells of.
bool is_for(const AdviceFile& advice, const Mix& mix, const FitFile* fit) {
    return advice.mix->ports == mix.ports && advice.mix->payload == mix.payload &&
           (!fit || mix.uplinks == fit->uplinks);
}

/// Mixes of bursts: that of the first row, then by falling number of rows.
std::vector<Mix> mixes_of_maps(const Inputs& inputs) {
    std::vector<Mix> mixes;
    std::vector<std::pair<std::int64_t, Mix>> counted;
    for (const LossMap& map : inputs.maps)
        for (const LossMapRow& row : map.rows) {
            auto found = std::find_if(counted.begin(), counted.end(),
                                      [mix = mix_of(row, nullptr)](const auto& each) { return each.second == mix; });
            if (found == counted.end()) found = counted.insert(found, {0, mix_of(row, nullptr)});
            ++found->first;
        }
    if (!counted.empty())
        std::stable_sort(std::next(counted.begin()), counted.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& each : counted) mixes.push_back(each.second);
    return mixes;
}

}  // namespace

std::vector<Mix> mixes_of(const Inputs& inputs) {
    constexpr std::size_t kMost = 6;
    const FitFile* fit = fit_of(inputs);
    std::vector<Mix> mixes;
    if (fit)
        for (const FitFile::Line& line : fit->lines) mixes.push_back(line.mix);
    else
        mixes = mixes_of_maps(inputs);
    if (mixes.size() > kMost) mixes.resize(kMost);
    for (const AdviceFile& advice : inputs.advices) {
        if (!advice.mix ||
            std::any_of(mixes.begin(), mixes.end(), [&](const Mix& mix) { return is_for(advice, mix, fit); }))
            continue;
        if (mixes.size() == kMost) mixes.pop_back();
        mixes.push_back({advice.mix->ports, advice.mix->payload, fit ? fit->uplinks : 0});
    }
    return mixes;
}

Bursts bursts_from(const Inputs& inputs, const Mix& mix) {
    Bursts bursts;
    const std::vector<Mix> mixes = mixes_of(inputs);
    const FitFile* fit = fit_of(inputs);
    for (const AdviceFile& advice : inputs.advices) {
        if (!inputs.maps.empty() && !(advice.mix ? is_for(advice, mix, fit) : mix == mixes.front())) continue;
        if (!advice.stop)
            for (const AdviceFile::Point& point : advice.points)
                bursts.advised.push_back({point.separation_us, point.events});
        for (const AdviceFile::Point& point : advice.checks)
            bursts.checks.push_back({point.separation_us, point.events});
    }
    if (inputs.maps.empty()) return bursts;
    bursts.mix = text_of(inputs, mix);
    for (const LossMap& map : inputs.maps) {
        const bool fitted = fit && (inputs.maps.size() == 1 || stem_of(map.source) == stem_of(fit->map));
        const auto is_in = [&](std::set<std::int64_t> FitFile::*rows, std::size_t i) {
            return fitted && (fit->*rows).count(static_cast<std::int64_t>(i + 1)) == 1;
        };
        for (std::size_t i = 0; i < map.rows.size(); ++i) {
            const LossMapRow& row = map.rows[i];
            if (!(mix_of(row, fit) == mix) || !row.counted) continue;
            const PlotPoint burst{in_microseconds(row.separation), static_cast<double>(row.events)};
            (is_in(&FitFile::rows_set_aside, i) ? bursts.set_aside
             : row.lossless()                   ? bursts.complete
                                                : bursts.lossy)
                .push_back(burst);
            if (is_in(&FitFile::binding_rows, i)) bursts.binding.push_back(burst);
            if (is_in(&FitFile::violating_rows, i)) bursts.violating.push_back(burst);
        }
    }
    return bursts;
}

std::vector<PlotPoint> line_between(const Bursts& bursts) {
    std::map<double, double> longest_complete, shortest_lossy;
    for (const PlotPoint& burst : bursts.complete)
        longest_complete[burst.x] = std::max(longest_complete[burst.x], burst.y);
    for (const PlotPoint& burst : bursts.lossy) {
        const auto [entry, is_new] = shortest_lossy.try_emplace(burst.x, burst.y);
        if (!is_new) entry->second = std::min(entry->second, burst.y);
    }
    std::vector<PlotPoint> line;
    for (const auto& [x, y] : longest_complete)
        if (const auto lossy = shortest_lossy.find(x); lossy != shortest_lossy.end())
            line.push_back({x, (y + lossy->second) / 2});
    return line;
}

}  // namespace watershed
