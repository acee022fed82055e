// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/model-fit.h"
#include "model/base/quantities.h"
#include "scenarios/text/csv.h"

/// Inference of the limits on frames that wait for one congested output: memory, descriptors, and a small FIFO at the
/// input. The data are the longest lossless bursts of one switch; the posterior is a set of weights on a fixed grid.
namespace watershed {

/// One frame size of a burst-absorption table, as testers of switches publish them (RFC 2544 and RFC 9004 back-to-back
/// style): a stream at line rate into one port, a burst into a second port of the same speed, both to one output.
struct BurstTableRow {
    int row = 0;  ///< data row of the file, from 1
    int line = 0;
    std::int64_t frame = 0;             ///< whole Ethernet frame, FCS included, bytes
    std::int64_t lossless = 0;          ///< longest burst without loss, frames
    std::optional<std::int64_t> drops;  ///< frames lost if the burst is one frame longer; std::nullopt if not stated
};

struct BurstTable {
    struct Part {
        std::optional<std::string> name;  ///< name of the switch; std::nullopt without a column `switch`
        std::vector<BurstTableRow> rows;
    };
    std::vector<Part> parts;  ///< one per switch, in the order of their first rows
};

/// Returns true if the header has `frame_bytes`, which distinguishes such a table from a loss map.
inline bool is_burst_table(const CsvTable& table) { return table.find_column("frame_bytes").has_value(); }

/// Reads a table with the columns frame_bytes and max_burst_lossless_frames (or lossless); drops_at_burst_plus_1 (or
/// drops) and switch are optional.
/// @throws InputError with file, line and column
BurstTable burst_table_from(const CsvTable& table);

class StreamAndBurst;

/// Memory for the frames of one output. The parameter `frame` of its functions is the size of a frame in bytes.
struct AbsorptionModel {
    MemorySize::Unit unit = MemorySize::Unit::Byte;  ///< unit of the memory: bytes or cells
    std::int64_t cell = 1;                           ///< bytes per cell; 1 for a memory in bytes
    std::int64_t header = 0;                         ///< bytes stored with each frame
    std::optional<std::int64_t> depth;        ///< size in bytes or cells; std::nullopt if memory was never the limit
    std::optional<std::int64_t> descriptors;  ///< largest number of frames; std::nullopt without such a limit
    std::int64_t input_fifo = 0;              ///< bytes of the burst that wait in front of a full memory
    bool release_at_start = false;            ///< true: a frame in transmission takes no memory

    /// Returns the memory of a frame, in `unit`.
    std::int64_t cost(std::int64_t frame) const { return ceil_div(frame + header, cell); }
    /// Returns true if descriptors run out before the memory does.
    bool by_descriptors(std::int64_t frame) const {
        return descriptors && (!depth || *descriptors <= *depth / cost(frame));
    }
    /// Returns the frames that a full memory holds. @pre depth or descriptors are given
    std::int64_t held(std::int64_t frame) const { return by_descriptors(frame) ? *descriptors : *depth / cost(frame); }
    /// Returns the frames in transmission that take no memory.
    std::int64_t leaving() const { return release_at_start ? 1 : 0; }
    /// Returns the frames that have come and not left when the memory is full.
    std::int64_t room(std::int64_t frame) const { return held(frame) + leaving(); }
    /// Returns the frames that fit into the FIFO at the input.
    std::int64_t in_fifo(std::int64_t frame) const { return input_fifo / frame; }
    /// Returns the longest burst, in frames, that loses nothing.
    std::int64_t longest(std::int64_t frame, const StreamAndBurst& test) const;

    /// Returns "shared-cells", "shared-bytes-descriptors", …; "shared-frames" if descriptors are the only limit.
    std::string name() const {
        if (!depth) return "shared-frames";
        return std::string(unit == MemorySize::Unit::Cell ? "shared-cells" : "shared-bytes") +
               (descriptors ? "-descriptors" : "");
    }
};

/// Test of a switch: a burst into one port, beside a stream at line rate into another port, fills the queue of an
/// output.
class StreamAndBurst {
  public:
    /// @throws std::invalid_argument if the output is as fast as both inputs, so that nothing is ever lost
    StreamAndBurst(BitRate link, BitRate uplink);

    /// Returns the frames that wait at the end of a burst of this length: two frames arrive per slot, and the output
    /// sends from the second slot on.
    std::int64_t waiting(std::int64_t burst) const {
        return 2 * burst - std::int64_t(Wide{burst - 1} * uplink_ / link_);
    }
    /// Returns the longest burst that does not overflow a queue of `room` frames.
    std::int64_t longest(std::int64_t room) const {
        // Since 2 b - room is whole, 2 b - floor((b - 1) u / l) <= room is equivalent to b (2 l - u) <= room l - u.
        const Wide most = Wide{room} * link_ - uplink_;
        return most < 0 ? 0 : std::int64_t(most / (2 * Wide{link_} - uplink_));
    }
    /// Returns the frames that are lost, of the stream and the end of the burst, until a full queue of `room` frames
    /// has fallen to `resume` frames.
    static std::int64_t drops(std::int64_t room, std::int64_t resume) {
        return std::max<std::int64_t>(1, room - resume);
    }

