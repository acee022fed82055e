// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/burst-likelihood.h"

namespace watershed {
namespace {

double odds(double share) { return share / (1 - share); }

thread_local double work_done = 0;  ///< see BurstLikelihood::work()

/// Largest mean of random losses that are summed as a Poisson distribution; above it they are taken as normal.
constexpr double kMostPoisson = 4;
/// Terms of smaller probability are neglected.
constexpr double kNegligible = 1e-9;

/// Largest number of events that is simulated one by one.
constexpr double kMostEvents = 1000;

/// Returns the frames of a burst that a memory with one uplink accepts; simulates each event.
/// @param modules  frames per event
/// @param room     frames that fit into the memory
/// @param leaving  frames that leave between two events
double taken(double modules, double events, double room, double leaving) {
    const double most = std::clamp(std::floor(room), 0.0, modules);
    if (leaving >= most) return events * most;
    double waiting = 0, taken = 0;
    for (double event = 0; event < events; ++event) {
        const double fits = std::min(most, std::floor(room - waiting));
        taken += fits;
        waiting = std::max(0.0, waiting + fits - leaving);
    }
    work_done += 0.01 * events;
    return taken;
}

/// Returns the probability that a stray burst loses `lost` frames. It is a mixture: no loss, a uniform number, or a
/// number near the expected one.
double stray_probability(double lost, double expected, double fragments, double log_fragments) {
    constexpr double kNothing = 0.2, kAnything = 0.3;
    const double near = (1 - kNothing - kAnything) / (2 * (1 + std::abs(lost - expected)) * log_fragments);
    return (lost == 0 ? kNothing : kAnything / fragments) + near;
}

/// Returns P(X <= value) for a normal X; `sigma` may be 0.
double at_most(double value, double middle, double sigma) {
    return sigma > 0 ? normal_cdf((value - middle) / sigma) : value >= middle ? 1 : 0;
}

/// Returns the probability that at most `lost` of a burst's frames are lost at random ahead of the memory.
double ahead_at_most(double lost, double loss, double fragments) {
    const double mean = loss * fragments;
    if (lost < 0) return 0;
    if (mean >= kMostPoisson) return normal_cdf_table((lost + 0.5 - mean) / std::sqrt(mean * (1 - loss)));
    double term = std::exp(-mean), sum = 0;
    for (double k = 0; k <= lost && (term > kNegligible || k < mean); ++k) sum += term, term *= mean / (k + 1);
    return std::min(1.0, sum);
}

}  // namespace

PeakLikelihood::PeakLikelihood(const QueueModel& model, const Burst& burst) {
    if (!burst.peak) return;
    amount_ = double(burst.peak->amount);
    resolution_ = double(burst.peak->resolution);
    cost_ = double(counter_cost(model, burst));
    fragments_ = double(burst.fragments());
    // The frame in service may not count, and memories by input do not all fill to the last frame.
    open_ = double(model.memories(burst));
}

double PeakLikelihood::lossless(double needed, double sigma, double room) const {
    constexpr double kRounding = 0.5;  // frames; only whole frames leave
    const double reach = resolution_ / cost_ + kRounding, fits = at_most(room + kRounding, needed, sigma);
    if (fits <= 0) return 0;
    const double low = frames() - reach, high = std::min(frames() + reach, room + kRounding);
    if (high <= low) return 0;
    return (at_most(high, needed, sigma) - at_most(low, needed, sigma)) / fits / (2 * reach * cost_);
}

double PeakLikelihood::lossy(double room) const {
    const double low = (room - open_) * cost_ - resolution_, high = room * cost_ + resolution_;
    return amount_ >= low && amount_ <= high ? 1 / (high - low) : 0;
}

double PeakLikelihood::stray() const { return 1 / (fragments_ * cost_ + resolution_); }

BurstLikelihood::BurstLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, std::vector<BurstMix> mixes)
    : model_(model), mixes_(std::move(mixes)), row_of_mix_(mixes_.size()) {
    if (bursts.empty()) return;
    const RowPlaces places(bursts);
    for (const Burst& burst : bursts) {
        Row row;
        row.burst = burst;
        row.place = places.of(burst);
        const auto outcome = [](const Burst& one) {
            return std::tie(one.ports, one.uplinks, one.events, one.spacing, one.held_up, one.wire, one.buffer,
                            one.lost, one.lossy, one.counted);
        };
        row.repeats =
            !rows_.empty() && !burst.peak && !rows_.back().burst.peak && outcome(rows_.back().burst) == outcome(burst);
        const auto mix = boost::find(mixes_, BurstMix{burst.ports, burst.uplinks, burst.payload});
        if (mix != mixes_.end()) row.mix = int(mix - mixes_.begin());
        row.cost = double(model.cost(burst));
        row.drain = burst.drain();
        row.more_room = burst.drain_held_up() * burst.uplinks / double(model.memories(burst));
        row.gaps = double(burst.events - 1);
        row.fragments = double(burst.fragments());
        row.uplinks = burst.uplinks;
        row.loads = loads_of(model, burst);
        row.per_byte = 1 / double(burst.wire);
        row.log_fragments = 1 + std::log(row.fragments);
        row.excess_most = double(excess_loss(model, burst));
        row.lost = burst.counted ? double(burst.lost) : 0;
        row.peak = PeakLikelihood(model, burst);
        row.cost_of_all = row.cost / double(model.memories(burst));
        has_peaks_ |= burst.peak.has_value();
        counted_ |= (burst.lossy && burst.counted) || burst.peak;
        const Row& first = rows_.empty() ? row : rows_.front();
        identifies_bucket_ |= burst.peak || row.cost * double(first.burst.wire) != first.cost * double(burst.wire);
        if (row.mix >= 0) row_of_mix_[std::size_t(row.mix)] = rows_.size();
        rows_.push_back(row);
        most_cost_ = std::max(most_cost_, row.cost);
        if (double(burst.wire) > most_wire_) {
            most_wire_ = double(burst.wire);
            depth_per_bucket_ = row.cost / most_wire_ * burst.uplinks / double(model.memories(burst));
        }
    }
    usual_fragments_ = median(transformed_values(rows_, &Row::fragments));
}

