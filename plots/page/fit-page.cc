// SPDX-License-Identifier: GPL-2.0-only
// How deep a measured buffer is, and what to measure next.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "plots/figures/figures.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "plots/page/values.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/loss-map.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

bool has_value(const Json& part, const char* name) { return part.contains(name) && !part.at(name).is_null(); }

std::string amount(double value, const std::string& unit, int digits = 4) {
    return unit == "bytes" ? readable_bytes(value, digits) : readable(value, digits) + " " + unit;
}

/// Both ends, in the unit and digits that tell them apart.
std::string range_of(const Json& range, const std::string& unit) {
    const auto end = [&](const Json& value, const char* open) {
        return value.is_null() ? std::string(open) : amount(value.get<double>(), unit, 5);
    };
    if (range.is_null() || (range.at(0).is_null() && range.at(1).is_null())) return "–";
    return end(range.at(0), "any") + " to " + end(range.at(1), "any");
}

std::string estimate_of(const Json& found, const std::string& unit) {
    if (!has_value(found, "estimate")) return "unknown";
    return amount(found.at("estimate").get<double>(), unit, 5);
}

/// The bursts of a map with as many ports and the payload of an advised one, in a file: a figure has one line for them.
/// @return nothing where there are none
std::optional<std::string> like_bursts(const std::string& map, const Json& advised, const Scratch& scratch) {
    LossMap all = read_loss_map(map);
    all.rows.erase(std::remove_if(all.rows.begin(), all.rows.end(),
                                  [&](const LossMapRow& row) {
                                      return row.ports != advised.at("ports").get<int>() ||
                                             row.payload.count != advised.at("payload_bytes").get<std::int64_t>();
                                  }),
                   all.rows.end());
    if (all.rows.empty()) return std::nullopt;
    const std::string file = scratch.path("like.csv");
    std::ofstream out(file);
    write_loss_map_header(out);
    write_loss_map_rows(out, all.rows);
    return file;
}

/// The rows that the text has, too.
Table numbers(const Json& fit) {
    const std::string kind = fit.at("model").get<std::string>();
    Table table({"<quantity", "<unit", "estimate", "68 %", "95 %", "hard limits, " + kind});
    constexpr int kDigits = 7;  // as in the text
    for (const Json& each : fit.at("quantities")) {
        const auto end = [](const Json& value, const char* open) {
            return value.is_null() ? std::string(open) : readable(value.get<double>(), kDigits);
        };
        const auto range = [&](const char* name) {
            const Json &low = each.at(name).at(0), &high = each.at(name).at(1);
            return low.is_null() && high.is_null() ? "–" : end(low, "any") + " to " + end(high, "any");
        };
        table.add({each.at("name"), each.at("unit"), end(each.at("estimate"), "unknown"), range("interval68"),
                   range("interval95"), range("hard")});
    }
    return table;
}

Table notes(const Json& all) {
    Table table({"<about", "<what there is to know"});
    for (const char* part : {"basis", "data", "diagnosis"})
        for (const Json& each : all.value(part, Json::array())) table.add({each.at("topic"), each.at("text")});
    return table;
}

Table kinds(const Json& models) {
    Table table({"<kind of memory", "<which is", "<explains every burst", "probability", "depth"});
    for (const Json& each : models)
        table.add({each.at("name"), each.at("words"), each.at("feasible") == true ? "yes" : "no",
                   each.at("probability_text"), each.at("depth_text")});
    return table;
}

std::string capitalised(std::string text) {
    text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

}  // namespace

std::string fit_page(const Json& result, const std::string& file) {
    std::string html =
        heading("How deep is the buffer?") +
        (has_value(result, "scenario") ? remark("Framing and links from " + value_in_words("", result.at("scenario")))
                                       : "") +
        answer(result.at("headline").get<std::string>() + ". " + result.at("answer").get<std::string>() + " " +
               capitalised(result.at("standing")) + ".") +
        numbers(result).html();
    const Scratch scratch;
    const auto draw = [&](const char* name, const char* caption, void (*how)(const FigureRequest&)) {
        try {
            html += scratch.drawn(name, caption, [&](const std::string& svg) { how({{file}, svg, "", {}}); });
        } catch (const InputError& error) {
            html += remark("A figure is missing: " + std::string(error.what()));
        }
    };
    // Bursts that contradict each other leave programs a number, and people none.
    if (has_value(result.at("depth"), "estimate") && has_value(result.at("quantities").at(0), "estimate")) {
        if (result.contains("curve") && !result.at("curve").empty())
            draw("watershed",
                 "The fitted watershed, with its 95 % band: bursts below the line are complete, bursts above it lose "
                 "frames. The dashed line is the separation from which on no length loses.",
                 [](const FigureRequest& request) { draw_watershed(request, {}); });
        if (result.contains("posterior"))
            draw("posterior",
                 "How probable each depth and each service rate is after all bursts; the shaded parts hold 95 %.",
                 draw_posterior);
    }
    html += smaller_heading("Kinds of memory that were compared") + kinds(result.at("models")).html();
    html += smaller_heading("What to know of it") + notes(result.at("notes")).html();
    return html + smaller_heading("All other values of the fit") +
           other_values(result, {"headline",        "answer",       "standing",       "quantities",
                                 "notes",           "depth",        "service_rate",   "models",
                                 "model",           "status",       "disturbances",   "violations",
                                 "violating_rows",  "binding_rows", "rows_set_aside", "indistinguishable",
                                 "goodness_of_fit", "goodness",     "unusual",        "curve",
                                 "posterior",       "map",          "scenario",       "rows_used",
                                 "other_mixes",     "half_planes",  "polygon",        "residuals",
                                 "contradiction"}) +
           remark(
               "The points of the curves, the outline of the region and what is left of each burst are drawn by "
               "watershed plot: watershed, polygon and residuals.");
}

