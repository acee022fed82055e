// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/feasible-region.h"

namespace watershed {
namespace {

/// Half-planes of one burst as they are found.
class Sides {
  public:
    Sides(const QueueModel& model, const Burst& burst, const ConvexPolygon& known, BurstBounds& bounds)
        : model_(model),
          burst_(burst),
          bounds_(bounds),
          rates_(known.range(0, burst.drain())),
          frame_(model.share_of_pool(burst) / double(model.cost(burst))),
          whole_(model.unit == MemorySize::Unit::Frame && model.share_of_pool(burst) == 1) {}

    /// Rooms times `rooms` and drained frames times `drains` are at least, or less than, so many frames.
    void at_least(double rooms, double drains, double frames) {
        frames -= drains * double(burst_.tolerance);
        // A queue may end a frame above its threshold.
        add(rooms, drains, model_.feature == Feature::DynamicThreshold ? frames - rooms : frames, +1);
        if (descriptors()) bounds_.sides.push_back({0, drains * burst_.drain(), frames - rooms * model_.value});
    }
    /// With descriptors either these or the memory may be less; their union is no half-plane.
    void less_than(double rooms, double drains, double frames) {
        frames += drains * double(burst_.tolerance);
        if (descriptors() && rooms * model_.value + drains * rates_.least < frames)
            bounds_.all = false;
        else
            add(rooms, drains, frames, -1);
    }
    const ConvexPolygon::Range& rates() const { return rates_; }
    double frame() const { return frame_; }
    bool whole() const { return whole_; }

  private:
    bool descriptors() const { return model_.feature == Feature::Descriptors; }
    void add(double rooms, double drains, double frames, int sign) {
        bounds_.sides.push_back({sign * rooms * frame_, sign * drains * burst_.drain(), sign * frames});
    }

    const QueueModel& model_;
    const Burst& burst_;
    BurstBounds& bounds_;
    ConvexPolygon::Range rates_;
    double frame_;
    bool whole_;  ///< else room is depth / cost rounded down
};

/// Uplinks that share one memory: its largest occupancy is convex in the drained frames, of straight pieces; in each so
/// many of the fullest uplinks are busy, and the others empty at the end of a separation.
struct Piece {
    double busy = 0;    ///< uplinks
    double frames = 0;  ///< held at the end, were nothing drained
    double from = 0;    ///< drained frames
    double to = HUGE_VAL;
};

std::vector<Piece> pieces_of(const UplinkLoads& loads, double events) {
    std::vector<Piece> pieces{{}};
    for (const UplinkLoad& load : loads) pieces.front().frames += double(load.uplinks * load.modules);
    for (const UplinkLoad& load : loads) {
        if (load.uplinks == 0) continue;
        const double empty = (events - 1) * double(load.modules);
        Piece next = pieces.back();
        pieces.back().from = empty;
        next.to = empty;
        next.busy += double(load.uplinks);
        next.frames += double(load.uplinks) * empty;
        pieces.push_back(next);
    }
    return pieces;
}

void bound_shared(Sides& sides, BurstBounds& bounds, const Burst& burst, const UplinkLoads& loads, bool counts,
                  double rooms_least) {
    const double events = double(burst.events), gaps = events - 1, rounding = sides.whole() ? 0 : 1;
    const std::vector<Piece> pieces = pieces_of(loads, events);
    const Piece &none_busy = pieces.front(), &all_busy = pieces.back();
    if (!burst.lossy) {
        for (const Piece& piece : pieces) sides.at_least(1, piece.busy, piece.frames);
        return;
    }
    const double k = all_busy.busy, total = all_busy.frames, lost = double(burst.lost);
    if (counts) sides.at_least(1, k, total - lost);  // the closed form never counts too many
    const auto smaller_room = [&](double frames) {
        return sides.whole() ? rooms_least <= frames - 1 + 1e-6 : rooms_least < frames - 1e-6;
    };
    // Lossy means that room is less than the occupancy: a half-plane where only one piece is possible.
    const auto possible = [&](const Piece& piece) {
        if (piece.busy == 0) return gaps > 0 && sides.rates().most > piece.from - 1 && smaller_room(piece.frames);
        if (piece.busy == k) return gaps == 0 || sides.rates().least < piece.to;
        return sides.rates().most > piece.from && sides.rates().least < piece.to &&
               smaller_room(piece.frames - piece.busy * piece.from);
    };
    if (std::any_of(pieces.begin(), pieces.end() - 1, possible)) {
        bounds.all = false;
        return;
    }
    const bool busy = possible(all_busy);
    sides.less_than(1, k, busy ? total + (k - 1) + rounding : -1);  // with no piece possible, nothing explains the loss
    const bool small = smaller_room(none_busy.frames + k);
    if (counts && busy && (!small || gaps == 0)) sides.less_than(1, k, total - lost + k + rounding);
    bounds.all &= !counts || !small;
}

}  // namespace

BurstBounds burst_bounds(const QueueModel& model, const Burst& burst, const ConvexPolygon& known) {
    const UplinkLoads loads = loads_of(model, burst);
    BurstBounds bounds;
    Sides sides(model, burst, known, bounds);
    const double k = burst.uplinks, events = double(burst.events), most = double(loads.most());
    const double memories = double(model.memories(burst)), total = double(burst.fragments()), lost = double(burst.lost);
    bounds.slack = sides.whole() && burst.uplinks == 1 ? 0 : k + (sides.whole() ? 0 : memories);
    if (burst.peak) sides.at_least(1, 0, double(least_room(model, burst)));
    const double rooms_least = known.range(sides.frame(), 0).least;
    if (model.pools() == QueueModel::Pools::All) {
        if (model.has_reserve() && burst.lossy && !loads.even()) {  // some reserves may be empty
            bounds.all = false;
            return bounds;
        }
        bound_shared(sides, bounds, burst, loads, burst.counted && model.feature == Feature::None, rooms_least);
        bounds.all &= !burst.counted || model.feature == Feature::None;
        return bounds;
    }
    if (burst.counted && burst.lossy) sides.at_least(memories, k, total - lost);
    const bool even = loads.even();
    bounds.all = !burst.lossy || !burst.counted || even;
    if (model.pools() == QueueModel::Pools::Output) {
        // The fullest output is a shared memory of its own.
        const UplinkLoads fullest{{{{loads.most(), 1}, {}, {}}}};
        const bool all = bounds.all;
        bound_shared(sides, bounds, burst, fullest, false, rooms_least);
        bounds.all &= all && (!burst.counted || !burst.lossy);
        return bounds;
    }
    if (!burst.lossy) {
        sides.at_least(most, 1, events * most);
        return bounds;
    }
    sides.less_than(most, 1, events * most + (sides.whole() ? 0 : most));
    if (burst.counted && even && rooms_least >= 2 - 1e-6)
        sides.less_than(memories, k,
                        total - lost + double(excess_loss(model, burst)) + k + (sides.whole() ? 0 : memories));
    return bounds;
}

}  // namespace watershed
