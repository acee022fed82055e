// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/studio-request.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "scenarios/text/csv.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/toml-value.h"

namespace watershed {
namespace {

using Json = nlohmann::json;

/// Fields that a command takes of a request, and how it is told to answer.
struct Kind {
    bool scenario = false, map = false;
    const char* answer = "--json";          ///< option for the answer on standard output; nullptr: none is needed
    const char* scenario_option = nullptr;  ///< nullptr: the scenario is the command's argument
    std::vector<std::string> options{};     ///< long names
    const char* command = nullptr;          ///< nullptr: the one of the request's name
    bool prices = false, other = false;     ///< fields
};

const std::map<std::string, Kind>& kinds() {
    static const Kind fit{
        true, true, "--json", "--scenario", {"set", "fix", "free", "bound", "counts", "rate", "columns"}};
    static const std::map<std::string, Kind> all = [] {
        std::map<std::string, Kind> each{
            {"run", {true, false, "--json", nullptr, {"set", "engine"}}},
            {"frames", {true, false, "--frames", nullptr, {"set", "frames-from", "frames-until"}, "run"}},
            {"occupancy", {true, false, "--occupancy", nullptr, {"set", "occupancy-of"}, "run"}},
            {"figure", {true, true, nullptr, nullptr, {"set", "separation"}}},
            {"report", {true, true, nullptr, nullptr, {"set", "separation"}}},
            {"scenario", {true, false, nullptr, nullptr, {"set", "without"}}},
            {"map", {true, false, "--output", nullptr, {"set", "separation", "events", "verify"}}},
            {"boundary", {true, false, "--output", nullptr, {"set", "separation", "limit", "depths", "verify"}}},
            {"saturation", {true, false, "--output", nullptr, {"set"}}},
            {"risk", {true, false, "--json", nullptr, {"set", "method", "events", "cycles", "night"}}},
            {"compare", {true, false, "--json", nullptr, {"set", "separation", "limit"}, nullptr, true, true}},
            {"size", {true, false, "--json", nullptr, {"set", "loss", "rate", "uplinks"}}},
            {"bound", {true, false, "--json", nullptr, {"set"}}},
            {"stagger", {true, false, "--json", nullptr, {"set", "kind", "risk"}}},
            {"throttle", {true, false, "--json", nullptr, {"set", "rate", "latency"}}},
            {"sensitivity", {true, false, "--json", nullptr, {"set", "loss"}}},
            {"explore",
             {true,
              false,
              "--json",
              nullptr,
              {"set", "modules", "switches", "count", "uplinks", "selection", "aggregation", "interfaces", "separation",
               "margin", "loss", "top", "verify", "guarantee"},
              nullptr,
              true}},
            {"switches", {false, false, "--json", nullptr, {"ports", "speed"}}},
            {"fit", fit},
            {"next", fit}};
        Kind& next = each.at("next");
        next.options.insert(next.options.end(), {"target", "precision", "ports", "payloads", "shortest-separation",
                                                 "longest-burst", "separation", "events", "step", "setup", "points"});
        return each;
    }();
    return all;
}

/// A slash is a rate's, "10 Gb/s", or a path's; a backslash would hide one.
bool may_name_a_file(const std::string& text) {
    static const std::regex rates(R"((b|[0-9 ])/s)"), files(R"(/|\\|\.\.|\.(toml|csv|json|pcap)\b)");
    return std::regex_search(std::regex_replace(text, rates, "$1"), files);
}

void refuse_files(const std::string& field, const std::string& text) {
    if (may_name_a_file(text)) throw InputError(field + ": found \"" + text + "\", expected no name of a file here");
}

std::string word_of(const std::string& field, const Json& value) {
    std::string word;
    if (value.is_string())
        word = value.get<std::string>();
    else if (value.is_number())
        word = value.dump();
    else
        throw InputError(field + ": found " + std::string(value.type_name()) + ", expected a text or a number");
    if (word.find('\0') != std::string::npos) throw InputError(field + ": found a character 0, expected text");
    refuse_files(field, word);
    return word;
}

/// Files are named by these keys alone, in whatever table.
void refuse_files_in(const toml::table& table) {
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (const toml::table* inner = node.as_table()) refuse_files_in(*inner);
        const auto text = node.value<std::string>();
        if (text && (name == "file" || name == "payload_file" || name == "model"))
            refuse_files("scenario: " + name, *text);
    }
}

std::string text_of(const Json& fields, const std::string& name) {
    const auto field = fields.find(name);
    if (field == fields.end() || field->is_null()) return "";
    if (!field->is_string()) throw InputError(name + ": found " + field->type_name() + ", expected a text");
    return field->get<std::string>();
}

/// Returns a table of an occupancy with the rows of the least and the most of each of so many spans of time, and the
/// first and last row; other tables stay as they are.
std::string thinned(const std::string& table, std::size_t most) {
    static const std::string header = "time_us,frames,bytes\n";
    const auto head = table.find(header);
    if (head == std::string::npos) return table;
    struct Row {
        std::size_t begin;
        double time, frames;
    };
    std::vector<Row> rows;
    for (std::size_t at = head + header.size(); at < table.size();
         at = std::min(table.find('\n', at), table.size()) + 1) {
        char* end = nullptr;
        const double time = std::strtod(&table[at], &end);
        rows.push_back({at, time, *end == ',' ? std::strtod(end + 1, nullptr) : 0});
    }
    if (rows.size() <= most) return table;
    const double begin = rows.front().time,
                 span = (rows.back().time - begin) / static_cast<double>(std::max<std::size_t>(2, most / 2) - 1);
    std::string kept = table.substr(0, head + header.size());
    const auto keep = [&](const Row& row) {
        kept += table.substr(row.begin, table.find('\n', row.begin) + 1 - row.begin);
    };
    keep(rows.front());
    for (auto first = rows.begin(); first != rows.end();) {
        const auto number = std::floor((first->time - begin) / span);
        const auto last = std::find_if(first, rows.end(),
                                       [&](const Row& row) { return std::floor((row.time - begin) / span) > number; });
        auto [least, fullest] =
            std::minmax_element(first, last, [](const Row& a, const Row& b) { return a.frames < b.frames; });
        if (fullest < least) std::swap(least, fullest);
        keep(*least);
        if (fullest != least) keep(*fullest);
        first = last;
    }
    keep(rows.back());
    return kept;
}

}  // namespace

