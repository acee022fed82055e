// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/simulated-campaign.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "calibrate/advice/outlook.h"
#include "calibrate/fit/fit.h"
#include "calibrate/posterior/statistics.h"
#include "model/base/random.h"

namespace watershed {
namespace {

/// After each of the first bursts, then after every fourth: fits of large maps take time.
bool worth_a_fit(std::size_t bursts) { return bursts <= 24 || bursts % 4 == 0; }

double relative_error(const CampaignRecord& record, const CampaignStage& stage) {
    return std::abs(stage.estimate->value / record.truth - 1);
}

/// Amounts and lengths are whole, rates are large.
bool covers(const CampaignRecord& record, const CampaignStage& stage) {
    return record.truth >= stage.estimate->low - 1 && record.truth <= stage.estimate->high + 1;
}

/// What is known after so many bursts.
CampaignStage stage_of(std::int64_t bursts, double seconds, const std::optional<Fit>& fit, const CampaignPlan& plan) {
    CampaignStage stage{bursts, seconds, Outlook(fit, plan.prior, plan.advice).estimate()};
    if (!fit) return stage;
    const auto likeliest = boost::max_element(
        fit->models, [](const ModelFit& a, const ModelFit& b) { return a.probability < b.probability; });
    stage.kind = likeliest->model.name();
    stage.probability = likeliest->probability;
    if (stage.estimate && plan.advice.target == AdviceTarget::Depth) {
        const double scale =
            double(plan.prior.model.cost(plan.prior.like)) / double(fit->best().model.cost(plan.prior.like));
        for (double* const value : {&stage.estimate->value, &stage.estimate->low, &stage.estimate->high})
            *value *= scale;
    }
    return stage;
}

/// The first stage as precise as is wanted, if there is one.
const CampaignStage* first_precise(const CampaignRecord& record, double precision) {
    for (const CampaignStage& stage : record.stages)
        if (stage.estimate && stage.estimate->relative_half_width <= precision) return &stage;
    return nullptr;
}

Spread spread_of(std::vector<double> values) {
    if (values.empty()) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    boost::sort(values);
    const auto quantile = [&](double share) {
        return values[std::size_t(std::min(share * double(values.size()), double(values.size()) - 1))];
    };
    return {quantile(0.25), quantile(0.5), quantile(0.75)};
}

}  // namespace

Scenario hidden_scenario(const Scenario& believed, std::uint64_t seed, std::int64_t number, double depth_factor,
                         double rate_spread) {
    Scenario hidden = believed;
    MemorySize& size = hidden.network_switch.buffer.size;
    // The seed is mixed so that no disturbance of a burst has the same draw.
    const double factor = std::pow(depth_factor, 2 * uniform_draw(mixed(seed), number, 0) - 1);
    size.amount = std::max<std::int64_t>(1, std::llround(double(size.amount) * factor));
    const double deviation = rate_spread * normal_quantile(uniform_draw(mixed(seed), number, 1));
    BitRate& rate = hidden.network_switch.uplink_rate;
    rate.count = std::max<std::int64_t>(1, std::llround(double(rate.count) * std::exp(deviation)));
    return hidden;
}

double true_target(const Scenario& hidden, const CampaignPlan& plan) {
    const double depth = double(hidden.network_switch.buffer.size.amount),
                 rate = double(hidden.network_switch.uplink_rate.count);
    switch (plan.advice.target) {
        case AdviceTarget::Depth: return depth;
        case AdviceTarget::Rate: return rate;
        case AdviceTarget::Watershed: break;
    }
    const auto longest = longest_lossless(plan.prior.model, plan.prior.like,
                                          std::max(plan.prior.slot, plan.advice.watershed_at), depth, rate);
    return longest ? double(*longest) + 0.5 : HUGE_VAL;
}

CampaignRecord play_campaign(const SimulatedSwitch& hidden, double truth, Strategy& strategy, const CampaignPlan& plan,
                             std::int64_t most) {
    CampaignRecord record;
    record.truth = truth;
    std::vector<LossMapRow> rows;
    std::optional<Fit> fit;
    double seconds = 0;
    while (std::int64_t(rows.size()) < most) {
        const auto setting = strategy.next(rows, fit);
        if (!setting) break;
        rows.push_back(hidden.measure(std::int64_t(rows.size()), *setting));
        const LossMapRow& row = rows.back();
        seconds +=
            double(plan.advice.setup.count() + row.events * std::max(row.separation, plan.prior.slot).count()) / 1e12;
        const bool fits = strategy.needs_fit() || worth_a_fit(rows.size()) || std::int64_t(rows.size()) == most;
        if (!fits) continue;
        fit = fit_so_far({"simulated", rows}, plan.conditions, plan.fit).fit;
        record.stages.push_back(stage_of(std::int64_t(rows.size()), seconds, fit, plan));
    }
    record.stopped = strategy.stopped();
    return record;
}

StrategySummary summary_of(const std::string& strategy, const std::vector<CampaignRecord>& records, double precision,
                           const std::string& kind) {
    StrategySummary summary;
    summary.strategy = strategy;
    summary.campaigns = records.size();
    std::vector<double> bursts, seconds, errors, in_all, final_errors, stops;
    for (const CampaignRecord& record : records) {
        const CampaignStage* stage = first_precise(record, precision);
        bursts.push_back(stage ? double(stage->bursts) : HUGE_VAL);
        seconds.push_back(stage ? stage->seconds : HUGE_VAL);
        if (stage) {
            errors.push_back(relative_error(record, *stage));
            summary.covered += covers(record, *stage);
        }
        const CampaignStage& last = record.stages.back();
        in_all.push_back(double(last.bursts));
        final_errors.push_back(last.estimate ? relative_error(record, last) : HUGE_VAL);
        constexpr double kSure = 0.99;
        summary.wrong_kind += (last.probability > kSure && last.kind != kind) / double(records.size());
        if (record.stopped) {
            stops.push_back(double(last.bursts));
            summary.stop_covered += !last.estimate || covers(record, last);
        }
        summary.finally_covered += (!last.estimate || covers(record, last)) / double(records.size());
    }
    summary.bursts_in_all = spread_of(in_all);
    summary.stop_bursts = spread_of(stops);
    summary.stopped = double(stops.size()) / double(records.size());
    summary.stop_covered /= double(stops.size());
    summary.final_error = spread_of(final_errors);
    summary.reached = double(errors.size()) / double(records.size());
    if (!errors.empty()) summary.covered /= double(errors.size());
    summary.bursts = spread_of(bursts);
    summary.seconds = spread_of(seconds);
    summary.error = spread_of(errors);
    return summary;
}

std::vector<StrategyPoint> progress_of(const std::vector<CampaignRecord>& records) {
    std::set<std::int64_t> numbers;
    for (const CampaignRecord& record : records)
        for (const CampaignStage& stage : record.stages) numbers.insert(stage.bursts);
    std::vector<StrategyPoint> points;
    std::vector<std::size_t> at(records.size(), 0);
    for (const std::int64_t bursts : numbers) {
        std::vector<double> widths, errors, seconds;
        for (std::size_t i = 0; i < records.size(); ++i) {
            const auto& stages = records[i].stages;
            while (at[i] + 1 < stages.size() && stages[at[i] + 1].bursts <= bursts) ++at[i];
            const CampaignStage& stage = stages[at[i]];
            widths.push_back(stage.estimate ? stage.estimate->relative_half_width : HUGE_VAL);
            errors.push_back(stage.estimate ? relative_error(records[i], stage) : HUGE_VAL);
            seconds.push_back(stage.seconds);
        }
        points.push_back({bursts, spread_of(widths), spread_of(errors), spread_of(seconds).median});
    }
    return points;
}

}  // namespace watershed
