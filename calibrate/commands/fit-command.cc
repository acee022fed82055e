// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/closed-form/overload.h"
#include "calibrate/commands/commands.h"
#include "calibrate/commands/known-options.h"
#include "calibrate/report/draws-report.h"
#include "calibrate/report/fit-report.h"
#include "calibrate/thresholds/thresholds.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/measured-table.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

struct FitCommandOptions {
    KnownOptions known;
    std::string json, output, draws;
    std::uint64_t seed = 1;
    bool verbose = false;
};

AbsorptionTest test_of(const KnownOptions& known, const std::string& source) {
    if (!known.fixed.empty() || !known.bounds.empty())
        throw InputError("--fix, --bound: expected with a loss map, found a burst-absorption table: " + source);
    AbsorptionTest test;
    test.source = source;
    test.scenario = known.scenario;
    if (!known.scenario.empty()) {
        const Scenario scenario = read_scenario(Scope::line_rate_plus_burst(), known.scenario, known.overrides);
        test.link_rate = scenario.front_end.link_rate;
        test.uplink_rate = scenario.network_switch.uplink_rate;
        if (scenario.network_switch.uplinks != 1)
            throw InputError(known.scenario + ": switch.uplinks: found " +
                             std::to_string(scenario.network_switch.uplinks) +
                             ", expected 1: stream and burst leave by one output");
    } else if (!known.overrides.empty()) {
        throw InputError("--set " + known.overrides.front() + ": expected a --scenario whose key it sets");
    }
    return test;
}

using Write = std::function<void(std::ostream&)>;

/// Writes the files that are named; not the switch or the draws where there are none to write.
/// @throws InputError then, afterwards
void write_files(const FitCommandOptions& options, const nlohmann::json& result, const Write& write_switch,
                 const Write& write_draws = {}) {
    std::optional<OutputFile> json_file = file_if_named(options.json), switch_file = file_if_named(options.output),
                              draws_file = file_if_named(options.draws);
    std::exception_ptr none;
    const auto write = [&](std::optional<OutputFile>& file, const Write& how) {
        if (file) try {
                how(file->stream());
            } catch (const InputError&) {
                none = std::current_exception();
                file.reset();
            }
        return file ? &*file : nullptr;
    };
    if (json_file) json_file->stream() << json_text(result) << '\n';
    OutputFile::commit_all(
        {json_file ? &*json_file : nullptr, write(switch_file, write_switch), write(draws_file, write_draws)});
    if (none) std::rethrow_exception(none);
}

void fit_table(const CsvTable& csv, const FitCommandOptions& options) {
    const AbsorptionTest test = test_of(options.known, csv.name());
    const BurstTable table = burst_table_from(csv);
    if (!options.output.empty() && table.parts.size() > 1)
        throw InputError(csv.name() + ": found " + std::to_string(table.parts.size()) +
                         " switches, expected one with -o " + options.output);
    const StreamAndBurst rates =
        read_at(test.scenario, "switch.uplink_rate", [&] { return StreamAndBurst(test.link_rate, test.uplink_rate); });
    for (const std::string& file : {options.json, options.output}) file_if_named(file);  // before the work
    std::vector<AbsorptionFit> fits;
    for (const BurstTable::Part& part : table.parts) fits.push_back(fit_absorption(part, rates));
    nlohmann::json result = nlohmann::json::array();
    for (const AbsorptionFit& fit : fits) result.push_back(to_json(fit, test));
    write_files(options, table.parts.front().name ? result : result.front(),
                [&](std::ostream& out) { write_switch(out, fits.front(), test); });
    if (options.json == "-" || options.output == "-") return;
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (i > 0) std::cout << '\n';
        print(std::cout, fits[i], test);
    }
}

