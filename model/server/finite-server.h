// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "model/frontend/trigger.h"
#include "model/server/event-builder.h"
#include "model/server/receive-path.h"

namespace watershed {

/// A camera server as it is: a receive path and an event builder. It has a clock of its own, which follows the frames,
/// so that an engine need not simulate what goes on inside.
class FiniteServer {
  public:
    struct Books {
        std::function<void(const FrameId&)> received;
        std::function<void(const FrameId&, Time, const LossCause&)> lost;
        std::function<std::int64_t(std::int64_t)> expected;  ///< frames of an event
        /// Frames in the rings and bytes in memory after each change; may be empty.
        std::function<void(Time, std::int64_t, Bytes)> occupancy;
    };

    FiniteServer(const Receiver& receiver, int interfaces, const Trigger& trigger, std::uint64_t seed,
                 const FragmentSizes& sizes, Books books);

    /// A frame arrives, in any order.
    void arrive(const FrameId& frame, int interface, Time time) { arriving_.push({time, interface, frame}); }
    /// No other frame arrives before `now`. At one instant frames come in the order of their interfaces.
    void advance(Time now);
    /// No other frame arrives, and all that is to happen happens.
    Outcome::Server finish();

  private:
    struct Arrival {
        Time time;
        int interface;
        FrameId frame;
        friend bool operator<(const Arrival& a, const Arrival& b) {
            return std::tie(b.time, b.interface) < std::tie(a.time, a.interface);
        }
    };

    void take_until(Time now);
    EventBuilder::Books books_of_builder();
    void tell_occupancy(Time now) const {
        if (books_.occupancy) books_.occupancy(now, in_rings_, builder_.memory());
    }
    Time trigger_of(std::int64_t event);

    Books books_;
    const FragmentSizes& sizes_;
    ReceivePath path_;
    EventBuilder builder_;
    TriggerTrain train_;
    std::vector<Time> triggers_;  ///< by event, as far as needed
    std::priority_queue<Arrival> arriving_;
    std::int64_t in_rings_ = 0;  ///< frames
};

}  // namespace watershed
