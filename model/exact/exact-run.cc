// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-run.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "model/base/frame.h"
#include "model/base/recovery.h"
#include "model/base/ring.h"
#include "model/base/serializer.h"
#include "model/base/sort-by-time.h"
#include "model/exact/time-grid.h"
#include "model/network/network.h"
#include "model/server/camera-server.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch-report.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

/// A store-and-forward switch by arithmetic: frames of one uplink leave in the order of admission, so that a frame's
/// departure is known when it is admitted.
class ExactSwitch {
  public:
    /// @param number    of the switch in `network`, which must outlive this
    /// @param grid      of all times
    /// @param observer  told of its occupancy, if not null and if it wants to know of this switch
    ExactSwitch(const Network& network, int number, const NetworkScenario& scenario, TimeGrid grid,
                const Observer* observer)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          number_(number),
          seed_(scenario.seed),
          observer_(observer && observer->occupancy && observer->occupancy_of == number ? observer : nullptr),
          memory_(self_.settings.buffer, self_.inputs(), self_.settings.uplinks),
          ties_(self_.settings.buffer),
          selector_(self_.settings, scenario.front_end, self_.inputs()) {
        for (int i = 0; i < self_.settings.uplinks; ++i)
            uplinks_.push_back(
                {Serializer(network.links()[static_cast<std::size_t>(self_.first_link + i)].rate, {}, grid), {}, {}});
    }

    /// Uplink by which a frame leaves, and when.
    struct Departure {
        int uplink = 0;
        Timestamp time;
    };

    /// A frame has arrived, now; call it in the order in which the switch decides. @return why it is lost, or null
    const LossCause* arrive(const FrameId& frame, int input, const FrameSizes& sizes, const Timestamp& now,
                            Departure& departure) {
        release_until(now);
        sequence_.deciding(frame.event, memory_.frames() == 0 && now >= busy_until_);
        const int output = selector_.next(input, frame.module);
        last_decision_ = now;
        const std::uint64_t lot = early_drop_lot(self_.settings.buffer, seed_, frame, number_);
        if (const LossCause* cause = memory_.admit({input, output, sizes.buffer, lot})) {
            ties_.lost(*cause, now, output);
            return cause;
        }
        ties_.taken(now, output);
        tell_occupancy(now, true);
        Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        departure = {output, uplink.link.send(now + self_.settings.latency, sizes.wire)};
        busy_until_ = std::max(busy_until_, departure.time);
        const bool at_start = self_.settings.buffer.release == Buffer::Release::Start;
        const bool was_empty = uplink.releases.empty();
        uplink.releases.push({at_start ? uplink.link.begin() : departure.time, sizes.buffer, input, output});
        if (was_empty) look();
        ++uplink.sent.frames;
        uplink.sent.wire += sizes.wire;
        return nullptr;
    }

    /// Departures come before arrivals at equal times.
    void release_until(const Timestamp& now) {
        while (first_ && first_->releases.front().time <= now) {
            const Release release = first_->releases.pop();
            memory_.release({release.input, release.output, release.buffer});
            tell_occupancy(release.time, false);
            if (uplinks_.size() > 1 || first_->releases.empty()) look();
        }
    }

    const SwitchMemory& memory() const { return memory_; }
    const Recovery& recovery() const { return recovery_; }
    const Ties& ties() const { return ties_; }
    const EventSequence& sequence() const { return sequence_; }
    const Outcome::Link& sent(int uplink) const { return uplinks_[static_cast<std::size_t>(uplink)].sent; }
    /// When the last frame had left or was lost.
    Time last_activity() const { return std::max(busy_until_, last_decision_).time; }

  private:
    struct Release {
        Timestamp time;
        Bytes buffer;
        int input;
        int output;
    };
    struct Uplink {
        Serializer link;
        Ring<Release> releases;  ///< releases of the frames in memory, by time
        Outcome::Link sent;
    };

    /// Finds the uplink that gives memory back first.
    void look() {
        first_ = nullptr;
        for (Uplink& uplink : uplinks_)
            if (!uplink.releases.empty() && (!first_ || uplink.releases.front().time < first_->releases.front().time))
                first_ = &uplink;
    }
    void tell_occupancy(const Timestamp& now, bool grew) {
        recovery_.occupied(now.time, memory_.frames(), grew);
        if (observer_) observer_->occupancy(now.time, memory_.frames(), memory_.bytes());
    }

    const Network::Switch& self_;
    int number_;
    std::uint64_t seed_;
    const Observer* observer_;
    SwitchMemory memory_;
    Ties ties_;
    UplinkSelector selector_;
    std::vector<Uplink> uplinks_;
    Uplink* first_ = nullptr;  ///< uplink whose frame gives its memory back first
    EventSequence sequence_;
    Recovery recovery_;
    Timestamp busy_until_;
    Timestamp last_decision_;
};

