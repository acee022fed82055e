// SPDX-License-Identifier: GPL-2.0-only
#include <iomanip>

#include "calibrate/advice/fit-concerns.h"
#include "calibrate/commands/advice-options.h"
#include "calibrate/commands/commands.h"
#include "calibrate/commands/known-options.h"
#include "calibrate/fit/rate-doubt.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/measure/measuring.h"
#include "calibrate/report/fit-report-parts.h"
#include "calibrate/thresholds/thresholds.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/measured-table.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

struct NextCommandOptions {
    KnownOptions known;
    AdviceOptionTexts advice;
    std::string json, costs;
    std::string drive, patience = "1 min", budget = "20 min";
    int most_bursts = 40;
};

/// A map may still be without rows here, or there may be none.
PartialFit fitted(const NextCommandOptions& options, const Conditions& conditions) {
    const std::string& map = options.known.map;
    const FitOptions known = fit_options_of(options.known);  // errors there end the command before the first burst
    if (!map.empty()) {
        const LossMap rows = loss_map_of(options.known, read_measured_table(map, options.known.columns), true);
        if (!rows.rows.empty()) {
            warn_of(warnings_of(rows, conditions));
            PartialFit so_far = fit_so_far(rows, conditions, known);
            if (so_far.fit) warn_of(warnings_of(*so_far.fit));
            return so_far;
        }
    }
    if (options.known.scenario.empty())
        throw InputError(map.empty()
                             ? "expected a loss map, or --scenario to begin with"
                             : map + ": the map is empty, expected at least one burst, or --scenario to begin with");
    return {};
}

Prior prior_for(const NextCommandOptions& options, const PartialFit& so_far, const Conditions& conditions) {
    const bool counts = options.known.counts != "ignore";
    if (options.known.scenario.empty())
        return so_far.fit ? prior_of(*so_far.fit)
                          : prior_of(so_far.bursts, {conditions.sharing, conditions.unit}, conditions, counts);
    Prior prior =
        prior_of(read_scenario(Scope::own_bursts(), options.known.scenario, options.known.overrides), conditions);
    prior.counts = counts;
    return prior;
}

/// Lets the rig measure what is advised; what is told meanwhile must not disturb JSON on standard output.
/// @return how many bursts it measured
int drive(const NextCommandOptions& options, const AdviceOptions& advice_for, const Conditions& conditions) {
    if (options.known.map.empty() || options.known.scenario.empty())
        throw InputError("--drive: expected a map to write, and a --scenario");
    const Time budget = positive_time("--budget", options.budget),
               patience = positive_time("--patience", options.patience);
    const CampaignPlan plan{
        prior_for(options, {}, conditions), conditions, fit_options_of(options.known), advice_for, {}, {}};
    GrowingLossMap map(options.known.map);
    const std::unique_ptr<Rig> rig = command_rig(options.drive, patience);
    std::ostream& out = options.json == "-" ? std::cerr : std::cout;
    MeasurementCampaign measuring(*rig, map, budget, options.most_bursts,
                                  [&](const std::string& line) { out << line << std::endl; });
    const std::string ended = measuring.measure_as_advised(plan, {{advice_for.target, advice_for.precision}});
    out << "Ended after " << how_many(measuring.bursts(), "burst") << ": " << ended << "\n\n";
    return measuring.bursts();
}

json points_of(const std::vector<AdvisedPoint>& points) {
    json result = json::array();
    for (const AdvisedPoint& point : points)
        result.push_back({{"ports", point.ports},
                          {"payload_bytes", point.payload.count},
                          {"separation_us", in_microseconds(point.separation)},
                          {"events", point.events},
                          {"probability_of_loss", point.probability_of_loss},
                          {"frames_lost", point.frames_lost},
                          {"information_bits", point.information_bits},
                          {"bits_per_second", point.bits_per_second()},
                          {"seconds", point.seconds},
                          {"reason", point.reason}});
    return result;
}

json predictions_json(const PredictionScore& score) {
    json result = json::array();
    for (const Prediction& one : score.rows) {
        const bool loss = one.probability_of_loss > 0.5;
        result.push_back({{"row", one.burst.row},
                          {"probability", loss ? one.probability_of_loss : 1 - one.probability_of_loss},
                          {"came", one.held && one.burst.lossy == loss},
                          {"probability_of_loss", one.probability_of_loss},
                          {"lost_if_any", {one.fewest, one.most}},
                          {"lossy", one.burst.lossy},
                          {"lost", one.burst.counted ? json(one.burst.lost) : json()},
                          {"held", one.held}});
    }
    return result;
}

