// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/feasible-region.h"

#include <boost/container/flat_set.hpp>
#include <boost/functional/hash.hpp>
#include <random>
#include <set>
#include <unordered_map>

namespace watershed {
namespace {

/// Relative precision of corners: doubles hold frames of 10^9-frame bursts to a millionth.
constexpr double kRegionTolerance = 1e-9;
/// Slices are evaluated about this often at most, times bursts.
constexpr std::size_t kEvaluations = 4'000'000;
constexpr std::size_t kMostSlices = 4000;

using Kind = std::array<std::int64_t, 7>;

/// The bursts that matter: of those that only tell whether frames were lost, the longest lossless and the shortest
/// lossy one of each kind and separation, from which the others follow; of counted ones one of each.
std::vector<const Burst*> decisive(const std::vector<Burst>& bursts) {
    std::unordered_map<Kind, std::size_t, boost::hash<Kind>> places(bursts.size());
    std::vector<const Burst*> chosen;
    for (const Burst& burst : bursts) {
        const bool counted = burst.loss_counted(), peak = burst.peak.has_value();
        const std::int64_t events = counted ? burst.events : -1, lost = counted ? burst.lost : burst.lossy;
        const Kind kind{burst.ports, burst.uplinks, burst.payload, burst.spacing.count(), events, lost, peak};
        const auto [place, added] = places.try_emplace(kind, chosen.size());
        if (added) {
            chosen.push_back(&burst);
            continue;
        }
        const Burst*& extreme = chosen[place->second];
        if (!counted && (burst.lossy ? burst.events < extreme->events : burst.events > extreme->events))
            extreme = &burst;
    }
    // In the order of separations each half-plane would cut another sliver off a polygon of ever more corners; in
    // random order the polygon is small at once and most bursts do not touch it.
    std::shuffle(chosen.begin(), chosen.end(), std::mt19937_64(1));
    return chosen;
}

/// Work on one map: its decisive bursts, the clipped polygon, and the bursts that still matter inside it.
class Search {
  public:
    Search(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box)
        : model_(model),
          bursts_(decisive(bursts)),
          box_(box),
          polygon_(ConvexPolygon::rectangle(double(box.depth_low), double(box.depth_high) + 1,
                                            box.rate_low * (1 - kRegionTolerance),
                                            box.rate_high * (1 + kRegionTolerance))) {
        for (const Burst* burst : bursts_) {
            wires_.insert(burst->wire);
            costs_.insert(model_.cost(*burst));
        }
    }

    FeasibleRegion run() {
        FeasibleRegion region;
        clip_all();
        if (polygon_.empty()) return region;
        keep_relevant();
        enumerate(region);
        if (region.feasible()) summarise(region);
        return region;
    }

    /// A polygon that contains the region, without the slices.
    ConvexPolygon hull() {
        clip_all();
        return polygon_;
    }

  private:
    /// A simulation may round what a frame lasts up to whole picoseconds: over several frame sizes no single rate is
    /// exact to better than this.
    double rounding(const Burst& burst, double rate) const {
        return wires_.size() > 1 ? rate / bit_picoseconds(burst.wire) : 0;
    }

    void clip_by(const Burst& burst, const BurstBounds& bounds) {
        for (HalfPlane side : bounds.sides) {
            side.b *= side.b > 0 ? 1 + rounding(burst, box_.rate_high) : 1 - rounding(burst, box_.rate_high);
            polygon_.clip(side, kRegionTolerance * std::max(1.0, std::abs(side.c)));
            if (polygon_.empty()) return;
        }
    }

    void clip_all() {
        for (const Burst* burst : bursts_)
            if (!burst->lossy && !polygon_.empty()) clip_by(*burst, burst_bounds(model_, *burst, polygon_));
        // A lossy burst whose half-plane is not certain yet may become so once others have clipped.
        std::vector<const Burst*> waiting;
        for (const Burst* burst : bursts_)
            if (burst->lossy) waiting.push_back(burst);
        for (std::size_t before = waiting.size() + 1; before > waiting.size() && !polygon_.empty();) {
            before = waiting.size();
            std::vector<const Burst*> still;
            for (const Burst* burst : waiting) {
                if (polygon_.empty()) return;
                const BurstBounds bounds = burst_bounds(model_, *burst, polygon_);
                clip_by(*burst, bounds);
                if (!bounds.all) still.push_back(burst);
            }
            waiting.swap(still);
        }
    }

