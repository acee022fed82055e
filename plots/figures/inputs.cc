// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/inputs.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "scenarios/run/run-report.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/measured-table.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

const char* description(InputKind kind) {
    switch (kind) {
        case InputKind::LossMap:
            return "a loss map (CSV with ports,payload_bytes,separation_us,events,frames_sent,frames_received)";
        case InputKind::Boundary: return "a boundary (CSV with separation_us,events_lossless)";
        case InputKind::Saturation: return "a saturation table (CSV with ports,saturation_khz,...)";
        case InputKind::Occupancy: return "an occupancy (CSV with time_us,frames,bytes)";
        case InputKind::Fit: return "a fit (JSON from watershed fit)";
        case InputKind::Run: return "a run (JSON from watershed run)";
        case InputKind::Campaigns: return "a comparison of campaigns (CSV from watershed campaign-simulate)";
        case InputKind::Advice: return "advice (JSON from watershed next)";
        case InputKind::Draws: return "draws (CSV from watershed fit --draws)";
    }
    throw std::logic_error("InputKind out of range");
}

std::string descriptions(std::initializer_list<InputKind> kinds) { return listed(kinds, description, " or "); }

// ---- CSV

bool has_columns(const CsvTable& table, std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(),
                       [&](const char* name) { return table.find_column(name).has_value(); });
}

std::optional<InputKind> kind_of(const CsvTable& table) {
    if (has_columns(table, {"separation_us", "events", "frames_sent", "frames_received"})) return InputKind::LossMap;
    if (has_columns(table, {"separation_us", "events_lossless"})) return InputKind::Boundary;
    if (has_columns(table, {"ports", "saturation_khz"})) return InputKind::Saturation;
    if (has_columns(table, {"time_us", "frames", "bytes"})) return InputKind::Occupancy;
    if (has_columns(table, {"strategy", "bursts"})) return InputKind::Campaigns;
    if (has_columns(table, {"draw", "kind", "depth_bytes"})) return InputKind::Draws;
    return std::nullopt;
}

double number(const CsvTable& table, const CsvTable::Row& row, std::size_t column, bool negative = false) {
    const std::string& cell = row.cells[column];
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value) || (value < 0 && !negative))
        table.refuse(row, column, negative ? "a number" : "a number, not negative");
    return value;
}

void refuse_empty(const CsvTable& table) {
    if (table.rows().empty())
        throw InputError(table.name() + ": the table is empty, expected at least one row below the header");
}

DrawsFile draws_from(const CsvTable& table) {
    refuse_empty(table);
    DrawsFile draws{table.name(), {}, {}};
    const std::size_t kind = table.column("kind");
    for (const CsvTable::Row& row : table.rows()) draws.kinds.push_back(row.cells[kind]);
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
        if (i == kind || table.columns()[i] == "draw") continue;
        DrawsFile::Column& column = draws.columns.emplace_back();
        column.name = table.columns()[i];
        for (const CsvTable::Row& row : table.rows())
            column.values.push_back(row.cells[i].empty() ? NAN : number(table, row, i, true));
    }
    return draws;
}

SaturationFile saturation_from(const CsvTable& table) {
    refuse_empty(table);
    const auto ports = table.column("ports"), measured = table.column("saturation_khz"),
               payload = table.column("payload_limit_khz"), payload_ip_udp = table.column("payload_ip_udp_limit_khz"),
               frame = table.column("frame_limit_khz"), wire = table.column("wire_limit_khz");
    SaturationFile saturation{table.name(), {}};
    for (const CsvTable::Row& row : table.rows()) {
        if (number(table, row, wire) == 0) table.refuse(row, wire, "a number above 0");
        saturation.rows.push_back({table.integer(row, ports, 1), number(table, row, measured),
                                   number(table, row, payload), number(table, row, payload_ip_udp),
                                   number(table, row, frame), number(table, row, wire)});
    }
    std::sort(saturation.rows.begin(), saturation.rows.end(),
              [](const auto& a, const auto& b) { return a.ports < b.ports; });
    return saturation;
}

/// Returns the text behind the key in a comment `# key: value` before the header, if there is one.
struct Comment {
    std::string value;
    int line = 0;
};
std::optional<Comment> find_comment(const std::string& file, const std::string& key) {
    std::ifstream in(file);
    const std::string start = "# " + key + ":";
    int number = 1;
    for (std::string line; std::getline(in, line) && (line.empty() || line.front() == '#'); ++number) {
        if (line.compare(0, start.size(), start) != 0) continue;
        const std::size_t first = line.find_first_not_of(' ', start.size());
        return Comment{first == std::string::npos ? "" : line.substr(first), number};
    }
    return std::nullopt;
}