/// Returns the kinds that are left possible.
std::vector<const ModelFit*> kinds_of(const Fit& fit) {
    std::vector<const ModelFit*> kinds;
    for (const ModelFit& one : fit.models)
        if (&one == &fit.best() || one.probability >= kLeastProbable) kinds.push_back(&one);
    return kinds;
}

json kinds_json(const std::optional<Fit>& fit) {
    json kinds = json::array();
    if (!fit) return kinds;
    for (const ModelFit* const one : kinds_of(*fit)) {
        const Estimate depth = in_known_digits(one->depth, one->error_of_ends);
        kinds.push_back(
            {{"model", one->model.name()},
             {"words", one->model.words()},
             {"probability", one->probability},
             {"depth", {{"unit", unit_of(one->model)}, {"estimate", depth.value}, {"interval95", depth.interval95}}}});
    }
    return kinds;
}

/// "Go on: the depth is known to 12 %, …": the first line of the text, and the answer of the page.
std::string headline(const PartialFit& so_far, const Advice& advice, bool depth_known) {
    const RateMismatch doubt = so_far.fit && depth_known ? rate_doubt(*so_far.fit) : RateMismatch();
    const bool said = advice.reason.find(doubt.off) != std::string::npos;  // also if there is nothing to say
    return (advice.stop ? "Stop: " : "Go on: ") + advice.reason +
           (said ? "" : "; " + doubt.off + ", usually by " + doubt.reasons);
}

/// @param depth  whatever the target is
json to_json(const NextCommandOptions& options, const PartialFit& so_far, const Prior& prior, const Advice& advice,
             double precision, const std::optional<TargetEstimate>& depth) {
    const std::optional<Fit>& fit = so_far.fit;
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"map", options.known.map.empty() ? json() : json(options.known.map)},
            {"target", options.advice.target},
            {"precision", precision},
            {"status", fit ? json(to_text(fit->status)) : json()},
            {"depth",
             {{"unit", unit_of(fit ? fit->best().model : prior.model)},
              {"estimate", depth ? json(depth->value) : json()},
              {"interval95", depth ? json{depth->low, depth->high} : json{json(), json()}}}},
            {"rate_off_nominal", fit ? rate_off_nominal(*fit) : std::nullopt},
            {"kind", fit ? json(fit->best().model.name()) : json()},
            {"headline", headline(so_far, advice, depth.has_value())},
            {"fit_headline", fit ? json(headline_of(*fit)) : json()},
            {"kinds", kinds_json(fit)},
            {"goodness", advice.goodness},
            {"points", points_of(advice.points)},
            {"checks",
             {{"done", advice.checked.done},
              {"wanted", advice.checked.wanted},
              {"passed", advice.checked.passed},
              {"points", points_of(advice.checks)}}},
            {"predictions", predictions_json(advice.predictions)},
            {"stop", advice.stop},
            {"reason", advice.reason},
            {"relative_half_width", advice.estimate ? json(advice.estimate->relative_half_width) : json()},
            {"rows_set_aside", so_far.set_aside}};
}

void print_points(std::ostream& out, const Prior& prior, const std::vector<AdvisedPoint>& points) {
    const bool mixes = boost::algorithm::any_of(points, [&](const AdvisedPoint& point) {
        return point.ports != prior.usual.ports || point.payload.count != prior.usual.payload;
    });
    const auto line = [&](const std::vector<std::string>& cells) {
        constexpr int kWidths[] = {7, 9, 14, 10, 9, 14, 8, 9, 9, 0};
        out << "  " << std::left;
        for (std::size_t i = mixes ? 0 : 2; i < cells.size(); ++i) out << std::setw(kWidths[i]) << cells[i];
        out << '\n';
    };
    line({"ports", "payload", "separation", "events", "P(loss)", "frames lost", "bits", "seconds", "bits/s", "why"});
    const auto two_digits = [](double value) { return text_line("%.2f", value); };
    for (const AdvisedPoint& point : points)
        line({std::to_string(point.ports), to_text(point.payload), to_text(point.separation),
              std::to_string(point.events), text_line("%.3f", point.probability_of_loss),
              point.frames_lost ? std::to_string(std::llround(*point.frames_lost)) : "-",
              two_digits(point.information_bits), two_digits(point.seconds), two_digits(point.bits_per_second()),
              point.reason});
}

/// Only where the bursts leave more than one possible.
void print_kinds(std::ostream& out, const Fit& fit) {
    const auto kinds = kinds_of(fit);
    if (kinds.size() < 2) return;
    constexpr std::size_t kMost = 4;
    out << "Kinds of memory left possible: ";
    for (std::size_t i = 0; i < std::min(kinds.size(), kMost); ++i)
        out << (i > 0 ? ", " : "") << kinds[i]->model.name() << ' '
            << number_text(std::round(1e3 * kinds[i]->probability) / 10) << " %";
    out << (kinds.size() > kMost ? ", and " + std::to_string(kinds.size() - kMost) + " more\n" : "\n");
}

