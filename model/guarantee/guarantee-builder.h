// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/base/rational.h"
#include "model/guarantee/queue-source.h"
#include "model/guarantee/switch-analysis.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/tier-links.h"

namespace watershed {

/// Builder of a Guarantee. It bounds the switches in the order of Network: each comes after those that feed it.
class GuaranteeBuilder {
  public:
    GuaranteeBuilder(const Network& network, const NetworkScenario& scenario, AdmittedTriggers admitted, bool kinds,
                     std::vector<SwitchAnalysis> analyses, const Ticks& ticks, UnsupportedKey* why);

    /// Returns the bounds; std::nullopt if a key is not covered.
    std::optional<Guarantee> run();

  private:
    using Arrivals = std::optional<std::vector<Wide>>;

    std::nullopt_t too_many(std::size_t most, const std::string& of_what) const;
    std::size_t frames_of_train() const { return admitted_.train.size() * std::size_t(per_trigger_); }
    /// Returns the slot of the fastest module's link or, where kinds are added up, its shortest time for an event.
    Wide shortest_link() const;
    std::vector<ArrivalSpacing> spacings_in_ticks() const;
    /// Returns the spacing with the lowest long-run rate of one module's frames; the slot of the link is one spacing.
    ArrivalSpacing widest_behind(Wide link) const;
    /// Returns the longest distance of arrivals that tiers have to keep, ticks; 0 for one train.
    Wide horizon() const;
    /// Returns the slot of the modules' links at a switch or, without modules, at the switches that feed it.
    Wide link_of(const SwitchAnalysis& analysis) const;
    /// Sets the loads of the queues if triggers always come as fast as the rules allow.
    void set_loads(SwitchAnalysis& analysis);
    /// Bounds a switch with one queue for each uplink. @param mixed  by bound_many_sources()
    Arrivals bound_queues(SwitchAnalysis& analysis, bool mixed);
    /// Bounds a switch whose memory may have a second tier (conclude_two_tiers()).
    Arrivals bound_two_tiers(SwitchAnalysis& analysis, bool mixed);
    /// Raises Guarantee::least_distance to this time at least.
    void raise_least_distance(Wide picoseconds);
    /// Lowers the sum of the queues if builders take turns for events, or uplinks for frames: not all of them get one
    /// at a time. A frame leaves within D of its arrival, the longest delay in any queue. So all frames that the switch
    /// holds at t came in (t - D, t], an interval shorter than D, and are no more than all sources together bring in
    /// such an interval (QueueSource::within()).
    void limit_sum_by_turns(SwitchAnalysis& analysis);
    /// Sums up the queues of a switch and compares them with its memory. @param mixed  bounded by bound_many_sources()
    void conclude(SwitchAnalysis& analysis, bool mixed);
    std::vector<Time> witness();

    // Bounds of the queues of one switch: queue-bounds.cc.
    /// Bounds a switch by its sources (bound_mixed_queue()), whatever their phases.
    /// @return earliest arrivals from one module; empty for one train
    Arrivals bound_many_sources(SwitchAnalysis& analysis);
    /// Notes what the memory's accounts of a queue hold at most.
    static void add_accounts(SwitchAnalysis& analysis, std::size_t queue, const std::vector<QueueSource>& sources);
    /// Adds the modules of each kind that send to a queue, by the sizes of their frames.
    bool add_kinds(const SwitchAnalysis& analysis, std::size_t queue, std::vector<QueueSource>& sources) const;
    /// Returns the time that an uplink takes for the frames of a common trigger, in the mean over builders.
    Rational work_of_trigger(const SwitchAnalysis& analysis, std::size_t queue) const;
    /// Sets rate, burst and distances of the frames of one module, if many trains are admitted.
    void set_spacings(QueueSource& camera, const SwitchAnalysis& analysis) const;
    /// Bounds a switch whose modules send at the same instants.
    /// @return earliest arrivals from one module, or the arrivals of the only train
    Arrivals bound_in_step(SwitchAnalysis& analysis);
    /// Bounds a switch of a single tier whose modules are out of step.
    /// @return earliest arrivals from one module; empty for one train
    Arrivals bound_asynchronous(SwitchAnalysis& analysis);

    const std::size_t modules_;
    AdmittedTriggers admitted_;
    std::vector<SwitchAnalysis> analyses_;
    const Ticks ticks_;
    UnsupportedKey* why_;
    const int class_;                 ///< class of the camera's frames
    const bool kinds_;                ///< true if the frames of each kind of module are added up
    const bool alike_;                ///< true if all frames of modules have one size
    const std::int64_t per_trigger_;  ///< frames per module and trigger; 1 if there are kinds
    const Wide shortest_;             ///< shortest_link(), ticks
    const std::vector<ArrivalSpacing> spacings_;
    const Wide horizon_;
    TierLinks links_;
    QueueSource before_turns_{};  ///< all frames of a switch whose uplinks take turns for them
    Wide longest_delay_ = 0;      ///< longest delay of a frame in the switch bounded last, ticks
    std::size_t reached_ = 1;     ///< frames of one module until every queue has held its maximum
    std::vector<Wide> longest_;   ///< longest of the switches' earliest arrivals, ticks
    Guarantee guarantee_;
};

}  // namespace watershed