std::string next_page(const Json& result, const std::string& file) {
    const bool stop = result.at("stop");
    const Json &checks = result.at("checks").at("points"), &points = checks.empty() ? result.at("points") : checks;
    std::string text = result.at("headline").get<std::string>() + ".";
    if (!stop && !points.empty()) {
        const Json& first = points[0];
        text += " Send next a burst of " + readable_count(first.at("events").get<std::int64_t>(), "event", "events") +
                " " + readable_seconds(1e-6 * first.at("separation_us").get<double>(), 6) + " apart from " +
                first.at("ports").dump() + " ports.";
    }
    std::string html =
        heading("What to measure next?") +
        remark(has_value(result, "map") ? "After " + value_in_words("", result.at("map")) : "Before any measurement") +
        answer(text);
    if (has_value(result, "depth") && has_value(result.at("depth"), "estimate"))
        html +=
            paragraph("So far the depth is " + estimate_of(result.at("depth"), result.at("depth").at("unit")) +
                      " (95 %: " + range_of(result.at("depth").at("interval95"), result.at("depth").at("unit")) + ")" +
                      (has_value(result, "kind") ? ", of " + result.at("kind").get<std::string>() : "") + ".");
    if (!points.empty()) {
        Table table({"separation", "events", "ports", "payload", "chance of loss", "frames lost, if so", "it takes",
                     "information, bits", "<why"});
        for (const Json& each : points)
            table.add(
                {readable_seconds(1e-6 * each.at("separation_us").get<double>(), 6),
                 readable_count(each.at("events").get<std::int64_t>()), each.at("ports").dump(),
                 readable_bytes(each.at("payload_bytes").get<double>()),
                 readable(100 * each.at("probability_of_loss").get<double>(), 3) + " %",
                 has_value(each, "frames_lost") ? readable(std::round(each.at("frames_lost").get<double>()), 6) : "–",
                 readable_seconds(each.at("seconds").get<double>(), 3),
                 readable(each.at("information_bits").get<double>(), 2), each.at("reason")});
        html += smaller_heading(!checks.empty() ? "Bursts that check noise and model"
                                : stop          ? "For still more, the best first"
                                                : "Bursts worth measuring, the best first") +
                table.html();
        const Scratch scratch;
        std::vector<std::string> inputs{file};
        try {
            if (has_value(result, "map"))
                if (const auto like = like_bursts(result.at("map"), points[0], scratch))
                    inputs.insert(inputs.begin(), *like);
            html += scratch.drawn(
                "next",
                stop
                    ? "The bursts that were measured with these ports and this payload: dots arrived complete, crosses "
                      "lost frames."
                    : "Where the advised bursts lie among those that were measured: close to the watershed, where it "
                      "is "
                      "least certain whether a burst loses.",
                [&](const std::string& svg) {
                    draw_watershed({inputs, svg, "", {}, "watershed next"}, {});
                });
        } catch (const InputError& error) {
            html += remark("The advised bursts are not drawn: " + std::string(error.what()));
        }
    }
    if (!result.at("kinds").empty()) {
        Table table({"<kind of memory left possible", "<which is", "probability", "depth"});
        for (const Json& each : result.at("kinds"))
            table.add({each.at("model"), each.at("words"),
                       readable(100 * each.at("probability").get<double>(), 3) + " %",
                       estimate_of(each.at("depth"), each.at("depth").at("unit"))});
        html += table.html();
    }
    std::vector<std::string> aside;
    for (const Json& each : result.at("rows_set_aside"))
        aside.push_back("Row " + each.at("row").dump() + " was set aside: " + each.at("reason").get<std::string>() +
                        ".");
    html += list_of(aside);
    Json rest = result;
    rest.at("checks").erase("points");
    std::set<std::string> told{"stop", "reason", "headline", "depth", "kind", "kinds", "map", "rows_set_aside"};
    if (checks.empty()) told.insert("points");
    return html + other_values(rest, told);
}

}  // namespace watershed
