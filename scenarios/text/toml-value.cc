// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/toml-value.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "scenarios/text/input-error.h"
#include "scenarios/text/input-file.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/toml-memory.h"

namespace watershed {

KeyValue value_of(const toml::node& node) {
    if (const auto* b = node.as_boolean()) return b->get();
    if (const auto* i = node.as_integer()) return i->get();
    if (const auto* d = node.as_floating_point()) return d->get();
    if (const auto* s = node.as_string()) return s->get();
    if (const auto* array = node.as_array()) {
        if (!array->empty() && array->is_homogeneous<std::int64_t>()) {
            std::vector<std::int64_t> integers;
            for (const toml::node& element : *array) integers.push_back(element.as_integer()->get());
            return integers;
        }
        std::vector<std::string> list;
        for (const toml::node& element : *array) {
            const auto* s = element.as_string();
            if (!s)
                throw std::invalid_argument(
                    "found a list of mixed members, expected integers, or values with units in quotes");
            list.push_back(s->get());
        }
        return list;
    }
    throw std::invalid_argument("found a date or time of day, expected another kind of value");
}

namespace {

/// Returns an error of the library, in this program's words if it is a frequent one.
std::string in_our_words(const std::string& complaint) {
    std::smatch words;
    if (std::regex_match(complaint, words, std::regex("(?:Error while parsing (.*): )?expected (.*), saw (.*)"))) {
        const std::string part = words[1], found = words[3] == "'\\n'" ? "the end of the line" : words[3].str();
        for (const char* bare : {"integer", "floating-point", "boolean", "date", "time"})
            if (part.find(bare) != std::string::npos)
                return "found a value without quotes, expected a number, true, false, or text and values with units in "
                       "quotes: \"1024 B\"";
        if (words[2] == "a comment or whitespace")
            return "found " + found +
                   " behind a value, expected the end of the line; text and values with units are in quotes: \"1024 "
                   "B\"";
        return "found " + found +
               (part.empty() || part == "root table"
                    ? ""
                    : std::string(" in a") + (part.front() == 'i' || part.front() == 'a' ? "n " : " ") + part) +
               ", expected " + words[2].str();
    }
    if (std::regex_match(complaint, words, std::regex("Error while parsing (.*): encountered end-of-file")))
        return "found the end of the file in the middle, expected the end of the " + words[1].str();
    if (std::regex_search(complaint, words, std::regex("cannot redefine existing .*'(.*)'")))
        return words[1].str() + ": found a second time, expected once";
    if (std::regex_search(complaint, words, std::regex("unknown escape sequence '(.*)'")))
        return "found " + words[1].str() + " in a string, expected two backslashes for one";
    if (complaint.find("unescaped control characters") != std::string::npos)
        return "found the end of the line, or a control character, in a string, expected a quotation mark";
    if (complaint.find("invalid utf-8") != std::string::npos)
        return "found bytes that are no text (UTF-8), expected TOML";
    return "found no TOML: " + complaint;
}

/// Refuses keys of more parts than any table needs: the library descends into each part, until its stack is full.
void expect_short_keys(const std::string& text, const std::string& file) {
    constexpr int kMostParts = 256;
    char quote = 0;
    int parts = 1, line = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            quote = 0, parts = 1, ++line;
        } else if (quote != 0) {
            if (c == '\\' && quote == '"' && i + 1 < text.size() && text[i + 1] != '\n')
                ++i;
            else if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#') {
            i = std::min(text.find('\n', i), text.size()) - 1;
        } else if (c == '.') {
            if (++parts > kMostParts)
                throw InputError(file + ":" + std::to_string(line) + ": found a key of more than " +
                                 std::to_string(kMostParts) + " parts, expected one such as switch.buffer.size");
        } else if (c == ',' || c == '{' || c == '[' || c == '=') {
            parts = 1;
        }
    }
}

/// Tables that were read during a TomlMemory, by file.
std::optional<std::map<std::string, toml::table>>& remembered() {
    static std::optional<std::map<std::string, toml::table>> tables;
    return tables;
}

toml::table parse_file(const std::string& file) {
    OutputFile::note_input(file);
    expect_an_end(file);
    std::ifstream in(file);
    std::stringstream text;
    if (std::error_code ignored; std::filesystem::is_directory(file, ignored))
        throw InputError(file + ": cannot be read: it is a folder");
    if (in) text << in.rdbuf();
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    expect_short_keys(text.str(), file);
    try {
        return toml::parse(text.str(), file);
    } catch (const toml::parse_error& error) {
        throw InputError(file + ":" + std::to_string(error.source().begin.line) + ": " +
                         in_our_words(std::string(error.description())));
    }
}

}  // namespace

TomlMemory::TomlMemory() : is_outermost_(!remembered()) {
    if (is_outermost_) remembered().emplace();
}

TomlMemory::~TomlMemory() {
    if (is_outermost_) remembered().reset();
}

toml::table override_value(const std::string& text) {
    expect_short_keys(text, "--set");
    try {
        toml::table parsed = toml::parse("value = " + text + "\n");
        if (parsed.size() == 1 && parsed.contains("value")) return parsed;
    } catch (const toml::parse_error&) {
        // text without quotes
    }
    return toml::table{{"value", text}};
}

bool take_out(toml::table& table, const std::string& name) {
    const auto dot = name.rfind('.');
    if (dot == std::string::npos) return table.erase(name) != 0;
    auto* inner = table.at_path(name.substr(0, dot)).as_table();
    return inner && inner->erase(name.substr(dot + 1)) != 0;
}

toml::table read_toml(const std::string& file) {
    if (!remembered()) return parse_file(file);
    const auto known = remembered()->find(file);
    return known != remembered()->end() ? known->second : remembered()->emplace(file, parse_file(file)).first->second;
}

}  // namespace watershed
