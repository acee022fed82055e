// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/ring.h"
#include "model/frontend/event-train.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/ledger.h"
#include "model/frontend/senders.h"
#include "model/server/event-builder.h"
#include "model/server/receive-path.h"
#include "model/server/receiver.h"

namespace watershed {

/// A camera server as it is: a receive path and an event builder. It has a clock of its own, which follows the frames,
/// so that an engine need not simulate what goes on inside.
class FiniteServer {
  public:
    struct Callbacks {
        std::function<void(const std::vector<FrameId>&)> received;  ///< frames of one event
        std::function<void(const FrameId&, Time, const LossCause&)> lost;
        std::function<std::int64_t(std::int64_t)> expected;  ///< frames of an event
        /// Frames in the rings and bytes in memory after each change; may be empty.
        std::function<void(Time, std::int64_t, Bytes)> occupancy;
    };

    FiniteServer(const Receiver& receiver, int interfaces, const Senders& senders, const FragmentSizes& sizes,
                 Callbacks books);

    /// A frame arrives; call it for each interface in order of time.
    void arrive(const FrameId& frame, int interface, Time time) {
        arriving_[static_cast<std::size_t>(interface)].push({time, frame});
    }
    /// No other frame arrives before `now`. At one instant frames come in the order of their interfaces.
    void advance(Time now);
    /// No other frame arrives, and all that is to happen happens.
    Outcome::Server finish();

  private:
    struct Arrival {
        Time time{0};
        FrameId frame;
    };

    void take_until(Time now);
    EventBuilder::Callbacks books_of_builder();
    void tell_occupancy(Time now) const {
        if (books_.occupancy) books_.occupancy(now, in_rings_, builder_.memory());
    }

    Callbacks books_;
    const FragmentSizes& sizes_;
    ReceivePath path_;
    EventBuilder builder_;
    EventTimes triggers_;
    std::vector<Ring<Arrival>> arriving_;  ///< by interface
    std::int64_t in_rings_ = 0;            ///< frames
};

/// The computers that receive the fragments and build events of them: one, or several event builders. It counts what
/// arrives and knows nothing of losses elsewhere.
class CameraServer {
  public:
    /// Callbacks of a server with limits.
    struct Reports {
        /// A frame that it lost.
        std::function<void(const FrameId&, Time, const LossCause&)> lost;
        /// Frames in its rings and bytes in its memory after each change; may be empty.
        std::function<void(Time, std::int64_t, Bytes)> occupancy;
    };

    /// @param modules  that answer each trigger
    /// @param sizes    of their fragments
    CameraServer(int modules, FragmentSizes sizes);
    /// The server of these senders.
    /// @param builders  event builder of each interface, from 0
    CameraServer(const Senders& senders, const Server& server, const std::vector<int>& builders, Reports reports);

    CameraServer(CameraServer&&) = delete;

    /// A frame's last bit arrives at an interface, from 0, at this time; call it for each in order of time.
    /// @throws std::logic_error if the interface is another builder's
    void arrive(FrameId frame, int interface, Time time) {
        if (builders_.count() > 1) arrive_at_builder(frame, interface, time);
        if (finite_.empty()) return receive(frame);
        const Interface& at = interfaces_[static_cast<std::size_t>(interface)];
        finite_[static_cast<std::size_t>(at.builder)]->arrive(frame, at.number, time);
    }
    /// No other frame will arrive before this time; it may be called now and then.
    void advance(Time now) {
        for (const auto& each : finite_) each->advance(now);
    }
    /// No other frame will arrive. To be called once, before the counts are asked for.
    void finish();

    /// The server has this frame for good.
    void receive(const FrameId& frame) {
        const auto event = static_cast<std::size_t>(frame.event - 1);
        if (event / kChunk != chunk_) open(event / kChunk);
        if (++counts_[event % kChunk] == frames_of_each_ && ++by_event_[chunk_].complete == kChunk) close();
        ++by_module_[static_cast<std::size_t>(frame.module - 1)];
        ++received_;
        if (builders_.count() > 1) ++received_by_builder_[static_cast<std::size_t>(builders_.of(frame))];
    }

    std::int64_t frames_received() const { return received_; }
    /// Adds what groups of modules sent, and builders received, of `events` events.
    void report(std::int64_t events, Outcome& outcome) const;
    /// Returns the number of frames that the modules send in answer to the first `events` triggers.
    std::int64_t frames_expected(std::int64_t events) const;
    /// Adds the incomplete ones of the first `events` events to `into`.
    void incomplete(std::int64_t events, IncompleteEvents& into) const;
    /// Frames of each module that did not come, of `events` events.
    std::vector<std::int64_t> missing_by_module(std::int64_t events) const;
    /// Returns the results of a server with limits; std::nullopt without limits.
    const std::optional<Outcome::Server>& seen() const { return seen_; }

  private:
    /// Number of successive events whose counts are forgotten once all are complete.
    static constexpr std::size_t kChunk = 4096;
    struct Chunk {
        std::vector<std::uint32_t> received;  ///< by event; empty before the first, and once all are complete
        std::size_t complete = 0;
    };

    /// The next frames received will be of this chunk.
    void open(std::size_t chunk);
    /// Forgets its counts.
    void close();
    std::int64_t received_of(std::int64_t event) const;
    std::int64_t frames_expected_of(std::int64_t event) const;
    /// Number of an event's frames that go to each builder.
    std::vector<std::int64_t> frames_expected_at_builders(std::int64_t event) const;
    std::int64_t frames_expected_from(int module, std::int64_t events) const;
    /// Gives a copy its builder's number.
    void arrive_at_builder(FrameId& frame, int interface, Time time);

    /// An interface: whose it is, and its number there, from 0.
    struct Interface {
        int builder;
        int number;
    };
    /// The part of an event that one builder gets; all of it where events stay together.
    struct Part {
        std::int64_t arrived = 0;  ///< frames
        Time last{0};              ///< arrival
    };
    Part& part(int builder, std::int64_t event) const;

    Senders senders_;
    FragmentSizes sizes_;
    mutable Answers answers_;
    BuilderChoice builders_;
    std::vector<Interface> interfaces_;
    mutable std::vector<Part> parts_;  ///< by event, or by event and builder; where there are several builders
    std::vector<std::int64_t> received_by_builder_;
    std::int64_t received_ = 0;
    std::int64_t frames_of_each_;  ///< event; 0 where that differs
    std::vector<Chunk> by_event_;
    std::size_t chunk_ = SIZE_MAX;     ///< index of the open chunk in by_event_
    std::uint32_t* counts_ = nullptr;  ///< its `received`
    std::vector<std::int64_t> by_module_;
    std::vector<std::unique_ptr<FiniteServer>> finite_;  ///< by builder; empty without limits
    std::optional<Outcome::Server> seen_;
};

/// Closes the books of `events` triggers: what the server received and what the ledger lost must make up all that was
/// sent.
/// @param observer  told of incomplete events, if not null
/// @return an outcome to which the switches add what they alone know
/// @throws std::logic_error if a frame is unaccounted for
Outcome finalize_result(std::int64_t events, const CameraServer& server, const Ledger& ledger,
                        const Observer* observer = nullptr);

/// Returns the frames that the modules' links carried for `events` triggers: all except those that their FIFOs refused.
std::vector<Outcome::Link> module_links(const Senders& senders, std::int64_t events, const Ledger& ledger);

}  // namespace watershed
