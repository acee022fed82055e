// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/absorption/absorption-fit.h"

#include <cmath>
#include <map>
#include <set>

#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

constexpr double kAgreement = 0.05;
/// What explains every length to the frame is shown even if something else, with some scatter, is so many times as
/// likely.
constexpr double kWorthExactness = 0.005;

std::vector<std::int64_t> costs_of(const AbsorptionModel& model, const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> costs;
    for (const std::int64_t size : sizes) costs.push_back(model.cost(size));
    return costs;
}

void widen(Interval& interval, double value) {
    interval.low = std::min(interval.low.value_or(value), value);
    interval.high = std::max(interval.high.value_or(value), value);
}

/// Fills what a set of points says about one amount.
Estimate estimate_of(const WeightedValues& values) {
    Estimate estimate;
    estimate.value = values.quantile(0.5);
    estimate.interval68 = {values.quantile(0.16), values.quantile(0.84)};
    estimate.interval95 = {values.quantile(0.025), values.quantile(0.975)};
    return estimate;
}

/// The amounts that reproduce every row of one limit exactly, or nothing.
Interval exact_interval(const std::vector<BurstTableRow>& rows, const AbsorptionModel& model, bool by_descriptors,
                        const StreamAndBurst& test, std::vector<int>& binding) {
    std::int64_t low = 0, high = INT64_MAX;
    int low_row = 0, high_row = 0;
    for (const BurstTableRow& row : rows) {
        if (model.by_descriptors(row.frame) != by_descriptors) continue;
        const std::int64_t length = row.lossless - model.in_fifo(row.frame),
                           cost = by_descriptors ? 1 : model.cost(row.frame);
        if (length < 0) return {};
        const std::int64_t least = (test.waiting(length) - model.leaving()) * cost,
                           most = (test.waiting(length + 1) - model.leaving()) * cost - 1;
        if (least > low) low = least, low_row = row.row;
        if (most < high) high = most, high_row = row.row;
    }
    if (low > high || high_row == 0) return {};
    for (const int row : std::set<int>{low_row, high_row}) binding.push_back(row);
    return {static_cast<double>(low), static_cast<double>(high)};
}

}  // namespace

AbsorptionFit fit_absorption(const BurstTable::Part& part, const StreamAndBurst& test) {
    AbsorptionFit fit;
    fit.name = part.name;
    fit.rows = part.rows;
    std::set<std::int64_t> distinct;
    for (const BurstTableRow& row : part.rows) distinct.insert(row.frame);
    const std::vector<std::int64_t> sizes(distinct.begin(), distinct.end());
    const std::vector<AbsorptionPosterior::Kind> kinds = AbsorptionPosterior::kinds_of(sizes);
    const AbsorptionPosterior posterior(part.rows, kinds, sizes, test);
    for (const std::int64_t frame : sizes) {
        std::vector<BurstTableRow> others;
        for (const BurstTableRow& row : part.rows)
            if (row.frame != frame) others.push_back(row);
        fit.predictions.push_back(predict_absorption(others, sizes, frame, kinds, test));
    }
    fit.status = FitStatus::Inconsistent;
    if (posterior.points().empty()) {
        for (const BurstTableRow& row : part.rows) fit.violating.push_back(row.row);
        return fit;
    }
    const auto exact_for = [&](const AbsorptionModel& model) {
        return std::all_of(part.rows.begin(), part.rows.end(), [&](const BurstTableRow& row) {
            return test.longest(model.room(row.frame)) + model.in_fifo(row.frame) == row.lossless;
        });
    };
    std::map<std::string, double> weights;
    std::map<std::string, const AbsorptionPoint*> best, exact_ones;
    for (const AbsorptionPoint& point : posterior.points()) {
        const std::string name = point.model.name();
        weights[name] += point.weight;
        const auto prefer = [&](const AbsorptionPoint*& here) {
            if (!here || point.weight > here->weight) here = &point;
        };
        prefer(best[name]);
        if (exact_for(point.model)) prefer(exact_ones[name]);
    }
    for (const auto& [name, weight] : weights) {
        const auto exact_one = exact_ones.find(name);
        const bool feasible =
            exact_one != exact_ones.end() && exact_one->second->weight > kWorthExactness * best[name]->weight;
        if (feasible) best[name] = exact_one->second;
        fit.candidates.push_back({name, feasible, weight / posterior.total(), best[name]->model});
    }
    std::stable_sort(
        fit.candidates.begin(), fit.candidates.end(),
        [](const AbsorptionCandidate& a, const AbsorptionCandidate& b) { return a.probability > b.probability; });
    const std::string chosen = fit.candidates.front().name;
    const AbsorptionPoint& point = *best[chosen];
    fit.model = point.model;
    fit.noise = point.noise;

    // Amounts only mean the same thing among points with the same cells; cells are compared among all points of the
    // chosen kind.
    WeightedValues depths, descriptors;
    std::map<std::vector<std::int64_t>, double> by_costs;
    for (const AbsorptionPoint& other : posterior.points()) {
        if (other.model.name() != chosen) continue;
        by_costs[costs_of(other.model, sizes)] += other.weight;
        if (other.model.descriptors) descriptors.add(static_cast<double>(*other.model.descriptors), other.weight);
        if (other.model.depth && other.model.cell == fit.model.cell && other.model.header == fit.model.header)
            depths.add(static_cast<double>(*other.model.depth), other.weight);
    }
    if (fit.model.descriptors) fit.descriptors = estimate_of(descriptors);
    fit.depth = fit.model.depth ? estimate_of(depths) : fit.descriptors;
    fit.depth.hard = exact_interval(part.rows, fit.model, !fit.model.depth, test, fit.binding);
    std::vector<int> more;
    if (fit.model.descriptors)
        fit.descriptors.hard = exact_interval(part.rows, fit.model, true, test, fit.model.depth ? fit.binding : more);
    if (fit.model.unit == MemorySize::Unit::Cell && fit.model.depth) {
        for (const AbsorptionPosterior::Cell& one : AbsorptionPosterior::cells()) {
            AbsorptionModel alike = fit.model;
            alike.cell = one.cell;
            alike.header = one.header;
            const auto found = by_costs.find(costs_of(alike, sizes));
            if (found == by_costs.end() || found->second < 0.025 * weights[chosen]) continue;
            widen(fit.cell, static_cast<double>(one.cell));
            widen(fit.header, static_cast<double>(one.header));
        }
    }
    fit.memory_resume = posterior.resume(fit.model, false);
    fit.descriptor_resume = posterior.resume(fit.model, true);
    for (const BurstTableRow& row : part.rows) {
        const std::int64_t off = std::abs(fit.predicted(row.frame, test) - row.lossless);
        if (static_cast<double>(off) > std::max(2.0, kAgreement * static_cast<double>(row.lossless)))
            fit.violating.push_back(row.row);
    }
    std::sort(fit.binding.begin(), fit.binding.end());
    fit.status = fit.candidates.front().feasible ? FitStatus::Separated
                 : fit.violating.empty()         ? FitStatus::Overlap
                                                 : FitStatus::Inconsistent;
    return fit;
}

}  // namespace watershed
