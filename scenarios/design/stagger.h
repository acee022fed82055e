// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/network/incast.h"
#include "model/network/network-load.h"

namespace watershed {

/// Delays with which a scenario loses nothing.
struct Staggering {
    std::string kind;         ///< "linear", "groups", "gap" or "free"
    Time step{0};             ///< 0: nothing is lost without
    std::int64_t groups = 0;  ///< of modules that send at once, where there are any
    std::string key;          ///< what sets them, and its value
    std::string value;
    Incast scenario;          ///< with them
    Time latency_added{0};    ///< until the last frame of an event is sent
    bool smallest = false;    ///< proven; else only a step one nanosecond shorter is known to lose frames
    bool any_jitter = false;  ///< enough for any jitter up to the scenario's; else for the one that was drawn
};

/// Whether a scenario is good enough.
using GoodEnough = std::function<bool(const Incast&)>;

/// What the delays of a search are counted in.
constexpr Time kStaggerStep{1000};

/// The delays of one kind, in whole nanoseconds.
///
/// linear: module k of those of a switch waits k steps. groups: as many modules after one another as make up a group
/// wait as long; of the numbers of groups the one with the least latency. gap: between the frames that a module sends
/// for an event. pace: the same, as a token bucket of one frame at each module. free: of the modules of an uplink the
/// first few do not wait, and each of the others one frame of the uplink longer than the one before, which keeps the
/// memory full: no shorter delay empties it sooner.
///
/// A longer step spreads the frames of an event more and, up to a frame of the uplink (of a group, or of all modules
/// for a gap), leaves no uplink idle sooner: what waits becomes less. So the smallest step is found by bisection, at
/// one switch whose modules send one size; elsewhere what is found is such that one nanosecond less loses frames.
/// @param resolution  of the step, a multiple of kStaggerStep
/// @return nothing if none is good enough
/// @throws KeyError for a kind that the scenario has no use for, and delays that it has already: names the key
std::optional<Staggering> find_staggering(const Incast& scenario, const std::string& kind,
                                          const GoodEnough& good_enough, Time resolution = kStaggerStep);

/// With the longest delays that spread an event further: a frame of the slowest link for each step of linear ones, or
/// of a gap a frame of all modules. What still loses frames with these, longer ones help only where triggers end, so
/// that each module may send after all others.
/// @param kind  "gap" and "pace", or any other for linear delays
/// @throws KeyError as find_staggering()
Staggering most_spread(const Incast& scenario, const std::string& kind);

/// The most modules with which a scenario is good enough as it is or, where they may have delays, with the longest
/// linear ones: with one more it is not.
/// @return kMostModules where that many are, 0 where no number is; nothing where keys tell each module apart
constexpr int kMostModules = 10'000;
std::optional<int> most_modules(const Incast& scenario, bool with_delays, const GoodEnough& good_enough);

/// Takes off the memory, of frames of one size behind one uplink, what a jitter can make wait more: delays of up to it
/// let no frame come earlier, and when some of them begin a busy time, as much more waits at most as the uplink sends
/// in so long. Delays that lose nothing then lose nothing with any jitter up to that.
/// @return whether anything is left of the memory
bool leave_room_for_jitter(Incast& scenario, Time jitter);

/// The same as find_staggering(), for a scenario with a jitter: in a run without it and with room for it, so that what
/// is found loses nothing whatever jitter is drawn. For the scenarios of which leave_room_for_jitter() knows.
/// @return nothing if none is good enough, or nobody knows
std::optional<Staggering> find_staggering_for_any_jitter(const Incast& scenario, const std::string& kind,
                                                         const GoodEnough& good_enough);

/// Of the uplinks the fullest, and the links of the modules, if they are given more than they carry, where the
/// scenario's triggers come at one rate on the long run.
std::vector<LinkLoad> overloads(const Incast& scenario);

/// At which a module sends its frames of an event, one and then a gap.
BitRate pace_of(const Incast& scenario);

/// As makers of cameras count it: from the last bit of a frame to the preamble of the next.
Time gap_of_makers(const Incast& scenario);

}  // namespace watershed
