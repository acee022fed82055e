// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/advice-options.h"

#include <boost/range/algorithm_ext/erase.hpp>
#include <sstream>

#include "calibrate/commands/known-options.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

template <class Value>
std::vector<Value> ascending(std::vector<Value> values) {
    boost::erase(values, boost::unique<boost::return_found_end>(boost::sort(values)));
    return values;
}

/// Returns other values that can be set; std::nullopt if none were given.
template <class Parse>
std::optional<std::vector<std::int64_t>> others(const std::string& option, const std::string& text,
                                                const Parse& parse) {
    if (text.empty()) return std::nullopt;
    if (text == "0") return std::vector<std::int64_t>();
    std::vector<std::int64_t> values = ascending(parse(text));
    constexpr std::int64_t kMost = 65'535;
    if (values.empty() || values.front() < 1 || values.back() > kMost)
        throw InputError(option + ": found \"" + text + "\", expected values from 1 to 65535, or 0 for none");
    return values;
}

std::vector<std::int64_t> payloads_of(const std::string& text) {
    std::vector<std::int64_t> values;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ',');)
        values.push_back(read_at("--payloads", [&] { return parse_bytes(one).count; }));
    return values;
}

}  // namespace

Time positive_time(const std::string& option, const std::string& text) {
    const Time time = read_at(option, [&] { return parse_time(text); });
    if (time <= Time{0}) throw InputError(option + ": found \"" + text + "\", expected more than 0");
    return time;
}

double parse_precision(const std::string& option, const std::string& text) {
    const auto share = ratio_in(text);
    if (share && *share > 0 && *share < 1 && text.back() == '%') return *share;
    throw InputError(option + ": found \"" + text + "\", expected a percentage above 0 and below 100 such as \"1%\"");
}

AdviceOptions advice_options_of(const AdviceOptionTexts& texts) {
    AdviceOptions advice;
    const std::string watershed = "watershed@";
    if (texts.target == "depth")
        advice.target = AdviceTarget::Depth;
    else if (texts.target == "rate")
        advice.target = AdviceTarget::Rate;
    else if (texts.target.rfind(watershed, 0) == 0) {
        advice.target = AdviceTarget::Watershed;
        advice.watershed_at =
            read_at("--target " + texts.target, [&] { return parse_time(texts.target.substr(watershed.size())); });
    } else {
        throw InputError("--target: found \"" + texts.target +
                         "\", expected depth, rate or watershed@SEPARATION such as \"watershed@20us\"");
    }
    advice.generator.step = positive_time("--step", texts.step);
    if (!texts.separations.empty())
        advice.generator.separations = ascending(parse_time_list("--separation", texts.separations));
    if (!texts.shortest_separation.empty())
        advice.generator.shortest =
            read_at("--shortest-separation", [&] { return parse_time(texts.shortest_separation); });
    advice.generator.longest = texts.longest_burst;
    advice.ports =
        others("--ports", texts.ports, [](const std::string& text) { return parse_count_list("--ports", text); });
    advice.payloads = others("--payloads", texts.payloads, payloads_of);
    if (!texts.events.empty()) advice.generator.lengths = ascending(parse_count_list("--events", texts.events));
    advice.setup = positive_time("--setup", texts.setup);
    advice.precision = parse_precision(texts.precision_option, texts.precision);
    advice.points = texts.points;
    return advice;
}

void add_advice_options(CLI::App& command, AdviceOptionTexts& texts) {
    shown_option(command, "--target", texts.target, "What is to be known: depth, rate, or watershed@SEPARATION");
    shown_option(command, "--precision", texts.precision, "Wanted half width of the target's 95 % interval");
    CLI::Option* step =
        shown_option(command, "--step", texts.step, "Step of the pulse generator: separations are multiples of it");
    CLI::Option* separations =
        command
            .add_option(
                "--separation", texts.separations,
                "Separations that the pulse generator can set, in place of --step: 8.72us,20us or FIRST:LAST:COUNT")
            ->excludes(step);
    CLI::Option* events = command.add_option(
        "--events", texts.events, "Burst lengths that the pulse generator can set, a list [all up to --longest-burst]");
    command
        .add_option(
            "--shortest-separation", texts.shortest_separation,
            "Shortest separation that the pulse generator can set [the shortest that the modules' links can follow]")
        ->excludes(separations);
    shown_option(command, "--longest-burst", texts.longest_burst,
                 "Longest burst that the pulse generator can set, in events")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->excludes(events);
    command.add_option("--ports", texts.ports,
                       "Other numbers of ports to measure with, which tell how a memory is shared, a list; 0: none [a "
                       "half and a quarter of all]");
    command.add_option("--payloads", texts.payloads,
                       "Other payloads to measure with, which tell what a memory counts, a list such as \"512 B,128 "
                       "B\"; 0: none [a half and an eighth]");
    shown_option(command, "--setup", texts.setup, "Time that each measurement takes beside the burst itself");
}

}  // namespace watershed
