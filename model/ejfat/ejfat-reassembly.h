// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "model/base/outcome.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat.h"

namespace watershed {

/// Puts events together. Times do not go back from one call to the next.
class EjfatReassembler {
  public:
    static constexpr LossCause kTimeOut{"reassembly", "time-out"};
    static constexpr LossCause kMemoryFull{"reassembly", "memory-full"};

    enum class Step { Incomplete, Whole, NoMemory };

    /// @param channels  sources, each of which holds a part of every event
    EjfatReassembler(Time timeout, Bytes memory, int channels)
        : timeout_(timeout), memory_(memory), channels_(channels) {}

    Step add(const EjfatReassemblyHeader& header, Bytes data, Time now);
    /// Gives up what has been incomplete for too long. @param gone  is told each event, how many of its packets were
    /// there, and when it was due
    void expire(Time now, const std::function<void(std::uint64_t event, std::int64_t packets, Time due)>& gone);

    Bytes in_use() const { return in_use_; }

  private:
    struct Entry {
        std::set<std::uint16_t> channels;
        std::int64_t missing = 0;  ///< bytes of these channels
        std::int64_t length = 0;   ///< bytes of these channels
        std::int64_t packets = 0;
        Time first{0};
    };

    void forget(std::map<std::uint64_t, Entry>::iterator entry);

    Time timeout_;
    Bytes memory_;
    int channels_;
    Bytes in_use_{0};
    std::map<std::uint64_t, Entry> entries_;
    std::deque<std::pair<Time, std::uint64_t>> begun_;  ///< events by their first packet
};

}  // namespace watershed
