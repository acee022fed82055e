// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/burst.h"

#include <numeric>

#include "calibrate/closed-form/feasible-region.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// The time a frame holds a link, rounded up as a clock of picoseconds sees it.
Time slot_on(std::int64_t wire, BitRate rate) {
    constexpr Wide kPicosecondsPerSecond = 1'000'000'000'000;
    return Time{std::int64_t(ceil_div<Wide>(Wide{8} * wire * kPicosecondsPerSecond, rate.count))};
}

FrameSizes sizes_of(Bytes payload, const Conditions& conditions, const std::string& where) {
    FrameFormat format = conditions.frame;
    format.payload = payload;
    try {
        const auto frames = frames_of_fragment(format);
        if (frames.size() == 1) return frames.front();
    } catch (const std::invalid_argument& error) {
        throw InputError(where + ": payload_bytes: " + error.what());
    }
    throw InputError(where + ": payload_bytes: found " + std::to_string(payload.count) +
                     " B, which is several frames under frame.split; the fit expects one frame per fragment");
}

/// Part of a burst by which peaks of equal bursts may differ; what lies closer to a full memory tells nothing.
constexpr double kScatter = 0.02;

/// Bursts of one mix by their counter of the memory, in its unit.
class PeaksOfMix {
  public:
    explicit PeaksOfMix(std::vector<Burst*> bursts) : bursts_(std::move(bursts)) {
        const Burst& first = *bursts_.front();
        frame_ = first.peak->cells ? 1 : double(first.buffer);
        for (const Burst* burst : bursts_) {
            largest_ = std::max(largest_, amount(*burst));
            resolution_ = std::max(resolution_, resolution(*burst));
            frame_ = std::max(frame_, (amount(*burst) - resolution(*burst)) / double(burst->fragments()));
        }
        constexpr std::size_t kEnough = 200;
        const std::size_t stride = bursts_.size() / kEnough + 1;
        for (std::size_t i = 0; i < bursts_.size(); i += stride)
            if (kept_busy(*bursts_[i])) references_.push_back(bursts_[i]);
    }

    void tell() {
        std::vector<Burst*> open;
        for (Burst* burst : bursts_) {
            if (burst->outcome == Burst::Outcome::Untold) {
                if (held_less(*burst) || held_all(*burst))
                    decide(*burst, false);
                else if (excess(*burst) > kScatter * sent(*burst))
                    decide(*burst, true);
                else
                    open.push_back(burst);
            }
            if (!burst->lossy && burst->outcome != Burst::Outcome::Untold && kept_busy(*burst))
                drained_.add(*burst, *this);
        }
        for (Burst* burst : open)
            if (kept_busy(*burst) && is_explained(*burst)) decide(*burst, false);
    }

  private:
    /// The line through what the uplinks drained of bursts that lost nothing, by the time from first to last trigger.
    class Drained {
      public:
        void add(const Burst& burst, const PeaksOfMix& peaks) {
            const double x = seconds(burst), y = peaks.sent(burst) - amount(burst);
            n_ += 1, x_ += x, y_ += y, xx_ += x * x, xy_ += x * y;
        }
        /// Nothing where all took about as long.
        std::optional<double> at(double time) const {
            const double spread = xx_ * n_ - x_ * x_;
            constexpr double kAlike = 0.01;
            if (spread <= kAlike * x_ * x_) return std::nullopt;
            const double rate = (n_ * xy_ - x_ * y_) / spread;
            return y_ / n_ + rate * (time - x_ / n_);
        }

      private:
        double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
    };

    static double amount(const Burst& burst) { return double(burst.peak->amount); }
    static double resolution(const Burst& burst) { return double(burst.peak->resolution); }
    static double seconds(const Burst& burst) {
        return seconds_of_picoseconds(double(burst.events - 1) * double(burst.spacing.count()));
    }
    /// Units of the counter that were sent in all.
    double sent(const Burst& burst) const { return frame_ * double(burst.fragments()); }
    /// A frame may be on its way, and each counter is off by something.
    double margin(const Burst& burst) const { return resolution(burst) + frame_; }

