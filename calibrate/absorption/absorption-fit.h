// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/model-fit.h"
#include "model/base/quantities.h"
#include "scenarios/text/csv.h"

/// What bounds the frames that wait for one congested output (memory, descriptors, and a small FIFO at the input), and
/// what the longest lossless bursts of one switch say about it, as weights on a deterministic grid.
namespace watershed {

/// One frame size of a burst-absorption table, as testers of switches publish them (RFC 2544 and RFC 9004 back-to-back
/// style): a stream at line rate into one port, a burst into a second port of the same speed, both to one output.
struct BurstTableRow {
    int row = 0;  ///< data row of the file, from 1
    int line = 0;
    std::int64_t frame = 0;             ///< whole Ethernet frame, FCS included, bytes
    std::int64_t lossless = 0;          ///< longest burst without loss, frames
    std::optional<std::int64_t> drops;  ///< frames lost when the burst is one frame longer, where that was noted
};

struct BurstTable {
    struct Part {
        std::optional<std::string> name;  ///< of the switch, where there is a column `switch`
        std::vector<BurstTableRow> rows;
    };
    std::vector<Part> parts;  ///< in the order in which the switches appear
};

/// Whether the header has `frame_bytes`, by which such a table is told from a loss map.
inline bool is_burst_table(const CsvTable& table) { return table.find_column("frame_bytes").has_value(); }

/// Columns: frame_bytes, max_burst_lossless_frames (or lossless), and, where there are, drops_at_burst_plus_1 (or
/// drops) and switch.
/// @throws InputError with file, line and column
BurstTable burst_table_from(const CsvTable& table);

class StreamAndBurst;

/// How a switch stores the frames of one output.
struct AbsorptionModel {
    MemorySize::Unit unit = MemorySize::Unit::Byte;  ///< of the memory: bytes or cells
    std::int64_t cell = 1;                           ///< bytes
    std::int64_t header = 0;                         ///< bytes stored with each frame
    std::optional<std::int64_t> depth;               ///< in bytes or cells; nothing where memory never was the limit
    std::optional<std::int64_t> descriptors;         ///< frames
    std::int64_t input_fifo = 0;                     ///< bytes of the burst that wait in front of a full memory
    bool release_at_start = false;                   ///< the frame on its way out takes no room any more

    std::int64_t cost(std::int64_t frame) const { return ceil_div(frame + header, cell); }
    /// Whether descriptors run out before the memory does.
    bool by_descriptors(std::int64_t frame) const {
        return descriptors && (!depth || *descriptors <= *depth / cost(frame));
    }
    /// Frames that a full memory holds. Some limit must be there.
    std::int64_t held(std::int64_t frame) const { return by_descriptors(frame) ? *descriptors : *depth / cost(frame); }
    /// Frames on the way out that take no room.
    std::int64_t leaving() const { return release_at_start ? 1 : 0; }
    /// Frames that have come and not left when the memory is full.
    std::int64_t room(std::int64_t frame) const { return held(frame) + leaving(); }
    std::int64_t in_fifo(std::int64_t frame) const { return input_fifo / frame; }
    /// The longest burst that loses nothing.
    std::int64_t longest(std::int64_t frame, const StreamAndBurst& test) const;

    /// "shared-cells", "shared-bytes-descriptors", …; "shared-frames" where descriptors are the only limit.
    std::string name() const {
        if (!depth) return "shared-frames";
        return std::string(unit == MemorySize::Unit::Cell ? "shared-cells" : "shared-bytes") +
               (descriptors ? "-descriptors" : "");
    }
};

/// How a burst beside a stream at line rate fills the queue.
class StreamAndBurst {
  public:
    /// @throws std::invalid_argument if the output is as fast as both inputs, so that nothing is ever lost
    StreamAndBurst(BitRate link, BitRate uplink);

    /// Frames that wait at the end of a burst of this length: two arrive in each slot, and from the second slot on the
    /// output sends.
    std::int64_t waiting(std::int64_t burst) const {
        return 2 * burst - std::int64_t(Wide{burst - 1} * uplink_ / link_);
    }
    /// The longest burst that room for so many frames takes.
    std::int64_t longest(std::int64_t room) const {
        // 2 b - floor((b - 1) u / l) <= room exactly when b (2 l - u) <= room l - u, because 2 b - room is a whole
        // number.
        const Wide most = Wide{room} * link_ - uplink_;
        return most < 0 ? 0 : std::int64_t(most / (2 * Wide{link_} - uplink_));
    }
    /// Frames of the stream, and the burst's last, that are lost until a full queue of `room` has fallen to `resume`.
    static std::int64_t drops(std::int64_t room, std::int64_t resume) {
        return std::max<std::int64_t>(1, room - resume);
    }

