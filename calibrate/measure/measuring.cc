// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/measuring.h"

#include <stdexcept>
#include <thread>

#include "calibrate/advice/burst-planner.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// A burst that is set aside so many times will not come out at all.
constexpr int kTries = 3;
/// Bytes: of smaller payloads larger ones tell what a memory counts, of larger ones smaller ones.
constexpr std::int64_t kSmallPayload = 512;

bool same(const LossMapRow& row, const BurstSetting& setting) {
    return row.ports == setting.ports && row.payload == setting.payload && row.separation == setting.separation &&
           row.events == setting.events;
}

std::string name_of(const BurstSetting& setting) {
    return std::to_string(setting.events) + " events " + to_text(setting.separation) + " apart, " +
           std::to_string(setting.ports) + " ports, " + to_text(setting.payload);
}

std::string outcome_of(const LossMapRow& row) {
    if (row.counted) return std::to_string(row.frames_lost()) + " lost";
    return "at most " + std::to_string(row.peak->amount) + (row.peak->cells ? " cells" : " B") + " in use";
}

/// Half of a burst of which nobody knows whether it lost frames: the peak of one that lost none tells.
std::optional<BurstSetting> telling_length(const std::vector<Burst>& bursts) {
    for (const Burst& burst : bursts) {
        if (burst.outcome != Burst::Outcome::Untold || burst.events == 1) continue;
        const std::int64_t events = burst.events / 2;
        if (boost::algorithm::none_of(bursts, [&](const Burst& other) {
                return other.events == events && other.separation == burst.separation && other.ports == burst.ports &&
                       other.payload == burst.payload;
            }))
            return BurstSetting{int(burst.ports), Bytes{burst.payload}, burst.separation, events};
    }
    return std::nullopt;
}

/// Next burst, or why none is left.
struct NextBurst {
    std::optional<BurstSetting> setting;
    std::string reason;
};

/// @param given_up  is not asked for
NextBurst next_burst(const std::optional<Fit>& fit, const CampaignPlan& plan,
                     const std::vector<TargetPrecision>& wanted, const std::set<BurstSetting>& given_up) {
    const auto left = [&](const BurstSetting& setting) { return given_up.count(setting) == 0; };
    // As soon as depth and rate are roughly known: what the memory counts is told by that burst alone.
    constexpr std::size_t kRoughly = 10;
    const auto telling = fit ? discriminating_payload(*fit, plan) : std::nullopt;
    const std::string counts = "another payload tells what the memory counts";
    if (telling && left(*telling) && fit->bursts.size() >= kRoughly) return {telling, counts};
    std::string reason;
    for (const TargetPrecision& one : wanted) {
        AdviceOptions options = plan.advice;
        options.target = one.target;
        options.precision = one.precision;
        const Advice advice = advise(fit, plan.prior, options);
        reason += (reason.empty() ? "" : "; ") + advice.reason;
        if (advice.stop) continue;
        for (const AdvisedPoint& point : advice.points)
            if (left(point)) return {point, reason};
    }
    if (telling && left(*telling)) return {telling, reason + "; " + counts};
    return {std::nullopt, reason};
}