double BurstLikelihood::work() { return work_done; }

double BurstLikelihood::width(const BurstParameters& parameters) const {
    return std::sqrt(0.25 + parameters.noise_frames * parameters.noise_frames +
                     std::pow(0.5 * usual_fragments_ * parameters.noise_length, 2) +
                     0.5 * usual_fragments_ * odds(parameters.traffic) * parameters.traffic_batch / most_wire_);
}

double BurstLikelihood::ahead(const Row& row, const BurstParameters& parameters) const {
    return parameters.bucket * row.per_byte + parameters.leaves_at_once -
           (row.mix < 0 || parameters.constant.empty() ? 0 : parameters.constant[std::size_t(row.mix)]) / row.uplinks;
}

double BurstLikelihood::needed(const Row& row, const BurstParameters& parameters) const {
    const double ahead = this->ahead(row, parameters), drained = row.drain * parameters.rate + ahead,
                 whole = row.uplinks == 1 ? drained - 0.5 : std::floor(drained);
    double needed = row.fragments;
    for (const UplinkLoad& load : row.loads)
        needed -= double(load.uplinks) * std::min(row.gaps * double(load.modules) + std::max(0.0, ahead), whole);
    return needed;
}

void BurstLikelihood::overflow_by_feature(Spread& spread, const Row& row, const BurstParameters& parameters,
                                          double drained, double room) const {
    if (model_.feature == Feature::Resume) {
        if (spread.middle <= 0 || row.gaps == 0 || room < 1) return;
        const double ahead = std::max(0.0, this->ahead(row, parameters));
        const auto lost = lost_with_resume(with_feature(parameters), row.burst, std::int64_t(room),
                                           (drained - ahead) / row.gaps, ahead);
        constexpr double kFalls = 64;  // falls that are simulated one by one
        spread.middle = std::max(spread.middle, double(lost));
        work_done += 0.25 * std::min({spread.middle, row.gaps, kFalls});
    }
    spread.middle += empty_reserves(with_feature(parameters), row.loads, row.burst, room, drained);
    if (model_.feature != Feature::UnevenUplinks) return;
    const UnevenOverflow overflow =
        overflow_of_uneven(loads_of(with_feature(parameters), row.burst), row.burst, room,
                           std::max(0.0, drained - (row.gaps > 0 ? 0.5 : 0)), parameters.order);
    spread.middle = overflow.frames;
    // The full uncertainty holds if all modules of one uplink ask first; evenly mixed modules come within a tenth.
    spread.noise.frames =
        std::hypot(spread.noise.frames, (parameters.order == AskingOrder::Unknown ? 0.5 : 1) * overflow.unknown);
}

