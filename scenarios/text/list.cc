// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/list.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <unordered_set>

#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr std::int64_t kLongestList = 10'000'000;

std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t end; (end = text.find(separator, start)) != std::string::npos; start = end + 1)
        parts.push_back(text.substr(start, end - start));
    parts.push_back(text.substr(start));
    return parts;
}

std::int64_t parse_count(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > 1'000'000'000'000)
        throw std::invalid_argument("found \"" + text + "\", expected an integer from 1 to 1000000000000");
    return value;
}

std::vector<std::int64_t> parse_list(const std::string& option, const std::string& text,
                                     const std::function<std::int64_t(const std::string&)>& parse) {
    return read_at(option, [&] {
        std::vector<std::int64_t> values;
        if (text.find(':') == std::string::npos) {
            for (const std::string& part : parts_of(text, ',')) values.push_back(parse(part));
            return values;
        }
        const std::vector<std::string> parts = parts_of(text, ':');
        const bool logarithmic = parts.size() == 4 && parts[3] == "log";
        if (parts.size() != 3 && !logarithmic)
            throw std::invalid_argument("found \"" + text + "\", expected FIRST:LAST:COUNT or FIRST:LAST:COUNT:log");
        const std::int64_t first = parse(parts[0]), last = parse(parts[1]), count = parse_count(parts[2]);
        if (count > kLongestList)
            throw std::invalid_argument("found a count of " + parts[2] + ", expected at most " +
                                        std::to_string(kLongestList));
        if (logarithmic && (first <= 0 || last <= 0))
            throw std::invalid_argument("found \"" + text +
                                        "\", expected more than 0 at both ends of a logarithmic list");
        for (std::int64_t i = 0; i < count; ++i) {
            if (i == 0 || i == count - 1) {
                values.push_back(i == 0 ? first : last);  // the ends are exact
            } else if (logarithmic) {
                const double fraction = static_cast<double>(i) / static_cast<double>(count - 1);
                values.push_back(
                    std::llround(static_cast<double>(first) *
                                 std::pow(static_cast<double>(last) / static_cast<double>(first), fraction)));
            } else {
                const Wide scaled = Wide{last - first} * i, steps = count - 1;
                values.push_back(first +
                                 static_cast<std::int64_t>((2 * scaled + (scaled < 0 ? -steps : steps)) / (2 * steps)));
            }
        }
        return values;
    });
}

}  // namespace

std::vector<Time> parse_time_list(const std::string& option, const std::string& text) {
    std::vector<Time> times;
    for (const std::int64_t picoseconds :
         parse_list(option, text, [](const std::string& part) { return parse_time(part).count(); }))
        times.emplace_back(picoseconds);
    return times;
}

std::vector<std::int64_t> parse_count_list(const std::string& option, const std::string& text) {
    std::vector<std::int64_t> counts = parse_list(option, text, parse_count);
    std::unordered_set<std::int64_t> seen;
    counts.erase(
        std::remove_if(counts.begin(), counts.end(), [&](std::int64_t count) { return !seen.insert(count).second; }),
        counts.end());
    return counts;
}

std::vector<Frequency> parse_frequency_list(const std::string& option, const std::string& text) {
    std::vector<Frequency> frequencies;
    for (const std::int64_t microhertz :
         parse_list(option, text, [](const std::string& part) { return parse_frequency(part).count; }))
        frequencies.push_back({microhertz});
    return frequencies;
}

std::vector<double> parse_probability_list(const std::string& option, const std::string& text) {
    std::vector<double> probabilities;
    for (const std::string& part : parts_of(text, ',')) {
        char* end = nullptr;
        const double value = std::strtod(part.c_str(), &end);
        if (part.empty() || *end != 0 || !(value > 0 && value < 1))
            throw InputError(option + ": found \"" + part +
                             "\", expected a probability above 0 and below 1, such as 1e-9");
        probabilities.push_back(value);
    }
    return probabilities;
}

}  // namespace watershed
