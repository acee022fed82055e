// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "calibrate/closed-form/overload.h"
#include "calibrate/commands/calibration-options.h"
#include "calibrate/commands/commands.h"
#include "calibrate/fit/fit.h"
#include "calibrate/measure/measuring.h"
#include "calibrate/measure/rig.h"
#include "calibrate/report/map-doubts.h"
#include "calibrate/report/next-report.h"
#include "calibrate/thresholds/ladder-fit.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/measured-table.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

struct NextCommandOptions {
    KnownOptions known;
    AdviceOptionTexts advice;
    std::string json;
    std::string costs;
    std::string drive, patience = "1 min", budget = "20 min";
    int most_bursts = 40;
};

/// A map may still be without rows here, or there may be none.
FitSoFar fitted(const NextCommandOptions& options, const Conditions& conditions) {
    const std::string& map = options.known.map;
    const FitOptions known = fit_options_of(options.known);  // what is wrong there is wrong before the first burst
    const std::optional<CsvTable> table =
        map.empty() ? std::nullopt : std::make_optional(read_measured_table(map, options.known.columns));
    if (table && !table->rows().empty()) {
        const LossMap rows = loss_map_of(options.known, *table);
        warn_of(warnings_of(rows, conditions));
        FitSoFar so_far = fit_so_far(rows, conditions, known);
        if (so_far.fit) warn_of(warnings_of(*so_far.fit));
        return so_far;
    }
    if (options.known.scenario.empty())
        throw InputError(map.empty()
                             ? "expected a loss map, or --scenario to begin with"
                             : map + ": the map is empty, expected at least one burst, or --scenario to begin with");
    return {};
}

Prior prior_for(const NextCommandOptions& options, const FitSoFar& so_far, const Conditions& conditions) {
    const bool counts = options.known.counts != "ignore";
    if (options.known.scenario.empty())
        return so_far.fit ? prior_of(*so_far.fit)
                          : prior_of(so_far.bursts, {conditions.sharing, conditions.unit}, conditions, counts);
    Prior prior = prior_of(read_apparatus(options.known.scenario, options.known.overrides), conditions);
    prior.counts = counts;
    return prior;
}

/// Lets the rig measure what is advised; what is told meanwhile must not disturb JSON on standard output.
void drive(const NextCommandOptions& options, const AdviceOptions& advice_for, const Conditions& conditions) {
    if (options.known.map.empty() || options.known.scenario.empty())
        throw InputError("--drive: expected a map to write, and a --scenario");
    const Time budget = positive_time("--budget", options.budget),
               patience = positive_time("--patience", options.patience);
    const CampaignPlan plan{
        prior_for(options, {}, conditions), conditions, fit_options_of(options.known), advice_for, {}, {}};
    MeasuredMap map(options.known.map);
    const std::unique_ptr<Rig> rig = command_rig(options.drive, patience);
    std::ostream& out = options.json == "-" ? std::cerr : std::cout;
    Measuring measuring(*rig, map, budget, options.most_bursts,
                        [&](const std::string& line) { out << line << std::endl; });
    const std::string ended = measuring.measure_as_advised(plan, {{advice_for.target, advice_for.precision}});
    out << "Ended after " << measuring.bursts() << (measuring.bursts() == 1 ? " burst: " : " bursts: ") << ended
        << "\n\n";
}

void run_next(const NextCommandOptions& options) {
    if (!options.known.map.empty() && options.drive.empty()) {
        const CsvTable table = read_measured_table(options.known.map, options.known.columns);
        if (is_threshold_table(table)) return advise_thresholds(table, options.costs, options.json);
        if (is_overload_table(table))
            return advise_overloads(table, conditions_of(options.known),
                                    parse_precision("--precision", options.advice.precision), options.json);
    }
    if (!options.costs.empty()) throw InputError("--costs: expected with a table of thresholds");
    const AdviceOptions advice_for = advice_options_of(options.advice);
    const Conditions conditions = conditions_of(options.known);
    std::optional<OutputFile> file = file_if_named(options.json);
    if (!options.drive.empty()) drive(options, advice_for, conditions);
    const FitSoFar so_far = fitted(options, conditions);
    const Prior prior = prior_for(options, so_far, conditions);
    const NextReport report(so_far, prior, advice_for, options.known.map, options.advice);
    if (file) file->write(report.to_json().dump(2) + '\n');
    if (options.json != "-") report.print(std::cout);
}

}  // namespace

void add_next_command(CLI::App& app) {
    auto options = std::make_shared<NextCommandOptions>();
    CLI::App* command = app.add_subcommand("next", "Say which bursts are worth measuring next, and when to stop");
    add_known_options(*command, options->known);
    command->get_option("MAP")->required(false);
    add_advice_options(*command, options->advice);
    shown_option(*command, "--points", options->advice.points, "Number of points to name")->check(CLI::Range(1, 1000));
    command->add_option("--json", options->json,
                        "Write the result to FILE; - is standard output, and then nothing else goes there");
    command->add_option("--costs", options->costs,
                        "With a table of thresholds (pg, quantity, …): what its trials cost (step, quantity, value)");
    command->add_option("--drive", options->drive,
                        "COMMAND: a program that measures what is advised; it is started once, and MAP is written");
    shown_option(*command, "--patience", options->patience,
                 "With --drive: time to wait for the program's answer, beside the length of the burst");
    shown_option(*command, "--budget", options->budget, "With --drive: time after which no burst begins");
    shown_option(*command, "--most-bursts", options->most_bursts,
                 "With --drive: number of bursts after which the campaign ends; those set aside count")
        ->check(CLI::Range(1, 100'000));
    command->footer(
        "Without a map, or with a map that has no row yet, the first points come from the scenario alone. One bit "
        "halves what is still possible.\n"
        "It says stop when the 95 % interval over all kinds of memory that are still possible is narrow enough, the "
        "bursts that check the fit came\nout as foretold, and the fit has no doubts of its own. In JSON the first of "
        "\"points\" is the one to measure next.\n"
        "With --drive COMMAND (for /bin/sh) bursts and answers are lines of JSON: {\"separation_us\": 8.72, "
        "\"events\": 85, \"ports\": 28, \"payload_bytes\": 1024} out,\n"
        "{\"frames_sent\": 2380, \"frames_received\": 1207} back, where \"worst_trigger_lateness_us\", \"host_loss\": "
        "\"why\" or \"error\": \"why\" may be added. What came\n"
        "late, or was lost by the rig itself, is noted as a comment of the map and sent again.\n"
        "Example: watershed next scenarios/data/kernel-queue-deep.csv --scenario scenarios/kernel-queue.toml --target "
        "depth --precision 1%");
    command->callback([options] { run_next(*options); });
}

}  // namespace watershed
