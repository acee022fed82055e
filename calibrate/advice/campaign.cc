// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/campaign.h"

#include <boost/math/distributions/binomial.hpp>

#include "calibrate/advice/burst-planner.h"
#include "model/base/random.h"
#include "model/exact/exact-engine.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// Random numbers of one burst, one per disturbance.
enum class Draw { Threshold, Count, Background, Late, LateTrigger, Lateness, Loss, Bucket, Stray, Strayed };

class BurstDraws {
  public:
    BurstDraws(std::uint64_t seed, std::int64_t number) : seed_(seed), number_(number) {}

    double uniform(Draw draw) const { return uniform_draw(seed_, number_, std::uint64_t(draw)); }
    double normal(Draw draw) const { return normal_quantile(uniform(draw)); }
    /// Returns a normal deviate, or Student's t with two degrees of freedom.
    double scattered(Draw draw, bool heavy_tails) const {
        if (!heavy_tails) return normal(draw);
        const double u = uniform(draw);
        return (2 * u - 1) / std::sqrt(2 * u * (1 - u));
    }
    /// Returns a binomial number by inversion.
    std::int64_t binomial(Draw draw, std::int64_t trials, double share) const {
        if (share <= 0 || trials <= 0) return 0;
        using namespace boost::math::policies;
        using Policy = policy<discrete_quantile<integer_round_up>>;
        return std::llround(
            quantile(boost::math::binomial_distribution<double, Policy>(double(trials), share), uniform(draw)));
    }

  private:
    std::uint64_t seed_;
    std::int64_t number_;
};

std::int64_t frames_lost(Scenario scenario, std::int64_t events) {
    scenario.trigger.events = events;
    return ExactEngine().run(scenario).frames_lost();
}

/// Returns the bytes of a frame on the link.
double wire_of(const Scenario& scenario) { return double(frames_of_fragment(scenario.frame).front().wire.count); }

/// Returns the frames that busy uplinks send between two events.
double drained_per_event(const Scenario& scenario) {
    const double bits = 8 * wire_of(scenario);
    const double spacing =
        std::max(double(scenario.trigger.separation.count()), 1e12 * bits / double(scenario.front_end.link_rate.count));
    return seconds_of_picoseconds(spacing) * double(scenario.network_switch.uplink_rate.count) / bits *
           scenario.network_switch.uplinks;
}

/// Returns the frames lost; if none, minus the frames that would still fit, from a longer burst; -infinity beyond
/// `reach` frames.
double margin(const Scenario& scenario, std::int64_t events, double reach) {
    const std::int64_t lost = frames_lost(scenario, events);
    // Growth of the queue per event while no uplink is idle.
    const double growth = scenario.front_end.modules - drained_per_event(scenario);
    if (lost > 0 || reach <= 0) return double(lost);
    if (growth <= 0) return -HUGE_VAL;
    const auto more = std::int64_t(std::ceil(reach / growth));
    const std::int64_t then = frames_lost(scenario, events + more);
    return then > 0 ? std::min(0.0, double(then) - double(more) * growth) : -HUGE_VAL;
}

/// Delays one trigger; those due meanwhile follow at once.
void delay_one(Trigger& trigger, std::int64_t late_event, Time lateness) {
    const Time resumed = trigger.separation * late_event + lateness;
    trigger.pattern = Trigger::Pattern::File;
    for (std::int64_t event = 0; event < *trigger.events; ++event)
        trigger.times.push_back(event < late_event ? trigger.separation * event
                                                   : std::max(trigger.separation * event, resumed));
}

class Grid final : public Strategy {
  public:
    explicit Grid(const CampaignPlan& plan) {
        for (const Time separation : plan.grid_separations)
            for (const std::int64_t events : plan.grid_lengths)
                settings_.push_back(setting_of(plan.prior.usual, separation, events));
        for (std::size_t left = settings_.size(); left > 1; --left)
            std::swap(settings_[left - 1],
                      settings_[std::size_t(uniform_up_to(random_bits(mixed(plan.seed), Stream::Apparatus, left),
                                                          std::int64_t(left) - 1))]);
    }

    std::optional<BurstSetting> next(const std::vector<LossMapRow>& rows, const std::optional<Fit>&) override {
        if (rows.size() >= settings_.size()) return std::nullopt;
        return settings_[rows.size()];
    }

  private:
    std::vector<BurstSetting> settings_;
};

class Bisection final : public Strategy {
  public:
    explicit Bisection(const CampaignPlan& plan) : plan_(plan) {
        const Prior& prior = plan.prior;
        const double modules = double(prior.model.fullest(prior.usual));
        const double asymptote = modules * bit_picoseconds(prior.usual.wire) / prior.rate;
        for (const double share : {0.0, 0.85, 0.5, 0.7, 0.3}) {
            const Time separation =
                plan.advice.generator.at_least(std::max(prior.slot, Time{std::int64_t(share * asymptote)}));
            if (boost::range::find(separations_, separation) == separations_.end()) separations_.push_back(separation);
        }
    }

