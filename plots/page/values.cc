// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/values.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "plots/page/html.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

struct Ending {
    const char* end;
    std::string (*shown)(double value);
};

/// Units by the end of a member's name; longer ends before the ends they contain.
const std::vector<Ending>& endings() {
    static const std::vector<Ending> all{
        {"bits_per_s",
         [](double value) {
             return value >= 1e9 ? readable(1e-9 * value, 5) + " Gb/s" : readable(1e-6 * value, 5) + " Mb/s";
         }},
        {"bits_per_second", [](double value) { return readable(value) + " bit/s"; }},
        {"frames_per_s", [](double value) { return readable(value, 5) + " frames/s"; }},  // as its interval has
        {"_per_s", [](double value) { return readable(value) + " per second"; }},
        {"_per_hour", [](double value) { return readable(value) + " per hour"; }},
        {"_per_night", [](double value) { return readable(value) + " per night"; }},
        {"_bytes", [](double value) { return readable_bytes(value); }},
        {"_frames", [](double value) { return readable(value, 9); }},
        {"_mbps", [](double value) { return readable(value) + " Mb/s"; }},
        {"_gbps", [](double value) { return readable(value) + " Gb/s"; }},
        {"_khz", [](double value) { return readable(value) + " kHz"; }},
        {"_hz", [](double value) { return readable(value) + " Hz"; }},
        {"_hours", [](double value) { return readable_seconds(3600 * value); }},
        {"_ms", [](double value) { return readable_seconds(1e-3 * value); }},
        {"_us", [](double value) { return readable_seconds(1e-6 * value); }},
        {"_ns", [](double value) { return readable_seconds(1e-9 * value); }},
        {"_s", [](double value) { return readable_seconds(value); }},
    };
    return all;
}

bool is_part(const std::string& name) {
    for (const char* each : {"utilisation", "load", "link_load", "fraction", "share"})
        if (name == each || ends_with(name, std::string("_") + each)) return true;
    return false;
}

bool is_flat(const Json& list) {
    return std::all_of(list.begin(), list.end(), [](const Json& each) { return each.is_primitive(); });
}

std::string list_in_words(const std::string& name, const Json& list) {
    constexpr std::size_t kMost = 200;
    std::string text;
    for (std::size_t i = 0; i < list.size() && i < kMost; ++i)
        text += (i > 0 ? (list[i].is_string() ? "; " : ", ") : "") + value_in_words(name, list[i]);
    if (list.size() > kMost) text += " … (" + readable_count(static_cast<std::int64_t>(list.size())) + " values)";
    return text;
}

}  // namespace

std::string table_of(const Json& list) {
    constexpr std::size_t kMost = 300;
    std::vector<std::string> names;
    std::vector<std::map<std::string, std::string>> rows;
    std::map<std::string, bool> is_text;
    for (const Json& each : list) {
        if (rows.size() == kMost) break;
        rows.emplace_back();
        const auto put = [&](const std::string& name, const std::string& key, const Json& value) {
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
            is_text[name] = is_text[name] || value.is_string() || value.is_array();
            rows.back()[name] = value_in_words(key, value);
        };
        if (!each.is_object()) {
            put("value", "value", each);
            continue;
        }
        for (const auto& [name, value] : each.items())
            if (value.is_object())
                for (const auto& [inner, of_inner] : value.items())
                    put(name_in_words(name) + " " + name_in_words(inner), inner, of_inner);
            else
                put(name_in_words(name), name, value);
    }
    // More columns than a page is wide stand in several tables, each with the first column before it.
    constexpr std::size_t kWidest = 9;
    std::string html;
    for (std::size_t begin = 0; begin < names.size(); begin += begin == 0 ? kWidest : kWidest - 1) {
        std::vector<std::string> shown(
            names.begin() + static_cast<std::ptrdiff_t>(begin),
            names.begin() +
                static_cast<std::ptrdiff_t>(std::min(names.size(), begin + (begin == 0 ? kWidest : kWidest - 1))));
        if (begin > 0) shown.insert(shown.begin(), names.front());
        std::vector<std::string> heads;
        for (const std::string& name : shown) heads.push_back((is_text[name] ? "<" : "") + name);
        Table table(heads);
        for (auto& row : rows) {
            std::vector<std::string> cells;
            for (const std::string& name : shown) cells.push_back(row[name]);
            table.add(cells);
        }
        if (list.size() > rows.size())
            table.add_note("The first " + readable_count(static_cast<std::int64_t>(rows.size())) + " of " +
                           readable_count(static_cast<std::int64_t>(list.size())) + "; the file has all.");
        html += table.html();
    }
    return html;
}