/// `# capacity: 308000 frames`
std::optional<MemorySize> capacity_comment(const std::string& file) {
    const auto comment = find_comment(file, "capacity");
    if (!comment) return std::nullopt;
    return read_at(file + ":" + std::to_string(comment->line), "capacity",
                   [&] { return parse_memory_size(comment->value); });
}

/// The percentage behind `precision: ` in `# target: depth, precision: 1%`.
std::optional<double> precision_comment(const std::string& file) {
    const auto comment = find_comment(file, "target");
    const std::string key = "precision: ";
    const std::size_t at = comment ? comment->value.find(key) : std::string::npos;
    if (at == std::string::npos) return std::nullopt;
    return read_at(file + ":" + std::to_string(comment->line), "precision",
                   [&] { return as_number(parse_ratio(comment->value.substr(at + key.size()))); });
}

CampaignsFile campaigns_from(const CsvTable& table) {
    refuse_empty(table);
    const auto strategy = table.column("strategy"), bursts = table.column("bursts"),
               low = table.column("half_width_25"), median = table.column("half_width_50"),
               high = table.column("half_width_75");
    const auto width = [&](const CsvTable::Row& row, std::size_t column) {
        return row.cells[column].empty() ? std::numeric_limits<double>::infinity() : number(table, row, column);
    };
    const auto settings = find_comment(table.name(), "seed");
    CampaignsFile campaigns{
        table.name(), settings ? "seed " + settings->value : "", precision_comment(table.name()), {}};
    for (const CsvTable::Row& row : table.rows()) {
        auto& all = campaigns.strategies;
        auto found =
            std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == row.cells[strategy]; });
        if (found == all.end()) found = all.insert(all.end(), {row.cells[strategy], {}});
        found->points.push_back(
            {table.integer(row, bursts, 1), {width(row, low), width(row, high)}, width(row, median)});
    }
    for (auto& each : campaigns.strategies)
        std::stable_sort(each.points.begin(), each.points.end(),
                         [](const auto& a, const auto& b) { return a.bursts < b.bursts; });
    return campaigns;
}

OccupancyFile occupancy_from(const CsvTable& table) {
    refuse_empty(table);
    const auto time = table.column("time_us"), frames = table.column("frames"), bytes = table.column("bytes");
    OccupancyFile occupancy{table.name(), {}, capacity_comment(table.name())};
    if (const auto run = find_comment(table.name(), "run")) occupancy.run = run->value;
    occupancy.steps.reserve(table.rows().size());
    for (const CsvTable::Row& row : table.rows()) {
        const OccupancyStep step{number(table, row, time), number(table, row, frames), number(table, row, bytes)};
        if (!occupancy.steps.empty() && step.time_us < occupancy.steps.back().time_us)
            table.refuse(row, time, "no time before that of the row above");
        occupancy.steps.push_back(step);
    }
    return occupancy;
}

BoundaryFile boundary_from(const std::string& file) {
    BoundaryFile boundary{file, read_boundary(file)};
    if (boundary.points.empty())
        throw InputError(file + ": the boundary is empty, expected at least one row below the header");
    std::stable_sort(boundary.points.begin(), boundary.points.end(),
                     [](const auto& a, const auto& b) { return a.separation < b.separation; });
    return boundary;
}

// ---- JSON

std::optional<InputKind> kind_of(const json& document) {
    if (!document.is_object()) return std::nullopt;
    if (document.contains("points") && document.contains("stop"))
        return InputKind::Advice;  // advice has status and depth, too
    if (document.contains("status") && document.contains("depth")) return InputKind::Fit;
    if (document.contains("frames") && document.contains("losses")) return InputKind::Run;
    return std::nullopt;
}

/// A number that may be missing or null.
std::optional<double> optional_number(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? std::nullopt : std::optional(member<double>(object, key));
}

std::optional<Bounds> optional_interval(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return std::nullopt;
    const json &low = found->at(0), &high = found->at(1);
    if (low.is_null() || high.is_null()) return std::nullopt;  // open to one side
    return Bounds{low.get<double>(), high.get<double>()};
}

FitFile::Line line_from(const json& object, int uplinks) {
    FitFile::Line line;
    line.mix = {member<int>(object, "ports"), Bytes{member<std::int64_t>(object, "payload_bytes")},
                object.value("congested_uplinks", uplinks)};
    line.asymptote_us = optional_number(object, "asymptote_us");
    for (const json& point : object.value("curve", json::array())) {
        constexpr double kNone = std::numeric_limits<double>::infinity();  // beyond the asymptote no length loses
        const double events = optional_number(point, "events").value_or(kNone);
        line.curve.push_back({member<double>(point, "separation_us"),
                              events,
                              {optional_number(point, "events_low").value_or(events),
                               optional_number(point, "events_high").value_or(kNone)}});
    }
    return line;
}

