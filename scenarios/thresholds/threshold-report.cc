// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/thresholds/threshold-report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// Its configuration is known, and the table does not doubt it.
bool is_sound(const ThresholdRow& row) { return row.inputs != "partial" && row.suspect.empty(); }

struct Chip {
    std::string name;
    int rows = 0, simulated = 0, sound = 0, sound_hits = 0, others = 0, other_hits = 0;
};

std::vector<Chip> chips_of(const std::vector<ThresholdResult>& results) {
    std::vector<Chip> chips;
    for (const ThresholdResult& result : results) {
        auto chip = std::find_if(chips.begin(), chips.end(), [&](const Chip& c) { return c.name == result.row.asic; });
        if (chip == chips.end()) chip = chips.insert(chips.end(), Chip{result.row.asic});
        ++chip->rows;
        if (result.simulated) ++chip->simulated;
        const auto hit = result.hit();
        if (!hit) continue;
        ++(is_sound(result.row) ? chip->sound : chip->others);
        if (*hit) ++(is_sound(result.row) ? chip->sound_hits : chip->other_hits);
    }
    return chips;
}

void print_misses(std::ostream& out, const std::vector<ThresholdResult>& results, bool sound, const char* title) {
    bool first = true;
    for (const ThresholdResult& result : results) {
        if (is_sound(result.row) != sound || result.hit().value_or(true)) continue;
        if (first)
            out << '\n' << title << "\n   row  chip        quantity             stated   simulated  best explanation\n";
        first = false;
        out << text_line("%6d  %-10.10s  %-16.16s %10.10g  %10lld  %s\n", result.row.number, result.row.asic.c_str(),
                         result.row.quantity.c_str(), *result.row.value, integer(*result.simulated),
                         result.explanation().c_str());
    }
}

}  // namespace

nlohmann::ordered_json to_json(const std::vector<ThresholdResult>& results) {
    auto json = nlohmann::ordered_json::array();
    for (const ThresholdResult& result : results) {
        const ThresholdRow& row = result.row;
        json.push_back({{"row", row.number},
                        {"asic", row.asic},
                        {"quantity", row.quantity},
                        {"simulated", nullptr},
                        {"missing", row.missing},
                        {"value", nullptr},
                        {"unit", row.unit.empty() ? "cells" : row.unit}});
        if (result.simulated) json.back()["simulated"] = *result.simulated;
        if (row.value) json.back()["value"] = *row.value;
        if (const auto hit = result.hit()) {
            json.back()["hit"] = *hit;
            json.back()["sound"] = is_sound(row);
        }
        if (const std::string why = result.explanation(); !why.empty()) json.back()["explanation"] = why;
    }
    return json;
}

void print(std::ostream& out, const std::vector<ThresholdResult>& results) {
    out << "chip        rows  simulated  within 4 cells or 0.02 %: all inputs known    inputs partial or doubted\n";
    for (const Chip& chip : chips_of(results))
        out << text_line("%-10.10s %5d %10d %35d of %-4d %22d of %d\n", chip.name.empty() ? "-" : chip.name.c_str(),
                         chip.rows, chip.simulated, chip.sound_hits, chip.sound, chip.other_hits, chip.others);
    print_misses(out, results, true, "Missed although all inputs are known:");
    print_misses(out, results, false, "Missed where inputs are partial or doubted:");
    bool first = true;
    for (const ThresholdResult& result : results) {
        if (result.simulated) continue;
        if (first) out << "\nNot simulated:\n   row  chip        quantity          missing\n";
        first = false;
        std::string missing;
        for (const std::string& column : result.row.missing) missing += (missing.empty() ? "" : ", ") + column;
        if (missing.empty()) missing = "nothing, but the event does not happen to this switch";
        out << text_line("%6d  %-10.10s  %-16.16s  %s\n", result.row.number, result.row.asic.c_str(),
                         result.row.quantity.c_str(), missing.c_str());
    }
}

}  // namespace watershed
