// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/scenario.h"
#include "scenarios/text/loss-map.h"

/// A loss map as the fit sees it: rows joined with what is known about frames and links.
namespace watershed {

/// Conditions of a measurement that are known before the fit.
struct Conditions {
    FrameFormat frame;
    BitRate link_rate{1'000'000'000};
    int uplinks = 1;
    Buffer::Sharing sharing = Buffer::Sharing::Shared;  ///< preferred where the data cannot tell
    MemorySize::Unit unit = MemorySize::Unit::Frame;    ///< preferred where the data cannot tell
    std::string scenario;                               ///< file name, empty for the defaults
    std::int64_t cell = 0;                              ///< bytes, where the scenario counts memory in cells; else 0
    std::int64_t cell_header = 0;
    std::optional<BitRate> nominal_rate;  ///< what the scenario says one uplink has
};

/// The contract's framing, 1 Gb/s inputs, one uplink, payloads up to the largest IP packet.
inline Conditions default_conditions() {
    Conditions conditions;
    conditions.frame.mtu = Bytes{65535};  // a measured map says what was sent; whether the MTU allows it is no question
    return conditions;
}
Conditions conditions_of(const Scenario& scenario, const std::string& file);

/// Whether frames_sent - frames_received is a number of frames or only says "lost something".
enum class CountUse {
    Auto,  ///< a number, unless every lossy burst lost exactly one frame
    Count,
    Flag
};

// Knowledge that the fit starts from.

/// Both ends included; equal where the value itself is known.
struct KnownRange {
    double low = 0, high = 0;
};
inline bool is_given(const std::optional<KnownRange>& limits) { return limits && limits->low == limits->high; }

/// Known scatter of bursts about the closed form.
struct KnownNoise : KnownRange {
    bool relative = true;  ///< deviation of ln(burst length) at which losses begin, else of the number of frames lost

    /// Lossy and lossless bursts, and numbers of lost frames, are what the switch alone makes of them: a simulation,
    /// say.
    bool none() const { return high <= 0; }
};

struct FitOptions {
    std::optional<BitRate> service_rate;  ///< known rate of one uplink
    std::optional<MemorySize> depth;      ///< known depth; only models that count in its unit are fitted
    std::optional<std::pair<MemorySize, MemorySize>> depth_bounds;  ///< the same, as limits
    std::optional<std::pair<BitRate, BitRate>> service_rate_bounds;
    bool rate_about_nominal = true;       ///< the scenario's uplink rate is about right; else nothing is known of it
    std::optional<BitRate> nominal_rate;  ///< that rate, where there is a scenario
    /// The unit that a given depth, or its limits, are in.
    std::optional<MemorySize::Unit> depth_unit() const {
        return depth          ? std::make_optional(depth->unit)
               : depth_bounds ? std::make_optional(depth_bounds->first.unit)
                              : std::nullopt;
    }
    std::optional<KnownNoise> noise;         ///< known, or limits of it
    std::optional<Buffer::Sharing> sharing;  ///< known; only kinds of memory that are shared like this are fitted
    std::optional<std::string> kind;         ///< known; only that of this QueueModel::name() is fitted
    std::optional<KnownRange> loss;          ///< share of frames that are lost at random, wherever they are
    std::optional<KnownRange>
        bucket;  ///< bytes that an idle uplink may send at once, ahead of its rate: its token bucket
    std::optional<KnownRange> traffic;  ///< share of each uplink that others take
    CountUse counts = CountUse::Auto;
    int jobs = 0;  ///< threads that compute at a time, for all fits from now on; 0: as before, or as many as processors
};

/// One burst of the map.
struct Burst {
    int row = 0;  ///< data row of the map, from 1
    int line = 0;
    std::int64_t ports = 0;
    int uplinks = 1;  ///< module i leaves by uplink i modulo this number
    std::int64_t events = 0;
    Time separation{0};  ///< as measured
    Time spacing{0};     ///< between two frames of one module, in the mean: a busy link holds the second back; less
                         ///< what of it the output stood still
    std::int64_t payload = 0;
    std::int64_t wire = 0;    ///< bytes a frame costs a link
    std::int64_t buffer = 0;  ///< bytes a frame costs a memory
    std::int64_t sent = 0;    ///< frames, as the map has them
    std::int64_t lost = 0;
    bool lossy = false;
    bool counted = false;  ///< `lost` is the number of frames lost in one burst
    /// Who tells whether frames were lost: what arrived, or the peaks of these bursts, or neither.
    enum class Outcome { Counted, ByPeaks, Untold } outcome = Outcome::Counted;
    std::optional<Time> lateness;  ///< that the spacing does not tell
    std::optional<PeakReading> peak{};
    std::optional<Time> delay{};     ///< of the last frame that arrived, beyond that of the first
    Time worst_lateness{0};          ///< of a trigger, however the spacing was
    std::optional<Time> handover{};  ///< from the first frame of the last trigger to its last
    Time held_up{0};                 ///< by which that is longer than the map's usual one, or shorter
    std::int64_t tolerance = 0;      ///< frames, at each uplink, by which the closed form may be off for this burst

