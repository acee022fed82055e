// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "plots/figures/figures.h"

/// A page as data: how a result is recognised, the question, and the parts that tell it.
namespace watershed {

/// Words for a result, or for a row of it; empty: nothing to say.
using Words = std::function<std::string(const nlohmann::ordered_json& of)>;
/// HTML of a result. @param file  that holds it
using PagePart = std::function<std::string(const nlohmann::ordered_json& result, const std::string& file)>;

/// A column: its head, which begins with "<" over text, and what stands in it.
struct Column {
    std::string head;
    Words words;
};

struct Page {
    std::vector<std::string>
        members;  ///< members that only such a result has; "[]" first: the result is a list of objects that have them
    std::string question;
    std::vector<PagePart> parts;
    std::set<std::string> told{};  ///< members that the parts tell; all others stand at the end
};

/// A member by its path, "weaker/loses_at_trigger"; null if there is none.
const nlohmann::ordered_json& at_path(const nlohmann::ordered_json& of, const std::string& path);
/// A member, by value_in_words().
Words the(const std::string& path);
/// A member, by a function of it; a dash where it is null or missing.
Words the(const std::string& path, const Words& words);

/// The answer in its paragraph, which says on how many assumed values it rests.
std::string answer_resting_on(std::int64_t assumed, const std::string& text);

/// Sentences that the command wrote: the answer, and paragraphs.
PagePart its_answer();
PagePart answer_in(const Words& words);
PagePart sentence(const Words& words);
/// A table with a row for each element of a list, by its path; "" is the result itself. Nothing if it is empty.
PagePart each_of(const std::string& title, const std::string& list, const std::vector<Column>& columns,
                 const std::string& note = "");
/// A figure, if `when` says so; the reason instead, if the figure refuses the result.
PagePart picture(const std::string& name, const std::string& caption,
                 const std::function<void(const FigureRequest&)>& draw,
                 const std::function<bool(const nlohmann::ordered_json&)>& when);

/// Returns the scenario of a result and what was set for it, as far as the result names them.
std::string about(const nlohmann::ordered_json& result);

bool is_of(const Page& page, const nlohmann::ordered_json& result);
std::string html_of(const Page& page, const nlohmann::ordered_json& result, const std::string& file);

/// A share as "23.49 %", or the ends of what it lies between, rounded outwards: "bounds" or "interval95" of an object.
std::string share_in_words(const nlohmann::ordered_json& part, const char* estimate);

std::vector<Page> run_pages();
std::vector<Page> risk_pages();
std::vector<Page> guarantee_pages();
std::vector<Page> design_pages();

}  // namespace watershed
