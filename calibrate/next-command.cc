// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/next-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "calibrate/advise.h"
#include "calibrate/known.h"
#include "scenarios/csv.h"
#include "scenarios/input-error.h"
#include "scenarios/output-file.h"
#include "scenarios/reader.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

struct Options {
    KnownOptions known;
    std::string target = "depth";
    std::string step = "10 ns";
    std::string setup = "1 s";
    double precision = 1;
    std::size_t points = 5;
    std::string json;
};

template <class Parse>
auto parsed(const std::string& option, const std::string& text, Parse parse) {
    try {
        return parse(text);
    } catch (const std::invalid_argument& error) {
        throw InputError(option + ": " + error.what());
    }
}

AdviceOptions advice_options(const Options& options) {
    AdviceOptions advice;
    constexpr const char* kWatershed = "watershed@";
    if (options.target == "depth")
        advice.target = AdviceTarget::Depth;
    else if (options.target == "rate")
        advice.target = AdviceTarget::Rate;
    else if (options.target.rfind(kWatershed, 0) == 0) {
        advice.target = AdviceTarget::Watershed;
        advice.watershed_at = parsed("--target " + options.target, options.target.substr(std::string(kWatershed).size()), parse_time);
    } else {
        throw InputError("--target: found \"" + options.target + "\", expected depth, rate or watershed@SEPARATION such as \"watershed@20 us\"");
    }
    advice.step = parsed("--step", options.step, parse_time);
    if (advice.step <= Time{0}) throw InputError("--step: found \"" + options.step + "\", expected more than 0");
    advice.setup = parsed("--setup", options.setup, parse_time);
    advice.precision = options.precision / 100;
    advice.points = options.points;
    return advice;
}

/// A map may still be without rows here.
std::optional<Fit> fit_so_far(const Options& options, const Conditions& conditions) {
    if (CsvTable::read(options.known.map).rows().empty()) {
        if (options.known.scenario.empty())
            throw InputError(options.known.map + ": the map is empty, expected at least one burst, or --scenario to begin with");
        return std::nullopt;
    }
    return fit_loss_map(read_loss_map(options.known.map), conditions, fit_options_of(options.known));
}

nlohmann::json to_json(const Advice& advice, const std::string& target) {
    nlohmann::json points = nlohmann::json::array();
    for (const AdvisedPoint& point : advice.points)
        points.push_back({{"separation_us", static_cast<double>(point.separation.count()) / 1e6},
                          {"events", point.events},
                          {"probability_of_loss", point.probability_of_loss},
                          {"information_bits", point.information_bits},
                          {"seconds", point.seconds}});
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"target", target},
            {"points", points},
            {"stop", advice.stop},
            {"reason", advice.reason},
            {"relative_half_width", advice.relative_half_width ? nlohmann::json(*advice.relative_half_width) : nlohmann::json()}};
}

void print(std::ostream& out, const Advice& advice, const Prior& prior) {
    out << (advice.stop ? "Stop: " : "Go on: ") << advice.reason << '\n';
    if (advice.points.empty()) return;
    out << (advice.stop ? "For still more, with " : "Next, with ") << prior.like.ports << " ports and " << prior.like.payload << " B payload, most information per second first:\n\n  " << std::left
        << std::setw(16) << "separation" << std::setw(12) << "events" << std::setw(16) << "P(loss)" << std::setw(16) << "bits" << "seconds\n";
    for (const AdvisedPoint& point : advice.points)
        out << "  " << std::setw(16) << to_text(point.separation) << std::setw(12) << point.events << std::setprecision(3) << std::setw(16) << point.probability_of_loss
            << std::setw(16) << point.information_bits << point.seconds << '\n';
}

void run(const Options& options) {
    const AdviceOptions advice_for = advice_options(options);
    const Conditions conditions = conditions_of(options.known);
    std::optional<OutputFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    const std::optional<Fit> fit = fit_so_far(options, conditions);
    const Prior prior = options.known.scenario.empty() ? prior_of(*fit) : prior_of(read_scenario(options.known.scenario, options.known.overrides), conditions);
    const Advice advice = advise(fit, prior, advice_for);
    if (json) {
        json->stream() << to_json(advice, options.target).dump(2) << '\n';
        json->commit();
    }
    if (options.json != "-") print(std::cout, advice, prior);
}

}  // namespace

void add_next_command(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("next", "Say which bursts are worth measuring next, and when to stop");
    add_known_options(*command, options->known);
    command->add_option("--target", options->target, "What is wanted: depth, rate, or watershed@SEPARATION")->capture_default_str();
    command->add_option("--precision", options->precision, "Wanted half width of the target's 95 % interval, in per cent")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_option("--step", options->step, "What the pulse generator can set: separations are multiples of it")->capture_default_str();
    command->add_option("--setup", options->setup, "Time that each measurement takes beside the burst itself")->capture_default_str();
    command->add_option("--points", options->points, "How many points to name")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_option("--json", options->json, "Write the result to FILE; - is standard output, and then nothing else goes there");
    command->footer("With a map that has a header and no row yet, the scenario alone is asked for the first points.\n"
                    "Example: watershed next scenarios/data/kernel-queue-deep.csv --scenario scenarios/kernel-queue.toml --target depth");
    command->callback([options] { run(*options); });
}

}  // namespace watershed
