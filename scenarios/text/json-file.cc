// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/json-file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "scenarios/text/input-file.h"

namespace watershed {
namespace {

std::string contents_of(const std::string& file) {
    if (std::error_code ignored; std::filesystem::is_directory(file, ignored))
        throw InputError(file + ": cannot be read: it is a folder");
    expect_an_end(file);
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

/// Builds a document as it is read.
class ExactJson {
  public:
    explicit ExactJson(const std::string& file, const std::string& text) : file_(file), text_(text) {}

    bool null() { return put(nullptr); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(std::int64_t value) { return put(value); }
    bool number_unsigned(std::uint64_t value) { return put(value); }
    bool number_float(double, const std::string& digits) { return put(digits); }
    bool string(const std::string& value) { return put(value); }
    bool binary(const nlohmann::json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(nlohmann::json::object()); }
    bool start_array(std::size_t) { return open(nlohmann::json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(const std::string& name) {
        if (open_.back()->contains(name)) throw InputError(file_, name, "found twice in one object, expected it once");
        key_ = name;
        return true;
    }
    [[noreturn]] bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception&) {
        refuse_json(file_, text_, byte);
    }

    nlohmann::json whole;

  private:
    nlohmann::json& place() {
        if (open_.empty()) return whole;
        if (open_.back()->is_object()) return (*open_.back())[key_];
        open_.back()->push_back(nullptr);
        return open_.back()->back();
    }
    bool put(nlohmann::json value) {
        place() = std::move(value);
        return true;
    }
    bool open(nlohmann::json empty) {
        nlohmann::json& here = place();
        here = std::move(empty);
        open_.push_back(&here);
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const std::string &file_, &text_;
    std::vector<nlohmann::json*>
        open_;  ///< open objects and arrays; only the last element of an array is open, so none moves
    std::string key_;
};

}  // namespace

nlohmann::json read_exact_json(const std::string& file) {
    const std::string text = contents_of(file);
    ExactJson json(file, text);
    nlohmann::json::sax_parse(text, &json);
    return json.whole;
}

template <class Json>
Json read_json(const std::string& file) {
    const std::string text = contents_of(file);
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        refuse_json(file, text, error.byte);
    } catch (const nlohmann::json::out_of_range&) {
        throw InputError(file + ": found a number that is too large for any quantity, expected JSON with smaller ones");
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
