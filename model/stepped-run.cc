// SPDX-License-Identifier: GPL-2.0-only
#include "model/stepped-run.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "model/arrival-order.h"
#include "model/camera-server.h"
#include "model/early-drop.h"
#include "model/event-sequence.h"
#include "model/stepped-sender.h"
#include "model/stepped-switch.h"
#include "model/trigger.h"

namespace watershed {
namespace {

/// What can happen, in the order in which it happens at one instant.
enum class What { UplinkDone, FabricDone, MemoryFree, PauseEffect, LinkDone, Triggered, Offered, HeaderIn, FrameIn, PauseRenewal };

struct Event {
    Time time{0};
    What what = What::Triggered;
    std::uint64_t rank = 0;
    int index = 0;            ///< uplink, group or module (from 0)
    std::int64_t serial = 0;
    std::int64_t event = 0;   ///< of the camera
    int frame = 0;
    Time until{0};            ///< of a pause

    /// Frames that have arrived and headers of others stand in one order.
    int phase() const { return what == What::FrameIn ? static_cast<int>(What::HeaderIn) : static_cast<int>(what); }
    friend bool operator<(const Event& a, const Event& b) {   // a priority queue gives the largest first
        return std::make_tuple(b.time, b.phase(), b.rank, b.index, b.serial) < std::make_tuple(a.time, a.phase(), a.rank, a.index, a.serial);
    }
};

class SteppedRun {
  public:
    SteppedRun(const Scenario& scenario, const Observer* observer)
        : scenario_(scenario),
          observer_(observer),
          frames_(frames_of_fragment(scenario.frame)),
          ledger_(observer),
          server_(scenario.front_end.modules, static_cast<int>(frames_.size()), scenario.trigger),
          rank_(scenario.network_switch.arrival_order, scenario.front_end.modules, scenario.seed),
          train_(scenario.trigger, scenario.seed),
          selector_(scenario.network_switch, scenario.front_end),
          switch_(scenario),
          sent_(static_cast<std::size_t>(scenario.network_switch.uplinks)),
          pauses_(static_cast<std::size_t>(scenario.front_end.modules)) {
        for (int module = 1; module <= scenario.front_end.modules; ++module) senders_.emplace_back(scenario.front_end, scenario.seed, module);
        const FlowControl& control = scenario.network_switch.flow_control;
        if (control.kind != FlowControl::Kind::None) {
            const MemoryUnits& units = switch_.memory().units();
            xoff_ = units.amount("switch.flow_control.xoff", control.xoff);
            xon_ = units.amount("switch.flow_control.xon", control.xon);
            Serializer link(scenario.front_end.link_rate);
            constexpr Bytes kPauseFrame{84}, kQuantum{64};   // a minimum frame with preamble and gap; 512 bit times
            pause_delay_ = link.send(Time{0}, kPauseFrame) + scenario.front_end.pause_reaction;
            pause_length_ = Serializer(scenario.front_end.link_rate).send(Time{0}, kQuantum * control.quanta);
        }
        const Switch& s = scenario.network_switch;
        if (s.cut_through && s.uplink_rate <= scenario.front_end.link_rate) {
            // Of the frames of one fragment, all are as long as the header or longer.
            header_ = Serializer(scenario.front_end.link_rate).send(Time{0}, s.cut_through_after);
        }
    }

    Outcome run() {
        next_trigger();
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            handle(event);
            // All departures of an instant come before anybody profits from them.
            const bool more_departures = !events_.empty() && events_.top().time == event.time && events_.top().phase() <= static_cast<int>(What::MemoryFree);
            if (event.phase() <= static_cast<int>(What::MemoryFree) && !more_departures) settle(event.time);
        }
        return outcome();
    }

  private:
    /// What the switch has told one module.
    struct Pause {
        bool on = false;
        std::int64_t renewal = 0;   ///< number of the renewal that counts
    };

    void schedule(Event event) {
        event.serial = ++serial_;
        events_.push(event);
    }

