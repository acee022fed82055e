// SPDX-License-Identifier: GPL-2.0-only
// How deep a measured buffer is, and what to measure next.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
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

std::string status_in_words(const std::string& status) {
    if (status == "separated") return "One threshold tells lossy from lossless bursts.";
    if (status == "overlap") return "No threshold tells all bursts apart, but the exceptions lie close to it.";
    if (status == "inconsistent")
        return "Some bursts contradict the others grossly. Look at the rows that are named below.";
    if (status == "misfit") return "No kind of memory explains the bursts: do not trust the numbers below.";
    if (status == "unbounded")
        return "The bursts bound the depth on one side only: all of them lost frames, or none did.";
    return status;
}

std::string what_was_found(const Json& result) {
    const Json &depth = result.at("depth"), &rate = result.at("service_rate");
    const std::string unit = depth.at("unit");
    const auto megabits = [](const Json& bits) { return readable(1e-6 * bits.get<double>(), 6); };
    std::string text;
    if (result.at("status") == "inconsistent") {
        text = "No estimate.";
    } else if (has_value(depth, "estimate")) {
        text = "The buffer is " + estimate_of(depth, unit) + " deep (95 %: " + range_of(depth.at("interval95"), unit) +
               "): " + memory_in_words(result.at("model")) + ".";
        if (has_value(rate, "bits_per_s")) {
            text += " It drains at " + megabits(rate.at("bits_per_s")) + " Mb/s";
            if (has_value(rate, "interval95_bits_per_s") && has_value(rate, "interval95") &&
                !rate.at("interval95_bits_per_s").at(0).is_null() && !rate.at("interval95_bits_per_s").at(1).is_null())
                text += " (95 %: " + megabits(rate.at("interval95_bits_per_s").at(0)) + " to " +
                        megabits(rate.at("interval95_bits_per_s").at(1)) + " Mb/s)";
            text += ".";
        }
    } else {
        text = "The bursts do not tell how deep the buffer is.";
    }
    return text + " " + status_in_words(result.at("status"));
}

/// The bursts of a map with as many ports and the payload of an advised one, in a file: a figure has one line for them.
std::string like_bursts(const std::string& map, const Json& advised, const Scratch& scratch) {
    LossMap all = read_loss_map(map);
    all.rows.erase(std::remove_if(all.rows.begin(), all.rows.end(),
                                  [&](const LossMapRow& row) {
                                      return row.ports != advised.at("ports").get<int>() ||
                                             row.payload.count != advised.at("payload_bytes").get<std::int64_t>();
                                  }),
                   all.rows.end());
    const std::string file = scratch.path("like.csv");
    std::ofstream out(file);
    write_loss_map_header(out);
    write_loss_map_rows(out, all.rows);
    return file;
}

std::string rows_of(const Json& list) {
    std::vector<std::int64_t> rows;
    for (const Json& each : list) rows.push_back((each.is_object() ? each.at("row") : each).get<std::int64_t>());
    return numbers_in_words(rows);
}

Table numbers(const Json& result) {
    const Json &depth = result.at("depth"), &rate = result.at("service_rate");
    const std::string unit = depth.at("unit");
    Table table({"<quantity", "estimate", "68 %", "95 %", "hard limits of all bursts"});
    const auto range = [&](const Json& of, const char* name, const std::string& in) {
        return of.contains(name) ? range_of(of.at(name), in) : "–";
    };
    table.add({"depth", estimate_of(depth, unit), range(depth, "interval68", unit), range(depth, "interval95", unit),
               range(depth, "hard", unit)});
    if (has_value(rate, "frames_per_s"))
        table.add({"service rate, frames/s", readable(rate.at("frames_per_s").get<double>(), 6),
                   range(rate, "interval68", ""), range(rate, "interval95", ""), range(rate, "hard", "")});
    if (has_value(rate, "bits_per_s")) {
        const auto megabits = [&](const char* name) {
            if (!has_value(rate, name) || rate.at(name).at(0).is_null() || rate.at(name).at(1).is_null())
                return std::string("–");
            return readable(1e-6 * rate.at(name).at(0).get<double>(), 6) + " to " +
                   readable(1e-6 * rate.at(name).at(1).get<double>(), 6);
        };
        table.add({"service rate, Mb/s", readable(1e-6 * rate.at("bits_per_s").get<double>(), 6), "–",
                   megabits("interval95_bits_per_s"), "–"});
    }
    return table;
}

