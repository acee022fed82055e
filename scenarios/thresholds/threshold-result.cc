// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "scenarios/text/text-line.h"
#include "scenarios/thresholds/threshold-table.h"

namespace watershed {

double ThresholdResult::tolerance() const {
    if (row.margin) return *row.margin;
    return packet_of(row.unit) && row.value ? 0.0002 * *row.value : 4;
}

std::optional<bool> ThresholdResult::hit() const {
    if (!simulated || !row.value) return std::nullopt;
    return std::abs(static_cast<double>(*simulated) - *row.value) <= tolerance();
}

std::string ThresholdResult::explanation() const {
    if (!simulated || !row.value || *hit()) return {};
    const double difference = *row.value - static_cast<double>(*simulated);
    const double close = std::max(tolerance(), 0.0005 * *row.value);
    if (!row.suspect.empty()) return "the table itself doubts it: " + row.suspect;
    if (packet_of(row.unit) && std::abs(difference) <= 4)
        return "fewer than 5 packets away; one packet alone is " + std::to_string(100 / *row.value).substr(0, 5) +
               " % of the value";
    if (row.test->event == FillEvent::Xoff)
        for (int groups = 2; groups <= 64; ++groups)
            if (std::abs(row.alpha * row.slice / (1 + groups * row.alpha) + row.reserved - *row.value) <=
                std::max(close, 0.002 * *row.value))
                return "what " + std::to_string(groups) +
                       " groups that fill together get each, where the row names one";
    if (row.test->event == FillEvent::Xon)
        return "the test lets more or less leave than xon_offset says: a margin of its own";
    if (row.headroom > 0 && row.test->event == FillEvent::HeadroomFull)
        return "the stated headroom is " + std::to_string(*row.value / row.headroom).substr(0, 5) +
               " of the configured one";
    if ((row.test->event == FillEvent::Xoff || row.test->event == FillEvent::IngressDrop) && row.alpha > 0) {
        const double share = (*row.value - row.reserved) * (1 + row.alpha) / row.alpha / row.slice;
        return "as if " + std::to_string(share).substr(0, 6) +
               " of the shared part were there: the configuration of the row is another one's";
    }
    return "no rule found";
}

std::vector<ThresholdResult> simulate(const std::vector<ThresholdRow>& rows, const StoppedSwitchFactory& stop,
                                      const std::function<void()>& done) {
    std::vector<ThresholdResult> results;
    for (const ThresholdRow& row : rows) {
        results.push_back({row, std::nullopt});
        try {
            if (row.test) results.back().simulated = fill(*row.test, stop);
        } catch (const NoEvent&) {  // the row has no result
        }
        if (done) done();
    }
    return results;
}

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
        out << text_line("%6d  %-10.10s  %-16.16s %10.10g  %10lld  %s\n", result.row.number, result.row.asic,
                         result.row.quantity, *result.row.value, *result.simulated, result.explanation());
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
                        {"margin", result.tolerance()},
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
    out << "A row counts that is within its margin, or where it states none within 4 cells or 0.02 % of its packets.\n"
           "chip        rows  simulated                  within: all inputs known    inputs partial or doubted\n";
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
        std::string missing = listed(result.row.missing);
        if (missing.empty()) missing = "nothing, but the event does not happen to this switch";
        out << text_line("%6d  %-10.10s  %-16.16s  %s\n", result.row.number, result.row.asic, result.row.quantity,
                         missing);
    }
}

}  // namespace watershed
