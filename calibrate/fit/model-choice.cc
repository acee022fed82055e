// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/model-choice.h"

#include <algorithm>
#include <cmath>

namespace watershed {
namespace {

/// Odds below which the data are said not to tell two models apart; and where the likeliest has a feature, or cells
/// that no scenario names, of which the best of many was chosen.
const double kIndistinguishable = std::log(3.0), kOfFeatures = std::log(10.0), kOfCells = std::log(20.0);

/// The simplest first, as digits of one number.
int preference(const QueueModel& model, const Conditions& conditions) {
    return (model.feature == Feature::None ? 16 : 0) + (model.per_packet ? 0 : 8) +
           (model.sharing == conditions.sharing ? 4 : 0) + (model.unit == conditions.unit ? 2 : 0) +
           (model.unit == MemorySize::Unit::Cell ? 0 : 1);
}

}  // namespace

void choose_model(std::vector<ModelFit>& models, const Conditions& conditions) {
    double most = -HUGE_VAL, sum = 0;
    const bool hard =
        std::any_of(models.begin(), models.end(), [](const ModelFit& one) { return one.feasible && !one.scatter; });
    for (ModelFit& one : models) {
        if (hard && !one.feasible && !one.noise) one.log_evidence = -HUGE_VAL;
        one.log_evidence += one.log_prior;
        most = std::max(most, one.log_evidence);
    }
    for (ModelFit& one : models) sum += one.probability = std::exp(one.log_evidence - most);
    for (ModelFit& one : models) one.probability /= sum;
    const auto likeliest =
        std::find_if(models.begin(), models.end(), [&](const ModelFit& one) { return one.log_evidence == most; });
    const bool cells = likeliest->model.unit == MemorySize::Unit::Cell && conditions.cell == 0;
    const double doubt = cells                                       ? kOfCells
                         : likeliest->model.feature != Feature::None ? kOfFeatures
                                                                     : kIndistinguishable;
    const auto rank = [&](const ModelFit& one) {
        return (one.log_evidence >= most - doubt ? 32 : 0) + preference(one.model, conditions);
    };
    const auto chosen = std::max_element(models.begin(), models.end(),
                                         [&](const ModelFit& a, const ModelFit& b) { return rank(a) < rank(b); });
    std::rotate(models.begin(), chosen, chosen + 1);
    std::stable_sort(models.begin() + 1, models.end(),
                     [](const ModelFit& a, const ModelFit& b) { return a.probability > b.probability; });
}

}  // namespace watershed
