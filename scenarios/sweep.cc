// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "model/frame.h"
#include "model/front-end.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

Outcome run_burst(Engine& engine, Scenario& scenario, std::int64_t events) {
    scenario.trigger.events = events;
    return engine.run(scenario);
}

LossMapRow row_of(const Scenario& scenario, std::int64_t events, std::int64_t lost) {
    const auto frames = static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size());
    LossMapRow row;
    row.ports = scenario.front_end.modules;
    row.payload = scenario.frame.payload;
    row.separation = scenario.trigger.separation;
    row.events = events;
    row.frames_sent = events * scenario.front_end.modules * frames;
    row.frames_received = row.frames_sent - lost;
    return row;
}

void set_burst(Scenario& scenario, Time separation) {
    scenario.trigger.pattern = Trigger::Pattern::Burst;
    scenario.trigger.separation = separation;
}

/// Whether the train's arrivals at the switch repeat themselves event by event, each time shifted by the same amount.
bool repeats_itself(const Scenario& scenario) {
    const FrontEnd& front_end = scenario.front_end;
    const auto equal_clocks = [&] {
        return front_end.clock_spread.count == 0 &&
               std::all_of(front_end.clock.begin(), front_end.clock.end(), [&](ClockTolerance t) { return t == front_end.clock.front(); });
    };
    if (front_end.jitter != Time{0} || !equal_clocks() || scenario.network_switch.arrival_order != ArrivalOrder::Module) return false;
    if (!front_end.fifo) return true;
    // A limited FIFO fills slowly where the link is slower than the triggers.
    FrontEndPort port(front_end, scenario.seed, 1);
    Time sent{0};
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame))
        if (const auto end = port.offer(Time{0}, frame.wire)) sent = *end;
    return scenario.trigger.separation >= sent;
}

/// The longest lossless burst up to `lossy`, a length that loses, by bisection.
std::int64_t bisect(Engine& engine, Scenario& scenario, std::int64_t lossy) {
    std::int64_t lossless = 0;
    while (lossy - lossless > 1) {
        const std::int64_t middle = lossless + (lossy - lossless) / 2;
        (run_burst(engine, scenario, middle).frames_lost() == 0 ? lossless : lossy) = middle;
    }
    return lossless;
}

}  // namespace

std::vector<LossMapRow> map_column(Engine& engine, Scenario scenario, Time separation, const std::vector<std::int64_t>& events) {
    set_burst(scenario, separation);
    std::vector<LossMapRow> rows;
    const Outcome longest = run_burst(engine, scenario, *std::max_element(events.begin(), events.end()));
    for (const std::int64_t length : events) {
        std::int64_t lost = 0;
        if (longest.events_in_order) {
            for (const auto& event : longest.incomplete)
                if (event.event <= length) lost += event.missing;
        } else {
            lost = run_burst(engine, scenario, length).frames_lost();
        }
        scenario.trigger.events = length;
        rows.push_back(row_of(scenario, length, lost));
    }
    return rows;
}

Boundary find_boundary(Engine& engine, Scenario scenario, Time separation, std::int64_t limit) {
    set_burst(scenario, separation);
    const bool repeats = repeats_itself(scenario);
    for (std::int64_t length = 64;; length *= 4) {
        if (!repeats) length = std::min(length, limit);
        if (Wide{separation.count()} * length > std::numeric_limits<std::int64_t>::max() / 2)
            throw std::runtime_error("separation " + to_text(separation) + ": no loss within the longest burst that can be simulated, 53 days");
        const Outcome outcome = run_burst(engine, scenario, length);
        if (outcome.frames_lost() > 0) {
            if (outcome.events_in_order) return {outcome.incomplete.front().event - 1, 0};
            return {bisect(engine, scenario, length), 0};
        }
        if (repeats && outcome.first_idle_event != 0) return {std::nullopt, 0};
        if (!repeats && length == limit) return {std::nullopt, limit};
    }
}

double saturation_frequency(Engine& engine, Scenario scenario, int modules) {
    set_burst(scenario, Time{0});
    scenario.front_end.modules = modules;
    constexpr std::int64_t kEvents = 2000;   // the first frame's way to the uplink is then below 0.1 % of the run
    const Outcome outcome = run_burst(engine, scenario, kEvents);
    const double seconds = static_cast<double>(outcome.simulated.count()) * 1e-12;
    const auto frames = static_cast<double>(frames_of_fragment(scenario.frame).size());
    return static_cast<double>(outcome.frames_received) / (modules * frames) / seconds;
}

}  // namespace watershed
