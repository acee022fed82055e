// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "model/base/loss.h"
#include "model/base/random.h"
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

    Step add(const EjfatReassemblyHeader& header, Bytes data, Time now) {
        const auto [known, begun] = entries_.try_emplace(header.event);
        Entry& entry = known->second;
        if (entry.channels.count(header.data_id) == 0) {
            if (in_use_ + Bytes{header.length} > memory_) {
                if (begun) entries_.erase(known);
                return Step::NoMemory;
            }
            in_use_ += Bytes{header.length};
            entry.length += header.length;
            entry.missing += header.length;
            entry.channels.insert(header.data_id);
        }
        if (begun) {
            entry.first = now;
            begun_.emplace_back(now, header.event);
        }
        entry.missing -= data.count;
        ++entry.packets;
        if (entry.missing > 0 || static_cast<int>(entry.channels.size()) < channels_) return Step::Incomplete;
        forget(known);
        return Step::Whole;
    }
    /// Gives up what has been incomplete for too long. @param gone  is told each event, how many of its packets were
    /// there, and when it was due
    void expire(Time now, const std::function<void(std::uint64_t, std::int64_t, Time)>& gone) {
        for (; !begun_.empty() && now - begun_.front().first >= timeout_; begun_.pop_front()) {
            const auto entry = entries_.find(begun_.front().second);
            // The event may be whole by now, or have begun anew after that.
            if (entry == entries_.end() || entry->second.first != begun_.front().first) continue;
            gone(entry->first, entry->second.packets, entry->second.first + timeout_);
            forget(entry);
        }
    }

    Bytes in_use() const { return in_use_; }

  private:
    struct Entry {
        std::set<std::uint16_t> channels;
        std::int64_t missing = 0;  ///< bytes of these channels
        std::int64_t length = 0;   ///< bytes of these channels
        std::int64_t packets = 0;
        Time first{0};
    };

    void forget(std::map<std::uint64_t, Entry>::iterator entry) {
        in_use_ -= Bytes{entry->second.length};
        entries_.erase(entry);
    }

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
    EjfatHost(const Ejfat& ejfat, const EjfatPoint& point, int number, std::uint64_t seed, EjfatMonitor& monitor)
        : options_(ejfat.nodes),
          service_time_(point.service_time),
          number_(number),
          seed_(seed),
          monitor_(monitor),
          fails_(repeated(options_.fails, number)),
          sockets_(static_cast<std::size_t>(options_.receive_threads)),
          reassembler_(options_.reassembly_timeout, options_.reassembly_memory, ejfat.source.count) {
        for (int i = 0; i < options_.workers; ++i) workers_.push(repeated(options_.joins, number) + options_.warm_up);
    }

    /// A packet has arrived. Times do not go back from one call to the next, here and below.
    /// @param thread  which receives it, modulo their number
    /// @param payload what it costs the socket's buffer
    void arrive(const EjfatReassemblyHeader& header, Bytes data, int thread, Bytes payload, Time now) {
        advance(now);
        monitor_.at_node(header.event, number_, now);
        if (failed(now)) return monitor_.lost(header.event, kFailed);
        Socket& socket = sockets_[static_cast<std::size_t>(thread) % sockets_.size()];
        for (; !socket.waiting.empty() && socket.waiting.front().first <= now; socket.waiting.pop_front())
            socket.held -= socket.waiting.front().second;
        if (socket.held + payload > options_.socket_buffer) return monitor_.lost(header.event, kSocketFull);
        socket.held += payload;
        EjfatResult::Node& seen = monitor_.node(number_);
        seen.peak_socket = std::max(seen.peak_socket, socket.held);

        Time cost = options_.receive_cost;
        if (options_.copy_rate)
            cost += Time{static_cast<std::int64_t>(
                ceil_div(Wide{payload.count} * 8 * 1'000'000'000'000, Wide{options_.copy_rate->count}))};
        socket.free = std::max(socket.free, now) + cost;
        socket.waiting.emplace_back(socket.free, payload);
        reads_.push({socket.free, arrived_++, header, data});
    }
    /// Share of the queue that is full.
    double fill(Time now) {
        advance(now);
        while (!starts_.empty() && starts_.front() <= now) starts_.pop_front();
        return static_cast<double>(starts_.size()) / static_cast<double>(options_.queue);
    }
    /// No more packets come: what has arrived is read, and what is incomplete times out.
    void finish() {
        advance(Time::max());
        expire(Time::max());
    }
    /// Returns true if the node has failed.
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
        std::deque<std::pair<Time, Bytes>> waiting;  ///< payloads, and when they will have been read
        Bytes held{0};
        Time free{0};
    };

    /// Packets that arrive later are read later, so all that is due by now can be dealt with in its order.
    void advance(Time now) {
        for (; !reads_.empty() && reads_.top().time <= now; reads_.pop()) reassemble(reads_.top());
    }
    void reassemble(const Read& read) {
        expire(read.time);
        if (failed(read.time)) return monitor_.lost(read.header.event, kFailed);
        switch (reassembler_.add(read.header, read.data, read.time)) {
            case EjfatReassembler::Step::Incomplete: return;
            case EjfatReassembler::Step::NoMemory:
                return monitor_.lost(read.header.event, EjfatReassembler::kMemoryFull);
            case EjfatReassembler::Step::Whole: break;
        }
        monitor_.reassembled(read.header.event, read.time);
        enqueue(read.header.event, read.time);
    }
    void expire(Time now) {
        reassembler_.expire(now, [&](std::uint64_t event, std::int64_t packets, Time due) {
            monitor_.lost(event, failed(due) ? kFailed : EjfatReassembler::kTimeOut, packets);
        });
    }
    void enqueue(std::uint64_t event, Time now) {
        while (!starts_.empty() && starts_.front() <= now) starts_.pop_front();
        const Time start = std::max(workers_.top(), now);
        if (start > now) {
            if (static_cast<std::int64_t>(starts_.size()) >= options_.queue)
                return monitor_.lost_whole(event, kQueueFull);
            starts_.push_back(start);
            EjfatResult::Node& seen = monitor_.node(number_);
            seen.peak_queue = std::max(seen.peak_queue, static_cast<std::int64_t>(starts_.size()));
        }
        const Time end = start + service_time(event, start);
        workers_.pop();
        workers_.push(end);
        if (fails_ && end > *fails_) return monitor_.lost_whole(event, kFailed);
        monitor_.processed(event, number_, start, end);
    }
    Time service_time(std::uint64_t event, Time start) const {
        Time time = service_time_;
        if (options_.change_at && start >= *options_.change_at) {
            const Ratio change = repeated(options_.change, number_);
            time = Time{static_cast<std::int64_t>(Wide{time.count()} * change.numerator / change.denominator)};
        }
        if (options_.service == EjfatNodes::Service::Fixed) return time;
        const double u = std::ldexp(static_cast<double>(random_bits(seed_, Stream::EjfatService, event) >> 11), -53);
        return Time{static_cast<std::int64_t>(-std::log1p(-u) * static_cast<double>(time.count()))};
    }

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
    std::deque<Time> starts_;                                               ///< start times of events in the queue
    std::priority_queue<Time, std::vector<Time>, std::greater<>> workers_;  ///< time at which each is free
};

}  // namespace watershed
