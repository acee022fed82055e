// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice-options.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <stdexcept>

#include "scenarios/input-error.h"
#include "scenarios/list.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

Time parsed_time(const std::string& option, const std::string& text) {
    try {
        return parse_time(text);
    } catch (const std::invalid_argument& error) {
        throw InputError(option + ": " + error.what());
    }
}

template <class Value>
std::vector<Value> ascending(std::vector<Value> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

}  // namespace

void add_advice_options(CLI::App& command, AdviceOptionTexts& texts) {
    command.add_option("--target", texts.target, "What is wanted: depth, rate, or watershed@SEPARATION")->capture_default_str();
    command.add_option("--precision", texts.precision, "Wanted half width of the target's 95 % interval")->capture_default_str();
    CLI::Option* step = command.add_option("--step", texts.step, "What the pulse generator can set: separations are multiples of it")->capture_default_str();
    command.add_option("--separation", texts.separations, "Or the separations it can set, a list: 8.72us,20us or FIRST:LAST:COUNT")->excludes(step);
    command.add_option("--events", texts.events, "The burst lengths that can be set, a list; without it any up to 1000000");
    command.add_option("--setup", texts.setup, "Time that each measurement takes beside the burst itself")->capture_default_str();
}

double parse_precision(const std::string& text) {
    const std::string expected = "--precision: found \"" + text + "\", expected a percentage above 0 and below 100 such as \"1%\"";
    if (text.empty() || text.back() != '%') throw InputError(expected);
    try {
        const Ratio ratio = parse_ratio(text);
        const double share = static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
        if (share > 0 && share < 1) return share;
    } catch (const std::invalid_argument&) {
    }
    throw InputError(expected);
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
        advice.watershed_at = parsed_time("--target " + texts.target, texts.target.substr(watershed.size()));
    } else {
        throw InputError("--target: found \"" + texts.target + "\", expected depth, rate or watershed@SEPARATION such as \"watershed@20us\"");
    }
    advice.generator.step = parsed_time("--step", texts.step);
    if (advice.generator.step <= Time{0}) throw InputError("--step: found \"" + texts.step + "\", expected more than 0");
    if (!texts.separations.empty()) advice.generator.separations = ascending(parse_time_list("--separation", texts.separations));
    if (!texts.events.empty()) advice.generator.lengths = ascending(parse_count_list("--events", texts.events));
    advice.setup = parsed_time("--setup", texts.setup);
    if (advice.setup <= Time{0}) throw InputError("--setup: found \"" + texts.setup + "\", expected more than 0");
    advice.precision = parse_precision(texts.precision);
    advice.points = texts.points;
    return advice;
}

}  // namespace watershed
