// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrate/closed-form/queue-model.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

struct PeakTally {
    int lossless = 0, lossy = 0, doubtful = 0, by_peaks = 0;
    const Burst* largest = nullptr;
};

PeakTally tally_of(const Fit& fit) {
    PeakTally tally;
    for (const Burst& burst : fit.bursts) {
        if (!burst.peak) continue;
        ++(burst.lossy ? tally.lossy : tally.lossless);
        tally.by_peaks += burst.outcome == Burst::Outcome::ByPeaks;
        const std::int64_t all = burst.fragments() * counter_cost(fit.best().model, burst);
        tally.doubtful += burst.peak->amount - burst.peak->resolution > all;
        if (!tally.largest || burst.peak->amount > tally.largest->peak->amount) tally.largest = &burst;
    }
    return tally;
}

}  // namespace

void print_peaks(std::ostream& out, const Fit& fit) {
    const PeakTally tally = tally_of(fit);
    if (!tally.largest) return;
    out << "  peaks     ";
    if (tally.lossless > 0)
        out << how_many(tally.lossless, "burst")
            << " without loss: the most in use tells the service rate, and what a frame takes";
    if (tally.lossy > 0)
        out << (tally.lossless > 0 ? "; " : "") << how_many(tally.lossy, "burst")
            << " with loss: it is the depth, to a frame";
    else
        out << "; the depth is no less than the largest, " << tally.largest->peak->amount
            << (tally.largest->peak->cells ? " cells" : " B") << ": a burst that loses frames tells how much it is";
    if (tally.by_peaks > 0)
        out << "; of " << how_many(tally.by_peaks, "burst")
            << " nobody counted what arrived: the peaks alone tell which lost frames";
    out << '\n';
    if (tally.doubtful > 0)
        out << "  doubtful  " << how_many(tally.doubtful, "burst") << (tally.doubtful == 1 ? " has" : " have")
            << " more in use than all of its frames take in this kind of memory: the counter counts something else\n";
}

nlohmann::json json_of_peaks(const Fit& fit) {
    const PeakTally tally = tally_of(fit);
    if (!tally.largest) return nullptr;
    return {{"lossless", tally.lossless},
            {"lossy", tally.lossy},
            {"largest", tally.largest->peak->amount},
            {"unit", tally.largest->peak->cells ? "cells" : "bytes"},
            {"doubtful", tally.doubtful},
            {"told_by_peaks", tally.by_peaks}};
}

}  // namespace watershed
