// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/loss.h"
#include "model/ejfat/ejfat-calendar.h"
#include "model/ejfat/ejfat-segments.h"
#include "model/ejfat/ejfat.h"

namespace watershed {

/// Mean and largest of some times.
struct EjfatTimes {
    double mean_us = 0, most_us = 0;
};

/// Result of one run of an EJFAT scenario.
struct EjfatResult {
    /// Packets and events lost in one place for one reason.
    struct Loss {
        std::string where, reason;
        std::int64_t packets = 0;
        std::int64_t events = 0;  ///< events of which a packet was lost here before any other
        friend bool operator==(const Loss& a, const Loss& b) {
            return a.where == b.where && a.reason == b.reason && a.packets == b.packets && a.events == b.events;
        }
    };
    /// Counts of one worker node.
    struct Node {
        std::int64_t packets = 0;    ///< packets that reached it
        std::int64_t processed = 0;  ///< events
        std::int64_t peak_queue = 0;
        Bytes peak_socket{0};
    };
    /// A calendar as it was given out.
    struct Epoch {
        Time decided{0};
        std::uint64_t first_event = 0;
        std::vector<int> slots;  ///< slots of each node
    };
    /// The state of the loop at one tick.
    struct Sample {
        Time time{0};
        std::vector<double> fill;  ///< filled fraction of each node's queue; negative: no such node then
    };

    EjfatPoint point;
    std::int64_t events_sent = 0, events_processed = 0;
    std::int64_t packets_sent = 0, packets_processed = 0;  ///< processed: those of processed events
    std::int64_t syncs = 0;
    std::int64_t events_split = 0;    ///< events that the balancer gave to more than one node
    std::int64_t events_waiting = 0;  ///< processed events that were not yet done when the last packet arrived
    std::int64_t epochs_late =
        0;  ///< began at an event that the balancer had seen already, so that events may be split
    std::int64_t nodes_evicted = 0;
    std::vector<Loss> losses;       ///< by place and reason, in alphabetical order
    EjfatTimes flight_to_balancer;  ///< from the event until the balancer has its last packet
    EjfatTimes flight_to_node;      ///< from the balancer's first packet until the node has the last
    EjfatTimes flight;              ///< from the event until the node has its last packet
    EjfatTimes reassembly;          ///< from the node's first packet until the event is whole
    EjfatTimes transport;           ///< from the event until it is whole
    EjfatTimes waiting;             ///< in the queue
    EjfatTimes processing;
    EjfatTimes total;            ///< from the event until it is processed
    double processed_per_s = 0;  ///< rate from the first processed event to the last
    std::vector<Node> nodes;
    std::vector<Epoch> epochs;
    std::vector<Sample> samples;
    Time simulated{0};

    std::int64_t events_lost() const { return events_sent - events_processed; }
    /// 8 events_processed event_size over their time.
    double processed_mbps() const { return processed_per_s * 8e-6 * static_cast<double>(point.event_size.count); }
};

/// Keeps the books of events and packets, wherever they are.
class EjfatMonitor {
  public:
    EjfatMonitor(const Ejfat& ejfat, const EjfatPoint& point)
        : first_(static_cast<std::uint64_t>(ejfat.source.first_event)),
          packets_per_event_(EjfatSegmenter(ejfat.source, point.event_size).packets()),
          records_(static_cast<std::size_t>(ejfat.source.events)) {
        result_.point = point;
        result_.nodes.resize(static_cast<std::size_t>(ejfat.nodes.count));
    }

