// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>
#include <nlohmann/json.hpp>

#include "calibrate/thresholds/thresholds.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

constexpr int kShown = 24;              ///< groups whose thresholds are predicted
constexpr std::int64_t kPrecision = 1;  ///< cells
constexpr int kMostPlanned = 64;

nlohmann::ordered_json json_of(CellRange range) { return {range.low, range.high}; }

nlohmann::ordered_json json_of(const LadderInterval& interval) {
    return {{"unit", "cells"},
            {"estimate", interval.estimate},
            {"interval95", json_of(interval.interval95)},
            {"hard", json_of(interval.hard)}};
}

std::string text_of(Ratio alpha) {
    return alpha.denominator == 1 ? std::to_string(alpha.numerator)
                                  : std::to_string(alpha.numerator) + "/" + std::to_string(alpha.denominator);
}

std::string text_of(CellRange range) { return std::to_string(range.low) + " to " + std::to_string(range.high); }

/// Numbers of slices for which the configured pool and the pool of a slice agree.
std::vector<std::int64_t> slices_of(const Ladder& ladder, const LadderFit& fit) {
    std::vector<std::int64_t> slices;
    if (!ladder.pool || fit.models.empty()) return slices;
    const CellRange slice = fit.slice().hard;
    for (std::int64_t count = 1; count <= 16; ++count)
        if (slice.holds(*ladder.pool / count)) slices.push_back(count);
    return slices;
}

bool is_given(const Ladder& ladder, int group, bool drop) {
    const LadderGroup known = ladder.known(group);
    return (drop ? known.drop : known.xoff).has_value();
}

/// Cells of the drop of a group, if headroom is known.
std::optional<CellRange> drop_of(const LadderFit& fit, int group) {
    const auto headroom = fit.headroom_of(group);
    return headroom ? std::make_optional(drop_after(fit.xoff(group).interval95, *headroom)) : std::nullopt;
}

std::size_t groups_read(const Ladder& ladder) {
    return std::size_t(boost::count_if(ladder.groups, [](const LadderGroup& g) { return g.xoff || g.drop; }));
}

std::string about_alpha(const Ladder& ladder, const LadderFit& fit) {
    if (fit.told_apart)
        return "alpha and pool are told apart: " + std::to_string(groups_read(ladder)) + " groups share the pool";
    if (groups_read(ladder) <= 1)
        return "alpha and pool cannot be told apart by one group, which knows alpha / (1 + alpha) of the pool alone: "
               "measure a second one while the first is full";
    return "alpha and pool are not told apart yet: narrower ranges or further groups would";
}

nlohmann::ordered_json json_of(const ThresholdTrial& trial, const TrialCosts& costs) {
    return {{"pg", trial.group},
            {"quantity", trial.drop ? "ingress_drop" : "pfc_xoff"},
            {"way", trial.way == ThresholdTrial::Way::Fill ? "fill" : "steps"},
            {"cells", trial.cells},
            {"steps", trial.steps},
            {"seconds", trial.seconds(costs)},
            {"why", trial.why}};
}

/// Points are found cell by cell: one either way.
constexpr std::int64_t kPoint = 1;
/// Number of groups whose headroom the pool holds, if the table does not state its size.
constexpr std::int64_t kAssumedGroups = 20;

template <class... Told>
void tell(const std::string& into, const Told&... told) {
    nlohmann::ordered_json json{{"program", Provenance::program()}, {"command", Provenance::command()}};
    json.update(to_json(told...));
    if (!into.empty()) OutputFile(into).write(json_text(json) + '\n');
    if (into != "-") print(std::cout, told...);
}

}  // namespace