// Limits of the search for a reliable rate.
constexpr Time kLongest{20'000'000'000}, kShortest{1'000'000}, kStep{100'000};
/// A burst lasts so long that what is too fast for long fails, whatever a ring holds at first.
constexpr Time kDuration{200'000'000'000};
constexpr std::int64_t kFewestEvents = 20;
/// As often a burst must arrive whole, and may be spoilt by the machine itself.
constexpr int kTimes = 2;
constexpr double kNear = 1.05;

/// Whether bursts of this separation can be trusted, and if not, why.
ReliabilityStep tried(Rig& rig, const BurstSetting& setting) {
    ReliabilityStep step{setting, 0, {}};
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

std::optional<BurstSetting> discriminating_payload(const Fit& fit, const CampaignPlan& plan) {
    const Burst& like = plan.prior.usual;
    const auto others = [&](const Burst& burst) { return burst.payload != like.payload; };
    if (boost::algorithm::any_of(fit.bursts, others)) return std::nullopt;
    const ModelFit& best = fit.best();
    constexpr double kWorthTelling = 0.01;
    const auto rival = boost::find_if(fit.models, [&](const ModelFit& other) {
        return other.probability >= kWorthTelling && other.model.unit != best.model.unit && other.depth.value &&
               other.rate.value;
    });
    if (rival == fit.models.end() || !best.depth.value || !best.rate.value) return std::nullopt;
    const auto shortest =
        boost::min_element(fit.bursts, [](const Burst& a, const Burst& b) { return a.separation < b.separation; });
    const Time separation = std::max(shortest->spacing, plan.advice.generator.shortest);
    for (const std::int64_t payload : plan.advice.payloads.value_or(
             std::vector<std::int64_t>{like.payload >= kSmallPayload ? like.payload / 2 : like.payload * 2})) {
        auto burst = with_mix(like, like.ports, payload, plan.conditions);
        if (!burst || payload == like.payload) continue;
        burst->separation = burst->spacing = separation;
        const auto longest = [&](const ModelFit& each) {
            return 0.5 + double(longest_lossless(each.model, *burst, separation, *each.depth.value, *each.rate.value)
                                    .value_or(INT64_MAX));
        };
        const double between = std::sqrt(longest(best) * longest(*rival));
        if (between >= 1 && between <= double(plan.advice.generator.longest))
            return BurstSetting{int(like.ports), Bytes{payload}, separation, std::llround(between)};
    }
    return std::nullopt;
}

std::string nothing_known(const PartialFit& found, bool advised, int bursts, const std::string& map) {
    if (!found.fit)
        return "nothing is known: of " + std::to_string(bursts) + " bursts none can be used; " + map + " says why";
    const std::vector<Burst>& used = found.fit->bursts;
    // A peak tells of the rate without any loss.
    const auto tells = [](const Burst& burst) { return burst.lossy || burst.peak; };
    if (!advised || boost::algorithm::any_of(used, tells)) return "";
    const auto longest =
        boost::max_element(used, [](const Burst& a, const Burst& b) { return a.fragments() < b.fragments(); });
    return "nothing is known of the depth: none of " + std::to_string(used.size()) +
           " bursts lost a frame, the longest of " + std::to_string(longest->fragments()) +
           " frames; are the senders faster than the output, and is PAUSE off? measure --preflight says";
}

Time idle_by_lateness(const BurstRecord& record) {
    const std::vector<Time>& times = record.trigger_times;
    const auto lost = std::find(record.missing.begin(), record.missing.end(), true);
    if (lost == record.missing.end() || !record.row.delay || times.size() < 2) return Time{0};
    // As times: what a full queue holds, and what a trigger adds, of which the first loss made it full.
    const std::int64_t full_at = (lost - record.missing.begin()) / record.row.ports;
    const Time full = *record.row.delay, trigger = (full + times[std::size_t(full_at)] - times.front()) / (full_at + 1);
    const auto idle = [&](const auto& gap_before) {
        Time held{0}, sum{0};
        for (std::size_t i = 1; i < times.size(); ++i) {
            const Time gap = gap_before(i);
            held = std::min(held + trigger, full) - gap;
            sum += std::max(Time{0}, -held);
            held = std::max(Time{0}, held);
        }
        return sum;
    };
    const Time even = (times.back() - times.front()) / std::int64_t(times.size() - 1);
    return idle([&](std::size_t i) { return times[i] - times[i - 1]; }) - idle([&](std::size_t) { return even; });
}

Time pace_not_kept(const BurstRecord& record) {
    const std::vector<Time>& times = record.trigger_times;
    constexpr std::size_t kFewest = 10;
    if (times.size() < kFewest) return Time{0};
    std::vector<Time> gaps;
    for (std::size_t i = 1; i < times.size(); ++i) gaps.push_back(times[i] - times[i - 1]);
    // On a busy machine many gaps are longer than it needs, but not all.
    const auto close = gaps.begin() + std::ptrdiff_t(gaps.size() / kFewest);
    std::nth_element(gaps.begin(), close, gaps.end());
    constexpr int kNear = 20;  // a part of a separation
    return *close - record.row.separation > record.row.separation / kNear ? *close : Time{0};
}

std::string reason_to_set_aside(const BurstRecord& record) {
    if (!record.host_loss.empty()) return record.host_loss;
    const LossMapRow& row = record.row;
    if (!row.worst_trigger_lateness || row.events < 2) return "";
    const std::string late = "a trigger came " + rounded(*row.worst_trigger_lateness) + " late, with " +
                             to_text(row.separation) + " between triggers";
    if (!row.span) return *row.worst_trigger_lateness * 2 > row.separation ? late : "";
    const Time idle = idle_by_lateness(record);
    return idle * row.ports > row.separation ? late + ", and the queue ran empty for " + rounded(idle) : "";
}

MeasurementCampaign::MeasurementCampaign(Rig& rig, GrowingLossMap& map, Time budget, int most,
                                         std::function<void(const std::string&)> say)
    : rig_(rig), map_(map), budget_(budget), most_(most), say_(std::move(say)) {}

std::string MeasurementCampaign::limit() const {
    if (std::chrono::steady_clock::now() - began_ >= std::chrono::duration_cast<std::chrono::nanoseconds>(budget_))
        return "the time that was given is over (" + to_text(budget_) + ")";
    if (bursts_ >= most_) return "all bursts that were allowed have been sent";
    return "";
}

std::optional<Time> MeasurementCampaign::measure(const BurstSetting& setting) {
    std::optional<Time> least_late;
    std::string why_not;
    for (int tries = 0; tries < kTries && (tries == 0 || limit().empty()); ++tries) {
        const BurstRecord record = rig_.measure(setting);
        pace_ = std::max(pace_, pace_not_kept(record));
        why_not = reason_to_set_aside(record);
        map_.add(record, why_not);
        ++bursts_;
        if (keep_) keep_(record, why_not.empty() ? int(map_.map().rows.size()) : 0);
        say_("burst " + std::to_string(bursts_) + ": " + name_of(setting) + ": " +
             std::to_string(record.row.frames_sent) + " frames sent, " + outcome_of(record.row) +
             (record.row.stalled > Time{0} ? "; the output stood still for " + rounded(record.row.stalled) : "") +
             (why_not.empty() ? "" : "; set aside: " + why_not));
        if (why_not.empty()) return std::nullopt;
        if (record.host_loss.empty())
            least_late = std::min(least_late.value_or(Time::max()),
                                  record.row.span ? Time{0} : *record.row.worst_trigger_lateness);
    }
    if (!least_late && limit().empty())
        throw std::runtime_error("set aside " + std::to_string(kTries) + " times in a row: " + name_of(setting) + ": " +
                                 why_not);
    return least_late;
}

std::string MeasurementCampaign::measure_list(const std::vector<BurstSetting>& settings, int repeat) {
    for (int round = 1; round <= repeat; ++round) {
        for (const BurstSetting& setting : settings) {
            const auto is_same = [&](const LossMapRow& row) { return same(row, setting); };
            if (boost::count_if(map_.map().rows, is_same) >= round) continue;
            if (const std::string limit = this->limit(); !limit.empty()) return limit;
            if (measure(setting)) say_("not measured: " + name_of(setting) + ": came late each time");
        }
    }
    return "all bursts of the list are measured";
}

std::string MeasurementCampaign::measure_as_advised(CampaignPlan plan, const std::vector<TargetPrecision>& wanted) {
    std::set<BurstSetting> given_up;
    while (true) {
        const PartialFit so_far = fit_so_far(map_.map(), plan.conditions, plan.fit);
        const auto shorter = telling_length(so_far.bursts);
        const NextBurst next = shorter ? NextBurst{shorter, "a shorter burst tells whether the memory was full"}
                                       : next_burst(so_far.fit, plan, wanted, given_up);
        if (!next.setting) return next.reason;
        if (const std::string limit = this->limit(); !limit.empty()) return limit + "; " + next.reason;
        const auto late = measure(*next.setting);
        plan.advice.generator.shortest = std::max(plan.advice.generator.shortest, pace_);
        if (!late) continue;
        // Two separations late would be just enough; frames of another size may be much slower to send.
        constexpr int kRoom = 3, kFarther = 2;
        given_up.insert(*next.setting);
        plan.advice.generator.shortest =
            std::max(plan.advice.generator.shortest, std::min(kRoom * *late, kFarther * next.setting->separation));
    }
}

std::string measure_overloads(Rig& rig, const OverloadPlan& plan,
                              const std::function<void(const OverloadOutcome&)>& add,
                              const std::function<bool()>& enough, const std::function<void(const std::string&)>& say) {
    constexpr int kTriesHeldUp = 10;  // before it is given up because of the sender's own failures
    const auto began = std::chrono::steady_clock::now();
    const Time separation = time_to_leave(plan.wire * plan.senders, plan.rate);
    std::int64_t frames = std::min(plan.frames, plan.most_frames);
    int spoilt = 0, held_up = 0;  // since the last that told something
    for (int sent = 1; !enough(); ++sent) {
        if (sent > plan.most) return "all overloads that were allowed have been sent";
        if (std::chrono::steady_clock::now() - began >=
            std::chrono::duration_cast<std::chrono::nanoseconds>(plan.budget))
            return "the time that was given is over (" + to_text(plan.budget) + ")";
        const std::int64_t triggers = std::max<std::int64_t>(2, frames / plan.senders);
        std::this_thread::sleep_for(std::chrono::duration_cast<std::chrono::nanoseconds>(plan.rest));
        BurstRecord record = rig.measure({plan.senders, plan.payload, separation, triggers});
        OverloadOutcome outcome;
        outcome.enough = frames;
        outcome.why_not = record.host_loss;
        outcome.held_up = !outcome.why_not.empty();
        if (!outcome.held_up)
            outcome = outcome_of({std::move(record.trigger_times), std::move(record.missing), plan.payload, plan.wire,
                                  record.row.delay});
        std::string told = outcome.why_not;
        if (outcome.overload)
            told = text_line("%.4g Mb/s offered, first drop after %s, %.4g Mb/s leave",
                             in_megabits(outcome.overload->offered), rounded(outcome.overload->first_drop),
                             in_megabits(outcome.overload->output));
        else if (told.empty())
            told = record.row.lossless() ? "none is lost, longer" : "too few after the first drop, longer";
        else
            told = "set aside: " + told;
        say(text_line("overload %d: %lld frames in %s:", sent, record.row.frames_sent, rounded(separation * triggers)) +
            " " + told);
        add(outcome);
        if (outcome.overload) {
            spoilt = held_up = 0;
        } else if (!outcome.why_not.empty()) {
            const int times = ++(outcome.held_up ? held_up : spoilt);
            if (times == (outcome.held_up ? kTriesHeldUp : kTries))
                throw std::runtime_error("set aside " + std::to_string(times) + " times: " + outcome.why_not);
        } else if (frames == plan.most_frames) {
            throw std::runtime_error(
                "nothing is known: " + std::to_string(frames) + " frames at " + to_text(plan.rate) +
                (record.row.lossless() ? " lose none" : " are too few") +
                "; offer more (--overload), or longer (--most-frames), and see what --preflight says");
        }
        frames = std::clamp<std::int64_t>(outcome.enough, 2 * plan.senders, plan.most_frames);
    }
    return "the depth is known well enough";
}

MaxReliableRate find_max_reliable_rate(Rig& rig, int ports, Bytes payload, std::int64_t most_frames,
                                       const std::function<void(const ReliabilityStep&)>& say) {
    MaxReliableRate found;
    const auto holds = [&](Time separation) {
        separation = std::max(separation - separation % kStep, kShortest);
        const std::int64_t events = std::clamp(kDuration / separation + 1, std::min(kFewestEvents, most_frames / ports),
                                               std::max<std::int64_t>(1, most_frames / ports));
        const ReliabilityStep step = tried(rig, {ports, payload, separation, events});
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
