// SPDX-License-Identifier: GPL-2.0-only
// Published and measured numbers beside simulated ones.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/validate/comparison-text.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// A whole number in full: nothing of what was counted is rounded.
std::optional<std::string> counted_number(double number) {
    constexpr double kMost = 1e9;
    if (number != std::floor(number) || std::abs(number) > kMost) return std::nullopt;
    return readable_count(static_cast<std::int64_t>(number));
}

/// A number of a comparison, with the digits that show the difference.
std::string shown(const Json& value, const Json& each) {
    if (value.is_null()) return "–";
    const double number = value.get<double>(), difference = std::abs(each["difference"].get<double>());
    if (const auto whole = counted_number(number)) return *whole;
    return readable_within(number, number - difference, number + difference);
}

/// One number, below its source if that is another than before, and above what there is to say of it.
void add_compared(Table& table, const Json& each, std::string& source) {
    if (each["source"] != source) {
        source = each["source"];
        table.add_note(source);
    }
    table.add({each["quantity"], each["unit"], shown(each["published"], each), shown(each["simulated"], each),
               counted_number(each["difference"]).value_or(readable(each["difference"].get<double>(), 3)),
               readable(each["tolerance"].get<double>(), 3), each["verdict"]});
    const auto note = [&](const std::string& text) {
        if (!text.empty()) table.add_note(text);
    };
    if (each.contains("calibrated_keys")) {
        const std::string keys = listed(each["calibrated_keys"].get<std::vector<std::string>>());
        note("calibrated to it: " + keys + " of " + each["scenario"].get<std::string>());
    }
    note(each.value("explanation", ""));
    note(each["remark"]);
    if (each.contains("tolerance_reason")) note("tolerance: " + each["tolerance_reason"].get<std::string>());
}

}  // namespace

std::string validation_page(const Json& result) {
    std::vector<std::string> systems;
    for (const Json& each : result)
        if (std::find(systems.begin(), systems.end(), each["system"].get<std::string>()) == systems.end())
            systems.push_back(each["system"]);
    Tally tally;
    for (const Json& each : result) {
        const auto judged = verdict_named(each["basis"].get<std::string>(), each["verdict"].get<std::string>());
        tally.add(judged->first, judged->second);
    }
    std::string html = heading("Does the model agree with what was published and measured?");
    std::istringstream lines(tally.text());
    for (std::string line; std::getline(lines, line);)
        html += html.find("answer") == std::string::npos ? answer(line) : paragraph(line);
    for (const std::string& system : systems) {
        html += smaller_heading("System: " + system);
        for (const BasisText& basis : kBasisTexts) {
            Table table({"<quantity", "<unit", basis.left, basis.right, "difference", "tolerance", "<verdict"});
            std::string source;
            for (const Json& each : result)
                if (each["system"] == system && each["basis"] == basis.name) add_compared(table, each, source);
            if (!table.empty()) html += paragraph(std::string(basis.name) + ": " + basis.what) + table.html();
        }
    }
    return html;
}

void check_comparison(const Json& result, const std::string& file) {
    read_members(file, "what watershed validate --json writes", [&] {
        for (const Json& each : result) {
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