BurstLikelihood::Spread BurstLikelihood::spread(const Row& row, const BurstParameters& parameters) const {
    Spread spread;
    const double ahead = this->ahead(row, parameters);
    const double drained = row.drain * parameters.rate + ahead, room = this->room(row, parameters);
    // With one uplink, half a frame stands for rounding down: its mean, to which noise can be added.
    const double whole = row.uplinks == 1 ? drained - 0.5 : std::floor(drained);
    UplinkLoads uneven;
    if (model_.feature == Feature::UnevenUplinks) uneven = loads_of(with_feature(parameters), row.burst);
    const UplinkLoads& loads = model_.feature == Feature::UnevenUplinks ? uneven : row.loads;
    const auto most = double(loads.most());
    double growth = 0;
    const auto sent = [&](double modules) {
        return std::min(row.gaps * std::min(modules, room) + std::max(0.0, ahead), whole);
    };
    const auto grows = [&](double modules) {
        return std::max(0.0, modules - (row.gaps > 0 ? row.drain * parameters.rate / row.gaps : 0));
    };
    switch (model_.pools()) {
        case QueueModel::Pools::All: {
            spread.middle = row.fragments - room;
            for (const UplinkLoad& load : loads) {
                const auto modules = double(load.modules), uplinks = double(load.uplinks);
                spread.middle -= uplinks * sent(modules), growth += uplinks * grows(modules);
            }
            // A single trigger fills a smaller memory. The uplink then falls idle before each of the next events,
            // before none, or before some; with several uplinks the number is unknown.
            if (room >= most + row.uplinks || row.gaps == 0) break;
            if (row.uplinks == 1 && drained <= (std::min(room + ahead, most) - 1) * row.gaps) break;
            spread.counts = row.uplinks == 1 && row.gaps < kMostEvents;
            if (spread.counts)
                spread.middle = row.fragments - taken(most, row.gaps + 1, room + ahead, (drained - ahead) / row.gaps);
            break;
        }
        case QueueModel::Pools::Input:
        case QueueModel::Pools::Output: {
            const bool by_input = model_.pools() == QueueModel::Pools::Input;
            double all = 0, fullest = -HUGE_VAL, of_each = room;
            for (auto load = loads.rbegin(); load != loads.rend(); ++load) {
                if (load->uplinks == 0) continue;
                const auto modules = double(load->modules), uplinks = double(load->uplinks),
                           fullest_uplinks = double(loads.front().uplinks);
                const double wanted = modules * (row.gaps + 1) - sent(modules);
                const double over = by_input ? modules * (row.gaps + 1 - room) - whole : wanted - of_each;
                // Under a dynamic threshold, queues below it leave more memory to the fuller ones.
                if (model_.feature == Feature::DynamicThreshold && over < 0 && &*load != &loads.front())
                    of_each = held_below_threshold(parameters.feature, fullest_uplinks,
                                                   depth_at(row, parameters) / row.cost - uplinks * wanted) /
                              fullest_uplinks;
                all += uplinks * std::max(0.0, over);
                fullest = std::max(fullest, over);
                growth += uplinks * grows(modules);
            }
            spread.middle = fullest > 0 ? all : fullest;
            spread.counts = by_input ? room >= 2 : room > most;
            break;
        }
    }
    spread.size = growth * (row.gaps + 1);
    spread.noise = {parameters.noise_frames, spread.size > 0 ? parameters.noise_length : 0};
    if (model_.feature != Feature::None) overflow_by_feature(spread, row, parameters, drained, room);
    if (const DisturbedBurst burst = disturbed(row, parameters); burst.frames != 0 || burst.variance > 0) {
        spread.middle = std::min(spread.middle + burst.frames, row.fragments);
        spread.noise.frames = std::hypot(spread.noise.frames, std::sqrt(burst.variance));
    }
    if (parameters.traffic > 0) share_with_others(spread, row, parameters, drained, room);
    return spread;
}

