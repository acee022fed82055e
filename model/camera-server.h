// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

#include "model/ledger.h"
#include "model/outcome.h"
#include "model/scenario.h"

namespace watershed {

/// The computer that receives the fragments and builds events of them. It counts what arrives and knows nothing of losses elsewhere.
class CameraServer {
  public:
    /// @param modules           that answer each trigger
    /// @param frames_per_module of each event
    /// @param trigger           tells which modules answer
    CameraServer(int modules, int frames_per_module, Trigger trigger = {});

    void receive(const FrameId& frame) {
        const auto event = static_cast<std::size_t>(frame.event - 1);
        if (event >= by_event_.size()) by_event_.resize(event + event / 2 + 1);
        ++by_event_[event];
        ++by_module_[static_cast<std::size_t>(frame.module - 1)];
        ++received_;
    }

    std::int64_t frames_received() const { return received_; }
    /// What the modules send in answer to the first `events` triggers.
    std::int64_t frames_expected(std::int64_t events) const;
    /// Of the first `events` events, those with frames missing.
    std::vector<Outcome::IncompleteEvent> incomplete(std::int64_t events) const;
    /// Frames of each module that did not come, of `events` events.
    std::vector<std::int64_t> missing_by_module(std::int64_t events) const;

  private:
    std::int64_t frames_expected_of(std::int64_t event) const;

    int frames_per_module_;
    Trigger trigger_;
    std::int64_t received_ = 0;
    std::vector<std::uint32_t> by_event_;
    std::vector<std::int64_t> by_module_;
};

/// Closes the books of `events` triggers: what the server received and what the ledger lost must make up all that was sent.
/// @return an outcome to which the switches add what they alone know
/// @throws std::logic_error if a frame is unaccounted for
Outcome close_books(std::int64_t events, const CameraServer& server, const Ledger& ledger);

/// What the modules' links carried for `events` triggers: all but what their FIFOs refused.
std::vector<Outcome::Link> module_links(const Scenario& scenario, std::int64_t events, const Ledger& ledger);

}  // namespace watershed
