// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/gate-control-list.h"

#include <algorithm>
#include <cmath>
#include <regex>

#include "model/base/unsupported-key.h"

namespace watershed {

GateControlList::GateControlList(const std::vector<GateEntry>& entries) {
    for (const GateEntry& entry : entries) {
        const Time from = cycle_;
        if (entry.lasts <= Time{0} || entry.lasts > kLongestDelay - from)
            throw KeyError("switch.gates", "expected entries of more than 0 s, and a cycle of at most 10 days");
        cycle_ += entry.lasts;
        for (std::size_t each = 0; each < windows_.size(); ++each) {
            if ((entry.classes >> each & 1) == 0) continue;
            std::vector<Window>& windows = windows_[each];
            if (!windows.empty() && windows.back().until == from)
                windows.back().until = cycle_;
            else
                windows.push_back({from, cycle_});
        }
    }
    for (std::vector<Window>& windows : windows_) {  // a gate that is open where the cycle begins anew stays so
        if (windows.size() < 2 || windows.front().from > Time{0} || windows.back().until < cycle_) continue;
        windows.back().until += windows.front().until;
        windows.erase(windows.begin());
    }
}

bool GateControlList::is_open(int traffic_class, const Timestamp& begin, const Timestamp& end) const {
    const Time cycle = begin.time - begin.time % cycle_;
    for (const Window& window : windows_of(traffic_class)) {
        if (never_closes(window)) return true;
        for (const Time start : {cycle - cycle_, cycle})
            if (Timestamp(start + window.from) <= begin && end <= Timestamp(start + window.until)) return true;
    }
    return false;
}

Timestamp GateControlList::opens(int traffic_class, const Timestamp& now, Time lasts) const {
    const Time cycle = now.time - now.time % cycle_;
    std::optional<Timestamp> next;
    for (const Window& window : windows_of(traffic_class)) {
        if (lasts > window.until - window.from) continue;
        for (const Time start : {cycle, cycle + cycle_})
            if (const Timestamp opening(start + window.from); opening > now && (!next || opening < *next))
                next = opening;
    }
    if (!next) require("switch.gates", traffic_class, lasts);
    return *next;
}

void GateControlList::require(const std::string& key, int traffic_class, Time lasts) const {
    Time longest{0};
    for (const Window& window : windows_of(traffic_class)) {
        if (never_closes(window)) return;
        longest = std::max(longest, window.until - window.from);
    }
    if (longest < lasts)
        throw KeyError(key, "class " + std::to_string(traffic_class) + " is open for " +
                                std::to_string(longest.count()) + " ps at most, expected " +
                                std::to_string(lasts.count()) + " ps, which a frame of it takes on the link");
}

double GateControlList::share(int traffic_class, double lasts) const {
    double sent = 0;
    for (const Window& window : windows_of(traffic_class)) {
        if (never_closes(window)) return 1;
        sent += std::floor(static_cast<double>((window.until - window.from).count()) / lasts) * lasts;
    }
    return sent / static_cast<double>(cycle_.count());
}

std::optional<unsigned> read_classes(const std::string& text) {
    static const std::regex form(R"(\s*([0-7](-[0-7])?(\s*,\s*[0-7](-[0-7])?)*)?\s*)"), range("([0-7])(-([0-7]))?");
    if (!std::regex_match(text, form)) return std::nullopt;
    unsigned classes = 0;
    for (std::sregex_iterator part(text.begin(), text.end(), range), end; part != end; ++part) {
        const int first = std::stoi((*part)[1]), last = (*part)[3].matched ? std::stoi((*part)[3]) : first;
        if (last < first) return std::nullopt;
        for (int each = first; each <= last; ++each) classes |= 1u << each;
    }
    return classes;
}

std::string classes_text(unsigned classes) {
    std::string text;
    for (int each = 0; each < kTrafficClasses; ++each)
        if ((classes >> each & 1) != 0) text += (text.empty() ? "" : ",") + std::to_string(each);
    return text;
}

}  // namespace watershed
