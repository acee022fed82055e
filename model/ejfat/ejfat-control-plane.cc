// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-control-plane.h"

#include <algorithm>
#include <cmath>

namespace watershed {

EjfatPid::EjfatPid(const EjfatControl& options)
    : set_point_(as_number(options.set_point)),
      kp_(as_number(options.kp)),
      ki_(as_number(options.ki)),
      kd_(as_number(options.kd)),
      samples_(static_cast<std::size_t>(options.samples)) {}

double EjfatPid::step(double fill, Time now) {
    const double seconds = in_seconds(now), error = set_point_ - fill;
    last_.push_back({seconds, error, last_.empty() ? 0 : error * (seconds - last_.back().seconds)});
    if (last_.size() > samples_) last_.pop_front();
    double integral = 0;
    for (const Sample& sample : last_) integral += sample.integral;
    const Sample& oldest = last_.front();
    const double slope = seconds > oldest.seconds ? (error - oldest.error) / (seconds - oldest.seconds) : 0;
    return kp_ * error + ki_ * integral + kd_ * slope;
}

namespace {

constexpr double kMeanWeight = 1000, kLeastWeight = 1;

}  // namespace

void EjfatControlPlane::register_node(int node, Time now) { nodes_[node] = {kMeanWeight, 0, now}; }

void EjfatControlPlane::deregister_node(int node) { nodes_.erase(node); }

void EjfatControlPlane::report(int node, double signal, Time now) {
    const auto known = nodes_.find(node);
    if (known == nodes_.end()) return;  // it has deregistered or was evicted meanwhile
    known->second.signal = signal;
    known->second.heard = now;
}

void EjfatControlPlane::sync(std::uint64_t event, std::uint32_t rate_hz, Time now) {
    // Of several sources the one that is furthest counts.
    if (sync_ && event < sync_->event) return;
    double rate = rate_hz;
    if (rate_hz == 0 && sync_ && now > sync_->time)
        rate = static_cast<double>(event - sync_->event) / in_seconds(now - sync_->time);
    if (rate == 0 && sync_) rate = sync_->rate_hz;
    sync_ = Sync{event, rate, now};
}

std::optional<std::uint64_t> EjfatControlPlane::predict(Time when) const {
    if (!sync_ || sync_->rate_hz == 0) return std::nullopt;
    return sync_->event + static_cast<std::uint64_t>(std::ceil(times_in(when - sync_->time, sync_->rate_hz)));
}

std::optional<EjfatControlPlane::Decision> EjfatControlPlane::tick(Time now) {
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
    decision.table = {*boundary,
                      make_calendar(decision.members, decision.shares, ejfat_.balancer.slots, seed_, decision.epoch)};
    last_boundary_ = boundary;
    return decision;
}

}  // namespace watershed