FitFile fit_from(const json& document, const std::string& file) {
    FitFile fit;
    fit.file = file;
    fit.status = member<std::string>(document, "status");
    fit.model = document.value("model", json()).is_string() ? document["model"].get<std::string>() : "";
    fit.map = document.value("map", json()).is_string() ? document["map"].get<std::string>() : "";
    fit.uplinks = document.value("uplinks", 1);
    fit.lines.push_back(line_from(document, fit.uplinks));
    for (const json& other : document.value("other_mixes", json::array()))
        fit.lines.push_back(line_from(other, fit.uplinks));
    if (const json& depth = document.at("depth"); depth.is_object()) {
        fit.depth_unit = member<std::string>(depth, "unit");
        fit.depth = optional_number(depth, "estimate");
        fit.depth68 = optional_interval(depth, "interval68");
        fit.depth95 = optional_interval(depth, "interval95");
        fit.depth_hard = optional_interval(depth, "hard");
    }
    if (const json& rate = document.at("service_rate"); rate.is_object()) {
        fit.frames_per_s = optional_number(rate, "frames_per_s");
        fit.frames_per_s68 = optional_interval(rate, "interval68");
        fit.frames_per_s95 = optional_interval(rate, "interval95");
    }
    if (const json feature = document.value("feature", json()); feature.is_object()) {
        fit.feature = member<std::string>(feature, "name");
        fit.feature_unit = member<std::string>(feature, "unit");
        fit.feature_value = optional_number(feature, "estimate");
        fit.feature68 = optional_interval(feature, "interval68");
        fit.feature95 = optional_interval(feature, "interval95");
    }
    if (const json polygon = document.value("polygon", json()); polygon.is_object()) {
        if (polygon.contains("depth_unit")) fit.depth_unit = polygon["depth_unit"].get<std::string>();
        if (const json note = polygon.value("note", json()); note.is_string()) fit.polygon_note = note;
        for (const json& corner : polygon.at("vertices"))
            fit.polygon.emplace_back(corner.at(0).get<double>(), corner.at(1).get<double>());
    }
    for (const json& side : document.value("half_planes", json::array()))
        for (const json& line : side.value("limits", json::array()))
            fit.limits.push_back({member<std::int64_t>(side, "row"),
                                  {line.at(0).at(0).get<double>(), line.at(0).at(1).get<double>()},
                                  {line.at(1).at(0).get<double>(), line.at(1).at(1).get<double>()}});
    for (const json& model : document.value("models", json::array()))
        fit.models.push_back({member<std::string>(model, "name"), member<bool>(model, "feasible"),
                              optional_number(model, "probability").value_or(0)});
    if (const json posterior = document.value("posterior", json()); posterior.is_object()) {
        for (const json& point : posterior.at("depth"))
            fit.depth_density.emplace_back(point.at(0).get<double>(), point.at(1).get<double>());
        for (const json& point : posterior.value("feature", json::array()))
            fit.feature_density.emplace_back(point.at(0).get<double>(), point.at(1).get<double>());
        for (const json& point : posterior.at("frames_per_s"))
            fit.rate_density.emplace_back(point.at(0).get<double>(), point.at(1).get<double>());
    }
    for (const json& residual : document.value("residuals", json::array())) {
        fit.residuals.push_back({residual.at(0).get<std::int64_t>(), residual.at(1).get<double>(), {}});
        for (std::size_t i = 2; i < residual.size(); ++i)
            fit.residuals.back().burst.push_back(residual.at(i).get<double>());
    }
    for (const json& test : document.value("runs_tests", json::array()))
        fit.runs_tests.emplace_back(member<std::string>(test, "order"), member<double>(test, "p_value"));
    for (const json& row : document.value("rows_set_aside", json::array()))
        fit.rows_set_aside.insert(member<std::int64_t>(row, "row"));
    fit.binding_rows = member_or(document, "binding_rows", std::set<std::int64_t>());
    fit.violating_rows = member_or(document, "violating_rows", std::set<std::int64_t>());
    return fit;
}

