// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/csv.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <istream>
#include <ostream>
#include <stdexcept>

#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Words = std::vector<std::string>;

/// "Worst trigger lateness [ns]" has the words worst, trigger, lateness, ns.
Words words_of(std::string_view name) {
    Words words;
    bool within = false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte)) {
            if (!within) words.emplace_back();
            words.back() += static_cast<char>(std::tolower(byte));
        }
        within = std::isalnum(byte);
    }
    return words;
}

bool is_unit(const std::string& word) {
    static constexpr std::array<std::string_view, 12> kUnits{
        "ps", "ns", "us", "ms", "s", "sec", "seconds", "nanoseconds", "microseconds", "b", "byte", "bytes"};
    return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

struct Alias {
    std::string_view word, meant;
};
// German and French among them: spreadsheets with decimal commas come from there.
constexpr std::array<Alias, 35> kAliases{
    {{"late", "lateness"},      {"max", "worst"},           {"sep", "separation"},
     {"spacing", "separation"}, {"interval", "separation"}, {"rx", "received"},
     {"recv", "received"},      {"rcvd", "received"},       {"tx", "sent"},
     {"sends", "sent"},         {"port", "ports"},          {"modules", "ports"},
     {"inputs", "ports"},       {"senders", "ports"},       {"event", "events"},
     {"triggers", "events"},    {"uplink", "uplinks"},      {"packets", "frames"},
     {"pkts", "frames"},        {"burst", "events"},        {"abstand", "separation"},
     {"ecart", "separation"},   {"ereignisse", "events"},   {"evenements", "events"},
     {"nutzlast", "payload"},   {"charge", "payload"},      {"gesendet", "sent"},
     {"envoyees", "sent"},      {"emises", "sent"},         {"empfangen", "received"},
     {"recues", "received"},    {"verloren", "lost"},       {"perdues", "lost"},
     {"dropped", "lost"},       {"module", "ports"}}};

/// Returns the usual word for an alias, and any other word unchanged.
std::string usual(const std::string& word) {
    for (const Alias& alias : kAliases)
        if (alias.word == word) return std::string(alias.meant);
    return word;
}

/// Returns true if a column's name has usual words and units alone.
bool is_usual(const std::string& column) {
    const Words words = words_of(column);
    return !words.empty() && std::all_of(words.begin(), words.end(), [](const std::string& word) {
        return is_unit(word) || std::any_of(kAliases.begin(), kAliases.end(), [&](const Alias& alias) {
                   return alias.word == word || alias.meant == word;
               });
    });
}

bool alike(const std::string& a, const std::string& b) {
    constexpr std::size_t kLettersPerSlip = 4;
    return usual(a) == usual(b) || edits(a, b) <= std::max(a.size(), b.size()) / kLettersPerSlip;
}

/// Cells with commas between them; in quotation marks what has a comma or such a mark itself.
void write_cells(std::ostream& out, const std::vector<std::string>& cells) {
    const char* separator = "";
    for (const std::string& text : cells) {
        const std::string cell = one_line(text);
        const bool plain = cell.find_first_of(",\"") == std::string::npos;
        out << separator << (plain ? cell : '"' + boost::replace_all_copy(cell, "\"", "\"\"") + '"');
        separator = ",";
    }
    out << '\n';
}

}  // namespace

std::string comment_line(const std::string& text) { return "# " + one_line(text) + '\n'; }

std::optional<std::string> likely_column(std::string_view name, const std::vector<std::string>& known) {
    const auto without_units = [](Words words) {
        words.erase(std::remove_if(words.begin(), words.end(), is_unit), words.end());
        return words;
    };
    const Words found = without_units(words_of(name));
    if (found.empty()) return std::nullopt;
    const std::string* best = nullptr;
    std::size_t most = 0;
    for (const std::string& column : known) {
        const Words wanted = without_units(words_of(column));
        // Each word of the name must be one of the column's; the last is what the column is about.
        const auto of_column = [&](const std::string& word) {
            return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) { return alike(word, one); });
        };
        const auto shared = static_cast<std::size_t>(std::count_if(found.begin(), found.end(), of_column));
        if (shared == found.size() && alike(found.back(), wanted.back()) && shared > most)
            best = &column, most = shared;
    }
    return best ? std::make_optional(*best) : std::nullopt;
}

namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// Cells between separators, commas unless told otherwise; in quotation marks, as RFC 4180 has it, a separator is text
/// and two marks are one. Nothing if a mark is not closed.
std::optional<std::vector<std::string>> split(std::string_view line, char separator) {
    std::vector<std::string> cells;
    std::string cell;
    bool quoted = false, was_quoted = false;
    const auto finish = [&] {
        cells.push_back(was_quoted ? cell : trimmed(cell));
        cell.clear();
        was_quoted = false;
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            cell += line[++i];
        } else if (c == '"' && (quoted || trimmed(cell).empty())) {
            if (!quoted) cell.clear();
            quoted = !quoted;
            was_quoted = true;
        } else if (c == separator && !quoted) {
            finish();
        } else if (quoted || !was_quoted || (c != ' ' && c != '\t' && c != '\r')) {
            cell += c;
        }
    }
    if (quoted) return std::nullopt;
    finish();
    return cells;
}

/// Returns the separator that a header has most of, a comma if in doubt.
char separator_of(const std::string& header) {
    char most = ',';
    for (const char one : {';', '\t'})
        if (std::count(header.begin(), header.end(), one) > std::count(header.begin(), header.end(), most)) most = one;
    return most;
}

/// Returns text of Windows' code page 1252 as UTF-8; std::nullopt if it is UTF-8 already.
std::optional<std::string> from_windows(const std::string& text) {
    bool is_utf8 = true;
    for (std::size_t i = 0; i < text.size() && is_utf8; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const int more = byte < 0x80 ? 0 : byte >= 0xC2 && byte < 0xE0 ? 1 : byte >= 0xE0 && byte < 0xF0 ? 2 : 3;
        is_utf8 = more < 3 || (byte >= 0xF0 && byte < 0xF5);
        for (int k = 0; k < more && is_utf8; ++k)
            is_utf8 = ++i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
    }
    if (is_utf8) return std::nullopt;
    static constexpr std::array<unsigned, 32> kFrom0x80{0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,
                                                        0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};
    std::string utf8;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const unsigned code = byte >= 0x80 && byte < 0xA0 ? kFrom0x80[byte - 0x80] : byte;
        if (code >= 0x800) utf8 += static_cast<char>(0xE0 | (code >> 12));
        if (code >= 0x80) utf8 += static_cast<char>(code >= 0x800 ? 0x80 | ((code >> 6) & 0x3F) : 0xC0 | (code >> 6));
        utf8 += static_cast<char>(code >= 0x80 ? 0x80 | (code & 0x3F) : code);
    }
    return utf8;
}

}  // namespace

std::string with_point(std::string cell) {
    if (const auto comma = cell.find(','); comma != std::string::npos &&
                                           cell.find_first_not_of("0123456789,+-eE") == std::string::npos &&
                                           cell.find(',', comma + 1) == std::string::npos)
        cell[comma] = '.';
    return cell;
}

CsvTable CsvTable::read(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    return read(in, file);
}

