// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-result.h"

#include <algorithm>
#include <functional>

#include "scenarios/design/explore-text.h"
#include "scenarios/design/ranking.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

const double kTen = std::log(10);

const char* const kFits[] = {"yes", "no", "unknown"};

/// Returns a member that is null if it has the value that means "none".
template <class Place, class Value>
Member<RatedDesign> or_null(const char* name, const char* meaning, Place place, Value none) {
    return {name,
            "",
            meaning,
            kEverywhere,
            [=](const RatedDesign& way) {
                const Value value = std::invoke(place, way);
                return value == none ? Json(nullptr) : Json(value);
            },
            [=](RatedDesign& way, const Json& json) {
                std::invoke(place, way) = json.is_null() ? none : json.get<Value>();
            }};
}

/// Returns a member for a number that is null if the ports do not fit.
Member<RatedDesign> where_it_fits(const char* name, const char* unit, const char* meaning, double RatedDesign::*at) {
    return {
        name,
        unit,
        meaning,
        kEverywhere | kMayMiss,
        [at](const RatedDesign& way) { return way.fits == RatedDesign::Fit::No ? Json(nullptr) : json_of(way.*at); },
        [at](RatedDesign& way, const Json& json) { way.*at = json.is_null() ? INFINITY : json.get<double>(); }};
}

/// Returns a member that is computed from others.
Member<RatedDesign> derived(const char* name, const char* meaning, std::function<Json(const RatedDesign&)> get) {
    return {name, "", meaning, kInJson | kInCsv, std::move(get)};
}

std::vector<std::string> texts_of(const RatedDesign& way, bool recalled) {
    std::vector<std::string> texts;
    for (const Unstated& each : in_order(way.unstated))
        if ((each.standing == Unstated::Standing::Recalled) == recalled) texts.push_back(to_text(each));
    return texts;
}

Json fields_of(const Unstated& unstated) {
    Json fields = unstated.value;
    fields["standing"] = name_of(unstated.standing);
    return fields;
}

Unstated unstated_of(const Json& fields) {
    Unstated unstated{Unstated::Standing::Assumed, fields.get<AssumedValue>()};
    for (const auto standing :
         {Unstated::Standing::Overridden, Unstated::Standing::WithoutSource, Unstated::Standing::Recalled})
        if (fields.at("standing") == name_of(standing)) unstated.standing = standing;
    return unstated;
}

/// Sets the risk from a document, to the digits that the document has.
void set_log10_risk(RatedDesign& way, const Json& json) {
    if (way.log_risk && !json.is_null()) way.log_risk->upper = way.log_risk->estimate = json.get<double>() * kTen;
}

