// SPDX-License-Identifier: GPL-2.0-only
// Designs beside each other.
#include "plots/figures/results.h"
#include "plots/page/html.h"
#include "plots/page/parts.h"
#include "plots/page/values.h"
#include "scenarios/design/compare.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

std::string quantities(const Json& result, const std::string& file) {
    check_designs(result, file);
    std::vector<std::string> heads{"<"};
    for (const Json& design : result.at("designs")) heads.push_back(design.at("name"));
    Table table(heads);
    for (const DesignRow& row : design_rows(result)) {
        std::vector<std::string> cells{row.quantity};
        cells.insert(cells.end(), row.values.begin(), row.values.end());
        table.add(cells);
    }
    const std::string best = listed(best_designs(result), " ");
    std::size_t assumed = 0;
    for (const Json& design : result.at("designs")) assumed += at_path(design, "assumed").size();
    return answer_resting_on(static_cast<std::int64_t>(assumed),
                             best.empty() ? "No two of them tell the same quantity." : best) +
           table.html();
}

/// Why a risk or a watershed is not told, and what was assumed of switches.
std::string reservations(const Json& result, const std::string&) {
    std::string html;
    for (const std::string& line : untold(result)) html += remark(line + ".");
    std::vector<std::string> assumed;
    for (const Json& design : result.at("designs")) {
        const std::string name = design.at("name");
        for (const char* list : {"assumed", "overridden"})
            for (const Json& each : at_path(design, list))
                assumed.push_back(name + ", " + list + ": " + value_in_words(list, each));
    }
    if (assumed.empty()) return html;
    return html + smaller_heading("Values of switches that were assumed or overridden") + list_of(assumed);
}

}  // namespace

std::vector<Page> design_pages() {
    return {{{"designs"},
             "Which design is better?",
             {quantities,
              picture("designs",
                      "How long a burst each design bears, against the separation of its events. Higher is better; a "
                      "line ends where the uplinks keep up with any burst.",
                      draw_designs, [](const Json&) { return true; }),
              reservations},
             {"scenario", "designs", "table", "best", "separation_us", "currency", "engine"}}};
}

}  // namespace watershed
