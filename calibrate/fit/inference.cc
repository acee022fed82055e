// SPDX-License-Identifier: GPL-2.0-only
#include <boost/range/algorithm_ext/erase.hpp>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

/// Log likelihood by which a kind of memory is out of reach of the best.
constexpr double kOutOfReach = 40;
/// Work, in likelihoods of a burst, after which a map of no more than kMany bursts is not sampled longer: some seconds.
constexpr double kMostWork = 2.5e7;
/// Bursts from which on a posterior is so narrow that more samples have to find it.
constexpr std::size_t kMany = 100;
/// Log likelihood that a feature must gain to be sampled; and a resume level for each number of lost frames, since one
/// that is there explains each much better, and one that is not finds luck among its many peaks.
constexpr double kWorth = 5, kWorthOfEach = 0.15;

double worth_of(Feature feature, const BurstLikelihood& likelihood) {
    double numbers = 0;
    for (std::size_t i = 0; i < likelihood.size(); ++i)
        numbers += likelihood.burst(i).lossy && likelihood.burst(i).counted;
    return kWorth + (feature == Feature::Resume ? kWorthOfEach * numbers : 0);
}

/// Likelihood, evidence and work of the kinds fitted so far: kinds far below need not be sampled.
struct Reached {
    double log_likelihood = -HUGE_VAL;  ///< largest log likelihood
    double log_evidence = -HUGE_VAL;    ///< largest log evidence plus log prior of the kind
    double work = 0;                    ///< cost of all sampling, in likelihoods of a burst
};

/// Returns depth and rate in the middle of the feasible region or, if it is empty, of the least contradiction; empty if
/// this means no memory at all.
std::vector<BurstParameters> places_of(const QueueModel& model, const std::vector<Burst>& bursts,
                                       const FeasibleRegion& region, const FitInput& map) {
    BurstParameters place{double(region.depth_low + region.depth_high) / 2, (region.rate_low + region.rate_high) / 2};
    if (!region.feasible()) {
        const LeastContradiction least = least_contradiction(model, map.seen(model, bursts), map.box(model));
        place = {least.depth, least.rate};
    }
    if (!(place.depth >= 1 && place.rate > 0)) return {};
    return {place};
}

/// Returns likely depths and rates of a kind: in the region that explains every burst, or most.
std::vector<BurstParameters> hints_of(const ModelFit& one, const FitInput& map) {
    return one.region.feasible() || !map.counted ? places_of(one.model, map.sample, one.region, map)
                                                 : std::vector<BurstParameters>();
}

/// Returns the search box of depth and rate at the value of a feature that permits most.
SearchBox widest_box(QueueModel model, const FitInput& map) {
    if (model.feature == Feature::UnevenUplinks)
        model.value = 1;
    else
        model.feature = Feature::None;
    return map.box(model);
}

class Inference {
  public:
    /// @param hints  of each kind
    Inference(std::vector<ModelFit>& kinds, const FitInput& map, std::vector<std::vector<BurstParameters>> hints,
              const Reached& reached)
        : kinds_(kinds),
          map_(map),
          hints_(std::move(hints)),
          reached_(reached),
          like_(equivalent_kinds(kinds, map.bursts)),
          questions_(kinds.size()),
          runs_(kinds.size()),
          posteriors_(kinds.size()),
          exact_(kinds.size()) {}

    void run() {
        std::vector<std::size_t> sought;
        for (std::size_t i = 0; i < kinds_.size(); ++i)
            if (!like_[i]) sought.push_back(i);
        sample(sought);
        sample(told_apart());
        do_in_threads(kinds_.size(), [&](std::size_t i) { settle(i); });
        weigh_exact();
        if (map_.lossy == 0) equalize_lossless_evidence(kinds_, map_.bursts);
    }

  private:
    void sample(const std::vector<std::size_t>& sought) {
        do_in_threads(sought.size(), [&](std::size_t i) {
            const QueueModel& model = kinds_[sought[i]].model;
            questions_[sought[i]] = std::make_unique<KindInference>(
                model, map_.seen(model, map_.sample), widest_box(model, map_), map_.options, hints_[sought[i]]);
        });
        const double best = largest(
            questions_, [](const auto& one) { return one ? one->log_likelihood() : -HUGE_VAL; }, -HUGE_VAL);
        std::vector<std::size_t> open;
        for (const std::size_t i : sought)
            if (in_reach(i, best)) open.push_back(i);
        while (!open.empty()) {
            do_in_threads(open.size(), [&](std::size_t i) {
                PooledRuns& all = runs_[open[i]];
                AnnealedEffort effort;
                for (const bool more : {map_.sample.size() > kMany, all.begins_with_what_was_found()})
                    if (more) effort.particles *= 2;
                // Runs of neighbouring seeds share none of their numbers.
                constexpr std::uint64_t kRuns = 1'000'003;
                const std::uint64_t seed = (map_.options.seed - 1) * kRuns + all.seed();
                all.add(questions_[open[i]]->posterior(effort, seed, all.found()));
            });
            open = those_to_go_on_with();
        }
        for (const std::size_t i : sought)
            if (!runs_[i].empty()) posteriors_[i] = runs_[i].pooled(), kinds_[i].work = runs_[i].work();
    }

