// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/absorption/absorption-fit.h"

#include <set>

namespace watershed {
namespace {

/// A prediction is worth its name if it is this likely to be right to 5 %, and 95 % sure to be right to this factor,
constexpr double kTolerance = 0.05, kSure = 0.8, kFarthest = 1.5;
/// and if no more than this of all weight says that it is wrong by a limit of which no row shows anything.
constexpr double kUnseen = 0.05;
/// Points of less weight than this say nothing of limits that no row shows.
constexpr double kNegligibleShare = 1e-7;

double tolerance(double length) { return std::max(2.0, kTolerance * length); }

std::string bytes(std::int64_t amount) { return std::to_string(amount) + " B"; }

/// The longest lossless burst of one frame size by all points of a posterior, and by what none of them can know.
class Mixture {
  public:
    Mixture(const AbsorptionPosterior& posterior, const std::vector<BurstTableRow>& rows, std::int64_t frame,
            const StreamAndBurst& test)
        : posterior_(posterior), rows_(rows), frame_(frame), test_(test) {
        const auto [smallest, largest] = std::minmax_element(
            rows.begin(), rows.end(), [](const BurstTableRow& a, const BurstTableRow& b) { return a.frame < b.frame; });
        smallest_ = smallest->frame;
        largest_ = largest->frame;
        for (const AbsorptionPoint& point : posterior.points) add(point);
        for (std::size_t i = 0; i < scattered_.size(); ++i)
            for (const auto& [length, weight] : scattered_[i]) scatter(length, kAbsorptionNoises[i], weight);
    }

    const WeightedValues& lengths() const { return lengths_; }
    const WeightedValues& drops() const { return drops_; }

    /// Returns why these lengths are no prediction; empty if they are one.
    std::string undetermined() const {
        const double middle = lengths_.quantile(0.5);
        if (unseen_.total() > 0) {
            const double seen = seen_.quantile(0.5);
            const double off = unseen_.total() * (1 - unseen_.between(seen - tolerance(seen), seen + tolerance(seen)));
            if (off > kUnseen * lengths_.total()) return unseen_limit(std::llround(seen));
        }
        const double low = lengths_.quantile(0.025), high = lengths_.quantile(0.975);
        const bool far = low < middle / kFarthest - 2 || high > middle * kFarthest + 2;
        if (!far && lengths_.between(middle - tolerance(middle), middle + tolerance(middle)) >= kSure) return "";
        return "undetermined: the other sizes leave anything from " + std::to_string(std::llround(low)) + " to " +
               std::to_string(std::llround(high)) + " frames, as the memory's unit or the limit on their number may be";
    }

  private:
    static constexpr int kNodes = 8;  ///< values of equal probability that represent a limit anywhere in a range

    void add(const AbsorptionPoint& point) {
        const AbsorptionModel& model = point.model;
        const double unseen = point.weight > kNegligibleShare * posterior_.total ? add_unseen(point) : 0;
        const double weight = point.weight * (1 - unseen);
        const std::int64_t held = model.held(frame_), length = model.longest(frame_, test_);
        seen_.add(double(length), weight);
        const bool by_descriptors = model.by_descriptors(frame_);
        if (by_descriptors)
            lengths_.add(double(length), weight);
        else
            for (std::size_t i = 0; i < scattered_.size(); ++i)
                if (point.noise_shares[i] > kNegligibleShare) scattered_[i][length] += weight * point.noise_shares[i];
        const auto limited =
            boost::count_if(rows_, [&](const BurstTableRow& row) { return model.by_descriptors(row.frame); });
        const auto [known, first] = levels_.try_emplace({by_descriptors, limited, model.release_at_start});
        if (first) known->second = resume_level(rows_, model, by_descriptors, test_);
        if (known->second)
            drops_.add(double(StreamAndBurst::drops(held, known->second->frames(held, model.cost(frame_)))), weight);
    }

    /// A number of frames scatters by nothing but its rounding; a length that memory limits scatters as those of the
    /// rows do.
    void scatter(std::int64_t length, double noise, double weight) {
        static constexpr std::array<double, 9> kDeviates{-1.5932, -0.9674, -0.5895, -0.2822, 0,
                                                         0.2822,  0.5895,  0.9674,  1.5932};  // (i + 1/2) / 9
        for (const double deviate : kDeviates)
            lengths_.add(double(std::llround(double(length) * (1 + noise * deviate))), weight / kDeviates.size());
    }

