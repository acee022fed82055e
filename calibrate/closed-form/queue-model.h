// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/uneven-uplinks.h"
#include "model/base/search.h"

/// Closed forms of the loss of one synchronous burst, for the kinds of switch memory that the fit compares.
namespace watershed {

/// Feature of a kind of memory beside its depth: one parameter.
enum class Feature {
    None,
    Descriptors,       ///< largest number of frames in the memory, whatever their size
    Resume,            ///< after a drop a queue refuses frames until it has fallen to this fraction of its length
    DynamicThreshold,  ///< alpha: a queue may grow while it is shorter than alpha times the free memory
    UnevenUplinks,     ///< fraction of the modules on the fullest uplink; the others share the rest evenly
    Reserve,           ///< fraction of the memory that is reserved, each input an equal part; all share the rest
    OutputReserve      ///< the same, each output an equal part
};
inline std::string to_text(Feature feature) {
    static const char* const kNames[] = {
        "", "descriptors", "resume", "dynamic-threshold", "uneven-uplinks", "reserved", "reserved-by-output"};
    return kNames[int(feature)];
}
/// Returns the name in words, "dynamic threshold".
std::string words_of(Feature feature);
constexpr Feature kFeatures[] = {Feature::Descriptors,   Feature::Resume,  Feature::DynamicThreshold,
                                 Feature::UnevenUplinks, Feature::Reserve, Feature::OutputReserve};
/// Returns "frames", "bytes" or "cells".
inline std::string unit_text(MemorySize::Unit unit) {
    static const char* const kNames[] = {"frames", "bytes", "cells"};
    return kNames[int(unit)];
}

/// Kind of switch memory. Its depth is that of the whole memory if it is shared, else that of one input or one output;
/// with reserves it is what the burst with most of their owners may fill.
struct QueueModel {
    Buffer::Sharing sharing = Buffer::Sharing::Shared;
    MemorySize::Unit unit = MemorySize::Unit::Frame;
    std::int64_t cell = 0;    ///< bytes per cell, if memory is counted in cells
    std::int64_t header = 0;  ///< bytes stored with each frame in its cells
    bool per_packet = false;  ///< true: a receiver limits the frames per second, whatever their size
    Feature feature = Feature::None;
    double value = 0;                          ///< value of the feature
    AskingOrder order = AskingOrder::Unknown;  ///< only for uneven uplinks
    bool header_found = false;                 ///< true: the scenario names the cell, and the fit its header
    std::int64_t ring_port = 0;  ///< bit/s at which frames come to a receiver's ring, if it is one; else 0
    std::int64_t owners = 1;     ///< most inputs (or outputs) of a burst, for the feature of a reserve