RunFile run_from(const json& document, const std::string& file) {
    RunFile run{file, std::nullopt, std::nullopt, member_or(document, "lost_by_module", std::vector<double>())};
    if (document.contains("scenario"))
        run.run = run_text(member<std::string>(document, "scenario"), member<std::uint64_t>(document, "seed"),
                           member<std::vector<std::string>>(document, "set"));
    if (const json loss = document.value("first_loss", json()); loss.is_object())
        run.first_loss_us = member<double>(loss, "time_s") * 1e6;
    if (const json latency = document.value("latency", json()); latency.is_object()) {
        const json& histogram = latency.at("histogram");
        run.latency = RunFile::Latency{member<double>(latency, "median_us"), member<double>(latency, "p99_us"),
                                       member<std::vector<double>>(histogram, "edges_us"),
                                       member<std::vector<double>>(histogram, "events")};
        if (run.latency->edges_us.size() != run.latency->events.size() + 1)
            throw InputError(file + ": latency: found a histogram whose edges_us are not one more than its events");
    }
    return run;
}

AdviceFile advice_from(const json& document, const std::string& file) {
    AdviceFile advice{file, member<std::string>(document, "target"), member<bool>(document, "stop"), {}, {}};
    const auto points_of = [&](const json& list) {
        std::vector<AdviceFile::Point> points;
        for (const json& point : list) {
            if (point.contains("ports")) {
                const Mix mix{member<int>(point, "ports"), Bytes{member<std::int64_t>(point, "payload_bytes")}, 0};
                if (!advice.mix) advice.mix = mix;
                // Bursts of another mix, to tell kinds of memory apart, belong to another map.
                if (mix.ports != advice.mix->ports || mix.payload != advice.mix->payload) continue;
            }
            points.push_back({member<double>(point, "separation_us"), member<double>(point, "events"),
                              member<double>(point, "probability_of_loss"), member<double>(point, "bits_per_second")});
        }
        return points;
    };
    const json checks = document.value("checks", json::object()).value("points", json::array());
    advice.checks = points_of(checks);
    // Checks that are to be done are the next points, too.
    if (checks.empty()) advice.points = points_of(document.value("points", json::array()));
    return advice;
}

/// JSON begins with a bracket; no CSV header does.
bool looks_like_json(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    char first = 0;
    return in >> first && (first == '{' || first == '[');
}

}  // namespace

Inputs read_inputs(const std::vector<std::string>& files, std::initializer_list<InputKind> expected,
                   const std::string& columns) {
    Inputs inputs;
    inputs.files = files;
    const auto check = [&](const std::string& file, std::optional<InputKind> kind) {
        if (!kind)
            throw InputError(file + ": found no file that watershed plot knows, expected " + descriptions(expected));
        if (std::find(expected.begin(), expected.end(), *kind) == expected.end())
            throw InputError(file + ": found " + description(*kind) + ", expected " + descriptions(expected));
        return *kind;
    };
    for (const std::string& file : files) {
        if (looks_like_json(file)) {
            const auto document = read_json<json>(file);
            const InputKind kind = check(file, kind_of(document));
            read_members(file, description(kind), [&] {
                switch (kind) {
                    case InputKind::Fit: inputs.fits.push_back(fit_from(document, file)); break;
                    case InputKind::Advice: inputs.advices.push_back(advice_from(document, file)); break;
                    default: inputs.runs.push_back(run_from(document, file)); break;
                }
            });
            continue;
        }
        CsvTable table = CsvTable::read(file);
        const auto kind = kind_of(table);
        if (!kind || kind == InputKind::LossMap) table = read_measured_table(file, columns);
        std::cout << note_of(table);
        switch (check(file, kind_of(table))) {
            case InputKind::LossMap: inputs.maps.push_back(loss_map_from(table)); break;
            case InputKind::Boundary: inputs.boundaries.push_back(boundary_from(file)); break;
            case InputKind::Saturation: inputs.saturations.push_back(saturation_from(table)); break;
            case InputKind::Draws: inputs.draws.push_back(draws_from(table)); break;
            case InputKind::Campaigns: inputs.campaigns.push_back(campaigns_from(table)); break;
            default: inputs.occupancies.push_back(occupancy_from(table)); break;
        }
    }
    return inputs;
}

std::string Inputs::source() const {
    constexpr std::size_t kNamed = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(files.size(), kNamed); ++i)
        text += (i == 0 ? "" : ", ") + std::filesystem::path(files[i]).filename().string();
    return files.size() > kNamed ? text + " and " + std::to_string(files.size() - kNamed) + " more" : text;
}

std::string apparatus_of(const nlohmann::ordered_json& result) {
    if (!result.contains("modules") || !result.contains("memory")) return "";
    return "; " + result["modules"].dump() + " modules, memory of " + result.value("memory", "");
}

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

}  // namespace watershed
