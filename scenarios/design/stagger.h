// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/network/network-load.h"
#include "model/network/network.h"

namespace watershed {

/// Delays with which a scenario loses nothing.
struct DelaySchedule {
    std::string kind;         ///< "linear", "groups", "gap" or "free"
    Time step{0};             ///< 0: nothing is lost without
    std::int64_t groups = 0;  ///< of modules that send at once, where there are any
    std::string key;          ///< what sets them, and its value
    std::string value;
    NetworkScenario scenario;  ///< with them
    Time latency_added{0};     ///< until the last frame of an event is sent
    bool smallest = false;     ///< proven: none of its kind is shorter; else the shortest that was found
    bool any_jitter = false;   ///< enough for any jitter up to the scenario's; else for the one that was drawn
};

/// Test of whether a scenario is good enough.
using GoodEnough = std::function<bool(const NetworkScenario&)>;

/// Unit of the delays of a search.
constexpr Time kStaggerStep{1000};

/// The delays of one kind, in whole nanoseconds.
///
/// linear: module k of those of a switch waits k steps. groups: as many modules after one another as make up a group
/// wait as long; of up to 16 groups the number with the least latency. gap: between the frames that a module sends
/// for an event. pace: the same, as a token bucket of one frame at each module. free: of the modules of an uplink the
/// first few do not wait; the others come when a frame has left, if the memory is full, or at shorter equal distances.
///
/// Steps are tried up to a frame of the uplink (of a group, or of all modules for a gap) and the switch's latency, or
/// what an event lasts on a module's link, or an uplink takes to send what a group sends for it, if that is longer.
/// Frames of one size in one queue, in the order of arrival, with room for a fixed number of them: there the smallest
/// of some kinds is proven. When a frame comes at t, the queue holds at most
///     max over u of n(u, t) - floor((t - u - l) / s), l the switch's latency, s a frame of the uplink,
/// n(u, t) being the frames that came in [u, t], and for u, where its busy time began, just as many (Cruz 1991). As
/// long as a step leaves the uplink busy from an event's first frame until its last one has come, u is the first frame
/// of an event, with all of the events before it gone: a shorter step then brings as many from u on at least, and holds
/// no less. So the smallest of these steps is found by bisection. And whatever the delays, all frames of some events in
/// a row have come a latency after the last of them would have: what the uplink has not sent by then has to have room.
/// An answer that adds no more than this is the smallest, too. Elsewhere some steps are tried, and what is found is
/// such that one nanosecond less loses frames: steps that lose nothing need not be one interval.
/// @param resolution  of the step, a multiple of kStaggerStep
/// @return nothing if none is good enough
/// @throws KeyError for a kind that the scenario has no use for, and delays that it has already: names the key
std::optional<DelaySchedule> find_staggering(const NetworkScenario& scenario, const std::string& kind,
                                             const GoodEnough& good_enough, Time resolution = kStaggerStep);

/// The longest step, or gap, that find_staggering() tries for a kind.
/// @throws KeyError as find_staggering()
Time searched_to(const NetworkScenario& scenario, const std::string& kind, Time resolution = kStaggerStep);

/// Returns the longest delays that spread an event further: a frame of the slowest link for each step of linear ones,
/// or of a gap a frame of all modules. What still loses frames with these, longer ones help only where triggers end, so
/// that each module may send after all others.
/// @param kind  "gap" and "pace", or any other for linear delays
/// @throws KeyError as find_staggering()
DelaySchedule longest_useful_delays(const NetworkScenario& scenario, const std::string& kind);

/// The most modules with which a scenario is good enough as it is or, where they may have delays, with the longest
/// linear ones: with one more it is not.
/// @return kMostModules where that many are, 0 where no number is; nothing where keys tell each module apart
constexpr int kMostModules = 10'000;
std::optional<int> most_modules(const NetworkScenario& scenario, bool with_delays, const GoodEnough& good_enough);

/// Makes a jitter a longer latency of the switch, which is no better: of frames of one size in one queue, in the order
/// of arrival, with room for a fixed number of them, n(u, t) of find_staggering() is with any jitter up to J at most
/// the n(u - J, t) without. Where an input has memory of its own, or a threshold depends on what other queues hold,
/// frames that come in another order may be lost: nothing is known then.
/// @return whether the scenario is such a case
bool allow_for_jitter(NetworkScenario& scenario, Time jitter);

/// Finds delays as find_staggering() does, for a scenario with a jitter: they lose nothing whatever jitter is drawn.
/// @return nothing if none is good enough, or nobody knows: see allow_for_jitter()
std::optional<DelaySchedule> find_staggering_for_any_jitter(const NetworkScenario& scenario, const std::string& kind,
                                                            const GoodEnough& good_enough);

/// Returns the fullest uplink, and the links of the modules, if they are given more than they carry, where the
/// scenario's triggers come at one rate on the long run.
std::vector<LinkLoad> overloads(const NetworkScenario& scenario);

/// Rate at which a module sends its frames of an event, each with its gap.
BitRate pace_of(const NetworkScenario& scenario);

/// Gap as makers of cameras count it: from the last bit of a frame to the preamble of the next.
Time gap_of_makers(const NetworkScenario& scenario);

}  // namespace watershed
