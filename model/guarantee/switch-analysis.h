// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "model/base/timestamp.h"
#include "model/guarantee/group-analysis.h"
#include "model/guarantee/mixed-memory.h"
#include "model/guarantee/other-places.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/network/network.h"

namespace watershed {

/// Stream beside the camera that sends to one queue.
struct CrossTrafficStream {
    TrafficStream stream;
    std::size_t queue = 0;  ///< index of the queue in the switch
    FrameSizes frame{};     ///< sizes of its frames
    /// Time from frame to frame of a constant stream; transmission time of a frame on the fastest and on the slowest
    /// link by which the stream may come.
    TransmissionTime interval, link, slow;
};

/// One switch of the scenario, as input of its bounds and with room for them.
struct SwitchAnalysis {
    SwitchGuarantee guarantee;  ///< receives the bounds
    /// Transmission time of a frame on the link of a module; on the fastest link if modules are out of step.
    TransmissionTime link;
    Bytes wire{0};                      ///< length of such a frame on a link
    std::vector<BitRate> uplink_rates;  ///< rates of the uplinks
    Time latency{0};
    Scheduling scheduling{};
    bool in_step = true;                  ///< true if all modules send at the same instants
    Time jitter{0};                       ///< largest jitter of a module
    Time apart{0};                        ///< largest difference of two modules' skews
    Time slowest_link{0};                 ///< transmission time of a frame on the slowest module's link, rounded up
    bool is_fed = false;                  ///< true if other switches send to it
    int first_link = 0;                   ///< index of its first uplink in Network
    std::vector<std::vector<int>> feeds;  ///< incoming links of each queue, as indices in Network
    std::vector<CrossTrafficStream> streams{};
    std::int64_t turns = 1;  ///< uplinks among which frames take turns, if triggers bring them unequally many; else 1
    bool links_bounded = true;  ///< false if triggers may ask for more than the link of a module with streams sends
    Time least_distance{0};     ///< least distance of triggers with which such links send all that comes
    std::vector<HeldFrames> accounts{};   ///< bounds on the accounts of its memory; set with those of mixed queues
    OtherPlaces places{};                 ///< places of frames beside one queue for each uplink
    std::vector<GroupAnalysis> groups{};  ///< kinds of its modules, if frames are added up by kind; else empty

    /// Returns the transmission time of a module's frame on an uplink.
    TransmissionTime slot_of(std::size_t queue) const { return TransmissionTime::of(wire, uplink_rates[queue]); }
    BitRate fastest_uplink() const { return *std::max_element(uplink_rates.begin(), uplink_rates.end()); }
};
/// Returns the modules without jitter, skews and clocks, so that all send at the same instants.
FrontEnd in_step_with(FrontEnd front_end);
/// Returns the largest and the smallest clock tolerance that a module may have, for any draw from the spread.
std::pair<ClockTolerance, ClockTolerance> fastest_and_slowest(const FrontEnd& front_end);
/// Returns the transmission times of a frame on the link of the module with the fastest and with the slowest clock. A
/// clock's rate has many digits: rounded to picoseconds, frames come no further apart than they may.
std::pair<TransmissionTime, TransmissionTime> fast_and_slow(const FrameSizes& frame, const FrontEnd& front_end);
/// Returns the analysis of one switch, before its bounds are known; std::nullopt if they do not cover it.
/// @param number  index of the switch in Network
/// @param common  common triggers
/// @param kinds   true: the analysis has the kinds of modules, whose frames are added up
/// @param why     receives the first key that is not covered
std::optional<SwitchAnalysis> analysis_of(const NetworkScenario& scenario, const Network& network, int number,
                                          const AdmittedTriggers& common, bool kinds, UnsupportedKey* why);

/// Returns true if each input has a memory of its own.
inline bool has_account_by_input(const Buffer& buffer) {
    return buffer.sharing->pools == SharingPolicy::Pools::PerInput;
}

/// Returns true if a memory for all refuses frames only where all it holds leaves no room.
bool size_decides(const Buffer& buffer);
/// Returns true if it does so whatever the class of a frame.
bool size_alone_decides(const Buffer& buffer);

/// Returns true if a memory admits the maxima of all queues, whichever queue gets the last frame.
/// @param frame  size of a frame in the memory
bool takes_all(const SwitchGuarantee& guarantee, const Buffer& buffer, Bytes frame);

/// Returns the least memory size for which takes_all() is true; std::nullopt if another limit prevents it at any size.
std::optional<MemorySize> needed_size(const SwitchGuarantee& guarantee, Bytes frame);

/// Returns the least memory size that takes all; std::nullopt if another limit prevents it at any size.
/// @param shared  amount that a completely shared memory needs
std::optional<MemorySize> least_size(Buffer buffer, std::int64_t shared,
                                     const std::function<bool(const Buffer&)>& takes_all);

}  // namespace watershed
