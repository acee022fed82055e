// SPDX-License-Identifier: GPL-2.0-only
#pragma once

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
    explicit EjfatPid(const EjfatControl& options);

    /// @param fill  share of the queue that is full, at `now`
    /// @return what is to be added to the node's weight
    double step(double fill, Time now);

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
    /// What was decided at one tick.
    struct Decision {
        std::uint64_t epoch = 0;  ///< from 0
        std::vector<EjfatMember> members;
        std::vector<int> shares;  ///< slots of each
        EjfatEpochs::Epoch table;
    };

    EjfatControlPlane(const Ejfat& ejfat, std::uint64_t seed) : ejfat_(ejfat), seed_(seed) {}

    /// A node asks for events; it gets its first ones in the next epoch.
    void register_node(int node, Time now);
    /// It wants none from the next epoch on and will work off what it holds.
    void deregister_node(int node);
    /// @param signal  what its controller wants added to its weight
    void report(int node, double signal, Time now);
    /// A source says that it is at this event, and how many it sends in a second; 0 if it does not know.
    void sync(std::uint64_t event, std::uint32_t rate_hz, Time now);

    /// Evicts silent nodes, moves the weights and gives out the next epoch. The first one begins at event 0, once there
    /// is a node, and each later one at the event that is predicted for `offset` from now; without a prediction there
    /// is none.
    std::optional<Decision> tick(Time now);

    std::int64_t evicted() const { return evicted_; }

  private:
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

    std::optional<std::uint64_t> predict(Time when) const;

    const Ejfat& ejfat_;
    std::uint64_t seed_;
    std::map<int, Node> nodes_;
    std::optional<Sync> sync_;
    std::optional<std::uint64_t> last_boundary_;
    std::uint64_t epochs_ = 0;
    std::int64_t evicted_ = 0;
};

}  // namespace watershed