    /// Returns "shared-frames", "shared-cells-header", "shared-cells-receiver-limited", "shared-bytes-resume", …
    std::string name() const {
        return sharing->name + ("-" + unit_text(unit)) + (header_found ? "-header" : "") +
               (ring_port > 0 ? "-receiver-ring"
                : per_packet  ? "-receiver-limited"
                              : "") +
               (feature == Feature::None ? "" : "-" + to_text(feature));
    }
    /// Returns "one memory for all inputs, counted in bytes, with dynamic threshold".
    std::string words() const;
    /// Owner of the memory that fills: all queues together, each input, or each uplink.
    enum class Pools { All, Input, Output };
    Pools pools() const {
        return sharing == Buffer::Sharing::PerInput                                            ? Pools::Input
               : sharing == Buffer::Sharing::PerOutput || feature == Feature::DynamicThreshold ? Pools::Output
                                                                                               : Pools::All;
    }
    /// Returns the units of depth of one frame of a burst.
    std::int64_t cost(const Burst& burst) const {
        return unit == MemorySize::Unit::Frame  ? 1
               : unit == MemorySize::Unit::Byte ? burst.buffer
                                                : ceil_div(burst.buffer + header, cell);
    }
    bool has_reserve() const { return feature == Feature::Reserve || feature == Feature::OutputReserve; }
    /// Returns the number of inputs (or outputs) of a burst that have a reserve.
    double owners_in(const Burst& burst) const {
        return double(feature == Feature::Reserve ? burst.ports : burst.uplinks);
    }
    /// Returns the fraction of the depth that one pool may fill: under a dynamic threshold n congested queues settle at
    /// alpha / (1 + n alpha) each (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998). Reserves of
    /// inputs (or outputs) that are not in the burst stay empty.
    double share_of_pool(const Burst& burst) const {
        return has_reserve()                          ? 1 - value * (1 - owners_in(burst) / double(owners))
               : feature == Feature::DynamicThreshold ? value / (1 + burst.uplinks * value)
                                                      : 1;
    }
    /// Returns the number of modules on the fullest uplink.
    std::int64_t fullest(const Burst& burst) const;
    /// Returns the frames of a burst that fit into one memory, as a real number; under a dynamic threshold the mean
    /// over the outputs.
    double room_as_real(const Burst& burst, double depth) const;
    /// Returns the room in whole frames.
    std::int64_t room(const Burst& burst, std::int64_t depth) const;
    /// Returns the number of memories that a burst fills, each of the given depth.
    std::int64_t memories(const Burst& burst) const {
        return pools() == Pools::All ? 1 : pools() == Pools::Input ? burst.ports : burst.uplinks;
    }
};

/// Returns the burst as the memory sees it. To a receiver all frames are as long as one of `wire` bytes; to its ring
/// they come one after the other, no faster than the uplink sends them, and the last when its switch has sent all.
Burst seen_by(const QueueModel& model, Burst burst, std::int64_t wire);

/// Returns all kinds that a fit may report.
std::vector<QueueModel> reportable_kinds();

/// Returns true if the text is the name of the model, or of its feature.
inline bool is_named(const QueueModel& model, const std::string& text) {
    return model.name() == text || (model.feature != Feature::None && to_text(model.feature) == text);
}

/// Returns the frames lost with room for `room` frames, if a busy uplink sends `drained` frames. Too small for memories
/// by input that lose; within a few frames for dynamic thresholds, uneven uplinks and resume levels, and for
/// reserves of inputs whose uplinks carry different numbers of them. Zero exactly if nothing is lost, apart from
/// dynamic thresholds.
std::int64_t frames_lost(const QueueModel& model, const Burst& burst, std::int64_t room, std::int64_t drained);

/// Returns the largest number of frames by which the true loss may exceed the closed form, for memories by input; 0 for
/// others. Inputs that have lost frames are no longer served in strict turn, and some end the burst with a place free.
std::int64_t excess_loss(const QueueModel& model, const Burst& burst);

/// Returns the overflow in frames as a real number, with half a frame for rounding: positive if frames are lost;
/// negative if more frames would have fitted.
double overflow(const QueueModel& model, const Burst& burst, double depth, double rate);

/// Returns the frames that a memory with a resume level loses if its uplink never falls idle.
/// @param each   frames drained per event, a real number
/// @param ahead  frames drained at once in the beginning
std::int64_t lost_with_resume(const QueueModel& model, const Burst& burst, std::int64_t room, double each,
                              double ahead = 0);

/// Returns the frames that `queues` queues under a dynamic threshold hold together when none may grow, in a memory of
/// `frames` frames.
double held_below_threshold(double alpha, double queues, double frames);

/// Returns the uncertainty of the closed form's number of lost frames, in frames. With uneven uplinks it depends on the
/// asking order of the modules, and is small if this order is given.
double count_uncertainty(const QueueModel& model, const Burst& burst, double depth, double rate);

/// Returns the longest lossless burst at a spacing of triggers, in events; std::nullopt if no length loses frames, 0 if
/// a single event does.
std::optional<std::int64_t> longest_lossless(const QueueModel& model, const Burst& like, Time spacing, double depth,
                                             double rate);

/// Range of the frames drained by one uplink, as in frames_lost(), for which a burst ends as measured.
struct DrainRange {
    std::int64_t least = 0;
    std::int64_t most = 0;  ///< kNoLimit if there is no upper limit
};
constexpr std::int64_t kNoLimit = INT64_MAX;

/// Returns the least room, in frames, with which the closed form counts lost frames exactly. With less room uplinks may
/// fall idle between events.
std::int64_t least_busy_room(const QueueModel& model, const Burst& burst);

/// Returns the range for a burst; std::nullopt if no service rate explains the burst with this room.
std::optional<DrainRange> drain_range(const QueueModel& model, const Burst& burst, std::int64_t room);

// Peak counters: the largest amount of memory in use during a burst, of the whole memory or summed over the memories of
// inputs or outputs.

/// Returns the counter units of one frame of a burst. A counter in bytes counts whole cells if the memory has cells; a
/// counter in cells counts frames if it has none.
inline std::int64_t counter_cost(const QueueModel& model, const Burst& burst) {
    const bool cells = model.unit == MemorySize::Unit::Cell;
    if (burst.peak && burst.peak->cells) return cells ? model.cost(burst) : 1;
    return cells ? model.cost(burst) * model.cell : burst.buffer;
}

/// Returns the least room, in frames of each memory, that the reading of the peak counter requires; 0 without a
/// reading.
inline std::int64_t least_room(const QueueModel& model, const Burst& burst) {
    if (!burst.peak) return 0;
    const std::int64_t least = std::max<std::int64_t>(0, burst.peak->amount - burst.peak->resolution);
    return ceil_div(std::min(burst.fragments(), ceil_div(least, counter_cost(model, burst))), model.memories(burst));
}

/// Returns the loads of a burst: N modules over k uplinks, of which the first N mod k carry one module more. The
/// feature UnevenUplinks replaces this rule by the fraction of the fullest uplink.
UplinkLoads loads_of(const QueueModel& model, const Burst& burst);

/// Returns the frames of reserves that are empty when the memory is fullest, since less was sent by way of their
/// uplinks than is reserved: no other frame may have their places.
/// @param room     frames of the whole memory that the burst may fill
/// @param drained  frames that a busy uplink sends from the first trigger to the last
double empty_reserves(const QueueModel& model, const UplinkLoads& loads, const Burst& burst, double room,
                      double drained);

}  // namespace watershed