    void keep_relevant() {
        for (const Burst* burst : bursts_) {
            const BurstBounds bounds = burst_bounds(model_, *burst, polygon_);
            const double reach =
                bounds.slack + burst->drain() * box_.rate_high * rounding(*burst, box_.rate_high) + 1e-6;
            const bool cuts = boost::algorithm::any_of(bounds.sides, [&](const HalfPlane& side) {
                return polygon_.range(side.a, side.b).least - side.c < reach;
            });
            if (cuts || !bounds.all) relevant_.push_back(burst);
        }
    }

    std::int64_t slice_start(std::int64_t depth) const {
        std::int64_t start = box_.depth_low;
        for (const std::int64_t cost : costs_) start = std::max(start, depth / cost * cost);
        return start;
    }
    std::int64_t slice_end(std::int64_t depth) const {
        std::int64_t end = box_.depth_high;
        for (const std::int64_t cost : costs_) end = std::min(end, (depth / cost + 1) * cost - 1);
        return end;
    }

    /// Limits of the rate by the bursts of one frame size.
    struct Rates {
        double low = 0, high = HUGE_VAL;
        int low_row = 0, high_row = 0;
    };

    /// The rates feasible at this depth; an empty interval where there are none. Adds the rows that limit it to
    /// `binding`.
    DepthSlice slice_at(std::int64_t depth, std::set<int>& binding) {
        DepthSlice slice{slice_start(depth), slice_end(depth), 0, box_.rate_low, box_.rate_high};
        slice.weight = double(slice.last - slice.first + 1);
        const DepthSlice none{slice.first, slice.last, 0, 0, -1};
        std::vector<Rates> by_wire(wires_.size());
        Rates all;
        for (std::size_t i = 0; i < relevant_.size(); ++i) {
            const Burst* burst = relevant_[i];
            const auto range = drain_range(model_, *burst, model_.room(*burst, depth));
            if (!range) {
                binding.insert(burst->row);
                return none;
            }
            Rates& mine = by_wire[wires_.index_of(wires_.find(burst->wire))];
            const double drain = burst->drain();
            if (range->least > 0) {
                const double low = double(range->least) / drain, loose = low * (1 - rounding(*burst, low));
                if (low > mine.low) mine.low = low, mine.low_row = burst->row;
                if (loose > all.low) all.low = loose, all.low_row = burst->row;
            }
            if (range->most != kNoLimit && drain > 0) {
                const double high = double(range->most + 1) / drain, loose = high * (1 + rounding(*burst, high));
                if (high < mine.high) mine.high = high, mine.high_row = burst->row;
                if (loose < all.high) all.high = loose, all.high_row = burst->row;
            }
            const Rates& conflict = below(mine.low, mine.high) ? all : mine;
            if (!below(conflict.low, conflict.high)) {
                binding.insert(conflict.low_row);
                binding.insert(conflict.high_row);
                // The burst that excludes this depth most likely excludes the next one, too: it is asked first.
                std::rotate(relevant_.begin(), relevant_.begin() + std::ptrdiff_t(i),
                            relevant_.begin() + std::ptrdiff_t(i) + 1);
                return none;
            }
        }
        if (all.low > slice.rate_low) slice.rate_low = all.low, binding.insert(all.low_row);
        if (!below(slice.rate_low, all.high)) {  // ends of a known rate count as measured
            binding.insert(all.high_row);
            return none;
        }
        if (all.high <= slice.rate_high) slice.rate_high = all.high, binding.insert(all.high_row);
        return slice;
    }

    /// Strictly, beyond what the last bits of a quotient say.
    static bool below(double low, double high) { return low < high * (1 - 1e-14); }

    static bool possible(const DepthSlice& slice) { return slice.rate_low <= slice.rate_high; }

    /// The highest possible depth, one being so. Far below the end only some are asked: a piece that lies between them
    /// is not found.
    std::int64_t last_possible(std::int64_t bottom, std::int64_t top) {
        std::set<int> ignored;
        for (std::size_t steps = box_.most_steps; steps > 0; --steps, top = slice_start(top) - 1)
            if (possible(slice_at(top, ignored))) return top;
        const std::int64_t stride = (top - bottom) / std::int64_t(kMostSlices) + 1;
        std::int64_t some = top;
        while (some > bottom && !possible(slice_at(some, ignored))) some -= stride;
        top = std::min(top, std::max(some, bottom) + stride - 1);
        while (!possible(slice_at(top, ignored))) top = slice_start(top) - 1;
        return top;
    }

