// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/json-file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace watershed {
namespace {

std::string contents_of(const std::string& file) {
    if (std::error_code ignored; std::filesystem::is_directory(file, ignored))
        throw InputError(file + ": cannot be read: it is a folder");
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    return text.str();
}

/// @param byte  the last that was read, from 1
[[noreturn]] void refuse_json(const std::string& file, const std::string& text, std::size_t byte) {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) throw InputError(file + ": the file is empty, expected JSON");
    const std::size_t at = byte == 0 ? 0 : byte - 1;
    const std::size_t line =
        1 + static_cast<std::size_t>(
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(at, end)), '\n'));
    const std::string place = file + ":" + std::to_string(line) + ": ";
    if (at > end) throw InputError(place + "found the end of the file, expected the rest of the JSON");
    const std::size_t before = text.rfind('\n', at);
    const std::string column = std::to_string(before == std::string::npos ? at + 1 : at - before);
    throw InputError(place + "found \"" + std::string(1, text[at]) + "\" in column " + column + ", expected JSON");
}

}  // namespace

template <class Json>
Json read_json(const std::string& file) {
    const std::string text = contents_of(file);
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        refuse_json(file, text, error.byte);
    }
}

template nlohmann::json read_json(const std::string& file);
template nlohmann::ordered_json read_json(const std::string& file);

std::string found_in(const nlohmann::json::exception& error) {
    const std::string text = error.what();
    std::smatch words;
    if (std::regex_search(text, words, std::regex("key '(.*)' not found")))
        return "found no \"" + words[1].str() + "\"";
    if (std::regex_search(text, words, std::regex("(?:but is|with) (null|object|array|string|boolean|number)$")))
        return "found " +
               std::string(words[1] == "null"                            ? ""
                           : words[1] == "object" || words[1] == "array" ? "an "
                                                                         : "a ") +
               words[1].str();
    if (text.find("out_of_range.401") != std::string::npos) return "found too short an array";
    return "found something else";
}

}  // namespace watershed
