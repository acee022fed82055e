// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>

#include "calibrate/advice/campaign.h"
#include "calibrate/commands/advice-options.h"
#include "calibrate/commands/commands.h"
#include "calibrate/commands/known-options.h"
#include "calibrate/fit/report-text.h"
#include "model/base/random.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/units.h"

namespace watershed {

// As processes tell each other.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TargetEstimate, value, relative_half_width, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CampaignStage, bursts, seconds, estimate, kind, probability)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CampaignRecord, truth, stages, stopped)

// JSON and CSV have no infinity: the library writes null, and the cell stays empty.
static void to_json(nlohmann::json& told, const Spread& spread) { told = {spread.low, spread.median, spread.high}; }
static void from_json(const nlohmann::json& told, Spread& spread) { spread = {told[0], told[1], told[2]}; }
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StrategySummary, strategy, campaigns, reached, bursts, seconds, error, covered,
                                   bursts_in_all, final_error, finally_covered, stopped, stop_bursts, stop_covered,
                                   wrong_kind)

namespace {

using nlohmann::json;

struct CampaignSimulateCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string strategies = "grid,bisection,advised";
    std::int64_t campaigns = 100, bursts = 168;
    int jobs = default_jobs();
    double depth_factor = 10;
    std::string rate_spread = "0.5%", counts = "use";
    SetupImperfections apparatus;
    std::string loss = "0", bucket = "0 B", drift = "0";
    KnownOptions known;
    AdviceOptionTexts advice;
    std::string output, json;
};

double small_share(const std::string& option, const std::string& text) {
    if (const auto share = ratio_in(text); share && *share < 0.5) return *share;
    throw InputError(option + ": found \"" + text + "\", expected a share below 50 % such as \"0.5%\"");
}

std::vector<std::string> strategies_of(const std::string& text, const CampaignPlan& plan) {
    std::vector<std::string> names;
    std::istringstream in(text);
    for (std::string name; std::getline(in, name, ',');) {
        make_strategy(name, plan);  // refuses what there is not
        if (boost::range::find(names, name) == names.end()) names.push_back(name);
    }
    if (names.empty()) throw InputError("--strategy: found \"\", expected grid, bisection or advised");
    return names;
}

/// 12 separations to where the watershed becomes steep, and 14 lengths that hold the longest lossless burst of every
/// depth that is drawn.
void set_grid(CampaignPlan& plan, const Scenario& scenario, double depth_factor) {
    constexpr int kSeparations = 12, kLengths = 14;
    constexpr double kSteepest = 0.97, kUsual = 0.85;
    const Prior& prior = plan.prior;
    const Generator& generator = plan.advice.generator;
    const double modules = double(prior.model.fullest(prior.usual));
    const double asymptote = modules * bit_picoseconds(prior.usual.wire) / prior.rate,
                 slot = double(prior.slot.count());
    const double depth = double(scenario.network_switch.buffer.size.amount);
    const auto longest = [&](double at, double factor) {
        const Time spacing{std::int64_t(std::max(slot, at * asymptote))};
        const auto events =
            longest_lossless(prior.model, prior.usual, spacing, std::max(1.0, depth * factor), prior.rate);
        return double(std::clamp<std::int64_t>(events.value_or(generator.longest), 1, generator.longest));
    };
    plan.grid_separations = generator.separations;
    if (plan.grid_separations.empty())
        for (int i = 0; i < kSeparations; ++i)
            plan.grid_separations.push_back(
                generator.at_least(Time{std::int64_t(slot + (kSteepest * asymptote - slot) * i / (kSeparations - 1))}));
    plan.grid_lengths = generator.lengths;
    const double first = longest(0, 1 / depth_factor), last = longest(kUsual, depth_factor);
    if (plan.grid_lengths.empty())
        for (int i = 0; i < kLengths; ++i)
            plan.grid_lengths.push_back(std::llround(first * std::pow(last / first, double(i) / (kLengths - 1))));
}

