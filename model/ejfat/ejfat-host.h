// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "model/base/loss.h"
#include "model/ejfat/ejfat-headers.h"
#include "model/ejfat/ejfat-monitor.h"
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

/// A worker node as rules for times, without a simulator:
///
///     packets ─▶ sockets ─▶ receive threads ─▶ reassembly ─▶ queue of events ─▶ workers
class EjfatHost {
  public:
    static constexpr LossCause kSocketFull{"socket", "buffer-full"};
    static constexpr LossCause kQueueFull{"queue", "full"};
    static constexpr LossCause kFailed{"node", "failed"};

    /// All outlive the host. @param number of the node, from 0
    EjfatHost(const Ejfat& ejfat, const EjfatPoint& point, int number, std::uint64_t seed, EjfatMonitor& monitor);

    /// A packet has arrived. Times do not go back from one call to the next, here and below.
    /// @param thread  which receives it, modulo their number
    /// @param payload what it costs the socket's buffer
    void arrive(const EjfatReassemblyHeader& header, Bytes data, int thread, Bytes payload, Time now);
    /// Share of the queue that is full.
    double fill(Time now);
    /// No more packets come: what has arrived is read, and what is incomplete times out.
    void finish();
    /// It has fallen silent.
    bool failed(Time now) const { return fails_ && now >= *fails_; }

  private:
    struct Read {
        Time time;
        std::uint64_t order;
        EjfatReassemblyHeader header;
        Bytes data;
        friend bool operator<(const Read& a, const Read& b) {
            return std::tie(b.time, b.order) < std::tie(a.time, a.order);
        }  // the earliest on top
    };
    struct Socket {
        std::deque<std::pair<Time, Bytes>> waiting;  ///< when it will have been read
        Bytes held{0};
        Time free{0};
    };

    void advance(Time now);
    void reassemble(const Read& read);
    void expire(Time now);
    void enqueue(std::uint64_t event, Time now);
    Time service_time(std::uint64_t event, Time start) const;

    const EjfatNodes& options_;
    Time service_time_;
    int number_;
    std::uint64_t seed_;
    EjfatMonitor& monitor_;
    std::optional<Time> fails_;
    std::vector<Socket> sockets_;
    std::priority_queue<Read> reads_;
    std::uint64_t arrived_ = 0;
    EjfatReassembler reassembler_;
    std::deque<Time> starts_;                                               ///< of events in the queue
    std::priority_queue<Time, std::vector<Time>, std::greater<>> workers_;  ///< when each is free
};

}  // namespace watershed
