// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/fit/fit-steps.h"

namespace watershed {
namespace {

/// Any burst may be a stray one; only more than this share of them is worth a word.
constexpr double kRareStrays = 0.02;

using Value = std::function<double(const BurstParameters&)>;

/// Quantiles of samples of one weight.
class Sorted {
  public:
    Sorted(const std::vector<BurstParameters>& samples, const Value& value)
        : values_(transformed_values(samples, value)) {
        boost::sort(values_);
    }
    double quantile(double share) const {
        const double at = share * double(values_.size() - 1);
        const auto below = std::size_t(at);
        return below + 1 < values_.size()
                   ? values_[below] + (at - double(below)) * (values_[below + 1] - values_[below])
                   : values_.back();
    }
    double share_below(double value) const {
        return double(boost::lower_bound(values_, value) - values_.begin()) / double(values_.size());
    }

  private:
    std::vector<double> values_;
};

Estimate summary_of(const Sorted& sorted, const Interval& hard) {
    return estimate_by([&](double share) { return sorted.quantile(share); }, hard, kTailOfWidest);
}

/// Removes the limit of an interval if more than its tail lies at that end of the search.
void open_ends(ModelFit& one, const Sorted& depths, double low, double high) {
    constexpr double kEdge = 0.02;  // part of the logarithm of the range
    if (!(low > 0 && high > low)) return;
    const double edge = std::pow(high / low, kEdge);
    one.shallowest = depths.share_below(low * edge), one.deepest = 1 - depths.share_below(high / edge);
    for (const auto& [interval, tail] :
         {std::pair{&one.depth.interval68, kTailOf68}, {&one.depth.interval95, kTailOfWidest}}) {
        if (one.shallowest > tail) interval->low.reset();
        if (one.deepest > tail) interval->high.reset();
    }
}

/// Something that may be absent: how probably it is there, and its size if it is, unless that is so improbable that the
/// interval leaves it out.
Disturbance disturbance_of(const std::string& name, const std::string& unit,
                           const std::vector<BurstParameters>& samples, const Value& value, bool known) {
    Disturbance one;
    one.name = name;
    one.unit = unit;
    one.known = known;
    std::vector<BurstParameters> present;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(present),
                 [&](const BurstParameters& parameters) { return value(parameters) != 0; });
    one.probability = double(present.size()) / double(samples.size());
    if (!present.empty()) one.value = Sorted(present, value).quantile(0.5);
    const Sorted all(samples, value);
    one.interval95 = {all.quantile(kTailOfWidest), all.quantile(1 - kTailOfWidest)};
    if (one.value && (*one.value < *one.interval95.low || *one.value > *one.interval95.high)) one.value.reset();
    return one;
}

NoiseEstimate noise_of(const std::vector<BurstParameters>& samples, bool counted, bool known) {
    std::size_t frames = 0, length = 0;
    double background = 0;
    for (const BurstParameters& one : samples)
        frames += one.noise_frames > 0, length += one.noise_length > 0, background += one.loss / double(samples.size());
    NoiseEstimate noise;
    noise.relative = !counted || length > frames;
    noise.background = background;
    noise.known = known;
    const auto size = [&](const BurstParameters& one) { return noise.relative ? one.noise_length : one.noise_frames; };
    std::vector<BurstParameters> of_kind;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(of_kind),
                 [&](const BurstParameters& one) { return size(one) > 0; });
    const bool certain = double(frames + length) > (1 - 2 * kTailOfWidest) * double(samples.size());
    const Sorted sorted(certain ? of_kind : samples, size);
    noise.interval95 = {sorted.quantile(kTailOfWidest), sorted.quantile(1 - kTailOfWidest)};
    if (certain) noise.value = sorted.quantile(0.5);
    return noise;
}

/// Frames that the bucket adds to what a memory in the unit of depth takes.
double bucket_depth(const BurstLikelihood& likelihood, const BurstParameters& parameters) {
    return parameters.bucket * likelihood.depth_per_bucket();
}

