// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/measuring.h"

#include <algorithm>
#include <stdexcept>

#include "calibrate/fit/fit-so-far.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// A burst that is set aside so many times will not come out at all.
constexpr int kTries = 3;

bool same(const LossMapRow& row, const BurstSetting& setting) {
    return row.ports == setting.ports && row.payload == setting.payload && row.separation == setting.separation && row.events == setting.events;
}

std::string name_of(const BurstSetting& setting) {
    return std::to_string(setting.events) + " events " + to_text(setting.separation) + " apart, " + std::to_string(setting.ports) + " ports, " + to_text(setting.payload);
}

}  // namespace

std::string reason_to_set_aside(const BurstRecord& record) {
    if (!record.host_loss.empty()) return record.host_loss;
    const LossMapRow& row = record.row;
    if (row.worst_trigger_lateness && row.events > 1 && *row.worst_trigger_lateness * 2 > row.separation)
        return "a trigger came " + rounded(*row.worst_trigger_lateness) + " late, with " + to_text(row.separation) + " between triggers";
    return "";
}

Measuring::Measuring(Rig& rig, MeasuredMap& map, Time budget, std::function<void(const std::string&)> say) : rig_(rig), map_(map), budget_(budget), say_(std::move(say)) {}

bool Measuring::time_is_up() const { return std::chrono::steady_clock::now() - began_ >= std::chrono::duration_cast<std::chrono::nanoseconds>(budget_); }

std::optional<Time> Measuring::measure(const BurstSetting& setting) {
    std::optional<Time> least_late;
    std::string why_not;
    for (int tries = 0; tries < kTries && (tries == 0 || !time_is_up()); ++tries) {
        const BurstRecord record = rig_.measure(setting);
        why_not = reason_to_set_aside(record);
        map_.add(record, why_not);
        ++bursts_;
        say_("burst " + std::to_string(bursts_) + ": " + name_of(setting) + ": " + std::to_string(record.row.frames_sent) + " frames sent, " + std::to_string(record.row.frames_lost()) + " lost" +
             (why_not.empty() ? "" : "; set aside: " + why_not));
        if (why_not.empty()) return std::nullopt;
        if (record.host_loss.empty()) least_late = std::min(least_late.value_or(Time::max()), *record.row.worst_trigger_lateness);
    }
    if (!least_late && !time_is_up()) throw std::runtime_error("set aside " + std::to_string(kTries) + " times in a row: " + name_of(setting) + ": " + why_not);
    return least_late;
}

std::string Measuring::measure_list(const std::vector<BurstSetting>& settings, int repeat) {
    for (int round = 1; round <= repeat; ++round) {
        for (const BurstSetting& setting : settings) {
            const auto& rows = map_.map().rows;
            if (std::count_if(rows.begin(), rows.end(), [&](const LossMapRow& row) { return same(row, setting); }) >= round) continue;
            if (time_is_up()) return "the time that was given is over: --budget " + to_text(budget_);
            if (const auto late = measure(setting))
                say_("not measured: " + name_of(setting) + ": came " + rounded(*late) + " late at best");
        }
    }
    return "all bursts of the list are measured";
}

std::string Measuring::measure_as_advised(CampaignPlan plan) {
    Generator& generator = plan.advice.generator;
    while (true) {
        const FitSoFar so_far = fit_so_far(map_.map(), plan.conditions, plan.fit);
        const Advice advice = advise(so_far.fit, plan.prior, plan.advice);
        if (advice.stop || advice.points.empty()) return advice.reason;
        if (time_is_up()) return "the time that was given is over: --budget " + to_text(budget_) + "; " + advice.reason;
        const AdvisedPoint& point = advice.points.front();
        const auto late = measure({static_cast<int>(point.ports), Bytes{point.payload}, point.separation, point.events});
        constexpr int kRoom = 3;   // two would be just too little
        if (late) generator.shortest = std::max(point.separation + generator.step, kRoom * *late);
    }
}

}  // namespace watershed
