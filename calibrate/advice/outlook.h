// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "calibrate/advice/advise.h"
#include "calibrate/advice/information.h"

/// What the bursts so far leave open, and what further ones are expected to tell.
namespace watershed {

/// A burst of other ports or payload under the same conditions; nothing where its fragments are not one frame.
std::optional<Burst> with_mix(const Burst& like, std::int64_t ports, std::int64_t payload,
                              const Conditions& conditions);

class Outlook {
  public:
    /// The arguments must outlive it.
    Outlook(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

    const Belief& belief() const { return belief_; }
    /// The ports, payload and framing of the bursts to come, where nothing asks for others.
    const Burst& like() const { return prior_.like; }
    /// Those of the first row.
    const Burst& like_first() const { return first_; }
    /// What is known about the target, whichever kind of memory it is; nothing while it is bounded on one side only.
    /// Depths of different kinds are compared in frames of the first row's payload: of the whole memory, or of one
    /// input's or output's where these have their own.
    std::optional<TargetEstimate> estimate() const { return estimate_of(options_.target); }
    std::optional<TargetEstimate> estimate_of(AdviceTarget target) const;
    /// Whether no burst of any length is believed to lose frames at the separation that is asked for.
    bool no_watershed() const;

    /// The best burst of each separation, most bits per second first; with other ports or another payload where these
    /// would tell apart kinds of memory whose depths differ.
    std::vector<AdvisedPoint> best() const;
    /// What one burst is expected to tell; the reason is the caller's.
    AdvisedPoint judged(const Informant& informant, const Burst& like, Time separation, std::int64_t events) const;
    AdvisedPoint judged(const Burst& burst, const std::string& reason) const;
    Informant informant_at(const Burst& like, Time separation) const;
    /// From the shortest that can be set to where the watershed becomes too steep, for slow, middling and fast switches
    /// of the belief.
    std::vector<Time> separations(const Burst& like) const;
    /// Two bursts at this separation, just beyond what is left open on either side; nothing where they cannot be set.
    std::optional<std::pair<AdvisedPoint, AdvisedPoint>> pair_at(const Burst& like, Time separation) const;
    int times_measured(const Setting& setting) const;
    /// Kinds of memory that are left possible, and whose depth is another: "shared-frames or per-input-frames"; empty
    /// where there are none.
    std::string rivals_text() const;
    std::string target_name() const;

  private:
    std::vector<double> targets_for(AdviceTarget target) const;
    double target_of(AdviceTarget target, const BelievedPoint& point) const;
    std::vector<std::size_t> find_rivals() const;
    std::vector<Burst> mixes() const;
    std::string reason_for(const Burst& like, const Information& information) const;
    std::set<std::int64_t> lengths(const Informant& informant) const;
    bool known_already(const Setting& setting) const;
    Time slot_of(const Burst& like) const;

    const std::optional<Fit>& fit_;
    const Prior& prior_;
    const AdviceOptions& options_;
    Belief belief_;
    Burst first_;  ///< whose payload depths are compared in
    std::vector<double> targets_;
    std::vector<std::size_t>
        rivals_;  ///< the first kind, and those whose target differs by more than is wanted, and than either spreads
    std::map<Setting, int> measured_;  ///< how often
};

}  // namespace watershed
