// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact-engine.h"

#include <algorithm>
#include <deque>

#include "model/arrivals.h"
#include "model/camera-server.h"
#include "model/early-drop.h"
#include "model/stepped-run.h"
#include "model/switch-memory.h"
#include "model/switch-report.h"
#include "model/synchronous-run.h"
#include "model/uplinks.h"

namespace watershed {
namespace {

/// One run: the switch and what is behind it.
class ExactRun {
  public:
    ExactRun(const Scenario& scenario, const Observer* observer)
        : scenario_(scenario),
          observer_(observer),
          frames_(frames_of_fragment(scenario.frame)),
          ledger_(observer),
          server_(scenario.front_end.modules, static_cast<int>(frames_.size()), scenario.trigger),
          memory_(scenario.network_switch.buffer, scenario.front_end.modules, scenario.network_switch.uplinks),
          selector_(scenario.network_switch, scenario.front_end),
          uplinks_(static_cast<std::size_t>(scenario.network_switch.uplinks), Uplink{Serializer(scenario.network_switch.uplink_rate), {}, {}}) {}

    Outcome run() {
        Arrivals arrivals(scenario_, frames_, ledger_, observer_);
        while (const auto arrival = arrivals.next()) arrive(*arrival);
        release_until(Time::max());
        return outcome(arrivals.events());
    }

  private:
    struct Release {
        Time time;
        MemoryClaim claim;
    };
    struct Uplink {
        Serializer link;
        std::deque<Release> releases;   ///< of the frames in memory, by time
        Outcome::Uplink sent;
    };

    void arrive(const Arrival& arrival) {
        const Time now = arrival.time;
        release_until(now);
        sequence_.deciding(arrival.frame.event, memory_.frames() == 0 && now >= busy_until_);

        const int output = selector_.next(arrival.frame.module);
        const FrameSizes& sizes = frames_[static_cast<std::size_t>(arrival.frame.frame)];
        const MemoryClaim claim{arrival.frame.module - 1, output, sizes.buffer, early_drop_lot(scenario_.network_switch.buffer, scenario_.seed, arrival.frame)};
        last_decision_ = now;
        if (const LossCause* cause = memory_.admit(claim)) {
            ledger_.lost(arrival.frame, now, *cause);
            return;
        }
        tell_occupancy(now);
        Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        const Time departure = uplink.link.send(now + scenario_.network_switch.latency, sizes.wire);
        busy_until_ = std::max(busy_until_, departure);
        const bool at_start = scenario_.network_switch.buffer.release == Buffer::Release::Start;
        uplink.releases.push_back({at_start ? uplink.link.begin() : departure, claim});
        ++uplink.sent.frames;
        uplink.sent.wire += sizes.wire;
        server_.receive(arrival.frame);
    }

    /// Departures come before arrivals at equal times.
    void release_until(Time now) {
        for (;;) {
            Uplink* first = nullptr;
            for (Uplink& uplink : uplinks_)
                if (!uplink.releases.empty() && (!first || uplink.releases.front().time < first->releases.front().time)) first = &uplink;
            if (!first || first->releases.front().time > now) return;
            memory_.release(first->releases.front().claim);
            tell_occupancy(first->releases.front().time);
            first->releases.pop_front();
        }
    }

    void tell_occupancy(Time time) const {
        if (observer_ && observer_->occupancy) observer_->occupancy(time, memory_.frames(), memory_.bytes());
    }

    Outcome outcome(std::int64_t events) const {
        Outcome outcome = close_books(events, server_, ledger_);
        report_switch(outcome, memory_, sequence_, std::max(busy_until_, last_decision_));
        for (const Uplink& uplink : uplinks_) outcome.uplinks.push_back(uplink.sent);
        return outcome;
    }

    const Scenario& scenario_;
    const Observer* observer_;
    std::vector<FrameSizes> frames_;
    Ledger ledger_;
    CameraServer server_;
    SwitchMemory memory_;
    UplinkSelector selector_;
    std::vector<Uplink> uplinks_;
    EventSequence sequence_;
    Time busy_until_{0};
    Time last_decision_{0};
};

}  // namespace

Outcome ExactEngine::run(const Scenario& scenario, const Observer* observer) {
    if (key_that_needs_steps(scenario)) return run_stepped(scenario, observer);
    const bool every_frame = observer && (observer->occupancy || observer->lost);
    if (path_ == Path::Fastest && !every_frame) {
        if (const auto camera = SynchronousCamera::of(scenario))
            return runs_by_trigger(*camera) ? run_by_trigger(*camera, scenario, observer) : run_by_frame(*camera, scenario, observer);
    }
    return ExactRun(scenario, observer).run();
}

}  // namespace watershed
