// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/likelihood-modes.h"

#include "calibrate/posterior/likelihood-starts.h"

namespace watershed {
namespace {

/// Clamps a quantile into the open unit interval.
double inside(double share) { return std::clamp(share, 1e-6, 1 - 1e-6); }

/// Search of the likelihood mode for one cause of scatter.
/// @tparam N  number of coordinates, each from 0 to 1: depth, rate, scatter, loss, then token bucket, memory of
///            cross-traffic or value of a nuisance model; the sixth, if any, is the feature
template <std::size_t N>
class ModeSearch {
  public:
    ModeSearch(Scatter scatter, std::size_t nuisance, const BurstLikelihood& likelihood, const ParameterPrior& prior,
               const QueueModel& model)
        : scatter_(scatter),
          nuisance_(nuisance),
          likelihood_(likelihood),
          prior_(prior),
          model_(model),
          log_depths_(prior.log_depth(1) - prior.log_depth(0)),
          log_rates_(prior.log_rate(1) - prior.log_rate(0)),
          has_bucket_(prior.coordinate(ParameterPrior::Parameter::Bucket)),
          has_orders_(prior.coordinate(ParameterPrior::Parameter::Order)) {
        if (const std::size_t most = likelihood.counted() ? kMostSought : kMostFlags;
            kFeature && likelihood.size() > most)
            sample_.emplace(model, sample_of(likelihood.bursts(), most), likelihood.mixes());
    }

    LikelihoodMode run(const std::vector<BurstParameters>& places) const {
        // Drift, depth and rate trade off; features have narrow peaks.
        constexpr std::size_t kMembers = kFeature ? 64 : 32;
        const int generations = kFeature ? 80 : scatter_ == Scatter::Nuisance ? 150 : 45;
        std::vector<Start> starts = starts_at(places);
        std::sort(starts.begin(), starts.end());
        std::vector<Coordinates> likeliest;
        for (std::size_t i = 0; i < starts.size() && i < kMembers / 2; ++i) likeliest.push_back(starts[i].second);
        Coordinates low{}, high;
        high.fill(1);
        auto peak = seek(low, high, likeliest, kMembers, generations);
        if constexpr (kFeature) {
            // Scatter hides the narrow peak of a feature that explains the numbers to the frame: it is sought without,
            // and that of a resume level, which has many beside it, several times.
            constexpr double kAll = -10;  // log likelihood of bursts that are explained
            constexpr std::size_t kFew = 32;
            constexpr int kLong = 240;
            Coordinates least = low, most = high;
            most[2] = 0;
            const std::uint64_t tries = model_.feature == Feature::Resume ? 6 : 1;
            for (std::uint64_t seed = 1; seed <= tries && peak.value - log_prior(read(peak.at)) < kAll; ++seed) {
                const bool alone = tries > 1 && seed % 3 != 0;  // without random loss and token bucket
                most[3] = alone ? 0 : 1;
                least[4] = alone ? kAboutNoBucket : 0, most[4] = alone ? kAboutNoBucket : 1;
                const auto sharp = alone ? seek(least, most, likeliest, kFew, kLong, seed)
                                         : seek(least, most, likeliest, kMembers, generations, seed);
                if (sharp.value > peak.value) peak = sharp;
            }
            // A feature narrows the peaks of depth and rate, too: two more searches look close to the first peak.
            for (const double half : {0.02, 0.002}) {
                for (const std::size_t i : {0, 1, 5})
                    low[i] = std::max(0.0, peak.at[i] - half), high[i] = std::min(1.0, peak.at[i] + half);
                peak = seek(low, high, {peak.at}, kMembers, generations / 2);
            }
        }
        LikelihoodMode found;
        found.scatter = scatter_;
        found.nuisance = nuisance_;
        found.at = read(peak.at);
        found.at.order = likeliest_order(found.at).second;
        found.log_likelihood = sample_ ? likelihood_.log_likelihood(found.at) + log_prior(found.at) : peak.value;
        if constexpr (kFeature) found.feature = peak.at[5];
        return found;
    }

  private:
    static constexpr bool kFeature = N > 5;
    using Coordinates = std::array<double, N>;
    using Start = std::pair<double, Coordinates>;  ///< sorted by falling likelihood

