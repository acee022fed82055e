// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/study/calibration-study.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <sstream>

#include "calibrate/posterior/statistics.h"
#include "model/base/random.h"
#include "scenarios/sweep/workers.h"

namespace watershed::calibration {
namespace {

const std::vector<std::string> kKinds{"shared-frames", "shared-bytes", "shared-cells", "per-input-frames",
                                      "per-input-bytes"};

bool one_of(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

/// Known to a per cent, where lost frames are not counted.
constexpr auto kKnownRate = "known-rate";

/// Sizes of disturbances in cells that have them.
const OneOrNone kLoss{0, 1e-4, 0.03}, kBucket{0, 1500, 30'000}, kTraffic{0, 0.003, 0.1};

/// The prior that calibrate/README.md states.
Disturbances drawn_from_the_prior(bool counts) {
    Disturbances d;
    d.noise_length = {0.15, 0, 0.3};
    d.noise_frames = {0.15, 0.1, 60};
    d.one_noise = true;
    d.loss = {counts ? 0.75 : 0.5, 1e-6, 0.5};
    d.bucket = {0.5, 64, 65536};
    d.traffic = {counts ? 0.5 : 1, 1e-3, 0.3};
    d.stray = {0, 1e-3, 0.2};
    d.at_once = 0.3;
    d.constant = 1;
    d.no_constant = 0.65;
    return d;
}

Draws draws_of(const Cell& cell) {
    Draws draws;
    draws.counts = cell.counts;
    draws.kinds = {cell.subject};
    Disturbances& d = draws.disturbances;
    if (!one_of(kKinds, cell.subject))
        draws.kinds = {"shared-frames", "shared-bytes", "per-input-frames", "per-input-bytes"};
    if (cell.subject == "shared-cells") draws.two_mixes = 1;
    if (cell.subject == "bucket") d.bucket = kBucket;
    if (cell.subject == "random-loss") d.loss = kLoss;
    if (cell.subject == "other-traffic") d.traffic = kTraffic;
    if (cell.subject == "heavy-tails") d.heavy_tails = true;
    if (cell.subject == "overhead") d.overhead = 4;
    if (cell.subject == "drift") d.drift = 0.005;
    if (cell.subject == "depth-drift") d.depth_drift = {0, 0.05, 0.2};
    if (cell.subject == "uneven-uplinks") d.uneven = true, draws.kinds = {"shared-frames", "shared-bytes"};
    if (cell.subject == "one-mix") draws.two_mixes = 0;
    if (cell.subject == kKnownRate) draws.rate_known = true, draws.rate_off = 0.01;
    if (cell.subject == "bad-row") d.bad_row = true;
    if (cell.subject == kAny) {
        draws.kinds = kKinds;
        d = drawn_from_the_prior(cell.counts);
    }
    if (cell.noise == "2 %") d.noise_length = OneOrNone::exactly(0.02);
    if (cell.noise == "3 frames") d.noise_frames = OneOrNone::exactly(3);
    return draws;
}

FitOptions options_of(const Cell& cell) {
    FitOptions options;
    options.jobs = 1;  // the processes share the work
    options.counts = cell.counts ? CountUse::Count : CountUse::Flag;
    if (cell.noise == "none (told)") options.noise = KnownNoise{0, 0, true};
    return options;
}

bool one_payload(const Campaign& campaign) {
    const auto& rows = campaign.map.rows;
    return std::all_of(rows.begin(), rows.end(),
                       [&](const LossMapRow& row) { return row.payload == rows.front().payload; });
}

/// Frames of one size fill any kind of memory alike.
bool is_right(const QueueModel& model, const Campaign& campaign) {
    const std::string& kind = campaign.truth.kind;
    if (model.name() == kind || (campaign.truth.queue.uneven && model.name() == kind + "-uneven-uplinks")) return true;
    return one_payload(campaign) && model.feature == Feature::None &&
           (model.pools() == QueueModel::Pools::Input) == campaign.truth.queue.per_input;
}

/// Frames of the first row that fit into the whole switch, with what the fit takes a frame to cost. Parts of a frame
/// count where a bucket may be among them.
double frames_in_all(const QueueModel& model, double depth, const Campaign& campaign, bool whole) {
    Burst first;
    first.payload = campaign.map.rows.front().payload.count;
    first.buffer = first.payload + campaign.conditions.frame.buffer_overhead.count;
    const double memories = model.pools() == QueueModel::Pools::Input ? campaign.map.rows.front().ports : 1,
                 frames = depth / static_cast<double>(model.cost(first));
    return (whole ? std::floor(frames + 1e-9) : frames) * memories;
}

bool inside(const Interval& interval, double low, double high) {
    constexpr double kRounding = 1e-12;  // of numbers that are printed and read
    return (!interval.low || *interval.low <= high * (1 + kRounding)) &&
           (!interval.high || low <= *interval.high * (1 + kRounding));
}

bool bounded(const Interval& interval) { return interval.low && interval.high; }

/// Cells of another size are another unit, and so are bytes that a frame costs otherwise than is believed.
bool same_unit(const QueueModel& model, const Campaign& campaign) {
    const TrueQueue& queue = campaign.truth.queue;
    if (model.name() != campaign.truth.kind) return false;
    return model.unit == MemorySize::Unit::Frame ||
           (queue.buffer_overhead == campaign.conditions.frame.buffer_overhead.count &&
            (model.unit == MemorySize::Unit::Byte || (model.cell == queue.cell && model.header == 0)));
}

std::optional<double> rank_of(const std::vector<SupportPoint>& support, double SupportPoint::*member, double truth,
                              double share) {
    std::vector<std::pair<double, double>> values;
    for (const SupportPoint& point : support) values.emplace_back(point.*member, point.weight);
    return calibration::rank_of(values, truth, share);
}

/// @param seed of the numbers that break ties of ranks
Outcome outcome_of(const Campaign& campaign, const Fit& fit, std::uint64_t seed) {
    Outcome outcome;
    outcome.rows = static_cast<int>(campaign.map.rows.size());
    outcome.misfit = fit.status == FitStatus::Misfit;
    outcome.goodness = fit.goodness;
    const ModelFit& best = fit.best();
    const double rate = campaign.truth.rate();
    outcome.right = is_right(best.model, campaign);
    outcome.depth_bounded = bounded(best.depth.interval95) && fit.status != FitStatus::Unbounded;
    outcome.rate_bounded = bounded(best.rate.interval95);
    if (outcome.depth_bounded) {
        outcome.depth68 = holds(best.model, best.depth.interval68, campaign);
        outcome.depth95 = holds(best.model, best.depth.interval95, campaign);
        outcome.width = (*best.depth.interval95.high - *best.depth.interval95.low) /
                        (*best.depth.interval95.high + *best.depth.interval95.low);
    }
    if (outcome.rate_bounded) {
        outcome.rate68 = inside(best.rate.interval68, rate, rate);
        outcome.rate95 = inside(best.rate.interval95, rate, rate);
    }
    double wrong = 0;
    std::mt19937_64 random(mixed(~seed));
    const double depth_share = uniform(random), rate_share = uniform(random);
    for (const ModelFit& one : fit.models) {
        (is_right(one.model, campaign) ? outcome.probability : wrong) += one.probability;
        if (one.model.name() != campaign.truth.kind) continue;
        outcome.own95 = holds(one.model, one.depth.interval95, campaign);
        if (!bounded(one.depth.interval95) || !bounded(one.rate.interval95)) continue;
        outcome.rate_rank = rank_of(one.support, &SupportPoint::rate, rate, rate_share);
        // A whole depth stands for all numbers up to the next, of which the posterior takes each as likely.
        const double part = campaign.truth.queue.bucket == 0 ? depth_share : 0;
        if (same_unit(one.model, campaign))
            outcome.depth_rank = rank_of(one.support, &SupportPoint::depth, campaign.depth() + part, depth_share);
    }
    constexpr double kSure = 0.99;
    outcome.surely_wrong = !outcome.right && !outcome.misfit && wrong > kSure;
    return outcome;
}

/// An advised campaign, but for the number of its bursts.
bool same_campaign(const Cell& a, const Cell& b) {
    return a.placement == b.placement && a.subject == b.subject && a.noise == b.noise && a.counts == b.counts;
}

std::string to_text(const Outcome& one) {
    std::ostringstream out;
    out.precision(17);
    out << one.rows;
    for (const bool flag : {one.misfit, one.depth_bounded, one.rate_bounded, one.depth68, one.depth95, one.rate68,
                            one.rate95, one.own95, one.right, one.surely_wrong})
        out << ' ' << flag;
    out << ' ' << one.probability << ' ' << one.width << ' ' << one.depth_rank.value_or(-1) << ' '
        << one.rate_rank.value_or(-1) << ' ' << one.goodness.value_or(-1);
    return out.str();
}

Outcome outcome_from(const std::string& text) {
    Outcome one;
    std::istringstream in(text);
    in >> one.rows;
    for (bool* const flag : {&one.misfit, &one.depth_bounded, &one.rate_bounded, &one.depth68, &one.depth95,
                             &one.rate68, &one.rate95, &one.own95, &one.right, &one.surely_wrong})
        in >> *flag;
    double depth = -1, rate = -1, goodness = -1;
    in >> one.probability >> one.width >> depth >> rate >> goodness;
    if (depth >= 0) one.depth_rank = depth;
    if (rate >= 0) one.rate_rank = rate;
    if (goodness >= 0) one.goodness = goodness;
    return one;
}

std::vector<Tally> empty_tallies(const std::vector<Cell>& cells) {
    std::vector<Tally> tallies(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) tallies[i].cell = cells[i];
    return tallies;
}

/// One line for each.
void add_lines(std::vector<Tally>& tallies, const std::string& lines) {
    std::istringstream in(lines);
    std::string line;
    for (Tally& tally : tallies)
        if (std::getline(in, line)) tally.add(outcome_from(line));
}

double median_of(const std::vector<double>& values) { return values.empty() ? NAN : median(values); }

}  // namespace

std::string to_text(Placement placement) {
    return placement == Placement::Grid ? "grid" : placement == Placement::Bisection ? "bisection" : "advised";
}

std::string Cell::name() const {
    return subject + ", " + (counts ? "counts" : "flags") + ", noise " + noise + ", " + to_text(placement) + ", " +
           (rows > 0 ? std::to_string(rows) + " rows" : "until it stops");
}

const std::vector<std::string>& lawful_subjects() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> subjects = kKinds;
        subjects.insert(subjects.end(), {"bucket", "random-loss", "other-traffic", "one-mix", kKnownRate});
        return subjects;
    }();
    return all;
}

const std::vector<std::string>& lawless_subjects() {
    static const std::vector<std::string> all{"heavy-tails", "overhead",       "drift",
                                              "depth-drift", "uneven-uplinks", "bad-row"};
    return all;
}

std::vector<Cell> all_cells() {
    constexpr int kRows[] = {3, 6, 12, 24, 60};
    std::vector<Cell> cells;
    const auto add = [&](const std::string& subject, bool counts, const std::vector<std::string>& noises) {
        for (const std::string& noise : noises) {
            for (const Placement placement : {Placement::Grid, Placement::Bisection, Placement::Advised})
                for (const int rows : kRows)
                    if (placement != Placement::Advised || rows < kMostAdvised)
                        cells.push_back({subject, noise, counts, placement, rows});
            cells.push_back({subject, noise, counts, Placement::Advised, 0});
        }
    };
    for (const std::string& subject : lawful_subjects()) {
        add(subject, false, {"none (told)", "none", "2 %"});
        if (subject != kKnownRate) add(subject, true, {"none (told)", "none", "2 %", "3 frames"});
    }
    for (const std::string& subject : lawless_subjects()) {
        add(subject, false, {"2 %"});
        add(subject, true, {"3 frames"});
    }
    for (const bool counts : {false, true}) add(kAny, counts, {kAny});
    return cells;
}

std::optional<double> rank_of(const std::vector<std::pair<double, double>>& values, double truth, double share) {
    std::vector<std::pair<double, double>> sorted;
    double total = 0;
    for (const auto& [value, weight] : values) total += weight, sorted.emplace_back(value, weight);
    if (!(total > 0)) return std::nullopt;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::pair<double, double>> merged;
    for (const auto& [value, weight] : sorted) {
        if (!merged.empty() && value == merged.back().first)
            merged.back().second += weight;
        else
            merged.emplace_back(value, weight);
    }
    if (merged.size() == 1) return truth < merged.front().first ? 0 : truth > merged.front().first ? 1 : share;
    double below = 0;
    for (std::size_t i = 0; i < merged.size(); ++i) {
        const double value = merged[i].first;
        const double to_last = i > 0 ? (value - merged[i - 1].first) / 2 : (merged[1].first - value) / 2;
        const double to_next = i + 1 < merged.size() ? (merged[i + 1].first - value) / 2 : to_last;
        const double from = i > 0 ? value - to_last : value - to_next, to = value + to_next;
        if (truth >= to)
            below += merged[i].second;
        else if (truth > from)
            below += merged[i].second * (truth - from) / (to - from);
    }
    return std::min(1.0, below / total);
}

bool holds(const QueueModel& model, const Interval& interval, const Campaign& campaign) {
    if (same_unit(model, campaign)) return inside(interval, campaign.depth(), campaign.depth());
    Interval in_frames;
    const TrueQueue& queue = campaign.truth.queue;
    const LossMapRow& first = campaign.map.rows.front();
    if (interval.low) in_frames.low = frames_in_all(model, *interval.low, campaign, true);
    if (interval.high) in_frames.high = frames_in_all(model, *interval.high, campaign, queue.bucket == 0);
    const double memory =
        static_cast<double>(queue.depth / queue.cost(first.payload.count)) * (queue.per_input ? first.ports : 1);
    const double ahead =
        static_cast<double>(queue.bucket) / static_cast<double>(first.payload.count + queue.wire_overhead);
    return inside(in_frames, memory + std::floor(ahead), memory + std::ceil(ahead));
}

std::vector<std::vector<Cell>> by_campaign(const std::vector<Cell>& cells) {
    std::vector<std::vector<Cell>> campaigns;
    for (const Cell& cell : cells) {
        const bool served =
            cell.placement == Placement::Advised && !campaigns.empty() && same_campaign(campaigns.back().front(), cell);
        if (!served) campaigns.emplace_back();
        campaigns.back().push_back(cell);
    }
    return campaigns;
}

std::vector<Outcome> outcomes_of(const std::vector<Cell>& cells, std::uint64_t seed, const Keep& keep) {
    int most = 0;
    for (const Cell& cell : cells) most = std::max(most, cell.rows > 0 ? cell.rows : kMostAdvised);
    const FitOptions options = options_of(cells.front());
    const Campaign campaign = play(draws_of(cells.front()), cells.front().placement, most, seed, options);
    std::vector<Outcome> outcomes;
    for (const Cell& cell : cells) {
        const Campaign after = cell.rows > 0 ? campaign.after(static_cast<std::size_t>(cell.rows)) : campaign;
        const Fit fit = fit_loss_map(after.map, after.conditions, options);
        outcomes.push_back(outcome_of(after, fit, seed));
        if (keep) keep(cell, after, fit, outcomes.back());
    }
    return outcomes;
}

void Tally::add(const Outcome& outcome) {
    ++campaigns;
    misfits += outcome.misfit, depth_bounded += outcome.depth_bounded, rate_bounded += outcome.rate_bounded;
    depth68 += outcome.depth68, depth95 += outcome.depth95, rate68 += outcome.rate68, rate95 += outcome.rate95,
        own95 += outcome.own95;
    right += outcome.right, surely_wrong += outcome.surely_wrong, probability += outcome.probability;
    rows_of.push_back(outcome.rows);
    if (outcome.depth_bounded) widths.push_back(outcome.width);
    const auto bin = [](double rank) { return std::min(kRankBins - 1, static_cast<std::size_t>(rank * kRankBins)); };
    if (outcome.depth_rank) ++depth_ranks[bin(*outcome.depth_rank)];
    if (outcome.rate_rank) ++rate_ranks[bin(*outcome.rate_rank)];
    if (!outcome.goodness) return;
    ++goodness[bin(*outcome.goodness)];
    below_1_percent += *outcome.goodness < 0.01;
}

void Tally::add(const Tally& other) {
    campaigns += other.campaigns, misfits += other.misfits, depth_bounded += other.depth_bounded,
        rate_bounded += other.rate_bounded;
    depth68 += other.depth68, depth95 += other.depth95, rate68 += other.rate68, rate95 += other.rate95,
        own95 += other.own95;
    right += other.right, surely_wrong += other.surely_wrong, probability += other.probability;
    for (std::size_t i = 0; i < kRankBins; ++i)
        depth_ranks[i] += other.depth_ranks[i], rate_ranks[i] += other.rate_ranks[i], goodness[i] += other.goodness[i];
    below_1_percent += other.below_1_percent;
    widths.insert(widths.end(), other.widths.begin(), other.widths.end());
    rows_of.insert(rows_of.end(), other.rows_of.begin(), other.rows_of.end());
}

void Tally::finish() {
    width = median_of(widths);
    rows = median_of(rows_of);
}

double evenness(const std::array<int, kRankBins>& ranks) {
    double all = 0, squares = 0;
    for (const int bin : ranks) all += bin;
    constexpr double kFewest = 5;  // expected of a bin
    if (all < kFewest * kRankBins) return 1;
    for (const int bin : ranks) squares += (bin - all / kRankBins) * (bin - all / kRankBins);
    return boost::math::cdf(
        boost::math::complement(boost::math::chi_squared(kRankBins - 1), squares * kRankBins / all));
}

std::uint64_t seed_of(const Cell& cell, std::uint64_t seed, int number) {
    std::uint64_t hash = mixed(seed);
    Cell served = cell;
    if (cell.placement == Placement::Advised) served.rows = 0;
    for (const char c : served.name()) hash = mixed(hash ^ static_cast<unsigned char>(c));
    return mixed(hash + static_cast<std::uint64_t>(number));
}

std::vector<Tally> study(const std::vector<Cell>& cells, int campaigns, std::uint64_t seed, int jobs,
                         const std::function<void(const Tally&)>& finished) {
    const auto each = static_cast<std::size_t>(campaigns);
    const std::vector<std::vector<Cell>> served = by_campaign(cells);
    const auto play_piece = [&](std::size_t piece) {
        const std::vector<Cell>& some = served[piece / each];
        std::string lines;
        for (const Outcome& one : outcomes_of(some, seed_of(some.front(), seed, static_cast<int>(piece % each))))
            lines += to_text(one) + '\n';
        return lines;
    };
    std::vector<std::vector<Tally>> arriving;
    for (const std::vector<Cell>& some : served) arriving.push_back(empty_tallies(some));
    const auto results =
        do_in_processes(jobs, served.size() * each, play_piece, [&](std::size_t piece, const std::string& lines) {
            std::vector<Tally>& tallies = arriving[piece / each];
            add_lines(tallies, lines);
            if (tallies.front().campaigns < campaigns) return;
            for (Tally& tally : tallies) {
                tally.finish();
                if (finished) finished(tally);
            }
        });
    // In the order of the campaigns, in which they need not arrive: sums are the same for any number of jobs.
    std::vector<Tally> all;
    for (std::size_t i = 0; i < served.size(); ++i) {
        std::vector<Tally> tallies = empty_tallies(served[i]);
        for (std::size_t j = 0; j < each; ++j) add_lines(tallies, results[i * each + j]);
        for (Tally& tally : tallies) tally.finish(), all.push_back(tally);
    }
    return all;
}

}  // namespace watershed::calibration