std::string doubts(const Json& result) {
    std::vector<std::string> lines;
    if (has_value(result, "goodness_of_fit") && has_value(result.at("goodness_of_fit"), "p_value"))
        lines.push_back(readable(100 * result.at("goodness_of_fit").at("p_value").get<double>(), 3) +
                        " % of maps that the fitted switch itself would give look as unusual as this one; what is most "
                        "unusual here is " +
                        value_in_words("", result.at("goodness_of_fit").at("most_unusual")) + ".");
    if (has_value(result, "contradiction"))
        lines.push_back("Contradiction: " + value_in_words("", result.at("contradiction")) + ".");
    if (result.contains("binding_rows") && !result.at("binding_rows").empty())
        lines.push_back("Rows of the table that limit depth and rate the most: " + rows_of(result.at("binding_rows")) +
                        ".");
    if (result.contains("violations") && !result.at("violations").empty()) {
        std::string text;
        for (const Json& each : result.at("violations")) {
            const auto margin = each.at("margin_frames").get<double>();
            text += (text.empty() ? "row " : "; row ") + each.at("row").dump() + " lost " +
                    (margin == 0 ? "as many frames as it says, but other rows exclude this depth and rate"
                                 : readable(std::abs(margin)) + (margin < 0 ? " frames more" : " frames fewer") +
                                       " than it says");
        }
        lines.push_back("Bursts that the fit does not explain (" +
                        readable_count(static_cast<std::int64_t>(result.at("violations").size())) + "): " + text + ".");
    } else if (result.contains("violating_rows") && !result.at("violating_rows").empty()) {
        lines.push_back("Rows that the fit does not explain: " + rows_of(result.at("violating_rows")) + ".");
    }
    if (result.contains("rows_set_aside"))
        for (const Json& each : result.at("rows_set_aside"))
            lines.push_back("Row " + each.at("row").dump() + " was set aside: " + each.at("reason").get<std::string>() +
                            ".");
    if (result.contains("indistinguishable"))
        for (const Json& each : result.at("indistinguishable")) {
            const std::string kinds = listed(each.at("models"), memory_in_words, "; ");
            lines.push_back("These bursts cannot tell apart: " + kinds +
                            ". What would: " + value_in_words("", each.at("separated_by")) + ".");
        }
    return lines.empty() ? "" : smaller_heading("What to know of it") + list_of(lines);
}

Table kinds(const Json& models) {
    Table table({"<kind of memory", "<explains every burst", "probability", "depth"});
    for (const Json& each : models)
        table.add({memory_in_words(each.at("name")), each.at("feasible") == true ? "yes" : "no",
                   each.at("probability").get<double>() < 0.0005
                       ? "< 0.1 %"
                       : readable(100 * each.at("probability").get<double>(), 3) + " %",
                   estimate_of(each.at("depth"), each.at("depth").at("unit"))});
    return table;
}

}  // namespace

std::string fit_page(const Json& result, const std::string& file) {
    std::string html =
        heading("How deep is the buffer?") +
        remark("Fitted to " + readable_count(result.at("rows_used").get<std::int64_t>(), "burst", "bursts") + " of " +
               value_in_words("", result.at("map")) +
               (has_value(result, "scenario") ? ", framing and links from " + value_in_words("", result.at("scenario"))
                                              : "")) +
        answer(what_was_found(result)) + numbers(result).html();
    const Scratch scratch;
    const auto draw = [&](const char* name, const char* caption, void (*how)(const FigureRequest&)) {
        try {
            html += scratch.drawn(name, caption, [&](const std::string& svg) { how({{file}, svg, "", {}}); });
        } catch (const InputError& error) {
            html += remark("A figure is missing: " + std::string(error.what()));
        }
    };
    if (has_value(result.at("depth"), "estimate")) {
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
    if (result.contains("disturbances") && !result.at("disturbances").empty()) {
        Table table({"<disturbance", "<unit", "estimate", "95 %", "there with a probability of"});
        for (const Json& each : result.at("disturbances")) {
            const std::string unit = each.at("unit");
            const bool share = unit.rfind("of ", 0) == 0;
            const auto text = [&](const Json& value) {
                return value.is_null() ? std::string("–") : readable((share ? 100 : 1) * value.get<double>(), 3);
            };
            table.add({each.value("what", each.at("name").get<std::string>()), (share ? "% " : "") + unit,
                       text(each.at("estimate")),
                       text(each.at("interval95").at(0)) + " to " + text(each.at("interval95").at(1)),
                       each.at("known") == true ? "as it was given"
                                                : readable(100 * each.at("probability").get<double>(), 3) + " %"});
        }
        html += smaller_heading("What may have disturbed the measurement") + table.html();
    }
    html += doubts(result);
    return html + smaller_heading("All other values of the fit") +
           other_values(result, {"depth",
                                 "service_rate",
                                 "models",
                                 "model",
                                 "status",
                                 "disturbances",
                                 "violations",
                                 "violating_rows",
                                 "binding_rows",
                                 "rows_set_aside",
                                 "indistinguishable",
                                 "goodness_of_fit",
                                 "goodness",
                                 "unusual",
                                 "curve",
                                 "posterior",
                                 "map",
                                 "scenario",
                                 "rows_used",
                                 "other_mixes",
                                 "half_planes",
                                 "polygon",
                                 "residuals",
                                 "contradiction"}) +
           remark(
               "The points of the curves, the outline of the region and what is left of each burst are drawn by "
               "watershed plot: watershed, polygon and residuals.");
}

std::string next_page(const Json& result, const std::string& file) {
    const bool stop = result.at("stop");
    const Json &checks = result.at("checks").at("points"), &points = checks.empty() ? result.at("points") : checks;
    std::string text =
        (stop ? "Nothing more need be measured: " : "Go on measuring: ") + result.at("reason").get<std::string>() + ".";
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
        html += paragraph("So far the depth is " + estimate_of(result.at("depth"), result.at("depth").at("unit")) +
                          " (95 %: " + range_of(result.at("depth").at("interval95"), result.at("depth").at("unit")) +
                          ")" + (has_value(result, "kind") ? ", of " + memory_in_words(result.at("kind")) : "") + ".");
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
                inputs.insert(inputs.begin(), like_bursts(result.at("map"), points[0], scratch));
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
        Table table({"<kind of memory left possible", "probability", "depth"});
        for (const Json& each : result.at("kinds"))
            table.add({memory_in_words(each.at("model")),
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
    std::set<std::string> told{"stop", "reason", "depth", "kind", "kinds", "map", "rows_set_aside"};
    if (checks.empty() || result.at("points").empty()) told.insert("points");
    return html + other_values(rest, told);
}

}  // namespace watershed