    /// Returns the kinds that are not equivalent to the one before, since its posterior in their unit explains the map
    /// less well: what a depth that drifts holds depends on its fraction of a frame. They are sampled themselves.
    std::vector<std::size_t> told_apart() {
        constexpr std::size_t kFew = 200;
        constexpr double kWorse = 0.5;  // mean log likelihood
        std::vector<std::size_t> apart;
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            if (!like_[i] || posteriors_[*like_[i]].samples.empty()) continue;
            const ParameterPosterior& from = posteriors_[*like_[i]];
            const ParameterPosterior there =
                in_unit_of(kinds_[i].model, kinds_[*like_[i]].model, largest_row(map_.bursts), from);
            const BurstLikelihood likelihood(kinds_[i].model, map_.seen(kinds_[i].model, map_.sample));
            const std::size_t step = there.samples.size() / kFew + 1;
            double worse = 0;
            for (std::size_t s = 0; s < there.samples.size(); s += step)
                worse += from.log_likelihoods[s] - likelihood.log_likelihood(there.samples[s]);
            if (worse * double(step) <= kWorse * double(there.samples.size())) continue;
            like_[i].reset();
            apart.push_back(i);
        }
        return apart;
    }

    bool in_reach(std::size_t i, double best) const {
        const KindInference& question = *questions_[i];
        return question.log_likelihood() >= best - kOutOfReach &&
               question.log_likelihood() >=
                   reached_.log_likelihood + worth_of(kinds_[i].model.feature, question.likelihood());
    }

    /// Kinds that may be, of which the ends of the intervals are not known yet; and those that explain the bursts as
    /// well as any, until runs that begin where they do agree on their evidence: first runs may miss a narrow
    /// place. Where the first runs leave the ends open, those that follow begin with what these found, and these no
    /// longer count; nor do those, while they find more and more, or one of them found what others did not.
    std::vector<std::size_t> those_to_go_on_with() {
        constexpr double kMayBe = 0.02, kKnown = 0.05, kEvidenceKnown = 0.15;
        constexpr double kAsLikely = 5;  // log likelihood
        const bool many = map_.sample.size() > kMany;
        std::size_t fewest = many || map_.to_the_frame ? 2 : 3;
        constexpr std::size_t kFewestInformed = 3, kMostInformed = 6;
        std::size_t largest = many ? 4 : 12;
        double most = reached_.log_evidence, work = reached_.work;
        for (const PooledRuns& each : runs_) work += each.work();
        if (!many && work > kMostWork) fewest = largest = 2;
        double likeliest = -HUGE_VAL;
        const auto found = [&](std::size_t i) {
            return std::max(questions_[i]->log_likelihood(), runs_[i].log_likelihood());
        };
        for (std::size_t i = 0; i < runs_.size(); ++i)
            if (!runs_[i].empty()) {
                most = std::max(most, runs_[i].log_evidence() + kinds_[i].log_prior);
                likeliest = std::max(likeliest, found(i));
            }
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            PooledRuns& all = runs_[i];
            if (all.empty()) continue;
            const bool informed = all.begins_with_what_was_found(),
                       behind = all.log_evidence() + kinds_[i].log_prior < most + std::log(kMayBe);
            if (behind && (map_.to_the_frame || found(i) < likeliest - kAsLikely)) continue;
            if (all.size() >= (informed ? kFewestInformed : fewest)) {
                const bool known = behind ? informed : all.error_of_ends() <= kKnown,
                           agree = all.error_of_evidence() <= kEvidenceKnown;
                if (all.seed() > largest || (known && agree)) continue;
                if (informed ? !agree || all.size() >= kMostInformed : !known) all.begin_with_what_was_found();
            }
            open.push_back(i);
        }
        return open;
    }

    void settle(std::size_t i) {
        ModelFit& one = kinds_[i];
        const std::size_t from = like_[i].value_or(i);
        const KindInference& question = *questions_[from];
        const QueueModel& sampled = kinds_[from].model;
        const Burst& any = largest_row(map_.bursts);
        one.log_likelihood = question.log_likelihood();
        if (posteriors_[from].samples.empty()) {
            take_likeliest(one, question, double(one.model.cost(any)) / double(sampled.cost(any)));
            set_hard_limits(one, map_, false);
        } else if (like_[i]) {
            conclude(one, in_unit_of(one.model, sampled, any, posteriors_[from]),
                     BurstLikelihood(one.model, map_.seen(one.model, map_.sample)), question);
        } else {
            conclude(one, posteriors_[i], question.likelihood(), question);
        }
        reconcile_hard_limits(one, map_);
    }

    void conclude(ModelFit& one, const ParameterPosterior& posterior, const BurstLikelihood& likelihood,
                  const KindInference& question) {
        if (one.model.feature == Feature::None)
            set_hard_limits(one, map_, true);
        else
            set_feature(one, posterior.likeliest());
        take(one, posterior, likelihood, widest_box(one.model, map_), map_.options);
        if (map_.to_the_frame && one.feasible && !map_.options.depth_prior && !map_.options.rate_prior)
            exact_[std::size_t(&one - kinds_.data())] = {&one, one.undisturbed + question.log_undisturbed(),
                                                         one.log_evidence};
        one.strays = stray_rows(BurstLikelihood(one.model, seen_by(one.model, map_.bursts), likelihood.mixes()),
                                one.parameters, map_.bursts.size() > 2 * map_.sample.size());
        if (map_.counted || !one.region.feasible()) {
            std::set<int> all(one.violating.begin(), one.violating.end());
            all.insert(one.strays.begin(), one.strays.end());
            one.violating.assign(all.begin(), all.end());
        }
        if (!one.feasible && !one.strays.empty() && !many_strays(one, map_.bursts.size()))
            one.feasible = map_.region(one.model, without(map_.flags, one.strays)).feasible();
        if (map_.counted) one.scatter = scatter_of(one, map_.sample);
    }

    /// The likeliest value: with the median of one that comes in steps nothing might be explained. Bursts that the
    /// likelihood does not explain there are exceptions.
    void set_feature(ModelFit& one, const BurstParameters& likeliest) const {
        one.model.value = likeliest.feature;
        one.model.order = likeliest.order;
        one.region = map_.region(one.model, map_.flags);
        one.feasible = one.region.feasible();
        if (!one.feasible) {
            const BurstLikelihood likelihood(one.model, map_.seen(one.model, map_.bursts));
            for (std::size_t i = 0; i < likelihood.size(); ++i)
                if (likelihood.burst(i).lossy != (likelihood.overflow(i, likeliest) >= 0.5))
                    one.violating.push_back(likelihood.burst(i).row);
            boost::sort(one.violating);
            one.feasible = one.violating.empty();
            if (!one.feasible) one.region = map_.region(one.model, without(map_.flags, one.violating));
        }
        take_hard_limits(one);
    }

    /// Kinds whose closed form explains every burst to the frame predict the same: of how much of their prior this
    /// holds is a matter of their units, and tells nothing. Few samples find the narrow place where nothing disturbs,
    /// now more of them and now fewer; its size is known. What there is about it is in proportion.
    void weigh_exact() {
        double share = -HUGE_VAL, about = 0, error = 0;
        for (const ExactKind& one : exact_) {
            if (!one.kind || !one.kind->by_closed_form) continue;
            share = std::max(share, one.undisturbed);
            if (one.sampled - one.undisturbed <= about) continue;
            about = one.sampled - one.undisturbed, error = one.kind->error_of_log_evidence;
        }
        for (const ExactKind& one : exact_) {
            if (!one.kind) continue;
            const auto like = like_[std::size_t(one.kind - kinds_.data())];
            if (one.kind->by_closed_form) one.kind->error_of_log_evidence = error;
            one.kind->log_evidence = like                       ? kinds_[*like].log_evidence
                                     : one.kind->by_closed_form ? share + about
                                                                : std::max(one.sampled, one.undisturbed);
        }
    }

    /// A kind that explains every burst to the frame, and its log evidence: that nothing disturbs, and of all samples.
    struct ExactKind {
        ModelFit* kind = nullptr;  ///< null for kinds that do not
        double undisturbed = 0, sampled = 0;
    };

    std::vector<ModelFit>& kinds_;
    const FitInput& map_;
    std::vector<std::vector<BurstParameters>> hints_;
    Reached reached_;
    std::vector<std::optional<std::size_t>> like_;           ///< for each kind the index of an equivalent one before it
    std::vector<std::unique_ptr<KindInference>> questions_;  ///< by kind; null for equivalents of earlier kinds
    std::vector<PooledRuns> runs_;                           ///< by kind
    std::vector<ParameterPosterior> posteriors_;             ///< by kind; empty for kinds that are too unlikely
    std::vector<ExactKind> exact_;                           ///< by kind
};

