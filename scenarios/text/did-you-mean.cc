// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/did-you-mean.h"

#include <algorithm>
#include <cctype>

#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

std::string in_small_letters(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& known) {
    constexpr std::size_t kLettersPerSlip = 4;
    std::size_t fewest = std::max<std::size_t>(1, name.size() / kLettersPerSlip);
    std::vector<std::string> nearest;
    for (const std::string& each : known) {
        const auto [shorter, longer] = std::minmax({name.size(), each.size()});
        if (longer - shorter > fewest) continue;  // a name may be as long as a file
        const std::size_t slips = edits(name, in_small_letters(each));
        const bool nothing_in_common = slips >= shorter;
        if (slips > fewest || nothing_in_common) continue;
        if (slips < fewest) nearest.clear();
        fewest = slips;
        nearest.push_back(each);
    }
    return nearest;
}

std::vector<std::string> names_around(const std::string& name, const std::vector<std::string>& known) {
    constexpr std::size_t kShortestPart = 3;
    std::vector<std::string> around;
    for (const std::string& each : known)
        if (name.size() >= kShortestPart && in_small_letters(each).find(name) != std::string::npos)
            around.push_back(each);
    return around;
}

}  // namespace

std::size_t edits(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            table[i][j] =
                std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
        }
    return table[a.size()][b.size()];
}

std::vector<std::string> likely_names(const std::string& found, const std::vector<std::string>& known) {
    constexpr std::size_t kMost = 5;  // beyond which a list says no more than that of all names
    const std::string name = in_small_letters(found);
    std::vector<std::string> likely = nearest_names(name, known);
    if (likely.empty()) likely = names_around(name, known);
    if (likely.size() > kMost) likely.clear();
    return likely;
}

std::string did_you_mean(const std::vector<std::string>& meant) {
    return meant.empty() ? "" : "; did you mean " + listed(meant, " or ") + "?";
}

std::string did_you_mean(const std::string& found, const std::vector<std::string>& known) {
    return did_you_mean(likely_names(found, known));
}

}  // namespace watershed
