// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/queue-model.h"

/// Exact set of depths and service rates that explain every burst of a map.
namespace watershed {

// Half-planes in the plane of depth and service rate, and exact clipping of polygons: a burst allows one side of a
// line.

/// Half-plane: all (x, y) with a x + b y >= c.
struct HalfPlane {
    double a = 0, b = 0, c = 0;

    /// Returns a x + b y - c, which is not negative inside the half-plane.
    double margin(double x, double y) const { return a * x + b * y - c; }
};

/// Convex polygon with its corners in counter-clockwise order; an empty one has no corners.
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

    /// Intersects the polygon with a half-plane. Corners within `tolerance` (in the unit of c) of its line count as
    /// inside.
    void clip(const HalfPlane& side, double tolerance) {
        // Rounding must not cut a corner again that an earlier cut by this line made.
        constexpr double kOnTheLine = 1e-3;
        const auto margin = [&](const Corner& corner) {
            const double inside = side.margin(corner.x, corner.y) + tolerance;
            return std::abs(inside) <= kOnTheLine * tolerance ? 0 : inside;
        };
        if (boost::algorithm::all_of(corners_, [&](const Corner& corner) { return margin(corner) >= 0; })) return;
        // Sutherland and Hodgman (Communications of the ACM 17, 1974): walk the edges, keep corners inside, add
        // crossings.
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
        // Keep the last of equal corners.
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
    /// Returns the least and the largest a x + b y over the polygon. @pre not empty()
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

/// Half-planes in (depth, service rate of one uplink in bit/s) that contain every pair which explains a burst. Their
/// constants c are in frames. They are exact, for whole depths, with one uplink and depth in frames.
struct BurstBounds {
    std::vector<HalfPlane> sides;  ///< half-planes that hold over the whole known polygon
    bool all = true;               ///< false if a half-plane was left out, because it holds over a part of it only
    double slack = 0;              ///< frames by which the exact condition may cut deeper than the half-planes do
};
/// Returns the half-planes of a burst. @param known  polygon that contains all feasible pairs
BurstBounds burst_bounds(const QueueModel& model, const Burst& burst, const ConvexPolygon& known);

/// Range of the search; all ends are included.
struct SearchBox {
    std::int64_t depth_low = 1, depth_high = 1;  ///< in the unit of depth
    double rate_low = 0, rate_high = 1;          ///< rate of one uplink, bit/s
    double slowest = HUGE_VAL;                   ///< slowest rate that the bursts suggest, bit/s
    bool depth_known = false;                    ///< true if the depth is given by the user
    bool rate_known = false;                     ///< true if the rate is given by the user
    bool depth_bounded = false;       ///< true if depths beyond the box are excluded, not merely without effect
    bool rate_bounded = false;        ///< true if rates beyond the box are excluded, not merely without effect
    std::size_t most_steps = 30'000;  ///< largest number of depths to try until one is feasible

    /// Returns the slowest rate that a fit considers, bit/s: a thousandth of `rate_high`, or `slowest` if that is less.
    double least_rate() const { return std::max(rate_low, std::min(1e-3 * rate_high, slowest)); }
};

/// Returns a box beyond which neither depth nor rate changes the outcome of any of these bursts.
SearchBox search_box(const QueueModel& model, const std::vector<Burst>& bursts);

/// Depths that hold the same number of frames of every burst, and the service rates that are feasible with them.
struct DepthSlice {
    std::int64_t first = 0, last = 0;  ///< both included
    double weight = 1;     ///< number of depths that it represents; more than its own if slices were sampled
    double rate_low = 0;   ///< bit/s, included
    double rate_high = 0;  ///< bit/s, not included
};

struct FeasibleRegion {
    std::vector<DepthSlice> slices;  ///< by rising depth; empty if no pair explains all bursts, or without bursts
    std::int64_t depth_low = 0;      ///< included
    std::int64_t depth_high = 0;     ///< included
    double rate_low = 0, rate_high = 0;
    bool depth_open = false;   ///< true if no burst limits the depth from above
    bool rate_open = false;    ///< true if no burst limits the rate from above
    std::vector<int> binding;  ///< rows without which the region would be larger, ascending

    /// Fraction of the search box that is feasible, 0 to 1. For a memory per input, frames held grow in steps of the
    /// number of inputs; a single step that fits by chance does not count as a whole step.
    double share = 0;

    bool feasible() const { return !slices.empty(); }
    /// Sets `depth_low` and `depth_high` to the ends of the slices.
    void take_depths() { depth_low = slices.front().first, depth_high = slices.back().last; }
};

/// Returns the feasible region: first by the half-planes of all bursts, then exactly, slice by slice, for the remaining
/// depths. Without bursts the region is empty.
FeasibleRegion feasible_region(const QueueModel& model, const std::vector<Burst>& bursts, const SearchBox& box);

/// Returns the search box, narrowed by known values. It allows for a rate slightly below a given one, because
/// simulations round the time of a frame up to whole picoseconds.
SearchBox known_box(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options);

}  // namespace watershed