CsvTable CsvTable::read(std::istream& input, const std::string& name) {
    std::string whole{std::istreambuf_iterator<char>(input), {}};
    if (input.bad()) throw InputError(name + ": cannot be read");
    const std::optional<std::string> converted = from_windows(whole);
    if (converted) whole = *converted;
    char separator = ',';
    bool decimal_commas = false;
    CsvTable table;
    table.name_ = name;
    table.text_.reserve(whole.size());
    std::string text, comment;
    int line = 0;
    for (std::size_t at = 0; at < whole.size();) {
        const std::size_t end = std::min(whole.find('\n', at), whole.size());
        text.assign(whole, at, end - at);
        at = end + 1, ++line;
        if (separator != '\t') text = trimmed(text);  // else the last cells may be empty
        if (line == 1 && text.rfind("\xEF\xBB\xBF", 0) == 0)
            text.erase(0, 3);  // spreadsheets begin with a byte order mark
        if (trimmed(text).empty() || text.front() == '#') {
            comment = text;
            continue;
        }
        if (table.columns_.empty() && (text.front() == '{' || text.front() == '['))
            throw InputError(name + ":" + std::to_string(line) +
                             ": found JSON or TOML, expected a table (CSV) that begins with the names of its columns");
        const std::string here = name + ":" + std::to_string(line) + ": ";
        if (text.find('\0') != std::string::npos)
            throw InputError(here + "found a zero byte, expected plain text (UTF-8)");
        if (table.columns_.empty()) separator = separator_of(text);
        std::optional<std::vector<std::string>> found = split(text, separator);
        if (!found)
            throw InputError(here + "found a quotation mark that is not closed, expected its end on the same line");
        std::vector<std::string>& cells = *found;
        if (table.columns_.empty()) {
            table.columns_ = std::move(cells), table.header_ = line;
            continue;
        }
        if (cells.size() != table.columns_.size())
            throw InputError(name + ":" + std::to_string(line) + ": found " + std::to_string(cells.size()) +
                             (cells.size() == 1 ? " cell" : " cells") + ", expected " +
                             std::to_string(table.columns_.size()) + " as in the header");
        if (separator != ',')
            for (std::string& cell : cells)
                if (const std::string pointed = with_point(cell); pointed != cell) {
                    decimal_commas = true;
                    // Three digits behind it may be thousands: who reads the column knows.
                    if (pointed.find('.') + 4 != cell.size()) cell = pointed;
                }
        table.add(line, cells, std::exchange(comment, {}));
    }
    if (table.columns_.empty()) throw InputError(name + ": the file is empty, expected a header line");
    if (separator != ',') table.looks_ = separator == ';' ? "semicolon-separated" : "tab-separated";
    if (decimal_commas) table.looks_ += " with decimal commas";
    if (converted) table.looks_ += (table.looks_.empty() ? "" : ", ") + std::string("in Windows' code page 1252");
    return table;
}

CsvTable::Row CsvTable::row(std::size_t i) const {
    const auto comment = comments_.find(i);
    return {lines_[i], {*this, i}, comment == comments_.end() ? "" : comment->second};
}

void CsvTable::add(int line, const std::vector<std::string>& cells, const std::string& comment) {
    if (!comment.empty()) comments_[lines_.size()] = comment;
    lines_.push_back(line);
    for (const std::string& cell : cells) ends_.push_back((text_ += cell).size());
}

CsvTable CsvTable::with(std::vector<std::string> columns,
                        const std::function<std::vector<std::string>(const Row&)>& cells) const {
    CsvTable table;
    table.name_ = name_;
    table.columns_ = std::move(columns), table.header_ = header_, table.looks_ = looks_;
    for (const Row& row : rows()) table.add(row.line, cells(row), row.comment);
    return table;
}

std::optional<std::size_t> CsvTable::find_column(std::string_view column) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i] != column) continue;
        if (found) throw InputError(name_ + ": found two columns " + std::string(column) + ", expected one");
        found = i;
    }
    return found;
}

std::size_t CsvTable::column(std::string_view column) const {
    if (const auto found = find_column(column)) return *found;
    std::string hint;
    for (const std::string& name : columns_)
        if (hint.empty() && likely_column(name, {std::string(column)}))
            hint = "; is " + name + " meant? Expected the name " + std::string(column) + ", and its unit";
    throw InputError(name_ + ": column " + std::string(column) + " is missing, found " + found_columns() + hint);
}

std::string CsvTable::found_columns() const {
    if (std::any_of(columns_.begin(), columns_.end(), is_usual)) return listed(columns_, ",");
    return "none of the usual names in line " + std::to_string(header_);
}

void CsvTable::write(std::ostream& out) const {
    write_cells(out, columns_);
    for (const Row& row : rows()) write_cells(out, row.cells.all());
}

std::int64_t CsvTable::integer(const Row& row, std::size_t column, std::int64_t least) const {
    const std::string cell = row.cells[column];
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size() || value < least)
        refuse(row, column,
               "an integer of at least " + std::to_string(least) +
                   (error == std::errc::result_out_of_range ? ", of at most 18 digits" : ""));
    return value;
}

Time CsvTable::microseconds(const Row& row, std::size_t column, const std::string& expected) const {
    try {
        return parse_microseconds(row.cells[column]);
    } catch (const std::invalid_argument&) {
        refuse(row, column, expected);
    }
}

void CsvTable::refuse(const Row& row, std::size_t column, const std::string& expected) const {
    throw InputError(name_ + ":" + std::to_string(row.line) + ": " + columns_[column] + ": found \"" +
                     row.cells[column] + "\", expected " + expected);
}

}  // namespace watershed
