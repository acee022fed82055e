// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/sonic/sonic-switch.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

BitRate rate_of(std::int64_t megabits) { return BitRate{megabits * 1'000'000}; }

/// A text as TOML writes it.
std::string toml_text(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return quoted + '"';
}

std::string verdict_of(const SonicHeadroom& row) {
    if (!row.needed) return "unknown";
    const HeadroomTrial& trial = row.trial;
    const std::string frames =
        trial.frame > 0 ? "frames of " + std::to_string(trial.frame) + " B" : "the worst frames, mixed";
    const std::string lost = trial.lost > 0 ? "a run of " + frames + " loses " + std::to_string(trial.lost) : "";
    if (row.xoff < *row.needed)
        return "short by " + std::to_string(*row.needed - row.xoff) + " B" + (lost.empty() ? "" : ": " + lost);
    if (!row.whole_cells) return "unknown: frames take whole cells";
    if (trial.runs == 0) return "unknown: too long a way for runs to confirm it";
    return lost.empty() ? "enough: " + std::to_string(trial.runs) + " runs lose nothing" : "not enough: " + lost;
}

std::string ports_text(const SonicSwitch& imported) {
    return imported.ports.empty() ? "unknown"
                                  : listed(
                                        imported.ports,
                                        [](const auto& each) {
                                            return std::to_string(each.second) + " x " + to_text(rate_of(each.first));
                                        },
                                        " + ");
}

}  // namespace

std::string report_of(const SonicSwitch& imported) {
    std::string text = imported.name + (imported.name == imported.file ? ", " : " of " + imported.file + ", ") +
                       ports_text(imported) + "\n";
    text += "queues of " + imported.profile + ", " + imported.chosen +
            (imported.other.empty() ? "" : ", and beside them of " + imported.other) + "\n";
    for (const SonicDemand& each : imported.memory)
        text +=
            "memory: " + std::to_string(each.asked) + " of " + std::to_string(each.there) + " cells: " + each.of + "\n";
    if (!imported.headroom.empty()) {
        text +=
            "headroom: needed are whole cells for the worst frames that a link carries while a pause waits for an MTU "
            "frame, passes the cable and back (5 ns/m), and is obeyed (" +
            std::to_string(imported.response) + " B, IEEE 802.1Qbb), and for an MTU frame that has begun by then\n";
        std::vector<std::vector<std::string>> lines{
            {"profile", "ports", "speed", "cable", "MTU, B", "worst frame, B", "needed, B", "xoff, B", ""}};
        for (const SonicHeadroom& row : imported.headroom)
            lines.push_back(
                {row.profile, std::to_string(row.ports), row.speed > 0 ? to_text(rate_of(row.speed)) : "unknown",
                 row.cable ? std::to_string(*row.cable) + " m" : "unknown", std::to_string(row.mtu),
                 row.needed ? std::to_string(row.worst) : "unknown",
                 row.needed ? std::to_string(*row.needed) : "unknown", std::to_string(row.xoff), verdict_of(row)});
        for (const std::string& line : aligned(lines, {true, false, false, false, false, false, false, false, true}))
            text += "  " + line + "\n";
    }
    for (const std::string& each : imported.left_out) text += "left out: " + each + "\n";
    return text;
}

nlohmann::ordered_json json_of(const SonicSwitch& imported) {
    nlohmann::ordered_json json{
        {"name", imported.name},
        {"profile", imported.profile},
        {"other_profile", imported.other.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(imported.other)},
        {"ports", nlohmann::ordered_json::array()},
        {"values", nlohmann::ordered_json::object()},
        {"memory", nlohmann::ordered_json::array()},
        {"headroom", nlohmann::ordered_json::array()},
        {"left_out", imported.left_out}};
    for (const auto& [speed, count] : imported.ports)
        json["ports"].push_back({{"speed", to_text(rate_of(speed))}, {"count", count}});
    for (const SonicValue& each : imported.values) {
        const bool is_text = each.value.front() == '"';
        json["values"]["switch." + each.key] = {
            {"value", is_text ? each.value.substr(1, each.value.size() - 2) : each.value},
            {"standing", each.standing},
            {"source", each.source}};
    }
    for (const SonicDemand& each : imported.memory)
        json["memory"].push_back({{"of", each.of}, {"asked_cells", each.asked}, {"cells", each.there}});
    const auto or_null = [](const std::optional<std::int64_t>& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    for (const SonicHeadroom& row : imported.headroom)
        json["headroom"].push_back({{"profile", row.profile},
                                    {"ports", row.ports},
                                    {"speed_mbps", row.speed > 0 ? nlohmann::ordered_json(row.speed) : nullptr},
                                    {"cable_m", or_null(row.cable)},
                                    {"mtu_bytes", row.mtu},
                                    {"worst_frame_bytes", row.needed ? nlohmann::ordered_json(row.worst) : nullptr},
                                    {"needed_bytes", or_null(row.needed)},
                                    {"whole_cells", row.whole_cells},
                                    {"xoff_bytes", row.xoff},
                                    {"runs", row.trial.runs},
                                    {"most_frames_lost", row.trial.lost},
                                    {"frame_bytes_of_most", row.trial.frame}});
    return json;
}

std::string toml_of(const SonicSwitch& imported) {
    std::istringstream report(report_of(imported));
    std::string text;
    for (std::string line; std::getline(report, line);) text += "# " + line + "\n";
    text += "\nname = " + toml_text(imported.name) + "\n";
    if (!imported.ports.empty()) text += "\n[ports]\n";
    for (const auto& [speed, count] : imported.ports)
        text += toml_text(to_text(rate_of(speed))) + " = { value = " + std::to_string(count) +
                ", standing = \"from configuration\", source = " + toml_text(imported.file + ", PORT: speed") + " }\n";
    std::string section;
    for (const SonicValue& each : imported.values) {
        const std::size_t dot = each.key.find('.');
        const std::string of = dot == std::string::npos ? "switch" : "switch." + each.key.substr(0, dot);
        if (of != section) text += "\n[" + of + "]\n";
        section = of;
        text += (dot == std::string::npos ? each.key : each.key.substr(dot + 1)) + " = ";
        text += each.source.empty() ? each.value
                                    : "{ value = " + each.value + ", standing = \"" + each.standing +
                                          "\", source = " + toml_text(each.source) + " }";
        text += "\n";
    }
    return text;
}

}  // namespace watershed