/// Whole events are lost while a queue falls: counts scatter by an event over the square root of twelve, or single
/// bursts contradict a plain memory. Much less scatter has another reason than a resume level.
bool loses_events(const ModelFit& best, const FitInput& map) {
    constexpr double kLeast = 0.2;  // events
    std::int64_t ports = INT64_MAX;
    for (const Burst& burst : map.sample) ports = std::min(ports, burst.ports);
    return best.scatter.value_or(0) > kLeast * double(ports) || !best.strays.empty() || !best.violating.empty();
}

/// Returns where the search for a feature begins: at the plain memory's fits to the map, to its flags alone, and to its
/// largest frames, which no descriptors limit.
std::vector<BurstParameters> hints_of(const ModelFit& plain, Feature feature, const FitInput& map) {
    std::vector<BurstParameters> places;
    if (plain.depth.value && *plain.depth.value >= 1 && plain.rate.value && *plain.rate.value > 0)
        places.push_back({*plain.depth.value, *plain.rate.value});
    const auto add = [&](const std::vector<Burst>& flags) {
        for (const BurstParameters& place : places_of(plain.model, flags, map.region(plain.model, flags), map))
            places.push_back(place);
    };
    std::vector<Burst> flags = map.sample;
    for (Burst& burst : flags) burst.counted = false;
    add(flags);
    if (feature == Feature::Descriptors) {
        const auto payload = largest(flags, &Burst::payload, std::int64_t{0});
        boost::remove_erase_if(flags, [&](const Burst& burst) { return burst.payload < payload; });
        add(flags);
    }
    if (places.empty()) return places;
    if (map.options.nominal_rate) {
        places.push_back(places.front());
        places.back().rate = double(map.options.nominal_rate->count);
    }
    if (feature != Feature::UnevenUplinks) return places;
    // If one of two uplinks is hardly used, the other must be as fast as the plain memory's two.
    for (const double factor : {1.25, 1.5, 2.0}) {
        places.push_back(places.front());
        places.back().rate *= factor, places.back().depth /= factor;
    }
    return places;
}

}  // namespace