    /// More than one event's frames were there at once.
    bool kept_busy(const Burst& burst) const {
        return burst.events > 1 && amount(burst) - margin(burst) > frame_ * double(burst.ports + 1);
    }
    /// Than another did: the memory was not full.
    bool held_less(const Burst& burst) const { return amount(burst) < largest_ - margin(burst) - resolution_; }
    bool held_all(const Burst& burst) const { return sent(burst) <= amount(burst) + margin(burst); }
    /// By how much a burst must have needed more than it held.
    double excess(const Burst& burst) const {
        double most = 0;
        for (const Burst* other : references_) {
            if (other == &burst) continue;
            const double longer = std::max(1.0, seconds(burst) / seconds(*other)),
                         drained = std::max(0.0, sent(*other) - amount(*other)) * longer;
            most = std::max(most, sent(burst) - drained - amount(burst) - margin(*other) * longer - margin(burst));
        }
        return most;
    }

    /// Returns true if bursts that surely lost nothing leave room for no loss of this one.
    bool is_explained(const Burst& burst) const {
        const auto drained = drained_.at(seconds(burst));
        return drained && sent(burst) - *drained <= amount(burst) + margin(burst) + kScatter / 2 * sent(burst);
    }

    static void decide(Burst& burst, bool lossy) {
        burst.outcome = Burst::Outcome::ByPeaks;
        burst.lossy = lossy;
        burst.lost = lossy ? 1 : 0;
        burst.counted = false;
    }

    std::vector<Burst*> bursts_;
    std::vector<const Burst*> references_;  ///< bursts that kept the uplinks busy
    Drained drained_;
    double frame_ = 1;  ///< counter units per frame
    double largest_ = 0, resolution_ = 0;
};

/// Infers from all peaks which bursts without counts lost frames. Without loss the peak is the frames sent less those
/// drained; a smaller peak is that of a full memory. The largest drain is that of any busy burst, scaled to longer and,
/// by the rule of three, shorter times. Bursts that neither surely lost frames nor are explained stay untold.
void tell_outcomes_by_peaks(std::vector<Burst>& bursts) {
    if (boost::algorithm::none_of(bursts, [](const Burst& burst) { return burst.outcome == Burst::Outcome::Untold; }))
        return;
    std::map<std::tuple<std::int64_t, int, std::int64_t, bool>, std::vector<Burst*>> mixes;
    for (Burst& burst : bursts)
        if (burst.peak) mixes[{burst.ports, burst.uplinks, burst.payload, burst.peak->cells}].push_back(&burst);
    for (auto& [mix, of_mix] : mixes) PeaksOfMix(std::move(of_mix)).tell();
}

/// Half the time in which a frame comes makes no difference.
Time mean_separation(const LossMapRow& row) {
    if (!row.span || row.events < 2) return row.separation;
    const Time off = *row.span - row.separation * (row.events - 1);
    if (std::abs(off.count()) <= row.separation.count() / (2 * row.ports)) return row.separation;
    return *row.span / (row.events - 1);
}

using Pointers = std::vector<const Burst*>;

auto mix_of(const Burst& burst) { return std::make_tuple(burst.ports, burst.uplinks, burst.payload); }
auto separation_of(const Burst& burst) { return std::make_pair(mix_of(burst), burst.spacing); }
auto setting_of(const Burst& burst) { return std::make_pair(separation_of(burst), burst.events); }

std::size_t settings_in(const Pointers& sorted) {
    std::size_t settings = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        settings += i == 0 || setting_of(*sorted[i - 1]) != setting_of(*sorted[i]);
    return settings;
}

/// Runs of bursts of one mix and one separation, or of neighbouring ones until there are enough lengths.
std::vector<Pointers> blocks_of(const Pointers& sorted) {
    constexpr std::size_t kFewest = 8;  // settings
    std::vector<Pointers> blocks;
    std::size_t settings = 0;
    for (const Burst* burst : sorted) {
        const Burst* last = blocks.empty() ? nullptr : blocks.back().back();
        if (!last || mix_of(*last) != mix_of(*burst) || (settings >= kFewest && last->spacing != burst->spacing))
            blocks.emplace_back(), settings = 0, last = nullptr;
        settings += !last || setting_of(*last) != setting_of(*burst);
        blocks.back().push_back(burst);
    }
    return blocks;
}

