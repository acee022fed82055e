// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/switch-memory.h"

namespace watershed {

/// Complete partitioning by input: every input port owns `size`, and lends nothing.
class PerInputMemory final : public SwitchMemory {
  public:
    PerInputMemory(const Buffer& buffer, int inputs) : SwitchMemory(buffer), used_(static_cast<std::size_t>(inputs)) {}

  private:
    const LossCause* refusal(const MemoryClaim& claim, std::int64_t amount) const override {
        return used_[static_cast<std::size_t>(claim.input)] + amount > capacity() ? &kBufferFull : nullptr;
    }
    void account(const MemoryClaim& claim, std::int64_t amount) override { used_[static_cast<std::size_t>(claim.input)] += amount; }

    std::vector<std::int64_t> used_;
};

}  // namespace watershed
