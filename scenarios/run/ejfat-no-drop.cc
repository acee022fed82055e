// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/ejfat-no-drop.h"

#include <cmath>
#include <optional>

#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr double kClose = 1.002, kStep = 1.1;

BitRate scaled(BitRate rate, double factor) { return BitRate{std::llround(static_cast<double>(rate.count) * factor)}; }

}  // namespace

EjfatResult find_no_drop(const EjfatPoint& point, const std::function<EjfatResult(const EjfatPoint&)>& simulate) {
    EjfatPoint lossy = point;
    const auto run_at = [&](BitRate rate) {
        EjfatPoint at = point;
        at.bit_rate = rate;
        return simulate(at);
    };
    EjfatResult best = run_at(point.bit_rate);
    if (best.events_lost() == 0) return best;

    // Downwards from what the nodes can process, then between.
    const double processed = best.processed_mbps() * 1e6;
    BitRate next = processed > 0 ? std::min(BitRate{std::llround(processed * kStep)}, scaled(point.bit_rate, 1 / kStep))
                                 : scaled(point.bit_rate, 1 / kStep);
    for (best = run_at(next); best.events_lost() > 0; best = run_at(next)) {
        lossy.bit_rate = next;
        next = scaled(next, 1 / kStep);
        if (next < scaled(point.bit_rate, 1e-6) || next.count < 1000)
            throw InputError("ejfat.find_no_drop: events are lost even at \"" + to_text(lossy.bit_rate) +
                             "\", expected a rate at which none is");
    }
    while (static_cast<double>(lossy.bit_rate.count) > kClose * static_cast<double>(best.point.bit_rate.count)) {
        const double middle =
            std::sqrt(static_cast<double>(lossy.bit_rate.count) * static_cast<double>(best.point.bit_rate.count));
        EjfatResult run = run_at(BitRate{std::llround(middle)});
        if (run.events_lost() == 0)
            best = std::move(run);
        else
            lossy.bit_rate = run.point.bit_rate;
    }
    return best;
}

}  // namespace watershed