    auto seek(const Coordinates& low, const Coordinates& high, const std::vector<Coordinates>& likeliest,
              std::size_t members, int generations, std::uint64_t seed = 1) const {
        return evolve<N>([&](const Coordinates& at) { return log_likelihood(at); }, low, high, likeliest, members,
                         generations, -HUGE_VAL, seed);
    }

    /// Returns the likelihood of the searched bursts: all, or a sample of very many.
    const BurstLikelihood& sought() const { return sample_ ? *sample_ : likelihood_; }

    /// Returns the parameters of a point of the search.
    BurstParameters read(const Coordinates& at) const {
        BurstParameters parameters = prior_.given();
        if (prior_.has_depth()) parameters.depth = std::exp(prior_.log_depth(0) + at[0] * log_depths_);
        if (prior_.has_rate()) parameters.rate = std::exp(prior_.log_rate(0) + at[1] * log_rates_);
        if (scatter_ == Scatter::Traffic) {
            constexpr double kLeastTraffic = 3e-4, kRange = 1000, kBatch = 1500;  // fraction of the uplink; bytes
            parameters.traffic = kLeastTraffic * std::pow(kRange, at[2]);
            parameters.traffic_batch = kBatch;
            parameters.traffic_memory = prior_.traffic_memory(at[4]);
        } else {
            if (parameters.noise_frames == 0 && parameters.noise_length == 0)
                (scatter_ == Scatter::Length ? parameters.noise_length : parameters.noise_frames) =
                    at[2] < kNone                 ? 0
                    : scatter_ == Scatter::Length ? 0.003 * std::pow(100, at[2])
                                                  : 0.3 * std::pow(1000, at[2]);
            if (scatter_ == Scatter::Nuisance)
                parameters.nuisances[nuisance_] =
                    nuisance_model().most * (nuisance_model().either_way ? 2 * at[4] - 1 : at[4]);
            else if (has_bucket_)
                parameters.bucket = prior_.bucket(at[4]);
            if (prior_.has_depth())
                parameters.depth = std::max(1.0, parameters.depth - prior_.bucket_depth(parameters));
        }
        if (at[3] > kNoLoss && prior_.coordinate(ParameterPrior::Parameter::Loss))
            parameters.loss = kLeastLoss * std::pow(kMostLoss / kLeastLoss, at[3]);
        if constexpr (kFeature) {
            if (prior_.has_depth()) parameters.depth /= prior_.feature().fraction_filled(at[5]);
            parameters.feature = prior_.feature().value(at[5], parameters.depth);
        }
        parameters.stray = kStray;
        return parameters;
    }

    const NuisanceModel& nuisance_model() const { return nuisance_models()[nuisance_]; }
    double share_of_most(double value) const {
        const double share = value / nuisance_model().most;
        return inside(nuisance_model().either_way ? (share + 1) / 2 : share);
    }
    double share_of_depth(double filled) const {
        return inside((std::log(filled) - prior_.log_depth(0)) / log_depths_);
    }

    double log_prior(const BurstParameters& parameters) const {
        return prior_.log_density_of_rate(std::log(parameters.rate)) +
               prior_.log_preference_of_depth(std::log(parameters.depth)) +
               (scatter_ == Scatter::Nuisance ? ParameterPrior::log_odds_of_nuisance(nuisance_) - kVolume : 0);
    }

    /// Returns the log likelihood of the best asking order, and this order.
    std::pair<double, AskingOrder> likeliest_order(BurstParameters parameters) const {
        std::pair<double, AskingOrder> best{-HUGE_VAL, AskingOrder::Unknown};
        for (const AskingOrder order : kAskingOrders) {
            parameters.order = order;
            const double value = sought().log_likelihood(parameters, best.first);
            if (value > best.first) best = {value, order};
            if (!has_orders_) break;
        }
        return best;
    }

    double log_likelihood(const Coordinates& at) const {
        const BurstParameters parameters = read(at);
        return likeliest_order(parameters).first + log_prior(parameters);
    }