    void enumerate(FeasibleRegion& region) {
        const auto depths = polygon_.range(1, 0);
        const auto low = std::max(box_.depth_low, std::int64_t(std::ceil(depths.least - 1e-6)));
        const auto high = std::min(box_.depth_high, std::int64_t(std::floor(depths.most + 1e-6)));
        const std::size_t budget = std::clamp<std::size_t>(kEvaluations / (relevant_.size() + 1), 32, kMostSlices);
        // The ends of the region are found exactly, slice by slice; what lies between may be sampled.
        std::int64_t bottom = low;
        std::size_t steps = box_.most_steps;
        std::set<int> ignored;
        while (bottom <= high && !possible(slice_at(bottom, ignored)) && --steps > 0) bottom = slice_end(bottom) + 1;
        if (bottom > high || steps == 0) return;
        const std::int64_t top = last_possible(bottom, high);
        // Bursts that exclude the neighbours of the region bind, too.
        std::set<int> binding;
        if (slice_start(bottom) > box_.depth_low) slice_at(slice_start(bottom) - 1, binding);
        if (slice_end(top) < box_.depth_high) slice_at(slice_end(top) + 1, binding);
        double slices = 0;
        for (const std::int64_t cost : costs_) slices += double(top - bottom) / double(cost) + 1;
        const bool all = slices <= double(budget);
        for (std::int64_t depth = bottom; all && depth <= top; depth = slice_end(depth) + 1)
            add(region, slice_at(depth, binding));
        const double step = double(top - bottom) / double(budget - 1);
        for (std::size_t i = 0; !all && i < budget; ++i) {
            DepthSlice slice = slice_at(i + 1 == budget ? top : bottom + std::int64_t(step * double(i)), binding);
            slice.weight = step;
            add(region, slice);
        }
        region.binding.assign(binding.begin(), binding.end());
    }

    static void add(FeasibleRegion& region, const DepthSlice& slice) {
        if (possible(slice)) region.slices.push_back(slice);
    }

    void summarise(FeasibleRegion& region) {
        region.take_depths();
        region.rate_low = box_.rate_high;
        double share = 0, depths = 0;
        for (const DepthSlice& slice : region.slices) {
            region.rate_low = std::min(region.rate_low, slice.rate_low);
            region.rate_high = std::max(region.rate_high, slice.rate_high);
            share += slice.weight * (box_.rate_high > box_.rate_low
                                         ? (slice.rate_high - slice.rate_low) / (box_.rate_high - box_.rate_low)
                                         : 1);
            depths += slice.weight;
        }
        double inputs = 0;
        for (const Burst* burst : bursts_) inputs += double(model_.memories(*burst)) / double(bursts_.size());
        const double steps = std::max(1.0, depths / double(*costs_.begin()));
        region.share = share / double(box_.depth_high - box_.depth_low + 1) * (steps - 1 + 1 / inputs) / steps;
        region.depth_open = region.depth_high >= box_.depth_high && !box_.depth_known && !box_.depth_bounded;
        region.rate_open = region.rate_high >= box_.rate_high && !box_.rate_known && !box_.rate_bounded;
    }

