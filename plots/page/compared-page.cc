// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/compared-page.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "plots/page/html.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/validate/comparison-text.h"

namespace watershed {
namespace {

using json = nlohmann::ordered_json;

/// One number, below its source if that is another than before, and above what there is to say of it.
std::string compared_row(const json& each, std::string& source) {
    std::ostringstream html;
    if (each["source"] != source) {
        source = each["source"];
        html << "<tr><th class=\"text remark\" colspan=\"7\">" << escaped(source) << "</th></tr>\n";
    }
    html << "<tr><td class=\"text remark\">" << escaped(each["quantity"]) << "</td><td class=\"text\">"
         << escaped(each["unit"]) << "</td>";
    for (const char* value : {"published", "simulated"}) html << "<td>" << number(each[value], "%.7g") << "</td>";
    for (const char* value : {"difference", "tolerance"}) html << "<td>" << number(each[value], "%.5g") << "</td>";
    html << "<td class=\"text\">" << escaped(each["verdict"]) << "</td></tr>\n";
    const auto note = [&](const std::string& text) {
        if (!text.empty())
            html << "<tr><td class=\"text quiet remark\" colspan=\"7\">" << escaped(text) << "</td></tr>\n";
    };
    if (each.contains("calibrated_keys")) {
        std::string keys;
        for (const json& key : each["calibrated_keys"]) keys += (keys.empty() ? "" : ", ") + key.get<std::string>();
        note("calibrated to it: " + keys + " of " + each["scenario"].get<std::string>());
    }
    note(each.value("explanation", ""));
    note(each["remark"]);
    if (each.contains("tolerance_reason")) note("tolerance: " + each["tolerance_reason"].get<std::string>());
    return html.str();
}

}  // namespace

std::string compared_page(const json& result) {
    std::vector<std::string> systems;
    for (const json& each : result)
        if (std::find(systems.begin(), systems.end(), each["system"].get<std::string>()) == systems.end())
            systems.push_back(each["system"]);
    std::ostringstream html;
    for (const std::string& system : systems) {
        html << "<h2>" << escaped(system) << "</h2>\n";
        for (const BasisText& basis : kBasisTexts) {
            std::string source;
            bool begun = false;
            for (const json& each : result) {
                if (each["system"] != system || each["basis"] != basis.name) continue;
                if (!begun)
                    html << "<p>" << basis.name << ": " << basis.what
                         << "</p>\n<div class=\"scroll\"><table>\n<tr><th class=\"text\">quantity</th><th "
                            "class=\"text\">unit</th><th>"
                         << basis.left << "</th><th>" << basis.right
                         << "</th><th>difference</th><th>tolerance</th><th class=\"text\">verdict</th></tr>\n";
                begun = true;
                html << compared_row(each, source);
            }
            if (begun) html << "</table></div>\n";
        }
    }
    Tally tally;
    for (const json& each : result) {
        const auto judged = verdict_named(each["basis"].get<std::string>(), each["verdict"].get<std::string>());
        tally.add(judged->first, judged->second);
    }
    std::istringstream lines(tally.text());
    for (std::string line; std::getline(lines, line);) html << "<p>" << escaped(line) << "</p>\n";
    return html.str();
}

void check_comparison(const json& result, const std::string& file) {
    read_members(file, "what watershed validate --json writes", [&] {
        for (const json& each : result) {
            for (const char* name : {"system", "quantity", "unit", "source", "basis", "verdict", "remark"})
                member<std::string>(each, name);
            for (const char* name : {"published", "simulated", "difference", "tolerance"}) member<double>(each, name);
            if (const auto basis = each["basis"].get<std::string>(), verdict = each["verdict"].get<std::string>();
                !verdict_named(basis, verdict))
                throw InputError(file + ": found basis \"" + basis + "\" with verdict \"" + verdict +
                                 "\", expected what watershed validate --json writes");
            if (each["basis"] != "calibrated") continue;
            member<std::string>(each, "scenario");
            member<std::vector<std::string>>(each, "calibrated_keys");
        }
    });
}

}  // namespace watershed
