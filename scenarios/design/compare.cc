// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/compare.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "model/network/network.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/prices.h"
#include "scenarios/design/ranking.h"
#include "scenarios/design/risk.h"
#include "scenarios/design/watershed-curve.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/run/run-report.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/members.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the names of a scenario's switches in the catalogue, with the number of each.
std::map<std::string, int> switches_in(const Scenario& scenario) {
    std::map<std::string, int> models;
    const auto name = [](const Switch& of) { return of.model.empty() ? std::string("switch") : of.model; };
    if (!scenario.nodes.empty()) {
        for (const auto& node : scenario.nodes) ++models[name(node.network_switch)];
        return models;
    }
    models[name(scenario.network_switch)] += scenario.network_switch.count;
    if (scenario.aggregation) models[name(*scenario.aggregation)] += scenario.aggregation->count;
    return models;
}

std::vector<BillRow> bill_of(const Scenario& scenario, const Prices& prices) {
    const std::vector<Network::Link> links = Network(scenario).links();
    const auto interfaces =
        std::count_if(links.begin(), links.end(), [](const auto& link) { return link.to == Network::kServer; });
    return bill_of(switches_in(scenario), int(links.size()), int(interfaces), prices);
}

/// Returns the scope of compare: each camera that `run` simulates.
Scope any_camera() { return Scope::camera().with_sequences().with_streams().with_copies(); }

/// Does what another command does; where that refuses the scenario, why_not gets the reason.
template <class Do>
void do_or_say(Json& why_not, const Do& action) {
    try {
        action();
    } catch (const InputError& error) {
        why_not = error.what();
    } catch (const UnsupportedScenario& error) {
        why_not = error.what();
    }
}

/// Adds the risk; a scenario whose triggers end has none, and no reason.
void add_risk(Json& design, const Scenario& scenario, const CompareOptions& options, Engine& engine) {
    design["risk"] = design["no_risk"] = nullptr;
    RiskEffort effort;
    effort.jobs = options.jobs;
    if (!ending_trigger(scenario))
        do_or_say(design["no_risk"], [&] { design["risk"] = find_risk(scenario, "auto", effort, engine); });
}

/// Adds the longest lossless burst and the watershed.
void add_boundary(Json& design, const std::string& file, const std::vector<std::string>& overrides,
                  const CompareOptions& options, const EngineFactory& make_engine) {
    Boundary boundary;
    WatershedCurve curve;
    Json why_none = nullptr;
    do_or_say(why_none, [&] {
        const Scenario apparatus =
            read_scenario(Scope::own_bursts().with_streams().with_sequences().with_copies(), file, overrides);
        boundary = find_boundary(*make_engine(options.engine, {}), apparatus, options.separation,
                                 options.limit.value_or(affordable_burst(apparatus)));
        curve = watershed_curve(apparatus, *make_engine("exact", {}));
    });
    if (!why_none.is_null()) curve.why_none = why_none;
    design.update(
        {{"events_lossless", json_of(boundary.events_lossless)},
         {"events_unknown_beyond", boundary.unknown_beyond != 0 ? Json(boundary.unknown_beyond) : Json(nullptr)},
         {"no_boundary", why_none},
         {"watershed", curve.json()},
         {"no_watershed", curve.why_none_json()}});
}

/// Returns the overrides of one scenario: those without a number, and those with its number before a colon.
std::vector<std::string> overrides_of(const CompareOptions& options, std::size_t design) {
    std::vector<std::string> own;
    for (const std::string& each : options.overrides) {
        const auto colon = each.find_first_not_of("0123456789");
        if (colon == 0 || colon == std::string::npos || each[colon] != ':') {
            own.push_back(each);
            continue;
        }
        const std::string number = each.substr(0, colon);
        if (number.size() > 4 || std::stoul(number) < 1 || std::stoul(number) > options.scenarios.size())
            throw InputError("--set: found \"" + each +
                             "\", expected the number of a scenario before the colon, 1 to " +
                             std::to_string(options.scenarios.size()));
        if (std::stoul(number) == design + 1) own.push_back(each.substr(colon + 1));
    }
    return own;
}

