// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "model/ejfat/ejfat-calendar.h"
#include "model/ejfat/ejfat.h"

namespace watershed {

/// The controller in a node, as E2SAR has it: with e the set point less the share of the queue that is full,
///     u = kp e + ki sum(e dt) + kd (e - e') / (t - t'),
/// where the sum runs over the last `samples` reports, dt is the time since the report before each, and e' at t' is the
/// oldest of them.
class EjfatPid {
  public:
    explicit EjfatPid(const EjfatControl& options)
        : set_point_(as_number(options.set_point)),
          kp_(as_number(options.kp)),
          ki_(as_number(options.ki)),
          kd_(as_number(options.kd)),
          samples_(static_cast<std::size_t>(options.samples)) {}

    /// @param fill  share of the queue that is full, at `now`
    /// @return what is to be added to the node's weight
    double step(double fill, Time now) {
        const double seconds = in_seconds(now), error = set_point_ - fill;
        last_.push_back({seconds, error, last_.empty() ? 0 : error * (seconds - last_.back().seconds)});
        if (last_.size() > samples_) last_.pop_front();
        double integral = 0;
        for (const Sample& sample : last_) integral += sample.integral;
        const Sample& oldest = last_.front();
        const double slope = seconds > oldest.seconds ? (error - oldest.error) / (seconds - oldest.seconds) : 0;
        return kp_ * error + ki_ * integral + kd_ * slope;
    }

  private:
    struct Sample {
        double seconds;
        double error;
        double integral;  ///< error times the time since the sample before
    };

    double set_point_, kp_, ki_, kd_;
    std::size_t samples_;
    std::deque<Sample> last_;
};

/// Decides which node gets which events: keeps weights, predicts event numbers, and gives out epochs.
class EjfatControlPlane {
  public:
    /// Decision of one tick.
    struct Decision {
        std::uint64_t epoch = 0;  ///< from 0
        std::vector<EjfatMember> members;
        std::vector<int> shares;  ///< slots of each member
        EjfatEpochs::Epoch table;
    };

    EjfatControlPlane(const Ejfat& ejfat, std::uint64_t seed) : ejfat_(ejfat), seed_(seed) {}

    /// A node asks for events; it gets its first ones in the next epoch.
    void register_node(int node, Time now) { nodes_[node] = {kMeanWeight, 0, now}; }
    /// A node wants no events from the next epoch on, and works off those that it holds.
    void deregister_node(int node) { nodes_.erase(node); }
    /// @param signal  what its controller wants added to its weight
    void report(int node, double signal, Time now) {
        const auto known = nodes_.find(node);
        if (known == nodes_.end()) return;  // it has deregistered or was evicted meanwhile
        known->second.signal = signal;
        known->second.heard = now;
    }
    /// A source says that it is at this event, and how many it sends in a second; 0 if it does not know.
    void sync(std::uint64_t event, std::uint32_t rate_hz, Time now) {
        // The source that is furthest counts.
        if (sync_ && event < sync_->event) return;
        double rate = rate_hz;
        if (rate_hz == 0 && sync_ && now > sync_->time)
            rate = static_cast<double>(event - sync_->event) / in_seconds(now - sync_->time);
        if (rate == 0 && sync_) rate = sync_->rate_hz;
        sync_ = Sync{event, rate, now};
    }

    /// Evicts silent nodes, moves the weights and gives out the next epoch. The first one begins at event 0, once there
    /// is a node, and each later one at the event that is predicted for `offset` from now; without a prediction there
    /// is none.
    std::optional<Decision> tick(Time now) {
        for (auto node = nodes_.begin(); node != nodes_.end();) {
            if (now - node->second.heard < ejfat_.control.eviction) {
                ++node;
                continue;
            }
            node = nodes_.erase(node);
            ++evicted_;
        }
        double sum = 0;
        for (auto& [number, node] : nodes_) sum += node.weight = std::max(kLeastWeight, node.weight + node.signal);
        for (auto& [number, node] : nodes_) node.weight *= kMeanWeight * static_cast<double>(nodes_.size()) / sum;

        if (!last_boundary_ && nodes_.empty()) return std::nullopt;
        // Before the first epoch the balancer lost every event, so it can split none.
        const auto boundary = last_boundary_ ? predict(now + ejfat_.control.offset) : 0;
        if (!boundary || (last_boundary_ && *boundary <= *last_boundary_)) return std::nullopt;

        Decision decision;
        decision.epoch = epochs_++;
        for (const auto& [number, node] : nodes_) decision.members.push_back({number, node.weight});
        decision.shares = slots_from_weights(decision.members, ejfat_.balancer.slots, ejfat_.control.min_factor,
                                             ejfat_.control.max_factor);
        decision.table = {
            *boundary, make_calendar(decision.members, decision.shares, ejfat_.balancer.slots, seed_, decision.epoch)};
        last_boundary_ = boundary;
        return decision;
    }

    std::int64_t evicted() const { return evicted_; }

  private:
    static constexpr double kMeanWeight = 1000, kLeastWeight = 1;

    struct Node {
        double weight = 1000;
        double signal = 0;
        Time heard{0};
    };
    struct Sync {
        std::uint64_t event = 0;
        double rate_hz = 0;
        Time time{0};
    };

    std::optional<std::uint64_t> predict(Time when) const {
        if (!sync_ || sync_->rate_hz == 0) return std::nullopt;
        return sync_->event + static_cast<std::uint64_t>(std::ceil(times_in(when - sync_->time, sync_->rate_hz)));
    }

    const Ejfat& ejfat_;
    std::uint64_t seed_;
    std::map<int, Node> nodes_;
    std::optional<Sync> sync_;
    std::optional<std::uint64_t> last_boundary_;
    std::uint64_t epochs_ = 0;
    std::int64_t evicted_ = 0;
};

}  // namespace watershed