    std::vector<Start> starts_at(std::vector<BurstParameters> places) const {
        std::vector<Start> starts, of_values(kFeature ? kValues : 0, {HUGE_VAL, Coordinates{}});
        if (scatter_ == Scatter::Nuisance && nuisance_model().guess)
            if (const auto guessed = nuisance_model().guess(likelihood_.bursts(), model_)) {
                BurstParameters& place = places.emplace_back();
                place.depth = guessed->depth, place.rate = guessed->rate;
                place.nuisances.resize(nuisance_ + 1), place.nuisances.back() = guessed->value;
            }
        for (const BurstParameters& place : places)
            for (const double noise : {0.05, 0.2, 0.6}) {
                const double loss =
                    place.loss > 0 ? std::log(place.loss / kLeastLoss) / std::log(kMostLoss / kLeastLoss) : 0;
                const bool bucket = has_bucket_ && place.bucket > 0;
                const Coordinates at{share_of_depth(place.depth + (bucket ? prior_.bucket_depth(place) : 0)),
                                     inside((std::log(place.rate) - prior_.log_rate(0)) / log_rates_), noise,
                                     inside(loss),
                                     !place.nuisances.empty() ? share_of_most(place.nuisances.back())
                                     : bucket                 ? inside(prior_.bucket_share(place.bucket))
                                                              : kAboutNoBucket};
                if constexpr (kFeature)
                    add_values(at, place.feature, starts, of_values);
                else
                    starts.emplace_back(-log_likelihood(at), at);
            }
        starts.insert(starts.end(), of_values.begin(), of_values.end());
        return starts;
    }

    /// Replaces the starts `of_values`, one for each of several values of the feature, by `place` with its best
    /// depth where that is likelier. For descriptors it also adds a start from frames of several sizes, for a value
    /// that the place knows (above 0) one with this.
    void add_values(const Coordinates& place, double value, std::vector<Start>& starts,
                    std::vector<Start>& of_values) const {
        if (model_.feature == Feature::Descriptors && prior_.has_depth()) {
            const auto [depth, count] = memory_and_descriptors(read(place));
            Coordinates at = place;
            at[0] = share_of_depth(std::max(1.0, depth));
            at[5] = inside(prior_.feature().share(std::max(1.0, count), std::max(1.0, depth)));
            starts.emplace_back(-log_likelihood(at), at);
        }
        if (value > 0) {
            Coordinates at = place;
            at[5] = inside(prior_.feature().share(value, 1));
            at[0] = inside(place[0] + std::log(prior_.feature().fraction_filled(at[5])) / log_depths_);
            starts.emplace_back(-log_likelihood(at), at);
        }
        for (std::size_t i = 0; i < kValues; ++i)
            for (const AskingOrder order : kAskingOrders) {
                Coordinates at = place;
                at[5] = (double(i) + 0.5) / kValues;
                BurstParameters parameters = read(at);
                parameters.order = order;
                centre_depth(parameters);
                at[0] = share_of_depth(parameters.depth * prior_.feature().fraction_filled(at[5]));
                const Start start{-sought().log_likelihood(parameters) - log_prior(parameters), at};
                if (start < of_values[i]) of_values[i] = start;
                if (!has_orders_) break;
            }
    }

    /// Returns the frames that the memories must hold for the burst to lose its measured number; std::nullopt if it
    /// lost none or none were counted.
    std::optional<double> room_from_losses(std::size_t row, const BurstParameters& parameters) const {
        const Burst& burst = sought().burst(row);
        if (!burst.lossy || !burst.counted) return std::nullopt;
        return sought().held(row, parameters) + sought().overflow(row, parameters) - double(burst.lost);
    }

    /// Sets the depth for which predicted numbers of lost frames are too large as often as too small.
    void centre_depth(BurstParameters& parameters) const {
        if (!prior_.has_depth()) return;
        constexpr int kSteps = 4;
        constexpr double kFar = 3;
        for (int step = 0; step < kSteps; ++step) {
            std::vector<double> factors;
            for (std::size_t i = 0; i < sought().size(); ++i)
                if (const double held = sought().held(i, parameters); held >= 1)
                    if (const auto room = room_from_losses(i, parameters)) factors.push_back(*room / held);
            if (factors.empty()) return;
            parameters.depth = std::max(1.0, parameters.depth * std::clamp(median(std::move(factors)), 1 / kFar, kFar));
        }
    }

