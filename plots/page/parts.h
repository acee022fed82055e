// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "plots/figures/figures.h"

/// A page as data: how a result is recognised, the question, and the parts that tell it.
namespace watershed {

/// What of a result, or of a row of it; empty where it says nothing.
using Words = std::function<std::string(const nlohmann::ordered_json& of)>;
/// HTML of a result. @param file  that holds it
using Telling = std::function<std::string(const nlohmann::ordered_json& result, const std::string& file)>;

/// A column: its head, which begins with "<" over text, and what stands in it.
struct Column {
    std::string head;
    Words words;
};

struct Page {
    std::vector<std::string> members;  ///< that tell such a result from others; "[]" first: it is a list of these
    std::string question;
    std::vector<Telling> parts;
    std::set<std::string> told{};  ///< members that the parts tell; all others stand at the end
};

/// A member by its path, "weaker/loses_at_trigger"; null if there is none.
const nlohmann::ordered_json& at_path(const nlohmann::ordered_json& of, const std::string& path);
/// A member, by value_in_words().
Words the(const std::string& path);
/// A member, by a function of it; a dash where it is null or missing.
Words the(const std::string& path, const Words& words);

/// The sentences that the command wrote: the answer, and paragraphs.
Telling its_answer();
Telling answer_in(const Words& words);
Telling sentence(const Words& words);
/// A table with a row for each element of a list, by its path; "" is the result itself. Nothing if it is empty.
Telling each_of(const std::string& title, const std::string& list, const std::vector<Column>& columns,
                const std::string& note = "");
/// A table of quantities, each with its words in every column but the first.
Telling facts(const std::vector<std::string>& heads,
              const std::vector<std::pair<std::string, std::vector<Words>>>& rows);
/// Drawn if `when` says so; why it is not, if the figure refuses.
Telling picture(const std::string& name, const std::string& caption,
                const std::function<void(const FigureRequest&)>& draw,
                const std::function<bool(const nlohmann::ordered_json&)>& when);

/// Which scenario a result is of and what was set for it, as far as it says so.
std::string about(const nlohmann::ordered_json& result);

bool is_of(const Page& page, const nlohmann::ordered_json& result);
std::string html_of(const Page& page, const nlohmann::ordered_json& result, const std::string& file);

/// A share as "23.49 %", or the ends of what it lies between, rounded outwards: "bounds" or "interval95" of an object.
std::string share_in_words(const nlohmann::ordered_json& part, const char* estimate);
/// A time that must not be shorter than it is: rounded up to a nanosecond.
std::string at_least_so_long(const nlohmann::ordered_json& seconds);

std::vector<Page> run_pages();
std::vector<Page> risk_pages();
std::vector<Page> guarantee_pages();

}  // namespace watershed
