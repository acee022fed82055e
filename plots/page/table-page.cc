// SPDX-License-Identifier: GPL-2.0-only
// Loss maps, boundaries and other tables.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <tuple>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "plots/page/values.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/loss-map.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

std::string events(std::int64_t count) { return readable_count(count, "event", "events"); }

std::string map_page(const std::string& file) {
    struct AtSeparation {
        std::int64_t bursts = 0, lossy = 0, sent = 0, lost = 0;
        std::int64_t longest_complete = 0, shortest_lossy = 0;
    };
    using Where = std::tuple<int, std::int64_t, Time>;  // ports, payload, separation
    std::map<Where, AtSeparation> all;
    std::int64_t lossy = 0, bursts = 0;
    for (const LossMapRow& row : std::vector<LossMapRow>(read_loss_map(file).rows)) {
        if (!row.counted) continue;
        ++bursts;
        AtSeparation& at = all[{row.ports, row.payload.count, row.separation}];
        ++at.bursts;
        at.sent += row.frames_sent;
        at.lost += row.frames_lost();
        if (row.lossless()) {
            at.longest_complete = std::max(at.longest_complete, row.events);
        } else {
            ++lossy;
            ++at.lossy;
            at.shortest_lossy = at.shortest_lossy == 0 ? row.events : std::min(at.shortest_lossy, row.events);
        }
    }
    std::string text = "Of " + readable_count(bursts, "burst", "bursts") + ", " + readable_count(bursts - lossy) +
                       " arrived complete and " + readable_count(lossy) + " lost frames.";
    if (lossy > 0 && lossy < bursts) {
        const auto& [where, closest] = *all.begin();
        text += " At the shortest separation, " + readable_seconds(in_seconds(std::get<2>(where))) + " with " +
                std::to_string(std::get<0>(where)) + " ports, " +
                (closest.longest_complete > 0 ? events(closest.longest_complete) + " still arrived complete"
                                              : std::string("no burst arrived complete")) +
                (closest.shortest_lossy > 0 ? ", and " + events(closest.shortest_lossy) + " lost frames." : ".");
    }
    Table table({"ports", "payload", "separation", "bursts", "with losses", "longest complete", "shortest with losses",
                 "frames sent", "frames lost", "part lost"});
    for (const auto& [where, at] : all)
        table.add({std::to_string(std::get<0>(where)), readable_bytes(static_cast<double>(std::get<1>(where))),
                   readable_seconds(in_seconds(std::get<2>(where)), 6), readable_count(at.bursts),
                   readable_count(at.lossy), at.longest_complete > 0 ? events(at.longest_complete) : "none",
                   at.shortest_lossy > 0 ? events(at.shortest_lossy) : "none", readable_count(at.sent),
                   readable_count(at.lost),
                   readable(100.0 * static_cast<double>(at.lost) / static_cast<double>(at.sent), 3) + " %"});
    const Scratch scratch;
    return heading("Which bursts arrive complete?") + remark("The loss map " + file) + answer(text) +
           scratch.drawn("map",
                         "Each mark is a burst, by the separation of its events and their number: a dot where it "
                         "arrived complete, "
                         "a cross where it lost frames. The watershed runs between them.",
                         [&](const std::string& svg) {
                             draw_watershed({{file}, svg, "", {}}, {});
                         }) +
           table.html();
}

std::string boundary_page(const std::string& file) {
    const std::vector<BoundaryPoint> points = read_boundary(file);
    std::string text;
    if (!points.empty() && points.front().events_lossless)
        text = "Events " + readable_seconds(in_seconds(points.front().separation)) +
               " apart arrive complete in bursts of up to " + events(*points.front().events_lossless) + ".";
    // The first after which no length loses at any: others before may lose again beyond.
    const auto never = std::find_if(points.rbegin(), points.rend(), [](const auto& point) {
                           return point.events_lossless || point.tried > 0;
                       }).base();
    if (never != points.end())
        text += std::string(text.empty() ? "" : " ") + "From " + readable_seconds(in_seconds(never->separation)) +
                " on no burst of any length loses a frame.";
    else if (points.size() > 1 && points.back().events_lossless)
        text += std::string(text.empty() ? "" : " ") + "At " + readable_seconds(in_seconds(points.back().separation)) +
                ", the longest separation that was tried, it is " + events(*points.back().events_lossless) + ".";
    if (text.empty() && !points.empty())
        text = "No burst that was tried loses a frame, and longer ones were not tried.";
    Table table({"separation", "longest burst without loss"});
    for (const BoundaryPoint& point : points)
        table.add({readable_seconds(in_seconds(point.separation), 6),
                   point.events_lossless ? events(*point.events_lossless)
                   : point.tried > 0     ? events(point.tried) + " or more: longer ones were not tried"
                                         : "no limit"});
    std::string html = heading("Which bursts does it survive?") + remark("The boundary " + file) + answer(text);
    // A boundary without a limit has no line to draw.
    const bool limited =
        std::any_of(points.begin(), points.end(), [](const auto& point) { return point.events_lossless.has_value(); });
    if (points.size() > 1 && limited) {
        const Scratch scratch;
        html += scratch.drawn(
            "boundary",
            "The watershed: at the separations that were asked, bursts up to the line arrive complete and "
            "longer ones lose frames. Between them the line is a hyperbola, and the shaded region holds "
            "what is known to arrive complete.",
            [&](const std::string& svg) {
                draw_watershed({{file}, svg, "", {}}, {});
            });
    }
    return html + table.html();
}

