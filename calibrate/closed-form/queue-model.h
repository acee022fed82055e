// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>

#include "calibrate/closed-form/burst.h"
#include "model/base/search.h"

/// Closed forms of the loss of one synchronous burst, for the kinds of switch memory that the fit compares.
namespace watershed {

/// Feature of a kind of memory beside its depth: one parameter.
enum class Feature {
    None,
    Descriptors,       ///< frames that the memory holds at most, however small
    Resume,            ///< after a drop a queue refuses until it has fallen to this share of what it held
    DynamicThreshold,  ///< alpha: a queue may grow while it is below so many times what is free of the memory
    UnevenUplinks  ///< share of the modules that the fullest uplink carries; the others have equal parts of the rest
};
inline std::string to_text(Feature feature) {
    static const char* const kNames[] = {"", "descriptors", "resume", "dynamic-threshold", "uneven-uplinks"};
    return kNames[int(feature)];
}
/// "frames", "bytes" or "cells"
inline std::string unit_text(MemorySize::Unit unit) {
    static const char* const kNames[] = {"frames", "bytes", "cells"};
    return kNames[int(unit)];
}

/// Asking order of modules for free places of a full memory: fullest uplink or others first, or in turn. It matters
/// only to counts of uneven uplinks.
enum class AskingOrder { Unknown, FullestFirst, FullestLast, InTurnOthersBegin, InTurn, InTurnFullestBegins };
constexpr AskingOrder kAskingOrders[] = {AskingOrder::Unknown,     AskingOrder::FullestFirst,
                                         AskingOrder::FullestLast, AskingOrder::InTurnOthersBegin,
                                         AskingOrder::InTurn,      AskingOrder::InTurnFullestBegins};

/// A kind of switch memory; depth is the whole memory when shared, one input's or one output's own otherwise.
struct QueueModel {
    Buffer::Sharing sharing = Buffer::Sharing::Shared;
    MemorySize::Unit unit = MemorySize::Unit::Frame;
    std::int64_t cell = 0;    ///< bytes, where memory is counted in cells
    std::int64_t header = 0;  ///< bytes stored with each frame in its cells
    bool per_packet = false;  ///< the receiver takes so many frames per second, whatever their size
    Feature feature = Feature::None;
    double value = 0;                          ///< of the feature
    AskingOrder order = AskingOrder::Unknown;  ///< matters to uneven uplinks

