// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>

#include "calibrate/posterior/model-fit.h"

/// JSON has no infinity: null is "no limit".
template <class Value>
struct nlohmann::adl_serializer<std::optional<Value>> {
    static void to_json(json& json, const std::optional<Value>& value) { value ? json = *value : json = nullptr; }
    static void from_json(const json& json, std::optional<Value>& value) {
        value = json.is_null() ? std::nullopt : std::make_optional(json.get<Value>());
    }
};

/// Numbers, limits and row lists as the reports of fits write them.
namespace watershed {

/// In another unit.
inline Interval scaled(Interval interval, double scale) {
    if (interval.low) *interval.low *= scale;
    if (interval.high) *interval.high *= scale;
    return interval;
}
inline Estimate scaled(const Estimate& estimate, double scale) {
    return {estimate.value ? std::make_optional(*estimate.value * scale) : std::nullopt, scaled(estimate.hard, scale),
            scaled(estimate.interval68, scale), scaled(estimate.interval95, scale)};
}
inline void to_json(nlohmann::json& json, const Interval& interval) { json = {interval.low, interval.high}; }
inline void from_json(const nlohmann::json& json, Interval& interval) {
    interval = {json[0].get<std::optional<double>>(), json[1].get<std::optional<double>>()};
}

/// Seven digits, or all before the point where these are more.
std::string number_text(double value);
/// Returns the estimate as it is reported: within its 68 % interval, which is within its 95 % interval, and with the
/// digits that the sampler knows: the ends of the 95 % interval outwards, those of the 68 % interval to the nearest,
/// never beyond hard limits that they keep.
/// @param error_of_ends  as in ModelFit
Estimate in_known_digits(Estimate estimate, double error_of_ends);
/// "3 to 5", "at least 3", "no limit"
std::string limits_text(const Interval& interval);
/// Returns the unit of the depth.
inline std::string unit_of(const QueueModel& model) { return unit_text(model.unit); }
/// "1, 5, 7", at most thirty of them; "none"
std::string rows_text(const std::vector<int>& rows);

inline nlohmann::json estimate_json(const std::string& unit, const Estimate& estimate) {
    return {{"unit", unit},
            {"estimate", estimate.value},
            {"hard", estimate.hard},
            {"interval68", estimate.interval68},
            {"interval95", estimate.interval95}};
}

}  // namespace watershed