/// Tables that commands write, and the columns that tell them.
struct Kind {
    const char* what;
    std::vector<std::string> columns;
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{{"map", {"separation_us", "events", "frames_sent", "frames_received"}},
                                       {"boundary --depths", {"separation_us", "depth", "events_lossless"}},
                                       {"boundary", {"separation_us", "events_lossless"}},
                                       {"saturation", {"ports", "saturation_khz"}},
                                       {"size", {"rate_khz", "loss", "uplinks", "bytes"}},
                                       {"run --occupancy", {"time_us", "frames", "bytes"}},
                                       {"explore", {"rank", "switch", "switches", "risk"}},
                                       {"campaign-simulate", {"strategy", "bursts"}}};
    return all;
}

/// A column that is nearly one of a table that commands write, and which.
std::string nearly_known(const CsvTable& table) {
    for (const Kind& kind : kinds())
        for (const std::string& column : kind.columns) {
            if (table.find_column(column)) continue;
            for (const std::string& found : table.columns())
                if (likely_column(found, {column})) return "; " + found + ":" + did_you_mean({column}).substr(1);
        }
    return "";
}

/// The command that writes such tables. @throws InputError if none does
const char* written_by(const CsvTable& table) {
    for (const Kind& kind : kinds())
        if (std::all_of(kind.columns.begin(), kind.columns.end(),
                        [&](const std::string& column) { return table.find_column(column).has_value(); }))
            return kind.what;
    const auto in_words = [](const Kind& kind) {
        return std::string(kind.what) + " (" + listed(kind.columns, ",") + ")";
    };
    throw InputError(table.name() + ": found the columns " + listed(table.columns(), ",") +
                     ", expected a table that a command writes: " + listed(kinds(), in_words) + nearly_known(table));
}

std::string any_table(const CsvTable& csv, const std::string& file) {
    auto rows = nlohmann::ordered_json::array();
    for (const CsvTable::Row& row : csv.rows()) {
        auto& object = rows.emplace_back(nlohmann::ordered_json::object());
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const std::string& cell = row.cells[i];
            const auto number = nlohmann::ordered_json::parse(cell, nullptr, false);
            object[csv.columns()[i]] = number.is_number() ? number : nlohmann::ordered_json(cell);
        }
    }
    return heading("Table " + file) + table_of(rows);
}

}  // namespace

std::string page_of_table(const std::string& file) {
    auto table = std::make_optional(CsvTable::read(file));
    const std::string_view command = written_by(*table);
    if (command != "map" && command != "boundary") return any_table(*table, file);
    table.reset();  // its memory is that of the next reading
    return command == "map" ? map_page(file) : boundary_page(file);
}

std::string page_of_text(const std::string& text) {
    std::string html, block;
    std::vector<std::string> items;
    const auto end_block = [&] {
        if (!block.empty()) html += paragraph(block);
        html += list_of(items);
        block.clear();
        items.clear();
    };
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const auto level = line.find_first_not_of('#');
        if (line.empty()) {
            end_block();
        } else if (level > 0 && level != std::string::npos && line[level] == ' ') {
            end_block();
            html += level < 3 ? heading(line.substr(level + 1)) : smaller_heading(line.substr(level + 1));
        } else if (line.compare(0, 2, "- ") == 0) {
            items.push_back(line.substr(2));
        } else {
            block += (block.empty() ? "" : " ") + line;
        }
    }
    end_block();
    return html;
}

}  // namespace watershed
