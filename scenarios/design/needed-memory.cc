// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/needed-memory.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/base/frame.h"
#include "model/frontend/module-groups.h"
#include "model/guarantee/group-analysis.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/network/network-load.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "scenarios/design/risk.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr double kCoarse = 0.1, kFine = 0.003;  // precision of a probability's logarithm

void set_uplinks(NetworkScenario& scenario, int uplinks) {
    scenario.network_switch.uplinks = uplinks;
    const UplinkChoice& choice = scenario.network_switch.uplink_choice;
    if (choice.rule == UplinkChoice::Rule::Static &&
        *std::max_element(choice.list.begin(), choice.list.end()) > uplinks)
        throw InputError("--uplinks: expected at least the uplinks that switch.uplink_list names, " +
                         std::to_string(*std::max_element(choice.list.begin(), choice.list.end())));
}

/// Returns proven bounds of the risk; `log` is std::nullopt where CertainLoss does not cover the scenario.
CertainLoss loss_of(const NetworkScenario& scenario, CertainLoss::Tiers tiers, double precision = kFine) {
    return is_random_alone(scenario) ? CertainLoss::of(scenario, precision, tiers) : CertainLoss{};
}

/// Returns the frames that one module of each group sends per event, for each payload that may be drawn.
std::vector<FrameSizes> all_frames(const NetworkScenario& scenario) {
    std::vector<FrameSizes> all;
    for (const Group& group : ModuleGroups(scenario).all()) {
        FrameFormat format = group.frame;
        std::vector<PayloadShare> payloads = format.payloads;
        format.payloads.clear();
        if (payloads.empty()) payloads.push_back({format.payload, 1});
        for (const PayloadShare& share : payloads) {
            format.payload = share.payload;
            for (const FrameSizes& frame : frames_of_fragment(format)) all.push_back(frame);
        }
    }
    return all;
}

Buffer& memory_of(NetworkScenario& scenario, CertainLoss::Tiers tier) {
    return (tier == CertainLoss::Tiers::Second ? *scenario.aggregation : scenario.network_switch).buffer;
}

/// Bracket of the point where a falling function reaches a wanted value.
struct Crossing {
    std::int64_t little;  ///< argument at which the function is above the wanted value
    std::int64_t enough;  ///< argument at which it is not
};

/// Returns the bracket of a falling function that is almost a straight line for large arguments.
/// @param little  argument below the crossing
/// @param enough  first argument to try above it
/// @param close   largest width of the bracket
template <class Function>
Crossing crossing(std::int64_t little, std::int64_t enough, std::int64_t close, double wanted, const Function& log_of) {
    double at_little = 0, at_enough = log_of(enough);
    while (at_enough > wanted) {
        little = enough;
        at_little = at_enough;
        enough *= 2;
        at_enough = log_of(enough);
    }
    for (int step = 0; enough - little > close; ++step) {
        std::int64_t next = little + (enough - little) / 2;
        if (step % 3 != 2 && std::isfinite(at_enough) && at_little > at_enough) {
            const double fraction = (at_little - wanted) / (at_little - at_enough);
            next = little + std::int64_t(std::ceil(fraction * double(enough - little))) - (step % 3 == 1 ? 1 : 0);
        }
        next = std::clamp(next, little + 1, enough - 1);
        const double at_next = log_of(next);
        (at_next <= wanted ? enough : little) = next;
        (at_next <= wanted ? at_enough : at_little) = at_next;
    }
    return {little, enough};
}

/// Probability of loss with one memory size after another, each calculated once.
class Trials {
  public:
    /// @param each  memory of a frame, in the unit of the memory
    Trials(const NetworkScenario& scenario, CertainLoss::Tiers tier, std::int64_t each)
        : scenario_(scenario), tier_(tier), each_(each) {}

    Enclosure log_loss(std::int64_t frames, double precision) {
        const auto [known, is_new] = known_.try_emplace({frames, precision});
        if (is_new) {
            memory_of(scenario_, tier_).size.amount = frames * each_;
            known->second = *loss_of(scenario_, tier_, precision).log;
        }
        return known->second;
    }

  private:
    NetworkScenario scenario_;
    CertainLoss::Tiers tier_;
    std::int64_t each_;
    std::map<std::pair<std::int64_t, double>, Enclosure> known_;
};