    std::optional<BurstSetting> next(const std::vector<LossMapRow>& rows, const std::optional<Fit>&) override {
        for (const Time separation : separations_)
            if (const auto events = next_length(rows, separation))
                return setting_of(plan_.prior.usual, separation, *events);
        return std::nullopt;
    }

  private:
    /// Returns std::nullopt once the bracket is narrow enough, or contradicts itself.
    std::optional<std::int64_t> next_length(const std::vector<LossMapRow>& rows, Time separation) const {
        std::int64_t lossless = 0, lossy = 0;
        for (const LossMapRow& row : rows) {
            if (row.separation != separation) continue;
            if (row.lossless())
                lossless = std::max(lossless, row.events);
            else
                lossy = lossy == 0 ? row.events : std::min(lossy, row.events);
        }
        const Generator& generator = plan_.advice.generator;
        if (lossy == 0) {
            const std::int64_t longer = generator.at_least(std::max<std::int64_t>(1, 2 * lossless));
            return longer > lossless ? std::make_optional(longer) : std::nullopt;
        }
        const double low = double(std::max<std::int64_t>(1, lossless)), high = double(lossy);
        const std::int64_t middle = generator.nearest(std::llround(std::sqrt(low * high)));
        if (high / low < 1 + plan_.advice.precision / 2 || middle <= lossless || middle >= lossy) return std::nullopt;
        return middle;
    }

    const CampaignPlan& plan_;
    std::vector<Time> separations_;
};

class Advised final : public Strategy {
  public:
    explicit Advised(const CampaignPlan& plan) : plan_(plan) {}
    bool needs_fit() const override { return true; }

    std::optional<BurstSetting> next(const std::vector<LossMapRow>&, const std::optional<Fit>& fit) override {
        const Advice advice = advise(fit, plan_.prior, plan_.advice);
        stopped_ = advice.stop;
        if (advice.stop || advice.points.empty()) return std::nullopt;
        return advice.points.front();
    }
    bool stopped() const override { return stopped_; }

  private:
    const CampaignPlan& plan_;
    bool stopped_ = false;
};

/// Fits after each of the first bursts, then every fourth: fits of large maps take time.
bool worth_a_fit(std::size_t bursts) { return bursts <= 24 || bursts % 4 == 0; }

double relative_error(const CampaignRecord& record, const CampaignStage& stage) {
    return std::abs(stage.estimate->value / record.truth - 1);
}

/// Amounts and lengths are whole, rates are large.
bool covers(const CampaignRecord& record, const CampaignStage& stage) {
    return record.truth >= stage.estimate->low - 1 && record.truth <= stage.estimate->high + 1;
}

/// Returns the knowledge after a number of bursts.
CampaignStage stage_of(std::int64_t bursts, double seconds, const std::optional<Fit>& fit, const CampaignPlan& plan) {
    CampaignStage stage{bursts, seconds, BurstPlanner(fit, plan.prior, plan.advice).estimate()};
    if (!fit) return stage;
    const auto likeliest = boost::max_element(
        fit->models, [](const ModelFit& a, const ModelFit& b) { return a.probability < b.probability; });
    stage.kind = likeliest->model.name();
    stage.probability = likeliest->probability;
    if (stage.estimate && plan.advice.target == AdviceTarget::Depth) {
        const double scale =
            double(plan.prior.model.cost(plan.prior.usual)) / double(fit->best().model.cost(plan.prior.usual));
        for (double* const value : {&stage.estimate->value, &stage.estimate->low, &stage.estimate->high})
            *value *= scale;
    }
    return stage;
}

Spread spread_of(std::vector<double> values) {
    if (values.empty()) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    boost::sort(values);
    const auto quantile = [&](double share) {
        return values[std::size_t(std::min(share * double(values.size()), double(values.size()) - 1))];
    };
    return {quantile(0.25), quantile(0.5), quantile(0.75)};
}

}  // namespace

double uniform_draw(std::uint64_t seed, std::int64_t number, std::uint64_t draw) {
    const std::uint64_t bits = random_bits(seed, Stream::Apparatus, std::uint64_t(number), draw);
    constexpr int kMantissa = 52;
    return (double(bits >> (64 - kMantissa)) + 0.5) * std::exp2(-kMantissa);
}

SimulatedSwitch::SimulatedSwitch(Scenario hidden, const SetupImperfections& apparatus, Generator generator)
    : hidden_(std::move(hidden)), apparatus_(apparatus), generator_(std::move(generator)) {
    hidden_.trigger = {};
    hidden_.frame.wire_overhead.count += apparatus.overhead_error;
    hidden_.frame.buffer_overhead.count += apparatus.overhead_error;
}

