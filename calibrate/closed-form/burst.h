// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/range/algorithm.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/scenario.h"
#include "scenarios/text/loss-map.h"

/// Bursts of a loss map: its rows, combined with known properties of frames and links.
namespace watershed {

/// Conditions of a measurement that are known before the fit.
struct Conditions {
    FrameFormat frame;
    BitRate link_rate{1'000'000'000};
    int uplinks = 1;
    Buffer::Sharing sharing = Buffer::Sharing::Shared;  ///< preferred if the data do not decide
    MemorySize::Unit unit = MemorySize::Unit::Frame;    ///< preferred if the data do not decide
    std::string scenario;                               ///< file name; empty for the defaults
    std::int64_t cell = 0;                ///< bytes per cell, if the scenario counts memory in cells; else 0
    std::int64_t cell_header = 0;         ///< bytes stored with each frame in its cells
    std::optional<BitRate> nominal_rate;  ///< rate of one uplink in the scenario
};

/// Returns default conditions: standard framing, 1 Gb/s inputs, one uplink, payloads up to the largest IP packet.
inline Conditions default_conditions() {
    Conditions conditions;
    conditions.frame.mtu = Bytes{65535};  // a measured map states what was sent; no MTU limits it
    return conditions;
}
/// Returns the conditions that a scenario states. @param file  name of its file
Conditions conditions_of(const Scenario& scenario, const std::string& file);

/// Meaning of frames_sent - frames_received in a map.
enum class CountUse {
    Auto,   ///< Count, unless every lossy burst lost exactly one frame
    Count,  ///< number of lost frames
    Flag    ///< only "lost something" or "lost nothing"
};

// Prior knowledge of a fit.

/// Range of a known quantity, both ends included; a given value has equal ends.
struct KnownRange {
    double low = 0, high = 0;
};
inline bool is_given(const std::optional<KnownRange>& limits) { return limits && limits->low == limits->high; }

/// Known standard deviation of the scatter of bursts about the closed form.
struct KnownNoise : KnownRange {
    bool relative = true;  ///< true: of ln(burst length) at which losses begin; false: of the number of lost frames

    /// Returns true if nothing but the switch changes outcomes and numbers of lost frames, as in a simulation.
    bool none() const { return high <= 0; }
};

/// Prior of a positive quantity that the user chose.
struct ChosenPrior {
    enum class Family { LogNormal, Uniform, Normal } family = Family::LogNormal;
    double first = 1;   ///< median, lower end, or mean
    double second = 1;  ///< standard deviation of the logarithm, upper end, or standard deviation
    MemorySize::Unit unit = MemorySize::Unit::Byte;  ///< unit of a depth: frames or bytes

    /// Returns the log density of the quantity's logarithm, up to a constant.
    double log_density(double log_value) const;
    /// Returns the range of the logarithm beyond which there is no more than 1e-11 of the density.
    KnownRange log_range() const;
    /// Returns the prior of the quantity in another unit.
    ChosenPrior scaled(double factor) const;
};

struct FitOptions {
    std::optional<BitRate> service_rate;  ///< known rate of one uplink
    std::optional<MemorySize> depth;      ///< known depth; only models that count in its unit are fitted
    std::optional<std::pair<MemorySize, MemorySize>> depth_bounds;   ///< known limits of the depth, as above
    std::optional<std::pair<BitRate, BitRate>> service_rate_bounds;  ///< known limits of the rate of one uplink
    bool rate_about_nominal = true;       ///< true: the rate is near `nominal_rate`; false: nothing is known about it
    std::optional<BitRate> nominal_rate;  ///< rate of one uplink in the scenario; std::nullopt without a scenario
    /// Returns the unit of a given depth or of its limits; std::nullopt if neither is given.
    std::optional<MemorySize::Unit> depth_unit() const {
        return depth          ? std::make_optional(depth->unit)
               : depth_bounds ? std::make_optional(depth_bounds->first.unit)
                              : std::nullopt;
    }
    std::optional<KnownNoise> noise;         ///< known scatter, or its limits
    std::optional<Buffer::Sharing> sharing;  ///< known sharing; only kinds of memory with this sharing are fitted
    std::optional<std::string> kind;         ///< known kind; only the kind of this QueueModel::name() is fitted
    std::optional<KnownRange> loss;          ///< fraction of frames that are lost at random, at any place
    std::optional<KnownRange> bucket;        ///< token bucket: bytes that an idle uplink may send at once
    std::optional<KnownRange> traffic;       ///< fraction of each uplink that cross-traffic takes
    std::optional<ChosenPrior> depth_prior, rate_prior;  ///< in place of the usual ones
    std::map<std::string, double> kind_weights;          ///< odds against a plain memory, by the names of kinds
    std::vector<std::string> priors;                     ///< texts of all priors that the user chose
    CountUse counts = CountUse::Auto;
    std::uint64_t seed = 1;  ///< seed of the sampler
    std::size_t draws = 0;   ///< number of joint draws of the posterior that are kept
    /// Number of threads of this fit and all later ones; 0: unchanged, at first the number of processors.
    int jobs = 0;
};

/// One burst of the map.
struct Burst {
    int row = 0;   ///< data row of the map, from 1
    int line = 0;  ///< line of the file
    std::int64_t ports = 0;
    int uplinks = 1;  ///< number of uplinks; module i leaves by uplink i modulo this number
    std::int64_t events = 0;
    Time separation{0};  ///< separation of the events in the map
    /// Mean time between two frames of one module, at least a slot of its link, minus the time per event for which the
    /// output stalled.
    Time spacing{0};
    std::int64_t payload = 0;
    std::int64_t wire = 0;    ///< bytes of a frame on a link
    std::int64_t buffer = 0;  ///< bytes of a frame in a memory
    std::int64_t sent = 0;    ///< frames sent, as stated in the map
    std::int64_t lost = 0;
    bool lossy = false;
    bool counted = false;  ///< true if `lost` is the number of frames lost in one burst
    /// Source of `lossy`: counted frames, peak counters of the map's bursts, or none.
    enum class Outcome { Counted, ByPeaks, Untold } outcome = Outcome::Counted;
    std::optional<Time> lateness;  ///< lateness of a trigger that `spacing` does not account for
    std::optional<PeakReading> peak{};
    std::optional<Time> delay{};     ///< delay of the last frame that arrived, minus that of the first
    Time worst_lateness{0};          ///< largest lateness of a trigger, whatever the spacing
    std::optional<Time> handover{};  ///< time from the first frame of the last trigger to its last frame
    Time held_up{0};                 ///< `handover` minus the usual one of the map; may be negative
    /// Frames that the uplink to a receiver's ring had to hold for this burst; set where `spacing` and `wire` are those
    /// at the ring.
    std::optional<double> held_before_ring{};
    std::int64_t tolerance = 0;  ///< frames at each uplink by which the closed form may be wrong for this burst