constexpr double kSizeWork = 3e6;  // RiskEffort::work for one size: less than a second

LinkLoad busiest_link(const NetworkScenario& scenario) {
    return fullest_link(scenario, Network(scenario), event_rates(scenario).of_groups);
}

/// Returns the memory with which a tier certainly loses no frame, by Guarantee; empty if none is proven.
std::string lossless_memory(const NetworkScenario& scenario, CertainLoss::Tiers tier) {
    const auto guarantee = Guarantee::of(scenario);
    if (!guarantee || !guarantee->bounded) return "";
    std::optional<MemorySize> most;
    for (std::size_t i = 0; i < guarantee->switches.size(); ++i) {
        if ((int(i) >= scenario.network_switch.count) != (tier == CertainLoss::Tiers::Second)) continue;
        const auto needed = guarantee->switches[i].needed();
        if (!needed) return "";
        if (!most || needed->amount > most->amount) most = needed;
    }
    return most ? to_text(*most) : "";
}

/// Returns the memory that a scenario needs by quick_risk(): a size that keeps to the wanted probability, where one
/// unit less does not.
/// @param unit  step of the memory's size
/// @param each  memory of the largest frame, in the unit of the size
NeededMemory needed_by_risk(NetworkScenario scenario, NeededMemory needed, double loss, std::int64_t unit,
                            std::int64_t each) {
    const LinkLoad busiest = busiest_link(scenario);
    const bool one_kind = scenario.groups.empty() && scenario.builders.count == 1;
    const auto [first, second] = UplinkSeconds::of(scenario);
    needed.load = one_kind ? event_rates(scenario).all * (needed.tier == CertainLoss::Tiers::Second ? second : first)
                           : busiest.load;
    if (busiest.load >= 1) return needed;
    if (scenario.aggregation)  // the other tier loses nothing
        (needed.tier == CertainLoss::Tiers::Second ? scenario.network_switch : *scenario.aggregation).buffer.size = {
            std::int64_t{1} << 50, MemorySize::Unit::Byte};
    Buffer& buffer = memory_of(scenario, needed.tier);
    std::map<std::int64_t, Risk> known;
    const auto suffices = [&](std::int64_t units) {
        const auto [at, is_new] = known.try_emplace(units);
        if (is_new) {
            buffer.size.amount = units * unit;
            at->second = quick_risk(scenario, kSizeWork);
        }
        return at->second.log.estimate <= std::log(loss);
    };
    constexpr std::int64_t kMost = std::int64_t{1} << 32;  // frames
    std::int64_t little = 0, enough = each / unit;
    for (; !suffices(enough); enough *= 2) {
        if (enough * unit >= kMost * each) return needed;
        little = enough;
    }
    while (enough - little > 1) {
        const std::int64_t middle = little + (enough - little) / 2;
        (suffices(middle) ? enough : little) = middle;
    }
    needed.frames = needed.at_least = ceil_div(enough * unit, each);
    needed.bytes = Bytes{enough * unit};
    const auto is_certain = [&](std::int64_t units) { return units == 0 || known.at(units).calculated; };
    if (is_certain(enough) && is_certain(little)) return needed;
    needed.at_least = 1;
    if (is_certain(enough)) return needed;
    needed.sampled = known.at(enough).log;
    needed.lossless = lossless_memory(scenario, needed.tier);
    return needed;
}

}  // namespace

