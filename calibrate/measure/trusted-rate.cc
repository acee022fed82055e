// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/trusted-rate.h"

#include <algorithm>
#include <cmath>

#include "calibrate/measure/measuring.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr Time kLongest{20'000'000'000}, kShortest{1'000'000}, kStep{100'000};
/// A burst lasts so long that what is too fast for long fails, whatever a ring holds at first.
constexpr Time kDuration{200'000'000'000};
constexpr std::int64_t kFewestEvents = 20;
/// As often a burst must arrive whole, and may be spoilt by the machine itself.
constexpr int kTimes = 2;
constexpr double kNear = 1.05;

/// Whether bursts of this separation can be trusted, and if not, why.
TrustStep tried(Rig& rig, const BurstSetting& setting) {
    TrustStep step{setting, 0, {}};
    int whole = 0;
    for (int spoilt = 0; whole < kTimes && spoilt <= kTimes;) {
        const BurstRecord record = rig.measure(setting);
        step.lost = record.row.frames_lost();
        step.why_not = reason_to_set_aside(record);
        // Triggers that come late catch up, unless they are too close.
        const Time longer = record.row.span.value_or(Time{0}) - setting.separation * (setting.events - 1);
        if (step.why_not.empty() && longer * 2 > setting.separation)
            step.why_not = "the last trigger came " + rounded(longer) + " late, with " + to_text(setting.separation) +
                           " between triggers";
        if (step.why_not.empty() && step.lost > 0) {
            step.why_not = "frames are lost without a trace";
            return step;
        }
        step.why_not.empty() ? ++whole : ++spoilt;
    }
    if (whole == kTimes) step.why_not.clear();
    return step;
}

}  // namespace

TrustedRate trusted_rate(Rig& rig, int ports, Bytes payload, std::int64_t most_frames,
                         const std::function<void(const TrustStep&)>& say) {
    TrustedRate found;
    const auto holds = [&](Time separation) {
        separation = std::max(separation - separation % kStep, kShortest);
        const std::int64_t events = std::clamp(kDuration / separation + 1, std::min(kFewestEvents, most_frames / ports),
                                               std::max<std::int64_t>(1, most_frames / ports));
        const TrustStep step = tried(rig, {ports, payload, separation, events});
        say(step);
        if (step.why_not.empty())
            found.closest = step.setting;
        else
            found.limit = step.why_not;
        return step.why_not.empty();
    };
    Time bad = kLongest;
    while (holds(bad)) {
        if (bad <= kShortest) return found;
        bad = std::max(bad / 2, kShortest);
    }
    if (!found.closest) return found;
    for (Time good = found.closest->separation; double(good.count()) > kNear * double(bad.count());) {
        const Time middle{std::llround(std::sqrt(double(good.count()) * double(bad.count())))};
        (holds(middle) ? good : bad) = middle;
    }
    return found;
}

}  // namespace watershed
