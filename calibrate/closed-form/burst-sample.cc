// SPDX-License-Identifier: GPL-2.0-only
#include <numeric>

#include "calibrate/closed-form/burst.h"
#include "model/base/search.h"

namespace watershed {
namespace {

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

/// A burst and its distance from the onset of loss in its block.
struct Near {
    const Burst* burst = nullptr;
    double log_ratio = 0;  ///< ln(length of the burst / length at which losses begin)
    bool next = false;     ///< true if none of its block is nearer on its side
    bool exception() const { return burst->lossy != (log_ratio > 0); }
};

/// Adds the bursts of a block. Loss begins midway between two lengths, or beyond the first or last.
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

}  // namespace watershed
