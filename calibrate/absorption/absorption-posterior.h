// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <boost/range/algorithm.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
bool is_burst_table(const CsvTable& table);

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
    std::string name() const;
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
    std::int64_t longest(std::int64_t room) const;
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
    std::int64_t frames(std::int64_t room, std::int64_t cost) const;
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

/// Lengths that memory limits scatter by a small relative noise, which is integrated over; all lengths are rounded to
/// frames. Drops tell which sizes share a limit.
class AbsorptionPosterior {
  public:
    /// A kind of memory, without its amounts, and how likely it is before anything is measured.
    struct Kind {
        AbsorptionModel memory;
        double log_prior = 0;
    };
    /// Kinds that no frame of these sizes tells apart count as one.
    static std::vector<Kind> kinds_of(const std::vector<std::int64_t>& sizes);

    /// @param rows  those to be explained
    /// @param kinds for all frame sizes that are to be explained or predicted
    /// @param sizes these
    AbsorptionPosterior(const std::vector<BurstTableRow>& rows, const std::vector<Kind>& kinds,
                        const std::vector<std::int64_t>& sizes, const StreamAndBurst& test);

    /// Empty if nothing explains the rows even roughly.
    const std::vector<AbsorptionPoint>& points() const { return points_; }
    double total() const { return total_; }

    /// Rows that descriptors limit: always the smallest frames.
    std::size_t limited_by_descriptors(const AbsorptionModel& model) const;
    /// Resume levels of the sizes that this model limits by memory, or by descriptors; nothing where no row of that
    /// kind tells.
    std::optional<FittedResume> resume(const AbsorptionModel& model, bool by_descriptors) const;

  private:
    struct DropModel {
        std::optional<FittedResume> level;
        double log_evidence = 0;
    };

    /// What a residual of a row costs at each noise.
    struct Row {
        std::int64_t frame = 0;
        std::int64_t waiting = 0;  ///< frames that its longest lossless burst left waiting
        std::vector<double> half_precisions, log_sigmas;
    };

    /// Frames of this row that a memory with such surroundings held.
    static std::int64_t held(const AbsorptionModel& model, const Row& row) {
        return row.waiting - model.in_fifo(row.frame) - model.leaving();
    }
    /// @param model  without amounts: what lies round the memory, and its kind
    void try_descriptors_alone(AbsorptionModel model, double log_prior);
    void try_memory(AbsorptionModel model, double log_prior);
    /// @param in_memory frames of each row that the memory holds
    void add(const AbsorptionModel& model, const std::vector<std::int64_t>& in_memory, double log_prior);
    DropModel drop_model(const AbsorptionModel& model, bool by_descriptors) const;
    double drop_evidence(const AbsorptionModel& model, std::size_t limited);

    const std::vector<BurstTableRow>& rows_;
    const StreamAndBurst& test_;
    std::vector<Row> table_;
    std::map<std::pair<std::size_t, bool>, double> drop_evidence_;  ///< by rows that descriptors limit, and release
    double most_ = -HUGE_VAL;                                       ///< log weight so far
    std::vector<AbsorptionPoint> points_;
    double total_ = 0;
};

/// What is believed, before a burst-absorption table is read, of a limit on the number of frames beside memory.
///
/// Memory and descriptors of one switch are dimensioned for each other: what is likely is the memory for each
/// descriptor, in bytes. Frames that need less are limited by descriptors, frames that need more by memory. Of a limit
/// that no row shows this says where it may lie.
struct BalancePrior {
    /// That a switch limits the number of frames at all: three of the five of Miercom's report 100827 do.
    static constexpr double kDescriptors = 0.4;

    /// Per factor e of memory for each descriptor.
    static double density(double bytes);
    /// That there are fewer bytes of memory for each descriptor than these.
    static double below(double bytes);
};

}  // namespace watershed