void infer(std::vector<ModelFit>& kinds, const FitInput& map) {
    Inference(kinds, map, transformed_values(kinds, [&](const ModelFit& one) { return hints_of(one, map); }), {}).run();
}

std::vector<ModelFit> kinds_with_features(const Fit& fit, const FitInput& map) {
    if (map.lossy == 0 || (fit.bursts.size() < kFewestBursts && !map.feature_given())) return {};
    Reached reached;
    const ModelFit* best = nullptr;
    for (const ModelFit& one : fit.models) {
        reached.log_likelihood = std::max(reached.log_likelihood, one.log_likelihood);
        reached.work += one.work;
        if (best && one.log_evidence + one.log_prior <= reached.log_evidence) continue;
        best = &one;
        reached.log_evidence = one.log_evidence + one.log_prior;
    }
    // Outcomes have a likelihood of one at most: beside a memory that nearly has it nothing gains enough.
    const bool given = map.feature_given();
    if (!given && (map.options.kind || best->parameters.empty() || reached.log_likelihood > -kWorth)) return {};
    if (given) reached = {};
    const bool may_resume = given || loses_events(*best, map);
    std::vector<ModelFit> kinds;
    std::vector<std::vector<BurstParameters>> hints;
    for (const ModelFit& one : fit.models) {
        if (one.model.per_packet) continue;
        if (one.model.unit == MemorySize::Unit::Cell && fit.conditions.cell == 0)
            continue;  // its size was fitted already
        for (const Feature feature : visible_features(one.model, map.sample)) {
            if (feature == Feature::Resume && !may_resume) continue;
            QueueModel model = one.model;
            model.feature = feature;
            for (const Burst& burst : map.bursts)
                model.owners = std::max(model.owners, std::int64_t(model.owners_in(burst)));
            const auto reserve = model.has_reserve() ? reserve_hint(model, map.sample) : std::nullopt;
            if (model.has_reserve() && map.counted && !given && (!reserve || reserve->gain < kWorth)) continue;
            if (given && !is_named(model, *map.options.kind)) continue;
            ModelFit& kind = kinds.emplace_back();
            kind.model = model;
            kind.log_prior = log_prior_of(model, one.log_prior + log_odds_of_feature(), map.options);
            hints.push_back(hints_of(one, feature, map));
            if (reserve) hints.back().push_back(reserve->at);
            if (feature == Feature::DynamicThreshold)
                if (const auto threshold = threshold_hint(model, map.sample)) hints.back().push_back(*threshold);
        }
    }
    if (const auto ring = receiver_ring(map.bursts, fit.conditions, map.options); ring && !given) {
        kinds.push_back(*ring);
        hints.emplace_back();
    }
    if (kinds.empty()) return kinds;
    // Keeps those that exceed what was reached.
    Inference(kinds, map, std::move(hints), reached).run();
    boost::remove_erase_if(kinds, [](const ModelFit& one) { return one.parameters.empty(); });
    return kinds;
}

}  // namespace watershed
