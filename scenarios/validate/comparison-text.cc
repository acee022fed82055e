// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/validate/comparison-text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// Six digits, or all before the point.
std::string plain(double value) {
    std::ostringstream text;
    const double rounded = std::round(value);
    const bool long_whole = std::abs(value) >= 1e6 && std::abs(value) < 1e15;
    text << std::setprecision(long_whole || value == rounded ? 15 : 6) << (long_whole ? rounded : value);
    return text.str();
}

using Rows = std::vector<const Comparison*>;

/// Returns the lines below a row.
std::vector<std::string> notes(const Comparison& row) {
    std::vector<std::string> lines;
    if (row.basis == Basis::Calibrated)
        lines.push_back("calibrated to it: " + listed(row.keys) + " of " + row.scenario);
    if (!row.explanation.empty()) lines.push_back(row.explanation);
    if (!row.remark.empty()) lines.push_back(row.remark);
    if (!row.tolerance.reason.empty()) lines.push_back("tolerance: " + row.tolerance.reason);
    return lines;
}

void print_table(std::ostream& out, const BasisText& basis, const Rows& rows) {
    out << rows.front()->system << ", " << basis.name << ": " << basis.what << '\n';
    std::vector<std::vector<std::string>> lines{
        {"quantity", "unit", basis.left, basis.right, "difference", "tolerance", "verdict"}};
    for (const Comparison* row : rows)
        lines.push_back({row->quantity, row->unit, plain(row->published), plain(row->simulated),
                         plain(row->difference()), plain(row->tolerance.largest), name_of(row->basis, row->verdict)});
    std::vector<std::string> before;
    const auto table = aligned(lines, {true, true, false, false, false, false, true});
    for (std::size_t i = 0; i < table.size(); ++i) {
        out << "  " << table[i] << '\n';
        if (i == 0) continue;
        const std::vector<std::string> said = notes(*rows[i - 1]);
        for (const std::string& line : said)
            if (std::find(before.begin(), before.end(), line) == before.end()) out << "      " << line << '\n';
        before = said;
    }
    out << '\n';
}

}  // namespace

Tally::Tally(const std::vector<Comparison>& comparisons) {
    for (const Comparison& each : comparisons) add(each.basis, each.verdict);
}

int Tally::rows(Basis basis) const {
    int sum = 0;
    for (const int count : counts_[static_cast<std::size_t>(basis)]) sum += count;
    return sum;
}

int Tally::unexplained() const {
    int sum = 0;
    for (const BasisText& each : kBasisTexts) sum += rows(each.basis, Verdict::Differs);
    return sum;
}

std::string Tally::text() const {
    std::string text;
    const auto of = [&](Basis basis) {
        return std::to_string(rows(basis, Verdict::Agrees)) + " of " + std::to_string(rows(basis)) + ' ';
    };
    const auto differ = [&](Verdict verdict) { return std::to_string(rows(Basis::Predicted, verdict)); };
    const int predicted = rows(Basis::Predicted);
    if (predicted > 0 && rows(Basis::Predicted, Verdict::PublicationInconsistent) == predicted)
        text += "None of the " + std::to_string(predicted) +
                " predicted numbers can be met: the publication contradicts itself in each.\n";
    else if (predicted > 0)
        text += of(Basis::Predicted) +
                "predicted numbers agree. Others differ: " + differ(Verdict::PublicationInconsistent) +
                " because the publication contradicts itself, " + differ(Verdict::Explained) +
                " by known limits of the model, " + differ(Verdict::Differs) + " without explanation.\n";
    if (rows(Basis::Calibrated) > 0) text += of(Basis::Calibrated) + "calibrated numbers are reached.\n";
    if (rows(Basis::Configured) > 0) text += of(Basis::Configured) + "numbers come out as they were configured.\n";
    if (rows(Basis::Theory) > 0) text += of(Basis::Theory) + "numbers agree with the formula.\n";
    if (rows(Basis::Arithmetic) > 0) text += of(Basis::Arithmetic) + "sums add up.\n";
    return text;
}

void print(std::ostream& out, const std::vector<Comparison>& comparisons) {
    std::vector<std::string> systems;
    for (const Comparison& each : comparisons)
        if (systems.empty() || systems.back() != each.system) systems.push_back(each.system);
    for (const std::string& system : systems)
        for (const BasisText& basis : kBasisTexts) {
            Rows rows;
            for (const Comparison& each : comparisons)
                if (each.system == system && each.basis == basis.basis) rows.push_back(&each);
            if (!rows.empty()) print_table(out, basis, rows);
        }
    out << Tally(comparisons).text();
}

}  // namespace watershed