    const QueueModel& model_;
    std::vector<const Burst*> bursts_;
    SearchBox box_;
    ConvexPolygon polygon_;
    std::vector<const Burst*> relevant_;
    boost::container::flat_set<std::int64_t> costs_, wires_;
};

/// Small memories, in which uplinks may fall idle, make the region more than one convex piece: they are searched by
/// themselves.
FeasibleRegion region_in_pieces(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box) {
    std::int64_t pivot = 0;
    for (const Burst& burst : bursts) pivot = std::max(pivot, least_busy_room(model, burst) * model.cost(burst));
    if (pivot <= box.depth_low || pivot > box.depth_high) return Search(model, bursts, box).run();
    SearchBox small = box, large = box;
    small.depth_high = pivot - 1;
    large.depth_low = pivot;
    FeasibleRegion below = Search(model, bursts, small).run(), above = Search(model, bursts, large).run();
    if (!below.feasible() && !above.feasible()) return below;
    const double shares =
        below.share * double(pivot - box.depth_low) + above.share * double(box.depth_high - pivot + 1);
    FeasibleRegion region = below.feasible() ? below : above;
    if (below.feasible() && above.feasible()) {
        region.slices.insert(region.slices.end(), above.slices.begin(), above.slices.end());
        region.rate_low = std::min(below.rate_low, above.rate_low);
        region.rate_high = std::max(below.rate_high, above.rate_high);
        region.rate_open = below.rate_open || above.rate_open;
        std::set<int> binding(below.binding.begin(), below.binding.end());
        binding.insert(above.binding.begin(), above.binding.end());
        region.binding.assign(binding.begin(), binding.end());
    }
    region.take_depths();
    region.depth_open = above.feasible() && above.depth_open;
    region.share = shares / double(box.depth_high - box.depth_low + 1);
    return region;
}

/// Whether a few of very many bursts contradict each other already, as noise makes them.
bool refuted_by_some(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box) {
    constexpr std::size_t kSome = 1000, kMany = 5 * kSome;
    if (bursts.size() < kMany) return false;
    std::vector<Burst> some;
    for (std::size_t i = 0, stride = bursts.size() / kSome; i < bursts.size(); i += stride) some.push_back(bursts[i]);
    return Search(model, some, box).hull().empty();
}

}  // namespace

SearchBox search_box(const QueueModel& model, const std::vector<Burst>& bursts) {
    SearchBox box;
    // If all bursts lose frames, the output may be so slow that it sends one during the longest of them.
    const bool one_sided = boost::algorithm::all_of(bursts, [](const Burst& burst) { return burst.lossy; });
    constexpr int kSlower = 20;  // than the sparsest burst offers
    for (const Burst& burst : bursts) {
        const std::int64_t frames = model.pools() == QueueModel::Pools::Input ? burst.events : burst.fragments();
        box.depth_high =
            std::max(box.depth_high, std::int64_t(double(frames * model.cost(burst)) / model.share_of_pool(burst)));
        const auto inputs = double(model.fullest(burst));
        const double offered = inputs * bit_picoseconds(burst.wire) / double(burst.spacing.count());
        box.rate_high = std::max(box.rate_high, offered);
        if (burst.events < 2) continue;
        box.slowest = std::min(box.slowest, offered / kSlower);
        if (one_sided) box.slowest = std::min(box.slowest, 1 / (burst.uplinks * burst.drain()));
    }
    return box;
}

FeasibleRegion feasible_region(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box) {
    if (bursts.empty() || refuted_by_some(model, bursts, box)) return {};
    const std::int64_t cost = model.cost(bursts.front());
    const bool one_cost =
        boost::algorithm::all_of(bursts, [&](const Burst& burst) { return model.cost(burst) == cost; });
    // A counter of a memory in cells is no whole number of frames' bytes.
    const bool peaks = model.unit == MemorySize::Unit::Cell &&
                       boost::algorithm::any_of(bursts, [](const Burst& burst) { return burst.peak; });
    if (cost == 1 || !one_cost || peaks) return region_in_pieces(model, bursts, box);
    // Frames of one size: a memory in bytes is one in frames with some bytes to spare, and that one is exact.
    QueueModel in_frames = model;
    in_frames.unit = MemorySize::Unit::Frame;
    SearchBox frames = box;
    frames.depth_low = std::max<std::int64_t>(1, box.depth_low / cost);
    frames.depth_high = box.depth_high / cost;
    FeasibleRegion region = region_in_pieces(in_frames, bursts, frames);
    for (DepthSlice& slice : region.slices) {
        slice.first = std::max(slice.first * cost, box.depth_low);
        slice.last = std::min(slice.last * cost + cost - 1, box.depth_high);
        slice.weight *= box.depth_known ? 1 : double(cost);
    }
    if (region.feasible()) region.take_depths();
    return region;
}

SearchBox known_box(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options) {
    SearchBox box = search_box(model, bursts);
    if (options.depth) {
        box.depth_low = box.depth_high = options.depth->amount;
        box.depth_known = true;
    }
    if (options.depth_bounds) {
        box.depth_low = options.depth_bounds->first.amount;
        box.depth_high = options.depth_bounds->second.amount;
        box.depth_bounded = true;
    }
    if (options.service_rate_bounds) {
        box.rate_low = double(options.service_rate_bounds->first.count);
        box.rate_high = double(options.service_rate_bounds->second.count) * (1 + 1e-12);
        box.rate_bounded = true;
    }
    if (options.service_rate) {
        const double rate = double(options.service_rate->count);
        double loosest = 0;
        for (const Burst& burst : bursts) {
            const double slot = bit_picoseconds(burst.wire) / rate;
            loosest = std::max(loosest, 1 - slot / std::ceil(slot - 1e-6));
        }
        constexpr double kRegionTolerance = 1e-12;  // relative; quotients within it may reach the limit
        box.rate_low = rate * (1 - loosest);
        box.rate_high = rate * (1 + kRegionTolerance);
        box.rate_known = true;
    }
    return box;
}

}  // namespace watershed
