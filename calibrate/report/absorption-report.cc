// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

constexpr const char* kOneOutput =
    "one congested output cannot tell shared memory, memory per output, a dynamic threshold (depth = alpha / (1 + "
    "alpha) of the pool) and a queue split apart: measure a second congested output at the same time";

constexpr const char* kOneSize =
    "measure further frame sizes, most of all between the largest that descriptors limit and the largest of all";

/// Models with at least a hundredth of the best one's probability.
std::vector<std::string> in_doubt(const AbsorptionFit& fit) {
    std::vector<std::string> names;
    for (const AbsorptionCandidate& one : fit.candidates)
        if (one.probability > 0.01 * fit.candidates.front().probability) names.push_back(one.name);
    return names;
}

std::string unit_of(const AbsorptionFit& fit) { return unit_text(fit.depth_unit()); }

bool has_cells(const AbsorptionFit& fit) { return fit.model.depth && fit.model.unit == MemorySize::Unit::Cell; }

json resume_of(const std::optional<FittedResume>& resume) {
    if (!resume) return {};
    return {{"immediate", resume->immediate},
            {"fraction", resume->gap > 0 ? json() : json(resume->fraction)},
            {"gap", resume->gap > 0 ? json(resume->gap) : json()}};
}

std::string resume_text(const std::optional<FittedResume>& resume, const std::string& unit) {
    if (!resume) return "unknown: no drops were noted where this is the limit";
    if (resume->immediate) return "at once: a dropped frame is followed by the next that fits";
    if (resume->gap > 0) return "after a drop, once " + number_text(resume->gap) + " " + unit + " are free";
    return "after a drop, once the queue has fallen to " + number_text(100 * resume->fraction) + " %";
}

std::string limit_of(const AbsorptionFit& fit, std::int64_t frame) {
    return !fit.model.by_descriptors(frame) ? fit.model.unit == MemorySize::Unit::Cell ? "cells" : "bytes"
                                            : "descriptors";
}

}  // namespace

json to_json(const AbsorptionFit& fit, const AbsorptionTest& test) {
    const StreamAndBurst rates(test.link_rate, test.uplink_rate);
    json models = json::array(), predictions = json::array(), rows = json::array();
    for (const AbsorptionCandidate& one : fit.candidates)
        models.push_back({{"name", one.name}, {"feasible", one.feasible}, {"probability", one.probability}});
    for (const AbsorptionPrediction& one : fit.predictions) {
        predictions.push_back({{"frame_bytes", one.frame},
                               {"lossless", one.lossless},
                               {"interval95", one.interval95},
                               {"drops", one.drops}});
        if (!one.undetermined.empty())
            predictions.back()["undetermined"] = one.undetermined;
        else if (!one.drops_undetermined.empty())
            predictions.back()["drops_undetermined"] = one.drops_undetermined;
    }
    for (const BurstTableRow& row : fit.rows) {
        json entry{{"row", row.row},
                   {"line", row.line},
                   {"frame_bytes", row.frame},
                   {"lossless", row.lossless},
                   {"drops", row.drops}};
        if (!fit.candidates.empty())
            entry["fitted"] = fit.model.longest(row.frame, rates), entry["limit"] = limit_of(fit, row.frame);
        rows.push_back(entry);
    }
    json alike = json::array(
        {{{"models", {"shared", "per-output", "dynamic-threshold", "queue-split"}}, {"separated_by", kOneOutput}}});
    if (const std::vector<std::string> names = in_doubt(fit); names.size() > 1)
        alike.push_back({{"models", names}, {"separated_by", kOneSize}});
    const double frames_per_s = double(test.uplink_rate.count) / (8.0 * double(fit.rows.front().frame + 20));
    json result{
        {"program", Provenance::program()},
        {"command", Provenance::command()},
        {"map", test.source},
        {"scenario", test.scenario.empty() ? json() : json(test.scenario)},
        {"status", to_text(fit.status)},
        {"model", fit.candidates.empty() ? json() : json(fit.model.name())},
        {"depth", estimate_json(unit_of(fit), fit.depth)},
        {"service_rate",
         {{"frames_per_s", frames_per_s},
          {"bits_per_s", test.uplink_rate.count},
          {"interval95", {frames_per_s, frames_per_s}},
          {"fixed", true}}},
        {"models", models},
        {"binding_rows", fit.binding},
        {"violating_rows", fit.violating},
        {"rows_used", fit.rows.size()},
        {"noise", fit.noise},
        {"cell", has_cells(fit) ? json{{"bytes", fit.model.cell},
                                       {"header_bytes", fit.model.header},
                                       {"bytes_alike", fit.cell},
                                       {"header_bytes_alike", fit.header}}
                                : json()},
        {"descriptors", fit.model.descriptors ? estimate_json("frames", fit.descriptors) : json()},
        {"input_fifo_bytes", fit.model.input_fifo},
        {"release", fit.model.release_at_start ? "start" : "end"},
        {"resume", {{"memory", resume_of(fit.memory_resume)}, {"descriptors", resume_of(fit.descriptor_resume)}}},
        {"indistinguishable", alike},
        {"rows", rows},
        {"predictions", predictions}};
    if (fit.name) result["switch"] = *fit.name;
    return result;
}