    std::int64_t fragments() const { return ports * events; }
    /// Frames sent that are not one burst's (several bursts summed up, or a mere 1) still tell whether any was lost,
    /// but not how many.
    bool sent_once() const { return sent == fragments(); }
    /// Frames that one uplink of 1 bit/s drains between the first and the last trigger.
    double drain() const { return double(events - 1) * double(spacing.count()) / bit_picoseconds(wire); }
    /// Frames that one uplink of 1 bit/s drains while a trigger is handed over, beyond what it usually does.
    double drain_held_up() const { return double(held_up.count()) / bit_picoseconds(wire); }
    /// Whole frames at this rate; a quotient that is a whole number, but for its last bits, is that number.
    std::int64_t drained(double rate) const { return std::int64_t(drain() * rate * (1 + 1e-12)); }
    /// Not only that frames were lost is known, but how many.
    bool loss_counted() const { return lossy && counted; }
};

inline bool any_loss_counted(const std::vector<Burst>& bursts) {
    return boost::algorithm::any_of(bursts, [](const Burst& burst) { return burst.loss_counted(); });
}

/// The bursts as lossy or lossless alone.
inline std::vector<Burst> as_flags(std::vector<Burst> bursts) {
    for (Burst& burst : bursts) burst.counted = false;
    return bursts;
}

/// @throws InputError with file and line for a payload that is more than one frame under these conditions
std::vector<Burst> bursts_of(const LossMap& map, const Conditions& conditions, CountUse use);

/// Of bursts in any order: that of the first row, and the first with the largest frames, in which depths and rates are
/// given.
inline const Burst& first_row(const std::vector<Burst>& bursts) {
    return *boost::min_element(bursts, [](const Burst& a, const Burst& b) { return a.row < b.row; });
}
inline const Burst& largest_row(const std::vector<Burst>& bursts) {
    return *boost::min_element(bursts, [](const Burst& a, const Burst& b) {
        return std::make_tuple(-a.payload, a.row) < std::make_tuple(-b.payload, b.row);
    });
}

/// Times a service rate it is the part of what arrives that the uplinks send on while this burst lasts: their load,
/// turned round. 0 for a single event.
inline double sent_per_rate(const Burst& burst) {
    return burst.events < 2 ? 0 : burst.uplinks * burst.drain() / double((burst.events - 1) * burst.ports);
}

// Some of very many bursts, so that all models are judged by the same ones in little time; maps no larger than `most`
// are taken whole.

/// From everywhere.
std::vector<Burst> sample_of(const std::vector<Burst>& bursts, std::size_t most);

/// Returns bursts of at most `most` settings near the onset of loss, with all repeats. For each separation of a mix, or
/// neighbouring ones with few lengths, the onset is the length that fewest bursts contradict. Settings on either side
/// and within three times the distance of the exceptions are kept.
std::vector<Burst> bursts_near_loss(const std::vector<Burst>& bursts, std::size_t most);

}  // namespace watershed