    /// Limits that no row shows: descriptors that only smaller frames reach, memory that only larger ones reach.
    /// @return how likely, of this point, such a limit holds this size
    double add_unseen(const AbsorptionPoint& point) {
        const AbsorptionModel& model = point.model;
        double share = 0, fewest = 0, most = 0;  // frames held, from and to
        if (!model.descriptors && frame_ < smallest_) {
            fewest = double(model.held(smallest_)), most = double(model.held(frame_));
            if (fewest < 1 || most <= fewest) return 0;
            const double memory = double(*model.depth) * double(model.cell),
                         known = BalancePrior::below(memory / fewest);
            share = BalancePrior::kDescriptors * (known - BalancePrior::below(memory / most)) /
                    (1 - BalancePrior::kDescriptors * (1 - known));
        } else if (!model.depth && frame_ > largest_) {
            const auto descriptors = double(*model.descriptors);
            fewest = descriptors * double(largest_) / double(frame_), most = descriptors;
            const double known = BalancePrior::below(double(largest_));
            share = (BalancePrior::below(double(frame_)) - known) / (1 - known);
        }
        if (!(share > 0)) return 0;
        for (int i = 0; i < kNodes; ++i) {
            const double held = fewest * std::pow(most / fewest, (i + 0.5) / kNodes);
            const auto length = double(test_.longest(std::int64_t(held) + model.leaving()) + model.in_fifo(frame_));
            lengths_.add(length, point.weight * share / kNodes);
            unseen_.add(length, point.weight * share / kNodes);
        }
        return share;
    }

    std::string unseen_limit(std::int64_t otherwise) const {
        if (frame_ > largest_)
            return "undetermined: the sizes up to " + bytes(largest_) +
                   " show a limit on the number of frames only, which leaves " + std::to_string(otherwise) +
                   "; the memory limit that larger frames reach shows in none of them";
        const auto most = largest(rows_, &BurstTableRow::lossless, std::int64_t{0});
        return "undetermined: the sizes from " + bytes(smallest_) + " show memory only, in bursts of up to " +
               std::to_string(most) + " frames, which leaves " + std::to_string(otherwise) +
               "; a limit on the number of frames that only smaller ones reach would not show";
    }