/// A switch and what is on its way to it.
class Stage {
  public:
    Stage(const Network& network, int number, const NetworkScenario& scenario, TimeGrid grid,
          const FragmentSizes& sizes, Ledger& ledger, const Observer* observer)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          switch_(network, number, scenario, grid, observer),
          rank_(self_.settings.arrival_order, self_.inputs(), scenario.seed, self_.inputs_before),
          feeds_(self_.feeds.size()) {
        if (self_.modules > 0) {
            part_ = std::make_unique<NetworkScenario>(network.part(scenario, number));
            arrivals_ = std::make_unique<Arrivals>(*part_, sizes, ledger, observer, rank_, self_.modules_before, grid);
        }
    }

    /// Finds the next arrival, after expect() was called.
    void look() {
        next_ = arrivals_ ? arrivals_->next() : nullptr;
        for (const Ring<Arrival>& feed : feeds_)
            if (!feed.empty() && (!next_ || feed.front() < *next_)) next_ = &feed.front();
    }
    /// The next arrival that look() found; null if there is none.
    const Arrival* next() const { return next_; }
    /// Goes on to the arrival after it.
    void pop() {
        if (next_->input < self_.modules)
            arrivals_->pop();
        else
            feed(next_->input).drop();
        look();
    }

    /// A frame is on its way by a link from another switch.
    void expect(const FrameId& frame, const Timestamp& time, int input) {
        feed(input).push({time, rank_(frame.event, input + 1), input, frame});
    }

    ExactSwitch& network_switch() { return switch_; }
    const ExactSwitch& network_switch() const { return switch_; }
    const Network::Switch& self() const { return self_; }
    std::int64_t events() const { return arrivals_ ? arrivals_->events() : 0; }
    void end_at(std::int64_t events) {
        if (arrivals_) arrivals_->end_at(events);
    }

  private:
    Ring<Arrival>& feed(int input) { return feeds_[static_cast<std::size_t>(input - self_.modules)]; }

    const Network::Switch& self_;
    ExactSwitch switch_;
    ArrivalRank rank_;
    std::unique_ptr<NetworkScenario> part_;  ///< the modules at this switch
    std::unique_ptr<Arrivals> arrivals_;
    std::vector<Ring<Arrival>> feeds_;  ///< frames on the links that lead here
    const Arrival* next_ = nullptr;
};

class ExactRun {
  public:
    ExactRun(const NetworkScenario& scenario, const Observer* observer)
        : scenario_(scenario),
          network_(scenario),
          observer_(observer),
          is_in_order_(observer && observer->lost),
          sizes_(scenario.frame, scenario.seed, scenario.front_end.modules_before),
          ledger_(observer, &sizes_),
          server_(scenario, scenario.server, network_.builders_of_interfaces(), reports(observer)) {
        const TimeGrid grid = exact_times(scenario).grid;
        stages_.reserve(network_.switches().size());
        for (int i = 0; i < static_cast<int>(network_.switches().size()); ++i)
            stages_.emplace_back(network_, i, scenario, grid, sizes_, ledger_, observer);
    }

    Outcome run() {
        for (;;) {
            const Arrival* first = nullptr;
            for (Stage& stage : stages_) {
                stage.look();
                if (stage.next() && (!first || stage.next()->time < first->time)) first = stage.next();
            }
            if (!first) break;
            const Timestamp until = first->time + kSlice * (is_in_order_ ? 0 : 1);
            server_.advance(first->time.time);  // frames that leave a switch from now on arrive later
            for (Stage& stage : stages_)        // none is fed by a later one
                for (stage.look(); stage.next() && stage.next()->time <= until; stage.pop()) step(stage);
            if (observer_ && observer_->may_end_at_loss && ledger_.frames_lost() > 0)
                for (Stage& stage : stages_) stage.end_at(events());
        }
        for (Stage& stage : stages_) stage.network_switch().release_until(Time::max());
        server_.finish();
        return outcome();
    }

  private:
    CameraServer::Reports reports(const Observer* observer) {
        CameraServer::Reports reports;
        const int behind = static_cast<int>(network_.switches().size());
        reports.lost = [this, behind](const FrameId& frame, Time time, const LossCause& cause) {
            ledger_.lost(frame, time, cause, behind);
        };
        if (observer && observer->occupancy_of == Network::kServer) reports.occupancy = observer->occupancy;
        return reports;
    }

    /// Time by which one switch after the other is advanced, unless losses must be reported in their order.
    static constexpr Time kSlice{100'000'000};

    [[gnu::flatten]] void step(Stage& stage) {
        const Arrival& arrival = *stage.next();
        ExactSwitch::Departure departure;
        const FrameSizes& sizes =
            sizes_.of(arrival.frame.event, arrival.frame.module)[static_cast<std::size_t>(arrival.frame.frame)];
        if (const LossCause* cause =
                stage.network_switch().arrive(arrival.frame, arrival.input, sizes, arrival.time, departure)) {
            ledger_.lost(arrival.frame, arrival.time.time, {stage.self().name, cause->reason},
                         static_cast<int>(&stage - stages_.data()));
            return;
        }
        const Network::Link& link =
            network_.links()[static_cast<std::size_t>(stage.self().first_link + departure.uplink)];
        if (link.to == Network::kServer)
            server_.arrive(arrival.frame, link.input, departure.time.time);
        else
            stages_[static_cast<std::size_t>(link.to)].expect(arrival.frame, departure.time, link.input);
    }

