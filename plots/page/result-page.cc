// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <nlohmann/json.hpp>

#include "plots/figures/results.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "plots/page/parts.h"
#include "plots/page/values.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// Returns the command that wrote the result, from its call.
std::string command_of(const Json& result) {
    const std::string command = result.value("command", "");
    for (const char* name :
         {"run", "campaign-simulate", "thresholds", "balance", "blame", "fit", "measure", "switches"})
        if (command.find(std::string(" ") + name + " ") != std::string::npos) return name;
    return "";
}

/// Any other result: all it says, in words.
std::string any_result(const Json& result, const std::string& file) {
    const std::string command = command_of(result), what = about(result);
    return heading((command.empty() ? "Result" : "Result of watershed " + command) + ", " + file) +
           (what.empty() ? "" : remark(what)) + other_values(result, {"scenario", "set"});
}

/// All pages that are data.
const std::vector<Page>& pages() {
    static const std::vector<Page> all = [] {
        std::vector<Page> pages;
        for (auto&& some : {risk_pages(), run_pages(), guarantee_pages(), design_pages()})
            pages.insert(pages.end(), some.begin(), some.end());
        return pages;
    }();
    return all;
}

std::string page_of(const Json& result, const std::string& file) {
    const auto has = [&](std::initializer_list<const char*> members) {
        return std::all_of(members.begin(), members.end(), [&](const char* name) { return result.contains(name); });
    };
    if (has({"ways"})) return explored_page(result, file);
    if (has({"models", "service_rate", "depth", "rows_used"})) return fit_page(result, file);
    if (has({"stop", "points", "checks", "kinds"})) return next_page(result, file);
    for (const Page& page : pages())
        if (is_of(page, result)) return html_of(page, result, file);
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
            if (ends_with(word, ".toml")) {
                text = word;
                break;
            }
            begin = end + 1;
        }
    }
    if (text.empty()) return "";
    std::string with;
    if (result.contains("set") && result.at("set").is_array())
        for (const Json& each : result.at("set")) with += (with.empty() ? "" : ", ") + value_in_words("", each);
    return "Scenario " + text + (with.empty() ? "" : " with " + with);
}

std::string page_of_result(const Json& result, const std::string& file) {
    const bool list = result.is_array() && !result.empty();
    if (list && result[0].contains("verdict")) {
        check_comparison(result, file);
        return validation_page(result);
    }
    const bool known =
                   std::any_of(pages().begin(), pages().end(), [&](const Page&page) { return is_of(page, result); }),
               several = list && std::all_of(result.begin(), result.end(), is_from_program);
    if (!several && !is_from_program(result) && !(list && known))
        throw InputError(file +
                         ": found JSON that no command of watershed writes, expected what one of them writes with "
                         "--json");
    return read_members(file, "what a command of watershed writes with --json", [&] {
        if (!several) return page_of(result, file);
        std::string html;  // parts of a fit, one for each switch
        for (const Json& each : result) html += any_result(each, file);
        return html;
    });
}

}  // namespace watershed
