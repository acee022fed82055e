// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "model/base/loss.h"
#include "model/network/network.h"

namespace watershed {

/// A switch whose uplinks stand still while it is fed frame by frame, as tests of its thresholds do: each engine has
/// one. Inputs count from 0; several groups of one input, each a class of its memory, are known to the exact one alone.
class TxDisabledSwitch {
  public:
    virtual ~TxDisabledSwitch() = default;

    /// Result of offering a frame.
    struct Fate {
        const LossCause* lost = nullptr;  ///< cause of its loss; null if it is not lost
        bool in_memory = false;           ///< true if it is in memory, not in the pipeline of its uplink
        bool on_headroom = false;         ///< true if it is on headroom, and so in memory
        bool paused = false;              ///< its sender has been told to pause, now or before
    };
    /// @param group  the number of the input, times the classes of the memory, and the class
    virtual Fate offer(int group) = 0;
    /// Offers frames like the last one, which is in memory, while their fate is the same; it may stop sooner.
    /// @return their number, `most` at most
    virtual std::int64_t repeat(std::int64_t /*most*/) { return 0; }
    /// The oldest frame of all leaves. @return whether the sender on this input is still told to pause
    virtual bool release(int input) = 0;
};

/// Builds the switch of a scenario, stopped. Of the scenario it takes frame, front end and switch; triggers do not
/// count.
/// @param frames  at most, that will be offered
using StoppedSwitchFactory =
    std::function<std::unique_ptr<TxDisabledSwitch>(const NetworkScenario& scenario, std::int64_t frames)>;

/// Returns the switch of the exact engine: memory and flow control alone.
std::unique_ptr<TxDisabledSwitch> make_exact_tx_disabled_switch(const NetworkScenario& scenario, std::int64_t frames);

/// The events that tests of a switch's thresholds wait for. What is counted is always frames of one priority group in
/// memory.
enum class FillEvent {
    Xoff,             ///< frames in the group when its sender is paused
    Limit,            ///< frames in the group when the next one is refused, without any pause
    IngressDrop,      ///< number of the first lost frame
    EgressDrop,       ///< number of the first lost frame of a queue that loses before any sender is paused
    Xon,              ///< frames that must leave after XOFF until the sender may resume
    HeadroomFull,     ///< frames that the group's headroom takes
    HeadroomPartial,  ///< frames that the headroom takes of the first group for which the pool is too small
};

/// One test, whose priority groups are the first inputs of the scenario. Where its memory has classes, each input has
/// as many groups, and one follows the other.
struct FillTest {
    FillEvent event = FillEvent::Xoff;
    int before = 0;    ///< groups that are filled to XOFF, or to their limit, first, one after the other
    int together = 1;  ///< groups that fill by turns after them; the first of them is counted
    NetworkScenario scenario;
};

/// An event does not happen to a switch.
struct NoEvent : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Fills the switch frame by frame until the event happens.
/// @throws NoEvent if it does not happen within `limit` frames
std::int64_t fill(const FillTest& test, const StoppedSwitchFactory& stop, std::int64_t limit = 2'000'000'000);

/// Thresholds that a probe finds in one priority group, which it fills until a frame is lost.
struct ProbedGroup {
    std::int64_t xoff = 0;                                 ///< frames in memory when its sender is told to pause
    std::int64_t drop = 0;                                 ///< number of the first frame that is lost
    std::int64_t headroom() const { return drop - xoff; }  ///< as a probe takes it: one more than fits
};

/// Fills the first `groups` inputs one after the other, each until a frame is lost.
std::vector<ProbedGroup> probe(const NetworkScenario& scenario, int groups, const StoppedSwitchFactory& stop,
                               std::int64_t limit = 2'000'000'000);

}  // namespace watershed
