// SPDX-License-Identifier: GPL-2.0-only
// What certainty costs: the part of random triggers that each rule without loss refuses, by trigger rate, beside the
// events that the memory leaves incomplete without a rule.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLowest = 1e-9;  ///< that is drawn

struct RuleCurve {
    std::string title, colour;
    int dash;
    Figure::Rows rows, band{};  ///< kHz and part; kHz and the ends of its interval
};

/// The rule itself, of "38.368 us", "[\"5 in 191.84 us\"]".
std::string rule_title(const Json& rule) {
    const Json& set = rule["set"];
    std::string text = set.begin().value();
    if (text.size() > 4 && text.front() == '[') text = text.substr(2, text.size() - 4);
    if (rule["kind"] == "dead-time") text = "dead time " + text;
    if (const auto micro = text.rfind(" us"); micro != std::string::npos) text.replace(micro, 3, " µs");
    return text;
}

std::vector<RuleCurve> curves_of(const Json& result) {
    static const char* const kColours[] = {colour::vermilion, colour::blue, colour::green, colour::purple};
    std::vector<RuleCurve> curves;
    for (const Json& rule : result["rules"]) {
        const std::size_t i = curves.size();
        RuleCurve curve{rule_title(rule), kColours[i % std::size(kColours)], static_cast<int>(i) + 2, {}};
        for (const Json& point : result["curve"]) {
            const Json& refused = point["refused"].at(rule["kind"].get<std::string>());
            const double rate = point["rate_hz"].get<double>() / 1000, part = refused["estimate"];
            if (!refused.contains("interval95")) {
                if (part > 0) curve.rows.push_back({rate, part});
                continue;
            }
            const double low = refused["interval95"][0], high = refused["interval95"][1];
            if (!(low > 0)) continue;  // too few were refused to tell how many
            curve.rows.push_back({rate, part});
            curve.band.push_back({rate, low, high});
        }
        const auto same = std::find_if(curves.begin(), curves.end(), [&](const RuleCurve& other) {
            return other.rows == curve.rows && other.band == curve.band;
        });
        if (same != curves.end())
            same->title += " or " + curve.title;
        else
            curves.push_back(std::move(curve));
    }
    RuleCurve without{"no rule: events incomplete", colour::black, 1, {}};
    for (const Json& point : result["curve"])
        if (const Json& risk = point["without"]; !risk.is_null() && !risk["log10_probability"].is_null())
            without.rows.push_back({point["rate_hz"].get<double>() / 1000,
                                    std::pow(10, std::max(-300.0, risk["log10_probability"].get<double>()))});
    if (!without.rows.empty()) curves.push_back(std::move(without));
    return curves;
}

/// Of an axis from there to 1: ('10⁻⁸' 1e-8, …).
std::string tics_up_to_1(double bottom) {
    std::string tics;
    for (int power = static_cast<int>(std::lround(std::log10(bottom))); power <= 0; ++power)
        tics +=
            (tics.empty() ? "('" : ", '") + (power == 0 ? "1" : power_of_ten(power)) + "' 1e" + std::to_string(power);
    return tics + ")";
}