Members<RatedDesign> make_explored_members() {
    const auto at = [](auto CandidateDesign::*member) {
        return [member](auto& way) -> auto& { return way.stacking.*member; };
    };
    const auto boundary = [](const char* name, const char* meaning, const auto& get, const auto& set) {
        return Member<RatedDesign>{
            name,
            name == std::string("never_loses") ? "" : "events",
            meaning,
            kEverywhere,
            [get](const RatedDesign& way) { return way.watershed ? Json(get(*way.watershed)) : Json(nullptr); },
            [set](RatedDesign& way, const Json& json) {
                if (!json.is_null()) set(way.watershed ? *way.watershed : way.watershed.emplace(), json);
            }};
    };
    const auto upper = [](const RatedDesign& way) { return way.log_risk->upper; };
    return {
        or_null("rank", "from 1; null where it is not feasible", &RatedDesign::rank, 0),
        stored<RatedDesign>("switch", "", "model of the catalogue", at(&CandidateDesign::model)),
        stored<RatedDesign>("switches", "", "number of switches of the first tier", at(&CandidateDesign::switches)),
        derived("modules_per_switch", "at the fullest switch",
                [](const RatedDesign& way) { return way.stacking.modules_of_switch(); }),
        stored<RatedDesign>("uplinks", "", "of each switch", at(&CandidateDesign::uplinks)),
        stored<RatedDesign>("selection", "", "how uplinks are chosen", at(&CandidateDesign::selection)),
        or_null("aggregation", "model of the second tier", at(&CandidateDesign::aggregation), std::string()),
        {"interfaces", "", "of the server", kEverywhere,
         [](const RatedDesign& way) { return Json(way.stacking.interfaces()); },
         [](RatedDesign& way, const Json& json) {
             const auto interfaces = json.get<int>();
             if (!way.stacking.aggregation.empty()) way.stacking.server_interfaces = interfaces;
         }},
        {"fits", "", "whether the ports suffice", kEverywhere,
         [](const RatedDesign& way) { return Json(kFits[int(way.fits)]); },
         [](RatedDesign& way, const Json& json) {
             const auto text = json.get<std::string>();
             way.fits = text == "yes"  ? RatedDesign::Fit::Yes
                        : text == "no" ? RatedDesign::Fit::No
                                       : RatedDesign::Fit::Unknown;
         }},
        where_it_fits("load", "", "of the busiest link behind a switch at the wanted rate", &RatedDesign::load),
        where_it_fits("link_load", "", "of the modules' links", &RatedDesign::link_load),
        where_it_fits("saturation_khz", "kHz", "accepted triggers that fill the busiest of all links",
                      &RatedDesign::saturation_khz),
        where_it_fits("capacity", "", "saturation over the accepted rate that is wanted", &RatedDesign::capacity),
        boundary(
            "watershed_events", "longest lossless burst at the wanted separation",
            [](const Boundary& each) { return json_of(each.events_lossless); },
            [](Boundary& each, const Json& json) { each.events_lossless = json.get<std::int64_t>(); }),
        boundary(
            "watershed_beyond", "longest burst seen to lose nothing; longer ones are unknown",
            [](const Boundary& each) { return each.unknown_beyond != 0 ? Json(each.unknown_beyond) : Json(nullptr); },
            [](Boundary& each, const Json& json) { each.unknown_beyond = json.get<std::int64_t>(); }),
        boundary(
            "never_loses", "no burst of any length loses",
            [](const Boundary& each) { return Json(!each.events_lossless && each.unknown_beyond == 0); },
            [](Boundary&, const Json&) {}),
        {"risk", "", "upper bound of the chance that an event is incomplete", kInJson | kInCsv,
         [=](const RatedDesign& way) { return way.log_risk ? Json(std::exp(upper(way))) : Json(nullptr); },
         [](RatedDesign& way, const Json& json) {
             if (!json.is_null())
                 way.log_risk = Enclosure{-INFINITY, std::log(json.get<double>()), std::log(json.get<double>())};
         }},
        {"risk_bounds", "", "lower and upper", kInJson | kMayMiss,
         [=](const RatedDesign& way) {
             return way.log_risk ? Json{std::exp(way.log_risk->lower), std::exp(upper(way))} : Json(nullptr);
         },
         [](RatedDesign& way, const Json& json) {
             if (way.log_risk && !json.is_null()) way.log_risk->lower = std::log(json.at(0).get<double>());
         }},
        {"log10_risk", "", "decimal logarithm of risk; null where that is 0", kInJson | kInCsv,
         [=](const RatedDesign& way) { return way.log_risk ? json_of(upper(way) / kTen) : Json(nullptr); },
         set_log10_risk},
        {"risk_kind", "", "exact, bound, sampled or unknown", kInJson | kInCsv,
         [](const RatedDesign& way) { return Json(risk_kind(way.risk())); },
         [](RatedDesign& way, const Json& json) {
             way.sampled = json.get<std::string>() == "sampled";
             if (way.log_risk && json == "exact") way.log_risk->lower = way.log_risk->upper;
         }},
        {"risk_standing", "", "what the risk rests on", kInJson | kInCsv,
         [](const RatedDesign& way) { return Json(name_of(way.standing())); },
         [](RatedDesign& way, const Json& json) { way.bounded = json.get<std::string>() == "bounded"; }},
        where_it_fits("latency_us", "us",
                      "mean, from a trigger to the last frame at the server, without the switches' own; null above "
                      "capacity",
                      &RatedDesign::latency_us),
        stored<RatedDesign>("recovery_us", "us", "until a full memory is empty again, at the wanted rate",
                            &RatedDesign::recovery_us),
        stored<RatedDesign>("lossless_dead_time_us", "us",
                            "shortest with which no sequence of triggers loses a frame, where that was wanted",
                            &RatedDesign::dead_time_us, kEverywhere | kMayMiss),
        stored<RatedDesign>("price", "", "of all switches", &RatedDesign::price),
        stored<RatedDesign>("power", "W", "of all switches", &RatedDesign::power),
        stored<RatedDesign>("pareto", "", "no other way is better in one respect and as good in all others",
                            &RatedDesign::pareto),
        or_null("same_as", "rank of an earlier way that hardly differs", &RatedDesign::same_as, 0),
        or_null("reason", "why it is not feasible", &RatedDesign::reason, std::string()),
        stored<RatedDesign>("remark", "", "why it does not fit, or why something is unknown", &RatedDesign::remark),
        derived("assumed", "values that are taken without a document",
                [](const RatedDesign& way) { return Json(texts_of(way, false)); }),
        derived("recalled", "values that are recalled",
                [](const RatedDesign& way) { return Json(texts_of(way, true)); }),
        stored<RatedDesign>("modules", "", "of the camera", at(&CandidateDesign::modules), kToProcesses),
        stored<RatedDesign>("obstacle", "", "why the risk is unknown", &RatedDesign::obstacle, kToProcesses),
        stored<RatedDesign>("bounded", "", "the risk is no more than a bound", &RatedDesign::bounded, kToProcesses),
        stored<RatedDesign>("sampled", "", "the risk is simulated", &RatedDesign::sampled, kToProcesses),
        {"log_risk", "", "natural logarithms: lower, estimate, upper", kToProcesses,
         [](const RatedDesign& way) {
             if (!way.log_risk) return Json(nullptr);
             return Json{json_of(way.log_risk->lower), json_of(way.log_risk->estimate), json_of(way.log_risk->upper)};
         },
         [](RatedDesign& way, const Json& json) {
             const auto log = [&](std::size_t i) { return json[i].is_null() ? -INFINITY : json[i].get<double>(); };
             if (!json.is_null()) way.log_risk = Enclosure{log(0), log(1), log(2)};
         }},
        {"unstated", "", "values that nobody states", kToProcesses,
         [](const RatedDesign& way) {
             Json all = Json::array();
             for (const Unstated& each : way.unstated) all.push_back(fields_of(each));
             return all;
         },
         [](RatedDesign& way, const Json& json) {
             way.unstated.clear();
             for (const Json& each : json) way.unstated.push_back(unstated_of(each));
         }},
    };
}

