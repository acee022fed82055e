// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/loss.h"
#include "model/base/outcome.h"
#include "model/base/timestamp.h"
#include "model/base/unsupported-key.h"
#include "model/exact/time-grid.h"

namespace watershed {

/// A camera whose modules all send one frame at the same instants, and a switch that shares its memory completely, by
/// input or by output: what the fast paths of the exact engine need to know of such a scenario. Frames of one size make
/// every memory one of frames.
struct SynchronousCamera {
    /// Who has a memory of `room` frames.
    enum class Pools { All, Input, Output };

    FrameSizes frame;
    int modules;
    int uplinks;
    Pools pools;
    std::int64_t room;                  ///< frames
    std::optional<std::int64_t> cells;  ///< cells of a frame, where the memory is handed out in cells
    LossCause full;                     ///< why a frame is lost where there is no room
    bool release_at_start;
    bool takes_turns;                             ///< frames choose their uplinks by turns
    std::vector<int> uplink;                      ///< uplink of each module, both from 0; empty where frames take turns
    std::vector<std::int64_t> modules_of_uplink;  ///< number of modules; empty where frames take turns
    TransmissionTime link;                        ///< time of a frame on a module's link
    TransmissionTime uplink_slot;
    BitRate uplink_rate;
    ExactTimes times;  ///< the fast paths count ticks, and need whole ones
    Time latency;
    Time skew;

    /// @return std::nullopt if the scenario is not such a case, or has several switches
    /// @param why  the first key that is in the way
    /// @throws std::invalid_argument as SwitchMemory does
    static std::optional<SynchronousCamera> of(const NetworkScenario& scenario, UnsupportedKey* why = nullptr);

    /// Whether what a trigger sends has a fate that depends on the sums before it alone: each frame keeps its memory
    /// until its last bit has left, and one that found its uplink silent has begun to leave before the next trigger's
    /// frames arrive.
    bool counts_suffice() const { return !release_at_start && !takes_turns && latency.count() <= link.floor(); }
};

/// A camera whose modules send one frame of one size each, at times of their own, through plain switches.
struct UniformCamera {
    using Pools = SynchronousCamera::Pools;

    /// Memory of a switch: each queue may hold `room` frames, or alpha times the free ones, or it has other rules.
    struct Memory {
        Pools pools;               ///< ports that have a memory of `room` frames each
        bool by_input;             ///< a threshold is of the inputs' queues; else of the outputs'
        std::int64_t size;         ///< amount of a pool, in the unit of the memory
        std::int64_t room;         ///< frames
        std::int64_t descriptors;  ///< most frames in a pool
        /// A queue of q frames may grow while q `of_queue` and h `of_held` come to less than `threshold`, h frames
        /// being in memory: a dynamic threshold without division.
        std::int64_t of_queue, of_held, threshold;
        bool has_steps;  ///< a table limits a queue
        bool has_rules;  ///< only a SwitchMemory knows them all, and what stands above is of no use but for `pools`
    };

    FrameSizes frame;
    std::vector<Memory> memories;  ///< in the order of Network
    TimeGrid grid;

    /// @return std::nullopt if the scenario is not such a case. @param why  the first key in the way, as of [switch]
    /// @throws std::invalid_argument as SwitchMemory and Network do
    static std::optional<UniformCamera> of(const NetworkScenario& scenario, UnsupportedKey* why = nullptr);
};

}  // namespace watershed
