// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/trigger-rule.h"

#include <regex>
#include <stdexcept>

#include "model/base/timestamp.h"
#include "scenarios/keys/key-table.h"
#include "scenarios/text/units.h"

namespace watershed {

TriggerRule parse_trigger_rule(const std::string& text) {
    // The words of a rule on the memory come first: neither of the others begins so.
    static const std::regex almost_full(R"(\s*almost full at\s+(.+?),\s*after\s+(.+?)\s*)");
    static const std::regex form(R"(\s*(?:(bucket of)\s+(\d{1,9}),\s*one in|(\d{1,9})\s+in)\s+(.+?)\s*)");
    std::smatch part;
    if (std::regex_match(text, part, almost_full)) {
        TriggerRule rule;
        rule.kind = TriggerRule::Kind::AlmostFull;
        rule.level = parse_memory_size(part[1].str());
        rule.time = key_tables::read_text<Time>(part[2].str(), key_tables::kDelay);
        if (rule.level.amount < 1) throw std::invalid_argument("found \"" + text + "\", expected a level above 0");
        return rule;
    }
    if (!std::regex_match(text, part, form))
        throw std::invalid_argument("found \"" + text +
                                    "\", expected a rule such as \"3 in 40 us\", \"bucket of 3, one in 12 us\" or "
                                    "\"almost full at 40 frames, after 5 us\"");
    TriggerRule rule;
    if (part[1].matched) rule.kind = TriggerRule::Kind::Bucket;
    rule.events = std::stoll(part[1].matched ? part[2] : part[3]);
    rule.time = parse_time(part[4].str());
    if (rule.events < 1) throw std::invalid_argument("found \"" + text + "\", expected 1 trigger or more");
    if (rule.time <= Time{0} || Wide{rule.time.count()} * rule.events > kLongestDelay.count())
        throw std::invalid_argument("found \"" + text +
                                    "\", expected a time of more than 0 s, with which all its triggers come within 10 "
                                    "days");
    return rule;
}

std::string to_text(const TriggerRule& rule) {
    if (rule.kind == TriggerRule::Kind::AlmostFull)
        return "almost full at " + to_text(rule.level) + ", after " + to_text(rule.time);
    const std::string events = std::to_string(rule.events), time = to_text(rule.time);
    return rule.kind == TriggerRule::Kind::Count ? events + " in " + time : "bucket of " + events + ", one in " + time;
}

}  // namespace watershed