    std::int64_t events() const {
        std::int64_t events = 0;
        for (const Stage& stage : stages_) events = std::max(events, stage.events());
        return events;
    }

    Outcome outcome() const {
        const std::int64_t events = this->events();
        Outcome outcome = finalize_result(events, server_, ledger_, observer_);
        outcome.module_links = module_links(scenario_, events, ledger_);
        for (const Stage& stage : stages_) {
            const ExactSwitch& network_switch = stage.network_switch();
            report_switch(outcome, stage.self().name, network_switch.memory(), network_switch.sequence(),
                          network_switch.ties(), network_switch.recovery(), network_switch.last_activity());
            for (int uplink = 0; uplink < stage.self().settings.uplinks; ++uplink)
                outcome.uplinks.push_back(network_switch.sent(uplink));
        }
        return outcome;
    }

    const NetworkScenario& scenario_;
    Network network_;
    const Observer* observer_;
    const bool is_in_order_;
    FragmentSizes sizes_;
    Ledger ledger_;
    CameraServer server_;
    std::vector<Stage> stages_;
};

}  // namespace

Outcome run_exactly(const NetworkScenario& scenario, const Observer* observer) {
    return ExactRun(scenario, observer).run();
}

Arrivals::Arrivals(const NetworkScenario& scenario, const FragmentSizes& sizes, Ledger& ledger,
                   const Observer* observer, const ArrivalRank& rank, int modules_before, TimeGrid grid)
    : sizes_(sizes),
      gap_(scenario.front_end.gap),
      ledger_(ledger),
      observer_(observer),
      rank_(rank),
      modules_before_(modules_before),
      trigger_(scenario.trigger),
      train_(scenario.trigger, scenario.seed),
      modules_(scenario.front_end.modules),
      most_(static_cast<std::size_t>(modules_)),
      synchronous_(is_synchronous(scenario.front_end) && !sizes.vary() &&
                   trigger_.pattern != Trigger::Pattern::LineRatePlusBurst) {
    const int followed = synchronous_ ? 1 : modules_;
    ports_.reserve(static_cast<std::size_t>(followed));
    for (int number = 1; number <= followed; ++number)
        ports_.emplace_back(scenario.front_end, scenario.seed, number, grid);
    std::size_t frames = 0;
    for (const std::vector<FrameSizes>& each : sizes.choices()) frames = std::max(frames, each.size());
    most_ *= frames;
    unread_ = train_.next();
    turn();
}

void Arrivals::turn() {
    if (now_.next != now_.end) {
        others_.push_back(std::move(now_));
        std::push_heap(others_.begin(), others_.end());
    }
    while (unread_ && (others_.empty() || others_.front().next->time >= unread_from_)) read();
    next_ = nullptr;
    if (others_.empty()) return;
    std::pop_heap(others_.begin(), others_.end());
    now_ = std::move(others_.back());
    others_.pop_back();
    next_ = now_.next->arrival;
    alone_until_ = unread_ ? unread_from_ : Time::max();
    if (!others_.empty()) alone_until_ = std::min(alone_until_, others_.front().next->time);
}

[[gnu::flatten]] void Arrivals::read() {
    const std::int64_t number = ++events_;
    if (observer_ && observer_->progress && number % 1024 == 0) observer_->progress(number);
    Event event = std::move(now_);  // the event is over, or with the others
    event.arrivals.resize(most_);
    Arrival* last_arrival = event.arrivals.data();
    Time all_free = Time::max();  // the links of modules that answer the next trigger, which answer this one, too
    int module = 0;
    for (FrontEndPort& port : ports_) {
        if (!answers(trigger_, number, ++module)) continue;
        const int last = synchronous_ ? modules_ : module;  // all modules to the last do as this one
        const Time offered = port.offer_time(number, *unread_);
        int frame = 0;
        for (const FrameSizes& sizes : sizes_.of(number, modules_before_ + module)) {
            const auto time = port.offer(offered, sizes.wire, frame == 0 ? Time{0} : gap_);
            for (int each = module; each <= last; ++each) {
                const FrameId id{number, modules_before_ + each, frame};
                if (time)
                    *last_arrival++ = {*time, rank_(number, each), each - 1, id};
                else
                    ledger_.lost(id, offered, FrontEndPort::kFifoFull);
            }
            ++frame;
        }
        all_free = std::min(all_free, port.free().time);
    }
    unread_ = number < most_events_ ? train_.next() : std::nullopt;
    if (unread_) unread_from_ = std::max(*unread_, all_free);
    const Arrival* arrival = event.arrivals.data();
    if (arrival == last_arrival) return;
    event.order.resize(static_cast<std::size_t>(last_arrival - arrival));
    for (Due& due : event.order) due = {arrival->time.time, arrival}, ++arrival;
    sort_by_time(
        event.order, [](const Due& due) { return due.time.count(); }, std::less<>());
    event.next = event.order.data();
    event.end = event.next + event.order.size();
    others_.push_back(std::move(event));
    std::push_heap(others_.begin(), others_.end());
}

}  // namespace watershed