const Members<SwitchSummary>& summary_members() {
    static const Members<SwitchSummary> members{
        stored<SwitchSummary>("switch", "", "model of the first tier", &SwitchSummary::model),
        stored<SwitchSummary>("name", "", "in the catalogue", &SwitchSummary::name),
        stored<SwitchSummary>("ways", "", "that were tried", &SwitchSummary::ways),
        stored<SwitchSummary>("feasible", "", "ways that are", &SwitchSummary::feasible),
        stored<SwitchSummary>("rank", "", "of the first of them", &SwitchSummary::rank),
        stored<SwitchSummary>("out", "", "ways that are not, by reason", &SwitchSummary::out, kEverywhere | kMayMiss),
        stored<SwitchSummary>("why", "", "it is not the one recommended", &SwitchSummary::why)};
    return members;
}

template <class Value>
Json array_of(const Members<Value>& members, const std::vector<Value>& values) {
    Json all = Json::array();
    for (const Value& each : values) all.push_back(to_json(members, each));
    return all;
}

template <class Value>
std::vector<Value> values_of(const Members<Value>& members, const Json& array) {
    std::vector<Value> values;
    for (const Json& each : array.get<std::vector<Json>>()) read(members, values.emplace_back(), each);
    return values;
}

/// Returns the fields of all values without a document, by their lines.
Json unstated_of(const std::vector<RatedDesign>& ways) {
    Json unstated = Json::object();
    for (const RatedDesign& way : ways)
        for (const Unstated& each : in_order(way.unstated)) unstated[to_text(each)] = fields_of(each);
    return unstated;
}

