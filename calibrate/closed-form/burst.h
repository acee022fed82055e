// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/scenario.h"
#include "scenarios/text/loss-map.h"

/// A loss map as the fit sees it: rows joined with what is known about frames and links.
namespace watershed {

/// What is known about the measurement before depth and service rate are.
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
Conditions default_conditions();
Conditions conditions_of(const Scenario& scenario, const std::string& file);

/// Whether frames_sent - frames_received is a number of frames or only says "lost something".
enum class CountUse {
    Auto,  ///< a number, unless every lossy burst lost exactly one frame
    Count,
    Flag
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
const Burst& first_row(const std::vector<Burst>& bursts);
const Burst& largest_row(const std::vector<Burst>& bursts);

/// Times a service rate it is the part of what arrives that the uplinks send on while this burst lasts: their load,
/// turned round. 0 for a single event.
double sent_per_rate(const Burst& burst);

}  // namespace watershed
