// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/needed-memory.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/base/frame.h"
#include "model/exact/exact-engine.h"
#include "model/network/network-load.h"
#include "model/risk/camera-queue.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "scenarios/text/input-error.h"

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

CertainLoss loss_of(const NetworkScenario& scenario, CertainLoss::Tiers tiers, double precision = kFine) {
    CertainLoss loss = CertainLoss::of(scenario, precision, tiers);
    if (!loss.log) throw InputError("no method that finds a memory knows this scenario: " + loss.obstacles());
    return loss;
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
            const double part = (at_little - wanted) / (at_little - at_enough);
            next = little + static_cast<std::int64_t>(std::ceil(part * static_cast<double>(enough - little))) -
                   (step % 3 == 1 ? 1 : 0);
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

/// Returns the events until all repeats. @throws InputError if it never does
Repetition repetition_of(const NetworkScenario& scenario) {
    constexpr std::int64_t kMost = 100'000;
    ExactEngine engine;
    if (const auto all = find_repetition(engine, scenario, kMost)) return *all;
    throw InputError(
        "trigger.pattern: expected \"poisson\", or \"periodic\" at a rate below saturation, without jitter, bursts on "
        "top "
        "and all else that is drawn");
}

bool keeps_to(const Repetition& all, double loss) {
    return static_cast<double>(all.incomplete) <= loss * static_cast<double>(all.events);
}

/// Returns the memory that a scenario needs in which all repeats: the smallest that keeps to the wanted share of
/// incomplete events, where one frame less does not.
/// @param unit, each  of the memory's size, and of its bytes, for one frame
NeededMemory exactly_needed(NetworkScenario scenario, NeededMemory needed, double loss, std::int64_t unit, Bytes each) {
    const double rate = event_rates(scenario).all;
    needed.load = rate * uplink_seconds(scenario, needed.tier == CertainLoss::Tiers::Second);
    if (fullest_link(scenario, Network(scenario), rate).load >= 1) return needed;
    Buffer& buffer = memory_of(scenario, needed.tier);
    const auto suffices = [&](std::int64_t frames) {
        buffer.size.amount = frames * unit;
        return keeps_to(repetition_of(scenario), loss);
    };
    constexpr std::int64_t kMostFrames = std::int64_t{1} << 32;
    std::int64_t little = 0, enough = 1;
    for (; !suffices(enough); enough *= 2) {
        if (enough >= kMostFrames) return needed;
        little = enough;
    }
    while (enough - little > 1) {
        const std::int64_t middle = (little + enough) / 2;
        (suffices(middle) ? enough : little) = middle;
    }
    needed.frames = needed.at_least = enough;
    needed.bytes = each * enough;
    return needed;
}

}  // namespace

NeededMemory needed_memory(NetworkScenario scenario, Frequency rate, double loss, int uplinks,
                           CertainLoss::Tiers tier) {
    scenario.trigger.rate = rate;
    set_uplinks(scenario, uplinks);
    NeededMemory needed{rate, loss, uplinks, tier, 0, std::nullopt, 0, Bytes{0}};
    if (scenario.aggregation) loss /= 2;
    Buffer& buffer = memory_of(scenario, tier);
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    const Bytes frame = std::max_element(frames.begin(), frames.end(), [](const FrameSizes& a, const FrameSizes& b) {
                            return a.buffer < b.buffer;
                        })->buffer;
    const Bytes each = buffer.cell.count > 0
                           ? Bytes{ceil_div((frame + buffer.cell_header).count, buffer.cell.count) * buffer.cell.count}
                           : frame;
    buffer.descriptors.reset();
    buffer.queue_split = false;
    const bool alike =
        std::all_of(frames.begin(), frames.end(), [&](const FrameSizes& other) { return other.buffer == frame; });
    if (alike) buffer.cell = buffer.cell_header = Bytes{0};
    buffer.size = alike ? MemorySize{scenario.front_end.modules, MemorySize::Unit::Frame}
                        : MemorySize{scenario.front_end.modules * each.count, MemorySize::Unit::Byte};

    if (!is_random_alone(scenario)) return exactly_needed(scenario, needed, loss, alike ? 1 : each.count, each);
    const CertainLoss of_some = loss_of(scenario, tier, kCoarse);
    needed.load = of_some.load;
    needed.bounded = of_some.chain;
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
    constexpr std::int64_t kParts = 256;
    const std::int64_t close = 1 + (roughly_enough - not_enough) / kParts;
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
        set_uplinks(scenario, static_cast<int>(count));
        if (!is_random_alone(scenario)) {
            const bool overloaded = fullest_link(scenario, Network(scenario), event_rates(scenario).all).load >= 1;
            if (overloaded || !keeps_to(repetition_of(scenario), loss)) continue;
            fewest.enough = fewest.at_least = static_cast<int>(count);
            break;
        }
        if (fullest_link(scenario, Network(scenario), accepted_rate(scenario.trigger)).load >= 1) continue;
        const Enclosure log = *loss_of(scenario, CertainLoss::Tiers::Both).log;
        if (!fewest.at_least && log.lower <= std::log(loss)) fewest.at_least = static_cast<int>(count);
        if (log.upper > std::log(loss)) continue;
        fewest.enough = static_cast<int>(count);
        break;
    }
    return fewest;
}

}  // namespace watershed
