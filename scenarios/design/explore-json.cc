// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/design/explore-reasons.h"

namespace watershed {

void to_json(nlohmann::ordered_json& json, const RecalledValue& recalled) {
    json = {{"key", recalled.key}, {"value", recalled.value}, {"model", recalled.model}};
}

void from_json(const nlohmann::ordered_json& json, RecalledValue& recalled) {
    recalled = {json.at("key"), json.at("value"), json.at("model")};
}

void to_json(nlohmann::ordered_json& json, const UnsourcedValue& unsourced) {
    to_json(json, static_cast<const RecalledValue&>(unsourced));
}

void from_json(const nlohmann::ordered_json& json, UnsourcedValue& unsourced) {
    from_json(json, static_cast<RecalledValue&>(unsourced));
}

namespace {

using Json = nlohmann::ordered_json;

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* name_of(Explored::Standing standing) {
    switch (standing) {
        case Explored::Standing::Known: return "known";
        case Explored::Standing::Bounded: return "bounded";
        case Explored::Standing::Sampled: return "sampled";
        case Explored::Standing::Recalled: return "recalled";
        case Explored::Standing::Assumed: return "assumed";
        case Explored::Standing::Unknown: break;
    }
    return "unknown";
}

const char* name_of(Explored::Fit fit) {
    return fit == Explored::Fit::Yes ? "yes" : fit == Explored::Fit::No ? "no" : "unknown";
}

/// Those that JSON can hold as they are.
template <class Way, class Do>
void each_member(Way& way, const Do& with) {
    with("model", way.stacking.model);
    with("switches", way.stacking.switches);
    with("uplinks", way.stacking.uplinks);
    with("selection", way.stacking.selection);
    with("modules", way.stacking.modules);
    with("aggregation", way.stacking.aggregation);
    with("interfaces", way.stacking.server_interfaces);
    with("bounded", way.bounded);
    with("sampled", way.sampled);
    with("assumed", way.assumed);
    with("recalled", way.recalled);
    with("unsourced", way.unsourced);
    with("link_load", way.link_load);
    with("fits", way.fits);
    with("remark", way.remark);
    with("obstacle", way.obstacle);
    with("load", way.load);
    with("saturation", way.saturation_khz);
    with("capacity", way.capacity);
}

template <class Value>
std::vector<std::string> texts_of(const std::vector<Value>& values) {
    std::vector<std::string> texts;
    for (const Value& value : values) texts.push_back(to_text(value));
    return texts;
}

template <class Value>
void add_unstated(Json& unstated, const char* standing, const Value& value) {
    Json fields = value;
    fields["standing"] = standing;
    unstated[to_text(value)] = std::move(fields);
}

}  // namespace

Json to_json(const Explored& way, double loss) {
    const Stacking& stacking = way.stacking;
    const bool possible = way.fits != Explored::Fit::No;
    Json json{{"rank", way.rank > 0 ? Json(way.rank) : Json(nullptr)},
              {"switch", stacking.model},
              {"switches", stacking.switches},
              {"modules_per_switch", stacking.modules_of_switch()},
              {"uplinks", stacking.uplinks},
              {"selection", stacking.selection},
              {"aggregation", stacking.aggregation.empty() ? Json(nullptr) : Json(stacking.aggregation)},
              {"interfaces", stacking.interfaces()},
              {"fits", name_of(way.fits)},
              {"load", possible ? Json(way.load) : Json(nullptr)},
              {"link_load", possible ? Json(way.link_load) : Json(nullptr)},
              {"saturation_khz", possible ? Json(way.saturation_khz) : Json(nullptr)},
              {"capacity", possible ? Json(way.capacity) : Json(nullptr)},
              {"watershed_events", nullptr},
              {"watershed_beyond", nullptr},
              {"never_loses", nullptr},
              {"risk", nullptr},
              {"risk_bounds", nullptr},
              {"log10_risk", nullptr},
              {"risk_kind", risk_kind(way.risk())},
              {"risk_standing", name_of(way.standing())},
              {"latency_us", possible ? finite(way.latency_us) : Json(nullptr)},
              {"recovery_us", optional(way.recovery_us)},
              {"lossless_dead_time_us", optional(way.dead_time_us)},
              {"price", optional(way.price)},
              {"power", optional(way.power)},
              {"pareto", way.pareto},
              {"same_as", way.same_as > 0 ? Json(way.same_as) : Json(nullptr)},
              {"reason", nullptr},
              {"remark", way.remark},
              {"assumed", nullptr},
              {"recalled", texts_of(way.recalled)}};
    std::vector<std::string> assumed = texts_of(way.assumed), unsourced = texts_of(way.unsourced);
    assumed.insert(assumed.end(), unsourced.begin(), unsourced.end());
    json["assumed"] = std::move(assumed);
    if (way.watershed) {
        json["never_loses"] = !way.watershed->events_lossless && way.watershed->unknown_beyond == 0;
        if (way.watershed->unknown_beyond != 0) json["watershed_beyond"] = way.watershed->unknown_beyond;
        if (way.watershed->events_lossless) json["watershed_events"] = *way.watershed->events_lossless;
    }
    if (way.log_risk) {
        json["risk"] = std::exp(way.log_risk->upper);
        json["risk_bounds"] = {std::exp(way.log_risk->lower), std::exp(way.log_risk->upper)};
        if (std::isfinite(way.log_risk->upper)) json["log10_risk"] = way.log_risk->upper / std::log(10);
    }
    if (way.rank == 0) json["reason"] = reason_of(way, loss);
    return json;
}

Json unstated_of(const std::vector<Explored>& ways) {
    Json unstated = Json::object();
    for (const Explored& way : ways) {
        for (const AssumedValue& each : way.assumed)
            add_unstated(unstated, each.overridden.empty() ? "assumed" : "overridden", each);
        for (const UnsourcedValue& each : way.unsourced) add_unstated(unstated, "without a source", each);
        for (const RecalledValue& each : way.recalled) add_unstated(unstated, "recalled", each);
    }
    return unstated;
}

Stacking stacking_of(const Json& way, int modules) {
    Stacking stacking{way.at("switch"), modules, way.at("switches"), way.at("uplinks"), way.at("selection")};
    if (!way.at("aggregation").is_null()) {
        stacking.aggregation = way.at("aggregation");
        stacking.server_interfaces = way.at("interfaces");
    }
    return stacking;
}

Json points_of(const WatershedCurve& curve) {
    Json points = Json::array();
    for (const auto& [separation, events] : curve.points)
        points.push_back({separation, events ? Json(*events) : Json(nullptr)});
    return points;
}

Known risk_of_way(const Json& way) {
    if (way.at("risk").is_null()) return Known::unknown();
    const std::string kind = way.at("risk_kind");
    const double upper =
        way.at("log10_risk").is_null() ? -Known::kInfinite : way.at("log10_risk").get<double>() * std::log(10);
    const double lower = kind == "exact" ? upper : std::log(way.at("risk_bounds").at(0).get<double>());
    return {lower, upper, upper, kind == "sampled"};
}

std::string packed(const Explored& way) {
    Json json{{"latency", finite(way.latency_us)},
              {"recovery", optional(way.recovery_us)},
              {"dead_time", optional(way.dead_time_us)},
              {"risk", nullptr},
              {"watershed", nullptr}};
    each_member(way, [&](const char* name, const auto& member) { json[name] = member; });
    if (way.log_risk)
        json["risk"] = {finite(way.log_risk->lower), finite(way.log_risk->estimate), finite(way.log_risk->upper)};
    if (way.watershed) json["watershed"] = {way.watershed->events_lossless.value_or(-1), way.watershed->unknown_beyond};
    return json.dump();
}

void unpack(Explored& way, const std::string& text) {
    const Json json = Json::parse(text);
    const auto value = [](const Json& json_value, double otherwise) {
        return json_value.is_null() ? otherwise : json_value.get<double>();
    };
    each_member(way, [&](const char* name, auto& member) { json.at(name).get_to(member); });
    way.latency_us = value(json["latency"], INFINITY);
    if (!json["recovery"].is_null()) way.recovery_us = json["recovery"].get<double>();
    if (!json["dead_time"].is_null()) way.dead_time_us = json["dead_time"].get<double>();
    if (const Json& risk = json["risk"]; !risk.is_null())
        way.log_risk = Bracket{value(risk[0], -INFINITY), value(risk[1], -INFINITY), value(risk[2], -INFINITY)};
    if (const Json& watershed = json["watershed"]; !watershed.is_null()) {
        way.watershed = Boundary{std::nullopt, watershed[1].get<std::int64_t>()};
        if (const auto events = watershed[0].get<std::int64_t>(); events >= 0) way.watershed->events_lossless = events;
    }
}

}  // namespace watershed