Json design_of(const std::string& file, const std::string& name, const std::vector<std::string>& overrides,
               const CompareOptions& options, const Prices& prices, const EngineFactory& make_engine) {
    std::vector<AssumedValue> assumed;
    const Scenario scenario = with_an_end(read_scenario(any_camera(), file, overrides, &assumed));
    const auto engine = make_engine(options.engine, {});
    const std::map<std::string, int> switches = switches_in(scenario);
    Json counts = Json::object();
    for (const auto& [model, count] : switches) counts[model] = count;

    const Outcome outcome = engine->run(scenario);
    Json run = to_json(RunReport{options.engine, scenario, outcome, 0, assumed, false, file, overrides});
    // The rates lack what a stream adds to a link, and what rules refuse.
    std::optional<Rates> rates;
    if (!ending_trigger(scenario) && scenario.traffic.empty() && scenario.trigger.rules.empty())
        rates = read_at(file, [&] { return rates_of(scenario); });
    Json latency = nullptr;
    if (!run.at("latency").is_null())
        latency = {
            {"mean_us", run.at("latency").at("mean_us")}, {"p99_us", run.at("latency").at("p99_us")}, {"basis", "run"}};
    else if (rates && std::isfinite(rates->latency_us))
        latency = {{"mean_us", rates->latency_us}, {"p99_us", nullptr}, {"basis", "rates"}};
    Json design{{"name", name},
                {"scenario", file},
                {"modules", scenario.front_end.modules},
                {"switches", counts},
                {"uplinks", Network(scenario).links().size()},
                {"load", rates ? Json(std::max(rates->load, rates->link_load)) : Json(nullptr)},
                {"frames", run.at("frames")},
                {"events", run.at("events")},
                {"losses", run.at("losses")},
                {"peak_frames", run.at("buffer").at("peak_frames")},
                {"peak_bytes", run.at("buffer").at("peak_bytes")},
                {"latency", latency},
                {"price", json_of(total(bill_of(scenario, prices), &Prices::Price::price))},
                {"power", json_of(total(bill_of(scenario, prices), &Prices::Price::power))},
                {"assumed", run.at("assumed")},
                {"overridden", run.at("overridden")}};
    add_risk(design, scenario, options, *engine);
    add_boundary(design, file, overrides, options, make_engine);
    return design;
}

std::vector<std::string> labels_of(const CompareOptions& options) {
    if (options.labels.size() > options.scenarios.size())
        throw InputError("--label: found " + std::to_string(options.labels.size()) + " labels, expected at most " +
                         std::to_string(options.scenarios.size()) + ", one for each scenario");
    std::vector<std::string> names = options.labels;
    for (std::size_t i = names.size(); i < options.scenarios.size(); ++i)
        names.push_back(std::filesystem::path(options.scenarios[i]).stem().string());
    // Files of one name in several folders, such as rank-001.toml, get the name of the folder, too.
    const std::vector<std::string> stems = names;
    for (std::size_t i = options.labels.size(); i < names.size(); ++i)
        if (const auto folder = std::filesystem::path(options.scenarios[i]).parent_path();
            !folder.empty() && std::count(stems.begin(), stems.end(), stems[i]) > 1)
            names[i] = folder.filename().string() + "/" + stems[i];
    for (const std::string& name : std::set<std::string>(names.begin(), names.end()))
        if (std::count(names.begin(), names.end(), name) > 1)
            throw InputError("found two designs with the name \"" + name +
                             "\", expected --label with names that differ");
    return names;
}

/// Returns the latency of a design in microseconds.
/// @param basis  "run": that of the simulated events; "rates": the mean without loss, from arithmetic
std::optional<double> latency_of(const Json& design, const char* basis, const char* which) {
    const Json& latency = design.at("latency");
    if (latency.is_null() || latency.value("basis", "run") != basis || latency.at(which).is_null()) return std::nullopt;
    return latency.at(which).get<double>();
}

