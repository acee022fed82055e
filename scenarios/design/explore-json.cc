// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/design/explore-reasons.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* name_of(Explored::Standing standing) {
    switch (standing) {
        case Explored::Standing::Known: return "known";
        case Explored::Standing::Bounded: return "bounded";
        case Explored::Standing::Recalled: return "recalled";
        case Explored::Standing::Assumed: return "assumed";
        case Explored::Standing::Unknown: break;
    }
    return "unknown";
}

const char* name_of(Explored::Fit fit) {
    return fit == Explored::Fit::Yes ? "yes" : fit == Explored::Fit::No ? "no" : "unknown";
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
              {"margin", possible ? Json(way.margin) : Json(nullptr)},
              {"watershed_events", nullptr},
              {"watershed_beyond", nullptr},
              {"never_loses", nullptr},
              {"risk", nullptr},
              {"risk_bounds", nullptr},
              {"log10_risk", nullptr},
              {"risk_standing", name_of(way.standing())},
              {"latency_us", possible ? finite(way.latency_us) : Json(nullptr)},
              {"recovery_us", optional(way.recovery_us)},
              {"price", optional(way.price)},
              {"power", optional(way.power)},
              {"pareto", way.pareto},
              {"same_as", way.same_as > 0 ? Json(way.same_as) : Json(nullptr)},
              {"reason", nullptr},
              {"remark", way.remark},
              {"assumed", way.assumed},
              {"recalled", way.recalled}};
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

Stacking stacking_of(const Json& way, int modules) {
    Stacking stacking{way.at("switch"), modules, way.at("switches"), way.at("uplinks"), way.at("selection")};
    if (!way.at("aggregation").is_null()) {
        stacking.aggregation = way.at("aggregation");
        stacking.server_interfaces = way.at("interfaces");
    }
    return stacking;
}

std::string packed(const Explored& way) {
    Json json{{"model", way.stacking.model},
              {"switches", way.stacking.switches},
              {"uplinks", way.stacking.uplinks},
              {"selection", way.stacking.selection},
              {"modules", way.stacking.modules},
              {"aggregation", way.stacking.aggregation},
              {"interfaces", way.stacking.server_interfaces},
              {"bounded", way.bounded},
              {"guessed", way.guessed},
              {"assumed", way.assumed},
              {"recalled", way.recalled},
              {"link_load", way.link_load},
              {"fits", static_cast<int>(way.fits)},
              {"remark", way.remark},
              {"obstacle", way.obstacle},
              {"load", way.load},
              {"saturation", way.saturation_khz},
              {"margin", way.margin},
              {"latency", finite(way.latency_us)},
              {"recovery", optional(way.recovery_us)},
              {"risk", nullptr},
              {"watershed", nullptr}};
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
    way.stacking = {json["model"],     json["modules"],     json["switches"],  json["uplinks"],
                    json["selection"], json["aggregation"], json["interfaces"]};
    way.bounded = json["bounded"];
    way.guessed = json["guessed"];
    way.assumed = json["assumed"].get<std::vector<std::string>>();
    way.recalled = json["recalled"].get<std::vector<std::string>>();
    way.link_load = json["link_load"];
    way.fits = static_cast<Explored::Fit>(json["fits"].get<int>());
    way.remark = json["remark"];
    way.obstacle = json["obstacle"];
    way.load = json["load"];
    way.saturation_khz = json["saturation"];
    way.margin = json["margin"];
    way.latency_us = value(json["latency"], INFINITY);
    if (!json["recovery"].is_null()) way.recovery_us = json["recovery"].get<double>();
    if (const Json& risk = json["risk"]; !risk.is_null())
        way.log_risk = Bracket{value(risk[0], -INFINITY), value(risk[1], -INFINITY), value(risk[2], -INFINITY)};
    if (const Json& watershed = json["watershed"]; !watershed.is_null()) {
        way.watershed = Boundary{std::nullopt, watershed[1].get<std::int64_t>()};
        if (const auto events = watershed[0].get<std::int64_t>(); events >= 0) way.watershed->events_lossless = events;
    }
}

}  // namespace watershed
