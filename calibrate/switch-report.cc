// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/switch-report.h"

#include <cmath>

#include "calibrate/report-text.h"
#include "calibrate/switch-file.h"
#include "scenarios/input-error.h"
#include "scenarios/units.h"

namespace watershed {

void write_switch(std::ostream& out, const Fit& fit) {
    const ModelFit& best = fit.best();
    if (!best.depth.value || !best.rate.value) throw InputError(fit.source + ": no switch to write: these bursts limit depth or service rate on one side only");
    const auto remark = [](const Estimate& estimate, double scale, const std::string& unit) {
        Interval interval = estimate.interval95;
        if (interval.low) *interval.low *= scale;
        if (interval.high) *interval.high *= scale;
        return "95 % " + limits_text(interval) + " " + unit;
    };
    SwitchFile file("Fit of " + fit.source, "Fitted to " + fit.source + ", model " + best.model.name());
    file.add("switch.uplinks", fit.conditions.uplinks);
    file.add("switch.uplink_rate", to_text(BitRate{std::llround(*best.rate.value)}), remark(best.rate, 1e-6, "Mb/s"));
    file.add("switch.buffer.sharing", best.model.sharing == Buffer::Sharing::Shared ? "shared" : "per-input");
    static const char* const kUnits[] = {"frames", "bytes", "cells"};
    file.add("switch.buffer.size", to_text(MemorySize{std::llround(*best.depth.value), best.model.unit}), remark(best.depth, 1, kUnits[static_cast<int>(best.model.unit)]));
    if (best.model.unit == MemorySize::Unit::Cell) {
        file.add("switch.buffer.cell", to_text(Bytes{best.model.cell}));
        if (best.model.header > 0) file.add("switch.buffer.cell_header", to_text(Bytes{best.model.header}));
    }
    file.write(out);
}

}  // namespace watershed