/// Uplinks of the bursts that have most of them.
double most_uplinks(const std::vector<BurstMix>& mixes) {
    return largest(
        mixes, [](const BurstMix& mix) { return std::get<1>(mix); }, 1);
}

/// Queues hold whole frames: a feature's value within what a frame of a queue is of it is the same to the bursts.
void widen(Estimate& value, Feature feature, const BurstParameters& likeliest, const BurstLikelihood& likelihood) {
    const double room = std::floor(likeliest.depth / likelihood.most_cost());
    if (room < 1) return;
    for (Interval* const interval : {&value.interval68, &value.interval95}) {
        if (feature == Feature::Resume || feature == Feature::Reserve || feature == Feature::OutputReserve) {
            interval->low = std::floor(*interval->low * room) / room;
            interval->high = (std::floor(*interval->high * room) + 1) / room;
        } else if (feature == Feature::DynamicThreshold) {
            // One of q queues of memory B holds alpha B / (1 + q alpha).
            const double queues = most_uplinks(likelihood.mixes());
            *interval->low -= std::pow(1 + queues * *interval->low, 2) / (queues * room);
            *interval->high += std::pow(1 + queues * *interval->high, 2) / (queues * room);
            interval->low = std::max(0.0, *interval->low);
        }
    }
}

/// Returns the fraction of frames whose random loss looks like the memory's: if each trigger alone overfills it, one
/// frame more or less is lost by the moment at which the uplink takes its next.
double untold_loss(const ModelFit& one, const BurstLikelihood& likelihood) {
    double share = 1;
    for (std::size_t i = 0; i < likelihood.size(); ++i) {
        const Burst& burst = likelihood.burst(i);
        const double room =
            double(one.model.memories(burst)) * one.model.room_as_real(burst, one.depth.value.value_or(0));
        if (room * double(burst.events) >= double(burst.fragments())) return 0;
        share = std::min(share, 1 / std::max(1.0, room));
    }
    return share;
}

/// Mixture over kinds of memory, with the weight that the data do not limit below or above.
class Mixture {
  public:
    double open_below = 0, open_above = 0;

    void add(double value, double weight) {
        values_.emplace_back(value, weight);
        total_ += weight;
    }
    void sort() { boost::sort(values_); }
    double quantile(double share) const { return empirical_quantile(values_, share, total_); }
    /// Between equal tails; open where what has no limit weighs more than the tail.
    Interval interval(double tail) const {
        Interval interval;
        if (open_below <= tail * total_) interval.low = quantile(tail);
        if (open_above <= tail * total_) interval.high = quantile(1 - tail);
        return interval;
    }

  private:
    std::vector<std::pair<double, double>> values_;  ///< and weights
    double total_ = 0;
};

}  // namespace

