// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/stepped-run.h"

#include <queue>
#include <tuple>

#include "model/exact/time-grid.h"
#include "model/frontend/stepped-sender.h"
#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "model/server/camera-server.h"
#include "model/switch/arrival-order.h"
#include "model/switch/switch-control.h"

namespace watershed {
namespace {

struct Event {
    Moment time{};
    Step step = Step::Triggered;
    int index = 0;  ///< uplink, group or module, from 0
    std::uint64_t rank = 0;
    std::int64_t serial = 0;
    FrameId frame{};    ///< that arrives; of a trigger or an offer its event alone
    bool whole = true;  ///< or its header only
    Moment until{};     ///< end of a pause, or of the frame whose header is there

    friend bool operator<(const Event& a, const Event& b) {  // a priority queue gives the largest first
        return std::tie(b.time, b.step, b.rank, b.index, b.serial) <
               std::tie(a.time, a.step, a.rank, a.index, a.serial);
    }
};

/// A front end, and the link by which the switch can tell it to pause.
struct Module {
    SteppedSender sender;
    Serializer back;
};

class SteppedRun final : private SwitchControl::Surroundings {
  public:
    SteppedRun(const Incast& scenario, const Observer* observer)
        : scenario_(scenario),
          observer_(observer),
          sizes_(scenario.frame, scenario.seed, scenario.front_end.modules_before),
          ledger_(observer, &sizes_),
          server_(scenario, scenario.server, scenario.network_switch.uplinks, reports()),
          rank_(scenario.network_switch.arrival_order, scenario.front_end.modules, scenario.seed),
          train_(scenario.trigger, scenario.seed),
          switch_(scenario.network_switch, scenario, exact_times(scenario).grid, *this),
          sent_(static_cast<std::size_t>(scenario.network_switch.uplinks)) {
        const FrontEnd& front_end = scenario.front_end;
        const TimeGrid grid = exact_times(scenario).grid;
        for (int module = 1; module <= front_end.modules; ++module)
            modules_.push_back(
                {SteppedSender(front_end, scenario.seed, module, grid), Serializer(front_end.link_rate, {}, grid)});
    }

    Outcome run() {
        next_trigger();
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            server_.advance(event.time.time);  // what an uplink sends from now on arrives later
            handle(event);
        }
        server_.finish();
        Outcome outcome = close_books(events_read_, server_, ledger_, observer_);
        switch_.report(outcome);
        outcome.module_links = module_links(scenario_, events_read_, ledger_);
        outcome.uplinks = sent_;
        return outcome;
    }

  private:
    CameraServer::Reports reports() {
        CameraServer::Reports reports;
        reports.lost = [this](const FrameId& frame, Time time, const LossCause& cause) {
            ledger_.lost(frame, time, cause, 1);
        };
        if (observer_ && observer_->occupancy_of == Network::kServer) reports.occupancy = observer_->occupancy;
        return reports;
    }

    void schedule(Event event) {
        event.serial = ++serial_;
        events_.push(event);
    }

    void handle(const Event& event) {
        switch (event.step) {
            case Step::Pause: return pause(event);
            case Step::PauseOver: return start(event.index, event.time);
            case Step::LinkDone: sender(event.index).finish(); return start(event.index, event.time);
            case Step::Triggered: return triggered(event);
            case Step::Offered: return offered(event);
            case Step::Arrival: return arrived(event);
            default: switch_.step(event.step, event.index, event.time);
        }
    }

    void next_trigger() {
        if (const auto time = train_.next()) schedule({*time, Step::Triggered, 0, 0, 0, {++events_read_, 0, 0}});
    }

    void triggered(const Event& trigger) {
        if (observer_ && observer_->progress && events_read_ % 1024 == 0) observer_->progress(events_read_);
        const std::int64_t number = trigger.frame.event;
        for (int module = 0; module < scenario_.front_end.modules; ++module)
            if (answers(scenario_.trigger, number, module + 1))
                schedule({sender(module).offer_time(number, trigger.time.time),
                          Step::Offered,
                          module,
                          0,
                          0,
                          {number, module + 1, 0}});
        next_trigger();
    }