const std::vector<std::string>& studio_commands() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const auto& [name, kind] : kinds()) all.push_back(name);
        return all;
    }();
    return names;
}

StudioRequest studio_request(const std::string& command, const std::string& body) {
    const auto found = kinds().find(command);
    if (found == kinds().end())
        throw InputError("\"" + command + "\": unknown command, expected one of " + listed(studio_commands()) +
                         did_you_mean(command, studio_commands()));
    const Kind& kind = found->second;
    const Json fields = Json::parse(body, nullptr, false);
    if (!fields.is_object())
        throw InputError(
            "the request: found no object of JSON, expected {\"scenario\": \"TOML\", \"set\": [\"KEY=VALUE\"]}");
    StudioRequest request;
    request.words = {kind.command ? kind.command : command};
    if (kind.command) request.words.emplace_back("--engine=exact");
    const struct {
        const char *field, *file, *option;
        bool taken, needed;
    } texts[] = {{"map", "map.csv", nullptr, kind.map, command == "fit"},
                 {"scenario", "scenario.toml", kind.scenario_option, kind.scenario, !kind.scenario_option},
                 {"other", "other.toml", nullptr, kind.other, true},
                 {"prices", "prices.csv", "--prices", kind.prices, false}};
    std::vector<std::string> given;
    for (const auto& [field, file, option, taken, needed] : texts) {
        const std::string text = taken ? text_of(fields, field) : "";
        if (taken && needed && text.empty())
            throw InputError(field + std::string(": missing, expected the text of a ") +
                             (field == texts[0].field ? "loss map (CSV)" : "scenario file"));
        if (taken) given.emplace_back(field);
        if (text.empty()) continue;
        request.files[file] = text;
        if (option) request.words.emplace_back(option);
        request.words.emplace_back(file);
    }
    for (const auto& [name, value] : fields.items()) {
        if (std::find(given.begin(), given.end(), name) != given.end()) continue;
        if (std::find(kind.options.begin(), kind.options.end(), name) == kind.options.end())
            throw InputError(name + ": unknown field, expected one of " + listed(kind.options) +
                             did_you_mean(name, kind.options));
        const std::string option = "--" + name;
        if (value.is_boolean()) {
            if (value.get<bool>()) request.words.push_back(option);
            continue;
        }
        for (const Json& one : value.is_array() ? value : Json::array({value}))
            request.words.push_back(option + "=" + word_of(name, one));
    }
    if (kind.answer) request.words.insert(request.words.end(), {kind.answer, "-"});
    return request;
}

void refuse_files_of(const std::string& scenario) {
    std::optional<toml::table> table;
    try {
        table = read_toml(scenario);
    } catch (const InputError&) {
        return;  // the command says why
    }
    refuse_files_in(*table);
}

std::string studio_answer(const std::string& output, std::size_t most) {
    if (!output.empty() && output.front() != '#') return output;
    const std::string few = thinned(output, most);
    std::istringstream in(few);
    const CsvTable table = CsvTable::read(in, "the answer");
    Json rows = Json::array(), notes = Json::array();
    for (const CsvTable::Row& row : table.rows()) {
        Json cells = Json::array();
        for (const std::string& cell : row.cells.all()) {
            const Json number = Json::parse(cell, nullptr, false);
            cells.push_back(cell.empty() ? Json() : number.is_number() ? number : Json(cell));
        }
        rows.push_back(cells);
    }
    std::istringstream lines(few);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line.front() == '#') notes.push_back(line.substr(std::min<std::size_t>(2, line.size())));
    return Json{{"columns", table.columns()}, {"rows", rows}, {"notes", notes}}.dump(-1, ' ', false,
                                                                                     Json::error_handler_t::replace);
}

}  // namespace watershed
