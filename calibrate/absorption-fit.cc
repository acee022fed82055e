// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/absorption-fit.h"

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace watershed {
namespace {

/// A prediction is worth its name if it is this likely to be right to 5 %.
constexpr double kAgreement = 0.05;
constexpr double kSure = 0.8;
/// What explains every length to the frame is shown even if something else, with some scatter, is so many times as likely.
constexpr double kWorthExactness = 0.005;
/// Memory alone says how many small frames fit only as far as frames were ever counted; beyond this factor a limit on their number
/// may have gone unseen.
constexpr double kFarthest = 2.2;

/// Weighted values, to ask for quantiles.
class WeightedValues {
  public:
    void add(double value, double weight) {
        values_[value] += weight;
        total_ += weight;
    }
    double total() const { return total_; }
    double quantile(double share) const {
        double sum = 0;
        for (const auto& [value, weight] : values_)
            if ((sum += weight) >= share * total_) return value;
        return values_.rbegin()->first;
    }
    double near(double middle) const {
        double sum = 0;
        for (const auto& [value, weight] : values_) sum += std::abs(value - middle) <= std::max(2.0, kAgreement * middle) ? weight : 0;
        return sum / total_;
    }

  private:
    std::map<double, double> values_;
    double total_ = 0;
};

std::vector<std::int64_t> sizes_of(const std::vector<BurstTableRow>& rows) {
    std::set<std::int64_t> sizes;
    for (const BurstTableRow& row : rows) sizes.insert(row.frame);
    return {sizes.begin(), sizes.end()};
}

std::string bytes(std::int64_t amount) { return std::to_string(amount) + " B"; }

/// Whether the rows show what limits a frame of this size, by the rows on both sides of it.
std::string blind_spot(const AbsorptionPosterior& posterior, const std::vector<BurstTableRow>& rows, std::int64_t frame) {
    const auto largest = sizes_of(rows).back(), smallest = sizes_of(rows).front();
    std::int64_t most = 0;
    for (const BurstTableRow& row : rows) most = std::max(most, row.lossless);
    double descriptors_alone = 0, far = 0;
    for (const AbsorptionPoint& point : posterior.points()) {
        if (!point.model.depth) descriptors_alone += point.weight;
        if (!point.model.descriptors && static_cast<double>(point.model.room(frame)) > kFarthest * static_cast<double>(most + 1)) far += point.weight;
    }
    if (frame > largest && descriptors_alone > 0.5 * posterior.total())
        return "undetermined: the sizes up to " + bytes(largest) + " show a limit on the number of frames only; the memory limit that larger frames reach shows in none of them";
    if (frame < smallest && far > 0.5 * posterior.total())
        return "undetermined: the sizes from " + bytes(smallest) + " show memory only, in bursts of up to " + std::to_string(most) +
               " frames; a limit on the number of frames that only smaller ones reach would not show";
    return "";
}

AbsorptionPrediction predict(const std::vector<BurstTableRow>& rows, const std::vector<std::int64_t>& sizes, std::int64_t frame,
                             const std::vector<AbsorptionPosterior::Kind>& kinds, const StreamAndBurst& test) {
    AbsorptionPrediction prediction{frame, {}, {}, "", ""};
    if (rows.empty()) {
        prediction.undetermined = "undetermined: there is no other frame size";
        return prediction;
    }
    const AbsorptionPosterior posterior(rows, kinds, sizes, test);
    if (posterior.points().empty()) {
        prediction.undetermined = "undetermined: no kind of memory explains the other sizes";
        return prediction;
    }
    WeightedValues lengths, drops;
    std::map<std::tuple<bool, std::size_t, bool>, std::optional<FittedResume>> levels;   // by what limits each size
    for (const AbsorptionPoint& point : posterior.points()) {
        const AbsorptionModel& model = point.model;
        const std::int64_t held = model.held(frame);
        lengths.add(static_cast<double>(test.longest(model.room(frame)) + model.in_fifo(frame)), point.weight);
        const bool by_descriptors = model.by_descriptors(frame);
        const auto [known, first] = levels.try_emplace({by_descriptors, posterior.limited_by_descriptors(model), model.release_at_start});
        if (first) known->second = posterior.resume(model, by_descriptors);
        if (known->second) drops.add(static_cast<double>(StreamAndBurst::drops(held, known->second->frames(held, model.cost(frame)))), point.weight);
    }
    const double middle = lengths.quantile(0.5);
    prediction.undetermined = blind_spot(posterior, rows, frame);
    if (prediction.undetermined.empty() && lengths.near(middle) < kSure)
        prediction.undetermined = "undetermined: the other sizes leave anything from " + std::to_string(std::llround(lengths.quantile(0.05))) + " to " +
                                  std::to_string(std::llround(lengths.quantile(0.95))) + " frames, as the memory's unit or the limit on their number may be";
    if (prediction.undetermined.empty()) prediction.lossless = std::llround(middle);
    const bool noted = std::any_of(rows.begin(), rows.end(), [](const BurstTableRow& row) { return row.drops.has_value(); });
    if (prediction.lossless && drops.total() > (1 - kAgreement) * lengths.total())
        prediction.drops = std::llround(drops.quantile(0.5));
    else
        prediction.drops_undetermined = !noted ? "no drops were noted" : !prediction.lossless ? prediction.undetermined
                                                                       : "undetermined: no other size is held back by the same limit";
    return prediction;
}

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
Interval exact_interval(const std::vector<BurstTableRow>& rows, const AbsorptionModel& model, bool by_descriptors, const StreamAndBurst& test, std::vector<int>& binding) {
    std::int64_t low = 0, high = INT64_MAX;
    int low_row = 0, high_row = 0;
    for (const BurstTableRow& row : rows) {
        if (model.by_descriptors(row.frame) != by_descriptors) continue;
        const std::int64_t length = row.lossless - model.in_fifo(row.frame), cost = by_descriptors ? 1 : model.cost(row.frame);
        if (length < 0) return {};
        const std::int64_t least = (test.waiting(length) - model.leaving()) * cost, most = (test.waiting(length + 1) - model.leaving()) * cost - 1;
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
    const std::vector<std::int64_t> sizes = sizes_of(part.rows);
    const std::vector<AbsorptionPosterior::Kind> kinds = AbsorptionPosterior::kinds_of(sizes);
    const AbsorptionPosterior posterior(part.rows, kinds, sizes, test);
    for (const std::int64_t frame : sizes) {
        std::vector<BurstTableRow> others;
        for (const BurstTableRow& row : part.rows)
            if (row.frame != frame) others.push_back(row);
        fit.predictions.push_back(predict(others, sizes, frame, kinds, test));
    }
    fit.status = FitStatus::Inconsistent;
    if (posterior.points().empty()) {
        for (const BurstTableRow& row : part.rows) fit.violating.push_back(row.row);
        return fit;
    }
    const auto exact_for = [&](const AbsorptionModel& model) {
        return std::all_of(part.rows.begin(), part.rows.end(), [&](const BurstTableRow& row) { return test.longest(model.room(row.frame)) + model.in_fifo(row.frame) == row.lossless; });
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
        const bool feasible = exact_one != exact_ones.end() && exact_one->second->weight > kWorthExactness * best[name]->weight;
        if (feasible) best[name] = exact_one->second;
        fit.candidates.push_back({name, feasible, weight / posterior.total(), best[name]->model});
    }
    std::stable_sort(fit.candidates.begin(), fit.candidates.end(), [](const AbsorptionCandidate& a, const AbsorptionCandidate& b) { return a.probability > b.probability; });
    const std::string chosen = fit.candidates.front().name;
    const AbsorptionPoint& point = *best[chosen];
    fit.model = point.model;
    fit.noise = point.noise;

    // Amounts only mean the same thing among points with the same cells; cells are compared among all points of the chosen kind.
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
    if (fit.model.descriptors) fit.descriptors.hard = exact_interval(part.rows, fit.model, true, test, fit.model.depth ? fit.binding : more);
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
        if (static_cast<double>(off) > std::max(2.0, kAgreement * static_cast<double>(row.lossless))) fit.violating.push_back(row.row);
    }
    std::sort(fit.binding.begin(), fit.binding.end());
    fit.status = fit.candidates.front().feasible ? FitStatus::Separated : fit.violating.empty() ? FitStatus::Overlap : FitStatus::Inconsistent;
    return fit;
}

}  // namespace watershed
