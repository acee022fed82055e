// SPDX-License-Identifier: GPL-2.0-only
// Chances: of a scenario, of its changes, of several scenarios, and the memory that makes them small.
#include <algorithm>
#include <cmath>

#include "model/network/network-load.h"
#include "model/risk/camera-queue.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/prices.h"
#include "scenarios/design/sensitivity.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

double hours(Time time) { return in_seconds(time) / 3600; }

std::string row(const std::string& name, const std::string& value) {
    return "  " + name + std::string(20 - std::min<std::size_t>(name.size(), 20), ' ') + value + "\n";
}

std::string rows(const Risk& risk) {
    const Known known = risk.known();
    const std::string limits = "between " + plain_number(known.log10_lower(), 4, Rounded::Down) + " and " +
                               plain_number(known.log10_upper(), 4, Rounded::Up) +
                               (risk.calculated ? " (bounds)" : " (95 %)");
    // Certain bounds that are apart leave no estimate.
    std::string text =
        row("probability", known.is_zero() || known.is_limit() ? known.words(plain_number, 4)
                           : risk.calculated && !known.is_close()
                               ? limits
                               : plain_number(known.log10_estimate(), 4, Rounded::Nearest) + ", " + limits);
    text += row("method", risk.method + (risk.known().is_zero() ? "" : ": " + risk.remark));
    return risk.shortfall.empty() ? text : text + row("", risk.shortfall);
}

