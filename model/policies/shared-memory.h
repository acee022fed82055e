// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/switch-memory.h"

namespace watershed {

/// Complete sharing: a frame is stored as long as the whole memory has room for it.
class SharedMemory final : public SwitchMemory {
  public:
    explicit SharedMemory(const Buffer& buffer) : SwitchMemory(buffer) {}

  private:
    const LossCause* refusal(const MemoryClaim&, std::int64_t amount) const override { return used_ + amount > capacity() ? &kBufferFull : nullptr; }
    void account(const MemoryClaim&, std::int64_t amount) override { used_ += amount; }

    std::int64_t used_ = 0;
};

}  // namespace watershed
