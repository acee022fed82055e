// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "test/model/guarantee/small-camera.h"

/// Modules that a switch pauses, and phases that stand for all phases of them.
namespace watershed {

inline MemorySize in_frames(std::int64_t amount) { return {amount, MemorySize::Unit::Frame}; }

constexpr Time kSlot{1'000'000};  // a frame of small() on its module's link

/// Modules that overrun an uplink of 1 Mb/s, which sends no frame while all inputs fill.
inline Scenario paused_camera(int modules, std::int64_t xoff, std::int64_t memory, std::int64_t headroom,
                              Time reaction) {
    Scenario scenario = small(modules, 1, 1'000'000, Time{0});
    scenario.front_end.pause_reaction = reaction;
    scenario.trigger.pattern = Trigger::Pattern::Burst;
    scenario.trigger.separation = Time{1};
    scenario.trigger.events = 40;
    FlowControl& control = scenario.network_switch.flow_control;
    control.kind = FlowControl::Kind::Pause;
    control.xoff = in_frames(xoff);
    control.xon = in_frames(xoff - 2);
    scenario.network_switch.buffer.size = in_frames(memory);
    scenario.network_switch.buffer.headroom = in_frames(headroom);
    return scenario;
}

/// A random camera with the least headroom that is proven to lose nothing, and what becomes of it at all phases.
///
/// A module sends a frame a slot from its phase on until it is paused, so that its frames arrive within `slots`.
/// Memory is given back much later. Then the order of arrivals alone decides, and it follows from the whole slots of
/// the phases and from the order of their remainders, of which n modules have n at most: phases of 1/n of a slot have
/// every order and every tie. A module that begins more than `slots` after those before it, which are paused by then,
/// may as well begin `slots` after them.
struct PausedPhases {
    Scenario camera;
    std::int64_t slots = 0;

    /// @param seed  every tenth has three modules, those from 1000 on four, whose phases take minutes; others two
    explicit PausedPhases(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const auto from = drawing(random);
        const int modules = seed >= 1000 ? 4 : seed % 10 == 0 ? 3 : 2;
        constexpr std::int64_t kMostXoff[] = {6, 3, 3}, kMostReaction[] = {5, 2, 1};  // frames, slots; 2 to 4 modules
        const std::int64_t xoff = from(2, kMostXoff[modules - 2]);
        camera = paused_camera(modules, xoff, 1000, 0, Time{from(0, kMostReaction[modules - 2] * kSlot.count())});
        if (from(0, 1)) camera.network_switch.flow_control.kind = FlowControl::Kind::Pfc;
        camera.network_switch.arrival_order = from(0, 1) ? ArrivalOrder::Rotating : ArrivalOrder::Module;
        const PauseGuarantee pauses = *Guarantee::of(camera)->pauses;
        slots = pauses.until_pause + pauses.after_pause;
        camera.trigger.events = int(slots) + 1;
        camera.network_switch.buffer.size.amount = modules * slots - from(1, pauses.after_pause);
        headroom().amount = *Guarantee::of(camera)->pauses->headroom;
        REQUIRE(headroom().amount > 0);
    }

    MemorySize& headroom() { return camera.network_switch.buffer.headroom; }

    /// Sets one phase after the other until one holds. @return whether one does
    template <class Holds>
    bool some(const Holds& holds) {
        const int modules = camera.front_end.modules;
        const std::int64_t gap = slots * modules, most = gap * (modules - 1);
        std::vector<std::int64_t> phases(std::size_t(modules), 0);
        for (std::size_t digit = 0; digit < phases.size();) {
            if (in_reach(phases, gap)) {
                camera.front_end.skew.clear();
                for (const std::int64_t phase : phases)
                    camera.front_end.skew.push_back(kSlot * (phase / modules) + kSlot / modules * (phase % modules));
                if (holds()) return true;
            }
            for (digit = 0; digit < phases.size() && phases[digit] == most;) phases[digit++] = 0;
            if (digit < phases.size()) ++phases[digit];
        }
        return false;
    }

  private:
    static bool in_reach(std::vector<std::int64_t> phases, std::int64_t gap) {
        std::sort(phases.begin(), phases.end());
        for (std::size_t i = 1; i < phases.size(); ++i)
            if (phases[i] - phases[i - 1] > gap) return false;
        return phases.front() == 0;
    }
};

}  // namespace watershed
