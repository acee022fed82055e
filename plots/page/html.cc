// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/html.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;

std::string element(const char* name, const std::string& text) {
    const std::string tag = std::string(name).substr(0, std::string(name).find(' '));
    return "<" + std::string(name) + ">" + escaped(text) + "</" + tag + ">\n";
}

/// What stands between the tags of the first such element.
std::string inside(const std::string& svg, const std::string& tag) {
    const auto begin = svg.find("<" + tag + ">"), end = svg.find("</" + tag + ">");
    if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
    return svg.substr(begin + tag.size() + 2, end - begin - tag.size() - 2);
}

std::string without_entities(std::string text) {
    for (const auto& [entity, character] :
         {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""), std::pair("&amp;", "&")})
        for (auto at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
            text.replace(at, std::string(entity).size(), character);
    return text;
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string html;
    for (const char c : text) {
        if (c == '&')
            html += "&amp;";
        else if (c == '<')
            html += "&lt;";
        else if (c == '>')
            html += "&gt;";
        else if (c == '"')
            html += "&quot;";
        else
            html += c;
    }
    return html;
}

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw InputError(file + ": cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string svg_element(const std::string& text, const std::string& file) {
    const auto begin = text.find("<svg");
    if (begin == std::string::npos) throw InputError(file + ": expected an SVG figure");
    if (text.find("<script") != std::string::npos)
        throw InputError(file + ": has a script in it, expected a figure of watershed plot");
    return text.substr(begin);
}

std::string figure(const std::string& svg, const std::string& caption) {
    return "<figure>\n" + svg + "\n<figcaption>" + escaped(caption) + "</figcaption>\n</figure>\n";
}

std::string caption_of(const std::string& svg) {
    const std::string see = inside(svg, "desc");
    if (see.empty() || see.find("GNUPLOT") != std::string::npos) return "";
    return without_entities(see);
}

std::string heading(const std::string& text) { return element("h2", text); }
std::string smaller_heading(const std::string& text) { return element("h3", text); }
std::string paragraph(const std::string& text) { return element("p", text); }
std::string answer(const std::string& text) { return element("p class=\"answer\"", text); }
std::string remark(const std::string& text) { return element("p class=\"quiet\"", text); }

std::string list_of(const std::vector<std::string>& lines) {
    if (lines.empty()) return "";
    std::string html = "<ul>\n";
    for (const std::string& line : lines) html += element("li", line);
    return html + "</ul>\n";
}

std::string number(const nlohmann::ordered_json& value, const char* format, double scale) {
    if (value.is_null()) return "–";
    return text_line(format, value.get<double>() * scale);
}

Table::Table(std::vector<std::string> heads) : heads_(std::move(heads)) {}

void Table::add(std::vector<std::string> cells, bool marked) {
    cells.resize(heads_.size());
    rows_.push_back({std::move(cells), marked, false});
}

void Table::add_note(const std::string& text) { rows_.push_back({{text}, false, true}); }

std::string Table::html() const {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < heads_.size(); ++i)
        if (std::any_of(rows_.begin(), rows_.end(),
                        [i](const Row& row) { return !row.note && !row.cells[i].empty() && row.cells[i] != "–"; }))
            columns.push_back(i);
    const auto is_text = [&](std::size_t i) { return heads_[i].front() == '<'; };
    const auto head = [&](std::size_t i) { return escaped(is_text(i) ? heads_[i].substr(1) : heads_[i]); };
    std::string html = "<table>\n<thead><tr>";
    for (const std::size_t i : columns) html += (is_text(i) ? "<th class=\"text\">" : "<th>") + head(i) + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const Row& row : rows_) {
        if (row.note) {
            html += "<tr><td class=\"text note\" colspan=\"" + std::to_string(columns.size()) + "\">" +
                    escaped(row.cells.front()) + "</td></tr>\n";
            continue;
        }
        html += row.marked ? "<tr class=\"front\">" : "<tr>";
        for (const std::size_t i : columns)
            html += std::string(is_text(i) ? "<td class=\"text\"" : "<td") + " data-label=\"" + head(i) + "\">" +
                    (row.cells[i].empty() ? "–" : escaped(row.cells[i])) + "</td>";
        html += "</tr>\n";
    }
    return html + "</tbody></table>\n";
}

Scratch::Scratch() : folder_((fs::temp_directory_path() / "watershed-report-XXXXXX").string()) {
    if (!mkdtemp(folder_.data()))
        throw std::runtime_error("no folder for the figures can be made in " + fs::temp_directory_path().string());
}

Scratch::~Scratch() {
    std::error_code nothing_to_be_done;
    fs::remove_all(folder_, nothing_to_be_done);
}

std::string Scratch::path(const std::string& name) const { return (fs::path(folder_) / name).string(); }

std::string Scratch::drawn(const std::string& name, const std::string& caption,
                           const std::function<void(const std::string& svg)>& draw) const {
    const std::string file = path(name + ".svg");
    draw(file);
    return figure(svg_element(contents(file), file), caption);
}

}  // namespace watershed