void print(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test) {
    const StreamAndBurst rates(test.link_rate, test.uplink_rate);
    out << (fit.name ? *fit.name : test.source) << ": " << fit.rows.size() << " frame sizes, inputs "
        << to_text(test.link_rate) << ", output " << to_text(test.uplink_rate) << '\n';
    out << "  status        " << to_text(fit.status) << ": "
        << (fit.status == FitStatus::Separated ? "every length is explained to the frame"
            : fit.status == FitStatus::Overlap
                ? "every length is explained to 5 %, with a scatter of about " + number_text(100 * fit.noise) + " %"
                : "no model of memory and descriptors explains the lengths of rows " + rows_text(fit.violating))
        << '\n';
    if (!fit.candidates.empty()) {
        out << "  model         " << fit.model.name() << '\n';
        if (fit.model.depth)
            out << "  memory        " << number_text(*fit.depth.value) << ' ' << unit_of(fit)
                << " (95 %: " << limits_text(fit.depth.interval95) << "), resumes "
                << resume_text(fit.memory_resume, unit_of(fit)) << '\n';
        if (has_cells(fit))
            out << "  cell          " << fit.model.cell << " B, with " << fit.model.header
                << " B stored beside each frame (alike: cell " << limits_text(fit.cell) << ", header "
                << limits_text(fit.header) << ")\n";
        if (fit.model.descriptors)
            out << "  descriptors   " << number_text(*fit.descriptors.value)
                << " frames (95 %: " << limits_text(fit.descriptors.interval95) << "), resumes "
                << resume_text(fit.descriptor_resume, "frames") << '\n';
        if (fit.model.input_fifo > 0)
            out << "  input FIFO    " << fit.model.input_fifo
                << " B or up to 63 B more: what small frames exceed large ones by\n";
        if (fit.model.release_at_start) out << "  release       the frame on its way out takes no room any more\n";
    }
    constexpr const char *kRow = "  %-10s%-10s%-10s%-14s%-13s%-16s%-10s%s\n", *kModel = "  %-26s%-12s%s\n";
    out << '\n'
        << text_line(kRow, "frame, B", "measured", "fitted", "limit", "from others", "95 %", "drops", "from others");
    const auto text = [](const auto& value) { return value ? std::to_string(*value) : std::string("-"); };
    for (const BurstTableRow& row : fit.rows)
        for (const AbsorptionPrediction& one : fit.predictions)
            if (one.frame == row.frame)
                out << text_line(kRow, std::to_string(row.frame), std::to_string(row.lossless),
                                 fit.candidates.empty() ? "-" : std::to_string(fit.model.longest(row.frame, rates)),
                                 fit.candidates.empty() ? "-" : limit_of(fit, row.frame), text(one.lossless),
                                 one.interval95.low ? limits_text(one.interval95) : "-", text(row.drops),
                                 text(one.drops));
    for (const AbsorptionPrediction& one : fit.predictions)
        if (!one.undetermined.empty()) out << "  " << one.frame << " B " << one.undetermined << '\n';
    out << '\n' << text_line(kModel, "model", "exact", "probability");
    for (const AbsorptionCandidate& one : fit.candidates)
        out << text_line(kModel, one.name, one.feasible ? "yes" : "no", text_line("%.3g", one.probability));
    if (const std::vector<std::string> names = in_doubt(fit); names.size() > 1)
        out << "  indistinguishable: " << listed(names, " ") << ": " << kOneSize << '\n';
    out << "  indistinguishable: " << kOneOutput << '\n';
}

}  // namespace watershed
