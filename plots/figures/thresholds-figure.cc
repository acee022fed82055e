// SPDX-License-Identifier: GPL-2.0-only
// Thresholds of switches, as they are stated and as they come out when the switch is filled.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/results.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<const char*, int> kChipLooks[] = {{colour::blue, 7},      {colour::green, 5},   {colour::orange, 9},
                                                      {colour::sky_blue, 13}, {colour::purple, 11}, {colour::black, 6},
                                                      {colour::grey, 4},      {colour::blue, 8}};

double threshold_in(const Json& row, const char* key) {
    return row.contains(key) && row[key].is_number() ? row[key].get<double>() : 0;
}

}  // namespace

void draw_thresholds(const FigureRequest& request) {
    const Json result = read_result(request.inputs, "watershed thresholds --json", {});
    const std::string& file = request.inputs.front();
    if (!result.is_array())
        throw InputError(file + ": found no list, expected a result of watershed thresholds --json");
    std::vector<Series> chips;
    Series doubted{"inputs partial or doubted", {}, points(colour::grey, 2, 0.6), {}, "doubted"},
        missed{"missed", {}, points(colour::vermilion, 6, 1.5), {}, "missed"};
    std::vector<std::string> names;  // names of those missed
    double low = 1e300, high = 0;
    for (const Json& row : result) {
        if (!row.is_object() || !row.contains("row") || !row.contains("simulated") || !row.contains("value"))
            throw InputError(file +
                             ": found a row without row, simulated and value, expected a result of watershed "
                             "thresholds --json");
        const double stated = threshold_in(row, "value"), simulated = threshold_in(row, "simulated");
        if (stated <= 0 || simulated <= 0) continue;
        low = std::min({low, stated, simulated}), high = std::max({high, stated, simulated});
        const bool hit = row.value("hit", false), sound = row.value("sound", true);
        if (!hit && !sound) {
            doubted.rows.push_back({stated, simulated});
            continue;
        }
        if (!hit) {
            missed.rows.push_back({stated, simulated});
            names.push_back("row " + row["row"].dump() + ", " + row.value("quantity", ""));
        }
        const std::string asic = row.value("asic", ""), name = asic.empty() ? "chip" : asic;
        auto chip = std::find_if(chips.begin(), chips.end(), [&](const Series& each) { return each.title == name; });
        if (chip == chips.end()) {
            const auto& [colour, type] = kChipLooks[chips.size() % std::size(kChipLooks)];
            chip = chips.insert(chips.end(),
                                {name, {}, points(colour, type, 0.7), {}, "chip" + std::to_string(chips.size() + 1)});
        }
        chip->rows.push_back({stated, simulated});
    }
    if (high == 0)
        throw InputError(file + ": found no threshold that is both stated and simulated, expected one at least");

    Chart chart(request.output, request.title, stem_of(file));
    ChartPanel& panel = chart.panel();
    low = std::pow(10, std::floor(std::log10(low))) / 3, high = std::pow(10, std::ceil(std::log10(high)));
    panel.x = {"stated threshold / cells or packets", low, high, true};
    for (int power = 0; std::pow(10, power) <= high; ++power)
        if (std::pow(10, power) >= low)
            panel.x.names.emplace_back(power == 0 ? "1" : power == 1 ? "10" : power_of_ten(power), std::pow(10, power));
    panel.y = panel.x, panel.y.label = "simulated threshold / cells or packets";
    panel.series = {{"", {{low, low}, {high, high}}, lines(colour::grey, 1.5), {}, "equal"}};
    if (!doubted.rows.empty()) panel.series.push_back(doubted);
    panel.series.insert(panel.series.end(), chips.begin(), chips.end());
    if (!missed.rows.empty()) panel.series.push_back(missed);
    const auto part = [&](double value) { return std::log(value / low) / std::log(high / low); };
    std::vector<PointName> beside;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double x = missed.rows[i][0], y = missed.rows[i][1];
        beside.push_back({part(x), part(y), num(x) + ", " + num(y), names[i]});
    }
    name_points(panel, beside, {});
    draw_chart(std::move(chart));
}

}  // namespace watershed