    /// "shared-frames", "per-input-bytes", "shared-cells-receiver-limited", "shared-bytes-resume", …
    std::string name() const {
        return sharing->name + ("-" + unit_text(unit)) + (per_packet ? "-receiver-limited" : "") +
               (feature == Feature::None ? "" : "-" + to_text(feature));
    }
    /// "one memory for all inputs, counted in bytes, with dynamic threshold"
    std::string words() const;
    /// Owner of the memory that fills: all together, each input, each uplink.
    enum class Pools { All, Input, Output };
    Pools pools() const {
        return sharing == Buffer::Sharing::PerInput                                            ? Pools::Input
               : sharing == Buffer::Sharing::PerOutput || feature == Feature::DynamicThreshold ? Pools::Output
                                                                                               : Pools::All;
    }
    /// Depth units that one frame of this burst takes.
    std::int64_t cost(const Burst& burst) const {
        return unit == MemorySize::Unit::Frame  ? 1
               : unit == MemorySize::Unit::Byte ? burst.buffer
                                                : ceil_div(burst.buffer + header, cell);
    }
    /// The part of the depth that one pool may fill: n congested queues come to rest at alpha / (1 + n alpha) each
    /// (Choudhury and Hahne, 1998).
    double share_of_pool(const Burst& burst) const {
        return feature == Feature::DynamicThreshold ? value / (1 + burst.uplinks * value) : 1;
    }
    /// Modules on the uplink that carries most.
    std::int64_t fullest(const Burst& burst) const;
    /// Frames of this burst that fit into the memory (or into one input's or output's part; on average over these under
    /// a dynamic threshold), a real number.
    double room_as_real(const Burst& burst, double depth) const;
    /// Returns the room in whole frames.
    std::int64_t room(const Burst& burst, std::int64_t depth) const;
    /// Memories of the given depth that a burst fills.
    std::int64_t memories(const Burst& burst) const {
        return pools() == Pools::All ? 1 : pools() == Pools::Input ? burst.ports : burst.uplinks;
    }
};

/// Returns the frames lost with room for `room` frames, if a busy uplink sends `drained` frames. Too small for memories
/// by input that lose; within a few frames for dynamic thresholds, uneven uplinks and resume levels. Zero exactly if
/// nothing is lost, apart from dynamic thresholds.
std::int64_t frames_lost(const QueueModel& model, const Burst& burst, std::int64_t room, std::int64_t drained);

/// Queues of single inputs that have lost frames are no longer served in strict turn, and some end the burst with a
/// place free: by how many frames the true loss may exceed the closed form for that reason. 0 for other memories.
std::int64_t excess_loss(const QueueModel& model, const Burst& burst);

/// The number of frames that overflow, half a frame of rounding taken as its average: positive where frames are lost,
/// negative where so many more would have fitted.
double overflow(const QueueModel& model, const Burst& burst, double depth, double rate);

/// Frames lost by a memory with a resume level while an uplink that never falls idle drains `each` by one event, a real
/// number, after it has drained `ahead` at once.
std::int64_t lost_with_resume(const QueueModel& model, const Burst& burst, std::int64_t room, double each,
                              double ahead = 0);

/// Frames that so many queues under a dynamic threshold hold together when none may grow, of a memory of so many.
double held_below_threshold(double alpha, double queues, double frames);

/// How far, in frames, the closed form's number of lost frames may be off: with uneven uplinks it depends on which
/// modules ask first whether the frames of some take the memory over; little is left open where their order is given.
double count_uncertainty(const QueueModel& model, const Burst& burst, double depth, double rate);

/// Midway between the longest lossless burst and the shortest lossy one, in events; infinite where no length loses.
double threshold_events(const QueueModel& model, const Burst& burst, double depth, double rate);

/// The longest burst without loss at this separation; nothing where no length loses, 0 where a single event does.
std::optional<std::int64_t> longest_lossless(const QueueModel& model, const Burst& like, Time spacing, double depth,
                                             double rate);

/// The numbers of drained frames (as above) under which this burst ends as it was measured.
struct DrainRange {
    std::int64_t least = 0;
    std::int64_t most = 0;  ///< kNoLimit where any larger number will do
};
constexpr std::int64_t kNoLimit = INT64_MAX;

/// The least room from which the closed form counts the frames lost without reserve. Below it, uplinks may fall idle
/// between events.
std::int64_t least_busy_room(const QueueModel& model, const Burst& burst);

/// Nothing where no service rate explains the burst at this depth.
std::optional<DrainRange> drain_range(const QueueModel& model, const Burst& burst, std::int64_t room);

// What a counter of the memory tells of a burst: the most that was in use. It is the whole memory's, or the sum over
// the memories of inputs or outputs.

/// Units of the counter that a frame of this burst takes: bytes, the whole cells of a memory in cells; a counter of
/// cells counts frames where the memory is none in cells.
inline std::int64_t counter_cost(const QueueModel& model, const Burst& burst) {
    const bool cells = model.unit == MemorySize::Unit::Cell;
    if (burst.peak && burst.peak->cells) return cells ? model.cost(burst) : 1;
    return cells ? model.cost(burst) * model.cell : burst.buffer;
}

/// The least room of each memory with which as many frames can be in use as were at once, at least; 0 where no counter
/// was read.
inline std::int64_t least_room(const QueueModel& model, const Burst& burst) {
    if (!burst.peak) return 0;
    const std::int64_t least = std::max<std::int64_t>(0, burst.peak->amount - burst.peak->resolution);
    return ceil_div(std::min(burst.fragments(), ceil_div(least, counter_cost(model, burst))), model.memories(burst));
}

// What uplinks that carry different numbers of modules lose of a memory that they share.

/// So many uplinks carry so many modules each.
struct UplinkLoad {
    std::int64_t modules = 0, uplinks = 0;
};

/// The fullest first; the last may be none.
struct UplinkLoads : std::array<UplinkLoad, 3> {
    std::int64_t most() const { return front().modules; }
    std::int64_t least() const {
        return (*this)[2].uplinks > 0 ? (*this)[2].modules : (*this)[1].uplinks > 0 ? (*this)[1].modules : most();
    }
    bool even() const { return least() == most(); }
};

/// Those of a burst: N modules over k uplinks, of which the first N mod k carry one module more, unless the fullest
/// uplink carries a share of its own.
UplinkLoads loads_of(const QueueModel& model, const Burst& burst);

/// Overflow of a burst towards uneven uplinks.
struct UnevenOverflow {
    double frames = 0;
    double unknown = 0;  ///< how far that may be off, for who asks first when places become free
};

/// Returns the overflow of uneven uplinks. Frames leave a full memory evenly but enter in proportion to the loads, so
/// the fullest queue takes over until the others are idle; then all lose the same fraction. An average over asking
/// orders; whole places if the order is given.
/// @param drained  frames that a busy uplink sends from the first trigger to the last; not negative
UnevenOverflow overflow_of_uneven(const UplinkLoads& loads, const Burst& burst, double room, double drained,
                                  AskingOrder order);

}  // namespace watershed
