// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/next-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "calibrate/advice-options.h"
#include "calibrate/known.h"
#include "calibrate/map-doubts.h"
#include "scenarios/csv.h"
#include "scenarios/input-error.h"
#include "scenarios/output-file.h"
#include "scenarios/reader.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

struct Options {
    KnownOptions known;
    AdviceOptionTexts advice;
    std::string json;
};

/// A map may still be without rows here, or there may be none.
std::optional<Fit> fit_so_far(const Options& options, const Conditions& conditions) {
    const std::string& map = options.known.map;
    if (map.empty() || CsvTable::read(map).rows().empty()) {
        if (options.known.scenario.empty())
            throw InputError(map.empty() ? "expected a loss map, or --scenario to begin with" : map + ": the map is empty, expected at least one burst, or --scenario to begin with");
        fit_options_of(options.known);   // what is wrong there is wrong before the first burst
        return std::nullopt;
    }
    const LossMap rows = read_loss_map(map);
    warn_of(doubts_of(rows, conditions));
    const Fit fit = fit_loss_map(rows, conditions, fit_options_of(options.known));
    warn_of(doubts_of(fit));
    return fit;
}

Prior prior_for(const Options& options, const std::optional<Fit>& fit, const Conditions& conditions) {
    if (options.known.scenario.empty()) return prior_of(*fit);
    Prior prior = prior_of(read_scenario(options.known.scenario, options.known.overrides), conditions);
    prior.counts = options.known.counts != "ignore";
    return prior;
}

nlohmann::json to_json(const std::vector<AdvisedPoint>& points, const Prior& prior) {
    nlohmann::json result = nlohmann::json::array();
    for (const AdvisedPoint& point : points)
        result.push_back({{"ports", prior.like.ports},
                          {"payload_bytes", prior.like.payload},
                          {"separation_us", static_cast<double>(point.separation.count()) / 1e6},
                          {"events", point.events},
                          {"probability_of_loss", point.probability_of_loss},
                          {"frames_lost", point.frames_lost ? nlohmann::json(*point.frames_lost) : nlohmann::json()},
                          {"information_bits", point.information_bits},
                          {"bits_per_second", point.bits_per_second()},
                          {"seconds", point.seconds},
                          {"reason", point.reason}});
    return result;
}

nlohmann::json to_json(const Advice& advice, const Options& options, const Prior& prior) {
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"map", options.known.map.empty() ? nlohmann::json() : nlohmann::json(options.known.map)},
            {"target", options.advice.target},
            {"precision", parse_precision(options.advice.precision)},
            {"points", to_json(advice.points, prior)},
            {"checks", to_json(advice.checks, prior)},
            {"stop", advice.stop},
            {"reason", advice.reason},
            {"relative_half_width", advice.relative_half_width ? nlohmann::json(*advice.relative_half_width) : nlohmann::json()}};
}

void print(std::ostream& out, const std::vector<AdvisedPoint>& points) {
    out << "  " << std::left << std::setw(14) << "separation" << std::setw(10) << "events" << std::setw(9) << "P(loss)" << std::setw(14) << "frames lost" << std::setw(8) << "bits"
        << std::setw(9) << "seconds" << std::setw(9) << "bits/s" << "why\n"
        << std::fixed;
    for (const AdvisedPoint& point : points) {
        out << "  " << std::setw(14) << to_text(point.separation) << std::setw(10) << point.events << std::setw(9) << std::setprecision(3) << point.probability_of_loss << std::setw(14);
        if (point.frames_lost)
            out << std::llround(*point.frames_lost);
        else
            out << "-";
        out << std::setprecision(2) << std::setw(8) << point.information_bits << std::setw(9) << point.seconds << std::setw(9) << point.bits_per_second() << point.reason << '\n';
    }
}

void print(std::ostream& out, const Advice& advice, const Prior& prior) {
    const std::string with = "with " + std::to_string(prior.like.ports) + " ports and " + std::to_string(prior.like.payload) + " B payload, ";
    out << (advice.stop ? "Stop: " : "Go on: ") << advice.reason << '\n';
    if (!advice.points.empty()) {
        out << (advice.stop ? "\nFor still more, " : "\nNext, ") << with << "most information per second first:\n\n";
        print(out, advice.points);
    }
    if (advice.checks.empty()) return;
    out << "\nTo check noise and model, " << with << "repeats and bursts where nothing was measured yet:\n\n";
    print(out, advice.checks);
}

void run(const Options& options) {
    const AdviceOptions advice_for = advice_options_of(options.advice);
    const Conditions conditions = conditions_of(options.known);
    std::optional<OutputFile> json;
    if (!options.json.empty()) json.emplace(options.json);
    const std::optional<Fit> fit = fit_so_far(options, conditions);
    const Prior prior = prior_for(options, fit, conditions);
    const Advice advice = advise(fit, prior, advice_for);
    if (json) {
        json->stream() << to_json(advice, options, prior).dump(2) << '\n';
        json->commit();
    }
    if (options.json != "-") print(std::cout, advice, prior);
}

}  // namespace

void add_next_command(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("next", "Say which bursts are worth measuring next, and when to stop");
    add_known_options(*command, options->known);
    command->get_option("MAP")->required(false);
    add_advice_options(*command, options->advice);
    command->add_option("--points", options->advice.points, "How many points to name")->check(CLI::Range(1, 1000))->capture_default_str();
    command->add_option("--json", options->json, "Write the result to FILE; - is standard output, and then nothing else goes there");
    command->footer("Without a map, or with one that has no row yet, the scenario alone is asked for the first points. A bit halves what is still possible.\n"
                    "Example: watershed next scenarios/data/kernel-queue-deep.csv --scenario scenarios/kernel-queue.toml --target depth --precision 1%");
    command->callback([options] { run(*options); });
}

}  // namespace watershed
