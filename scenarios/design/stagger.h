// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/network/network-load.h"
#include "model/network/network.h"

namespace watershed {

/// Delays of modules with which a scenario is good enough.
struct DelaySchedule {
    std::string kind;         ///< "linear", "groups", "gap", "pace" or "free"; see find_staggering()
    Time step{0};             ///< step of the delays; 0: none are needed
    std::int64_t groups = 0;  ///< number of groups of modules; 0 for other kinds
    std::vector<std::pair<std::string, std::string>> keys;  ///< scenario keys of the delays, and their values
    NetworkScenario scenario;                               ///< scenario with the delays
    Time latency_added{0};    ///< time by which a module sends its last frame of an event later
    bool smallest = false;    ///< true: no shorter schedule of this kind is good enough (proven)
    bool any_jitter = false;  ///< true: good enough for every jitter up to the scenario's; false: for the drawn jitter
};

/// Test of whether a scenario is good enough.
using GoodEnough = std::function<bool(const NetworkScenario&)>;

/// Unit of the delays of a search.
constexpr Time kStaggerStep{1000};

/// Returns the shortest delays of one kind, in whole nanoseconds, with which a scenario is good enough.
///
/// Kinds. linear: module k of a switch, counted from 0, waits k steps. groups: neighbouring modules form groups, and
/// group g waits g steps; of up to 16 groups, the number with the least latency. gap: the step is a pause between the
/// frames that a module sends for an event. pace: a gap, described as a token bucket of one frame at each module. free:
/// the first few modules of an uplink do not wait. Each further one comes a frame's time of the uplink after its
/// predecessor, when a full memory has room again, or at a shorter equal distance. Where a scenario has groups of
/// modules, these are the groups, in their order, and no other kind is sought.
///
/// Search. For linear delays and groups, steps are tried up to the longest of three times: one frame of each module of
/// a group on the uplink plus the latency of the switch; an event on a module's link; the frames of a group for an
/// event on the uplink, which count with the latency where a scenario has groups. (With linear delays a group is one
/// module.) A gap is tried up to one frame of each module on the uplink.
///
/// Proof that a step is the smallest. It needs one queue of frames of one size, served in the order of arrival, in a
/// memory for a fixed number of frames. Let n(u, t) be the number of frames that come in [u, t], l the latency of the
/// switch, and s the time of a frame on the uplink. When a frame comes at t, the queue holds at most
///     max over u of n(u, t) - floor((t - u - l) / s),
/// and exactly as many if u is the beginning of the busy period (Cruz 1991). Let the step be so short that the uplink
/// is busy from the first frame of an event until its last frame has come. Then each busy period begins with the first
/// frame of an event. A shorter step brings no fewer frames in [u, t], and the queue holds no fewer. So bisection finds
/// the smallest of these steps. A second argument covers any delays: all frames of several successive events have come
/// at most `latency_added` after they would have come without delays, and the memory must hold what the uplink has not
/// sent by then. If a nanosecond less of `latency_added` violates this, the delays are the smallest, too.
///
/// Without proof, some steps are tried. One nanosecond less than the result is not good enough, but the steps that are
/// good enough need not form one interval.
/// @param resolution  granularity of the step, a multiple of kStaggerStep
/// @return std::nullopt if no step that was tried is good enough
/// @throws KeyError that names the key, if the scenario has no use for the kind or sets delays already
std::optional<DelaySchedule> find_staggering(const NetworkScenario& scenario, const std::string& kind,
                                             const GoodEnough& good_enough, Time resolution = kStaggerStep);

/// Returns the longest step that find_staggering() tries for a kind.
/// @throws KeyError as find_staggering()
Time searched_to(const NetworkScenario& scenario, const std::string& kind, Time resolution = kStaggerStep);

/// Returns the longest delays that can help while triggers go on. The step of linear delays is the time of a frame on
/// the slowest link, a gap is the time of one frame of each module there. If frames are still lost, longer delays help
/// only if the triggers end, so that each module can send after all others.
/// @param kind  "gap" or "pace"; any other text means linear delays
/// @throws KeyError as find_staggering()
DelaySchedule longest_useful_delays(const NetworkScenario& scenario, const std::string& kind);

/// Largest number of modules that most_modules() tries.
constexpr int kMostModules = 10'000;
/// Returns the largest number of modules with which a scenario is good enough, by bisection.
/// @param with_delays  true: the longest useful linear delays may be added
/// @return 0 if no number is good enough; std::nullopt if the scenario has nodes, or skews or clocks of single modules
std::optional<int> most_modules(const NetworkScenario& scenario, bool with_delays, const GoodEnough& good_enough);

/// Replaces the jitter of modules by a longer latency of the switch, which loses no fewer frames. It holds for the
/// queue that the proof of find_staggering() needs: n(u, t) with any jitter up to J is at most n(u - J, t) without
/// jitter. It does not hold if inputs have memories of their own or a threshold depends on other queues, since the
/// order of frames then matters.
/// @return false if the scenario is not covered; it is then unchanged
bool allow_for_jitter(NetworkScenario& scenario, Time jitter);

/// Returns delays as find_staggering() does, which are good enough for every jitter up to the scenario's.
/// @return std::nullopt if no step is good enough, or if allow_for_jitter() does not cover the scenario
std::optional<DelaySchedule> find_staggering_for_any_jitter(const NetworkScenario& scenario, const std::string& kind,
                                                            const GoodEnough& good_enough);

/// Returns the overloaded links: the fullest uplink and the links of the modules, each only if its load exceeds 1. The
/// result is empty if the triggers have no long-run rate.
std::vector<LinkLoad> overloads(const NetworkScenario& scenario);

/// Returns the rate at which a module sends the frames of an event, gaps included.
BitRate pace_of(const NetworkScenario& scenario);

/// Returns the gap as makers of cameras define it: from the last bit of a frame to the preamble of the next one.
Time gap_of_makers(const NetworkScenario& scenario);

}  // namespace watershed