/// Cross-traffic sends Poisson batches; its variance grows with the number of batches. A memory full of a burst holds
/// the cross-traffic that came with it. From then on the burst alone loses, and the fraction of cross-traffic grows to
/// its fraction of the uplink. Waiting cross-traffic has not used the uplink yet but takes room. Each event leaves the
/// memory full to half a frame; cross-traffic that comes before there is room for a batch is lost.
void BurstLikelihood::share_with_others(Spread& spread, const Row& row, const BurstParameters& parameters,
                                        double drained, double room) const {
    const double others = odds(parameters.traffic), uplinks = row.uplinks;
    const double sent = std::max(1.0, std::min(drained, row.gaps * double(row.loads.most())) * uplinks),
                 batch = parameters.traffic_batch * row.per_byte;
    const double load = BurstLikelihood::load(row, sent);
    const auto pools = model_.pools();
    const double memories = pools == QueueModel::Pools::All      ? 1
                            : pools == QueueModel::Pools::Output ? uplinks
                                                                 : double(row.burst.ports);
    const double held = memories * room, over = load > 1 ? std::max(0.0, spread.middle) / (load - 1) : 0;
    const double density = density_of_others(row, parameters);
    const double part = held > 0 ? std::min(held, over) / held : 0;
    const double waiting =
        others * std::min(held * ((1 - part) / (load + density * others) + part / (1 + density * others)), sent);
    spread.middle -= waiting * (1 - density);
    constexpr double kSpare = 0.5;
    const double refused = std::max(0.0, batch * density - kSpare) * row.gaps / sent;
    spread.middle -= others * over * refused / (1 + refused);
    spread.noise.frames = std::sqrt(spread.noise.frames * spread.noise.frames +
                                    batch * (others * sent - waiting * (1 - density * density)));
}

BurstLikelihood::Likeness BurstLikelihood::likeness_of_others(const BurstParameters& at, bool free_depth,
                                                              bool free_rate) const {
    double dd = 0, dr = 0, rr = 0, d = 0, r = 0;
    for (const Row& row : rows_) {
        if (!row.burst.lossy || row.gaps == 0) continue;
        const double uplinks = row.uplinks, held = double(model_.memories(row.burst)) * std::floor(at.depth / row.cost),
                     sent = std::max(1.0, std::min(row.drain * at.rate, row.gaps * double(row.loads.most())) * uplinks),
                     waiting = held / load(row, sent),
                     weight = 1 / sent;  // the variance of cross-traffic grows with its number of frames
        dd += weight * held * held, dr += weight * held * sent, rr += weight * sent * sent;
        d += weight * held * waiting, r += weight * sent * waiting;
    }
    const double determinant = dd * rr - dr * dr;
    constexpr double kTold = 1e-6;
    if (free_depth && free_rate && determinant > kTold * dd * rr)
        return {(d * rr - r * dr) / determinant, (r * dd - d * dr) / determinant};
    if (free_depth) return {dd > 0 ? d / dd : 0, 0};
    return {0, free_rate && rr > 0 ? r / rr : 0};
}