CampaignPlan plan_of(const CampaignSimulateCommandOptions& options, const Scenario& scenario) {
    const Buffer& buffer = scenario.network_switch.buffer;
    if ((buffer.sharing != Buffer::Sharing::Shared && buffer.sharing != Buffer::Sharing::PerInput) ||
        buffer.size.unit == MemorySize::Unit::Cell || buffer.cell.count > 0 || buffer.descriptors)
        throw InputError(options.scenario +
                         ": switch.buffer: expected shared or per-input memory in frames or bytes, whose depth a "
                         "campaign can be held against");
    CampaignPlan plan;
    plan.conditions = conditions_of(scenario, options.scenario);
    plan.prior = prior_of(scenario, plan.conditions);
    plan.prior.counts = options.apparatus.counts;
    plan.fit = fit_options_of(options.known);
    plan.fit.jobs = 1;  // the processes share the work
    plan.fit.counts = options.apparatus.counts ? CountUse::Count : CountUse::Flag;
    plan.advice = advice_options_of(options.advice);
    set_grid(plan, scenario, options.depth_factor);
    return plan;
}

/// By strategy, in the order of the names.
std::vector<std::vector<CampaignRecord>> play(const CampaignSimulateCommandOptions& options, const Scenario& scenario,
                                              const CampaignPlan& plan, const std::vector<std::string>& names) {
    const auto campaigns = std::size_t(options.campaigns);
    const std::size_t pieces = campaigns * names.size();
    const double rate_spread = small_share("--rate-spread", options.rate_spread);
    Progress progress("campaign-simulate", "campaigns", std::int64_t(pieces));
    std::int64_t done = 0;
    const auto one = [&](std::size_t piece) {
        const std::size_t number = piece / names.size();  // all strategies meet the same switch
        const Scenario hidden =
            hidden_scenario(scenario, options.apparatus.seed, std::int64_t(number), options.depth_factor, rate_spread);
        CampaignPlan mine = plan;
        SetupImperfections apparatus = options.apparatus;
        mine.seed = apparatus.seed = random_bits(options.apparatus.seed, Stream::Apparatus, number);
        const SimulatedSwitch simulated(hidden, apparatus, plan.advice.generator);
        const auto strategy = make_strategy(names[piece % names.size()], mine);
        return json(play_campaign(simulated, true_target(hidden, mine), *strategy, mine, options.bursts)).dump();
    };
    const std::vector<std::string> results =
        do_in_processes(options.jobs, pieces, one, [&](std::size_t, const std::string&) { progress.done(++done); });
    std::vector<std::vector<CampaignRecord>> records(names.size());
    for (std::size_t piece = 0; piece < pieces; ++piece)
        records[piece % names.size()].push_back(json::parse(results[piece]));
    return records;
}

std::string cell(double value) { return std::isfinite(value) ? text_line("%.6g", value) : ""; }

std::string cells(const Spread& spread) {
    return cell(spread.low) + "," + cell(spread.median) + "," + cell(spread.high);
}

/// Returns the further imperfections as text.
std::string further(const SetupImperfections& apparatus) {
    std::ostringstream out;
    const auto add = [&](bool there, const char* name, double value) {
        if (there) out << ", " << name << ' ' << value;
    };
    add(apparatus.loss > 0, "loss", apparatus.loss);
    add(apparatus.bucket > 0, "bucket of bytes", apparatus.bucket);
    add(apparatus.other_traffic > 0, "other traffic", apparatus.other_traffic);
    add(apparatus.drift != 0, "drift per burst", apparatus.drift);
    add(apparatus.stray > 0, "stray", apparatus.stray);
    add(apparatus.overhead_error != 0, "bytes too many per frame", double(apparatus.overhead_error));
    if (apparatus.heavy_tails) out << ", heavy tails";
    return out.str();
}

std::string settings(const CampaignSimulateCommandOptions& options, const CampaignPlan& plan) {
    std::ostringstream out;
    out << "# seed: " << options.apparatus.seed << ", campaigns: " << options.campaigns
        << ", grid: " << plan.grid_separations.size() << " x " << plan.grid_lengths.size() << "\n"
        << "# apparatus: counts " << (options.apparatus.counts ? "used" : "ignored") << ", threshold scale "
        << options.apparatus.noise.length << ", count noise " << options.apparatus.noise.frames
        << " frames, background " << options.apparatus.background << ", late " << options.apparatus.late
        << further(options.apparatus) << "\n"
        << "# target: " << options.advice.target << ", precision: " << options.advice.precision << "\n";
    return out.str();
}

