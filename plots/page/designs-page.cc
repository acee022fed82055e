// SPDX-License-Identifier: GPL-2.0-only
// Designs beside each other.
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "plots/figures/results.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "plots/page/values.h"
#include "scenarios/design/compare.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

std::string designs_page(const nlohmann::ordered_json& result, const std::string& file) {
    check_designs(result, file);
    std::vector<std::string> heads{"<"};
    for (const auto& design : result.at("designs")) heads.push_back(design.at("name"));
    Table table(heads);
    for (const DesignRow& row : design_rows(result)) {
        std::vector<std::string> cells{row.quantity};
        cells.insert(cells.end(), row.values.begin(), row.values.end());
        table.add(cells);
    }
    const std::string best = listed(best_designs(result), " ");
    std::string html = heading("Which design is better?") +
                       answer(best.empty() ? "No two of them tell the same quantity." : best) + table.html();
    const Scratch scratch;
    try {
        html += scratch.drawn(
            "designs",
            "How long a burst each design bears, against the separation of its events. Higher is better; a line "
            "ends where the uplinks keep up with any burst.",
            [&](const std::string& svg) {
                draw_designs({{file}, svg, "", {}});
            });
    } catch (const InputError& error) {
        html += remark(error.what());
    }
    for (const auto& design : result.at("designs"))
        if (design.contains("no_watershed") && !design.at("no_watershed").is_null())
            html += remark("The watershed of " + design.at("name").get<std::string>() +
                           " is not drawn: " + design.at("no_watershed").get<std::string>() + ".");
    std::vector<std::string> assumed;
    for (const auto& design : result.at("designs"))
        for (const char* list : {"assumed", "overridden"})
            if (design.contains(list))
                for (const auto& each : design.at(list))
                    assumed.push_back(design.at("name").get<std::string>() + ", " + list + ": " +
                                      value_in_words(list, each));
    if (!assumed.empty())
        html += smaller_heading("Values of switches that were assumed or overridden") + list_of(assumed);
    return html;
}

}  // namespace watershed
