// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/strategy.h"

#include <algorithm>
#include <cmath>

#include "calibrate/advice/outlook.h"
#include "calibrate/fit/fit.h"
#include "model/base/random.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

class Grid final : public Strategy {
  public:
    explicit Grid(const CampaignPlan& plan) {
        for (const Time separation : plan.grid_separations)
            for (const std::int64_t events : plan.grid_lengths)
                settings_.push_back(setting_of(plan.prior.like, separation, events));
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
        const double modules = double(prior.model.fullest(prior.like));
        const double asymptote = modules * bit_picoseconds(prior.like.wire) / prior.rate;
        for (const double share : {0.0, 0.85, 0.5, 0.7, 0.3}) {
            const Time separation =
                plan.advice.generator.at_least(std::max(prior.slot, Time{std::int64_t(share * asymptote)}));
            if (boost::range::find(separations_, separation) == separations_.end()) separations_.push_back(separation);
        }
    }

    std::optional<BurstSetting> next(const std::vector<LossMapRow>& rows, const std::optional<Fit>&) override {
        for (const Time separation : separations_)
            if (const auto events = next_length(rows, separation))
                return setting_of(plan_.prior.like, separation, *events);
        return std::nullopt;
    }

  private:
    /// Nothing once the bracket is narrower than wanted, or contradicts itself.
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

}  // namespace

std::unique_ptr<Strategy> make_strategy(const std::string& name, const CampaignPlan& plan) {
    if (name == "grid") return std::make_unique<Grid>(plan);
    if (name == "bisection") return std::make_unique<Bisection>(plan);
    if (name == "advised") return std::make_unique<Advised>(plan);
    throw InputError("--strategy: found \"" + name + "\", expected grid, bisection or advised");
}

}  // namespace watershed
