// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/measured-table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "scenarios/text/csv.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"

namespace watershed {
namespace {

/// Meaning of a column of the table: `known`, in units of `factor`, or `known` minus `less`.
struct Meaning {
    std::string found;
    std::string known;
    std::string less;
    long double factor = 1;
};

const std::vector<std::string> kUsualColumns{"ports",  "payload_bytes", "separation_us",
                                             "events", "frames_sent",   "frames_received"};
const std::vector<std::string> kFurtherColumns{"worst_trigger_lateness_us",
                                               "congested_uplinks",
                                               "switch",
                                               "frame_bytes",
                                               "max_burst_lossless_frames",
                                               "drops_at_burst_plus_1",
                                               "quantity",
                                               "offered_bps",
                                               "output_bps",
                                               "t_first_drop_us",
                                               "delay_us"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string without_blanks(const std::string& text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<long double> number(const std::string& text) {
    char* end = nullptr;
    const long double value = std::strtold(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
    return value;
}

const std::string& usual_name(const std::string& name) {
    for (const auto* names : {&kUsualColumns, &kFurtherColumns})
        if (const auto at = std::find(names->begin(), names->end(), name); at != names->end()) return *at;
    std::vector<std::string> all = kUsualColumns;
    all.insert(all.end(), kFurtherColumns.begin(), kFurtherColumns.end());
    throw InputError("--columns: found \"" + name + "\", expected one of " + listed(all) + did_you_mean(name, all));
}

/// @param said  "separation_us*0.001", "frames_sent-frames_received" or a name alone
Meaning meaning_of(const std::string& found, const std::string& said) {
    Meaning meaning{without_blanks(found), said, {}, 1};
    if (const auto times = said.find('*'); times != std::string::npos) {
        meaning.known = said.substr(0, times);
        const std::string factor = without_blanks(said.substr(times + 1));
        const auto value = number(factor);
        if (!value || *value <= 0)
            throw InputError("--columns: " + meaning.found + ": found the factor \"" + factor +
                             "\", expected a positive number such as 0.001");
        meaning.factor = *value;
    } else if (const auto minus = said.find('-'); minus != std::string::npos) {
        meaning.known = said.substr(0, minus);
        meaning.less = usual_name(without_blanks(said.substr(minus + 1)));
    }
    meaning.known = usual_name(without_blanks(meaning.known));
    return meaning;
}

std::vector<Meaning> meanings_of(const std::string& columns) {
    std::vector<Meaning> meanings;
    if (std::filesystem::path(columns).extension() == ".toml") {
        for (const auto& [name, value] : read_toml(columns)) {
            const auto said = value.value<std::string>();
            if (!said)
                throw InputError(columns + ": " + std::string(name.str()) +
                                 ": expected text such as \"separation_us*0.001\"");
            meanings.push_back(meaning_of(std::string(name.str()), *said));
        }
        return meanings;
    }
    for (std::size_t begin = 0; begin <= columns.size();) {
        const std::size_t end = std::min(columns.find(',', begin), columns.size());
        const std::string item = columns.substr(begin, end - begin);
        const auto equals = item.rfind('=');
        if (equals == std::string::npos)
            throw InputError("--columns: found \"" + item +
                             "\", expected NAME=COLUMN, such as \"sep (ns)=separation_us*0.001\"");
        meanings.push_back(meaning_of(item.substr(0, equals), item.substr(equals + 1)));
        begin = end + 1;
    }
    return meanings;
}

/// To the picosecond of a time in microseconds; a whole number without decimals.
std::string number_text(long double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.6Lf", value);
    std::string trimmed = text;
    trimmed.erase(trimmed.find_last_not_of('0') + 1);
    if (trimmed.back() == '.') trimmed.pop_back();
    return trimmed;
}

/// Columns that hold whole numbers, in which a comma or point can only stand between thousands.
bool is_count(const std::string& usual) {
    return usual != "separation_us" && usual != "worst_trigger_lateness_us" && contains(kUsualColumns, usual);
}

/// "88.000" or "1,234,567"
bool has_thousands(const std::string& cell) {
    static const std::regex kThousands("[0-9]{1,3}([.,][0-9]{3})+");
    return std::regex_match(cell, kThousands);
}

CsvTable translated(const CsvTable& table, const std::vector<Meaning>& meanings) {
    std::map<std::size_t, const Meaning*> at;
    std::vector<std::string> columns = table.columns();
    for (const Meaning& meaning : meanings) {
        const auto place = table.find_column(meaning.found);
        if (!place)
            throw InputError("--columns: " + meaning.found + ": " + table.name() + " has no such column, found " +
                             table.found_columns() + did_you_mean(meaning.found, table.columns()));
        if (!at.emplace(*place, &meaning).second)
            throw InputError("--columns: " + meaning.found + ": found twice, expected once");
        if (meaning.less.empty()) columns[*place] = meaning.known;
    }
    for (const auto& [place, meaning] : at)
        if (!meaning->less.empty()) {
            if (contains(columns, meaning->known) == contains(columns, meaning->less))
                throw InputError("--columns: " + meaning->found + ": expected one of the columns " + meaning->known +
                                 " and " + meaning->less + " in " + table.name());
            columns[place] =
                contains(columns, meaning->known) ? meaning->less : meaning->known;  // the other one follows
        }
    return table.with(columns, [&](const CsvTable::Row& row) {
        std::vector<std::string> translation;
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (is_count(columns[i]) && has_thousands(row.cells[i]))
                table.refuse(row, i, "a whole number without points or commas between its thousands");
            translation.push_back(with_point(row.cells[i]));
        }
        for (const auto& [place, meaning] : at)
            if (const auto value = number(translation[place]); value && meaning->less.empty())
                translation[place] = number_text(*value * meaning->factor);
        for (const auto& [place, meaning] : at) {
            if (meaning->less.empty()) continue;
            const bool less_is_told = columns[place] == meaning->less;
            const std::string& partner = less_is_told ? meaning->known : meaning->less;
            const auto difference = number(translation[place]);
            const auto other = number(translation[static_cast<std::size_t>(
                std::find(columns.begin(), columns.end(), partner) - columns.begin())]);
            if (!difference || !other) table.refuse(row, place, "a number, and one in the column of " + partner);
            translation[place] = number_text(less_is_told ? *other - *difference : *other + *difference);
        }
        return translation;
    });
}

/// The unit that a column's name states, in that of the usual column; 1 where it states none.
std::string factor_in(const std::string& name) {
    struct Unit {
        const char *word, *factor;
    };
    static constexpr Unit kUnits[]{{"ns", "0.001"},  {"nanoseconds", "0.001"}, {"ps", "0.000001"},     {"ms", "1000"},
                                   {"s", "1000000"}, {"sec", "1000000"},       {"seconds", "1000000"}, {"kb", "1000"}};
    std::string word;
    const char* factor = nullptr;
    for (const char c : name + " ") {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || byte >= 0x80) {
            word += static_cast<char>(std::tolower(byte));
            continue;
        }
        for (const Unit& unit : kUnits)
            if (word == unit.word) factor = unit.factor;
        word.clear();
    }
    return factor ? std::string("*") + factor : "";
}

/// A column's name without what says only that it counts: "n frames sent" is about what was sent.
std::string without_counters(const std::string& name) {
    std::string kept;
    std::istringstream words(name);
    for (std::string word; words >> word;) {
        std::string lower;
        for (const char c : word)
            if (std::isalnum(static_cast<unsigned char>(c)))
                lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        static const std::set<std::string> kCounters{"n",      "no",      "nr",     "number", "num",  "count", "of",
                                                     "frames", "packets", "anzahl", "nombre", "de",   "der",   "trames",
                                                     "pakete", "paquets", "rahmen", "frame",  "total"};
        if (kCounters.count(lower) == 0) kept += (kept.empty() ? "" : " ") + word;
    }
    return kept;
}

/// A burst-absorption table, or one of thresholds or overloads, which are no loss maps.
bool is_of_another_kind(const std::vector<std::string>& columns) {
    return contains(columns, "frame_bytes") || contains(columns, "quantity") || contains(columns, "t_first_drop_us");
}

/// Suggested text of --columns for a table, and the usual columns that are still missing.
struct Guess {
    std::string said;
    std::vector<std::string> missing;

    std::string advice() const {
        const std::string others = listed(
            missing, [](const std::string& name) { return "NAME=" + name; }, ",");
        if (said.empty() && !missing.empty()) return "; say what its columns hold with --columns \"" + others + "\"";
        return "; try --columns \"" + (said.empty() ? "separation_us=separation_us" : said) + "\"" +
               (missing.empty() ? "" : ", and add " + others + " with the names of those columns");
    }
};

Guess guess(const std::vector<std::string>& columns) {
    // One column that keeps its name says enough here.
    if (is_of_another_kind(columns))
        for (const std::string name : {"quantity", "frame_bytes", "t_first_drop_us"})
            if (contains(columns, name)) return {name + "=" + name, {}};
    Guess guess;
    std::vector<std::string>& missing = guess.missing;
    for (const std::string& usual : kUsualColumns)
        if (!contains(columns, usual)) missing.push_back(usual);
    const auto likely = [](const std::string& column, const std::vector<std::string>& known) {
        const auto like = likely_column(column, known);
        return like ? like : likely_column(without_counters(column), known);
    };
    const auto take = [&](const std::string& column, const std::string& meaning, const std::string& usual) {
        guess.said += (guess.said.empty() ? "" : ",") + column + "=" + meaning;
        missing.erase(std::find(missing.begin(), missing.end(), usual));
    };
    for (const std::string& column : columns) {
        if (contains(kUsualColumns, column) || contains(kFurtherColumns, column) ||
            column.find_first_of(",=") != std::string::npos)
            continue;
        if (const auto like = likely(column, missing))
            take(column, *like + factor_in(column), *like);
        else if (contains(missing, "frames_received") &&
                 likely(column, {"frames_lost", "frames_dropped", "drops", "loss"}))
            take(column, "frames_sent-frames_received", "frames_received");
    }
    return guess;
}

}  // namespace

CsvTable read_measured_table(const std::string& file, const std::string& columns) {
    const CsvTable table = CsvTable::read(file);
    if (!columns.empty()) return translated(table, meanings_of(columns));
    const std::string here = file + ":" + std::to_string(table.header_line()) + ": ";
    const Guess guessed = guess(table.columns());
    if (!table.looks().empty()) throw InputError(here + "the table looks like " + table.looks() + guessed.advice());
    const bool complete = std::all_of(kUsualColumns.begin(), kUsualColumns.end(),
                                      [&](const std::string& column) { return table.find_column(column).has_value(); });
    if (complete || is_of_another_kind(table.columns()) || guessed.said.empty()) return table;
    throw InputError(here +
                     "not all columns have the usual names "
                     "(ports,payload_bytes,separation_us,events,frames_sent,frames_received)" +
                     guessed.advice());
}

}  // namespace watershed