    void handle(const Event& event) {
        switch (event.what) {
            case What::UplinkDone: return uplink_done(event);
            case What::FabricDone: return switch_.transferred(event.index, event.time);
            case What::MemoryFree: return released(releasing_.front(), event.time);
            case What::PauseEffect: return pause_takes_effect(event);
            case What::LinkDone: return link_done(event);
            case What::Triggered: return triggered(event);
            case What::Offered: return offered(event);
            case What::HeaderIn: return header_in(event);
            case What::FrameIn: return frame_in(event);
            case What::PauseRenewal: return renew_pause(event);
        }
    }

    void next_trigger() {
        if (const auto time = train_.next()) {
            Event event;
            event.time = *time;
            event.what = What::Triggered;
            event.event = ++events_read_;
            schedule(event);
        }
    }

    void triggered(const Event& trigger) {
        if (observer_ && observer_->progress && events_read_ % 1024 == 0) observer_->progress(events_read_);
        for (int module = 0; module < scenario_.front_end.modules; ++module) {
            if (!answers(scenario_.trigger, trigger.event, module + 1)) continue;
            Event event = trigger;
            event.what = What::Offered;
            event.index = module;
            event.time = senders_[static_cast<std::size_t>(module)].offer_time(trigger.event, trigger.time);
            schedule(event);
        }
        next_trigger();
    }

    void offered(const Event& offer) {
        SteppedSender& sender = senders_[static_cast<std::size_t>(offer.index)];
        for (int i = 0; i < static_cast<int>(frames_.size()); ++i) {
            const FrameId frame{offer.event, offer.index + 1, i};
            if (!sender.offer({frame, frames_[static_cast<std::size_t>(i)].wire, offer.time})) ledger_.lost(frame, offer.time, FrontEndPort::kFifoFull);
            start(offer.index, offer.time);
        }
    }

    void start(int module, Time now) {
        SteppedSender& sender = senders_[static_cast<std::size_t>(module)];
        if (!sender.start(now)) return;
        Event event;
        event.index = module;
        event.event = sender.sent().id.event;
        event.frame = sender.sent().id.frame;
        event.time = sender.end();
        event.what = What::LinkDone;
        schedule(event);
        event.rank = rank_(event.event, module + 1);
        event.what = What::FrameIn;
        schedule(event);
        if (header_ && sender.begin() + *header_ < sender.end()) {
            event.time = sender.begin() + *header_;
            event.what = What::HeaderIn;
            schedule(event);
        }
    }

    void link_done(const Event& done) {
        senders_[static_cast<std::size_t>(done.index)].finish();
        start(done.index, done.time);
    }

    FrameId frame_of(const Event& event) const { return {event.event, event.index + 1, event.frame}; }
    const FrameSizes& sizes_of(const Event& event) const { return frames_[static_cast<std::size_t>(event.frame)]; }
    bool is_idle() const {
        for (int uplink = 0; uplink < switch_.uplinks(); ++uplink)
            if (!switch_.is_free(uplink)) return false;
        return switch_.is_empty();
    }

    void header_in(const Event& event) {
        const int output = selector_.next(event.index + 1);
        chosen_.push_back({frame_of(event), output, false});
        if (!switch_.is_free(output)) return;
        const FrameId frame = frame_of(event);
        sequence_.deciding(frame.event, is_idle());
        chosen_.back().gone = true;
        const Time done = switch_.cut_through(output, event.time + scenario_.network_switch.latency, sizes_of(event).wire);
        leaves(output, done, sizes_of(event).wire);
        ++cut_through_;
        saved_ += senders_[static_cast<std::size_t>(event.index)].end() - event.time;
        server_.receive(frame);
    }

    /// The uplink of a frame, if its header has already chosen one. @return whether it has gone, too
    bool was_cut_through(const Event& event, int& output) {
        const auto known = std::find_if(chosen_.begin(), chosen_.end(), [&](const Chosen& c) { return c.frame == frame_of(event); });
        if (known == chosen_.end()) {
            output = selector_.next(event.index + 1);
            return false;
        }
        const bool gone = known->gone;
        output = known->output;
        chosen_.erase(known);
        return gone;
    }

