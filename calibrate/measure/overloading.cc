// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/overloading.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {

std::string measure_overloads(Rig& rig, const OverloadPlan& plan,
                              const std::function<void(const OverloadOutcome&)>& add,
                              const std::function<bool()>& enough, const std::function<void(const std::string&)>& say) {
    constexpr int kTries = 3, kTriesHeldUp = 10;  // before it is given up; the sender's own failures apart
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

}  // namespace watershed