std::string shown(const Spread& spread, double scale, int digits) {
    const auto text = [&](double value) {
        return std::isfinite(value) ? text_line("%.*f", digits, value * scale) : "-";
    };
    return text(spread.median) + " (" + text(spread.low) + " to " + text(spread.high) + ")";
}

void print(std::ostream& out, const std::vector<StrategySummary>& summaries,
           const CampaignSimulateCommandOptions& options) {
    constexpr const char* kRow = "  %-11s%-9s%-17s%-23s%-24s%-7s%-20s%-24s%s\n";
    out << "Until the " << options.advice.target << " is known to +-" << options.advice.precision
        << " (95 %): median and outer quartiles of " << options.campaigns << " campaigns; seed "
        << options.apparatus.seed << "\n\n";
    out << text_line(kRow, "strategy", "reached", "bursts", "seconds", "true error, %", "held", "at the end: bursts",
                     "true error, %", "held");
    const auto percent = [](double share) { return std::to_string(std::lround(100 * share)) + " %"; };
    for (const StrategySummary& one : summaries)
        out << text_line(kRow, one.strategy, percent(one.reached), shown(one.bursts, 1, 0), shown(one.seconds, 1, 1),
                         shown(one.error, 100, 3), one.reached > 0 ? percent(one.covered) : "-",
                         shown(one.bursts_in_all, 1, 0), shown(one.final_error, 100, 3), percent(one.finally_covered));
    out << '\n';
    for (const StrategySummary& one : summaries) {
        if (one.stopped > 0)
            out << one.strategy << " said stop in " << percent(one.stopped) << " of the campaigns, after "
                << shown(one.stop_bursts, 1, 0) << " bursts; then held in " << percent(one.stop_covered) << '\n';
        if (one.wrong_kind > 0)
            out << one.strategy << " ended with a wrong kind of memory more than 99 % probable in "
                << percent(one.wrong_kind) << " of the campaigns\n";
    }
    out << "held: campaigns whose 95 % interval holds the truth\n";
}

void run_campaign_simulate(CampaignSimulateCommandOptions options) {
    options.apparatus.counts = options.counts == "use";
    options.apparatus.loss = small_share("--loss", options.loss);
    options.apparatus.bucket = double(read_at("--bucket", [&] { return parse_bytes(options.bucket).count; }));
    const bool falls = !options.drift.empty() && options.drift.front() == '-';
    options.apparatus.drift = (falls ? -1 : 1) * small_share("--drift", options.drift.substr(falls));
    const Scenario scenario = read_scenario(options.scenario, options.overrides);
    const CampaignPlan plan = plan_of(options, scenario);
    const std::vector<std::string> names = strategies_of(options.strategies, plan);
    std::optional<OutputFile> csv = file_if_named(options.output), json_file = file_if_named(options.json);
    const auto records = play(options, scenario, plan, names);
    std::vector<StrategySummary> summaries;
    for (std::size_t i = 0; i < names.size(); ++i)
        summaries.push_back(summary_of(names[i], records[i], plan.advice.precision, plan.prior.model.name()));
    if (csv) {
        csv->stream()
            << Provenance::comment() << settings(options, plan)
            << "strategy,bursts,half_width_25,half_width_50,half_width_75,error_25,error_50,error_75,seconds_50\n";
        for (std::size_t i = 0; i < names.size(); ++i)
            for (const StrategyPoint& point : progress_of(records[i]))
                csv->stream() << names[i] << ',' << point.bursts << ',' << cells(point.half_width) << ','
                              << cells(point.error) << ',' << cell(point.seconds) << '\n';
        csv->commit();
    }
    if (json_file)
        json_file->write(json_text(json{{"program", Provenance::program()},
                                        {"command", Provenance::command()},
                                        {"seed", options.apparatus.seed},
                                        {"target", options.advice.target},
                                        {"precision", plan.advice.precision},
                                        {"grid", {plan.grid_separations.size(), plan.grid_lengths.size()}},
                                        {"strategies", summaries}}) +
                         '\n');
    if (options.output != "-" && options.json != "-") print(std::cout, summaries, options);
}

}  // namespace

