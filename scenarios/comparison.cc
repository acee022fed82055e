// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

namespace watershed {
namespace {

/// Six digits, or all before the point.
std::string plain(double value) {
    std::ostringstream text;
    const double rounded = std::round(value);
    const bool long_whole = std::abs(value) >= 1e6 && std::abs(value) < 1e15;
    text << std::setprecision(long_whole || value == rounded ? 15 : 6) << (long_whole ? rounded : value);
    return text.str();
}

}  // namespace

void Comparisons::set(const Quantity& quantity, double published, double simulated, double tolerance, std::string remark) {
    const Verdict verdict = std::abs(simulated - published) <= tolerance ? Verdict::Agrees : Verdict::Differs;
    all_.push_back({system_, quantity.name, quantity.unit, source_, published, simulated, tolerance, verdict, std::move(remark)});
}

void Comparisons::set_contradicted(const Quantity& quantity, double published, double simulated, double tolerance, double by_arithmetic, std::string remark) {
    set(quantity, published, simulated, tolerance, std::move(remark));
    Comparison& last = all_.back();
    if (last.verdict == Verdict::Differs && std::abs(simulated - by_arithmetic) <= tolerance) last.verdict = Verdict::PublicationInconsistent;
}

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::Agrees: return "agrees";
        case Verdict::Differs: return "differs";
        case Verdict::PublicationInconsistent: return "publication inconsistent";
    }
    return "";
}

nlohmann::ordered_json to_json(const std::vector<Comparison>& comparisons) {
    auto json = nlohmann::ordered_json::array();
    for (const Comparison& c : comparisons)
        json.push_back({{"system", c.system}, {"quantity", c.quantity}, {"unit", c.unit}, {"source", c.source}, {"published", c.published},
                        {"simulated", c.simulated}, {"difference", c.difference()}, {"tolerance", c.tolerance}, {"verdict", name_of(c.verdict)},
                        {"remark", c.remark}});
    return json;
}

void print(std::ostream& out, const std::vector<Comparison>& comparisons) {
    using Line = std::array<std::string, 8>;
    std::vector<Line> lines{{"system", "quantity", "unit", "published", "simulated", "difference", "tolerance", "verdict"}};
    for (const Comparison& c : comparisons)
        lines.push_back({c.system, c.quantity, c.unit, plain(c.published), plain(c.simulated), plain(c.difference()), plain(c.tolerance), name_of(c.verdict)});
    std::array<std::size_t, 8> widths{};
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    const auto is_number = [](std::size_t i) { return i >= 3 && i <= 6; };
    for (std::size_t row = 0; row < lines.size(); ++row) {
        for (std::size_t i = 0; i < 8; ++i)
            out << (is_number(i) ? std::right : std::left) << std::setw(i == 7 ? 0 : static_cast<int>(widths[i])) << lines[row][i] << (i == 7 ? "\n" : "  ");
        const bool said = row > 1 && comparisons[row - 1].remark == comparisons[row - 2].remark;
        if (row > 0 && !said && !comparisons[row - 1].remark.empty()) out << "    " << comparisons[row - 1].remark << "\n";
    }
}

}  // namespace watershed