    void offered(const Event& offer) {
        FrameId frame = offer.frame;
        for (const FrameSizes& sizes : sizes_.of(frame.event, frame.module)) {
            if (!sender(offer.index).offer({frame, sizes.wire, offer.time}))
                ledger_.lost(frame, offer.time.time, FrontEndPort::kFifoFull);
            ++frame.frame;
            start(offer.index, offer.time);
        }
    }

    void start(int module, const Moment& now) {
        SteppedSender& from = sender(module);
        if (!from.start(now)) return;
        const FrameId frame = from.sent().id;
        const std::uint64_t rank = rank_(frame.event, module + 1);
        schedule({from.end(), Step::LinkDone, module});
        schedule({from.end(), Step::Arrival, module, rank, 0, frame});
        if (const auto header = switch_.header_at(from.begin()); header && *header < from.end())
            schedule({*header, Step::Arrival, module, rank, 0, frame, false, from.end()});
    }

    void arrived(const Event& event) {
        const FrameSizes& sizes =
            sizes_.of(event.frame.event, event.frame.module)[static_cast<std::size_t>(event.frame.frame)];
        const SwitchedFrame frame{event.frame, {event.index, 0, sizes.buffer}, sizes.wire};
        if (event.whole)
            switch_.frame_in(frame, event.time);
        else
            switch_.header_in(frame, event.time, event.until);
    }

    void pause(const Event& event) {
        sender(event.index).pause(event.time, event.until);
        if (event.until == event.time)
            start(event.index, event.time);
        else
            schedule({event.until, Step::PauseOver, event.index});
    }

    void later(const Moment& time, Step step, int index) override { schedule({time, step, index}); }

    void sends(int uplink, const SwitchedFrame& frame, const Moment&, const Moment& done) override {
        schedule({done, Step::UplinkDone, uplink});
        ++sent_[static_cast<std::size_t>(uplink)].frames;
        sent_[static_cast<std::size_t>(uplink)].wire += frame.wire;
        server_.arrive(frame.id, uplink, done.time);
    }

    void lost(const SwitchedFrame& frame, const LossCause& cause, const Moment& now) override {
        ledger_.lost(frame.id, now.time, cause);
    }

    void pause(int input, std::int64_t quanta, const Moment& now) override {
        const FrontEnd& front_end = scenario_.front_end;
        const Moment effect =
            modules_[static_cast<std::size_t>(input)].back.send(now, kPauseFrame) + front_end.pause_reaction;
        if (!front_end.obeys_pause) return;
        Event event{effect, Step::Pause, input};
        event.until = quanta == 0 ? effect : effect + pause_length(front_end.link_rate, quanta);
        schedule(event);
    }

    void occupied(const Moment& now) override {
        if (observer_ && observer_->occupancy && observer_->occupancy_of != Network::kServer)
            observer_->occupancy(now.time, switch_.memory().frames(), switch_.memory().bytes());
    }

    SteppedSender& sender(int module) { return modules_[static_cast<std::size_t>(module)].sender; }

    const Incast& scenario_;
    const Observer* observer_;
    FragmentSizes sizes_;
    Ledger ledger_;
    CameraServer server_;
    ArrivalRank rank_;
    TriggerTrain train_;
    SwitchControl switch_;
    std::vector<Module> modules_;
    std::vector<Outcome::Link> sent_;
    std::priority_queue<Event> events_;
    std::int64_t serial_ = 0;
    std::int64_t events_read_ = 0;
};

}  // namespace

const char* key_that_needs_steps(const Incast& scenario) {
    const Switch& s = scenario.network_switch;
    if (s.queueing != Queueing::Output) return "switch.queueing";
    if (s.input_fifo) return "switch.input_fifo";
    if (s.fabric_rate) return "switch.fabric_rate";
    if (s.cut_through) return "switch.cut_through";
    if (s.flow_control.kind != FlowControl::Kind::None) return "switch.flow_control.kind";
    if (s.buffer.egress_pipeline > 0) return "switch.buffer.egress_pipeline";
    if (s.buffer.sharing->evicts) return "switch.buffer.sharing";
    return nullptr;
}

Outcome run_stepped(const Incast& scenario, const Observer* observer) { return SteppedRun(scenario, observer).run(); }

}  // namespace watershed