    /// Returns the frames of the burst.
    std::int64_t fragments() const { return ports * events; }
    /// Returns true if `sent` counts one burst. Else (several bursts summed up, or a mere 1) only the loss of some
    /// frame is known, not the number.
    bool sent_once() const { return sent == fragments(); }
    /// Returns the frames that one uplink of 1 bit/s drains between the first and the last trigger.
    double drain() const { return double(events - 1) * double(spacing.count()) / bit_picoseconds(wire); }
    /// Returns the frames that one uplink of 1 bit/s drains in the time `held_up`.
    double drain_held_up() const { return double(held_up.count()) / bit_picoseconds(wire); }
    /// Returns the whole frames that one uplink drains at `rate` bit/s; the factor corrects rounding of whole
    /// quotients.
    std::int64_t drained(double rate) const { return std::int64_t(drain() * rate * (1 + 1e-12)); }
    /// Returns true if frames were lost and their number is known.
    bool loss_counted() const { return lossy && counted; }
};

inline bool any_loss_counted(const std::vector<Burst>& bursts) {
    return boost::algorithm::any_of(bursts, [](const Burst& burst) { return burst.loss_counted(); });
}

/// Returns the bursts without numbers of lost frames: only lossy or lossless.
inline std::vector<Burst> as_flags(std::vector<Burst> bursts) {
    for (Burst& burst : bursts) burst.counted = false;
    return bursts;
}

/// Returns the bursts of a map.
/// @throws InputError with file and line for a payload that is more than one frame under these conditions
std::vector<Burst> bursts_of(const LossMap& map, const Conditions& conditions, CountUse use);

/// Infers from all peaks which bursts without counts lost frames. Without loss the peak is the frames sent less those
/// drained; a smaller peak is that of a full memory. The largest drain is that of any busy burst, scaled to longer and,
/// by the rule of three, shorter times. Bursts that neither surely lost frames nor are explained stay untold.
void infer_outcomes_by_peaks(std::vector<Burst>& bursts);

/// Returns the burst with the smallest row number.
inline const Burst& first_row(const std::vector<Burst>& bursts) {
    return *boost::min_element(bursts, [](const Burst& a, const Burst& b) { return a.row < b.row; });
}
/// Returns the first burst with the largest payload; its frames are the unit in which depths and rates are reported.
inline const Burst& largest_row(const std::vector<Burst>& bursts) {
    return *boost::min_element(bursts, [](const Burst& a, const Burst& b) {
        return std::make_tuple(-a.payload, a.row) < std::make_tuple(-b.payload, b.row);
    });
}

/// Returns the inverse load of the uplinks during a burst per bit/s of service rate: frames sent by the uplinks over
/// frames that arrive. 0 for a single event.
inline double sent_per_rate(const Burst& burst) {
    return burst.events < 2 ? 0 : burst.uplinks * burst.drain() / double((burst.events - 1) * burst.ports);
}

// Samples of large maps, so that all models are compared by the same bursts in little time. Maps of at most `most`
// bursts are taken whole.

/// Returns at most `most` bursts, spread evenly over the map.
std::vector<Burst> sample_of(const std::vector<Burst>& bursts, std::size_t most);

/// Returns bursts of at most `most` settings near the onset of loss, with all repeats. For each separation of a mix, or
/// neighbouring ones with few lengths, the onset is the length that fewest bursts contradict. Settings on either side
/// and within three times the distance of the exceptions are kept.
std::vector<Burst> bursts_near_loss(const std::vector<Burst>& bursts, std::size_t most);

}  // namespace watershed