void print(std::ostream& out, const PartialFit& so_far, const Prior& prior, const Advice& advice, bool depth_known) {
    const std::string with = "with " + std::to_string(prior.usual.ports) + " ports and " +
                             std::to_string(prior.usual.payload) + " B payload, ";
    out << headline(so_far, advice, depth_known) << '\n';
    if (advice.stop && so_far.fit) out << headline_of(*so_far.fit) << '\n';
    constexpr std::size_t kMostRows = 3;
    for (std::size_t i = 0; i < std::min(so_far.set_aside.size(), kMostRows); ++i)
        out << "Set aside: row " << so_far.set_aside[i].row << " (line " << so_far.set_aside[i].line
            << "): " << so_far.set_aside[i].reason << '\n';
    if (so_far.set_aside.size() > kMostRows) out << "Set aside: " << so_far.set_aside.size() << " rows in all\n";
    if (so_far.fit) print_kinds(out, *so_far.fit);
    if (!advice.checks.empty()) {
        out << "\nTo check noise and model, " << with << "repeats and bursts that the others predict:\n\n";
        print_points(out, prior, advice.checks);
    } else if (!advice.points.empty()) {
        out << (advice.stop ? "\nFor still more, " : "\nNext, ") << with << "most information per second first:\n\n";
        print_points(out, prior, advice.points);
    }
}

void run_next(const NextCommandOptions& options) {
    std::string note;
    if (!options.known.map.empty() && options.drive.empty()) {
        const CsvTable table = read_measured_table(options.known.map, options.known.columns);
        note = note_of(table);
        if (is_threshold_table(table)) return advise_thresholds(table, options.costs, options.json);
        if (is_overload_table(table))
            return advise_overloads(table, conditions_of(options.known),
                                    parse_precision("--precision", options.advice.precision), options.json);
    }
    if (!options.costs.empty()) throw InputError("--costs: expected with a table of thresholds");
    const AdviceOptions advice_for = advice_options_of(options.advice);
    const Conditions conditions = conditions_of(options.known);
    std::optional<OutputFile> file = file_if_named(options.json);
    const int driven = options.drive.empty() ? 0 : drive(options, advice_for, conditions);
    const PartialFit so_far = fitted(options, conditions);
    const Prior prior = prior_for(options, so_far, conditions);
    Advice advice = advise(so_far.fit, prior, advice_for);
    const auto depth = BurstPlanner(so_far.fit, prior, advice_for).estimate_of(AdviceTarget::Depth);
    if (so_far.fit && !advice.goodness) advice.goodness = fit_concerns(*so_far.fit).goodness;
    if (!so_far.fit && !so_far.set_aside.empty())
        advice.reason = "every burst so far was set aside: the advice comes from the scenario alone";
    if (file) file->write(json_text(to_json(options, so_far, prior, advice, advice_for.precision, depth)) + '\n');
    if (options.json != "-") print(std::cout, so_far, prior, advice, depth.has_value()), std::cout << note;
    if (options.drive.empty()) return;
    if (const std::string why = nothing_known(so_far, false, driven, options.known.map); !why.empty())
        throw std::runtime_error(why);
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
    ranged_option(*command, "--most-bursts", options->most_bursts, 1, 100'000,
                  "With --drive: number of bursts after which the campaign ends; those set aside count");
    command->footer(
        R"(Without a map, or with a map that has no row yet, the first points come from the scenario alone. One bit halves what is still possible.
It says stop when the 95 % interval over all kinds of memory that are still possible is narrow enough, the bursts that check the fit came
out as predicted, and the fit has no doubts of its own. A burst that did not end as the rows before it foretold (99 %) blocks the stop until
three new predictions hold; after five failures next says which law is missing. The map's rows are taken as measured in this order. In JSON the first of "points" is the one to measure next.
With --drive COMMAND (for /bin/sh) bursts and answers are lines of JSON: {"separation_us": 8.72, "events": 85, "ports": 28, "payload_bytes": 1024} out,
{"frames_sent": 2380, "frames_received": 1207} back, where "worst_trigger_lateness_us", "host_loss": "why" or "error": "why" may be added. What came
late, or was lost by the rig itself, is noted as a comment of the map and sent again.
Example: watershed next scenarios/data/kernel-queue-deep.csv --scenario scenarios/kernel-queue.toml --target depth --precision 1%)");
    command->callback([options] { run_next(*options); });
}

}  // namespace watershed