void run_fit(const FitCommandOptions& options) {
    const CsvTable csv = read_measured_table(options.known.map, options.known.columns);
    if (!options.draws.empty() && (is_burst_table(csv) || is_threshold_table(csv) || is_overload_table(csv)))
        throw InputError("--draws: expected with a loss map, found another table: " + csv.name());
    if (is_burst_table(csv)) return fit_table(csv, options);
    if (is_threshold_table(csv)) {
        if (!options.known.fixed.empty() || !options.known.bounds.empty() || !options.output.empty() ||
            !options.known.scenario.empty())
            throw InputError("--fix, --bound, --scenario, -o: expected with a loss map, found a table of thresholds: " +
                             csv.name());
        return fit_thresholds(csv, options.json);
    }
    const Conditions conditions = conditions_of(options.known);
    if (is_overload_table(csv)) {
        if (!options.known.fixed.empty() || !options.known.bounds.empty() || !options.output.empty())
            throw InputError("--fix, --bound, -o: expected with a loss map, found a table of overloads: " + csv.name());
        return fit_overload_table(csv, conditions, options.json);
    }
    FitOptions fit_options = fit_options_of(options.known);
    fit_options.seed = options.seed;
    const bool netcdf = !options.draws.empty() && is_netcdf(options.draws);
    if (!options.draws.empty()) fit_options.draws = kDraws;
    for (const std::string& file : {options.json, options.output, options.draws})
        file_if_named(file);  // before the work
    const LossMap map = loss_map_of(options.known, csv);
    const std::vector<FrameRecord> records = frame_records_of(options.known);
    const std::string told = infer_sharing(records);
    warn_of(warnings_of(map, conditions));
    Fit fit = fit_loss_map(map, conditions, fit_options);
    fit.drops = infer_drop_policy(records);
    warn_of(warnings_of(fit));
    const Diagnosis diagnosis = diagnose(fit, options.seed);
    nlohmann::json result = to_json(fit, diagnosis);
    if (!options.known.frames.empty())
        result["order"] = {{"beginnings", map.rows.size() - csv.rows().size()}, {"told", told}};
    write_files(
        options, result, [&](std::ostream& out) { write_switch(out, fit); },
        [&](std::ostream& out) { out << draws_text(fit, netcdf); });
    if (options.json == "-" || options.output == "-") return;
    std::string more = note_of(csv);
    if (!options.known.frames.empty())
        more += "Order of losses: beginnings of bursts count as " +
                std::to_string(map.rows.size() - csv.rows().size()) + " bursts more" + (told.empty() ? "" : "; ") +
                told + '\n';
    print_report(std::cout, result, options.verbose, std::size_t(boost::count(more, '\n')));
    std::cout << more;
}

}  // namespace

void add_fit_command(CLI::App& app) {
    auto options = std::make_shared<FitCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "fit",
        "Find depth, service rate and kind of a switch memory that explain a loss map or a burst-absorption table");
    add_known_options(*command, options->known);
    share_with_jobs(*command);
    command->add_option("--json", options->json,
                        "Write the result to FILE; - is standard output, and then nothing else goes there");
    command->add_option("-o,--switch", options->output,
                        "Write the fitted switch to FILE (TOML), which a scenario can name as switch.model");
    command->add_option("--draws", options->draws,
                        "Write 2000 joint draws of the posterior over all kinds of memory to FILE, with the log "
                        "likelihood of each row: .csv, or .nc for ArviZ");
    shown_option(*command, "--seed", options->seed,
                 "Seed of the sampler, and of the maps that are simulated to judge the goodness of fit")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000'000'000'000}));
    command->add_flag("--verbose", options->verbose, "Print all lines, not only the 25 that matter most");
    command->footer(
        R"(Every burst of a loss map excludes some pairs of depth and service rate. The hard limits hold all pairs that no burst excludes, those of the violating
rows aside. They need no statistics. Where lossy and lossless bursts overlap so far that no pair is left, there are none. The binding rows set them.
Rows are counted from 1, without the header and comments. In JSON, null is "no limit".
Where the bursts cannot tell kinds of memory apart, the estimate is for the kind that the scenario names, else for shared frames, even if
another is somewhat more probable: the table of models has all.
What no plain memory explains is tried with a feature: descriptors (if payloads differ), a resume level (if lost frames are counted), a
dynamic threshold (if a column congested_uplinks differs), one uplink fuller than the others (if there are two or more).
A burst-absorption table (frame_bytes, max_burst_lossless_frames, drops_at_burst_plus_1, and switch where there are several) is known
by its header: a stream at line rate and a burst into a second port, both to one output.
A table of thresholds (pg, quantity, and point_cells or lower_cells and upper_cells) is known by its header, too: priority groups that were
filled one after another. It gives pool, alpha, minimum and headroom, and predicts the other groups.
A table of overloads (offered_bps, output_bps, t_first_drop_us) is known by its header as well: the depth is what came in beyond what left until the first drop.
Examples: watershed fit scenarios/data/kernel-queue-deep.csv --scenario scenarios/kernel-queue.toml --json fit.json
          watershed fit scenarios/data/miercom-n-plus-1.csv
          watershed fit scenarios/data/mmu-probe.csv)");
    command->callback([options] { run_fit(*options); });
}

}  // namespace watershed
