// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <nlohmann/json.hpp>

#include "plots/figures/explored-result.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "plots/page/values.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// Whether it is a list whose elements have all these members.
bool is_list_of(const Json& result, std::initializer_list<const char*> members) {
    return result.is_array() && !result.empty() && std::all_of(result.begin(), result.end(), [&](const Json& each) {
               return std::all_of(members.begin(), members.end(),
                                  [&](const char* name) { return each.contains(name); });
           });
}

bool has(const Json& result, std::initializer_list<const char*> members) {
    return result.is_object() &&
           std::all_of(members.begin(), members.end(), [&](const char* name) { return result.contains(name); });
}

/// What `watershed n-plus-1` writes, a row for each size of frames.
std::string bursts(const Json& result) {
    Table table({"frame", "longest burst without loss, frames", "lost when it is one frame longer"});
    for (const Json& each : result)
        table.add({value_in_words("frame_bytes", each.at("frame_bytes")),
                   value_in_words("lossless", each.at("lossless")), value_in_words("drops", each.at("drops"))});
    return heading("How long a burst of frames of each size does the switch absorb?") + table.html();
}

/// Which command wrote it, from how it was called.
std::string command_of(const Json& result) {
    const std::string command = result.value("command", "");
    for (const char* name :
         {"run", "campaign-simulate", "thresholds", "balance", "blame", "fit", "measure", "switches"})
        if (command.find(std::string(" ") + name + " ") != std::string::npos) return name;
    return "";
}

/// Any other result: all it says, in words.
std::string any_result(const Json& result, const std::string& file) {
    const std::string command = command_of(result);
    return heading((command.empty() ? "Result" : "Result of watershed " + command) + ", " + file) +
           remark(about(result)) + other_values(result, {"scenario", "set"});
}

std::string known_page(const Json& result, const std::string& file) {
    if (has(result, {"ways"})) return explored_page(result, file);
    if (has(result, {"designs"})) return designs_page(result, file);
    if (has(result, {"models", "service_rate", "depth", "rows_used"})) return fit_page(result, file);
    if (has(result, {"stop", "points", "checks", "kinds"})) return next_page(result, file);
    if (has(result, {"probability", "method", "events_per_hour"})) return risk_page(result);
    if (has(result, {"memory", "points", "fewest_uplinks"})) return size_page(result);
    if (has(result, {"frames", "events", "buffer", "losses", "recovery", "lost_by_module"}))
        return run_page(result, file);
    return any_result(result, file);
}

}  // namespace

std::string about(const Json& result) {
    std::string text = result.contains("scenario") && result.at("scenario").is_string()
                           ? result.at("scenario").get<std::string>()
                           : "";
    if (text.empty()) {
        // The command's second word, where results do not name their scenario.
        const std::string command = result.value("command", "");
        for (std::size_t begin = 0; begin < command.size();) {
            const auto end = std::min(command.find(' ', begin), command.size());
            const std::string word = command.substr(begin, end - begin);
            if (word.size() > 5 && word.compare(word.size() - 5, 5, ".toml") == 0) {
                text = word;
                break;
            }
            begin = end + 1;
        }
    }
    std::string with;
    if (result.contains("set") && result.at("set").is_array())
        for (const Json& each : result.at("set")) with += (with.empty() ? "" : ", ") + value_in_words("", each);
    if (text.empty()) return "";
    return "Scenario " + text + (with.empty() ? "" : " with " + with);
}

std::string page_of_result(const Json& result, const std::string& file) {
    if (is_list_of(result, {"verdict"})) {
        check_comparison(result, file);
        return compared_page(result);
    }
    if (is_list_of(result, {"frame_bytes", "lossless", "drops"})) return bursts(result);
    const bool several =
        result.is_array() && !result.empty() && std::all_of(result.begin(), result.end(), is_from_program);
    if (!several && !is_from_program(result))
        throw InputError(
            file +
            ": found JSON that no command of watershed writes, expected what explore, compare, "
            "validate, risk, size, run, fit, next, n-plus-1, thresholds or campaign-simulate write with --json");
    return read_members(file, "what a command of watershed writes with --json", [&] {
        if (!several) return known_page(result, file);
        std::string html;  // of a fit, one for each switch
        for (const Json& each : result) html += any_result(each, file);
        return html;
    });
}

}  // namespace watershed