/// "166.5 years", "3.2 ms"
std::string plain_seconds(double log10, int digits, Rounded rounded) {
    constexpr double kYear = 365.25 * 86400;
    const struct {
        const char* unit;
        double seconds;
    } units[] = {{"years", kYear}, {"days", 86400}, {"hours", 3600}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
    for (const auto& [unit, seconds] : units)
        if (log10 >= std::log10(seconds))
            return plain_number(log10 - std::log10(seconds), digits, rounded) + " " + unit;
    return plain_number(log10, digits, rounded) + " s";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

Answer risk_answer(const RiskAsked& asked, const EngineFactory& make_engine) {
    std::vector<AssumedValue> assumed;
    const Scenario scenario =
        read_scenario(Scope::camera().with_sequences().with_copies(), asked.scenario, asked.overrides, &assumed);
    const Time night = read_at("--night", [&] { return parse_time(asked.night); });
    const auto engine = make_engine("exact", {});
    const auto risk_by = [&](const std::string& method) {
        try {
            return find_risk(scenario, method, asked.effort, *engine);
        } catch (const InputError& error) {
            throw InputError(asked.scenario + ": " + error.what());
        }
    };
    if (asked.check == asked.method)
        throw InputError("--check: found " + asked.check + ", the method of --method, expected another one");
    const Risk risk = risk_by(asked.method);
    std::optional<Risk> check;
    std::string not_checked;
    if (!asked.check.empty() && asked.check == risk.method)
        not_checked = risk.method + " gave the answer itself; --check " +
                      (risk.method == "direct" ? "tilted" : "direct") + " is another method";
    else if (!asked.check.empty())
        try {
            check = risk_by(asked.check);
        } catch (const InputError& error) {
            not_checked = asked.check + " has no answer: " + error.what();
        }
    if (check && contradict(risk, *check))
        throw std::runtime_error("the methods contradict each other: " + risk.method + " " +
                                 risk.known().words(plain_number, 4) + ", " + check->method + " " +
                                 check->known().words(plain_number, 4));

    const EventRates rates = read_at(asked.scenario, [&] { return event_rates(scenario); });
    const double rate = rates.all;
    const LinkLoad fullest = fullest_link(scenario, Network(scenario), rates.of_groups);
    const std::optional<Risk> proof = risk.known().is_zero() ? risk : proven_risk(scenario);
    const bool never = proof.has_value();
    const std::string overload = overload_text(fullest);
    Answer answer;
    answer.json = risk;
    const auto hash = hash_of(scenario);
    const double per_hour = std::exp(risk.log.estimate) * rate * 3600;
    answer.json.update({{"per_hour", per_hour},
                        {"per_night", per_hour * hours(night)},
                        {"night_hours", hours(night)},
                        {"events_per_hour", rate * 3600},
                        {"trigger_rate_hz", rate},
                        {"load", fullest.load},  // the link that is given most
                        {"never", never},
                        {"hash", text_or_null(hash ? to_text(*hash) : "")},  // that the answer rests on
                        {"overload", text_or_null(overload)},
                        {"check", json_of(check)},
                        {"not_checked", text_or_null(not_checked)}});
    NetworkScenario one = scenario;  // the modules of a group
    for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
        const Group& group = scenario.groups[i];
        one.frame = group.frame;
        one.front_end = group.front_end;
        answer.json["groups"].push_back({{"name", group.name},
                                         {"modules", group.front_end.modules},
                                         {"rate_hz", rates.of_groups[i]},
                                         {"link_load", rates.of_groups[i] * link_seconds(one)}});
    }
    answer.json.update(
        {{"seed", scenario.seed}, {"program", Provenance::program()}, {"command", Provenance::command()}});

    std::string& text = answer.text;
    text = "Risk of " + asked.scenario + ": the chance that an event is incomplete" + hash_condition(scenario) + "\n" +
           rows(risk);
    tell_assumed(answer, assumed);
    if (never) text += row("", "never: " + proof->remark);
    if (!risk.calculated || (check && !check->calculated)) text += row("seed", std::to_string(scenario.seed));
    text += row("events", text_line("%.6g per second, %.6g per hour", rate, rate * 3600) +
                              (is_random_alone(scenario) ? " (" + to_text(scenario.trigger.rate) + " before " +
                                                               to_text(scenario.trigger.dead_time) + " of dead time)"
                                                         : ""));
    const Known a_second = (never ? *proof : risk).known() * rate;
    const auto per = [&](double in_hours) { return (a_second * (3600 * in_hours)).brief(plain_number, 4); };
    if (a_second.is_zero())
        text += row("incomplete", "no event");
    else
        text += row("incomplete", per(1) + " per hour, " + per(hours(night)) + " per night of " + to_text(night));
    if (const Known apart = inverse(a_second); apart.kind() == Known::Kind::Between && !apart.is_close())
        text += row("", "one in " + plain_seconds(apart.log10_lower(), 4, Rounded::Down) + " to " +
                            plain_seconds(apart.log10_upper(), 4, Rounded::Up));
    else if (!a_second.is_zero())
        text += row("", "one in " + apart.brief(plain_seconds, 4));
    if (!overload.empty()) text += row("overload", overload);
    if (check) text += "Checked:\n" + rows(*check);
    if (!not_checked.empty()) text += "Not checked: " + not_checked + "\n";
    return answer;
}

namespace {

/// Risk by the chain; of a scenario that it does not know by the bound, if that is enough, for it takes no time; else
/// by a sample.
Risk risk_of(const Scenario& scenario, const SensitivityAsked& asked, Engine& engine) {
    if (EquivalentQueues::of(scenario).cameras.empty())
        if (const CertainLoss certain = CertainLoss::of(scenario);
            certain.log && (certain.log->upper <= std::log(asked.loss) || certain.load >= 1))
            return find_risk(scenario, "bound", asked.effort, engine);
    return find_risk(scenario, "auto", asked.effort, engine);
}

}  // namespace

Answer sensitivity_answer(const SensitivityAsked& asked, const EngineFactory& make_engine) {
    const auto read = [&](std::vector<std::string> keys, std::vector<AssumedValue>* assumed) {
        keys.insert(keys.begin(), asked.overrides.begin(), asked.overrides.end());
        Scenario scenario =
            with_an_end(read_scenario(Scope::anything().without_failures(), asked.scenario, keys, assumed));
        if (!scenario.is_camera())
            throw InputError(asked.scenario, "system", "found \"" + scenario.system + "\", expected a camera");
        return scenario;
    };
    std::vector<AssumedValue> assumed;
    const Scenario today = read({}, &assumed);
    const auto engine = make_engine(asked.engine, {});
    const Design design{[&](const std::vector<std::string>& keys) { return read(keys, nullptr); },
                        [&](const Scenario& scenario) { return risk_of(scenario, asked, *engine); }, *engine,
                        asked.loss};
    Json json = result_of(asked);
    json.update({{"set", asked.overrides}, {"engine", asked.engine}, {"seed", today.seed}});
    const auto questions = what_if_questions(today, assumed, read_catalogue(folder_of(asked.scenario)));
    try {
        json.update(sensitivity_of(design, questions));
    } catch (const InputError& error) {  // the scenario as it is
        throw InputError(asked.scenario + ": " + error.what());
    }
    const std::string text = "Sensitivity of " + asked.scenario + ": what if something is other than planned?\n" +
                             sensitivity_as_table(json);
    json["answer"] = answer_of(text);
    Answer answer{json, text, "", 1};
    tell_assumed(answer, assumed);
    return answer;
}

Answer compare_answer(const CompareOptions& asked, const std::string& prices_file, const EngineFactory& make_engine) {
    if (asked.scenarios.size() < 2) throw InputError("SCENARIO: found one, expected at least two to compare");
    const Prices prices =
        prices_file.empty() ? Prices{} : read_prices(prices_file, read_catalogue(folder_of(asked.scenarios.front())));
    Json json{{"program", Provenance::program()},
              {"command", Provenance::command()},
              {"set", asked.overrides},
              {"engine", asked.engine},
              {"separation_us", in_microseconds(asked.separation)},
              {"currency", prices.currency}};
    json["designs"] = compared_designs(asked, prices, make_engine);
    json["table"] = Json::array();
    for (const DesignRow& row : design_rows(json))
        json["table"].push_back({{"quantity", row.quantity}, {"values", row.values}});
    json["best"] = best_designs(json);
    return {json, designs_as_table(json), "", 1};
}

void add_risk_command(CLI::App& app, const EngineFactory& make_engine) {
    const auto asked = std::make_shared<RiskAsked>();
    asked->effort.jobs = default_jobs();
    CommandTable(
        app, "risk",
        "Find the chance that an event is incomplete when triggers come without end, at random or at a fixed rate",
        "Example: watershed risk scenarios/risk-cheap-switch.toml --check direct")
        .scenario(*asked, ", trigger.pattern \"poisson\" or \"periodic\"")
        .add("--method", asked->method,
             "chain: calculated between certain bounds, for modules in step and a memory that is shared, by input, by "
             "output or with thresholds; bound: certainly no more, for two tiers and lists of frames, too; tilted: "
             "importance sampling, any memory; direct: simulation, any memory; auto: the chain where its bounds are "
             "close, else a short simulation and whichever of tilted and direct is precise; where they count nothing, "
             "the bound",
             {among({"auto", "chain", "bound", "tilted", "direct"}), kShown})
        .add("--check", asked->check,
             "Also use this other method, and fail if the two contradict each other; an answer that this method gave "
             "itself is not checked, and says so",
             {among({"chain", "tilted", "direct"})})
        .add("--events", asked->effort.events, "Events of a direct simulation",
             {from_to<std::int64_t>(1'000, 1'000'000'000'000), shown_as("10000000, or fewer where each takes long")})
        .add("--cycles", asked->effort.cycles, "Busy cycles of importance sampling",
             {from_to<std::int64_t>(100, 1'000'000'000), shown_as("20000, or fewer where each takes long")})
        .add("--night", asked->night, "Length of an observing night", {kShown})
        .jobs(asked->effort.jobs)
        .parts()
        .json()
        .answer([=](auto&) { return risk_answer(*asked, make_engine); });
}

void add_sensitivity_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    const auto asked = std::make_shared<SensitivityAsked>();
    asked->effort.jobs = default_jobs();
    asked->effort.work = 1e7;
    CommandTable(
        app, "sensitivity",
        "Find what breaks a design: more triggers, less memory, a switch or an uplink gone, another stream",
        "Random triggers are judged by the chance that an event is incomplete, as `risk` finds it, and beside "
        "streams by what a run's events tell of it (100,000 where the scenario states no end); all others by the "
        "frames that the scenario's run loses.\nEach row names the keys that were set (\"set\" in JSON), so that "
        "`run` or `risk` can be asked again with --set.\n"
        "Example: watershed sensitivity scenarios/risk-4mb.toml -o sensitivity.svg")
        .scenario(*asked)
        .add("--loss", asked->loss, "Chance of an incomplete event that is wanted, of random triggers",
             {from_to(1e-300, 0.999), kShown})
        .engine(asked->engine)
        .jobs(asked->effort.jobs)
        .figure("Figure of what each question changes, .svg, .pdf or .png")
        .json("the result as JSON to FILE, for watershed plot sensitivity")
        .answer([=](auto&) { return sensitivity_answer(*asked, make_engine); }, draw);
}

void add_compare_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    struct Options : CompareOptions {
        std::string apart = "20 us", prices;
    };
    const auto asked = std::make_shared<Options>();
    asked->jobs = default_jobs();
    CommandTable(
        app, "compare", "Set designs side by side: risk, watershed, fullest memory, latency and cost of each scenario",
        "Each number is what another command says of that scenario: the chance `risk` (triggers without end), the "
        "longest burst `boundary`,\nlosses and the fullest memory `run` (random triggers that the scenario does "
        "not end: of 100,000 events). The latency is that of the run where the scenario has a [server], else the "
        "mean that the rates give if no frame is lost.\nExample: watershed compare "
        "scenarios/risk-cheap-switch.toml scenarios/risk-4mb.toml -o designs.svg\n         watershed compare "
        "scenarios/risk-4mb.toml scenarios/risk-4mb.toml --set 2:switch.uplinks=2 --label \"one uplink\" --label "
        "\"two uplinks\"")
        .add("SCENARIO", asked->scenarios, "Scenario files (TOML), two or more", {kRequired})
        .overrides(asked->overrides,
                   "KEY=VALUE: override a key of all scenarios; N:KEY=VALUE: of the N-th alone (repeatable)")
        .add("--label", asked->labels, "Name of a design; repeat it in the order of the files [their names]",
             {kOneEach})
        .add("--separation", asked->apart,
             "Separation of the events in the burst whose longest lossless length is sought", {kShown})
        .add("--limit", asked->limit,
             "Longest burst tried, where only trying tells [as many events as take seconds, 1000000 at most]",
             {from_to<std::int64_t>(1, 1'000'000'000'000)})
        .engine(asked->engine)
        .add("--prices", asked->prices,
             "Price of the switches and power in watts (CSV: switch,price,power), as for explore")
        .jobs(asked->jobs)
        .figure("Figure of the designs' watersheds and risks, .svg, .pdf or .png")
        .json("the result as JSON to FILE, for watershed report and watershed plot designs")
        .answer(
            [=](auto&) {
                asked->separation = parse_time_list("--separation", asked->apart).front();
                return compare_answer(*asked, asked->prices, make_engine);
            },
            draw);
}

}  // namespace watershed
