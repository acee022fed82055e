// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/next-report.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrate/advice/checks.h"
#include "calibrate/advice/outlook.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/report/map-doubts.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

json points_of(const std::vector<AdvisedPoint>& points) {
    json result = json::array();
    for (const AdvisedPoint& point : points)
        result.push_back({{"ports", point.ports},
                          {"payload_bytes", point.payload},
                          {"separation_us", in_microseconds(point.separation)},
                          {"events", point.events},
                          {"probability_of_loss", point.probability_of_loss},
                          {"frames_lost", json_number(point.frames_lost)},
                          {"information_bits", point.information_bits},
                          {"bits_per_second", point.bits_per_second()},
                          {"seconds", point.seconds},
                          {"reason", point.reason}});
    return result;
}

json target_json(const std::string& unit, const std::optional<TargetEstimate>& estimate) {
    return {{"unit", unit},
            {"estimate", estimate ? json(estimate->value) : json()},
            {"interval95", estimate ? json{estimate->low, estimate->high} : json{json(), json()}}};
}

/// Those that are left possible.
std::vector<const ModelFit*> kinds_of(const Fit& fit) {
    std::vector<const ModelFit*> kinds;
    for (const ModelFit& one : fit.models)
        if (&one == &fit.best() || one.probability >= kLeastProbable) kinds.push_back(&one);
    return kinds;
}

json kinds_json(const std::optional<Fit>& fit) {
    json kinds = json::array();
    if (!fit) return kinds;
    for (const ModelFit* const one : kinds_of(*fit)) {
        const Estimate depth = in_known_digits(one->depth, one->error_of_ends);
        kinds.push_back({{"model", one->model.name()},
                         {"probability", one->probability},
                         {"depth",
                          {{"unit", unit_of(one->model)},
                           {"estimate", json_number(depth.value)},
                           {"interval95", json_limits(depth.interval95)}}}});
    }
    return kinds;
}

}  // namespace

NextReport::NextReport(const FitSoFar& so_far, const Prior& prior, const AdviceOptions& options, const std::string& map,
                       const AdviceOptionTexts& texts)
    : so_far_(so_far),
      prior_(prior),
      map_(map),
      texts_(texts),
      precision_(options.precision),
      advice_(advise(so_far.fit, prior, options)) {
    depth_ = Outlook(so_far.fit, prior, options).estimate_of(AdviceTarget::Depth);
    if (so_far.fit && !advice_.goodness) advice_.goodness = doubts_of(*so_far.fit).goodness;
    if (!so_far.fit && !so_far.set_aside.empty())
        advice_.reason = "every burst so far was set aside: the advice comes from the scenario alone";
}

json NextReport::to_json() const {
    const std::optional<Fit>& fit = so_far_.fit;
    json set_aside = json::array();
    for (const RowSetAside& row : so_far_.set_aside)
        set_aside.push_back({{"row", row.row}, {"line", row.line}, {"reason", row.reason}});
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"map", map_.empty() ? json() : json(map_)},
            {"target", texts_.target},
            {"precision", precision_},
            {"status", fit ? json(to_text(fit->status)) : json()},
            {"depth", target_json(unit_of(fit ? fit->best().model : prior_.model), depth_)},
            {"rate_off_nominal", fit ? json_number(rate_off_nominal(*fit)) : json()},
            {"kind", fit ? json(fit->best().model.name()) : json()},
            {"kinds", kinds_json(fit)},
            {"goodness", json_number(advice_.goodness)},
            {"points", points_of(advice_.points)},
            {"checks",
             {{"done", advice_.checked.done},
              {"wanted", advice_.checked.wanted},
              {"passed", advice_.checked.passed},
              {"points", points_of(advice_.checks)}}},
            {"stop", advice_.stop},
            {"reason", advice_.reason},
            {"relative_half_width", advice_.estimate ? json(advice_.estimate->relative_half_width) : json()},
            {"rows_set_aside", set_aside}};
}

void NextReport::print_points(std::ostream& out, const std::vector<AdvisedPoint>& points) const {
    const bool mixes = std::any_of(points.begin(), points.end(), [&](const AdvisedPoint& point) {
        return point.ports != prior_.like.ports || point.payload != prior_.like.payload;
    });
    out << "  " << std::left;
    if (mixes) out << std::setw(7) << "ports" << std::setw(9) << "payload";
    out << std::setw(14) << "separation" << std::setw(10) << "events" << std::setw(9) << "P(loss)" << std::setw(14)
        << "frames lost" << std::setw(8) << "bits" << std::setw(9) << "seconds" << std::setw(9) << "bits/s"
        << "why\n"
        << std::fixed;
    for (const AdvisedPoint& point : points) {
        out << "  ";
        if (mixes) out << std::setw(7) << point.ports << std::setw(9) << to_text(Bytes{point.payload});
        out << std::setw(14) << to_text(point.separation) << std::setw(10) << point.events << std::setw(9)
            << std::setprecision(3) << point.probability_of_loss << std::setw(14);
        if (point.frames_lost)
            out << std::llround(*point.frames_lost);
        else
            out << "-";
        out << std::setprecision(2) << std::setw(8) << point.information_bits << std::setw(9) << point.seconds
            << std::setw(9) << point.bits_per_second() << point.reason << '\n';
    }
}

/// Only where the bursts leave more than one possible.
void NextReport::print_kinds(std::ostream& out) const {
    if (!so_far_.fit) return;
    const auto kinds = kinds_of(*so_far_.fit);
    if (kinds.size() < 2) return;
    constexpr std::size_t kMost = 4;
    out << "Kinds of memory left possible: ";
    for (std::size_t i = 0; i < std::min(kinds.size(), kMost); ++i)
        out << (i > 0 ? ", " : "") << kinds[i]->model.name() << ' '
            << number_text(std::round(1e3 * kinds[i]->probability) / 10) << " %";
    out << (kinds.size() > kMost ? ", and " + std::to_string(kinds.size() - kMost) + " more\n" : "\n");
}

void NextReport::print(std::ostream& out) const {
    const std::string with = "with " + std::to_string(prior_.like.ports) + " ports and " +
                             std::to_string(prior_.like.payload) + " B payload, ";
    const RateDoubt doubt = so_far_.fit && depth_ ? rate_doubt(*so_far_.fit) : RateDoubt();
    out << (advice_.stop ? "Stop: " : "Go on: ") << advice_.reason;
    if (!doubt.off.empty()) out << "; " << doubt.off << ", usually by " << doubt.reasons;
    out << '\n';
    constexpr std::size_t kMostRows = 3;
    for (std::size_t i = 0; i < std::min(so_far_.set_aside.size(), kMostRows); ++i)
        out << "Set aside: row " << so_far_.set_aside[i].row << " (line " << so_far_.set_aside[i].line
            << "): " << so_far_.set_aside[i].reason << '\n';
    if (so_far_.set_aside.size() > kMostRows) out << "Set aside: " << so_far_.set_aside.size() << " rows in all\n";
    print_kinds(out);
    if (!advice_.checks.empty()) {
        out << "\nTo check noise and model, " << with << "repeats and bursts that the others foretell:\n\n";
        print_points(out, advice_.checks);
    } else if (!advice_.points.empty()) {
        out << (advice_.stop ? "\nFor still more, " : "\nNext, ") << with << "most information per second first:\n\n";
        print_points(out, advice_.points);
    }
}

}  // namespace watershed
