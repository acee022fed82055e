// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/known.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

const double kTen = std::log(10);

/// ln(e^a + e^b).
double log_of_sum(double a, double b) {
    if (std::isinf(a) || std::isinf(b)) return std::max(a, b);
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

std::string printed(NumberText number, double log, int digits, Rounded rounded) {
    return log == Known::kInfinite ? "without limit" : number(log / kTen, digits, rounded);
}

}  // namespace

Known Known::between(double lower, double estimate, double upper) {
    return {std::log(lower), std::log(estimate), std::log(upper), false};
}

Known Known::sample(double lower, double estimate, double upper) {
    return {std::log(lower), std::log(estimate), std::log(upper), true};
}

Known Known::at_least(double value) { return {std::log(value), std::log(value), kInfinite, false}; }

Known::Kind Known::kind() const {
    if (sampled) return Kind::Sampled;
    if (lower == upper) return Kind::Exact;
    if (lower == -kInfinite) return upper == kInfinite ? Kind::Unknown : Kind::AtMost;
    return upper == kInfinite ? Kind::AtLeast : Kind::Between;
}

bool Known::is_close() const { return !sampled && (upper == lower || upper - lower <= kCloseWithin); }

bool Known::is_limit() const {
    return kind() == Kind::AtMost || kind() == Kind::AtLeast || kind() == Kind::Unknown ||
           (sampled && (estimate == -kInfinite || estimate == kInfinite));
}

Known Known::as_probability() const {
    Known certain = *this;
    if (!sampled && upper >= 0 && !is_close()) certain.upper = kInfinite;
    return certain;
}

double Known::log10_estimate() const { return estimate / kTen; }
double Known::log10_lower() const { return lower / kTen; }
double Known::log10_upper() const { return upper / kTen; }

std::string Known::cell(NumberText number, int digits) const {
    const std::string mark = sampled ? ", sampled" : "";
    if (kind() == Kind::Unknown) return "unknown";
    if (is_close() || (sampled && !is_limit())) return printed(number, estimate, digits, Rounded::Nearest) + mark;
    if (kind() == Kind::AtLeast || (sampled && estimate == kInfinite))
        return "≥ " + printed(number, lower, digits, Rounded::Down) + mark;
    return "≤ " + printed(number, upper, digits, Rounded::Up) + mark;
}

std::string Known::words(NumberText number, int digits) const {
    const std::string text = brief(number, digits);
    if (!sampled || is_limit()) return text;
    return text + " (" + printed(number, lower, digits, Rounded::Down) + " to " +
           printed(number, upper, digits, Rounded::Up) + " with 95 % confidence)";
}

std::string Known::brief(NumberText number, int digits) const {
    const std::string confidence = sampled ? " with 95 % confidence" : "";
    const auto low = [&] { return printed(number, lower, digits, Rounded::Down); };
    const auto high = [&] { return printed(number, upper, digits, Rounded::Up); };
    if (kind() == Kind::Unknown) return "unknown";
    if (kind() == Kind::AtLeast || (sampled && estimate == kInfinite)) return "at least " + low() + confidence;
    if (is_limit()) return "at most " + high() + confidence;
    if (is_close() || sampled) return printed(number, estimate, digits, Rounded::Nearest);
    return "between " + low() + " and " + high();
}

Known operator*(const Known& one, double factor) {
    const double log = std::log(factor);
    if (factor == 0) return Known::exactly(0);
    return {one.lower + log, one.estimate + log, one.upper + log, one.sampled};
}

Known operator+(const Known& one, const Known& other) {
    return {log_of_sum(one.lower, other.lower), log_of_sum(one.estimate, other.estimate),
            log_of_sum(one.upper, other.upper), one.sampled || other.sampled};
}

Known inverse(const Known& one) { return {-one.upper, -one.estimate, -one.lower, one.sampled}; }

bool certainly_less(const Known& one, const Known& other) { return one.upper < other.lower; }

bool certainly_alike(const Known& one, const Known& other) {
    return one.is_close() && other.is_close() && one.estimate == other.estimate;
}

const char* risk_kind(const Known& risk) {
    if (risk.sampled) return "sampled";
    return risk.is_close() ? "exact" : risk.kind() == Known::Kind::Unknown ? "unknown" : "bound";
}

void add_risk_members(Json& json, const Known& risk) {
    const auto power = [](double log) { return std::isfinite(log) ? Json(log / kTen) : Json(nullptr); };
    json["probability"] = std::exp(risk.estimate);
    json[risk.sampled ? "interval95" : "bounds"] = {std::exp(risk.lower), std::exp(std::min(risk.upper, 0.0))};
    json["risk_kind"] = risk_kind(risk);
    json["log10_probability"] = power(risk.estimate);
    if (std::isfinite(risk.lower) && std::exp(risk.lower) == 0) json["log10_at_least"] = power(risk.lower);
    json["log10_at_most"] = power(std::min(risk.upper, 0.0));
}

Known risk_of_members(const Json& json) {
    const auto log_of = [&](const char* log10, const Json* value, double otherwise) {
        if (json.contains(log10) && !json.at(log10).is_null()) return json.at(log10).get<double>() * kTen;
        return value ? std::log(value->get<double>()) : otherwise;
    };
    const auto value = [&](const char* name) { return json.contains(name) ? &json.at(name) : nullptr; };
    const std::string kind = json.value("risk_kind", "exact");
    Known risk;
    risk.sampled = kind == "sampled";
    const Json* const limits = value(risk.sampled ? "interval95" : "bounds");
    risk.estimate = log_of("log10_probability", value("probability"), -Known::kInfinite);
    risk.upper = log_of("log10_at_most", limits ? &limits->at(1) : nullptr, risk.estimate);
    // Older documents have no logarithm of a lower limit below the doubles.
    const bool lost = !json.contains("log10_at_least") && !(limits && limits->at(0) > 0.0);
    risk.lower = kind == "exact" && lost
                     ? risk.estimate
                     : log_of("log10_at_least", limits ? &limits->at(0) : nullptr, -Known::kInfinite);
    return risk;
}

}  // namespace watershed