    /// Returns the depth that bursts of the largest frames imply, and the number of descriptors that bursts of the
    /// smallest frames imply, at the rate of `parameters`.
    std::pair<double, double> memory_and_descriptors(BurstParameters parameters) const {
        parameters.feature = HUGE_VAL;  // no limit by descriptors
        std::int64_t least = INT64_MAX, most = 0;
        for (std::size_t i = 0; i < sought().size(); ++i)
            if (const Burst& burst = sought().burst(i); burst.lossy && burst.counted)
                least = std::min(least, burst.buffer), most = std::max(most, burst.buffer);
        std::vector<double> depths, counts;
        for (std::size_t i = 0; i < sought().size(); ++i) {
            const std::int64_t size = sought().burst(i).buffer;
            const auto room = room_from_losses(i, parameters);
            if (!room) continue;
            if (const double held = sought().held(i, parameters); size == most && held >= 1)
                depths.push_back(parameters.depth * (*room + 0.5) / held);
            if (size == least) counts.push_back(*room);
        }
        if (depths.empty()) return {parameters.depth, parameters.depth};
        return {median(std::move(depths)), std::round(median(std::move(counts)))};
    }

    static constexpr std::size_t kValues = 24;  ///< start values of a feature
    /// Largest numbers of bursts for the search of a feature, with counts and without; larger maps are sampled.
    static constexpr std::size_t kMostSought = 40, kMostFlags = 120;
    static constexpr double kStray = 0.02, kNone = 0.1, kAboutNoBucket = 0.5 - 1e-9;
    static constexpr double kNoLoss = 0.3, kLeastLoss = 1e-7, kMostLoss = 0.5;  ///< wider than the prior
    static constexpr double kVolume = 4;  ///< usual log volume of a nuisance model

    Scatter scatter_;
    std::size_t nuisance_;
    const BurstLikelihood& likelihood_;
    const ParameterPrior& prior_;
    const QueueModel& model_;
    double log_depths_, log_rates_;
    bool has_bucket_, has_orders_;
    std::optional<BurstLikelihood> sample_;  ///< likelihood of a sample of the bursts, if there are very many
};

}  // namespace

std::vector<LikelihoodMode> find_likelihood_modes(const BurstLikelihood& likelihood, const ParameterPrior& prior,
                                                  const QueueModel& model, const std::vector<BurstParameters>& hints) {
    std::vector<BurstParameters> starts;
    if (model.feature == Feature::None) {
        starts = starts_from_pairs(likelihood, model);
        const std::vector<BurstParameters> triples = starts_from_triples(likelihood, model);
        starts.insert(starts.end(), triples.begin(), triples.end());
    }
    starts.insert(starts.end(), hints.begin(), hints.end());
    const std::vector<BurstParameters> peaks = starts_from_peaks(model, likelihood.bursts());
    starts.insert(starts.end(), peaks.begin(), peaks.end());
    const BurstParameters given = prior.given();
    std::vector<LikelihoodMode> modes;
    const auto seek_by = [&](Scatter scatter, std::size_t nuisance = 0) {
        modes.push_back(model.feature == Feature::None
                            ? ModeSearch<5>(scatter, nuisance, likelihood, prior, model).run(starts)
                            : ModeSearch<6>(scatter, nuisance, likelihood, prior, model).run(starts));
    };
    if (!likelihood.counted() ||
        (given.noise_frames == 0 && (model.feature == Feature::None || given.noise_length > 0)))
        seek_by(Scatter::Length);
    if (likelihood.counted() && given.noise_length == 0) seek_by(Scatter::Frames);
    if (model.feature == Feature::None) {
        if (prior.coordinate(ParameterPrior::Parameter::Traffic)) seek_by(Scatter::Traffic);
        for (const std::size_t one : prior.nuisances()) seek_by(Scatter::Nuisance, one);
    }
    return modes;
}

std::vector<std::size_t> identifiable_nuisances(const std::vector<LikelihoodMode>& modes) {
    double most = -HUGE_VAL;
    for (const LikelihoodMode& mode : modes)
        if (mode.scatter != Scatter::Nuisance) most = std::max(most, mode.log_likelihood);
    std::vector<std::size_t> identifiable;
    for (const LikelihoodMode& mode : modes)
        if (mode.scatter == Scatter::Nuisance && mode.log_likelihood >= most) identifiable.push_back(mode.nuisance);
    return identifiable;
}

}  // namespace watershed
