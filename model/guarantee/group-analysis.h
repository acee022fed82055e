// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/base/rational.h"
#include "model/guarantee/arrival-train.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/network/network.h"

namespace watershed {

/// Modules of one kind at one switch as input of its bounds.
struct GroupAnalysis {
    int number = 0;             ///< number of the only module, if streams come over its link; else 0
    AdmittedTriggers admitted;  ///< triggers that they answer
    bool own_trigger = false;   ///< true if these are not the common ones
    std::int64_t every = 1;     ///< a queue gets one in `every` of their events: the number of builders that take turns
    Time jitter{0};             ///< largest jitter of a trigger, and time for which streams hold up a frame
    int traffic_class = 0;
    std::vector<FrameSizes> frames;  ///< frames of an event, in the order of sending
    /// Transmission times of these frames on the link of the module with the fastest and with the slowest clock.
    std::vector<TransmissionTime> fast, slow;
    Time gap{0};                        ///< gap on the link between these frames
    std::vector<std::int64_t> modules;  ///< number of modules that send to each queue
};

/// Returns true if bounds have to add up the frames of a scenario kind by kind: groups of modules, several event
/// builders, unlike fragments, gaps between fragments, or streams over the links of modules.
bool has_kinds(const NetworkScenario& scenario);

/// Returns true if the modules' frames have several sizes.
bool has_unlike_frames(const Senders& senders);

/// Returns the kinds of modules at a switch; std::nullopt if a key of theirs is not covered.
/// @param number  index of the switch in Network
/// @param common  common triggers
/// @param why     receives that key
std::optional<std::vector<GroupAnalysis>> groups_of(const NetworkScenario& scenario, const Network& network, int number,
                                                    const AdmittedTriggers& common, UnsupportedKey* why);

/// Least distances of the frames of one size that a module sends, if its events keep the distances of its triggers.
///
/// A module sends the frames of an event one after the other, in S with the gaps between them. So its k-th event begins
/// on the link at b_k = max(b_(k-1) + S, t_k), t_k being its trigger with its jitter, and frame q has come at
/// b_k + c_q, where c_q is the same in each event. Let h_k be the least distance of two triggers that are k apart, and
/// J the largest jitter. Two beginnings that are k apart are at least B_k = max(B_(k-1) + S, h_k - J) apart, B_0 = 0.
/// So frame q of an event comes at least B_k + c_q - c_p after frame p of the k-th event before it. The n-th frame of a
/// size after another one is at least the smallest of these sums away, over the frames p of an event that may be first.
/// A clock scales S and c. If p comes later in its event than q, B_k by the link is least on the fastest one, and
/// h_k - J + c_q - c_p is least on the slowest one.
///
/// Builders that take turns get each M-th event: B_(k M) takes the place of B_k.
class EventDistances {
  public:
    /// Times are in ticks.
    struct Event {
        std::vector<Wide> fast, slow;     ///< ends of all its frames since its beginning, on both links
        std::vector<std::size_t> frames;  ///< indices of the frames of this size, ascending
        std::int64_t every = 1;
        Wide jitter = 0;
    };
    /// @param triggers  returns h_k from k = 0 on; std::nullopt after the last
    EventDistances(Event event, std::function<std::optional<Wide>()> triggers);

    /// Returns the least distance of the next frame from the first one; std::nullopt after the last.
    std::optional<Wide> next();

  private:
    /// Beginning of an event: B_k, or h_k - J in place of the last maximum, and B_(k-1) + S.
    struct Beginning {
        Wide least = 0, by_link = 0, by_trigger = 0;
    };
    /// Returns the k-th beginning that counts; null after the last.
    const Beginning* beginning(std::size_t k);

    Event event_;
    std::function<std::optional<Wide>()> triggers_;
    std::vector<std::size_t> first_;     ///< places in `frames` that may be first
    std::vector<Beginning> beginnings_;  ///< beginnings of all events, also those that do not count
    std::size_t next_ = 0;
    Wide last_ = 0;
};

}  // namespace watershed