void add_campaign_simulate_command(CLI::App& app) {
    auto options = std::make_shared<CampaignSimulateCommandOptions>();
    CLI::App* command = app.add_subcommand(
        "campaign-simulate", "Simulate measurement campaigns and compare the strategies that choose their bursts");
    command
        ->add_option("SCENARIO", options->scenario,
                     "What the experimenter believes; the hidden switches differ in depth and rate")
        ->required();
    repeatable_option(*command, "--set", options->overrides, "KEY=VALUE: override a key of the scenario (repeatable)");
    shown_option(*command, "--strategy", options->strategies,
                 "Strategies to compare, separated by commas: grid, bisection, advised");
    ranged_option(*command, "--campaigns", options->campaigns, 1, 100'000,
                  "Hidden switches, each measured with every strategy");
    ranged_option(*command, "--bursts", options->bursts, 1, 100'000,
                  "Bursts after which a campaign ends, if it has not before");
    command->add_option("--jobs", options->jobs, "Processes that share the work")
        ->check(CLI::Range(1, 1024))
        ->default_str("all processors");
    limit_jobs(*command, options->jobs);
    share_with_jobs(*command);
    shown_option(*command, "--seed", options->apparatus.seed, "Seed of hidden switches, noise and order");
    ranged_option(*command, "--depth-factor", options->depth_factor, 1.0, 50.0,
                  "Hidden depths lie anywhere from this factor below to this factor above the scenario's");
    shown_option(*command, "--rate-spread", options->rate_spread,
                 "Standard deviation of the hidden service rates around the scenario's");
    shown_option(*command, "--counts", options->counts,
                 "Whether lost frames are counted (use), or only noticed (ignore)")
        ->check(CLI::IsMember({"use", "ignore"}));
    ranged_option(*command, "--threshold-scale", options->apparatus.noise.length, 0.0, 1.0,
                  "Standard deviation of ln(burst length) at which a burst begins to lose");
    ranged_option(*command, "--count-noise", options->apparatus.noise.frames, 0.0, 1e6,
                  "Standard deviation of the number of frames lost");
    ranged_option(*command, "--background", options->apparatus.background, 0.0, 1.0,
                  "Share of bursts that lose a frame without congestion");
    ranged_option(*command, "--late", options->apparatus.late, 0.0, 1.0,
                  "Share of bursts with a trigger that comes late");
    shown_option(*command, "--loss", options->loss, "Share of the frames that are lost at random, such as \"0.1%\"");
    shown_option(*command, "--bucket", options->bucket,
                 "Bytes that an idle uplink may send at once, ahead of its rate");
    ranged_option(*command, "--other-traffic", options->apparatus.other_traffic, 0.0, 1e6,
                  "Variance of the number of frames lost, per frame that the uplink drains");
    command->add_flag("--heavy-tails", options->apparatus.heavy_tails,
                      "Threshold and counts scatter as Student's t with 2 degrees of freedom, by the same scales, "
                      "which the fit does not foresee");
    shown_option(*command, "--drift", options->drift,
                 "Relative change of the service rate from each burst to the next, such as \"0.01%\" or "
                 "\"-0.01%\", which the fit does not foresee");
    ranged_option(*command, "--stray", options->apparatus.stray, 0.0, 1.0,
                  "Share of bursts that lose 1 to 1000 frames more for a reason of their own");
    ranged_option(*command, "--overhead-error", options->apparatus.overhead_error, -40, 1000,
                  "Bytes by which each frame is longer, on the link and in the memory, than is believed, which the "
                  "fit does not foresee");
    add_fix_options(*command, options->known);
    add_advice_options(*command, options->advice);
    command->add_option(
        "-o,--output", options->output,
        "CSV of what is known after so many bursts, for watershed plot campaigns; - is standard output");
    command->add_option("--json", options->json,
                        "Write the comparison to FILE; - is standard output, and then nothing else goes there");
    command->footer(
        R"(Strategies: grid measures all of a grid of 12 separations and 14 lengths (or of --separation and --events) in random order; bisection doubles and
halves the length at one separation after the other; advised asks watershed next. All of a campaign's strategies meet the same switch.
Example: watershed campaign-simulate scenarios/s60-figure4.toml --set switch.buffer.sharing=shared --campaigns 20 -o campaigns.csv)");
    command->callback([options] { run_campaign_simulate(*options); });
}

}  // namespace watershed