void take(ModelFit& one, const ParameterPosterior& posterior, const BurstLikelihood& likelihood, const SearchBox& box,
          const FitOptions& options) {
    const std::vector<BurstParameters>& samples = posterior.samples;
    one.log_evidence = posterior.log_evidence;
    one.error_of_log_evidence = posterior.error_of_log_evidence;
    one.error_of_ends = posterior.error_of_ends;
    const Sorted depths(samples,
                        [&](const BurstParameters&parameters) {
                            return std::floor(parameters.depth) + bucket_depth(likelihood, parameters);
                        }),
        rates(samples, &BurstParameters::rate);
    one.depth = summary_of(depths, one.depth.hard);
    one.rate = summary_of(rates, one.rate.hard);
    if (!box.depth_known && !box.depth_bounded && !options.depth_prior)
        open_ends(one, depths, double(box.depth_low), double(box.depth_high));

    constexpr std::size_t kSupport = 600, kKept = 120;
    one.depths = transformed_values(samples, [&](const BurstParameters& parameters) {
        return parameters.depth + bucket_depth(likelihood, parameters);
    });
    one.rates = transformed_values(samples, &BurstParameters::rate);
    one.support.clear();
    one.parameters.clear();
    one.mixes = likelihood.mixes();
    const std::size_t step = std::max<std::size_t>(1, samples.size() / kSupport),
                      kept = std::max<std::size_t>(1, samples.size() / kKept);
    for (std::size_t i = 0; i < samples.size(); i += step)
        one.support.push_back({one.depths[i], one.rates[i], 1, samples[i].feature});
    for (std::size_t i = 0; i < samples.size(); i += kept) one.parameters.push_back(samples[i]);
    one.samples = samples.size();
    one.effective = posterior.effective;
    one.draws.clear();
    for (std::size_t i = 0, most = std::min(options.draws, samples.size()); i < most; ++i) {
        const std::size_t at = i * samples.size() / most;
        one.draws.push_back({samples[at], posterior.log_likelihoods[at], posterior.log_priors[at]});
    }
    one.correlation = one.support.size() < 3 ? 0 : correlation_of(one.support);
    const BurstParameters& likeliest = posterior.likeliest();
    one.likeliest =
        SupportPoint{likeliest.depth + bucket_depth(likelihood, likeliest), likeliest.rate, 1, likeliest.feature};
    if (one.model.feature != Feature::None) one.feature = summary_of(Sorted(samples, &BurstParameters::feature), {});
    if (one.feature) widen(*one.feature, one.model.feature, likeliest, likelihood);

    const bool noise_known = is_given(options.noise);
    one.noise = noise_of(samples, likelihood.counted(), noise_known);
    if (options.noise && options.noise->none()) one.noise.reset();
    one.disturbances.clear();
    const auto add = [&](const std::string& name, const std::string& unit, const Value& value, bool known) {
        one.disturbances.push_back(disturbance_of(name, unit, samples, value, known));
    };
    if (likelihood.counted()) add("noise-frames", "frames", &BurstParameters::noise_frames, noise_known);
    add("noise-length", "of the length", &BurstParameters::noise_length, noise_known);
    add("loss", "of the frames", &BurstParameters::loss, is_given(options.loss));
    if (!is_given(options.loss)) {
        double& least = *one.disturbances.back().interval95.low;
        least = std::max(0.0, least - untold_loss(one, likelihood));
    }
    const auto ahead = [](const BurstParameters& parameters) { return parameters.loss_ahead ? parameters.loss : 0; };
    if (boost::algorithm::any_of(samples, ahead)) add("loss-ahead", "of the frames", ahead, false);
    if (likelihood.identifies_bucket() || options.bucket)
        add("bucket", "bytes", &BurstParameters::bucket, is_given(options.bucket));
    if (likelihood.counted())
        add("other-traffic", "of the uplink", &BurstParameters::traffic, is_given(options.traffic));
    for (std::size_t i = 0; i < nuisance_models().size(); ++i)
        if (one.model.feature == Feature::None &&
            nuisance_models()[i].is_identifiable(likelihood.bursts(), likelihood.counted()))
            add(
                nuisance_models()[i].name, nuisance_models()[i].unit,
                [i](const BurstParameters& parameters) {
                    return i < parameters.nuisances.size() ? parameters.nuisances[i] : 0;
                },
                false);
    add(
        "stray-bursts", "of the bursts",
        [](const BurstParameters& parameters) { return parameters.stray > kRareStrays ? parameters.stray : 0; }, false);
}

void take_likeliest(ModelFit& one, const KindInference& question, double units) {
    constexpr double kVolume = 15;  // usual cost of the posterior's part of the prior
    const BurstParameters& likeliest = question.likeliest();
    one.log_evidence = question.log_likelihood() - kVolume;
    one.error_of_log_evidence = kVolume;
    one.support = {{likeliest.depth * units, likeliest.rate, 1}};
    one.depth.value = likeliest.depth * units;
    one.rate.value = likeliest.rate;
}

