// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/column-hint.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace watershed {
namespace {

using Words = std::vector<std::string>;

/// "Worst trigger lateness [ns]" has the words worst, trigger, lateness, ns.
Words words_of(std::string_view name) {
    Words words;
    bool within = false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte)) {
            if (!within) words.emplace_back();
            words.back() += static_cast<char>(std::tolower(byte));
        }
        within = std::isalnum(byte);
    }
    return words;
}

bool is_unit(const std::string& word) {
    static constexpr std::array<std::string_view, 12> kUnits{
        "ps", "ns", "us", "ms", "s", "sec", "seconds", "nanoseconds", "microseconds", "b", "byte", "bytes"};
    return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

/// What says the same in other words.
std::string usual(const std::string& word) {
    struct Alias {
        std::string_view word, meant;
    };
    // German and French among them: spreadsheets with decimal commas come from there.
    static constexpr std::array<Alias, 35> kAliases{
        {{"late", "lateness"},      {"max", "worst"},           {"sep", "separation"},
         {"spacing", "separation"}, {"interval", "separation"}, {"rx", "received"},
         {"recv", "received"},      {"rcvd", "received"},       {"tx", "sent"},
         {"sends", "sent"},         {"port", "ports"},          {"modules", "ports"},
         {"inputs", "ports"},       {"senders", "ports"},       {"event", "events"},
         {"triggers", "events"},    {"uplink", "uplinks"},      {"packets", "frames"},
         {"pkts", "frames"},        {"burst", "events"},        {"abstand", "separation"},
         {"ecart", "separation"},   {"ereignisse", "events"},   {"evenements", "events"},
         {"nutzlast", "payload"},   {"charge", "payload"},      {"gesendet", "sent"},
         {"envoyees", "sent"},      {"emises", "sent"},         {"empfangen", "received"},
         {"recues", "received"},    {"verloren", "lost"},       {"perdues", "lost"},
         {"dropped", "lost"},       {"module", "ports"}}};
    for (const Alias& alias : kAliases)
        if (alias.word == word) return std::string(alias.meant);
    return word;
}

/// Letters to add, to take away, to change or to swap with the next.
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

bool alike(const std::string& a, const std::string& b) {
    constexpr std::size_t kLettersPerSlip = 4;
    return usual(a) == usual(b) || edits(a, b) <= std::max(a.size(), b.size()) / kLettersPerSlip;
}

}  // namespace

std::optional<std::string> likely_column(std::string_view name, const std::vector<std::string>& known) {
    const auto without_units = [](Words words) {
        words.erase(std::remove_if(words.begin(), words.end(), is_unit), words.end());
        return words;
    };
    const Words found = without_units(words_of(name));
    if (found.empty()) return std::nullopt;
    const std::string* best = nullptr;
    std::size_t most = 0;
    for (const std::string& column : known) {
        const Words wanted = without_units(words_of(column));
        // Each word of the name must be one of the column's; the last is what the column is about.
        const auto of_column = [&](const std::string& word) {
            return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& one) { return alike(word, one); });
        };
        const auto shared = static_cast<std::size_t>(std::count_if(found.begin(), found.end(), of_column));
        if (shared == found.size() && alike(found.back(), wanted.back()) && shared > most)
            best = &column, most = shared;
    }
    return best ? std::make_optional(*best) : std::nullopt;
}

}  // namespace watershed
