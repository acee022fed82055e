// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report-parts.h"

namespace watershed {
namespace {

/// Returns the name and the unit of a feature's value.
std::pair<std::string, std::string> meaning_of(Feature feature) {
    static const std::pair<const char*, const char*> kMeanings[] = {{"", ""},
                                                                    {"descriptors", "frames"},
                                                                    {"resume level", "of full"},
                                                                    {"threshold", "alpha"},
                                                                    {"fullest uplink", "share"},
                                                                    {"reserved", "of the depth"},
                                                                    {"reserved", "of the depth"}};
    return kMeanings[int(feature)];
}

}  // namespace

double bits_per_frame(const Fit& fit) { return 8 * double(first_row(fit.bursts).wire); }

std::vector<Burst> without_counts(const Fit& fit) {
    std::vector<Burst> bursts;
    if (fit.options.counts == CountUse::Flag) return bursts;
    std::copy_if(fit.bursts.begin(), fit.bursts.end(), std::back_inserter(bursts),
                 [](const Burst& burst) { return !burst.sent_once(); });
    boost::sort(bursts, [](const Burst& a, const Burst& b) { return a.row < b.row; });
    return bursts;
}

Estimate depth_of(const Fit& fit, const ModelFit& one) {
    Estimate depth = one.depth;
    if (fit.status == FitStatus::Overlap && !one.feasible && !fit.options.depth) depth.hard = {};
    return depth;
}

Estimate told_depth(const Fit& fit, const ModelFit& one) {
    Estimate depth = depth_of(fit, one);
    if (!has_estimates(fit) && !fit.options.depth && &one == &fit.best()) depth.value.reset();
    return depth;
}

Estimate rate_of(const Fit& fit) {
    Estimate rate = fit.best().rate;
    if (const auto& given = fit.options.service_rate; given && rate.value) {
        const auto value = double(given->count);
        return {value, {value, value}, {value, value}, {value, value}};
    }
    if (fit.status == FitStatus::Overlap && !fit.best().feasible) rate.hard = {};
    return rate;
}

nlohmann::json feature_of(const ModelFit& one) {
    if (!one.feature) return {};
    const Estimate value = in_known_digits(*one.feature, one.error_of_ends);
    return {{"name", to_text(one.model.feature)},
            {"unit", meaning_of(one.model.feature).second},
            {"estimate", value.value},
            {"interval68", value.interval68},
            {"interval95", value.interval95}};
}

std::vector<double> priors_of(const Fit& fit) {
    double most = largest(fit.models, &ModelFit::log_prior, -HUGE_VAL), sum = 0;
    std::vector<double> priors;
    for (const ModelFit& one : fit.models) sum += priors.emplace_back(std::exp(one.log_prior - most));
    for (double& prior : priors) prior /= sum;
    return priors;
}

std::string share_text(const ModelFit& one) {
    constexpr double kNone = 5e-5, kLeast = 5e-3;
    const double share = one.probability, rest = 1 - share, factor = std::exp(one.error_of_log_odds),
                 most = share * factor / (share * factor + rest), least = share / (share + rest * factor);
    if (most < kNone || least > 1 - kNone) return number_text(std::round(share));
    const auto hundredths = [](double value) { return number_text(value / 100); };
    if (share < kLeast) return "< " + hundredths(std::max(1.0, std::ceil(100 * most)));
    return share > 1 - kLeast ? "> " + hundredths(std::min(99.0, std::floor(100 * least)))
                              : hundredths(std::round(100 * share));
}

std::string evidence_text(const ModelFit& one) {
    return std::isfinite(one.log_evidence)
               ? text_line("%.1f +- %.1f", one.log_evidence, std::ceil(10 * one.error_of_log_evidence) / 10)
               : "-";
}

std::string depth_text(const ModelFit& fit, const Estimate& told, bool chosen) {
    if (!told.value || (!chosen && share_text(fit) == "0")) return "-";
    constexpr double kDigits = 4;
    const double step = std::pow(10, std::floor(std::log10(std::max(*fit.depth.value, 1.0))) - kDigits + 1);
    return number_text(chosen ? *in_known_digits(fit.depth, fit.error_of_ends).value
                              : step * std::round(*fit.depth.value / step)) +
           " " + unit_of(fit.model);
}

std::vector<ReportedNumber> quantities_of(const Fit& fit) {
    const ModelFit& best = fit.best();
    const Burst& largest = largest_row(fit.bursts);
    const Estimate depth = told_depth(fit, best);
    Estimate rate = rate_of(fit);
    if (!has_estimates(fit) && !fit.options.service_rate) rate.value.reset();
    std::vector<ReportedNumber> all;
    const auto says_nothing = [](const Interval& interval) { return interval.low.value_or(0) <= 0 && !interval.high; };
    const auto add = [&](const std::string& name, const std::string& unit, const Estimate& value, double scale = 1) {
        if (!all.empty() && !value.value && says_nothing(value.hard) && says_nothing(value.interval68) &&
            says_nothing(value.interval95))
            return;
        all.push_back({name, unit, in_known_digits(scaled(value, scale), best.error_of_ends)});
    };
    add("depth", unit_of(best.model), depth);
    if (best.model.unit == MemorySize::Unit::Cell) add("depth", "bytes", depth, double(best.model.cell));
    if (best.model.unit != MemorySize::Unit::Frame)
        add("depth", "frames of " + std::to_string(largest.payload) + " B", depth,
            1 / double(best.model.cost(largest)));
    const std::int64_t payload = first_row(fit.bursts).payload;
    add("service rate", payload == largest.payload ? "frames/s" : "frames/s of " + std::to_string(payload) + " B", rate,
        1 / bits_per_frame(fit));
    add("service rate", "Mb/s", rate, 1e-6);
    if (best.feature) add(meaning_of(best.model.feature).first, meaning_of(best.model.feature).second, *best.feature);
    return all;
}

}  // namespace watershed
