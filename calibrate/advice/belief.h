// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/fit/fit.h"
#include "calibrate/posterior/noise-law.h"

/// What is held possible about a switch while it is being measured.
namespace watershed {

/// What is assumed before the first burst: ports, frames, and where depth and rate may lie.
struct Prior {
    QueueModel model;
    Burst like;    ///< ports, payload and framing of the bursts to come
    Time slot{0};  ///< shortest separation that the modules' links can follow
    double depth_low = 1;
    double depth_high = 1;       ///< depth is taken as equally likely per factor in between
    double rate = 0;             ///< bit/s of one uplink
    double rate_spread = 0;      ///< standard deviation of its logarithm; from 0.5 on any rate within two is as likely
    bool rate_measured = false;  ///< else it may be far off
    bool counts = true;          ///< bursts will tell how many frames were lost
};

/// Depth up to a hundred times the scenario's, rate within 2 % of the scenario's (as far as framing conventions differ
/// within one convention), or less probably at a link speed far from it.
Prior prior_of(const Scenario& scenario, const Conditions& conditions);
/// From the first burst of a fit alone: any depth and rate that the map could have noticed.
Prior prior_of(const Fit& fit);
/// The same from bursts that cannot be fitted. @param bursts one at least
Prior prior_of(const std::vector<Burst>& bursts, const QueueModel& model, const Conditions& conditions, bool counts);

/// A kind of memory that is held possible, and what disturbs its bursts.
struct BelievedKind {
    QueueModel model;
    double probability = 1;
    NoiseLaw noise{};
    double loss = 0;  ///< share of the frames that are lost at random
    bool noisy() const { return !noise.none() || loss > 0; }
};

struct BelievedPoint {
    double depth = 0;  ///< frames, bytes or cells, as its kind counts
    double rate = 0;   ///< bit/s of one uplink
    double weight = 0;
    double value = 0;  ///< of the kind's feature, where it has one
    std::size_t kind = 0;
};

/// A mixture of kinds of memory, each with its depths and rates.
struct Belief {
    std::vector<BelievedKind> kinds{1};  ///< the one that the fit reports first
    std::vector<BelievedPoint> points;   ///< of one probability in all
    bool counts = true;                  ///< numbers of frames lost will be known
    std::optional<PeakReading> peak{};   ///< such counters of the memory are read; of the resolution alone
    bool measured = false;               ///< by the bursts; else partly assumed
    std::int64_t wire = 0;  ///< bytes of the first row's frames: to a receiver with a cost per packet all take as long

    /// The burst as this kind sees it.
    Burst seen(Burst burst, const BelievedKind& kind) const {
        if (kind.model.per_packet && wire > 0) burst.wire = wire;
        return burst;
    }
    /// The memory that a point stands for.
    QueueModel model_at(const BelievedPoint& point) const {
        QueueModel model = kinds[point.kind].model;
        if (model.feature != Feature::None) model.value = point.value;
        return model;
    }
};

/// Kinds less probable than this are not reckoned with.
constexpr double kLeastProbable = 0.001;

/// The fitted distributions of all kinds of memory that the bursts leave possible, where they bound depth and rate;
/// elsewhere that part of the prior which ends every burst as it was measured, for the kind that the fit reports.
/// @param fit nothing where no burst has been measured yet
Belief belief_of(const std::optional<Fit>& fit, const Prior& prior);

}  // namespace watershed
