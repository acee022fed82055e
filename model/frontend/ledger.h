// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "model/base/outcome.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/senders.h"

namespace watershed {

/// Keeps the books of what was lost: where, why, and what first.
class Ledger {
  public:
    /// @param observer told of every loss, if not null
    /// @param sizes    of the frames, for refused_by_fifo(), if not null
    explicit Ledger(const Observer* observer, const FragmentSizes* sizes = nullptr)
        : observer_(observer), sizes_(sizes) {}

    /// @param number  of the switch, from 0, in the order of Network
    void lost(const FrameId& frame, Time time, const LossCause& cause, int number = 0);

    std::int64_t frames_lost() const { return lost_; }
    /// Of a module's frames, those that never got onto its link.
    Outcome::Link refused_by_fifo(int module) const;
    /// By place and reason, in alphabetical order.
    std::vector<Outcome::Loss> losses() const;
    /// The earliest loss. At equal times one at the front end precedes one at a switch, and the lower module comes
    /// first at the front end; a switch decides in its order of arrival, and the lower number comes first among
    /// switches.
    const std::optional<FirstLoss>& first_loss() const { return first_; }

  private:
    struct Count {
        LossCause cause;
        std::int64_t frames;
    };

    const Observer* observer_;
    const FragmentSizes* sizes_;
    std::int64_t lost_ = 0;
    std::vector<Count> counts_;
    std::map<int, Outcome::Link> refused_;  ///< by module
    std::optional<FirstLoss> first_;
    int first_place_ = 0;  ///< 0: front end; otherwise the switch's number, from 1
};

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