void mix(std::vector<ModelFit>& models, const Burst& largest, bool cut) {
    constexpr double kMayBe = 0.001;
    ModelFit& best = models.front();
    if (best.depths.empty()) return;
    const auto frames_per_unit = [&](const QueueModel& model) {
        return double(model.memories(largest)) / double(model.cost(largest));
    };
    Mixture depths, rates;
    for (const ModelFit& one : models) {
        if (one.probability < kMayBe || one.depths.empty() || one.model.per_packet != best.model.per_packet) continue;
        const double unit = frames_per_unit(one.model) / frames_per_unit(best.model),
                     weight = one.probability / double(one.depths.size());
        const auto add = [&](Mixture& mixture, const std::vector<double>& values, const Interval& hard, double scale) {
            for (const double value : values)
                mixture.add(scale * (cut && one.feasible ? within(hard, value) : value), weight);
        };
        add(depths, one.depths, one.depth.hard, unit), add(rates, one.rates, one.rate.hard, 1);
        depths.open_below += one.probability * one.shallowest, depths.open_above += one.probability * one.deepest;
    }
    depths.sort(), rates.sort();
    // A memory has a whole depth; a bucket ahead of it has not.
    const bool whole = boost::algorithm::all_of(
        best.parameters, [](const BurstParameters& parameters) { return parameters.bucket == 0; });
    // The closed form of a feature leaves a frame of each queue open.
    const double open =
        best.model.feature == Feature::None ? 0 : most_uplinks(best.mixes) / frames_per_unit(best.model);
    /// @param part  share of a whole depth's probability that lies outside the tail for it to be in the interval
    const auto depth_between = [&](double tail, double part) {
        Interval interval = depths.interval(tail);
        if (interval.low) interval.low = std::floor(std::max(0.0, *interval.low - open) + part);
        if (interval.high) *interval.high += open;
        if (interval.high && (whole || part > 0)) interval.high = std::floor(*interval.high - part);
        if (best.depth.value) widen(interval, {best.depth.value, best.depth.value});
        return interval;
    };
    // Some depth more is in the widest interval rather than too few; in the other as many as it says (mid-P).
    best.depth.interval68 = depth_between(kTailOf68, 0.5), best.depth.interval95 = depth_between(kTailOfWidest, 0);
    if (!best.rate.value) return;
    // The hard limits are those of the named kind, and so is a rate that the others have beyond them.
    best.rate.value = within(best.rate.hard, rates.quantile(0.5));
    best.rate.interval68 = rates.interval(kTailOf68), best.rate.interval95 = rates.interval(kTailOfWidest);
    for (Interval* const interval : {&best.rate.interval68, &best.rate.interval95})
        widen(*interval, {best.rate.value, best.rate.value});
}

const Disturbance* likely_loss(const ModelFit& one) {
    const auto found = boost::find_if(one.disturbances, [](const Disturbance& loss) {
        return loss.name == "loss" && loss.value.value_or(0) > 0 && (loss.known || loss.interval95.low.value_or(0) > 0);
    });
    return found == one.disturbances.end() ? nullptr : &*found;
}

std::vector<int> stray_rows(const BurstLikelihood& likelihood, const std::vector<BurstParameters>& parameters,
                            bool of_others) {
    std::vector<int> rows;
    if (parameters.empty()) return rows;
    constexpr std::size_t kMostEvaluated = 200'000;  // bursts times samples: larger maps have fewer samples
    const std::size_t step = std::max<std::size_t>(1, likelihood.size() * parameters.size() / kMostEvaluated);
    std::vector<BurstParameters> some;
    for (std::size_t j = 0; j < parameters.size(); j += step) some.push_back(parameters[j]);
    for (std::size_t i = 0; i < likelihood.size(); ++i) {
        double share = 0;
        if (of_others)
            share = likelihood.stray_share(i, some) * double(some.size());
        else
            for (const BurstParameters& point : some) share += likelihood.stray_share(i, point);
        if (share > double(some.size()) / 2) rows.push_back(likelihood.burst(i).row);
    }
    boost::sort(rows);
    return rows;
}

}  // namespace watershed