/// Returns the name of the design whose risk is proven the smallest; empty if none is. Limits of one kind have no
/// order.
std::string smallest_risk(const Json& designs) {
    std::vector<std::pair<Known, const Json*>> known;
    for (const Json& design : designs)
        if (!design.at("risk").is_null()) known.emplace_back(risk_of_members(design.at("risk")), &design);
    if (known.size() < 2) return "";
    const auto all = [&](const Known& first, const auto& holds) {
        return std::all_of(known.begin(), known.end(),
                           [&](const auto& each) { return &each.first == &first || holds(first, each.first); });
    };
    if (all(known.front().first, certainly_alike)) return "Smallest risk: all alike.";
    for (const auto& [risk, design] : known)
        if (all(risk, certainly_less))
            return "Smallest risk: " + design->at("name").get<std::string>() + " (" +
                   risk_in_words(design->at("risk")) + ").";
    return "";
}

}  // namespace

std::string burst_text(const Json& design) {
    if (!design.value("no_boundary", Json()).is_null()) return "–";
    Boundary boundary;
    from_json_value(boundary.events_lossless, design.at("events_lossless"));
    if (const Json& beyond = design.at("events_unknown_beyond"); !beyond.is_null())
        beyond.get_to(boundary.unknown_beyond);
    return boundary_text(boundary);
}

Json compared_designs(const CompareOptions& options, const Prices& prices, const EngineFactory& make_engine) {
    const std::vector<std::string> names = labels_of(options);
    for (std::size_t i = 0; i < names.size(); ++i)  // before the long work
        read_scenario(any_camera(), options.scenarios[i], overrides_of(options, i));
    Progress progress("compare", "designs", std::int64_t(options.scenarios.size()));
    Json designs = Json::array();
    for (std::size_t i = 0; i < names.size(); ++i) {
        designs.push_back(
            design_of(options.scenarios[i], names[i], overrides_of(options, i), options, prices, make_engine));
        progress.done(std::int64_t(i) + 1);
    }
    return designs;
}

std::vector<DesignRow> design_rows(const Json& result) {
    std::vector<DesignRow> rows;
    const auto add = [&](const std::string& quantity, const auto& text_of) {
        DesignRow row{quantity, {}};
        for (const Json& design : result.at("designs")) row.values.push_back(text_of(design));
        if (std::any_of(row.values.begin(), row.values.end(), [](const std::string& each) { return each != "–"; }))
            rows.push_back(row);
    };
    const std::string currency = result.value("currency", "");
    const auto count = [](const Json& value) { return readable_count(value.get<std::int64_t>()); };
    add("modules", [&](const Json& design) { return count(design.at("modules")); });
    add("switches", [](const Json& design) {
        std::string text;
        for (const auto& [model, number] : design.at("switches").items())
            text += (text.empty() ? "" : ", ") + number.dump() + (model == "switch" ? "" : " × " + model);
        return text;
    });
    add("links behind switches", [&](const Json& design) { return count(design.at("uplinks")); });
    add("load of the busiest link", [](const Json& design) {
        return design.at("load").is_null() ? "–" : readable(100 * design.at("load").get<double>(), 3) + " %";
    });
    add("chance that an event is incomplete", [](const Json& design) { return risk_in_words(design.at("risk")); });
    add("longest lossless burst, events " + readable(result.at("separation_us").get<double>(), 6) + " µs apart",
        burst_text);
    add("events complete in the run", [&](const Json& design) {
        return count(design.at("events").at("complete")) + " of " + count(design.at("events").at("sent"));
    });
    add("frames lost in the run", [&](const Json& design) { return count(design.at("frames").at("lost")); });
    add("fullest moment of a memory", [&](const Json& design) {
        return readable_count(design.at("peak_frames").get<std::int64_t>(), "frame", "frames") + ", " +
               readable_bytes(design.at("peak_bytes").get<double>());
    });
    const auto latency = [](const char* basis, const char* which) {
        return [=](const Json& design) {
            const std::optional<double> us = latency_of(design, basis, which);
            return us ? readable_seconds(1e-6 * *us) : std::string("–");
        };
    };
    add("latency in the run, mean", latency("run", "mean_us"));
    add("latency in the run, of 99 %", latency("run", "p99_us"));
    add("latency if no frame is lost, mean", latency("rates", "mean_us"));
    add("price" + (currency.empty() ? "" : ", " + currency), [](const Json& design) {
        return design.at("price").is_null() ? "–" : readable(design.at("price").get<double>(), 6);
    });
    add("power, W", [](const Json& design) {
        return design.at("power").is_null() ? "–" : readable(design.at("power").get<double>(), 6);
    });
    return rows;
}