nlohmann::ordered_json to_json(const Ladder& ladder, const LadderFit& fit) {
    nlohmann::ordered_json json{
        {"status", fit.models.empty() ? "misfit"
                   : fit.told_apart   ? "separated"
                                      : "unbounded"},
        {"model", "dynamic-threshold-ladder"},
        {"campaign", ladder.name},
        {"readings", ladder.readings},
        {"told_apart", fit.told_apart},
        {"note", fit.models.empty() ? "no pool, alpha and minimum explain the table" : about_alpha(ladder, fit)},
        {"slice_pool", nullptr},
        {"alpha", nullptr},
        {"alphas", nlohmann::ordered_json::array()},
        {"slices", nullptr},
        {"reserved", nullptr},
        {"headroom", nullptr},
        {"headroom_pool", nullptr},
        {"predictions", nlohmann::ordered_json::array()}};
    if (fit.headroom) json["headroom"] = {{"unit", "cells"}, {"hard", json_of(*fit.headroom)}};
    if (fit.pool)
        json["headroom_pool"] = {
            {"unit", "cells"}, {"estimate", (fit.pool->low + fit.pool->high) / 2}, {"hard", json_of(*fit.pool)}};
    else if (fit.at_least)
        json["headroom_pool"] = {{"unit", "cells"}, {"estimate", nullptr}, {"hard", {*fit.at_least, nullptr}}};
    if (fit.models.empty()) return json;
    json["slice_pool"] = json_of(fit.slice());
    json["reserved"] = json_of(fit.reserved());
    for (const auto& [alpha, probability] : fit.alphas())
        json["alphas"].push_back({{"alpha", text_of(alpha)}, {"probability", probability}});
    if (fit.told_apart) {
        const Ratio alpha = fit.alphas().front().first;
        json["alpha"] = double(alpha.numerator) / double(alpha.denominator);
    }
    if (const auto slices = slices_of(ladder, fit); !slices.empty() && fit.told_apart) json["slices"] = slices;
    for (int group = 1; group <= kShown; ++group) {
        const auto predict = [&](bool drop, double estimate, CellRange interval) {
            json["predictions"].push_back({{"pg", group},
                                           {"quantity", drop ? "ingress_drop" : "pfc_xoff"},
                                           {"unit", "cells"},
                                           {"estimate", estimate},
                                           {"interval95", json_of(interval)},
                                           {"given", is_given(ladder, group, drop)}});
        };
        const LadderInterval xoff = fit.xoff(group);
        predict(false, xoff.estimate, xoff.interval95);
        if (const auto drop = drop_of(fit, group)) predict(true, double(drop->low + drop->high) / 2, *drop);
    }
    return json;
}

void print(std::ostream& out, const Ladder& ladder, const LadderFit& fit) {
    out << (ladder.name.empty() ? "campaign" : ladder.name) << ": " << ladder.readings << " readings of "
        << how_many(ladder.groups.size(), "group") << '\n';
    if (fit.models.empty()) {
        out << "No pool, alpha and minimum explain the table.\n";
        return;
    }
    const LadderInterval slice = fit.slice(), reserved = fit.reserved();
    out << text_line("  pool of the slice   %.0f cells, 95 %%: %s\n", slice.estimate, text_of(slice.interval95));
    std::string alphas;
    for (const auto& [alpha, probability] : fit.alphas())
        if (probability >= 0.01)
            alphas += (alphas.empty() ? "" : ", ") + text_of(alpha) + " (" +
                      std::to_string(std::lround(100 * probability)) + " %)";
    out << "  alpha               " << alphas << '\n'
        << text_line("  own minimum         %.0f cells, 95 %%: %s\n", reserved.estimate, text_of(reserved.interval95));
    if (const auto slices = slices_of(ladder, fit); fit.told_apart && !slices.empty()) {
        const auto text_of_count = [](std::int64_t count) { return std::to_string(count); };
        out << "  slices              " << listed(slices, text_of_count, " or ") << ", if " << *ladder.pool
            << " cells are the pool of all\n";
    } else {
        out << "  slices              not told: only the pool of one slice is seen\n";
    }
    if (fit.headroom) out << "  headroom            " << text_of(*fit.headroom) << " cells of a group\n";
    if (fit.pool) out << "  headroom pool       " << text_of(*fit.pool) << " cells of the slice\n";
    if (fit.at_least) out << "  headroom pool       at least " << *fit.at_least << " cells: it has not run out\n";
    out << "  " << about_alpha(ladder, fit) << "\n\n  group  XOFF, 95 %                 drop, 95 %\n";
    for (int group = 1; group <= kShown; ++group) {
        const auto drop = drop_of(fit, group);
        out << text_line("  %5d  %-18s %-7s %-18s %s\n", group, text_of(fit.xoff(group).interval95),
                         is_given(ladder, group, false) ? "given" : "", drop ? text_of(*drop) : "not known",
                         is_given(ladder, group, true) ? "given" : "");
    }
}