LossMapRow SimulatedSwitch::measure(std::int64_t number, const BurstSetting& wanted) const {
    const BurstDraws disturbance(apparatus_.seed, number);
    Scenario scenario = hidden_;
    scenario.frame.payload = wanted.payload;
    scenario.front_end.modules = wanted.ports;
    scenario.trigger.separation = generator_.nearest(wanted.separation);
    const std::int64_t events = generator_.nearest(wanted.events);
    if (wanted.uplinks) scenario.network_switch.uplinks = *wanted.uplinks;
    BitRate& rate = scenario.network_switch.uplink_rate;
    if (apparatus_.drift != 0)
        rate.count = std::max<std::int64_t>(
            1, std::llround(double(rate.count) * std::pow(1 + apparatus_.drift, double(number))));

    LossMapRow row{wanted.ports, wanted.payload, scenario.trigger.separation, events, wanted.ports * events, 0,
                   std::nullopt};
    row.congested_uplinks = wanted.uplinks;
    if (apparatus_.late > 0) row.worst_trigger_lateness = Time{0};

    // Effective number of events; a threshold lies between two whole numbers.
    NoiseModel noise = apparatus_.noise;
    noise.frames = std::sqrt(noise.frames * noise.frames +
                             apparatus_.other_traffic * drained_per_event(scenario) * double(events - 1));
    const double factor = noise.drawn_factor(disturbance.scattered(Draw::Threshold, apparatus_.heavy_tails));
    const auto felt = std::max<std::int64_t>(1, std::llround(double(events) * factor));
    const double ahead = apparatus_.bucket * scenario.network_switch.uplinks / wire_of(scenario);
    double lost = 0;
    if (events > 1 && disturbance.uniform(Draw::Late) < apparatus_.late) {
        constexpr double kMostSeparations = 10;
        const auto late_event = 1 + std::int64_t(disturbance.uniform(Draw::LateTrigger) * double(events - 1));
        const auto lateness = Time{std::llround(double(row.separation.count()) *
                                                (1 + (kMostSeparations - 1) * disturbance.uniform(Draw::Lateness)))};
        scenario.trigger.events = events;
        delay_one(scenario.trigger, late_event, lateness);
        lost = double(frames_lost(scenario, events));
        row.worst_trigger_lateness = lateness;
    } else {
        constexpr double kSigmas = 6;
        lost = margin(scenario, felt, kSigmas * noise.frames + ahead);
    }
    // Whole frames of the token bucket; the fraction is random.
    if (ahead > 0) lost -= std::floor(ahead + disturbance.uniform(Draw::Bucket));
    lost += noise.drawn_frames(disturbance.scattered(Draw::Count, apparatus_.heavy_tails));
    if (disturbance.uniform(Draw::Background) < apparatus_.background) lost = std::max(0.0, lost) + 1;
    constexpr double kMostStrayed = 1000;
    if (disturbance.uniform(Draw::Stray) < apparatus_.stray)
        lost = std::max(0.0, lost) + std::pow(kMostStrayed, disturbance.uniform(Draw::Strayed));
    const std::int64_t overflowed = std::llround(std::clamp(lost, 0.0, double(row.frames_sent)));
    lost = double(overflowed + disturbance.binomial(Draw::Loss, row.frames_sent - overflowed, apparatus_.loss));
    const std::int64_t frames = std::llround(std::clamp(lost, 0.0, double(row.frames_sent)));
    row.frames_received = row.frames_sent - (apparatus_.counts ? frames : std::min<std::int64_t>(frames, 1));
    return row;
}

std::unique_ptr<Strategy> make_strategy(const std::string& name, const CampaignPlan& plan) {
    if (name == "grid") return std::make_unique<Grid>(plan);
    if (name == "bisection") return std::make_unique<Bisection>(plan);
    if (name == "advised") return std::make_unique<Advised>(plan);
    throw InputError("--strategy: found \"" + name + "\", expected grid, bisection or advised");
}

Scenario hidden_scenario(const Scenario& believed, std::uint64_t seed, std::int64_t number, double depth_factor,
                         double rate_spread) {
    Scenario hidden = believed;
    MemorySize& size = hidden.network_switch.buffer.size;
    // The seed is mixed: no disturbance of a burst has the same draw.
    const double factor = std::pow(depth_factor, 2 * uniform_draw(mixed(seed), number, 0) - 1);
    size.amount = std::max<std::int64_t>(1, std::llround(double(size.amount) * factor));
    const double deviation = rate_spread * normal_quantile(uniform_draw(mixed(seed), number, 1));
    BitRate& rate = hidden.network_switch.uplink_rate;
    rate.count = std::max<std::int64_t>(1, std::llround(double(rate.count) * std::exp(deviation)));
    return hidden;
}

