// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/loss.h"
#include "model/ejfat/ejfat-calendar.h"
#include "model/ejfat/ejfat.h"

namespace watershed {

/// Mean and largest of some times.
struct EjfatTimes {
    double mean_us = 0, most_us = 0;
};

/// What one run of an EJFAT scenario gave.
struct EjfatResult {
    /// Packets and events lost in one place for one reason.
    struct Loss {
        std::string where, reason;
        std::int64_t packets = 0;
        std::int64_t events = 0;  ///< of which a packet was lost here before any other
        friend bool operator==(const Loss& a, const Loss& b) {
            return a.where == b.where && a.reason == b.reason && a.packets == b.packets && a.events == b.events;
        }
    };
    /// What one worker node did.
    struct Node {
        std::int64_t packets = 0;    ///< that reached it
        std::int64_t processed = 0;  ///< events
        std::int64_t peak_queue = 0;
        Bytes peak_socket{0};
    };
    /// A calendar as it was given out.
    struct Epoch {
        Time decided{0};
        std::uint64_t first_event = 0;
        std::vector<int> slots;  ///< of each node
    };
    /// The state of the loop at one tick.
    struct Sample {
        Time time{0};
        std::vector<double> fill;  ///< of each node's queue; negative where it is not there
    };

    EjfatPoint point;
    std::int64_t events_sent = 0, events_processed = 0;
    std::int64_t packets_sent = 0, packets_processed = 0;  ///< those of processed events
    std::int64_t syncs = 0;
    std::int64_t events_split = 0;  ///< that the balancer gave to more than one node
    std::int64_t events_waiting =
        0;  ///< of the processed ones, those that were not yet done when the last packet arrived
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
    double processed_per_s = 0;  ///< from the first that was done to the last
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
    EjfatMonitor(const Ejfat& ejfat, const EjfatPoint& point);

    void event_created(std::uint64_t event, Time now);
    void packet_sent(std::uint64_t event);
    void sync_sent() { ++result_.syncs; }
    void at_balancer(std::uint64_t event, int node, Time now);
    void at_node(std::uint64_t event, int node, Time now);
    void reassembled(std::uint64_t event, Time now);
    /// @param started, ended  of its processing
    void processed(std::uint64_t event, int node, Time started, Time ended);
    void lost(std::uint64_t event, const LossCause& cause, std::int64_t packets = 1);
    void lost_whole(std::uint64_t event, const LossCause& cause) { lost(event, cause, record(event).packets); }

    EjfatResult::Node& node(int number) { return result_.nodes[static_cast<std::size_t>(number)]; }
    void epoch(EjfatResult::Epoch epoch) { result_.epochs.push_back(std::move(epoch)); }
    void epoch_late() { ++result_.epochs_late; }
    void sample(EjfatResult::Sample sample) { result_.samples.push_back(std::move(sample)); }
    void evicted(std::int64_t nodes) { result_.nodes_evicted = nodes; }
    /// The last event has been created and all its packets given to the link.
    bool all_sent() const;

    /// @throws std::logic_error if an event or a packet is unaccounted for
    EjfatResult result();

  private:
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
