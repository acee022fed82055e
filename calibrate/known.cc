// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/known.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <stdexcept>

#include "scenarios/input-error.h"
#include "scenarios/reader.h"
#include "scenarios/units.h"

namespace watershed {

void add_known_options(CLI::App& command, KnownOptions& options) {
    command.add_option("MAP", options.map, "Loss map (CSV: ports,payload_bytes,separation_us,events,frames_sent,frames_received)")->required();
    command.add_option("--scenario", options.scenario, "Scenario that supplies framing, link rate and number of uplinks; without it: 66 B on a link, 46 B in a buffer, 1 Gb/s inputs, 1 uplink");
    command.add_option("--set", options.overrides, "KEY=VALUE: a scenario key that wins over the file (repeatable)")->allow_extra_args(false);
    command.add_option("--fix", options.fixed, "NAME=VALUE: a value that is known: service_rate=\"10 Gb/s\" (of one uplink), depth=\"308000 frames\", noise=\"2 %\" of a burst's length, noise=\"3 frames\" lost, or noise=0 (repeatable)")
        ->allow_extra_args(false);
    command.add_option("--free", options.free, "NAME: depth, service_rate or noise is to be fitted, as without --fix (repeatable)")->allow_extra_args(false);
    command.add_option("--bound", options.bounds, "NAME=LOW:HIGH: limits between which a value is known to lie: depth=\"100 kB:2 MB\", service_rate=\"9 Gb/s:10 Gb/s\", noise=\"0:5 %\" (repeatable)")
        ->allow_extra_args(false);
    command.add_option("--counts", options.counts, "Whether frames_sent - frames_received counts frames (use), or only says that some were lost (ignore); auto: ignore if no burst lost more than one")
        ->check(CLI::IsMember({"auto", "use", "ignore"}))
        ->capture_default_str();
}

namespace {

/// NAME=LOW:HIGH
void read_bound(FitOptions& result, const std::string& text) {
    const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
    const std::string name = text.substr(0, equals);
    try {
        if (name != "depth" && name != "service_rate" && name != "noise") throw std::invalid_argument("found \"" + name + "\", expected service_rate, depth or noise");
        if (equals == std::string::npos || colon == std::string::npos) throw std::invalid_argument("expected " + name + "=LOW:HIGH, as depth=\"100 kB:2 MB\"");
        const std::string low = text.substr(equals + 1, colon - equals - 1), high = text.substr(colon + 1);
        bool ordered = false;
        if (name == "depth") {
            if (result.depth) throw std::invalid_argument("conflicts with --fix depth");
            if (result.depth_bounds) throw std::invalid_argument("found twice, expected one pair of limits of " + name);
            result.depth_bounds.emplace(parse_memory_size(low), parse_memory_size(high));
            if (result.depth_bounds->first.unit != result.depth_bounds->second.unit) throw std::invalid_argument("expected both limits in one unit");
            ordered = result.depth_bounds->first.amount <= result.depth_bounds->second.amount;
        } else if (name == "noise") {
            if (result.noise) throw std::invalid_argument("conflicts with --fix noise");
            const KnownNoise least = parse_noise(low), most = parse_noise(high);
            if (least.relative != most.relative && !least.none()) throw std::invalid_argument("expected both limits in one unit");
            result.noise = KnownNoise{least.low, most.high, most.relative};
            ordered = least.low <= most.high;
        } else {
            if (result.service_rate) throw std::invalid_argument("conflicts with --fix service_rate");
            if (result.service_rate_bounds) throw std::invalid_argument("found twice, expected one pair of limits of " + name);
            result.service_rate_bounds.emplace(parse_bit_rate(low), parse_bit_rate(high));
            ordered = result.service_rate_bounds->first.count <= result.service_rate_bounds->second.count;
        }
        if (!ordered) throw std::invalid_argument("expected the lower limit first");
    } catch (const std::invalid_argument& error) {
        throw InputError("--bound " + text + ": " + error.what());
    }
}

}  // namespace

Conditions conditions_of(const KnownOptions& options) {
    if (!options.scenario.empty()) return conditions_of(read_scenario(options.scenario, options.overrides), options.scenario);
    if (!options.overrides.empty()) throw InputError("--set " + options.overrides.front() + ": expected a --scenario whose key it sets");
    return default_conditions();
}

FitOptions fit_options_of(const KnownOptions& options) {
    FitOptions result;
    result.counts = options.counts == "use" ? CountUse::Count : options.counts == "ignore" ? CountUse::Flag : CountUse::Auto;
    for (const std::string& text : options.fixed) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals), value = equals == std::string::npos ? "" : text.substr(equals + 1);
        try {
            if ((name == "service_rate" && result.service_rate) || (name == "depth" && result.depth)) throw std::invalid_argument("found twice, expected one value of " + name);
            if (name == "service_rate")
                result.service_rate = parse_bit_rate(value);
            else if (name == "depth")
                result.depth = parse_memory_size(value);
            else if (name == "noise")
                result.noise = parse_noise(value);
            else
                throw std::invalid_argument("found \"" + name + "\", expected service_rate, depth or noise");
        } catch (const std::invalid_argument& error) {
            throw InputError("--fix " + text + ": " + error.what());
        }
    }
    for (const std::string& text : options.bounds) read_bound(result, text);
    for (const std::string& name : options.free) {
        if (name != "depth" && name != "service_rate" && name != "noise") throw InputError("--free " + name + ": expected service_rate, depth or noise");
        if ((name == "depth" && result.depth) || (name == "service_rate" && result.service_rate) || (name == "noise" && result.noise))
            throw InputError("--free " + name + ": conflicts with --fix " + name);
    }
    return result;
}

}  // namespace watershed
