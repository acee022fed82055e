// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/study-campaign.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <sstream>

#include "calibrate/advice/campaign.h"
#include "model/base/random.h"

namespace watershed::calibration {
namespace {

/// Frame's costs among the fit's conditions, as the experimenter takes them.
constexpr int kWireOverhead = 66, kBufferOverhead = 46;
constexpr std::int64_t kLinkRate = 1'000'000'000;
constexpr Time kStep{10'000};

struct Mix {
    int ports = 0;
    std::int64_t payload = 0;
};

std::size_t pick(std::mt19937_64& random, std::size_t n) {
    return static_cast<std::size_t>(uniform(random) * static_cast<double>(n));
}

std::vector<Mix> drawn_mixes(const Draws& draws, std::mt19937_64& random) {
    constexpr std::array<int, 4> kPorts{8, 16, 30, 44};
    constexpr std::array<std::int64_t, 4> kPayloads{200, 512, 1024, 1400};
    const std::size_t first = pick(random, kPayloads.size()), other = pick(random, kPayloads.size() - 1);
    std::vector<Mix> mixes{{kPorts[pick(random, kPorts.size())], kPayloads[first]}};
    constexpr double kFewer = 0.6, kMore = 1.6;
    const double ports = std::round(mixes.front().ports * between(random, kFewer, kMore));
    if (uniform(random) < draws.two_mixes)
        mixes.push_back({static_cast<int>(ports), kPayloads[other < first ? other : other + 1]});
    return mixes;
}

bool starts_with(const std::string& text, const std::string& beginning) {
    return text.compare(0, beginning.size(), beginning) == 0;
}
bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Truth drawn_truth(const Draws& draws, const std::vector<Mix>& mixes, std::mt19937_64& random) {
    constexpr std::array<std::int64_t, 5> kCells{64, 80, 128, 208, 256};
    constexpr double kFewestOfOneInput = 10;
    Truth truth;
    truth.kind = draws.kinds[pick(random, draws.kinds.size())];
    TrueQueue& queue = truth.queue;
    queue.per_input = starts_with(truth.kind, "per-input");
    queue.unit = ends_with(truth.kind, "frames")  ? MemorySize::Unit::Frame
                 : ends_with(truth.kind, "bytes") ? MemorySize::Unit::Byte
                                                  : MemorySize::Unit::Cell;
    queue.cell = kCells[pick(random, kCells.size())];
    queue.wire_overhead = kWireOverhead + draws.disturbances.overhead;
    queue.buffer_overhead = kBufferOverhead + draws.disturbances.overhead;

    const auto [fewest, most] =
        std::minmax_element(mixes.begin(), mixes.end(), [](const Mix& a, const Mix& b) { return a.ports < b.ports; });
    const double frames =
        log_between(random, std::max(draws.depth_low, kFewestOfOneInput * most->ports), draws.depth_high);
    const double cost = static_cast<double>(queue.cost(mixes.front().payload));
    queue.depth = static_cast<std::int64_t>(frames * cost / (queue.per_input ? mixes.front().ports : 1));
    const double load = log_between(random, draws.load_low, draws.load_high);
    queue.uplink_ticks = std::llround(8e15 * load / (fewest->ports * static_cast<double>(kLinkRate)));

    const Disturbances& d = draws.disturbances;
    truth.noise_length = d.noise_length.draw(random);
    truth.noise_frames = draws.counts ? d.noise_frames.draw(random) : 0;
    const bool of_length = uniform(random) < 0.5;
    if (d.one_noise && draws.counts) (of_length ? truth.noise_frames : truth.noise_length) = 0;
    truth.loss = d.loss.draw(random);
    truth.stray = d.stray.draw(random);
    queue.leaves_at_once = uniform(random) < d.at_once;
    for (std::size_t i = 0; i < mixes.size(); ++i) {
        const bool none = uniform(random) < d.no_constant;
        const double constant = d.constant * normal(random);
        truth.constants.push_back(none || !draws.counts ? 0 : constant);
    }
    queue.bucket = std::llround(d.bucket.draw(random));
    queue.traffic = d.traffic.draw(random);
    queue.uneven = d.uneven;
    if (d.depth_drift.high > 0) truth.depth_drift = d.depth_drift.draw(random);
    return truth;
}

/// The closed form's threshold, for what the experimenter believes.
class PosteriorMixture {
  public:
    PosteriorMixture(const Truth& truth, const Draws& draws, std::mt19937_64& random)
        : queue_(truth.queue), rate_(truth.rate() * std::exp(between(random, -draws.rate_off, draws.rate_off))) {
        queue_.depth =
            std::max<std::int64_t>(1, std::llround(static_cast<double>(queue_.depth) *
                                                   std::exp(between(random, -draws.depth_off, draws.depth_off))));
    }

    double rate() const { return rate_; }
    int uplinks() const { return queue_.uneven ? 2 : 1; }
    std::int64_t depth() const { return queue_.depth; }
    /// The separation at which this share of what the modules send is drained at once, but no closer than their links
    /// can follow.
    Time separation(const Mix& mix, double share) const {
        const double picoseconds = std::max(bit_picoseconds(wire(mix)) / static_cast<double>(kLinkRate),
                                            share * mix.ports * bit_picoseconds(wire(mix)) / rate_);
        return kStep * static_cast<std::int64_t>(std::ceil(picoseconds / static_cast<double>(kStep.count())));
    }
    /// The least of such shares.
    double least_share(const Mix& mix) const { return rate_ / (mix.ports * static_cast<double>(kLinkRate)); }
    double longest_lossless(const Mix& mix, Time separation) const {
        const double room =
            static_cast<double>(queue_.depth / queue_.cost(mix.payload)) * (queue_.per_input ? mix.ports : 1);
        constexpr double kOnSecond = 0.25;
        const double most = static_cast<double>(separation.count()) * rate_ / bit_picoseconds(wire(mix)),
                     drained = most + (queue_.uneven ? std::min(most, kOnSecond * mix.ports) : 0);
        return std::max(1.0, (room - drained) / (mix.ports - drained));
    }

  private:
    static std::int64_t wire(const Mix& mix) { return mix.payload + kWireOverhead; }
    TrueQueue queue_;
    double rate_;
};

constexpr double kSteepestOfGrid = 0.88;

/// All bursts of a grid around the watershed that is believed in, in random order.
std::vector<BurstSetting> grid(const PosteriorMixture& mixture, const std::vector<Mix>& mixes, int rows,
                               std::mt19937_64& random) {
    constexpr double kReach = 0.4, kFlatness = 0.6;  // of ln(length); separations for each length
    const int separations = std::max(1, static_cast<int>(std::sqrt(kFlatness * rows) + 0.5)),
              lengths = (rows + separations - 1) / separations;
    const double right = uniform(random), up = uniform(random);
    std::vector<BurstSetting> settings;
    for (int i = 0; i < separations; ++i)
        for (int j = 0; j < lengths && static_cast<int>(settings.size()) < rows; ++j) {
            const Mix& mix = mixes[static_cast<std::size_t>(i) % mixes.size()];
            const double least = mixture.least_share(mix);
            const Time separation =
                mixture.separation(mix, least + (kSteepestOfGrid - least) * (i + right) / separations);
            const double length =
                mixture.longest_lossless(mix, separation) * std::exp(kReach * (2 * (j + up) / lengths - 1));
            settings.push_back(
                {mix.ports, Bytes{mix.payload}, separation, std::max<std::int64_t>(2, std::llround(length))});
        }
    for (std::size_t left = settings.size(); left > 1; --left)
        std::swap(settings[left - 1], settings[pick(random, left)]);
    return settings;
}

/// From a first guess the length is doubled or halved until it is bracketed, then the bracket halved; what noise
/// contradicts is repeated.
std::int64_t bisected(const std::vector<LossMapRow>& here, double guess) {
    std::int64_t lossless = 0, lossy = INT64_MAX;
    for (const LossMapRow& row : here) {
        if (row.lossless())
            lossless = std::max(lossless, row.events);
        else
            lossy = std::min(lossy, row.events);
    }
    if (here.empty()) return std::max<std::int64_t>(2, std::llround(guess));
    if (lossy == INT64_MAX) return 2 * lossless;
    if (lossless == 0) return std::max<std::int64_t>(2, lossy / 2);
    return std::max<std::int64_t>(2,
                                  std::llround(std::sqrt(static_cast<double>(lossless) * static_cast<double>(lossy))));
}

/// The apparatus: each burst's disturbances are drawn for its number.
class Laboratory {
  public:
    Laboratory(const Truth& truth, const Draws& draws, const std::vector<Mix>& mixes, int rows, std::uint64_t seed,
               std::mt19937_64& random)
        : truth_(truth),
          draws_(draws),
          mixes_(mixes),
          rows_(rows),
          seed_(seed),
          bad_(1 +
               static_cast<int>(pick(random, static_cast<std::size_t>(std::max(1, std::min(rows, kLatestBad) - 1))))) {}

    LossMapRow measure(int number, const BurstSetting& setting) const {
        const Disturbances& d = draws_.disturbances;
        std::mt19937_64 random(mixed(seed_ + static_cast<std::uint64_t>(number)));
        const double of_length = d.heavy_tails ? student_of_two(random) : normal(random),
                     of_count = d.heavy_tails ? student_of_two(random) : normal(random);
        const double is_late = uniform(random), is_stray = uniform(random), where = uniform(random),
                     by = uniform(random);
        const double beside = std::round(between(random, 10, 100)), stray_kind = uniform(random),
                     stray_size = uniform(random);
        LossMapRow row;
        row.ports = setting.ports;
        row.payload = setting.payload;
        row.separation = setting.separation;
        row.events = setting.events;
        row.frames_sent = row.ports * row.events;

        TrueQueue queue = truth_.queue;
        const double since_middle = rows_ > 1 ? static_cast<double>(number) / (rows_ - 1) - 0.5 : 0;
        queue.uplink_ticks = std::llround(static_cast<double>(queue.uplink_ticks) / (1 + d.drift * since_middle));
        queue.depth = std::llround(static_cast<double>(queue.depth) * (1 + truth_.depth_drift * since_middle));
        constexpr double kMostFactor = 4;
        const double factor = std::clamp(std::exp(truth_.noise_length * of_length), 1 / kMostFactor, kMostFactor);
        TrueBurst burst{setting.ports, setting.payload.count, setting.separation,
                        std::max<std::int64_t>(1, std::llround(static_cast<double>(setting.events) * factor))};
        if (d.late > 0) row.worst_trigger_lateness = Time{0};
        if (is_late < d.late && burst.events > 1) {
            constexpr double kMostSeparations = 10;
            burst.late = {
                1 + static_cast<std::int64_t>(where * static_cast<double>(burst.events - 1)),
                Time{std::llround(static_cast<double>(burst.separation.count()) * (1 + (kMostSeparations - 1) * by))}};
            row.worst_trigger_lateness = burst.late->by;
        }
        double lost = static_cast<double>(overflow_of(queue, burst, random)) + truth_.noise_frames * of_count +
                      constant_of(setting);
        lost = std::clamp(std::round(lost), 0.0, static_cast<double>(row.frames_sent));
        lost += static_cast<double>(random_losses(row.frames_sent - static_cast<std::int64_t>(lost), random));
        const auto sent = static_cast<double>(row.frames_sent);
        if (is_stray < truth_.stray) lost = stray(lost, sent, stray_kind, stray_size);
        if (d.bad_row && number == bad_) lost = std::min(lost + beside, sent);
        row.frames_received = row.frames_sent - (draws_.counts ? static_cast<std::int64_t>(lost) : lost > 0 ? 1 : 0);
        return row;
    }

  private:
    double constant_of(const BurstSetting& setting) const {
        for (std::size_t i = 0; i < mixes_.size(); ++i)
            if (mixes_[i].ports == setting.ports && mixes_[i].payload == setting.payload.count)
                return truth_.constants[i];
        return 0;
    }

    static double stray(double expected, double sent, double kind, double size) {
        constexpr double kNothing = 0.2, kAnything = 0.3;
        if (kind < kNothing) return 0;
        if (kind < kNothing + kAnything) return std::ceil(size * sent);
        const double off = std::pow(sent, std::abs(2 * size - 1));
        return std::clamp(expected + (size < 0.5 ? -off : off), 0.0, sent);
    }

    /// Binomial, from one lost frame to the next.
    std::int64_t random_losses(std::int64_t frames, std::mt19937_64& random) const {
        if (truth_.loss <= 0) return 0;
        std::int64_t lost = 0;
        const double per_frame = std::log1p(-truth_.loss);
        for (double at = std::log(uniform(random)) / per_frame; at < static_cast<double>(frames);
             at += 1 + std::floor(std::log(uniform(random)) / per_frame))
            ++lost;
        return lost;
    }

    static constexpr int kLatestBad = 10;  ///< before it an advised campaign seldom ends
    const Truth& truth_;
    const Draws& draws_;
    const std::vector<Mix>& mixes_;
    int rows_;
    std::uint64_t seed_;
    int bad_;
};

std::vector<LossMapRow> measured_by_bisection(const Laboratory& laboratory, const PosteriorMixture& mixture,
                                              const std::vector<Mix>& mixes, int rows, std::mt19937_64& random) {
    constexpr std::array<double, 5> kShares{0, 0.85, 0.5, 0.7, 0.3};
    constexpr int kRowsEach = 10;
    constexpr double kGuess = 2;  // off by up to this factor
    const int separations = std::clamp((rows + kRowsEach / 2) / kRowsEach, 1, static_cast<int>(kShares.size()));
    std::vector<LossMapRow> all;
    for (int i = 0; i < separations; ++i) {
        const Mix& mix = mixes[static_cast<std::size_t>(i) % mixes.size()];
        const Time separation = mixture.separation(mix, kShares[static_cast<std::size_t>(i)]);
        const double guess = mixture.longest_lossless(mix, separation) * log_between(random, 1 / kGuess, kGuess);
        std::vector<LossMapRow> here;
        while (static_cast<int>(all.size() + here.size()) < rows * (i + 1) / separations)
            here.push_back(laboratory.measure(static_cast<int>(all.size() + here.size()),
                                              {mix.ports, Bytes{mix.payload}, separation, bisected(here, guess)}));
        all.insert(all.end(), here.begin(), here.end());
    }
    return all;
}

/// The scenario that an experimenter with this mixture writes; cells are none of his business.
Scenario believed_scenario(const Truth& truth, const PosteriorMixture& mixture, const Mix& mix) {
    Scenario scenario;
    scenario.frame.payload = Bytes{mix.payload};
    scenario.front_end.modules = mix.ports;
    scenario.front_end.link_rate = BitRate{kLinkRate};
    scenario.network_switch.uplinks = mixture.uplinks();
    scenario.network_switch.uplink_rate = BitRate{std::llround(mixture.rate())};
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.sharing = truth.queue.per_input ? Buffer::Sharing::PerInput : Buffer::Sharing::Shared;
    const bool cells = truth.queue.unit == MemorySize::Unit::Cell;
    buffer.size = {cells ? mixture.depth() / truth.queue.cost(mix.payload) : mixture.depth(),
                   cells ? MemorySize::Unit::Frame : truth.queue.unit};
    return scenario;
}

std::vector<LossMapRow> measured_as_advised(const Laboratory& laboratory, const Scenario& believed,
                                            const Conditions& conditions, int rows, bool counts,
                                            const FitOptions& options) {
    CampaignPlan plan;
    plan.conditions = conditions;
    plan.prior = prior_of(believed, conditions);
    plan.prior.counts = counts;
    plan.fit = options;
    const auto strategy = make_strategy("advised", plan);
    std::vector<LossMapRow> all;
    std::optional<Fit> fit;
    while (static_cast<int>(all.size()) < rows) {
        const auto setting = strategy->next(all, fit);
        if (!setting) break;
        all.push_back(laboratory.measure(static_cast<int>(all.size()), *setting));
        fit = fit_loss_map({"campaign", all}, conditions, options);
    }
    return all;
}

}  // namespace

double OneOrNone::draw(std::mt19937_64& random) const {
    const bool absent = uniform(random) < none;
    const double value = uniform(random);
    if (absent || high <= 0) return 0;
    return low > 0 ? low * std::pow(high / low, value) : high * value * value;
}

double Truth::rate() const {
    const auto wire = static_cast<double>(first_payload);
    return queue.rate() * (1 - queue.traffic) * (wire + kWireOverhead) /
           (wire + static_cast<double>(queue.wire_overhead));
}

double Campaign::depth() const {
    const LossMapRow& largest =
        *std::max_element(map.rows.begin(), map.rows.end(),
                          [](const LossMapRow& a, const LossMapRow& b) { return a.payload < b.payload; });
    const TrueQueue& queue = truth.queue;
    const double frames =
        static_cast<double>(queue.bucket) / static_cast<double>(largest.payload.count + queue.wire_overhead);
    return static_cast<double>(queue.depth) +
           frames * static_cast<double>(queue.cost(largest.payload.count)) / (queue.per_input ? largest.ports : 1);
}

Campaign Campaign::after(std::size_t rows) const {
    Campaign before = *this;
    before.map.rows.resize(std::min(rows, map.rows.size()));
    return before;
}

Campaign play(const Draws& draws, Placement placement, int rows, std::uint64_t seed, const FitOptions& options) {
    std::mt19937_64 random(mixed(seed));
    Campaign campaign;
    const std::vector<Mix> mixes = drawn_mixes(draws, random);
    campaign.truth = drawn_truth(draws, mixes, random);
    campaign.truth.first_payload = mixes.front().payload;
    const PosteriorMixture mixture(campaign.truth, draws, random);
    const Laboratory laboratory(campaign.truth, draws, mixes, placement == Placement::Advised ? kMostAdvised : rows,
                                random(), random);
    campaign.conditions = default_conditions();
    campaign.conditions.uplinks = mixture.uplinks();
    if (draws.rate_known) campaign.conditions.nominal_rate = BitRate{std::llround(mixture.rate())};
    campaign.map.source = "campaign";
    std::vector<LossMapRow>& measured = campaign.map.rows;
    if (placement == Placement::Advised) {
        const Scenario believed = believed_scenario(campaign.truth, mixture, mixes.front());
        campaign.conditions = conditions_of(believed, "campaign.toml");
        measured = measured_as_advised(laboratory, believed, campaign.conditions, rows, draws.counts, options);
    } else if (placement == Placement::Bisection) {
        measured = measured_by_bisection(laboratory, mixture, mixes, rows, random);
    } else {
        for (const BurstSetting& setting : grid(mixture, mixes, rows, random))
            measured.push_back(laboratory.measure(static_cast<int>(measured.size()), setting));
    }
    campaign.truth.first_payload = measured.front().payload.count;
    return campaign;
}

std::string description(const Truth& truth) {
    std::ostringstream out;
    out.precision(10);
    const TrueQueue& queue = truth.queue;
    out << "# truth: " << truth.kind << ' ' << queue.depth;
    if (queue.unit == MemorySize::Unit::Cell) out << " of " << queue.cell << " B";
    out << ", " << truth.rate() << " bit/s, noise " << truth.noise_length << " of the length and " << truth.noise_frames
        << " frames, loss " << truth.loss << ", bucket " << queue.bucket << " B, other traffic " << queue.traffic
        << ", overhead " << queue.wire_overhead << " B, growing by " << truth.depth_drift
        << (queue.uneven ? ", three quarters on one of two uplinks\n" : "\n");
    return out.str();
}

}  // namespace watershed::calibration
