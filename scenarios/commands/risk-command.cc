// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/guarantee/switch-guarantee.h"
#include "model/network/network-load.h"
#include "model/risk/camera-queue.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/risk.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

struct RiskCommandOptions {
    std::string scenario;
    std::vector<std::string> overrides;
    std::string method = "auto";
    std::string check;
    std::string night = "8 h";
    std::string json;
    RiskEffort effort;
};

double hours(Time time) { return in_seconds(time) / 3600; }

/// A probability or a rate: "0.2452", "1.49e-15", "10^-6769.4".
std::string plain_number(double log10, int digits, Rounded rounded) {
    constexpr double kLargest = 299;  // that a double can be multiplied
    if (std::isfinite(log10) && std::abs(log10) > kLargest)
        return text_line("10^%.1f", rounded == Rounded::Up     ? std::ceil(10 * log10) / 10
                                    : rounded == Rounded::Down ? std::floor(10 * log10) / 10
                                                               : log10);
    return text_line("%.*g", digits, std::pow(10, rounded_log10(log10, digits, rounded)));
}

std::string row(const std::string& name, const std::string& value) {
    return "  " + name + std::string(20 - std::min<std::size_t>(name.size(), 20), ' ') + value + "\n";
}

std::string rows(const Risk& risk) {
    const Known known = risk.known();
    const auto end = [&](double log10, Rounded outward) {
        return plain_number(log10, 4, risk.calculated ? outward : Rounded::Nearest);
    };
    std::string text = row("probability", known.is_zero() || known.kind() == Known::Kind::AtMost
                                              ? known.words(plain_number, 4)
                                              : plain_number(known.log10_estimate(), 4, Rounded::Nearest) +
                                                    ", between " + end(known.log10_lower(), Rounded::Down) + " and " +
                                                    end(known.log10_upper(), Rounded::Up) +
                                                    (risk.calculated ? " (bounds)" : " (95 %)"));
    text += row("method", risk.method + ": " + risk.remark);
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

/// An answer and all that is told of it.
struct Answer {
    const RiskCommandOptions& options;
    const Scenario& scenario;
    const std::vector<AssumedValue>& assumed;
    LinkLoad fullest;
    Risk risk;
    std::optional<Risk> check;
    std::string check_failed;  ///< why the method of the check has no answer
    Time night;
    bool never = false;  ///< no sequence of triggers loses a frame, however unlikely it is
};

/// Whether `watershed bound` proves it.
bool is_proven_lossless(const Scenario& scenario) {
    const auto guarantee = Guarantee::of(scenario);
    return guarantee && guarantee->bounded && guarantee->fits();
}

/// Why there is no second answer although one is wanted; empty otherwise.
std::string not_checked(const Answer& answer) {
    if (answer.options.check.empty() || answer.check) return "";
    if (!answer.check_failed.empty()) return answer.check_failed;
    const std::string other = answer.risk.method == "direct" ? "tilted" : "direct";
    return answer.risk.method + " gave the answer itself; --check " + other + " is another method";
}

std::string report(const Answer& answer) {
    const auto& [options, scenario, assumed, fullest, risk, check, check_failed, night, never] = answer;
    const double rate = accepted_rate(scenario.trigger);
    const std::string triggers =
        text_line("%.6g per second, %.6g per hour (%s before %s of dead time)", rate, rate * 3600,
                  to_text(scenario.trigger.rate), to_text(scenario.trigger.dead_time));
    std::string text = "Risk of " + options.scenario + ": the chance that an event is incomplete\n";
    for (const AssumedValue& each : assumed) text += "  " + to_text(each) + "\n";
    text += rows(risk);
    if (never) text += row("", "never: no triggers that the dead time admits lose a frame (watershed bound)");
    if (!risk.calculated || (check && !check->calculated)) text += row("seed", std::to_string(scenario.seed));
    text += row("events", triggers);
    const Known a_second = risk.known() * rate;
    const auto per = [&](double in_hours) { return (a_second * (3600 * in_hours)).brief(plain_number, 4); };
    text += row("incomplete", per(1) + " per hour, " + per(hours(night)) + " per night of " + to_text(night));
    if (!a_second.is_zero()) text += row("", "one in " + inverse(a_second).brief(plain_seconds, 4));
    if (const std::string words = overload_text(fullest); !words.empty()) text += row("overload", words);
    if (check) text += "Checked:\n" + rows(*check);
    if (const std::string why = not_checked(answer); !why.empty()) text += "Not checked: " + why + "\n";
    return text;
}

nlohmann::ordered_json answer_json(const Answer& answer) {
    const auto& [options, scenario, assumed, fullest, risk, check, check_failed, night, never] = answer;
    const double rate = accepted_rate(scenario.trigger);
    nlohmann::ordered_json json = risk;
    json["per_hour"] = std::exp(risk.log.estimate) * rate * 3600;
    json["per_night"] = std::exp(risk.log.estimate) * rate * 3600 * hours(night);
    json["night_hours"] = hours(night);
    json["events_per_hour"] = rate * 3600;
    json["trigger_rate_hz"] = rate;
    json["load"] = fullest.load;  // of the link that is given most
    json["never"] = never;
    json["overload"] = nullptr;
    if (fullest.load >= 1) json["overload"] = overload_text(fullest);
    json["check"] = nullptr;
    if (check) json["check"] = *check;
    json["not_checked"] = nullptr;
    if (const std::string why = not_checked(answer); !why.empty()) json["not_checked"] = why;
    add_assumed(json, assumed);
    json["seed"] = scenario.seed;
    json["program"] = Provenance::program();
    json["command"] = Provenance::command();
    return json;
}

void risk(const RiskCommandOptions& options, const EngineFactory& make_engine) {
    std::vector<AssumedValue> assumed;
    const Scenario scenario = read_scenario(options.scenario, options.overrides, &assumed, FragmentForm::InSequence);
    const Time night = read_at("--night", [&] { return parse_time(options.night); });
    auto file = file_if_named(options.json);

    const auto engine = make_engine("exact", {});
    const auto risk_by = [&](const std::string& method) {
        try {
            return find_risk(scenario, method, options.effort, *engine);
        } catch (const InputError& error) {
            throw InputError(options.scenario + ": " + error.what());
        }
    };
    if (options.check == options.method)
        throw InputError("--check: found " + options.check + ", the method of --method, expected another one");
    const Risk found = risk_by(options.method);
    std::optional<Risk> check;
    std::string check_failed;
    if (!options.check.empty() && options.check != found.method) try {
            check = risk_by(options.check);
        } catch (const InputError& error) {
            check_failed = options.check + " has no answer: " + error.what();
        }
    if (check && contradict(found, *check))
        throw std::runtime_error("the methods contradict each other: " + found.method + " " +
                                 found.known().words(plain_number, 4) + ", " + check->method + " " +
                                 check->known().words(plain_number, 4));

    const Answer answer{options,
                        scenario,
                        assumed,
                        fullest_link(scenario, Network(scenario), accepted_rate(scenario.trigger)),
                        found,
                        check,
                        check_failed,
                        night,
                        is_proven_lossless(scenario)};
    if (file) file->write(answer_json(answer).dump(2) + "\n");
    if (options.json != "-") std::cout << report(answer);
}

}  // namespace