double BurstLikelihood::probability_of(const Row& row, const Spread& spread, const BurstParameters& parameters,
                                       double lost, double at_most, double fewer) const {
    if (lost == 0) return at_most;
    // If uplinks may fall idle the closed form counts too few frames; the number is unknown.
    if (!spread.counts) return (1 - spread.below(0)) / std::max(1.0, row.fragments);
    const double exactly = std::max(0.0, at_most - fewer);
    if (row.excess_most <= 0) return exactly;
    const double most = row.excess_most;  // uniform excess up to this number
    const double more = std::max(0.0, at_most - spread.below(std::max(0.0, lost - most - 1))) / (most + 1);
    return (1 - parameters.excess) * exactly + parameters.excess * more;
}

BurstLikelihood::Both BurstLikelihood::probabilities(const Row& row, const BurstParameters& parameters,
                                                     double log_kept) const {
    const Spread overflow = spread(row, parameters);
    Both both = of_losses(row, overflow, parameters, log_kept);
    if (!row.peak.read()) return both;
    const double room = this->room(row, parameters) * row.cost / row.cost_of_all;
    both.usual *= row.burst.lossy
                      ? row.peak.lossy(room)
                      : row.peak.lossless(needed(row, parameters), overflow.noise.deviation(overflow.size), room);
    both.stray *= row.peak.stray();
    return both;
}

BurstLikelihood::Both BurstLikelihood::of_losses(const Row& row, const Spread& overflow,
                                                 const BurstParameters& parameters, double log_kept) const {
    const double n = row.fragments;
    if (!row.burst.counted || !row.burst.lossy) {
        const double none = overflow.below(0) * (parameters.loss > 0 ? std::exp(n * log_kept) : 1);
        const bool flag = row.burst.lossy;
        const double stray = flag       ? 0.5
                             : counted_ ? stray_probability(0, std::max(0.0, overflow.middle), n, row.log_fragments)
                                        : 0.5;
        return {flag ? 1 - none : none, stray};
    }
    if (parameters.loss > 0 && parameters.loss_ahead) {
        // The memory loses what it would lose anyway, but those that were lost ahead of it.
        const double at_most = overflow.below(row.lost), fewer = row.lost > 0 ? overflow.below(row.lost - 1) : 0,
                     fewer_ahead = ahead_at_most(row.lost - 1, parameters.loss, n);
        return {(ahead_at_most(row.lost, parameters.loss, n) - fewer_ahead) * at_most +
                    fewer_ahead * probability_of(row, overflow, parameters, row.lost, at_most, fewer),
                stray_probability(row.lost, std::max(0.0, overflow.middle), n, row.log_fragments)};
    }
    double p = 0;
    const double kept = n - std::clamp(overflow.middle, 0.0, n), random = parameters.loss * kept;
    if (random < kMostPoisson) {
        double term = parameters.loss > 0 ? std::exp(-random) : 1, at_most = overflow.below(row.lost);
        const double most = parameters.loss > 0 ? std::min(row.lost, random + 6 * std::sqrt(random) + 6) : 0;
        for (double k = 0; k <= most && term > kNegligible; ++k) {
            work_done += 0.25;
            const double lost = row.lost - k, fewer = lost > 0 ? overflow.below(lost - 1) : 0;
            p += term * probability_of(row, overflow, parameters, lost, at_most, fewer);
            term *= random / (k + 1);
            at_most = fewer;
        }
    } else {
        const double none = overflow.below(0), sigma_random = std::sqrt(random * (1 - parameters.loss));
        const auto about = [&](double middle, double sigma) {
            return normal_between((row.lost - 0.5 - middle) / sigma, (row.lost + 0.5 - middle) / sigma);
        };
        if (none > 1e-12)
            p += none * about(parameters.loss * n, std::sqrt(parameters.loss * (1 - parameters.loss) * n));
        if (none < 1) {
            const double sigma = overflow.deviation() * (1 - parameters.loss) + 0.3;
            p += (1 - none) * about(std::max(0.0, overflow.middle) + random, std::hypot(sigma, sigma_random));
        }
    }
    return {p, stray_probability(row.lost, std::max(0.0, overflow.middle), n, row.log_fragments)};
}

