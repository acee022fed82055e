// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/explored-result.h"

#include "scenarios/text/json-file.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// A number, or null where it is unknown.
void check_numbers(const Json& object, std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (!object.contains(name) || !object[name].is_null()) member<double>(object, name);
}

void check_way(const Json& way) {
    for (const char* name : {"switch", "selection", "fits", "risk_kind", "risk_standing"})
        member<std::string>(way, name);
    for (const char* name : {"switches", "uplinks", "interfaces"}) member<int>(way, name);
    check_numbers(way, {"rank", "load", "capacity", "watershed_events", "watershed_beyond", "risk", "log10_risk",
                        "latency_us", "recovery_us", "price", "power"});
    for (const char* name : {"aggregation", "never_loses"}) member<Json>(way, name);
    check_numbers(way, {"same_as"});
    member<bool>(way, "pareto");
    member<std::string>(way, "remark");
    for (const char* name : {"assumed", "recalled"}) member<std::vector<std::string>>(way, name);
    if (!member<Json>(way, "reason").is_null()) member<std::string>(way, "reason");
}

}  // namespace

bool is_from_program(const Json& document) {
    return document.is_object() && document.contains("program") && document["program"].is_string() &&
           document["program"].get<std::string>().rfind("watershed ", 0) == 0;
}

void check_explored(const Json& document, const std::string& file) {
    read_members(file, "what watershed explore --json writes", [&] {
        for (const char* name : {"scenario", "rate", "dead_time"}) member<std::string>(document, name);
        for (const char* name : {"gap_us", "separation_us", "loss", "equal_below"}) member<double>(document, name);
        if (member<std::vector<double>>(document, "fragments_bytes").empty())
            throw MemberError("fragments_bytes: found none");
        for (const char* name : {"modules", "feasible"}) member<int>(document, name);
        for (const auto& note : member<Json>(document, "notes"))
            if (!note.is_string()) throw MemberError("notes: found " + note.dump());
        const auto ways = member<std::vector<Json>>(document, "ways");
        member<std::string>(document, "currency");
        for (const Json& each : member<std::vector<Json>>(document, "switches")) {
            for (const char* name : {"switch", "name", "why"}) member<std::string>(each, name);
            for (const char* name : {"ways", "feasible"}) member<int>(each, name);
            check_numbers(each, {"rank"});
        }
        if (const Json ranks = member<Json>(document, "recommended"); !ranks.is_null())
            check_numbers(ranks, {"first", "sure", "cheapest", "safest", "fastest"});
        for (const Json& each : member<Json>(document, "unstated"))
            for (const char* name : {"standing", "key", "value", "model"}) member<std::string>(each, name);
        if (ways.empty()) throw MemberError("ways: found none");
        for (const Json& way : ways) check_way(way);
        for (const Json& each : member<std::vector<Json>>(document, "front")) {
            const auto rank = member<std::size_t>(each, "rank");
            if (rank < 1 || rank > ways.size()) throw MemberError("front: rank: found " + std::to_string(rank));
            for (const Json& point : member<std::vector<Json>>(each, "watershed")) point.at(1);
        }
    });
}

}  // namespace watershed