const Members<ExploreResult>& result_members() {
    using Result = ExploreResult;
    const auto follows = [](const char* name, const char* meaning, std::function<Json(const Result&)> get) {
        return Member<Result>{name, "", meaning, kInJson, std::move(get)};
    };
    constexpr unsigned kLater = kInJson | kMayMiss;
    static const Members<Result> members{
        stored<Result>("scenario", "", "file", &Result::scenario),
        stored<Result>("set", "", "overrides", &Result::set, kLater),
        stored<Result>("modules", "", "of the camera", &Result::modules),
        stored<Result>("rate", "", "of triggers", &Result::rate),
        stored<Result>("triggers", "", "\"random\", \"fixed\" (all at fixed rates), or \"bursts\" on top of others",
                       &Result::triggers, kLater),
        stored<Result>("margin", "", "rate over the scenario's", &Result::margin, kLater),
        stored<Result>("accepted_rate_hz", "Hz", "triggers after dead time", &Result::accepted_rate_hz, kLater),
        stored<Result>("groups", "", "names of groups of modules", &Result::groups, kLater),
        {"fragments_bytes", "B", "payloads of an event", kInJson,
         [](const Result& result) { return Json(result.fragments_bytes); },
         [](Result& result, const Json& json) {
             json.get_to(result.fragments_bytes);
             if (result.fragments_bytes.empty()) throw MemberError("fragments_bytes: found none");
         }},
        stored<Result>("gap_us", "us", "between them", &Result::gap_us),
        stored<Result>("dead_time", "", "after a trigger", &Result::dead_time),
        stored<Result>("separation_us", "us", "of the events of the watershed", &Result::separation_us),
        stored<Result>("loss", "", "wanted chance", &Result::loss),
        follows("equal_below", "risks that count as equal",
                [](const Result& result) { return Json(result.loss * kFarBelow); }),
        stored<Result>("currency", "", "of prices", &Result::currency),
        follows("feasible", "number of ways", [](const Result& result) { return Json(result.feasible()); }),
        stored<Result>("notes", "", "for people", &Result::notes),
        stored<Result>("front", "", "watersheds of the Pareto front", &Result::front),
        {"ways", "", "by their ranks", kInJson,
         [](const Result& result) { return array_of(explored_members(), result.ways); },
         [](Result& result, const Json& json) {
             result.ways = values_of(explored_members(), json);
             if (result.ways.empty()) throw MemberError("ways: found none");
         }},
        follows("unstated", "fields of what is assumed and recalled, by line",
                [](const Result& result) { return unstated_of(result.ways); }),
        follows("recommended", "ranks", recommended),
        stored<Result>("names", "", "of switches in the catalogue", &Result::names, kLater),
        stored<Result>("switch_files", "", "that were named", &Result::switch_files, kLater),
        stored<Result>("what_if", "", "answers of sensitivity", &Result::what_if, kLater),
        stored<Result>("bill", "", "of the first way", &Result::bill, kLater),
        follows("advice", "in sentences", [](const Result& result) { return advice_json(result); }),
        {"switches", "", "that were tried", kInJson,
         [](const Result& result) { return array_of(summary_members(), result.switches); },
         [](Result& result, const Json& json) { result.switches = values_of(summary_members(), json); }}};
    return members;
}

}  // namespace

const Members<RatedDesign>& explored_members() {
    static const Members<RatedDesign> members = make_explored_members();
    return members;
}

CandidateDesign stacking_of(const Json& way, int modules) {
    RatedDesign explored;
    read(explored_members(), explored, way);
    explored.stacking.modules = modules;
    return explored.stacking;
}

std::int64_t ExploreResult::feasible() const {
    return std::count_if(ways.begin(), ways.end(), [](const RatedDesign& way) { return way.rank > 0; });
}