double BurstLikelihood::stray_share(std::size_t row, const std::vector<BurstParameters>& points) const {
    double stray = 0, all = 0;
    for (const BurstParameters& point : points) {
        const Both both = probabilities(rows_[row], point, std::log1p(-point.loss));
        stray += point.stray * both.stray;
        all += (1 - point.stray) * both.usual + point.stray * both.stray;
    }
    return stray / std::max(1e-300, all);
}

double BurstLikelihood::likelihood(const Row& row, const BurstParameters& parameters, double log_kept) const {
    const Both both = probabilities(row, parameters, log_kept);
    return std::max(1e-300, (1 - parameters.stray) * both.usual + parameters.stray * both.stray);
}

double BurstLikelihood::log_likelihood(const BurstParameters& parameters, double least) const {
    const double log_kept = std::log1p(-parameters.loss);
    // Probabilities are at most 1, so the sum only falls; densities of peaks may exceed 1.
    constexpr double kSmallest = 1e-200;
    const auto enough = [&](double sum) { return has_peaks_ ? kSmallest : std::max(kSmallest, std::exp(least - sum)); };
    const bool drifts = boost::algorithm::any_of(parameters.nuisances, [](double x) { return x != 0; });
    double sum = 0, product = 1, probability = 1, smallest = enough(0);
    for (const Row& row : rows_) {
        ++work_done;
        if (!row.repeats || drifts) probability = likelihood(row, parameters, log_kept);
        product *= probability;
        if (product >= smallest) continue;
        sum += std::log(product), product = 1;
        if (!has_peaks_ && sum < least) return sum;
        smallest = enough(sum);
    }
    return sum + std::log(product);
}

double BurstLikelihood::at_most(std::size_t row, std::int64_t frames, const BurstParameters& parameters) const {
    const Row& one = rows_[row];
    const Spread overflow = spread(one, parameters);
    // As probability_of(), summed.
    const auto below = [&](double lost) {
        const double none = overflow.below(0);
        if (lost <= 0) return none;
        if (!overflow.counts) return none + (1 - none) * std::min(1.0, lost / std::max(1.0, one.fragments));
        double excess = 0;
        for (double more = 0; parameters.excess > 0 && more <= one.excess_most && more < lost; ++more)
            excess += (overflow.below(lost - more) - none) / (one.excess_most + 1);
        return none + (1 - parameters.excess) * (overflow.below(lost) - none) + parameters.excess * excess;
    };
    if (parameters.loss <= 0) return below(double(frames));
    if (parameters.loss_ahead)
        return ahead_at_most(double(frames), parameters.loss, one.fragments) * below(double(frames));
    const double kept = one.fragments - std::clamp(overflow.middle, 0.0, one.fragments),
                 random = parameters.loss * kept;
    if (random < kMostPoisson) {
        double term = std::exp(-random), p = 0;
        for (double k = 0; k <= double(frames) && k <= random + 6 * std::sqrt(random) + 6; ++k)
            p += term * below(double(frames) - k), term *= random / (k + 1);
        return std::min(1.0, p);
    }
    const double none = overflow.below(0), sigma = overflow.deviation() * (1 - parameters.loss) + 0.3;
    return none * normal_cdf_table((double(frames) + 0.5 - parameters.loss * one.fragments) /
                                   std::sqrt(parameters.loss * (1 - parameters.loss) * one.fragments)) +
           (1 - none) * normal_cdf_table((double(frames) + 0.5 - std::max(0.0, overflow.middle) - random) /
                                         std::hypot(sigma, std::sqrt(random * (1 - parameters.loss))));
}

}  // namespace watershed
