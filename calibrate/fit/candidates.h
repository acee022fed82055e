// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibrate/fit/fit.h"
#include "calibrate/posterior/parameter-posterior.h"

/// The kinds of memory and service that a fit compares; and those that a map cannot tell apart: they hold the same
/// frames, in another unit.
namespace watershed {

/// A kind, and what its prior odds are beside a plain memory in frames or bytes.
struct Candidate {
    QueueModel model;
    double log_prior = 0;
};

/// Odds of the kind that a scenario names beside every other kind, before anything is measured.
inline constexpr double kScenarioOdds = 4;

/// Shared and per input; frames, bytes, and cells where the scenario knows them or two payloads can show them; links
/// that carry bytes and, where two payloads can show it, receivers that take frames.
/// @throws InputError if none counts in the unit that a given depth is in, or none is of the kind that is known
std::vector<Candidate> candidates(const std::vector<Burst>& bursts, const Conditions& conditions,
                                  const FitOptions& options);

/// The bursts as this model sees them: to a receiver with a cost per packet all frames are as long as the largest.
/// @param first of the whole map, where these are some of its bursts
std::vector<Burst> seen_by(const QueueModel& model, std::vector<Burst> bursts, const Burst& first);
inline std::vector<Burst> seen_by(const QueueModel& model, const std::vector<Burst>& bursts) {
    return seen_by(model, bursts, largest_row(bursts));
}

/// For each kind the place of one before it of which the same is to be said, where all bursts have frames of one size.
std::vector<std::optional<std::size_t>> alike_kinds(const std::vector<ModelFit>& kinds,
                                                    const std::vector<Burst>& bursts);

/// What is known of one kind, said of another that is alike: of all depths that hold as many frames, each is as likely.
ParameterPosterior in_unit_of(const QueueModel& model, const QueueModel& other, const Burst& any,
                              ParameterPosterior posterior);

/// Where nothing was lost all kinds of memory have the same peaks, but for what a frame takes: they get the evidence of
/// the first of them.
void leave_open_what_no_peak_tells(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts);

/// With fewer of them neither noise nor a feature is sought.
constexpr std::size_t kFewestBursts = 8;

/// The bursts of a map, what is known beside them, and what follows from both for a kind of memory. Refers to bursts
/// and options.
struct MapReading {
    const std::vector<Burst>& bursts;
    const FitOptions& options;
    std::vector<Burst> flags;  ///< the bursts as lossy or lossless alone
    std::vector<Burst>
        sample;  ///< those that posteriors look at: of larger maps some, and no more is claimed than they tell
    std::ptrdiff_t lossy = 0;  ///< how many are
    bool counted = false;      ///< numbers of lost frames are known
    bool peaks = false;        ///< counters of the memory were read

    MapReading(const std::vector<Burst>& all, const FitOptions& known);

    /// Beyond which nothing changes for any burst of the map, or nothing is allowed.
    SearchBox box(const QueueModel& model) const { return known_box(model, seen_by(model, bursts), options); }
    /// Of some of the bursts, within the box of all. @param quick  one that begins far up counts as none
    FeasibleRegion region(const QueueModel& model, const std::vector<Burst>& some, bool quick = false) const {
        SearchBox within = box(model);
        if (quick) within.most_steps = 5'000;
        return feasible_region(model, seen(model, some), within);
    }
    /// Some of the bursts as this model sees them.
    std::vector<Burst> seen(const QueueModel& model, const std::vector<Burst>& some) const {
        return seen_by(model, some, largest_row(bursts));
    }
    /// It is known that bursts do not scatter.
    bool no_noise() const { return options.noise && options.noise->none(); }
    /// A burst's triggers took their time otherwise than the others', by half a frame at this rate.
    bool held_up(double rate) const {
        return boost::algorithm::any_of(
            bursts, [&](const Burst& burst) { return std::abs(burst.drain_held_up()) * rate >= 0.5; });
    }
    /// Only lossy or only lossless bursts.
    bool one_sided() const { return lossy == 0 || lossy == std::ptrdiff_t(flags.size()); }
};

}  // namespace watershed