Reasons ExploreResult::reasons() const {
    Reasons reasons;
    for (const SwitchSummary& each : switches)
        for (const auto& [reason, count] : each.out) reasons[reason] += count;
    return reasons;
}

namespace {

/// Whether no other way may have a smaller risk: limits that overlap have no order, nor have risks that count as equal.
bool is_certainly_safest(const RatedDesign& way, const ExploreResult& result) {
    return std::all_of(result.ways.begin(), result.ways.end(), [&](const RatedDesign& other) {
        if (&other == &way || other.rank == 0) return true;
        if (is_far_below(way, result.loss) && is_far_below(other, result.loss)) return false;
        const bool alike = way.risk().is_close() && other.risk().is_close();  // told by their upper limits
        return alike ? way.log_risk->upper <= other.log_risk->upper : certainly_less(way.risk(), other.risk());
    });
}

}  // namespace

Json recommended(const ExploreResult& result) {
    if (result.feasible() == 0) return nullptr;
    Json ranks{{"first", 1}};
    for (const char* which : {"sure", "cheapest", "safest", "fastest"}) ranks[which] = nullptr;
    double lowest_price = INFINITY, lowest_risk = INFINITY, lowest_latency = INFINITY;
    const auto take = [&](const char* which, double value, double& lowest, const RatedDesign& way) {
        if (value < lowest) ranks[which] = way.rank, lowest = value;
    };
    for (const RatedDesign& way : result.ways) {
        if (way.rank == 0) continue;
        if (const auto standing = way.standing();
            ranks["sure"].is_null() &&
            (standing == RatedDesign::Standing::Known || standing == RatedDesign::Standing::Bounded))
            ranks["sure"] = way.rank;
        take("cheapest", way.price.value_or(INFINITY), lowest_price, way);
        if (is_certainly_safest(way, result)) take("safest", 0, lowest_risk, way);
        take("fastest", way.latency_us, lowest_latency, way);
    }
    return ranks;
}

Json to_json(const ExploreResult& result) { return to_json(result_members(), result); }

ExploreResult explore_result_of(const Json& document, const std::string& file) {
    return read_members(file, "what watershed explore --json writes", [&] {
        ExploreResult result;
        read(result_members(), result, document);
        const Json& unstated = member<Json>(document, "unstated");
        for (std::size_t i = 0; i < result.ways.size(); ++i) {
            RatedDesign& way = result.ways[i];
            way.stacking.modules = result.modules;
            for (const char* list : {"assumed", "recalled"})
                for (const std::string& line : member<std::vector<std::string>>(document.at("ways")[i], list))
                    way.unstated.push_back(unstated_of(unstated.at(line)));
        }
        for (const Json& each : result.front) {
            const auto rank = member<std::size_t>(each, "rank");
            if (rank < 1 || rank > result.ways.size()) throw MemberError("front: rank: found " + std::to_string(rank));
            for (const Json& point : member<std::vector<Json>>(each, "watershed")) point.at(1);
        }
        return result;
    });
}

namespace {

/// A cell of the CSV.
std::string cell(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_array()) return listed(value, cell, "; ");
    if (value.is_number_float()) return text_line("%.6g", value.get<double>());
    if (!value.is_string()) return value.dump();
    std::string text = one_line(value);
    std::replace(text.begin(), text.end(), ',', ';');
    return text;
}

}  // namespace

std::string csv_cell(const RatedDesign& way, const std::string& name) {
    for (const Member<RatedDesign>& each : explored_members())
        if (each.name == name) return cell(each.get(way));
    return "";
}

std::string ways_as_csv(const std::vector<RatedDesign>& ways) {
    std::string text;
    const auto line = [&](const Json& cells) {
        for (const Json& each : cells) text += cell(each) + ',';
        text.back() = '\n';
    };
    Json names = Json::array();
    for (const Member<RatedDesign>& each : explored_members())
        if (each.channels & kInCsv) names.push_back(each.name);
    line(names);
    for (const RatedDesign& way : ways) line(to_json(explored_members(), way, kInCsv));
    return text;
}

}  // namespace watershed