std::string name_in_words(const std::string& name) {
    std::string words = name;
    for (const Ending& each : endings())
        if (ends_with(name, each.end) && std::string(each.end) != "_frames" && std::string(each.end) != "_per_hour" &&
            std::string(each.end) != "_per_night") {
            words.erase(words.size() - std::string(each.end).size());
            break;
        }
    if (words.empty()) return name.compare(0, 4, "bits") == 0 ? "bits per second" : "frames per second";
    if (words.back() == '_') words.pop_back();
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string value_in_words(const std::string& name, const Json& value) {
    if (value.is_null()) return "–";
    if (value.is_string()) return value.get<std::string>().empty() ? "–" : value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number()) {
        const double number = value.get<double>();
        for (const Ending& each : endings())
            if (ends_with(name, each.end)) return each.shown(number);
        if (is_part(name)) return readable(100 * number, 3) + " %";
        if (value.is_number_integer()) return readable_count(value.get<std::int64_t>());
        return readable(number, 5);
    }
    if (value.is_array()) return list_in_words(name, value);
    std::string text;
    for (const auto& [inner, of_inner] : value.items())
        if (!of_inner.is_null())
            text += (text.empty() ? "" : ", ") + name_in_words(inner) + " " + value_in_words(inner, of_inner);
    return text.empty() ? "–" : text;
}

std::string other_values(const Json& result, const std::set<std::string>& told) {
    Table values({"<value of", "<is"});
    std::string tables;
    const std::function<void(const Json&, const std::string&)> write = [&](const Json& object,
                                                                           const std::string& prefix) {
        for (const auto& [name, value] : object.items()) {
            if (prefix.empty() && (told.count(name) > 0 || name == "program" || name == "command")) continue;
            const std::string words = prefix + name_in_words(name);
            if (value.empty()) continue;
            if (value.is_object())
                write(value, words + ", ");
            else if (value.is_array() && !is_flat(value))
                tables += smaller_heading(words) + table_of(value);
            else
                values.add({words, value_in_words(name, value)});
        }
    };
    write(result, "");
    return (values.empty() ? "" : values.html()) + tables;
}

std::string loss_in_words(const std::string& reason) {
    static const std::map<std::string, std::string> words{
        {"buffer-full", "its memory was full (tail drop)"},
        {"descriptors", "its memory had room, but no descriptor was left"},
        {"early-drop", "random early detection dropped them"},
        {"fifo-full", "its FIFO was full"},
        {"headroom-full", "its headroom was full, in spite of flow control"},
        {"input-fifo-full", "the FIFO of an input was full"},
        {"memory-full", "its memory was full"},
        {"policed", "a policer dropped them"},
        {"pushed-out", "other frames pushed them out of the memory"},
        {"queue-full", "its queue was full"},
        {"ring-full", "its descriptor ring was full"},
        {"socket-buffer-full", "the buffer of its socket was full"},
        {"threshold", "the queue had reached its threshold, though the memory had room"},
        {"timeout", "its time was out"},
        {"time-out", "its time was out"}};
    const auto found = words.find(reason);
    if (found != words.end()) return found->second;
    std::string text = reason;
    std::replace(text.begin(), text.end(), '-', ' ');
    return text;
}

std::string numbers_in_words(const std::vector<std::int64_t>& numbers, std::size_t most) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        if (last > i + 1) {
            parts.push_back(std::to_string(numbers[i]) + " to " + std::to_string(numbers[last]));
        } else {
            for (std::size_t k = i; k <= last; ++k) parts.push_back(std::to_string(numbers[k]));
        }
        i = last + 1;
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), most); ++i) text += (i > 0 ? ", " : "") + parts[i];
    if (parts.size() > most) text += " and others: " + std::to_string(numbers.size()) + " in all";
    return text;
}

}  // namespace watershed
