// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "model/outcome.h"
#include "model/scenario.h"

namespace watershed {

/// One frame's claim on the memory of a switch. Ports count from 0.
struct MemoryClaim {
    int input = 0;
    int output = 0;
    Bytes buffer{0};
};

/// The memory of a switch: this base keeps the accounts, a policy below it says who may have more.
/// It sees sizes, ports and occupancy; never a clock, a packet or a simulator.
class SwitchMemory {
  public:
    static constexpr LossCause kBufferFull{"switch", "buffer-full"};

    explicit SwitchMemory(const Buffer& buffer) : size_(buffer.size) {}
    virtual ~SwitchMemory() = default;
    SwitchMemory(const SwitchMemory&) = delete;
    SwitchMemory& operator=(const SwitchMemory&) = delete;

    /// Takes memory for a frame. @return why it was refused, or null
    const LossCause* admit(const MemoryClaim& claim) {
        const std::int64_t amount = cost(claim);
        if (const LossCause* cause = refusal(claim, amount)) return cause;
        account(claim, amount);
        ++frames_;
        bytes_ += claim.buffer;
        peak_frames_ = std::max(peak_frames_, frames_);
        peak_bytes_ = std::max(peak_bytes_, bytes_);
        return nullptr;
    }

    /// Gives back what admit() took for this claim.
    void release(const MemoryClaim& claim) {
        account(claim, -cost(claim));
        --frames_;
        bytes_ -= claim.buffer;
    }

    std::int64_t frames() const { return frames_; }
    Bytes bytes() const { return bytes_; }
    std::int64_t peak_frames() const { return peak_frames_; }
    Bytes peak_bytes() const { return peak_bytes_; }

  protected:
    /// Why `amount` more must not be taken, or null.
    virtual const LossCause* refusal(const MemoryClaim& claim, std::int64_t amount) const = 0;
    /// `amount` was taken, or given back if negative.
    virtual void account(const MemoryClaim& claim, std::int64_t amount) = 0;

    std::int64_t capacity() const { return size_.amount; }

  private:
    /// What a frame takes, in the unit of the size.
    std::int64_t cost(const MemoryClaim& claim) const { return size_.unit == MemorySize::Unit::Frame ? 1 : claim.buffer.count; }

    MemorySize size_;
    std::int64_t frames_ = 0;
    Bytes bytes_{0};
    std::int64_t peak_frames_ = 0;
    Bytes peak_bytes_{0};
};

/// The policy the scenario names.
std::unique_ptr<SwitchMemory> make_switch_memory(const Buffer& buffer, int inputs);

}  // namespace watershed
