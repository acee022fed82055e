// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/inference.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "calibrate/fit/alike-kinds.h"
#include "calibrate/fit/count-scatter.h"
#include "calibrate/fit/fit-verdict.h"
#include "calibrate/fit/hard-limits.h"
#include "calibrate/fit/posterior-summary.h"
#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

/// Log likelihood by which a kind of memory is out of reach of the best.
constexpr double kOutOfReach = 40;
/// Bursts from which on a posterior is so narrow that more samples have to find it.
constexpr std::size_t kMany = 100;

/// Where depth and rate of a kind may lie: in the region that explains every burst, or most.
std::vector<BurstParameters> hints_of(const ModelFit& one, const MapReading& map) {
    BurstParameters parameters;
    if (one.region.feasible()) {
        parameters.depth = static_cast<double>(one.region.depth_low + one.region.depth_high) / 2;
        parameters.rate = (one.region.rate_low + one.region.rate_high) / 2;
    } else {
        if (map.counted) return {};
        const SearchBox box = map.box(one.model);
        const LeastContradiction least = least_contradiction(one.model, map.seen(one.model, map.sample), box.depth_low,
                                                             box.depth_high, box.rate_low, box.rate_high);
        parameters.depth = least.depth;
        parameters.rate = least.rate;
    }
    if (!(parameters.depth >= 1 && parameters.rate > 0)) return {};
    return {parameters};
}

/// A kind of memory, and what its likelihood refers to.
struct Inquiry {
    Inquiry(const ModelFit& one, const MapReading& map)
        : bursts(map.seen(one.model, map.sample)),
          box(map.box(one.model)),
          question(one.model, bursts, box, map.options, hints_of(one, map)) {}
    std::vector<Burst> bursts;
    SearchBox box;
    HiddenQuestion question;
};

class Inference {
  public:
    Inference(std::vector<ModelFit>& kinds, const MapReading& map, bool to_the_frame)
        : kinds_(kinds),
          map_(map),
          to_the_frame_(to_the_frame),
          limits_(map, to_the_frame),
          like_(alike_kinds(kinds, map.bursts)),
          inquiries_(kinds.size()),
          posteriors_(kinds.size()) {}

    void run() {
        sample();
        for (std::size_t i = 0; i < kinds_.size(); ++i) settle(i);
        if (map_.lossy == 0) leave_open_what_no_peak_tells(kinds_, map_.bursts);
    }

  private:
    /// Of one of each kinds that are alike.
    void sample() {
        std::vector<std::size_t> sought;
        for (std::size_t i = 0; i < kinds_.size(); ++i)
            if (!like_[i]) sought.push_back(i);
        do_in_threads(sought.size(), [&](std::size_t i) {
            inquiries_[sought[i]] = std::make_unique<Inquiry>(kinds_[sought[i]], map_);
        });
        double best = -HUGE_VAL;
        for (const std::size_t i : sought) best = std::max(best, inquiries_[i]->question.log_likelihood());
        std::vector<PooledRuns> runs(kinds_.size());
        std::vector<std::size_t> open;
        for (const std::size_t i : sought)
            if (inquiries_[i]->question.log_likelihood() >= best - kOutOfReach) open.push_back(i);
        while (!open.empty()) {
            do_in_threads(open.size(), [&](std::size_t i) {
                PooledRuns& all = runs[open[i]];
                AnnealedEffort effort;
                if (map_.sample.size() > kMany) effort.particles *= 2;
                all.add(inquiries_[open[i]]->question.posterior(effort, all.size() + 1));
            });
            open = those_to_go_on_with(runs);
        }
        for (const std::size_t i : sought)
            if (!runs[i].empty()) posteriors_[i] = runs[i].pooled();
    }

    /// Kinds that may be, of which the ends of the intervals are not known yet.
    std::vector<std::size_t> those_to_go_on_with(const std::vector<PooledRuns>& runs) const {
        constexpr double kMayBe = 0.02, kKnown = 0.05, kEvidenceKnown = 0.15;
        const bool many = map_.sample.size() > kMany;
        const std::size_t fewest = many || to_the_frame_ ? 2 : 3, largest = many ? 4 : 12;
        double most = -HUGE_VAL;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (!runs[i].empty()) most = std::max(most, runs[i].log_evidence() + kinds_[i].log_prior);
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (!runs[i].empty() && runs[i].log_evidence() + kinds_[i].log_prior >= most + std::log(kMayBe) &&
                runs[i].size() < largest &&
                (runs[i].size() < fewest || runs[i].error_of_ends() > kKnown ||
                 runs[i].error_of_evidence() > kEvidenceKnown))
                open.push_back(i);
        return open;
    }

    void settle(std::size_t i) {
        ModelFit& one = kinds_[i];
        const std::size_t from = like_[i].value_or(i);
        const Inquiry& inquiry = *inquiries_[from];
        const QueueModel& sampled = kinds_[from].model;
        const Burst& any = first_row(map_.bursts);
        if (posteriors_[from].samples.empty()) {
            take_likeliest(one, inquiry.question,
                           static_cast<double>(one.model.cost(any)) / static_cast<double>(sampled.cost(any)));
            limits_.set(one, false);
        } else if (like_[i]) {
            const BurstLaw law(one.model, map_.seen(one.model, map_.sample));
            limits_.set(one, true);
            take(one, in_unit_of(one.model, sampled, any, posteriors_[from]), law, map_.box(one.model), map_.options);
            finish(one, law, inquiry.question);
        } else {
            limits_.set(one, true);
            take(one, posteriors_[i], inquiry.question.law(), inquiry.box, map_.options);
            finish(one, inquiry.question.law(), inquiry.question);
        }
        limits_.reconcile(one);
    }

    void finish(ModelFit& one, const BurstLaw& law, const HiddenQuestion& question) const {
        // Few samples find the narrow place where nothing disturbs; its size is known.
        if (to_the_frame_ && one.feasible) {
            const double undisturbed = one.undisturbed + question.log_undisturbed(),
                         most = std::max(undisturbed, one.log_evidence);
            one.log_evidence = most + std::log(std::exp(undisturbed - most) + std::exp(one.log_evidence - most));
        }
        one.strays = stray_rows(BurstLaw(one.model, seen_by(one.model, map_.bursts), law.mixes()), one.parameters,
                                map_.bursts.size() > 2 * map_.sample.size());
        if (map_.counted || !one.region.feasible()) note_violations(one);
        if (!one.feasible && !one.strays.empty() && !many_strays(one, map_.bursts.size()))
            one.feasible = map_.region(one.model, without(map_.flags, one.strays)).feasible();
        if (map_.counted) one.counts = scatter_of(one, map_.sample);
    }

    static void note_violations(ModelFit& one) {
        std::set<int> all(one.violating.begin(), one.violating.end());
        all.insert(one.strays.begin(), one.strays.end());
        one.violating.assign(all.begin(), all.end());
    }

    std::vector<ModelFit>& kinds_;
    const MapReading& map_;
    bool to_the_frame_;
    HardLimits limits_;
    std::vector<std::optional<std::size_t>> like_;     ///< for each kind one before it that is alike
    std::vector<std::unique_ptr<Inquiry>> inquiries_;  ///< of kinds that are like none before them
    std::vector<ParameterPosterior> posteriors_;       ///< of those of them that are in reach
};

}  // namespace

void infer(std::vector<ModelFit>& kinds, const MapReading& map, bool to_the_frame) {
    Inference(kinds, map, to_the_frame).run();
}

}  // namespace watershed
