// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/queue-model.h"

/// The exact set of depths and service rates that explain every burst of a map.
namespace watershed {

// What one burst says of depth and service rate, as lines in their plane, and exact clipping in it: every burst of a
// loss map allows one side of a line.

/// All (x, y) with a x + b y >= c.
struct HalfPlane {
    double a = 0, b = 0, c = 0;

    /// How far inside (x, y) lies, in the unit of c.
    double margin(double x, double y) const { return a * x + b * y - c; }
};

/// A convex polygon, corners counter-clockwise; no corners when it is empty.
class ConvexPolygon {
  public:
    struct Corner {
        double x = 0, y = 0;
    };
    struct Range {
        double least = 0, most = 0;
    };

    static ConvexPolygon rectangle(double x_low, double x_high, double y_low, double y_high) {
        ConvexPolygon polygon;
        polygon.corners_ = {{x_low, y_low}, {x_high, y_low}, {x_high, y_high}, {x_low, y_high}};
        return polygon;
    }

    /// Keeps what lies inside the half-plane. Corners within `tolerance` (in the unit of c) of its line count as
    /// inside.
    void clip(const HalfPlane& side, double tolerance) {
        // A corner that this very line made before must not be cut again because of its last bits.
        constexpr double kOnTheLine = 1e-3;
        const auto margin = [&](const Corner& corner) {
            const double inside = side.margin(corner.x, corner.y) + tolerance;
            return std::abs(inside) <= kOnTheLine * tolerance ? 0 : inside;
        };
        if (boost::algorithm::all_of(corners_, [&](const Corner& corner) { return margin(corner) >= 0; })) return;
        // Sutherland and Hodgman: walk the edges, keep what is inside, cut where the line is crossed.
        std::vector<Corner> kept;
        kept.reserve(corners_.size() + 1);
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            const Corner& here = corners_[i];
            const Corner& next = corners_[(i + 1) % corners_.size()];
            const double from = margin(here), to = margin(next);
            if (from >= 0) kept.push_back(here);
            if ((from >= 0) == (to >= 0)) continue;
            const double share = from / (from - to);
            kept.push_back({here.x + share * (next.x - here.x), here.y + share * (next.y - here.y)});
        }
        const auto same = [](const Corner& a, const Corner& b) {
            constexpr double kLastBits = 1e-14;
            return std::abs(a.x - b.x) <= kLastBits * std::abs(a.x) && std::abs(a.y - b.y) <= kLastBits * std::abs(a.y);
        };
        // Of equal corners the last stays.
        std::vector<Corner> distinct;
        for (const Corner& corner : kept) {
            if (!distinct.empty() && same(distinct.back(), corner)) distinct.pop_back();
            distinct.push_back(corner);
        }
        if (distinct.size() > 1 && same(distinct.back(), distinct.front())) distinct.pop_back();
        kept.swap(distinct);
        corners_ = kept.size() < 3 ? std::vector<Corner>() : std::move(kept);
    }

    bool empty() const { return corners_.empty(); }
    const std::vector<Corner>& corners() const { return corners_; }
    /// Least and largest a x + b y over the polygon, which must not be empty.
    Range range(double a, double b) const {
        Range range{a * corners_[0].x + b * corners_[0].y, a * corners_[0].x + b * corners_[0].y};
        for (const Corner& corner : corners_) {
            const double value = a * corner.x + b * corner.y;
            range.least = std::min(range.least, value);
            range.most = std::max(range.most, value);
        }
        return range;
    }

  private:
    std::vector<Corner> corners_;
};

/// Half-planes in (depth, service rate in bit/s of one uplink) that contain every pair which explains the burst, as far
/// as they hold over the whole of `known`. `all` says whether nothing was left out for that reason. The constants are
/// in frames. With one uplink and depth in frames they are exact (whole depths).
struct BurstBounds {
    std::vector<HalfPlane> sides;
    bool all = true;
    double slack = 0;  ///< frames by which the exact condition may cut deeper than the half-planes do
};
BurstBounds burst_bounds(const QueueModel& model, const Burst& burst, const ConvexPolygon& known);

/// Where to search: limits in the units of depth and in bit/s of one uplink, both ends included.
struct SearchBox {
    std::int64_t depth_low = 1, depth_high = 1;
    double rate_low = 0, rate_high = 1;
    double slowest = HUGE_VAL;  ///< bit/s, of an output that the bursts suggest
    bool depth_known = false;   ///< the box is a statement, not an end of the search
    bool rate_known = false;
    bool depth_bounded = false;  ///< what lies beyond the box is excluded, not merely without effect
    bool rate_bounded = false;
    std::size_t most_steps = 30'000;  ///< depths tried until one is feasible

    /// The slowest output that a fit looks for: a thousandth of what the densest burst offers, or the slowest that the
    /// bursts suggest, if that is less.
    double least_rate() const { return std::max(rate_low, std::min(1e-3 * rate_high, slowest)); }
};

/// A box beyond which neither depth nor rate changes the outcome of any of these bursts.
SearchBox search_box(const QueueModel& model, const std::vector<Burst>& bursts);

/// Depths that all bursts see as the same number of frames, and the service rates feasible with them.
struct DepthSlice {
    std::int64_t first = 0, last = 0;
    double weight = 1;     ///< depths it stands for; more than its own where slices were sampled
    double rate_low = 0;   ///< bit/s, included
    double rate_high = 0;  ///< bit/s, not included
};

struct FeasibleRegion {
    std::vector<DepthSlice> slices;  ///< by rising depth; empty when nothing explains all bursts, or there are none
    std::int64_t depth_low = 0;      ///< included
    std::int64_t depth_high = 0;     ///< included
    double rate_low = 0, rate_high = 0;
    bool depth_open = false;   ///< no burst limits the depth from above
    bool rate_open = false;    ///< no burst limits the rate from above
    std::vector<int> binding;  ///< rows without which the region would be larger, ascending

    /// Share of the search box that is feasible. A memory per input has depths that come in steps of as many frames as
    /// there are inputs; that one such step happens to fit is no merit and does not count as a whole step.
    double share = 0;

    bool feasible() const { return !slices.empty(); }
    /// The ends of the slices.
    void take_depths() { depth_low = slices.front().first, depth_high = slices.back().last; }
};

/// Works through the half-planes of all bursts, then slice by slice through the depths that are left. No bursts have no
/// region: what explains nothing is no explanation.
FeasibleRegion feasible_region(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box);

/// Where to search, narrowed by what is known. A map may come from a simulation that rounds what a frame lasts up to
/// whole picoseconds, which is a rate a little lower than the one that is known.
SearchBox known_box(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options);

}  // namespace watershed
