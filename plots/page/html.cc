// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/html.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
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

/// Reads an SVG of gnuplot or dot, strictly: a page holds elements and attributes that these draw, and nothing else. So
/// no browser finds anything in it but shapes and texts, however it reads what is not well-formed.
class DrawnSvg {
  public:
    DrawnSvg(const std::string& text, std::size_t begin, const std::string& file)
        : text_(text), file_(file), at_(begin), shown_(begin) {}

    /// Without comments, which HTML ends elsewhere than XML does. @throws InputError
    std::string element() {
        do {
            if (text_.compare(at_, 4, "<!--") == 0)
                skip_comment();
            else if (text_.compare(at_, 2, "</") == 0)
                close();
            else
                open();
            if (!open_.empty()) at_ = std::min(text_.find('<', at_), text_.size());
        } while (!open_.empty());
        show();
        if (text_.find_first_not_of(" \t\r\n", at_) != std::string::npos) refuse("text behind </svg>");
        return svg_;
    }

  private:
    [[noreturn]] void refuse(const std::string& found) const {
        throw InputError(file_ + ": found " + found + ", expected what watershed plot or draw writes");
    }

    void show() { svg_ += text_.substr(shown_, at_ - shown_); }

    void skip_comment() {
        show();
        const auto end = text_.find("-->", at_);
        if (end == std::string::npos) refuse("a comment without an end");
        at_ = shown_ = end + 3;
    }

    /// The letters from here to the first other one.
    std::string name() {
        const auto begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                      (text_[at_] != '\0' && std::strchr(":-_", text_[at_]))))
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    bool skip(const std::string& word) {
        if (text_.compare(at_, word.size(), word) != 0) return false;
        at_ += word.size();
        return true;
    }

    void close() {
        at_ += 2;
        const std::string closed = name();
        skip_blanks();
        if (closed != open_.back() || !skip(">"))
            refuse("</" + closed + ">" + (at_ < text_.size() ? ", but <" + open_.back() + "> is open" : ""));
        open_.pop_back();
    }

    void open() {
        static const std::set<std::string> kElements{
            "svg",     "title", "desc",   "g",    "defs",    "rect",        "circle",  "ellipse", "line", "polyline",
            "polygon", "path",  "filter", "text", "feFlood", "feComposite", "pattern", "use",     "tspan"};
        if (!skip("<")) refuse("no </" + open_.back() + ">");
        const std::string element = name();
        if (kElements.count(element) == 0) refuse("<" + (element.empty() ? text_.substr(at_, 10) : element) + ">");
        if (!open_.empty() && (open_.back() == "title" || open_.back() == "desc"))
            refuse("<" + element + "> in <" + open_.back() + ">");  // a browser takes it for HTML there
        for (skip_blanks(); !skip(">"); skip_blanks()) {
            if (skip("/>")) return;
            read_attribute(element);
        }
        open_.push_back(element);
    }

    void read_attribute(const std::string& element) {
        static const std::set<std::string> kAttributes{"class",
                                                       "color",
                                                       "cx",
                                                       "cy",
                                                       "d",
                                                       "fill",
                                                       "fill-opacity",
                                                       "filterUnits",
                                                       "flood-color",
                                                       "flood-opacity",
                                                       "font-family",
                                                       "font-size",
                                                       "font-style",
                                                       "font-weight",
                                                       "height",
                                                       "id",
                                                       "in",
                                                       "in2",
                                                       "operator",
                                                       "patternUnits",
                                                       "points",
                                                       "r",
                                                       "result",
                                                       "rx",
                                                       "ry",
                                                       "shape-rendering",
                                                       "stroke",
                                                       "stroke-dasharray",
                                                       "stroke-linecap",
                                                       "stroke-linejoin",
                                                       "stroke-opacity",
                                                       "stroke-width",
                                                       "style",
                                                       "text-anchor",
                                                       "transform",
                                                       "viewBox",
                                                       "width",
                                                       "x",
                                                       "x1",
                                                       "x2",
                                                       "xlink:href",
                                                       "xml:space",
                                                       "xmlns",
                                                       "xmlns:xlink",
                                                       "y",
                                                       "y1",
                                                       "y2"};
        const std::string attribute = name();
        const auto refuse_it = [&] { refuse("<" + element + " " + attribute + "=…>"); };
        skip_blanks();
        if (kAttributes.count(attribute) == 0 || !skip("=")) refuse_it();
        skip_blanks();
        if (at_ >= text_.size()) refuse_it();
        const char quote = text_[at_];
        const auto end = text_.find(quote, at_ + 1);
        if ((quote != '"' && quote != '\'') || end == std::string::npos) refuse_it();
        std::string value = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        // A name of a part of this figure, and nothing that is spelled in another way.
        const bool elsewhere = attribute == "xlink:href" && value.compare(0, 1, "#") != 0;
        bool foreign = elsewhere || value.find_first_of("<>&\\@") != std::string::npos;
        for (auto url = value.find("url"); url != std::string::npos; url = value.find("url", url + 1))
            foreign = foreign || value.compare(url, 5, "url(#") != 0;
        if (attribute == "style") {  // of lines, areas and letters, but not of where they are on the page
            std::istringstream declarations(value);
            for (std::string each; std::getline(declarations, each, ';');) {
                const auto first = std::min(each.find_first_not_of(' '), each.size());
                foreign = foreign || (each.compare(first, 6, "stroke") != 0 && each.compare(first, 4, "fill") != 0 &&
                                      each.compare(first, 6, "filter") != 0 && each.compare(first, 4, "font") != 0);
            }
        }
        if (foreign) refuse_it();
    }

    const std::string &text_, &file_;
    std::size_t at_, shown_;  ///< where it reads, and from where on nothing is in `svg_`
    std::vector<std::string> open_;
    std::string svg_;
};

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
    return DrawnSvg(text, begin, file).element();
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
