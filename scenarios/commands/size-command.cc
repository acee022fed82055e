// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "model/risk/camera-queue.h"
#include "model/risk/rates.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/risk.h"
#include "scenarios/design/size.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Tiers = CertainLoss::Tiers;

constexpr const char* kUsualUplinks = "1,2,3,4,5,6";

struct SizeCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string losses = "1e-9";
    std::string rates;
    std::string uplinks;  ///< kUsualUplinks, as far as the switch has ports for them, if none are named
    std::string output;
    std::string json;
    int jobs = default_jobs();
};

std::string pool_of(const Scenario& scenario) {
    switch (scenario.network_switch.buffer.sharing->pools) {
        case SharingPolicy::Pools::PerInput: return "each input's memory";
        case SharingPolicy::Pools::PerOutput: return "each output's memory";
        case SharingPolicy::Pools::One: break;
    }
    return "the whole memory";
}

std::vector<Frequency> asked_rates(const SizeCommandOptions& options, const Scenario& scenario) {
    return options.rates.empty() ? std::vector<Frequency>{scenario.trigger.rate}
                                 : parse_frequency_list("--rate", options.rates);
}

/// All combinations; the columns are those of the CSV.
std::vector<NeededMemory> all_points(const SizeCommandOptions& options, const Scenario& scenario,
                                     const std::vector<std::int64_t>& uplinks) {
    const std::vector<double> losses = parse_probability_list("--loss", options.losses);
    const std::vector<Frequency> rates = asked_rates(options, scenario);
    std::vector<NeededMemory> points;
    for (const std::int64_t count : uplinks)
        for (const double loss : losses)
            for (const Frequency rate : rates)
                for (const Tiers tier : {Tiers::First, Tiers::Second})
                    if (tier == Tiers::First || scenario.aggregation)
                        points.push_back({rate, loss, static_cast<int>(count), tier, 0, std::nullopt, 0, Bytes{0}});
    Progress progress("size", "memories", static_cast<std::int64_t>(points.size()));
    std::int64_t done = 0;
    const auto texts = do_in_processes(
        options.jobs, points.size(),
        [&](std::size_t i) {
            const NeededMemory needed =
                needed_memory(scenario, points[i].rate, points[i].loss, points[i].uplinks, points[i].tier);
            return text_line("%.17g %lld %lld %lld\n", needed.load, needed.frames.value_or(0), needed.at_least,
                             needed.bytes.count) +
                   needed.bounded.key + "\n" + needed.bounded.why;
        },
        [&](std::size_t, const std::string&) { progress.done(++done); });
    for (std::size_t i = 0; i < points.size(); ++i) {
        long long frames = 0, at_least = 0, bytes = 0;
        std::sscanf(texts[i].c_str(), "%lf %lld %lld %lld", &points[i].load, &frames, &at_least, &bytes);
        std::istringstream lines(texts[i]);
        std::string numbers;
        std::getline(std::getline(std::getline(lines, numbers), points[i].bounded.key), points[i].bounded.why);
        if (frames > 0) points[i].frames = frames;
        points[i].at_least = at_least;
        points[i].bytes = Bytes{bytes};
    }
    return points;
}

/// What a command is asked, beside its options.
struct Question {
    const SizeCommandOptions& options;
    Scenario scenario;
    std::vector<AssumedValue> assumed;
    double loss;  ///< the first wanted
};

bool any_open(const std::vector<NeededMemory>& points) {
    return std::any_of(points.begin(), points.end(),
                       [](const NeededMemory& point) { return point.frames && point.at_least < *point.frames; });
}

std::string words_of(const FewestUplinks& fewest) {
    if (!fewest.at_least) return "none of these numbers of uplinks is enough";
    if (!fewest.enough)
        return "no number of uplinks is certainly enough, fewer than " + std::to_string(*fewest.at_least) +
               " are certainly not";
    if (*fewest.at_least < *fewest.enough)
        return "fewest uplinks " + std::to_string(*fewest.at_least) + " to " + std::to_string(*fewest.enough);
    return "fewest uplinks " + std::to_string(*fewest.enough);
}

/// How much the modules' links carry of what they can, at this rate.
double link_load(const Scenario& scenario, Frequency rate) {
    Trigger trigger = scenario.trigger;
    trigger.rate = rate;
    return accepted_rate(trigger) * link_seconds(scenario);
}

/// No memory of a switch helps where the modules' links are given too much.
std::string overload_of_links(const Scenario& scenario, const std::vector<NeededMemory>& points) {
    std::optional<Frequency> lowest, highest;
    for (const NeededMemory& point : points) {
        if (link_load(scenario, point.rate) < 1) continue;
        lowest = std::min(point.rate, lowest.value_or(point.rate));
        highest = std::max(point.rate, highest.value_or(point.rate));
    }
    if (!lowest) return "";
    return "At " + to_text(*lowest) + " " + overload_text({"", link_load(scenario, *lowest), true}) +
           (*lowest < *highest ? "; at higher rates more so" : "") + "\n";
}

