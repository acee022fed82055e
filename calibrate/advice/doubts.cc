// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/doubts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "calibrate/fit/diagnosis.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

constexpr double kLeastGoodness = 0.01;
/// Of signs that keep too long; one in a thousand maps without a trend looks so.
constexpr double kStrongTrend = 1e-3;

/// A share of the watershed's length at the shortest separation, and what a burst so far from the watershed tells.
struct Far {
    double of_watershed;
    const char* reason;
};
constexpr Far kFar[] = {
    {0.5, "a memory half full loses nothing: frames lost here are lost at random, or dropped early"},
    {2, "so far beyond the watershed every event more loses the same number of frames, if the memory is plain"},
    {0.25, "as half of the watershed, and half as many frames if they are lost at random"},
    {4, "as twice the watershed: with it, the number lost per event"},
};

}  // namespace

bool Doubts::any() const { return misfit || (goodness && *goodness < kLeastGoodness) || trend; }

std::string Doubts::text() const {
    if (misfit) return "no kind of memory explains the bursts";
    if (goodness && *goodness < kLeastGoodness)
        return "only " + text_line("%.2g %%", 100 * *goodness) +
               " of maps of the fitted switch look as unusual as this one" + (unusual.empty() ? "" : ", by " + unusual);
    if (trend) return "what the fit leaves over keeps its sign too long in the order of " + trend->order;
    return "";
}

Doubts doubts_of(const Fit& fit) {
    Doubts doubts;
    doubts.misfit = fit.status == FitStatus::Misfit;
    const Diagnosis diagnosis = diagnose(fit, 1);
    const Goodness& goodness = diagnosis.goodness;
    doubts.residuals = goodness.residuals;
    if (goodness.replicas > 0) {
        doubts.goodness = goodness.p_value, doubts.unusual = goodness.unusual;
        for (const RunsTest& one : goodness.runs)
            if (one.p_value < kStrongTrend && (!doubts.trend || one.p_value < doubts.trend->p_value))
                doubts.trend = one;
    }
    if (fit.goodness) doubts.goodness = fit.goodness, doubts.unusual = fit.unusual;
    return doubts;
}

std::vector<AdvisedPoint> telling(const Outlook& outlook, const Fit& fit, const Doubts& doubts,
                                  const AdviceOptions& options) {
    std::vector<AdvisedPoint> points;
    const Burst& like = outlook.like();
    const Time separation = outlook.separations(like).front();
    const Informant informant = outlook.informant_at(like, separation);
    std::set<std::int64_t> lengths;
    if (const auto longest = informant.longest_lossless_quantile(0.5))
        for (const Far& far : kFar) {
            const std::int64_t events = options.generator.nearest(
                std::max<std::int64_t>(1, std::llround(far.of_watershed * static_cast<double>(*longest))));
            if (!lengths.insert(events).second) continue;
            points.push_back(outlook.judged(informant, like, separation, events));
            points.back().reason = far.reason;
        }
    const auto repeat = [&](int row, const std::string& why) {
        const auto burst =
            std::find_if(fit.bursts.begin(), fit.bursts.end(), [&](const Burst& one) { return one.row == row; });
        if (burst == fit.bursts.end()) return;
        points.push_back(outlook.judged(*burst, "repeat of row " + std::to_string(row) + why));
    };
    std::vector<Residual> worst = doubts.residuals;
    std::stable_sort(worst.begin(), worst.end(),
                     [](const Residual& a, const Residual& b) { return std::abs(a.value) > std::abs(b.value); });
    constexpr std::size_t kWorst = 2;
    for (std::size_t i = 0; i < std::min(kWorst, worst.size()); ++i)
        repeat(worst[i].row, ", which misses the model most: noise, or the model's fault");
    if (doubts.trend && doubts.trend->order == "row") repeat(1, ": whether switch or apparatus have drifted since");
    std::stable_sort(points.begin(), points.end(), [&](const AdvisedPoint& a, const AdvisedPoint& b) {
        return outlook.times_measured(a) < outlook.times_measured(b);
    });
    if (points.size() > options.points) points.resize(options.points);
    return points;
}

}  // namespace watershed
