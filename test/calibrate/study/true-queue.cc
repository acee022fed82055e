// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/true-queue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "calibrate/posterior/statistics.h"

namespace watershed::calibration {
namespace {

constexpr std::int64_t kTicksPerPicosecond = 1000;
/// Frames of others that come before the first trigger, so that the queue has forgotten that it began empty.
constexpr int kWarmUp = 300;

/// Memory and uplink.
class Switch {
  public:
    Switch(const TrueQueue& queue, int ports, std::int64_t payload)
        : queue_(queue),
          cost_(queue.cost(payload)),
          slot_((payload + queue.wire_overhead) * queue.uplink_ticks),
          head_start_(queue.bucket * queue.uplink_ticks),
          held_(queue.per_input ? static_cast<std::size_t>(ports) : 1, 0),
          spare_(held_.size(), INT64_MAX),
          traffic_cost_(queue.cost(queue.traffic_payload)),
          traffic_slot_((queue.traffic_payload + queue.wire_overhead) * queue.uplink_ticks) {}

    void take(std::int64_t now, int module) {
        depart(now);
        const std::size_t memory = queue_.per_input ? static_cast<std::size_t>(module) : 0;
        if (held_[memory] + cost_ > queue_.depth) {
            ++lost_;
            return;
        }
        held_[memory] += cost_;
        spare_[memory] = std::min(spare_[memory], (queue_.depth - held_[memory]) / cost_);
        constexpr int kOfFour = 3;
        send(uplinks_[queue_.uneven && module % 4 == kOfFour], now, slot_, {0, memory, cost_});
    }

    /// A frame of others. Among memories of inputs it has its own, which is never full.
    void take_other(std::int64_t now) {
        depart(now);
        if (queue_.per_input) {
            send(uplinks_[0], now, traffic_slot_, {0, 0, 0});
        } else if (held_[0] + traffic_cost_ <= queue_.depth) {
            held_[0] += traffic_cost_;
            send(uplinks_[0], now, traffic_slot_, {0, 0, traffic_cost_});
        }
    }

    std::int64_t traffic_slot() const { return traffic_slot_; }
    std::int64_t overflow() const {
        return lost_ > 0 ? lost_ : -std::accumulate(spare_.begin(), spare_.end(), std::int64_t{0});
    }

  private:
    struct Frame {
        std::int64_t leaves = 0;
        std::size_t memory = 0;
        std::int64_t cost = 0;
    };
    struct Uplink {
        std::vector<Frame> waiting;
        std::size_t first = 0;
        std::int64_t at_rate = INT64_MIN / 2;  ///< when all frames so far would have left without a bucket
    };

    /// Frames that have left by now give their room back before a frame that arrives now asks for it.
    void depart(std::int64_t now) {
        for (Uplink& one : uplinks_) {
            for (; one.first < one.waiting.size() && one.waiting[one.first].leaves <= now; ++one.first)
                held_[one.waiting[one.first].memory] -= one.waiting[one.first].cost;
            constexpr std::size_t kMostGone = 1 << 16;
            if (one.first > kMostGone) {
                one.waiting.erase(one.waiting.begin(), one.waiting.begin() + static_cast<std::ptrdiff_t>(one.first));
                one.first = 0;
            }
        }
    }

    /// At the uplink's rate, from which a full bucket may run ahead.
    void send(Uplink& uplink, std::int64_t now, std::int64_t slot, Frame frame) {
        const std::int64_t begins = std::max(uplink.at_rate, now);
        uplink.at_rate = begins + slot;
        frame.leaves = std::max(now, (queue_.leaves_at_once ? begins : uplink.at_rate) - head_start_);
        uplink.waiting.push_back(frame);
    }

    const TrueQueue& queue_;
    std::int64_t cost_, slot_, head_start_;
    std::vector<std::int64_t> held_, spare_;
    std::int64_t traffic_cost_, traffic_slot_;
    std::array<Uplink, 2> uplinks_;
    std::int64_t lost_ = 0;
};

}  // namespace

double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 12) + 0.5) * 0x1p-52; }

double between(std::mt19937_64& random, double low, double high) { return low + (high - low) * uniform(random); }

double log_between(std::mt19937_64& random, double low, double high) {
    return low * std::pow(high / low, uniform(random));
}

double normal(std::mt19937_64& random) { return normal_quantile(uniform(random)); }

double student_of_two(std::mt19937_64& random) {
    const double a = 2 * uniform(random) - 1;
    return a * std::sqrt(2 / (1 - a * a));
}

std::int64_t TrueQueue::cost(std::int64_t payload) const {
    const std::int64_t bytes = payload + buffer_overhead;
    return unit == MemorySize::Unit::Frame ? 1 : unit == MemorySize::Unit::Byte ? bytes : (bytes + cell - 1) / cell;
}

std::int64_t overflow_of(const TrueQueue& queue, const TrueBurst& burst, std::mt19937_64& random) {
    Switch memory(queue, burst.ports, burst.payload);
    const double gap = queue.traffic > 0 ? static_cast<double>(memory.traffic_slot()) / queue.traffic : 0;
    const auto next_gap = [&] { return static_cast<std::int64_t>(-gap * std::log(uniform(random))); };
    std::int64_t other = queue.traffic > 0 ? next_gap() - static_cast<std::int64_t>(kWarmUp * gap) : INT64_MAX;
    const std::int64_t on_link = (burst.payload + queue.wire_overhead) * queue.link_ticks;
    std::int64_t now = 0;
    for (std::int64_t event = 0; event < burst.events; ++event) {
        std::int64_t triggered = event * burst.separation.count();
        if (burst.late && event >= burst.late->event)
            triggered = std::max(triggered, burst.late->event * burst.separation.count() + burst.late->by.count());
        now = event == 0 ? triggered * kTicksPerPicosecond : std::max(triggered * kTicksPerPicosecond, now + on_link);
        for (; other <= now; other += next_gap()) memory.take_other(other);
        for (int module = 0; module < burst.ports; ++module) memory.take(now, module);
    }
    return memory.overflow();
}

}  // namespace watershed::calibration
