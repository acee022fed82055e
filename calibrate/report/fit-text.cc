// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"

namespace watershed {
namespace {

using nlohmann::json;

/// Writes the notes with their topics in a column. @param before  a blank line stands before the first topic
void print_notes(std::ostream& out, const json& notes, std::size_t width, bool before = false) {
    for (const json& note : notes) {
        std::string topic = note["topic"];
        if (!topic.empty()) {
            if (before) out << '\n';
            before = false;
            topic.resize(std::max(width, topic.size() + 1), ' ');
        }
        out << "  " << topic << note["text"].get<std::string>() << '\n';
    }
}

}  // namespace

void print_report(std::ostream& out, const json& fit) {
    const auto text = [](const json& value) { return value.get<std::string>(); };
    // Two blanks at least, however long the numbers are.
    const auto row = [&](const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
        out << "  ";
        for (std::size_t i = 0; i < cells.size(); ++i)
            out << cells[i]
                << std::string(i + 1 < cells.size() ? std::max(widths[i], cells[i].size() + 2) - cells[i].size() : 0,
                               ' ');
        out << '\n';
    };
    out << text(fit["headline"]) << "\n  status    " << text(fit["status"]) << ": " << text(fit["standing"]) << '\n';
    if (!text(fit["answer"]).empty()) out << "  answer    " << text(fit["answer"]) << '\n';
    print_notes(out, fit["notes"]["basis"], 10);
    out << '\n';
    const std::vector<std::size_t> of_quantities{24, 14, 28, 28}, of_models{36, 12, 14, 16};
    row({"", "estimate", "68 %", "95 %", "hard limits, " + text(fit["model"])}, of_quantities);
    for (const json& one : fit["quantities"]) {
        const auto limits = [&](const char* name) { return limits_text(one[name].get<Interval>()); };
        const bool open = one["hard"][0].is_null() && one["hard"][1].is_null() && !one["estimate"].is_null();
        row({text(one["name"]) + ", " + text(one["unit"]),
             one["estimate"].is_null() ? "-" : number_text(one["estimate"]), limits("interval68"), limits("interval95"),
             open ? "-" : limits("hard")},
            of_quantities);
    }
    print_notes(out, fit["notes"]["data"], 17, true);
    out << '\n';
    row({"model", "feasible", "probability", "log evidence", "depth"}, of_models);
    for (const json& one : fit["models"])
        row({text(one["name"]), one["feasible"] == true ? "yes" : "no", text(one["probability_text"]),
             text(one["log_evidence_text"]), text(one["depth_text"])},
            of_models);
    if (!fit["notes"].contains("diagnosis")) return;
    out << '\n';
    print_notes(out, fit["notes"]["diagnosis"], 17);
}

}  // namespace watershed