void add_risk_command(CLI::App& app, const EngineFactory& make_engine) {
    auto options = std::make_shared<RiskCommandOptions>();
    options->effort.jobs = default_jobs();
    const CLI::IsMember methods({"auto", "chain", "bound", "tilted", "direct"}), checks({"chain", "tilted", "direct"});
    CLI::App* command =
        app.add_subcommand("risk", "Find the chance that an event is incomplete when triggers come at random");
    add_scenario(command, options->scenario, options->overrides, ", trigger.pattern \"poisson\"");
    command
        ->add_option("--method", options->method,
                     "chain: calculated between certain bounds, for modules in step and a memory that is shared, by "
                     "input, by output or with thresholds; "
                     "bound: certainly no more, for two tiers and lists of frames, too; tilted: importance sampling, "
                     "any memory; direct: simulation, any memory; auto: the chain where "
                     "its bounds are close, else a short simulation and "
                     "whichever of tilted and direct is precise; where they count nothing, the bound")
        ->check(methods)
        ->capture_default_str();
    command
        ->add_option("--check", options->check,
                     "Also use this other method, and fail if the two contradict each other; an answer that "
                     "this method gave itself is not checked, and says so")
        ->check(checks);
    command->add_option("--events", options->effort.events, "Events of a direct simulation")
        ->check(CLI::Range(std::int64_t{1'000}, std::int64_t{1'000'000'000'000}))
        ->default_str("10000000, or fewer where each takes long");
    command->add_option("--cycles", options->effort.cycles, "Busy cycles of importance sampling")
        ->check(CLI::Range(std::int64_t{100}, std::int64_t{1'000'000'000}))
        ->default_str("20000, or fewer where each takes long");
    command->add_option("--night", options->night, "Length of an observing night")->capture_default_str();
    add_jobs(command, options->effort.jobs);
    add_json(command, options->json);
    command->footer("Example: watershed risk scenarios/risk-cheap-switch.toml --check direct");
    command->callback([options, make_engine] { risk(*options, make_engine); });
}

}  // namespace watershed