const char* table_of(const NeededMemory& point) { return point.tier == Tiers::Second ? "aggregation" : "switch"; }

/// Which memories only a bound tells, and why.
std::vector<std::string> bounds_told(const std::vector<NeededMemory>& points) {
    std::vector<std::string> told;
    for (const NeededMemory& point : points) {
        if (!point.bounded) continue;
        const std::string text = std::string("only a bound tells the memory of [") + table_of(point) +
                                 "], and far less may suffice (" + point.bounded.text() + ")";
        if (std::find(told.begin(), told.end(), text) == told.end()) told.push_back(text);
    }
    return told;
}

std::string table(const Question& question, const std::vector<NeededMemory>& points, const FewestUplinks& fewest) {
    const auto& [options, scenario, assumed, loss] = question;
    std::string text = "Size of " + options.scenario + ": " + pool_of(scenario) +
                       " that keeps the chance of an incomplete event as small as wanted\n";
    for (const AssumedValue& each : assumed) text += "  " + to_text(each) + "\n";
    text += text_line("  %10s  %10s  %8s  %10s  %12s  %14s  %12s", "rate, kHz", "chance", "uplinks", "load", "frames",
                      "bytes", "at least") +
            (scenario.aggregation ? "  memory of\n" : "\n");
    for (const NeededMemory& point : points) {
        text += text_line("  %10.6g  %10.3g  %8d  %8.2f %%", in_kilohertz(point.rate), point.loss, point.uplinks,
                          100 * point.load);
        text += point.frames ? text_line("  %12lld  %14lld  %12lld", *point.frames, point.bytes.count, point.at_least)
                             : text_line("  %42s", link_load(scenario, point.rate) < 1 ? "no memory is enough"
                                                                                       : "links overloaded");
        text += scenario.aggregation ? "  [" + std::string(table_of(point)) + "]\n" : "\n";
    }
    if (scenario.aggregation) text += "each tier may lose half of the chance\n";
    for (const std::string& each : bounds_told(points)) text += each + "\n";
    const bool unlike = !scenario.frame.fragments.payloads.empty();
    text += std::string(unlike ? "bytes" : "frames") +
            (any_open(points)
                 ? " certainly suffice, fewer than `at least` certainly do not: the smallest memory lies between\n"
                 : " certainly suffice, and one fewer certainly does not\n");
    if (unlike)
        text +=
            "a frame is the largest of an event here, and smaller ones take as much of a memory that is counted in "
            "frames: set the size in bytes\n";
    text += overload_of_links(scenario, points);
    text += "With " + to_text(scenario.network_switch.buffer.size) + " at " + to_text(scenario.trigger.rate) + ": ";
    return text + words_of(fewest) + text_line(" for %.3g\n", loss);
}

std::string csv(const Question& question, const std::vector<NeededMemory>& points) {
    std::string text = Provenance::comment() + comment(question.assumed) + "# memory: " + pool_of(question.scenario) +
                       ", for a chance of at most `loss` that an event is incomplete; empty where none is enough\n" +
                       "# frames: certainly suffice; fewer than frames_at_least certainly do not\n" +
                       "rate_khz,loss,uplinks,load,frames,bytes,frames_at_least" +
                       (question.scenario.aggregation ? ",memory_of\n" : "\n");
    for (const NeededMemory& point : points) {
        text += text_line("%.9g,%.6g,%d,%.6g,", in_kilohertz(point.rate), point.loss, point.uplinks, point.load);
        text += point.frames ? text_line("%lld,%lld,%lld", *point.frames, point.bytes.count, point.at_least) : ",,";
        text += question.scenario.aggregation ? "," + std::string(table_of(point)) + "\n" : "\n";
    }
    return text;
}

void add_memory(nlohmann::ordered_json& json, const NeededMemory& point) {
    for (const char* name : {"frames", "frames_at_least", "bytes"}) json[name] = nullptr;
    if (!point.frames) return;
    json["frames"] = *point.frames;
    json["frames_at_least"] = point.at_least;
    json["bytes"] = point.bytes.count;
}