/// A burst and how far it is from where loss begins in its block.
struct Near {
    const Burst* burst = nullptr;
    double log_ratio = 0;  ///< ln(length of the burst / length at which losses begin)
    bool next = false;     ///< none of its block is nearer on its side
    bool exception() const { return burst->lossy != (log_ratio > 0); }
};

/// Loss begins midway between two lengths, or beyond the first or last.
void add_block(std::vector<Near>& all, Pointers& block) {
    boost::stable_sort(block, [](const Burst* a, const Burst* b) { return a->events < b->events; });
    auto exceptions = std::int64_t(boost::count_if(block, [](const Burst* burst) { return !burst->lossy; }));
    std::int64_t fewest = exceptions;
    std::size_t lossless = 0;  // bursts, from the shortest on
    for (std::size_t i = 0; i < block.size(); ++i) {
        exceptions += block[i]->lossy ? 1 : -1;
        const bool between = i + 1 == block.size() || block[i + 1]->events > block[i]->events;
        if (between && exceptions < fewest) fewest = exceptions, lossless = i + 1;
    }
    const auto length = [&](std::size_t i) { return double(block[i]->events); };
    const double first = lossless > 0 ? length(lossless - 1) : 0,
                 last = lossless < block.size() ? length(lossless) : HUGE_VAL;
    const double threshold = lossless == 0 ? last - 0.5 : lossless == block.size() ? first + 0.5 : (first + last) / 2;
    for (std::size_t i = 0; i < block.size(); ++i)
        all.push_back({block[i], std::log(length(i) / threshold), length(i) == first || length(i) == last});
}

double reach_of(const std::vector<Near>& all) {
    constexpr double kLeast = 0.01, kTimes = 3;
    std::vector<double> exceptions;
    for (const Near& one : all)
        if (one.exception()) exceptions.push_back(std::abs(one.log_ratio));
    if (exceptions.empty()) return kLeast;
    return std::max(kLeast, kTimes * median(std::move(exceptions)));
}

/// Returns indices below `all`: every one, or one from each of `most` equal ranges. The position in a range advances by
/// the golden section, so that it does not resonate with the steps in which a map was measured.
std::vector<std::size_t> some_of(std::size_t all, std::size_t most) {
    constexpr double kGolden = 0.6180339887498949;
    std::vector<std::size_t> some;
    if (all <= most) {
        some.resize(all);
        std::iota(some.begin(), some.end(), std::size_t{0});
        return some;
    }
    const double part = double(all) / double(most);
    for (std::size_t i = 0; i < most; ++i) {
        const double turn = kGolden * double(i);
        some.push_back(std::size_t((double(i) + turn - std::floor(turn)) * part));
    }
    return some;
}

}  // namespace

Conditions conditions_of(const Scenario& scenario, const std::string& file) {
    expect_one_switch(scenario, file);
    const Buffer& buffer = scenario.network_switch.buffer;
    // All other ways of sharing are, towards one burst into one uplink, a limit on what is queued in all.
    const auto sharing =
        buffer.sharing == Buffer::Sharing::PerInput ? Buffer::Sharing::PerInput : Buffer::Sharing::Shared;
    const auto unit = buffer.cell.count > 0 ? MemorySize::Unit::Cell : buffer.size.unit;
    return {scenario.frame,    scenario.front_end.link_rate, scenario.network_switch.uplinks,    sharing, unit, file,
            buffer.cell.count, buffer.cell_header.count,     scenario.network_switch.uplink_rate};
}

