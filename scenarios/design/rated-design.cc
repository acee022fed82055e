// SPDX-License-Identifier: GPL-2.0-only
// How well the ratings of a design are known, and what they rest on.
#include <algorithm>

#include "scenarios/design/explore.h"

namespace watershed {

std::string name_of(Unstated::Standing standing) {
    static const char* const kNames[] = {"assumed", "overridden", "without a source", "recalled"};
    return kNames[int(standing)];
}

std::string name_of(RatedDesign::Standing standing) {
    static const char* const kNames[] = {"known", "bounded", "sampled", "recalled", "assumed", "unknown"};
    return kNames[int(standing)];
}

std::string to_text(const Unstated& unstated) {
    const auto& [key, value, model, overridden, by] = unstated.value;
    const std::string text = (key.empty() ? "" : key + " = ") + value;
    switch (unstated.standing) {
        case Unstated::Standing::Recalled: return "recalled: " + text + " of " + model;
        case Unstated::Standing::WithoutSource: return "assumed: " + text + ", without a source for " + model;
        case Unstated::Standing::Assumed:
        case Unstated::Standing::Overridden: break;
    }
    return to_text(unstated.value);
}

std::vector<Unstated> in_order(std::vector<Unstated> unstated) {
    std::stable_sort(unstated.begin(), unstated.end(), [](const Unstated& a, const Unstated& b) {
        const auto place = [](const Unstated& each) { return std::max(1, int(each.standing)); };
        return place(a) < place(b);
    });
    return unstated;
}

bool RatedDesign::rests_on(Unstated::Standing what) const {
    return std::any_of(unstated.begin(), unstated.end(), [&](const Unstated& each) { return each.standing == what; });
}

RatedDesign::Standing RatedDesign::standing() const {
    if (!log_risk) return Standing::Unknown;
    if (rests_on(Unstated::Standing::WithoutSource) || rests_on(Unstated::Standing::Assumed)) return Standing::Assumed;
    if (rests_on(Unstated::Standing::Recalled)) return Standing::Recalled;
    if (sampled) return Standing::Sampled;
    return bounded ? Standing::Bounded : Standing::Known;
}

Known RatedDesign::risk() const {
    return log_risk ? Known{log_risk->lower, log_risk->upper, log_risk->upper, sampled} : Known::unknown();
}

}  // namespace watershed
