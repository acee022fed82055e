// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/parts.h"

#include <algorithm>
#include <cmath>

#include "plots/page/html.h"
#include "plots/page/values.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {

using Json = nlohmann::ordered_json;

const Json& at_path(const Json& of, const std::string& path) {
    static const Json kNull;
    if (path.empty()) return of;
    const auto slash = path.find('/');
    const std::string name = path.substr(0, slash);
    if (!of.contains(name)) return kNull;
    return slash == std::string::npos ? of.at(name) : at_path(of.at(name), path.substr(slash + 1));
}

Words the(const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    return [=](const Json& of) { return value_in_words(name, at_path(of, path)); };
}

Words the(const std::string& path, const Words& words) {
    return [=](const Json& of) {
        const Json& value = at_path(of, path);
        return value.is_null() ? "–" : words(value);
    };
}

std::string answer_resting_on(std::int64_t assumed, const std::string& text) {
    if (assumed == 0) return answer(text);
    const bool ended = text.find_last_of(".?:") == text.size() - 1;
    return answer(text + (ended ? " " : ". ") + "This rests on " +
                  readable_count(assumed, "assumed value", "assumed values") + ", listed below.");
}

namespace {

std::int64_t assumed_of(const Json& result) { return static_cast<std::int64_t>(at_path(result, "assumed").size()); }

}  // namespace

PagePart its_answer() {
    return [](const Json& result, const std::string&) {
        std::string html;
        for (const Json& line : result.value("answer", Json::array()))
            html += html.empty() ? answer_resting_on(assumed_of(result), line) : paragraph(line);
        return html;
    };
}

PagePart answer_in(const Words& words) {
    return [=](const Json& result, const std::string&) { return answer_resting_on(assumed_of(result), words(result)); };
}

PagePart sentence(const Words& words) {
    return [=](const Json& result, const std::string&) {
        const std::string text = words(result);
        return text.empty() ? "" : paragraph(text);
    };
}

PagePart each_of(const std::string& title, const std::string& list, const std::vector<Column>& columns,
                 const std::string& note) {
    return [=](const Json& result, const std::string&) -> std::string {
        const Json& rows = at_path(result, list);
        if (rows.empty()) return "";
        std::vector<std::string> heads;
        for (const Column& column : columns) heads.push_back(column.head);
        Table table(heads);
        constexpr std::size_t kMost = 300;
        std::size_t number = 0;
        bool tells = columns.size() == 1;  // more than what each row is called
        for (const Json& row : rows)
            if (++number <= kMost) {
                std::vector<std::string> cells;
                for (const Column& column : columns) cells.push_back(column.words(row));
                tells = tells || std::any_of(cells.begin() + 1, cells.end(),
                                             [](const std::string& cell) { return !cell.empty() && cell != "–"; });
                table.add(cells);
            }
        if (!tells) return "";
        if (rows.size() > kMost)
            table.add_note("The first " + std::to_string(kMost) + " of " +
                           readable_count(static_cast<std::int64_t>(rows.size())) + "; the file has all.");
        return (title.empty() ? "" : smaller_heading(title)) + table.html() + (note.empty() ? "" : remark(note));
    };
}

PagePart picture(const std::string& name, const std::string& caption,
                 const std::function<void(const FigureRequest&)>& draw, const std::function<bool(const Json&)>& when) {
    return [=](const Json& result, const std::string& file) -> std::string {
        if (!when(result)) return "";
        const Scratch scratch;
        try {
            return scratch.drawn(name, caption, [&](const std::string& svg) { draw({{file}, svg, "", {"this run"}}); });
        } catch (const InputError& error) {
            return remark("A figure is missing: " + std::string(error.what()));
        }
    };
}

bool is_of(const Page& page, const Json& result) {
    const bool list = page.members.front() == "[]";
    const auto has_all = [&](const Json& of) {
        return std::all_of(page.members.begin() + list, page.members.end(),
                           [&](const std::string& name) { return of.contains(name); });
    };
    return !list ? has_all(result)
                 : result.is_array() && !result.empty() && std::all_of(result.begin(), result.end(), has_all);
}

std::string html_of(const Page& page, const Json& result, const std::string& file) {
    std::string html = heading(page.question);
    const std::string what = result.is_object() && page.told.count("scenario") == 0 ? about(result) : "";
    if (!what.empty()) html += remark(what);
    for (const PagePart& part : page.parts) html += part(result, file);
    if (!result.is_object()) return html;
    std::vector<std::string> assumed;
    for (const char* list : {"assumed", "overridden"})
        for (const Json& each : at_path(result, list))
            assumed.push_back(std::string(list) + ": " + value_in_words(list, each));
    if (!assumed.empty())
        html += smaller_heading("Values of switches that were assumed or overridden") + list_of(assumed);
    std::set<std::string> told = page.told;
    told.insert({"scenario", "set", "answer", "assumed", "overridden"});
    const std::string rest = other_values(result, told);
    return html + (rest.empty() ? "" : smaller_heading("All other values") + rest);
}

std::string share_in_words(const Json& part, const char* estimate) {
    const bool sampled = part.contains("interval95");
    const Json& ends = at_path(part, sampled ? "interval95" : "bounds");
    const auto percent = [](double share, Rounded rounded) {
        return readable(std::pow(10, rounded_log10(std::log10(100 * share), 4, rounded)));
    };
    if (ends.is_null() || ends.at(0) == ends.at(1))
        return percent(part.at(estimate).get<double>(), Rounded::Nearest) + " %";
    return percent(ends.at(0).get<double>(), Rounded::Down) + " to " + percent(ends.at(1).get<double>(), Rounded::Up) +
           " %" + (sampled ? " (95 %)" : "");
}

}  // namespace watershed