std::vector<Burst> bursts_of(const LossMap& map, const Conditions& conditions, CountUse use) {
    std::map<std::int64_t, std::optional<FrameSizes>> sizes;
    std::vector<Burst> bursts;
    bursts.reserve(map.rows.size());
    for (std::size_t i = 0; i < map.rows.size(); ++i) {
        const LossMapRow& row = map.rows[i];
        std::optional<FrameSizes>& known = sizes[row.payload.count];
        if (!known) known = sizes_of(row.payload, conditions, map.source + ":" + std::to_string(row.line));
        const FrameSizes& frame = *known;
        Burst burst;
        burst.row = row.beginning_of > 0 ? row.beginning_of : int(i) + 1;
        burst.line = row.line;
        burst.ports = row.ports;
        burst.uplinks = row.congested_uplinks.value_or(conditions.uplinks);
        burst.events = row.events;
        burst.separation = row.separation;
        burst.spacing = std::max(mean_separation(row), slot_on(frame.wire.count, conditions.link_rate));
        // An output that stands still drains as much as if the burst had been so much shorter.
        if (row.stalled > Time{0} && row.events > 1)
            burst.spacing = std::max(Time{1}, burst.spacing - row.stalled / (row.events - 1));
        burst.payload = row.payload.count;
        burst.wire = frame.wire.count;
        burst.buffer = frame.buffer.count;
        burst.sent = row.frames_sent;
        burst.lost = row.frames_lost();
        burst.lossy = !row.lossless();
        burst.counted = burst.sent_once();
        if (!row.span) burst.lateness = row.worst_trigger_lateness;
        burst.peak = row.peak;
        burst.delay = row.delay;
        burst.handover = row.handover;
        burst.worst_lateness = row.worst_trigger_lateness.value_or(Time{0});
        if (!row.counted) burst.outcome = Burst::Outcome::Untold;
        bursts.push_back(burst);
    }
    const bool one_frame_each = boost::algorithm::all_of(bursts, [](const Burst& burst) { return burst.lost <= 1; });
    if (use == CountUse::Flag || (use == CountUse::Auto && one_frame_each))
        for (Burst& burst : bursts) burst.counted = false;
    tell_outcomes_by_peaks(bursts);
    return bursts;
}

std::vector<Burst> sample_of(const std::vector<Burst>& bursts, std::size_t most) {
    std::vector<Burst> sample;
    for (const std::size_t i : some_of(bursts.size(), most)) sample.push_back(bursts[i]);
    return sample;
}

std::vector<Burst> bursts_near_loss(const std::vector<Burst>& bursts, std::size_t most) {
    if (bursts.size() <= most) return bursts;
    Pointers sorted;
    for (const Burst& burst : bursts) sorted.push_back(&burst);
    const auto by_setting = [](const Burst* a, const Burst* b) { return setting_of(*a) < setting_of(*b); };
    boost::stable_sort(sorted, by_setting);
    if (settings_in(sorted) <= most) return bursts;
    std::vector<Near> all;
    for (Pointers& block : blocks_of(sorted)) add_block(all, block);
    const double reach = reach_of(all);
    Pointers near;
    for (const Near& one : all)
        if (one.next || std::abs(one.log_ratio) <= reach) near.push_back(one.burst);
    boost::stable_sort(near, by_setting);
    const std::vector<std::size_t> kept = some_of(settings_in(near), most);
    std::vector<Burst> sample;
    std::size_t setting = 0;
    auto wanted = kept.begin();
    for (std::size_t i = 0; i < near.size(); ++i) {
        if (i > 0 && setting_of(*near[i - 1]) != setting_of(*near[i])) ++setting;
        while (wanted != kept.end() && *wanted < setting) ++wanted;
        if (wanted == kept.end()) break;
        if (*wanted == setting) sample.push_back(*near[i]);
    }
    return sample;
}

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
          whole_(model.unit == MemorySize::Unit::Frame && model.feature != Feature::DynamicThreshold) {}

    /// Rooms times `rooms` and drained frames times `drains` are at least, or less than, so many frames.
    void at_least(double rooms, double drains, double frames) {
        frames -= drains * double(burst_.tolerance);
        // A queue may end a frame above its threshold.
        add(rooms, drains, model_.feature == Feature::DynamicThreshold ? frames - rooms : frames, +1);
        if (descriptors()) bounds_.sides.push_back({0, drains * burst_.drain(), frames - rooms * model_.value});
    }
    /// With descriptors either these or the memory may be less; what both allow is no half-plane.
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