    void frame_in(const Event& event) {
        int output = 0;
        if (was_cut_through(event, output)) return;
        const FrameId frame = frame_of(event);
        sequence_.deciding(frame.event, is_idle());
        last_decision_ = event.time;
        const MemoryClaim claim{event.index, output, sizes_of(event).buffer, early_drop_lot(scenario_.network_switch.buffer, scenario_.seed, frame), false};
        const bool on_headroom = scenario_.network_switch.buffer.headroom.amount > 0 && pauses_[static_cast<std::size_t>(event.index)].on;
        if (const LossCause* cause = switch_.arrive({frame, claim, sizes_of(event).wire, Time{0}}, on_headroom))
            ledger_.lost(frame, event.time, *cause);
        settle(event.time);
    }

    /// Lets frames go on through the switch as far as they can.
    void settle(Time now) {
        advance(now);
        while (const auto hopeless = switch_.take_hopeless()) {
            ledger_.lost(hopeless->frame.id, now, *hopeless->cause);
            advance(now);
        }
        for (int uplink = 0; uplink < switch_.uplinks(); ++uplink) {
            const auto done = switch_.send(uplink, now);
            if (!done) continue;
            const SwitchedFrame& frame = *switch_.on_uplink(uplink);
            leaves(uplink, *done, frame.wire);
            server_.receive(frame.id);
            if (scenario_.network_switch.buffer.release == Buffer::Release::Start) release_at(frame, switch_.begin(uplink), now);
        }
        tell_senders(now);
    }

    /// Lets waiting frames into the memory.
    void advance(Time now) {
        std::optional<SteppedSwitch::Transfer> transfer;
        while (switch_.advance(now, transfer)) {
            tell_occupancy(now);
            if (!transfer) continue;
            Event event;
            event.time = transfer->end;
            event.what = What::FabricDone;
            event.index = transfer->group;
            schedule(event);
        }
    }

    void leaves(int uplink, Time done, Bytes wire) {
        Event event;
        event.time = done;
        event.what = What::UplinkDone;
        event.index = uplink;
        schedule(event);
        busy_until_ = std::max(busy_until_, done);
        ++sent_[static_cast<std::size_t>(uplink)].frames;
        sent_[static_cast<std::size_t>(uplink)].wire += wire;
    }

    void uplink_done(const Event& done) {
        const auto frame = switch_.on_uplink(done.index);
        switch_.sent(done.index);
        if (frame && scenario_.network_switch.buffer.release == Buffer::Release::End) {
            switch_.release(*frame);
            tell_occupancy(done.time);
        }
    }

    /// The memory of a frame that begins to leave at `begin` is free from then on.
    void release_at(const SwitchedFrame& frame, Time begin, Time now) {
        const auto place = std::find_if(releasing_.begin(), releasing_.end(), [&](const Releasing& r) { return begin < r.time; });
        releasing_.insert(place, {begin, frame});
        Event event;
        event.time = std::max(begin, now);
        event.what = What::MemoryFree;
        schedule(event);
    }
    struct Releasing {
        Time time;
        SwitchedFrame frame;
    };
    void released(const Releasing& releasing, Time now) {
        switch_.release(releasing.frame);
        tell_occupancy(now);
        releasing_.pop_front();
    }

    /// Tells modules to pause or to go on, as their inputs fill and empty.
    void tell_senders(Time now) {
        if (scenario_.network_switch.flow_control.kind == FlowControl::Kind::None) return;
        for (int module = 0; module < scenario_.front_end.modules; ++module) {
            Pause& pause = pauses_[static_cast<std::size_t>(module)];
            const std::int64_t held = switch_.memory().held_by_input(module);
            if (!pause.on && held > xoff_) {
                pause.on = true;
                ++pauses_sent_;
                send_pause(module, now);
            } else if (pause.on && held <= xon_) {
                pause.on = false;
                ++pause.renewal;
                tell(module, now, now + pause_delay_);
            }
        }
    }