ThresholdAdvice advise(const Ladder& ladder, const TrialCosts& costs, std::int64_t headroom_pool) {
    const LadderFit fit = fit_ladder(ladder);
    if (ladder.readings > 0 && fit.models.empty())
        throw InputError("no pool, alpha and minimum explain the table: nothing can be advised");
    std::int64_t most = ladder.pool.value_or(0);
    if (most == 0) {
        for (const LadderGroup& group : ladder.groups)
            for (const auto& range : {group.xoff, group.drop})
                if (range) most = std::max(most, 4 * range->low);
        if (most == 0) throw InputError("pool_cells: missing, expected the cells that a group can hold at most");
    }
    ThresholdAdvice advice;
    advice.costs = costs;
    advice.next = next_trial(ladder, most, kMostPlanned, kPrecision);
    if (fit.models.empty() || !fit.headroom) return advice;
    const auto likely =
        boost::max_element(fit.models, [](const auto& a, const auto& b) { return a.weight < b.weight; });
    const std::int64_t headroom = (fit.headroom->low + fit.headroom->high) / 2;
    if (fit.pool) headroom_pool = fit.pool->low;
    if (headroom == 0 || headroom_pool <= 0) return advice;
    advice.groups = int(std::min<std::int64_t>(kMostPlanned, headroom_pool / headroom + 2));
    const ThresholdTruth truth =
        truth_of(*likely, (likely->slice.low + likely->slice.high) / 2, headroom, headroom_pool, advice.groups);
    Ladder nothing;
    advice.whole = plan_campaign(truth, nothing, most, costs, kPrecision);
    advice.remaining = plan_campaign(truth, ladder, most, costs, kPrecision);
    advice.bisection = bisect_campaign(truth, most, costs, 68);
    return advice;
}

nlohmann::ordered_json to_json(const ThresholdAdvice& advice) {
    nlohmann::ordered_json json{{"status", advice.next ? "measure" : "stop"},
                                {"points", nlohmann::ordered_json::array()},
                                {"costs", advice.costs.source}};
    if (advice.next) json["points"].push_back(json_of(*advice.next, advice.costs));
    const auto add = [&](const char* name, const std::optional<ThresholdCampaign>& campaign) {
        json[name] = nullptr;
        if (!campaign) return;
        json[name] = {{"seconds", campaign->seconds}, {"fills", campaign->fills}, {"steps", campaign->steps}};
        if (campaign->fit.pool) json[name]["headroom_pool"] = json_of(*campaign->fit.pool);
    };
    add("remaining", advice.remaining);
    add("planned", advice.whole);
    add("bisection", advice.bisection);
    json["stated_seconds"] = nullptr;
    if (advice.costs.stated) json["stated_seconds"] = *advice.costs.stated;
    return json;
}

void print(std::ostream& out, const ThresholdAdvice& advice) {
    if (!advice.next) {
        out << "Stop: every threshold is known to a cell, and the headroom pool has run out.\n";
    } else {
        const ThresholdTrial& trial = *advice.next;
        out << "Next: group " << trial.group << ", " << (trial.drop ? "ingress drop" : "XOFF") << ": "
            << (trial.way == ThresholdTrial::Way::Fill ? "fill to " : "go on cell by cell from ") << trial.cells
            << " cells (" << trial.why << "), " << text_line("%.0f s at most", trial.seconds(advice.costs)) << '\n';
    }
    if (!advice.whole) {
        out << "What the rest takes is predicted once the headroom of a group is known.\n";
        return;
    }
    out << "\nFor " << advice.groups << " groups of the switch that is most probable, with the costs of "
        << advice.costs.source
        << ":\n  strategy                                fills  steps     minutes  headroom pool\n";
    const auto line = [&](const char* name, const ThresholdCampaign& campaign) {
        out << text_line("  %-38s %6d %6d %11.1f  %s\n", name, campaign.fills, campaign.steps, campaign.seconds / 60,
                         campaign.fit.pool ? text_of(*campaign.fit.pool) : "not reached");
    };
    line("as advised, from here on", *advice.remaining);
    line("as advised, from the beginning", *advice.whole);
    line("bisection to 68 cells, then cell by cell", *advice.bisection);
    if (advice.costs.stated)
        out << text_line("  %-38s %6s %6s %11.1f\n", "as it was measured", "", "", *advice.costs.stated / 60);
}

void fit_thresholds(const CsvTable& table, const std::string& json) {
    const Ladder ladder = ladder_from(table, kPoint);
    if (ladder.readings == 0)
        throw InputError(table.name() + ": point_cells: found no point and no range, expected a threshold to fit");
    tell(json, ladder, fit_ladder(ladder));
}

void advise_thresholds(const CsvTable& table, const std::string& costs, const std::string& json) {
    Ladder ladder = ladder_from(table, 0);  // a campaign finds its points cell by cell
    if (ladder.readings > 0 && fit_ladder(ladder).models.empty()) ladder = ladder_from(table, kPoint);
    const TrialCosts of_trials = costs.empty() ? TrialCosts{} : trial_costs_from(CsvTable::read(costs));
    std::int64_t pool = 0;
    if (const auto column = table.find_column("headroom_pool_cells"))
        for (const CsvTable::Row& row : table.rows())
            if (!row.cells[*column].empty()) pool = std::max(pool, table.integer(row, *column, 0));
    if (const LadderFit fit = fit_ladder(ladder); pool == 0 && fit.headroom) pool = kAssumedGroups * fit.headroom->high;
    tell(json, advise(ladder, of_trials, pool));
}

}  // namespace watershed
