// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <queue>
#include <vector>

#include "model/ejfat/ejfat-monitor.h"
#include "model/ejfat/ejfat-reassembly.h"

namespace watershed {

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