nlohmann::ordered_json points_json(const Question& question, const std::vector<NeededMemory>& points,
                                   const FewestUplinks& fewest) {
    const auto& [options, scenario, assumed, loss] = question;
    nlohmann::ordered_json json{{"loss", loss}, {"memory", pool_of(scenario)}};
    add_memory(json, {});
    json["fewest_uplinks"] = json["fewest_uplinks_at_least"] = nullptr;
    if (fewest.enough) json["fewest_uplinks"] = *fewest.enough;
    if (fewest.at_least) json["fewest_uplinks_at_least"] = *fewest.at_least;
    json["bounds"] = bounds_told(points);
    json["points"] = nlohmann::ordered_json::array();
    for (const NeededMemory& point : points) {
        nlohmann::ordered_json of_point{{"rate_khz", in_kilohertz(point.rate)},
                                        {"loss", point.loss},
                                        {"uplinks", point.uplinks},
                                        {"memory_of", table_of(point)},
                                        {"load", point.load},
                                        {"link_load", link_load(scenario, point.rate)}};
        add_memory(of_point, point);
        json["points"].push_back(std::move(of_point));
        if (point.rate == scenario.trigger.rate && point.loss == loss &&
            point.uplinks == scenario.network_switch.uplinks && point.tier == Tiers::First)
            add_memory(json, point);
    }
    add_assumed(json, assumed);
    json["program"] = Provenance::program();
    json["command"] = Provenance::command();
    return json;
}

/// @throws InputError for those that the scenario cannot have
std::vector<std::int64_t> asked_uplinks(const SizeCommandOptions& options, const Scenario& scenario) {
    const bool named = !options.uplinks.empty();
    std::vector<std::int64_t> uplinks;
    for (const std::int64_t count : parse_count_list("--uplinks", named ? options.uplinks : kUsualUplinks)) {
        if (count > scenario.front_end.modules) {
            if (named)
                throw InputError("--uplinks: expected at most front_end.modules, " +
                                 std::to_string(scenario.front_end.modules));
            continue;
        }
        std::vector<std::string> overrides = options.overrides;
        overrides.push_back("switch.uplinks=" + std::to_string(count));
        if (scenario.server.interfaces)  // of as many links as there are
            overrides.push_back("server.interfaces=" + std::to_string(scenario.aggregation
                                                                          ? *scenario.server.interfaces
                                                                          : count * scenario.network_switch.count));
        try {
            read_scenario(options.scenario, overrides, nullptr, FragmentForm::InSequence);
            uplinks.push_back(count);
        } catch (const InputError& error) {
            if (named) throw InputError("--uplinks: " + std::to_string(count) + ": " + error.what());
        }
    }
    if (uplinks.empty()) uplinks.push_back(scenario.network_switch.uplinks);
    return uplinks;
}

void size(const SizeCommandOptions& options) {
    const double loss = parse_probability_list("--loss", options.losses)
                            .front();  // not in the braces: gcc 12 destroys twice what they hold if it throws
    Question question{options, {}, {}, loss};
    question.scenario = read_scenario(options.scenario, options.overrides, &question.assumed, FragmentForm::InSequence);
    if (const auto rates = asked_rates(options, question.scenario); rates.size() == 1)
        question.scenario.trigger.rate = rates.front();
    const Scenario& scenario = question.scenario;
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson)
        throw InputError(options.scenario + ": trigger.pattern: expected \"poisson\"");
    const std::vector<std::int64_t> uplinks = asked_uplinks(options, scenario);
    question.scenario.server.interfaces.reset();  // they follow the uplinks
    auto file = file_if_named(options.output), json = file_if_named(options.json);

    const FewestUplinks fewest = fewest_uplinks(scenario, question.loss, uplinks);
    const std::vector<NeededMemory> points = all_points(options, scenario, uplinks);
    if (file) file->write(csv(question, points));
    if (json) json->write(points_json(question, points, fewest).dump(2) + "\n");
    if (options.output != "-" && options.json != "-") std::cout << table(question, points, fewest);
}

}  // namespace

void add_size_command(CLI::App& app) {
    auto options = std::make_shared<SizeCommandOptions>();
    CLI::App* command =
        app.add_subcommand("size", "Find the smallest memory, and the fewest uplinks, for a wanted chance of loss");
    add_scenario(command, options->scenario, options->overrides, ", trigger.pattern \"poisson\"");
    command->add_option("--loss", options->losses, "Wanted chances that an event is incomplete, with commas")
        ->capture_default_str();
    command->add_option(
        "--rate", options->rates,
        "Trigger rates: values with commas, FIRST:LAST:COUNT, or FIRST:LAST:COUNT:log [the scenario's]");
    command->add_option(
        "--uplinks", options->uplinks,
        "Numbers of uplinks, a list [" + std::string(kUsualUplinks) + ", as far as the switch has ports for them]");
    add_jobs(command, options->jobs);
    command->add_option("-o,--output", options->output,
                        "CSV file to write, for watershed plot size; - is standard output");
    add_json(command, options->json);
    command->footer(
        "Example: watershed size scenarios/risk-cheap-switch.toml --loss 1e-6,1e-9,1e-12 --rate 1kHz:26kHz:51 "
        "--uplinks 1,2 -o size.csv");
    command->callback([options] { size(*options); });
}

}  // namespace watershed