double true_target(const Scenario& hidden, const CampaignPlan& plan) {
    const double depth = double(hidden.network_switch.buffer.size.amount),
                 rate = double(hidden.network_switch.uplink_rate.count);
    switch (plan.advice.target) {
        case AdviceTarget::Depth: return depth;
        case AdviceTarget::Rate: return rate;
        case AdviceTarget::Watershed: break;
    }
    const auto longest = longest_lossless(plan.prior.model, plan.prior.usual,
                                          std::max(plan.prior.slot, plan.advice.watershed_at), depth, rate);
    return longest ? double(*longest) + 0.5 : HUGE_VAL;
}

CampaignRecord play_campaign(const SimulatedSwitch& hidden, double truth, Strategy& strategy, const CampaignPlan& plan,
                             std::int64_t most) {
    CampaignRecord record;
    record.truth = truth;
    std::vector<LossMapRow> rows;
    std::optional<Fit> fit;
    double seconds = 0;
    while (std::int64_t(rows.size()) < most) {
        const auto setting = strategy.next(rows, fit);
        if (!setting) break;
        rows.push_back(hidden.measure(std::int64_t(rows.size()), *setting));
        const LossMapRow& row = rows.back();
        seconds +=
            double(plan.advice.setup.count() + row.events * std::max(row.separation, plan.prior.slot).count()) / 1e12;
        const bool fits = strategy.needs_fit() || worth_a_fit(rows.size()) || std::int64_t(rows.size()) == most;
        if (!fits) continue;
        fit = fit_so_far({"simulated", rows}, plan.conditions, plan.fit).fit;
        record.stages.push_back(stage_of(std::int64_t(rows.size()), seconds, fit, plan));
    }
    record.stopped = strategy.stopped();
    return record;
}

StrategySummary summary_of(const std::string& strategy, const std::vector<CampaignRecord>& records, double precision,
                           const std::string& kind) {
    StrategySummary summary;
    summary.strategy = strategy;
    summary.campaigns = records.size();
    std::vector<double> bursts, seconds, errors, in_all, final_errors, stops;
    for (const CampaignRecord& record : records) {
        const auto stage = boost::find_if(record.stages, [&](const CampaignStage& one) {
            return one.estimate && one.estimate->relative_half_width <= precision;
        });
        const bool precise = stage != record.stages.end();
        bursts.push_back(precise ? double(stage->bursts) : HUGE_VAL);
        seconds.push_back(precise ? stage->seconds : HUGE_VAL);
        if (precise) {
            errors.push_back(relative_error(record, *stage));
            summary.covered += covers(record, *stage);
        }
        const CampaignStage& last = record.stages.back();
        in_all.push_back(double(last.bursts));
        final_errors.push_back(last.estimate ? relative_error(record, last) : HUGE_VAL);
        constexpr double kSure = 0.99;
        summary.wrong_kind += (last.probability > kSure && last.kind != kind) / double(records.size());
        if (record.stopped) {
            stops.push_back(double(last.bursts));
            summary.stop_covered += !last.estimate || covers(record, last);
        }
        summary.finally_covered += (!last.estimate || covers(record, last)) / double(records.size());
    }
    summary.bursts_in_all = spread_of(in_all);
    summary.stop_bursts = spread_of(stops);
    summary.stopped = double(stops.size()) / double(records.size());
    summary.stop_covered /= double(stops.size());
    summary.final_error = spread_of(final_errors);
    summary.reached = double(errors.size()) / double(records.size());
    if (!errors.empty()) summary.covered /= double(errors.size());
    summary.bursts = spread_of(bursts);
    summary.seconds = spread_of(seconds);
    summary.error = spread_of(errors);
    return summary;
}

std::vector<StrategyPoint> progress_of(const std::vector<CampaignRecord>& records) {
    std::set<std::int64_t> numbers;
    for (const CampaignRecord& record : records)
        for (const CampaignStage& stage : record.stages) numbers.insert(stage.bursts);
    std::vector<StrategyPoint> points;
    std::vector<std::size_t> at(records.size(), 0);
    for (const std::int64_t bursts : numbers) {
        std::vector<double> widths, errors, seconds;
        for (std::size_t i = 0; i < records.size(); ++i) {
            const auto& stages = records[i].stages;
            while (at[i] + 1 < stages.size() && stages[at[i] + 1].bursts <= bursts) ++at[i];
            const CampaignStage& stage = stages[at[i]];
            widths.push_back(stage.estimate ? stage.estimate->relative_half_width : HUGE_VAL);
            errors.push_back(stage.estimate ? relative_error(records[i], stage) : HUGE_VAL);
            seconds.push_back(stage.seconds);
        }
        points.push_back({bursts, spread_of(widths), spread_of(errors), spread_of(seconds).median});
    }
    return points;
}

}  // namespace watershed
