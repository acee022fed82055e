// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/switch/queue-accounts.h"

namespace watershed {

struct Buffer;
class MemoryUnits;

/// Limit on the amount that queues may hold, beside the sharing policy: a small class for each kind, in policies/. All
/// limits of a memory must grant a frame; the result does not name the one that refused it.
class Limit {
  public:
    virtual ~Limit() = default;
    /// Whether a queue may take `amount` more, for a frame of this buffer size.
    virtual bool may_grow(const QueueAccounts& accounts, int queue, std::int64_t amount, Bytes frame) const = 0;
    /// Notes that frames of one size have come to a queue, or left it: for a limit that counts in a unit of its own.
    /// @param frames  negative if they left
    virtual void changed(int /*queue*/, std::int64_t /*frames*/, Bytes /*frame*/) {}
};

/// Makes a limit if the keys of the memory ask for it, else null.
/// @throws std::invalid_argument naming the key, if its amount is not of the memory's unit
using MakeLimit = std::unique_ptr<Limit> (*)(const Buffer& buffer, const MemoryUnits& units);

/// Limits of one side of a memory, in the order of policies/registry.cc.
class Limits {
  public:
    /// @param decides  or the side is the inputs', beside outputs that decide as well
    Limits(const Buffer& buffer, const MemoryUnits& units, bool decides);

    bool empty() const { return limits_.empty(); }
    bool may_grow(const QueueAccounts& accounts, int queue, std::int64_t amount, Bytes frame) const {
        for (const auto& limit : limits_)
            if (!limit->may_grow(accounts, queue, amount, frame)) return false;
        return true;
    }
    void changed(int queue, std::int64_t frames, Bytes frame) {
        for (const auto& limit : limits_) limit->changed(queue, frames, frame);
    }

  private:
    std::vector<std::unique_ptr<Limit>> limits_;
};

}  // namespace watershed