    void event_created(std::uint64_t event, Time now) {
        Record& r = record(event);
        if (r.packets == 0) {  // else another source was first
            r.created = now;
            ++result_.events_sent;
        }
    }
    void packet_sent(std::uint64_t event) {
        ++record(event).packets;
        ++result_.packets_sent;
    }
    void sync_sent() { ++result_.syncs; }
    void at_balancer(std::uint64_t event, int node, Time now) {
        Record& r = record(event);
        if (r.first_at_balancer < Time{0}) {
            r.first_at_balancer = now;
            r.node = node;
        } else if (r.node != node && !r.split) {
            r.split = true;
            ++result_.events_split;
        }
        r.last_at_balancer = now;
    }
    void at_node(std::uint64_t event, int number, Time now) {
        Record& r = record(event);
        if (r.first_at_node < Time{0}) r.first_at_node = now;
        r.last_at_node = now;
        ++node(number).packets;
        result_.simulated = std::max(result_.simulated, now);
    }
    void reassembled(std::uint64_t event, Time now) { record(event).whole = now; }
    /// @param started, ended  of its processing
    void processed(std::uint64_t event, int number, Time started, Time ended) {
        Record& r = record(event);
        r.started = started;
        r.ended = ended;
        ++node(number).processed;
    }
    void lost(std::uint64_t event, const LossCause& cause, std::int64_t packets = 1) {
        auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.cause == cause; });
        if (count == counts_.end()) count = counts_.insert(counts_.end(), Count{cause});
        count->packets += packets;
        Record& r = record(event);
        if (!r.lost) ++count->events;
        r.lost = true;
    }
    void lost_whole(std::uint64_t event, const LossCause& cause) { lost(event, cause, record(event).packets); }

    EjfatResult::Node& node(int number) { return result_.nodes[static_cast<std::size_t>(number)]; }
    void epoch(EjfatResult::Epoch epoch) { result_.epochs.push_back(std::move(epoch)); }
    void epoch_late() { ++result_.epochs_late; }
    void sample(EjfatResult::Sample sample) { result_.samples.push_back(std::move(sample)); }
    void evicted(std::int64_t nodes) { result_.nodes_evicted = nodes; }
    /// The last event has been created and all its packets given to the link.
    bool all_sent() const {
        return result_.packets_sent == packets_per_event_ * static_cast<std::int64_t>(records_.size());
    }

    /// @throws std::logic_error if an event or a packet is unaccounted for
    EjfatResult result() {
        EjfatResult result = std::move(result_);
        Averager to_balancer, to_node, flight, reassembly, transport, waiting, processing, total;
        Time first_done = Time::max(), last_done{0};
        std::int64_t events = 0, packets = 0;
        const Time last_packet = result.simulated;
        for (const Record& r : records_) {
            if (r.ended < Time{0}) continue;
            if (r.lost) throw std::logic_error("an event was both lost and processed");
            ++result.events_processed;
            result.packets_processed += r.packets;
            if (r.ended > last_packet) ++result.events_waiting;
            to_balancer.add(r.last_at_balancer - r.created);
            to_node.add(r.last_at_node - r.first_at_balancer);
            flight.add(r.last_at_node - r.created);
            reassembly.add(r.whole - r.first_at_node);
            transport.add(r.whole - r.created);
            waiting.add(r.started - r.whole);
            processing.add(r.ended - r.started);
            total.add(r.ended - r.created);
            first_done = std::min(first_done, r.ended);
            last_done = std::max(last_done, r.ended);
        }
        result.simulated = std::max(result.simulated, last_done);
        result.flight_to_balancer = to_balancer.times();
        result.flight_to_node = to_node.times();
        result.flight = flight.times();
        result.reassembly = reassembly.times();
        result.transport = transport.times();
        result.waiting = waiting.times();
        result.processing = processing.times();
        result.total = total.times();
        if (result.events_processed > 1 && last_done > first_done)
            result.processed_per_s =
                static_cast<double>(result.events_processed - 1) / in_seconds(last_done - first_done);

        for (const Count& count : counts_) {
            result.losses.push_back(
                {std::string(count.cause.where), std::string(count.cause.reason), count.packets, count.events});
            events += count.events;
            packets += count.packets;
        }
        std::sort(result.losses.begin(), result.losses.end(), [](const auto& a, const auto& b) {
            return std::tie(a.where, a.reason) < std::tie(b.where, b.reason);
        });
        if (result.events_sent != result.events_processed + events)
            throw std::logic_error(std::to_string(result.events_sent) + " events sent, " +
                                   std::to_string(result.events_processed) + " processed, " + std::to_string(events) +
                                   " lost");
        if (result.packets_sent != result.packets_processed + packets)
            throw std::logic_error(std::to_string(result.packets_sent) + " packets sent, " +
                                   std::to_string(result.packets_processed) + " processed, " + std::to_string(packets) +
                                   " lost");
        return result;
    }

  private:
    class Averager {
      public:
        void add(Time time) {
            const double us = in_microseconds(time);
            sum_ += us;
            most_ = std::max(most_, us);
            ++count_;
        }
        EjfatTimes times() const { return {count_ > 0 ? sum_ / static_cast<double>(count_) : 0, most_}; }

      private:
        double sum_ = 0, most_ = 0;
        std::int64_t count_ = 0;
    };

    struct Record {
        Time created{0}, first_at_balancer{-1}, last_at_balancer{0}, first_at_node{-1}, last_at_node{0}, whole{-1},
            started{0}, ended{-1};
        std::int64_t packets = 0;
        int node = kNoNode;
        bool split = false;
        bool lost = false;
    };
    struct Count {
        LossCause cause;
        std::int64_t packets = 0, events = 0;
    };

    Record& record(std::uint64_t event) { return records_[static_cast<std::size_t>(event - first_)]; }

    std::uint64_t first_;
    std::int64_t packets_per_event_ = 0;
    std::vector<Record> records_;
    std::vector<Count> counts_;
    EjfatResult result_;
};

}  // namespace watershed
