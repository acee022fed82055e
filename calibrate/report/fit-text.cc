// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"

namespace watershed {
namespace {

using nlohmann::json;

/// Text of a fit: sections with a blank line between them.
class ReportText {
  public:
    enum Section { kHead, kNumbers, kData, kModels, kDiagnosis, kSections };

    void add(Section section, const std::string& text, Rank rank = kWarning) {
        lines_.push_back({section, text, rank});
    }
    /// Adds cells, with two blanks at least between them.
    void add_row(Section section, const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 Rank rank = kWarning) {
        std::string text = "  ";
        for (std::size_t i = 0; i < cells.size(); ++i)
            text +=
                cells[i] +
                std::string(i + 1 < cells.size() ? std::max(widths[i], cells[i].size() + 2) - cells[i].size() : 0, ' ');
        add(section, text, rank);
    }
    /// Adds notes with their topics in a column. Sentences about the numbers stand below these.
    void add_notes(Section section, const json& notes, std::size_t width) {
        for (const json& each : notes) {
            Note note = each.get<Note>();
            if (section == kNumbers && !note.topic.empty()) section = kData;
            if (!note.topic.empty()) note.topic.resize(std::max(width, note.topic.size() + 1), ' ');
            add(section, "  " + note.topic + note.text, note.rank);
        }
    }

    /// Leaves out details, and then as many of the last lines of lowest rank as there are beyond `most`.
    void shorten(std::size_t most) {
        const auto lower = [](const Line& a, const Line& b) { return a.rank <= b.rank; };
        while (!lines_.empty()) {
            const auto last = std::max_element(lines_.begin(), lines_.end(), lower);
            if (last->rank != kDetail && size() <= most) break;
            ++(last->section == kModels ? models_left_out_ : notes_left_out_);
            lines_.erase(last);
        }
    }

    void print(std::ostream& out) const {
        const char* blank = "";
        for (int section = kHead; section < kSections; ++section) {
            std::string text;
            for (const Line& line : lines_)
                if (line.section == section) text += line.text + '\n';
            if (section == kModels) text += more(models_left_out_, "");
            if (section == kDiagnosis) text += more(notes_left_out_, " lines");
            if (text.empty()) continue;
            out << blank << text;
            blank = "\n";
        }
    }

  private:
    struct Line {
        Section section;
        std::string text;
        Rank rank;
    };
    static std::string more(std::size_t left_out, const std::string& what) {
        return left_out == 0 ? "" : "  " + std::to_string(left_out) + " more" + what + ": --verbose\n";
    }
    std::size_t size() const {
        std::ostringstream text;
        print(text);
        const std::string all = text.str();
        return std::size_t(std::count(all.begin(), all.end(), '\n'));
    }

    std::vector<Line> lines_;
    std::size_t models_left_out_ = 0, notes_left_out_ = 0;
};

}  // namespace

void print_report(std::ostream& out, const json& fit, bool verbose, std::size_t others) {
    const auto text = [](const json& value) { return value.get<std::string>(); };
    ReportText report;
    report.add(report.kHead, text(fit["headline"]));
    report.add(report.kHead, "  status    " + text(fit["status"]) + ": " + text(fit["standing"]));
    if (!text(fit["answer"]).empty()) report.add(report.kHead, "  answer    " + text(fit["answer"]));
    report.add_notes(report.kHead, fit["notes"]["basis"], 10);
    const std::vector<std::size_t> of_quantities{24, 14, 28, 28}, of_models{36, 12, 14, 16};
    report.add_row(report.kNumbers, {"", "estimate", "68 %", "95 %", "hard limits, " + text(fit["model"])},
                   of_quantities);
    for (const json& one : fit["quantities"]) {
        const auto limits = [&](const char* name) { return limits_text(one[name].get<Interval>()); };
        const bool open = one["hard"][0].is_null() && one["hard"][1].is_null() && !one["estimate"].is_null();
        report.add_row(report.kNumbers,
                       {text(one["name"]) + ", " + text(one["unit"]),
                        one["estimate"].is_null() ? "-" : number_text(one["estimate"]), limits("interval68"),
                        limits("interval95"), open ? "-" : limits("hard")},
                       of_quantities);
    }
    report.add_notes(report.kNumbers, fit["notes"]["data"], 17);
    report.add_row(report.kModels, {"model", "feasible", "probability", "log evidence", "depth"}, of_models);
    constexpr double kMatters = 0.05, kLittle = 0.01;  // probabilities
    const auto rank = [&](const json& one) {
        return &one == &fit["models"].front()   ? kWarning
               : one["probability"] >= kMatters ? kBasis
               : one["probability"] >= kLittle  ? kUseful
                                                : kDetail;
    };
    for (const json& one : fit["models"])
        report.add_row(report.kModels,
                       {text(one["name"]), one["feasible"] == true ? "yes" : "no", text(one["probability_text"]),
                        text(one["log_evidence_text"]), text(one["depth_text"])},
                       of_models, rank(one));
    if (fit["notes"].contains("diagnosis")) report.add_notes(report.kDiagnosis, fit["notes"]["diagnosis"], 17);
    if (!verbose) report.shorten(kScreen - others);
    report.print(out);
}

}  // namespace watershed
