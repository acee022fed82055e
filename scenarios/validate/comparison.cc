// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/validate/comparison.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace watershed {
namespace {

constexpr double kLargestWithoutReason = 0.1;

void need(bool given, const std::string& quantity, const char* what) {
    if (!given) throw std::logic_error("validate: \"" + quantity + "\": missing, expected " + what);
}

}  // namespace

Comparison& Comparisons::add(Basis basis, const Quantity& quantity, double published, double simulated,
                             const Tolerance& tolerance, std::string remark) {
    const bool wide = tolerance.largest > kLargestWithoutReason * std::abs(published) * (1 + 1e-9);
    need(!wide || !tolerance.reason.empty(), quantity.name, "the reason for a tolerance above 10 %");
    Comparison row;
    row.system = system_;
    row.quantity = quantity.name;
    row.unit = quantity.unit;
    row.source = source_;
    row.basis = basis;
    row.published = published;
    row.simulated = simulated;
    row.tolerance = tolerance;
    row.verdict = std::abs(simulated - published) <= tolerance.largest ? Verdict::Agrees : Verdict::Differs;
    row.remark = std::move(remark);
    all_.push_back(std::move(row));
    return all_.back();
}

void Comparisons::add_simulated(Basis basis, const Quantity& quantity, double published, const Simulated& simulated,
                                const Tolerance& tolerance, std::string remark) {
    need(!simulated.scenario.empty(), quantity.name, "the scenario that was simulated");
    need(!simulated.keys.empty(), quantity.name,
         basis == Basis::Calibrated ? "the keys that were calibrated" : "a key on which the number depends");
    Comparison& row = add(basis, quantity, published, simulated.value, tolerance, std::move(remark));
    row.scenario = simulated.scenario;
    row.keys = simulated.keys;
}

void Comparisons::predicted(const Quantity& quantity, double published, const Simulated& simulated,
                            const Tolerance& tolerance, std::string remark) {
    add_simulated(Basis::Predicted, quantity, published, simulated, tolerance, std::move(remark));
}

void Comparisons::predicted(const Quantity& quantity, double published, const Simulated& simulated,
                            const Tolerance& tolerance, const Explanation& explanation, std::string remark) {
    need(!explanation.text.empty(), quantity.name, "the text of an explanation");
    predicted(quantity, published, simulated, tolerance, std::move(remark));
    Comparison& row = all_.back();
    const double close = std::min(tolerance.largest, kLargestWithoutReason * std::abs(explanation.expected));
    if (row.verdict != Verdict::Differs || !(std::abs(simulated.value - explanation.expected) <= close)) return;
    row.verdict =
        explanation.cause == Explanation::Cause::Publication ? Verdict::PublicationInconsistent : Verdict::Explained;
    row.explanation = explanation.text;
}

void Comparisons::calibrated(const Quantity& quantity, double published, const Simulated& simulated,
                             const Tolerance& tolerance, std::string remark) {
    add_simulated(Basis::Calibrated, quantity, published, simulated, tolerance, std::move(remark));
}

void Comparisons::theory(const Quantity& quantity, double by_formula, double simulated, const Tolerance& tolerance,
                         std::string formula) {
    need(!formula.empty(), quantity.name, "the formula");
    add(Basis::Theory, quantity, by_formula, simulated, tolerance, std::move(formula));
}

void Comparisons::arithmetic(const Quantity& quantity, double published, double calculated, const Tolerance& tolerance,
                             std::string arithmetic) {
    need(!arithmetic.empty(), quantity.name, "the arithmetic");
    add(Basis::Arithmetic, quantity, published, calculated, tolerance, std::move(arithmetic));
}

const char* name_of(Basis basis, Verdict verdict) {
    switch (verdict) {
        case Verdict::Agrees: break;
        case Verdict::PublicationInconsistent: return "publication inconsistent";
        case Verdict::Explained: return "differs, explained";
        case Verdict::Differs: return "differs";
    }
    switch (basis) {
        case Basis::Predicted: return "agrees";
        case Basis::Calibrated: return "reached";
        case Basis::Configured: return "as configured";
        case Basis::Theory: return "as calculated";
        case Basis::Arithmetic: return "adds up";
    }
    return "";
}

std::optional<std::pair<Basis, Verdict>> verdict_named(const std::string& basis, const std::string& verdict) {
    for (const BasisText& text : kBasisTexts)
        for (const Verdict each :
             {Verdict::Agrees, Verdict::PublicationInconsistent, Verdict::Explained, Verdict::Differs})
            if (basis == text.name && verdict == name_of(text.basis, each)) return std::pair{text.basis, each};
    return std::nullopt;
}

nlohmann::ordered_json to_json(const std::vector<Comparison>& comparisons) {
    auto json = nlohmann::ordered_json::array();
    for (const Comparison& c : comparisons) {
        json.push_back({{"system", c.system},
                        {"quantity", c.quantity},
                        {"unit", c.unit},
                        {"source", c.source},
                        {"basis", name_of(c.basis)},
                        {"published", c.published},
                        {"simulated", c.simulated},
                        {"difference", c.difference()},
                        {"tolerance", c.tolerance.largest},
                        {"verdict", name_of(c.basis, c.verdict)}});
        nlohmann::ordered_json& row = json.back();
        if (!c.tolerance.reason.empty()) row["tolerance_reason"] = c.tolerance.reason;
        if (!c.scenario.empty()) {
            row["scenario"] = c.scenario;
            row[c.basis == Basis::Calibrated ? "calibrated_keys" : "depends_on"] = c.keys;
        }
        if (!c.explanation.empty()) row["explanation"] = c.explanation;
        row["remark"] = c.remark;
    }
    return json;
}

}  // namespace watershed
