// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/calibration-table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <sstream>

namespace watershed::calibration {
namespace {

bool lawless(const Cell& cell) {
    return std::find(lawless_subjects().begin(), lawless_subjects().end(), cell.subject) != lawless_subjects().end();
}

std::string rows_of(const Cell& cell) { return cell.rows > 0 ? std::to_string(cell.rows) + " rows" : "until it stops"; }

std::string share(int part, int whole) {
    if (whole == 0) return "-";
    const double p = static_cast<double>(part) / whole, error = std::sqrt(std::max(p * (1 - p), 0.25 / whole) / whole);
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << 100 * p << " +-" << 100 * error;
    return text.str();
}

std::string significant(double value) {
    if (!std::isfinite(value)) return "-";
    std::ostringstream text;
    text << std::setprecision(2) << value;
    return text.str();
}

constexpr int kSubject = 18, kName = 24, kNarrow = 10, kWide = 13;

void print_columns(std::ostream& out) {
    for (const char* const head : {"campaigns", "bounded"}) out << std::setw(kNarrow) << head;
    for (const char* const head :
         {"depth 68", "depth 95", "own 95", "rate 68", "rate 95", "right kind", "P(right)", "sure, wrong", "misfit"})
        out << std::setw(kWide) << head;
    for (const char* const head : {"width %", "rows", "p(depth)", "p(rate)"}) out << std::setw(kNarrow) << head;
    out << '\n';
}

void print_line(std::ostream& out, const Tally& one) {
    out << std::setw(kNarrow) << one.campaigns << std::setw(kNarrow) << one.depth_bounded;
    for (const std::string& text :
         {share(one.depth68, one.depth_bounded), share(one.depth95, one.depth_bounded), share(one.own95, one.campaigns),
          share(one.rate68, one.rate_bounded), share(one.rate95, one.rate_bounded), share(one.right, one.campaigns)})
        out << std::setw(kWide) << text;
    out << std::setw(kWide) << significant(100 * one.probability / one.campaigns);
    out << std::setw(kWide) << share(one.surely_wrong, one.campaigns) << std::setw(kWide)
        << share(one.misfits, one.campaigns);
    for (const double value : {100 * one.width, one.rows, evenness(one.depth_ranks), evenness(one.rate_ranks)})
        out << std::setw(kNarrow) << significant(value);
    out << '\n';
}

}  // namespace

std::vector<Margin> margins(const std::vector<Tally>& cells) {
    std::vector<Margin> all;
    const auto add = [&](const std::function<std::string(const Cell&)>& name_of) {
        const std::size_t first = all.size();
        for (const Tally& one : cells) {
            const std::string name = name_of(one.cell);
            if (name.empty()) continue;
            auto found = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                                      [&](const Margin& margin) { return margin.name == name; });
            if (found == all.end()) found = all.insert(all.end(), {name, {}});
            found->sum.add(one);
        }
    };
    const auto kept = [](const std::function<std::string(const Cell&)>& name_of) {
        return [name_of](const Cell& cell) {
            return lawless(cell) || cell.subject == kAny ? std::string() : name_of(cell);
        };
    };
    add([](const Cell& cell) {
        return std::string(lawless(cell) ? "all, laws broken" : cell.subject == kAny ? "all, drawn" : "all, laws kept");
    });
    add([](const Cell& cell) { return cell.subject; });
    add(kept(rows_of));
    add(kept([](const Cell& cell) { return std::string(cell.counts ? "counts, " : "flags, ") + cell.noise; }));
    add(kept([](const Cell& cell) { return to_text(cell.placement); }));
    for (Margin& margin : all) margin.sum.finish();
    return all;
}

void print_head(std::ostream& out) {
    out << std::left << std::setw(kSubject) << "subject" << std::setw(kName) << "noise" << std::setw(kName) << "bursts"
        << std::right;
    print_columns(out);
}

void print(std::ostream& out, const Tally& one) {
    const Cell& cell = one.cell;
    out << std::left << std::setw(kSubject) << cell.subject << std::setw(kName)
        << std::string(cell.counts ? "counts, " : "flags, ") + cell.noise << std::setw(kName)
        << to_text(cell.placement) + ", " + rows_of(cell) << std::right;
    print_line(out, one);
}

void print(std::ostream& out, const std::vector<Tally>& cells) {
    out << std::left << std::setw(kName) << "summed over" << std::right;
    print_columns(out);
    const std::vector<Margin> sums = margins(cells);
    for (const Margin& margin : sums) {
        out << std::left << std::setw(kName) << margin.name << std::right;
        print_line(out, margin.sum);
    }
    for (const bool depth : {true, false}) {
        out << "\ncampaigns by rank of the true " << (depth ? "depth" : "rate") << ", tenths from the lowest\n";
        for (const Margin& margin : sums) {
            out << std::left << std::setw(kName) << margin.name << std::right;
            for (const int bin : depth ? margin.sum.depth_ranks : margin.sum.rate_ranks) out << std::setw(7) << bin;
            out << '\n';
        }
    }
    std::string subject;
    for (const Tally& one : cells) {
        if (one.cell.subject != subject) {
            subject = one.cell.subject;
            out << '\n';
            print_head(out);
        }
        print(out, one);
    }
}

void print_goodness(std::ostream& out, const std::vector<Tally>& cells) {
    out << std::left << std::setw(kName) << "summed over" << std::right;
    for (const char* const head : {"goodness", "below 1 %", "p(even)"}) out << std::setw(kWide) << head;
    out << "  campaigns by goodness, tenths from the lowest\n";
    for (const Margin& margin : margins(cells)) {
        const Tally& sum = margin.sum;
        const int all = std::accumulate(sum.goodness.begin(), sum.goodness.end(), 0);
        out << std::left << std::setw(kName) << margin.name << std::right << std::setw(kWide) << all << std::setw(kWide)
            << share(sum.below_1_percent, all) << std::setw(kWide) << significant(evenness(sum.goodness));
        for (const int bin : sum.goodness) out << std::setw(7) << bin;
        out << '\n';
    }
}

void write_csv(std::ostream& out, const std::vector<Tally>& cells) {
    out << "subject,noise,counts,placement,rows,laws,campaigns,misfits,depth_bounded,depth68,depth95,own95,rate_"
           "bounded,rate68,rate95,right,surely_wrong,probability_right,half_width_95,rows_median";
    for (const char* const what : {"depth", "rate"})
        for (std::size_t bin = 0; bin < kRankBins; ++bin) out << ',' << what << "_rank_" << bin + 1;
    out << '\n';
    for (const Tally& one : cells) {
        const Cell& cell = one.cell;
        out << cell.subject << ',' << cell.noise << ',' << (cell.counts ? "used" : "ignored") << ','
            << to_text(cell.placement) << ',' << cell.rows << ',' << (lawless(cell) ? "broken" : "kept");
        for (const int number : {one.campaigns, one.misfits, one.depth_bounded, one.depth68, one.depth95, one.own95,
                                 one.rate_bounded, one.rate68, one.rate95, one.right, one.surely_wrong})
            out << ',' << number;
        out << ',' << std::setprecision(4) << one.probability / one.campaigns << ',';
        if (std::isfinite(one.width)) out << one.width;
        out << ',' << one.rows;
        for (const auto* const ranks : {&one.depth_ranks, &one.rate_ranks})
            for (const int bin : *ranks) out << ',' << bin;
        out << '\n';
    }
}

}  // namespace watershed::calibration