  private:
    std::int64_t link_, uplink_;
};

/// Resume level: length to which a queue must fall after a drop before it accepts frames again.
struct FittedResume {
    bool immediate = true;  ///< true: one free place is enough
    double fraction = 1;    ///< level as a fraction of the full queue
    double gap = 0;         ///< level as bytes or cells below the full queue, if this explains the drops better; else 0
    /// Returns the level in frames of a queue of `room` frames, each of `cost` bytes or cells.
    std::int64_t frames(std::int64_t room, std::int64_t cost) const {
        if (immediate) return room;
        if (gap > 0) return std::max<std::int64_t>(0, std::int64_t((double(room * cost) - gap) / double(cost)));
        return std::int64_t(fraction * double(room) + 1e-9);
    }
};

/// Grid of the relative scatter of lengths that memory limits: 0 for a simulated switch and many real ones, up to 3 %
/// in Miercom's report 100827.
constexpr std::array<double, 7> kAbsorptionNoises{0, 0.0003, 0.003, 0.007, 0.012, 0.02, 0.03};

/// Point of the grid.
struct AbsorptionPoint {
    AbsorptionModel model;
    double weight = 0;                                            ///< posterior weight, not normalised
    double noise = 0;                                             ///< likeliest relative standard deviation of a length
    std::array<double, kAbsorptionNoises.size()> noise_shares{};  ///< probability of each of kAbsorptionNoises
};

/// Size of a cell and bytes stored with each frame, with their prior probability.
struct CellSize {
    std::int64_t cell = 0, header = 0;  ///< bytes
    double prior = 0;
};
/// Cell sizes that frames of some sizes cannot distinguish, because each frame takes the same number of cells.
struct CellsAlike {
    std::vector<std::int64_t> costs;  ///< cells per frame, in the order of the sizes
    CellSize likeliest;               ///< cell size of the largest prior
    double prior = 0;                 ///< prior probability of all together
    std::vector<CellSize> all;
};
/// Returns all cell sizes of the prior in groups, by ascending costs. @param sizes  sizes of the frames, bytes
std::vector<CellsAlike> cells_alike(const std::vector<std::int64_t>& sizes);

/// Kind of memory, without depth and descriptors, and its log prior.
struct AbsorptionKind {
    AbsorptionModel memory;
    double log_prior = 0;
};
/// Returns the kinds of memory. Kinds that frames of these sizes cannot distinguish count as one.
std::vector<AbsorptionKind> kinds_of(const std::vector<std::int64_t>& sizes);

struct AbsorptionPosterior {
    std::vector<AbsorptionPoint> points;  ///< empty if no point explains the rows even roughly
    double total = 0;                     ///< sum of the weights
};
/// Returns the posterior on a grid. Lengths limited by memory scatter by a small relative noise, which is integrated
/// out. Drops determine which sizes have the same limit.
/// @param kinds  kinds for all sizes to be explained or predicted
AbsorptionPosterior absorption_posterior(const std::vector<BurstTableRow>& rows,
                                         const std::vector<AbsorptionKind>& kinds,
                                         const std::vector<std::int64_t>& sizes, const StreamAndBurst& test);

/// Returns the resume level of the sizes that the model limits by memory, or by descriptors if `by_descriptors`;
/// std::nullopt if no row of such a size has drops.
std::optional<FittedResume> resume_level(const std::vector<BurstTableRow>& rows, const AbsorptionModel& model,
                                         bool by_descriptors, const StreamAndBurst& test);

/// Prior of descriptors beside memory. It is a density of the memory per descriptor in bytes, because makers dimension
/// both for each other: descriptors limit smaller frames, memory limits larger ones.
struct BalancePrior {
    /// Prior probability that a switch limits the number of frames: three of five do in Miercom's report 100827.
    static constexpr double kDescriptors = 0.4;

    /// Returns the density per unit of ln(bytes per descriptor).
    static double density(double bytes);
    /// Returns the probability of fewer bytes per descriptor than `bytes`.
    static double below(double bytes);
};

// The limits of one switch from its burst-absorption table.

struct AbsorptionCandidate {
    std::string name;
    bool feasible = false;  ///< true if it explains every length to the frame
    double probability = 0;
    AbsorptionModel model;  ///< point of the largest weight
};

/// Prediction for one frame size from all other sizes (cross-validation).
struct AbsorptionPrediction {
    std::int64_t frame = 0;  ///< size of the frame, bytes
    /// Longest lossless burst, frames; given if it is right within 5 % with a probability of 80 %, and within a factor
    /// of 1.5 with 95 %.
    std::optional<std::int64_t> lossless;
    Interval interval95;                ///< interval of the length that would be measured, frames; empty without others
    std::optional<std::int64_t> drops;  ///< frames lost if the burst is one frame longer
    std::string undetermined;           ///< reason why `lossless` is missing, or empty
    std::string drops_undetermined;     ///< reason why `drops` is missing, or empty
};

struct AbsorptionFit {
    std::optional<std::string> name;  ///< name of the switch
    std::vector<BurstTableRow> rows;
    FitStatus status = FitStatus::Separated;
    AbsorptionModel model;  ///< likeliest model
    double noise = 0;       ///< relative scatter of the lengths about the model
    Estimate depth;         ///< bytes or cells; frames if only descriptors are a limit
    Estimate descriptors;   ///< frames
    Interval cell;          ///< range of cell sizes that the frame sizes cannot distinguish, bytes
    Interval header;        ///< range of headers that the frame sizes cannot distinguish, bytes
    std::optional<FittedResume> memory_resume, descriptor_resume;
    std::vector<AbsorptionCandidate> candidates;    ///< by falling probability
    std::vector<int> binding;                       ///< rows that bound the exact interval of depth, or of descriptors
    std::vector<int> violating;                     ///< rows that the model misses by more than 5 % and two frames
    std::vector<AbsorptionPrediction> predictions;  ///< by rising frame size

    MemorySize::Unit depth_unit() const { return model.depth ? model.unit : MemorySize::Unit::Frame; }
};

AbsorptionFit fit_absorption(const BurstTable::Part& part, const StreamAndBurst& test);

}  // namespace watershed