void draw_refused(const Json& result, const FigureRequest& request, const std::string& source) {
    std::vector<RuleCurve> curves = curves_of(result);
    double first = 0, last = 0, least = 1;
    for (RuleCurve& curve : curves) {
        double most = 0;
        for (const auto& row : curve.rows) {
            first = first > 0 ? std::min(first, row[0]) : row[0], last = std::max(last, row[0]);
            most = std::max(most, row[1]);
            if (row[1] > 0) least = std::min(least, row[1]);
        }
        if (most < kLowest) curve.title += " (below " + power_of_ten(-9) + ")";
    }
    const double bottom = std::pow(10, std::floor(std::log10(std::max(least, kLowest)) - 0.01));

    const std::string bottom_line = source + apparatus_of(result);
    Figure figure(request.output, bottom_line);
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        titles.push_back(curves[i].title);
        out << gnuplot_comment(curves[i].title + ": rate / kHz, part of the triggers");
        if (!curves[i].rows.empty()) figure.data("part" + std::to_string(i + 1), curves[i].rows);
        if (!curves[i].band.empty()) figure.data("band" + std::to_string(i + 1), curves[i].band);
    }
    write_title(out, request.title);
    Panel panel = panel_below(request.title);
    make_room_for_legend(panel, titles, bottom_line);
    write_panel(out, panel);
    write_legend(out, panel, titles);
    out << "set key maxcols " << legend_columns(titles) << " samplen 4\n";
    const double dead_time = result["dead_time_s"];
    const bool dead = dead_time > 0;
    write_x_label(out,
                  "trigger rate" + (dead ? " before " + readable_seconds(dead_time) + " of dead time" : "") + " / kHz",
                  panel);
    write_y_label(out, std::string("part refused, or incomplete") + (dead ? ", after dead time" : ""), panel);
    constexpr std::size_t kTics = 8;
    out << "set logscale xy\nset xrange [" << first << ':' << last << "]\nset yrange [" << bottom << ":1]\nset xtics "
        << log_tics(first, last, kTics) << "\nset ytics " << tics_up_to_1(bottom) << "\nset mytics 10\n";
    const double rate = result["rate_hz"].get<double>() / 1000;
    if (rate > first && rate < last)
        out << "set arrow from first " << rate << ", graph 0 to first " << rate
            << ", graph 1 nohead dashtype 3 linewidth "
            << "1.4 linecolor rgb '" << colour::grey << "'\nset label 'the scenario: " << plain_number(rate, 3)
            << " kHz' at first " << rate
            << ", graph 0.03 left rotate by 90 offset -0.9, 0 font ',14' textcolor rgb '#505050'\n";
    const char* separator = "plot ";
    for (std::size_t i = 0; i < curves.size(); ++i) {
        if (curves[i].band.empty()) continue;
        out << separator << "$band" << i + 1
            << " using 1:2:3 with filledcurves fillstyle solid 0.2 noborder linecolor rgb '" << curves[i].colour
            << "' notitle";
        separator = ", \\\n     ";
    }
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const RuleCurve& curve = curves[i];
        if (curve.rows.empty())
            out << separator << "keyentry with lines";
        else
            out << separator << "$part" << i + 1 << " with " << line_or_point(curve.rows.size());
        out << " linewidth 2.6 dashtype " << curve.dash << " linecolor rgb '" << curve.colour << "' title "
            << gnuplot_text(curve.title);
        separator = ", \\\n     ";
    }
    out << '\n';
    figure.finish();
}

}  // namespace

void draw_throttle(const FigureRequest& request) {
    if (request.inputs.size() != 1) throw InputError("expected one result of watershed throttle --rate LIST --json");
    const auto result = read_json<Json>(request.inputs.front());
    read_members(request.inputs.front(), "what watershed throttle --rate LIST --json writes", [&] {
        for (const char* name : {"rate_hz", "dead_time_s"}) member<double>(result, name);
        const auto rules = member<std::vector<Json>>(result, "rules");
        if (rules.empty()) throw MemberError("rules: found none");
        const auto curve = member<std::vector<Json>>(result, "curve");
        if (curve.empty()) throw MemberError("curve: found no rate");
        for (const Json& rule : rules) {
            const auto kind = member<std::string>(rule, "kind");
            if (member<Json>(rule, "set").empty()) throw MemberError("set: found none");
            for (const Json& point : curve)
                member<double>(member<Json>(member<Json>(point, "refused"), kind.c_str()), "estimate");
        }
        for (const Json& point : curve) {
            member<double>(point, "rate_hz");
            member<Json>(point, "without");
        }
    });
    draw_refused(result, request, stem_of(request.inputs.front()));
}

void draw_throttle_of(const Json& result, const std::string& output) {
    if (!result.contains("curve"))
        throw InputError("--output: no rule is needed, or none helps, so that there is no figure of rules");
    draw_refused(result, {{}, output, "", {}}, "watershed throttle " + result.value("scenario", ""));
}

}  // namespace watershed