std::vector<std::string> best_designs(const Json& result) {
    std::vector<std::string> lines;
    const auto least = [&](const std::string& what, const auto& value_of, const auto& text_of) {
        std::vector<std::pair<double, std::string>> known;
        for (const Json& design : result.at("designs"))
            if (const std::optional<double> value = value_of(design))
                known.emplace_back(*value, design.at("name").get<std::string>() + " (" + text_of(design) + ")");
        if (known.size() < 2) return;
        const auto best = std::min_element(known.begin(), known.end());
        const auto as_good =
            std::count_if(known.begin(), known.end(), [&](const auto& each) { return each.first == best->first; });
        if (as_good == std::ptrdiff_t(known.size()))
            lines.push_back(what + ": all alike.");
        else if (as_good == 1)
            lines.push_back(what + ": " + best->second + ".");
    };
    using Value = std::optional<double>;
    if (const std::string smallest = smallest_risk(result.at("designs")); !smallest.empty()) lines.push_back(smallest);
    least(
        "Longest lossless burst",
        [](const Json& design) -> Value {
            if (!design.at("events_unknown_beyond").is_null() || burst_text(design) == "–") return std::nullopt;
            return design.at("events_lossless").is_null() ? -INFINITY : -design.at("events_lossless").get<double>();
        },
        burst_text);
    least(
        "Fewest frames lost in the run",
        [](const Json& design) -> Value { return design.at("frames").at("lost").get<double>(); },
        [](const Json& design) { return readable_count(design.at("frames").at("lost").get<std::int64_t>()); });
    for (const auto& [basis, what] : {std::pair("run", "Shortest mean latency in the run"),
                                      std::pair("rates", "Shortest mean latency if no frame is lost")})
        least(
            what, [basis = basis](const Json& design) { return latency_of(design, basis, "mean_us"); },
            [](const Json& design) {
                return readable_seconds(1e-6 * design.at("latency").at("mean_us").get<double>());
            });
    least(
        "Cheapest",
        [](const Json& design) -> Value {
            if (design.at("price").is_null()) return std::nullopt;
            return design.at("price").get<double>();
        },
        [&](const Json& design) {
            const std::string currency = result.value("currency", "");
            return readable(design.at("price").get<double>(), 6) + (currency.empty() ? "" : " " + currency);
        });
    return lines;
}

std::vector<std::string> untold(const Json& result) {
    std::vector<std::string> lines;
    for (const Json& design : result.at("designs"))
        for (const auto& [member, what] : {std::pair("no_risk", "risk"), std::pair("no_watershed", "watershed")})
            if (const Json why = design.value(member, Json()); !why.is_null())
                lines.push_back("No " + std::string(what) + " of " + design.at("name").get<std::string>() + ": " +
                                why.get<std::string>());
    return lines;
}

std::string designs_as_table(const Json& result) {
    std::vector<std::vector<std::string>> lines{{""}};
    for (const Json& design : result.at("designs")) lines.front().push_back(design.at("name"));
    for (const DesignRow& row : design_rows(result)) {
        lines.push_back({in_ascii(row.quantity)});
        for (const std::string& value : row.values) lines.back().push_back(in_ascii(value));
    }
    std::vector<bool> to_the_left(lines.front().size());
    to_the_left.front() = true;
    std::string text;
    for (const std::string& row : aligned(lines, to_the_left)) text += row + '\n';
    for (const std::string& line : best_designs(result)) text += in_ascii(line) + '\n';
    for (const std::string& line : untold(result)) text += in_ascii(line) + '\n';
    for (const Json& design : result.at("designs"))
        for (const Json& each : design.at("assumed"))
            text += "assumed in " + design.at("name").get<std::string>() + ": " + each.at("key").get<std::string>() +
                    " = " + each.at("value").get<std::string>() + ", unknown for " +
                    each.at("model").get<std::string>() + '\n';
    return text;
}

}  // namespace watershed