NeededMemory needed_memory(NetworkScenario scenario, Frequency rate, double loss, int uplinks,
                           CertainLoss::Tiers tier) {
    if (!scenario.nodes.empty())
        throw InputError("node." + scenario.nodes.front().name +
                         ": found a switch by name, expected [switch] and at most [aggregation]");
    scenario.trigger.rate = rate;
    set_uplinks(scenario, uplinks);
    NeededMemory needed{rate, loss, uplinks, tier, 0, std::nullopt, 0, Bytes{0}};
    if (scenario.aggregation) loss /= 2;
    Buffer& buffer = memory_of(scenario, tier);
    const std::vector<FrameSizes> frames = all_frames(scenario);
    const Bytes frame = std::max_element(frames.begin(), frames.end(), [](const FrameSizes& a, const FrameSizes& b) {
                            return a.buffer < b.buffer;
                        })->buffer;
    const Bytes each = buffer.cell.count > 0
                           ? Bytes{ceil_div((frame + buffer.cell_header).count, buffer.cell.count) * buffer.cell.count}
                           : frame;
    buffer.descriptors.reset();
    buffer.queue_split = false;
    const bool alike = !has_unlike_frames(scenario);
    if (alike) buffer.cell = buffer.cell_header = Bytes{0};
    buffer.size = alike ? MemorySize{scenario.front_end.modules, MemorySize::Unit::Frame}
                        : MemorySize{scenario.front_end.modules * each.count, MemorySize::Unit::Byte};

    const CertainLoss certain = loss_of(scenario, tier, kCoarse);
    if (!certain.log) {
        const std::int64_t unit = alike ? 1 : std::max<std::int64_t>(1, buffer.cell.count);
        needed = needed_by_risk(scenario, needed, loss, unit, alike ? 1 : each.count);
        if (alike && needed.frames) needed.bytes = each * *needed.frames;
        return needed;
    }
    needed.load = certain.load;
    needed.no_chain = certain.chain;
    if (needed.load >= 1) return needed;

    // If uplinks share the memory, multiples of their number are tried first: each queue then has an equal share, and
    // the bounds are narrowest.
    const std::int64_t unit =
        buffer.sharing == Buffer::Sharing::Shared && tier == CertainLoss::Tiers::First ? uplinks : 1;
    const double wanted = std::log(loss);
    Trials trials(scenario, tier, alike ? 1 : each.count);
    const auto upper = [&](double precision) {
        return [&, precision](std::int64_t units) { return trials.log_loss(units * unit, precision).upper; };
    };
    const auto lower = [&](double precision) {
        return [&, precision](std::int64_t units) { return trials.log_loss(units * unit, precision).lower; };
    };
    // Two passes: coarse bounds first, then fine ones between the sizes found. More memory never loses more.
    const std::int64_t roughly_enough =
        crossing(0, ceil_div<std::int64_t>(scenario.front_end.modules, unit), 1, wanted, upper(kCoarse)).enough;
    const std::int64_t not_enough = crossing(0, roughly_enough, 1, wanted, lower(kCoarse)).little;
    // Near saturation thousands of sizes lie between: the bracket ends at a 256th of them, since each costs time.
    constexpr std::int64_t kFineness = 256;
    const std::int64_t close = 1 + (roughly_enough - not_enough) / kFineness;
    std::int64_t enough = unit * crossing(not_enough, roughly_enough, close, wanted, upper(kFine)).enough;
    needed.at_least = 1 + unit * crossing(not_enough, enough / unit, close, wanted, lower(kFine)).little;
    if (close == 1) {
        for (std::int64_t fewer = enough - 1; fewer > enough - unit && trials.log_loss(fewer, kFine).upper <= wanted;
             --fewer)
            enough = fewer;
        while (needed.at_least < enough && trials.log_loss(needed.at_least, kFine).lower > wanted) ++needed.at_least;
    }
    needed.frames = enough;
    needed.bytes = each * enough;
    return needed;
}

FewestUplinks fewest_uplinks(NetworkScenario scenario, double loss, const std::vector<std::int64_t>& uplinks) {
    std::vector<std::int64_t> ascending = uplinks;
    std::sort(ascending.begin(), ascending.end());
    FewestUplinks fewest;
    for (const std::int64_t count : ascending) {
        set_uplinks(scenario, int(count));
        if (busiest_link(scenario).load >= 1) continue;
        const CertainLoss certain = loss_of(scenario, CertainLoss::Tiers::Both);
        if (!certain.log) {
            const Risk risk = quick_risk(scenario, kSizeWork);
            fewest.sampled = fewest.sampled || !risk.calculated;
            if (risk.log.estimate > std::log(loss)) continue;
            fewest.enough = fewest.at_least = int(count);
            break;
        }
        const Enclosure log = *certain.log;
        if (!fewest.at_least && log.lower <= std::log(loss)) fewest.at_least = int(count);
        if (log.upper > std::log(loss)) continue;
        fewest.enough = int(count);
        break;
    }
    return fewest;
}

}  // namespace watershed
