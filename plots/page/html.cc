// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/html.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
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

/// Returns the text between the tags of the first element of this name.
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

/// The words of a list with blanks between them.
std::set<std::string> words_of(const char* list) {
    std::istringstream in(list);
    return {std::istream_iterator<std::string>(in), {}};
}

/// Whether an attribute's value names nothing elsewhere and is not spelled in another way.
bool is_of_this_figure(const std::string& attribute, std::string value) {
    for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (attribute == "xlink:href" && value.compare(0, 1, "#") != 0) return false;
    if (value.find_first_of("<>&\\@") != std::string::npos) return false;
    for (auto url = value.find("url"); url != std::string::npos; url = value.find("url", url + 1))
        if (value.compare(url, 5, "url(#") != 0) return false;
    if (attribute != "style") return true;  // styles of lines, areas and letters, but not their place on the page
    std::istringstream declarations(value);
    for (std::string each; std::getline(declarations, each, ';');) {
        each.erase(0, each.find_first_not_of(' '));
        if (!begins_with(each, "stroke") && !begins_with(each, "fill") && !begins_with(each, "filter") &&
            !begins_with(each, "font") && !each.empty())
            return false;
    }
    return true;
}

/// Reads an SVG of gnuplot or dot, strictly: a page holds elements and attributes that these draw, and nothing else. So
/// no browser finds anything in it but shapes and texts, however it reads what is not well-formed. Without comments,
/// which HTML ends elsewhere than XML does.
std::string drawn_svg(const std::string& text, std::size_t at, const std::string& file) {
    static const std::set<std::string> kElements = words_of(
        "svg title desc g defs rect circle ellipse line polyline polygon path filter text feFlood feComposite pattern "
        "use tspan");
    static const std::set<std::string> kAttributes = words_of(
        "class color cx cy d fill fill-opacity filterUnits flood-color flood-opacity font-family font-size font-style "
        "font-weight height id in in2 operator patternUnits points r result rx ry shape-rendering stroke "
        "stroke-dasharray stroke-linecap stroke-linejoin stroke-opacity stroke-width style text-anchor transform "
        "viewBox width x x1 x2 xlink:href xml:space xmlns xmlns:xlink y y1 y2");
    constexpr auto kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_", kBlanks = " \t\r\n";
    const auto refuse = [&](const std::string& found) {
        throw InputError(file + ": found " + found + ", expected what watershed plot or draw writes");
    };
    std::vector<std::string> open;
    std::string svg;
    do {
        const auto begin = std::min(text.find('<', at), text.size());
        svg += text.substr(at, begin - at);
        const bool comment = text.compare(begin, 4, "<!--") == 0;
        const std::string close = comment ? "-->" : ">";
        const auto end = text.find(close, begin);
        if (end == std::string::npos)
            refuse(comment ? "a comment without an end" : open.empty() ? "no <svg>" : "no </" + open.back() + ">");
        at = end + close.size();
        if (comment) continue;
        const std::string tag = text.substr(begin, at - begin);
        std::size_t i = 1;
        // The tag's last character is >: neither a blank, a letter nor a quote, so that all of these stop there.
        const auto skip = [&](char c) { return tag[i] == c && ++i; };
        const auto skip_blanks = [&] { i = tag.find_first_not_of(kBlanks, i); };
        const auto name = [&] {
            const auto from = i;
            i = tag.find_first_not_of(kLetters, i);
            return tag.substr(from, i - from);
        };
        const bool closes = skip('/');
        const std::string element = name();
        skip_blanks();
        if (closes) {
            if (element != open.back() || tag[i] != '>')  // the first tag opens: it begins with <svg
                refuse("</" + element + ">, but <" + open.back() + "> is open");
            open.pop_back();
        } else {
            if (kElements.count(element) == 0) refuse("<" + (element.empty() ? tag.substr(1, 10) : element) + ">");
            if (!open.empty() && (open.back() == "title" || open.back() == "desc"))
                refuse("<" + element + "> in <" + open.back() + ">");  // a browser takes it for HTML there
            for (; tag[i] != '>' && tag.compare(i, 2, "/>") != 0; skip_blanks()) {
                const std::string attribute = name();
                skip_blanks();
                const bool has_value = skip('=');
                skip_blanks();
                const auto quote = tag[i];
                const auto last = quote == '"' || quote == '\'' ? tag.find(quote, i + 1) : std::string::npos;
                if (!has_value || kAttributes.count(attribute) == 0 || last == std::string::npos ||
                    !is_of_this_figure(attribute, tag.substr(i + 1, last - i - 1)))
                    refuse("<" + element + " " + attribute + "=…>");
                i = last + 1;
            }
            if (tag[i] == '>') open.push_back(element);
        }
        svg += tag;
    } while (!open.empty());
    if (text.find_first_not_of(kBlanks, at) != std::string::npos) refuse("text behind </svg>");
    return svg;
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
        else if (static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t')
            html += c;
        else
            html += "\ufffd";  // HTML has no such character
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
    return drawn_svg(text, begin, file);
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
