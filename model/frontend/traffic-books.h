// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/base/outcome.h"
#include "model/frontend/ledger.h"
#include "model/frontend/senders.h"

namespace watershed {

/// Keeps the books of streams beside the camera, and of the latency of the camera's own frames: what was ready when,
/// arrived or was lost. Where there are no such streams it keeps none.
class TrafficBooks {
  public:
    /// @param observer  told of losses of streams, if not null
    TrafficBooks(const Senders& senders, const Observer* observer);

    bool are_kept() const { return !accounts_.empty(); }
    /// A frame is ready to be sent.
    void offered(const FrameId& frame, Time now);
    /// Its last bit has arrived at the server.
    void arrived(const FrameId& frame, Time now);
    /// A frame was lost on its way. @return whether it was of a stream: then the camera's ledger has nothing to do with
    /// it
    bool lost(const FrameId& frame, Time now, const LossCause& cause, int number = 0);

    /// Adds the streams to an outcome that tells all about the camera.
    /// @param peaks  of each switch, by stream; the camera is stream 0
    /// @throws std::logic_error if a frame is unaccounted for
    void report(Outcome& outcome, const std::vector<std::vector<Outcome::Amount>>& peaks) const;

  private:
    struct Account {
        Outcome::Stream seen;
        Ledger ledger;
        std::unordered_map<std::uint64_t, Time> ready;  ///< frames on their way
    };

    static std::uint64_t key_of(const FrameId& frame) {
        return static_cast<std::uint64_t>(frame.event) << 32 | static_cast<std::uint64_t>(frame.module) << 16 |
               static_cast<std::uint64_t>(frame.frame);
    }

    std::vector<Account> accounts_;  ///< from 0 the camera's
};

}  // namespace watershed
