// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-monitor.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "model/ejfat/ejfat-segments.h"

namespace watershed {
namespace {

constexpr double kMicroseconds = 1e-6;  // of a picosecond

class Averager {
  public:
    void add(Time time) {
        const double us = static_cast<double>(time.count()) * kMicroseconds;
        sum_ += us;
        most_ = std::max(most_, us);
        ++count_;
    }
    EjfatTimes times() const { return {count_ > 0 ? sum_ / static_cast<double>(count_) : 0, most_}; }

  private:
    double sum_ = 0, most_ = 0;
    std::int64_t count_ = 0;
};

}  // namespace

EjfatMonitor::EjfatMonitor(const Ejfat& ejfat, const EjfatPoint& point)
    : first_(static_cast<std::uint64_t>(ejfat.source.first_event)),
      packets_per_event_(EjfatSegmenter(ejfat.source, point.event_size).packets()),
      records_(static_cast<std::size_t>(ejfat.source.events)) {
    result_.point = point;
    result_.nodes.resize(static_cast<std::size_t>(ejfat.nodes.count));
}

void EjfatMonitor::event_created(std::uint64_t event, Time now) {
    Record& r = record(event);
    if (r.packets == 0) {  // else another source was first
        r.created = now;
        ++result_.events_sent;
    }
}

void EjfatMonitor::packet_sent(std::uint64_t event) {
    ++record(event).packets;
    ++result_.packets_sent;
}

void EjfatMonitor::at_balancer(std::uint64_t event, int node, Time now) {
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

void EjfatMonitor::at_node(std::uint64_t event, int number, Time now) {
    Record& r = record(event);
    if (r.first_at_node < Time{0}) r.first_at_node = now;
    r.last_at_node = now;
    ++node(number).packets;
    result_.simulated = std::max(result_.simulated, now);
}

void EjfatMonitor::reassembled(std::uint64_t event, Time now) { record(event).whole = now; }

void EjfatMonitor::processed(std::uint64_t event, int number, Time started, Time ended) {
    Record& r = record(event);
    r.started = started;
    r.ended = ended;
    ++node(number).processed;
}

void EjfatMonitor::lost(std::uint64_t event, const LossCause& cause, std::int64_t packets) {
    auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.cause == cause; });
    if (count == counts_.end()) count = counts_.insert(counts_.end(), Count{cause});
    count->packets += packets;
    Record& r = record(event);
    if (!r.lost) ++count->events;
    r.lost = true;
}

bool EjfatMonitor::all_sent() const {
    return result_.packets_sent == packets_per_event_ * static_cast<std::int64_t>(records_.size());
}

EjfatResult EjfatMonitor::result() {
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
        result.processed_per_s = static_cast<double>(result.events_processed - 1) / in_seconds(last_done - first_done);

    for (const Count& count : counts_) {
        result.losses.push_back(
            {std::string(count.cause.where), std::string(count.cause.reason), count.packets, count.events});
        events += count.events;
        packets += count.packets;
    }
    std::sort(result.losses.begin(), result.losses.end(),
              [](const auto& a, const auto& b) { return std::tie(a.where, a.reason) < std::tie(b.where, b.reason); });
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

}  // namespace watershed