    void send_pause(int module, Time now) {
        tell(module, now, now + pause_delay_ + pause_length_);
        Event event;
        event.time = now + pause_length_ / 2;
        event.what = What::PauseRenewal;
        event.index = module;
        event.event = ++pauses_[static_cast<std::size_t>(module)].renewal;
        schedule(event);
    }

    void tell(int module, Time now, Time until) {
        if (!scenario_.front_end.obeys_pause) return;
        Event event;
        event.time = now + pause_delay_;
        event.what = What::PauseEffect;
        event.index = module;
        event.until = until;
        schedule(event);
    }

    void renew_pause(const Event& event) {
        const Pause& pause = pauses_[static_cast<std::size_t>(event.index)];
        if (pause.on && pause.renewal == event.event) send_pause(event.index, event.time);
    }

    void pause_takes_effect(const Event& event) {
        SteppedSender& sender = senders_[static_cast<std::size_t>(event.index)];
        if (event.until < event.time) {   // a pause that has run out
            start(event.index, event.time);
            return;
        }
        sender.pause(event.time, event.until);
        if (event.until == event.time) {
            start(event.index, event.time);
            return;
        }
        Event end = event;   // unless it is told otherwise until then
        end.time = event.until;
        end.until = Time::min();
        schedule(end);
    }

    void tell_occupancy(Time time) const {
        if (observer_ && observer_->occupancy) observer_->occupancy(time, switch_.memory().frames(), switch_.memory().bytes());
    }

    Outcome outcome() const {
        Outcome outcome = close_books(events_read_, server_, ledger_);
        outcome.peak_frames = switch_.memory().peak_frames();
        outcome.peak_bytes = switch_.memory().peak_bytes();
        outcome.frames_marked = switch_.memory().frames_marked();
        outcome.frames_cut_through = cut_through_;
        outcome.latency_saved = saved_;
        outcome.pauses = pauses_sent_;
        outcome.uplinks = sent_;
        outcome.simulated = std::max(busy_until_, last_decision_);
        outcome.events_in_order = sequence_.in_order();
        outcome.first_idle_event = sequence_.first_idle();
        return outcome;
    }

    /// A frame whose header came before the frame.
    struct Chosen {
        FrameId frame;
        int output;
        bool gone;
    };

    const Scenario& scenario_;
    const Observer* observer_;
    std::vector<FrameSizes> frames_;
    Ledger ledger_;
    CameraServer server_;
    ArrivalRank rank_;
    TriggerTrain train_;
    UplinkSelector selector_;
    SteppedSwitch switch_;
    std::vector<SteppedSender> senders_;
    std::vector<Outcome::Uplink> sent_;
    std::vector<Pause> pauses_;
    std::priority_queue<Event> events_;
    std::deque<Releasing> releasing_;   ///< by time
    std::vector<Chosen> chosen_;
    std::int64_t serial_ = 0;
    std::int64_t events_read_ = 0;
    std::optional<Time> header_;   ///< time of a header on the link, if frames may cut through
    std::int64_t xoff_ = 0, xon_ = 0;
    Time pause_delay_{0}, pause_length_{0};
    EventSequence sequence_;
    Time busy_until_{0};
    Time last_decision_{0};
    std::int64_t cut_through_ = 0;
    Time saved_{0};
    std::int64_t pauses_sent_ = 0;
};

}  // namespace

const char* key_that_needs_steps(const Scenario& scenario) {
    const Switch& s = scenario.network_switch;
    if (s.queueing != Queueing::Output) return "switch.queueing";
    if (s.input_fifo) return "switch.input_fifo";
    if (s.fabric_rate) return "switch.fabric_rate";
    if (s.cut_through) return "switch.cut_through";
    if (s.flow_control.kind != FlowControl::Kind::None) return "switch.flow_control.kind";
    return nullptr;
}

Outcome run_stepped(const Scenario& scenario, const Observer* observer) { return SteppedRun(scenario, observer).run(); }

}  // namespace watershed
