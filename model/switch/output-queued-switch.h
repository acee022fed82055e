// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/base/unsupported-key.h"
#include "model/switch/switch.h"

namespace watershed {

/// Returns a switch with the links and the uplink choice of another; all inside is as by default.
Switch outside_of(const Switch& whole);

/// A switch whose frames wait for their uplink alone, in a memory with no rule beside its size and a dynamic threshold:
/// what fast paths, closed forms, bounds and chains start from. It holds what was copied of a switch, all else is as by
/// default; so a key that nobody taught it is an obstacle.
class OutputQueuedSwitch {
  public:
    /// Copies what a part understands of a memory beside the plain.
    using Beside = void (*)(const Buffer& whole, Buffer& copied);

    /// @param why  the first key that was not copied and differs from its default
    static std::optional<OutputQueuedSwitch> of(const Switch& whole, UnsupportedKey* why = nullptr,
                                                Beside beside = nullptr);

    const Switch& operator*() const { return copied_; }
    const Switch* operator->() const { return &copied_; }

  private:
    explicit OutputQueuedSwitch(const Switch& copied) : copied_(copied) {}

    Switch copied_;
};

/// A key with which frames wait elsewhere than for their uplink, or leave the memory otherwise than by it: runs that go
/// event by event alone know it.
UnsupportedKey needs_events(const Switch& whole);

}  // namespace watershed