  private:
    std::int64_t link_, uplink_;
};

/// How far the queue must fall after a drop: the refused share of a full queue, or an amount of memory.
struct FittedResume {
    bool immediate = true;  ///< a place free is enough
    double fraction = 1;    ///< of the full queue
    double gap = 0;         ///< bytes or cells below the full queue, where that explains the drops better; else 0
    /// Frames that a queue of `room` frames, each of `cost`, keeps when it takes frames again.
    std::int64_t frames(std::int64_t room, std::int64_t cost) const {
        if (immediate) return room;
        if (gap > 0) return std::max<std::int64_t>(0, std::int64_t((double(room * cost) - gap) / double(cost)));
        return std::int64_t(fraction * double(room) + 1e-9);
    }
};

/// Relative scatter of a length that memory limits: none for a simulated switch and many a real one, up to 3 % in the
/// Miercom report.
constexpr std::array<double, 7> kAbsorptionNoises{0, 0.0003, 0.003, 0.007, 0.012, 0.02, 0.03};

/// One point of the grid.
struct AbsorptionPoint {
    AbsorptionModel model;
    double weight = 0;  ///< not normalised
    double noise = 0;   ///< relative standard deviation of a length, the likeliest
    std::array<double, kAbsorptionNoises.size()> noise_shares{};  ///< probability of each noise here
};

/// A size of cells, the bytes that are stored with each frame, and how likely they are before anything is measured.
struct CellSize {
    std::int64_t cell = 0, header = 0;
    double prior = 0;
};
/// Those of which frames of some sizes take as many cells: no such frame tells them apart.
struct CellsAlike {
    std::vector<std::int64_t> costs;  ///< of the sizes, in their order
    CellSize likeliest;
    double prior = 0;  ///< of all
    std::vector<CellSize> all;
};
/// All that are thought of. By rising costs.
std::vector<CellsAlike> cells_alike(const std::vector<std::int64_t>& sizes);

/// A kind of memory, without its amounts, and how likely it is before anything is measured.
struct AbsorptionKind {
    AbsorptionModel memory;
    double log_prior = 0;
};
/// Kinds that no frame of these sizes tells apart count as one.
std::vector<AbsorptionKind> kinds_of(const std::vector<std::int64_t>& sizes);

struct AbsorptionPosterior {
    std::vector<AbsorptionPoint> points;  ///< empty if nothing explains the rows even roughly
    double total = 0;                     ///< their weight
};
/// Returns the posterior on a grid. Lengths limited by memory scatter by a small relative noise, which is integrated
/// out; drops tell which sizes share a limit.
/// @param kinds  for all sizes to be explained or predicted
AbsorptionPosterior absorption_posterior(const std::vector<BurstTableRow>& rows,
                                         const std::vector<AbsorptionKind>& kinds,
                                         const std::vector<std::int64_t>& sizes, const StreamAndBurst& test);

/// Resume levels of the sizes that this model limits by memory, or by descriptors; nothing where no row of that kind
/// tells.
std::optional<FittedResume> resume_level(const std::vector<BurstTableRow>& rows, const AbsorptionModel& model,
                                         bool by_descriptors, const StreamAndBurst& test);

/// Prior of a limit on the number of frames beside memory. Memory and descriptors of one switch are dimensioned for
/// each other: likely is the memory per descriptor in bytes. Smaller frames are limited by descriptors, larger ones by
/// memory.
struct BalancePrior {
    /// That a switch limits the number of frames at all: three of the five of Miercom's report 100827 do.
    static constexpr double kDescriptors = 0.4;

    /// Per factor e of memory for each descriptor.
    static double density(double bytes);
    /// That there are fewer bytes of memory for each descriptor than these.
    static double below(double bytes);
};

// The limits of one switch from its burst-absorption table.

struct AbsorptionCandidate {
    std::string name;
    bool feasible = false;  ///< explains every length to the frame
    double probability = 0;
    AbsorptionModel model;  ///< its best point
};

/// What the other frame sizes say about one.
struct AbsorptionPrediction {
    std::int64_t frame = 0;
    std::optional<std::int64_t> lossless;  ///< there if it is 80 % sure to be right to 5 %, and 95 % to a factor 1.5
    Interval interval95;  ///< frames, of the length that would be measured; nothing where no other size is
    std::optional<std::int64_t> drops;
    std::string undetermined;        ///< why `lossless` is missing, or empty
    std::string drops_undetermined;  ///< why `drops` is missing, or empty
};

struct AbsorptionFit {
    std::optional<std::string> name;  ///< of the switch
    std::vector<BurstTableRow> rows;
    FitStatus status = FitStatus::Separated;
    AbsorptionModel model;
    double noise = 0;  ///< relative scatter of the lengths about the model
    Estimate depth;    ///< bytes, cells, or frames where only descriptors are a limit
    Estimate descriptors;
    Interval cell;    ///< bytes, those that the frame sizes do not tell apart
    Interval header;  ///< the same
    std::optional<FittedResume> memory_resume, descriptor_resume;
    std::vector<AbsorptionCandidate> candidates;    ///< by falling probability
    std::vector<int> binding;                       ///< rows that bound the exact interval of depth, or of descriptors
    std::vector<int> violating;                     ///< rows that the model misses by more than 5 % and two frames
    std::vector<AbsorptionPrediction> predictions;  ///< by rising frame size

    MemorySize::Unit depth_unit() const { return model.depth ? model.unit : MemorySize::Unit::Frame; }
};

AbsorptionFit fit_absorption(const BurstTable::Part& part, const StreamAndBurst& test);

}  // namespace watershed