    const AbsorptionPosterior& posterior_;
    const std::vector<BurstTableRow>& rows_;
    const std::int64_t frame_;
    const StreamAndBurst& test_;
    std::int64_t smallest_ = 0, largest_ = 0;
    WeightedValues lengths_, drops_;
    WeightedValues seen_, unseen_;  ///< lengths by limits that rows show, without scatter, and by those that none shows
    std::array<std::map<std::int64_t, double>, kAbsorptionNoises.size()> scattered_;
    std::map<std::tuple<bool, std::ptrdiff_t, bool>, std::optional<FittedResume>>
        levels_;  ///< by what limits each size
};

constexpr double kAgreement = 0.05;
/// Least probability, relative to the likeliest candidate, of an exact candidate that is reported in its place: one
/// that explains every length to the frame, without scatter.
constexpr double kWorthExactness = 0.005;

void widen(Interval& interval, double value) {
    interval.low = std::min(interval.low.value_or(value), value);
    interval.high = std::max(interval.high.value_or(value), value);
}

/// Fills what a set of points says about one amount.
Estimate estimate_of(const WeightedValues& values) {
    return estimate_by([&](double share) { return values.quantile(share); });
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
    return {double(low), double(high)};
}

/// Predicts one frame size from the others, over all kinds and limits that no other size reaches.
/// @param rows   the other sizes
/// @param sizes  all sizes, with kinds of these
AbsorptionPrediction predict_absorption(const std::vector<BurstTableRow>& rows, const std::vector<std::int64_t>& sizes,
                                        std::int64_t frame, const std::vector<AbsorptionKind>& kinds,
                                        const StreamAndBurst& test) {
    AbsorptionPrediction prediction;
    prediction.frame = frame;
    const auto without = [&](const char* reason) {
        prediction.undetermined = prediction.drops_undetermined = reason;
        return prediction;
    };
    if (rows.empty()) return without("undetermined: there is no other frame size");
    const AbsorptionPosterior posterior = absorption_posterior(rows, kinds, sizes, test);
    if (posterior.points.empty()) return without("undetermined: no kind of memory explains the other sizes");
    const Mixture mixture(posterior, rows, frame, test);
    prediction.interval95 = {mixture.lengths().quantile(0.025), mixture.lengths().quantile(0.975)};
    prediction.undetermined = mixture.undetermined();
    if (prediction.undetermined.empty()) prediction.lossless = std::llround(mixture.lengths().quantile(0.5));
    const bool noted = boost::algorithm::any_of(rows, [](const BurstTableRow& row) { return row.drops.has_value(); });
    if (prediction.lossless && mixture.drops().total() > kSure * mixture.lengths().total())
        prediction.drops = std::llround(mixture.drops().quantile(0.5));
    else
        prediction.drops_undetermined = !noted ? "no drops were noted"
                                        : !prediction.lossless
                                            ? prediction.undetermined
                                            : "undetermined: no other size is held back by the same limit";
    return prediction;
}

}  // namespace

AbsorptionFit fit_absorption(const BurstTable::Part& part, const StreamAndBurst& test) {
    AbsorptionFit fit;
    fit.name = part.name;
    fit.rows = part.rows;
    std::set<std::int64_t> distinct;
    for (const BurstTableRow& row : part.rows) distinct.insert(row.frame);
    const std::vector<std::int64_t> sizes(distinct.begin(), distinct.end());
    const std::vector<AbsorptionKind> kinds = kinds_of(sizes);
    const AbsorptionPosterior posterior = absorption_posterior(part.rows, kinds, sizes, test);
    for (const std::int64_t frame : sizes) {
        std::vector<BurstTableRow> others;
        for (const BurstTableRow& row : part.rows)
            if (row.frame != frame) others.push_back(row);
        fit.predictions.push_back(predict_absorption(others, sizes, frame, kinds, test));
    }
    fit.status = FitStatus::Inconsistent;
    if (posterior.points.empty()) {
        for (const BurstTableRow& row : part.rows) fit.violating.push_back(row.row);
        return fit;
    }
    const auto exact_for = [&](const AbsorptionModel& model) {
        return boost::algorithm::all_of(
            part.rows, [&](const BurstTableRow& row) { return model.longest(row.frame, test) == row.lossless; });
    };
    std::map<std::string, double> weights;
    std::map<std::string, const AbsorptionPoint*> best, exact_ones;
    for (const AbsorptionPoint& point : posterior.points) {
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
        fit.candidates.push_back({name, feasible, weight / posterior.total, best[name]->model});
    }
    boost::stable_sort(fit.candidates, [](const AbsorptionCandidate& a, const AbsorptionCandidate& b) {
        return a.probability > b.probability;
    });
    const std::string chosen = fit.candidates.front().name;
    const AbsorptionPoint& point = *best[chosen];
    fit.model = point.model;
    fit.noise = point.noise;

    // Amounts only mean the same thing among points with the same cells; cells are compared among all points of the
    // chosen kind.
    WeightedValues depths, descriptors;
    std::map<std::vector<std::int64_t>, double> by_costs;
    for (const AbsorptionPoint& other : posterior.points) {
        if (other.model.name() != chosen) continue;
        by_costs[transformed_values(sizes, [&](std::int64_t size) { return other.model.cost(size); })] += other.weight;
        if (other.model.descriptors) descriptors.add(double(*other.model.descriptors), other.weight);
        if (other.model.depth && other.model.cell == fit.model.cell && other.model.header == fit.model.header)
            depths.add(double(*other.model.depth), other.weight);
    }
    if (fit.model.descriptors) fit.descriptors = estimate_of(descriptors);
    fit.depth = fit.model.depth ? estimate_of(depths) : fit.descriptors;
    fit.depth.hard = exact_interval(part.rows, fit.model, !fit.model.depth, test, fit.binding);
    std::vector<int> more;
    if (fit.model.descriptors)
        fit.descriptors.hard = exact_interval(part.rows, fit.model, true, test, fit.model.depth ? fit.binding : more);
    if (fit.model.unit == MemorySize::Unit::Cell && fit.model.depth) {
        for (const CellsAlike& alike : cells_alike(sizes)) {
            const auto found = by_costs.find(alike.costs);
            if (found == by_costs.end() || found->second < 0.025 * weights[chosen]) continue;
            for (const CellSize& one : alike.all)
                widen(fit.cell, double(one.cell)), widen(fit.header, double(one.header));
        }
    }
    fit.memory_resume = resume_level(part.rows, fit.model, false, test);
    fit.descriptor_resume = resume_level(part.rows, fit.model, true, test);
    for (const BurstTableRow& row : part.rows) {
        const std::int64_t off = std::abs(fit.model.longest(row.frame, test) - row.lossless);
        if (double(off) > std::max(2.0, kAgreement * double(row.lossless))) fit.violating.push_back(row.row);
    }
    boost::sort(fit.binding);
    fit.status = fit.candidates.front().feasible ? FitStatus::Separated
                 : fit.violating.empty()         ? FitStatus::Overlap
                                                 : FitStatus::Inconsistent;
    return fit;
}

}  // namespace watershed
