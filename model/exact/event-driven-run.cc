// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/event-driven-run.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <stdexcept>
#include <vector>

#include "model/exact/step-queue.h"
#include "model/exact/time-grid.h"
#include "model/frontend/event-driven-sender.h"
#include "model/frontend/front-end.h"
#include "model/frontend/ledger.h"
#include "model/frontend/looked-triggers.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/stream-train.h"
#include "model/network/almost-full.h"
#include "model/network/network.h"
#include "model/network/switch-places.h"
#include "model/server/camera-server.h"
#include "model/switch/arrival-order.h"
#include "model/switch/plain-switch.h"
#include "model/switch/switch-control.h"

namespace watershed {
namespace {

/// A frame that leaves its switch. The heap's first is the next one; at one instant links take turns by their numbers.
struct Departure {
    Moment done{};
    int link = 0;

    friend bool operator<(const Departure& a, const Departure& b) {
        return a.done != b.done ? b.done < a.done : b.link < a.link;
    }
};

/// A sender, and the link by which its switch can tell it to pause.
struct EventDrivenPort {
    EventDrivenSender sender;
    Serializer back;
};

/// A stream beside the camera.
struct EventDrivenStream {
    StreamTrain train;
    FrameSizes sizes;
    int traffic_class;
    int port;
    std::int64_t frames = 0;   ///< ready so far
    std::int64_t carried = 0;  ///< by its link
};

class EventDrivenRun;

/// A switch on behalf of the run.
class EventDrivenNode final : private SwitchControl::Surroundings {
  public:
    EventDrivenNode(EventDrivenRun& run, const Network::Switch& self, const SwitchPlace& place, const Incast& scenario,
                    TimeGrid grid)
        : number(place.number),
          control(self.settings, place, scenario, grid, *this),
          rank(self.settings.arrival_order, self.inputs(), scenario.seed, self.inputs_before,
               self.all_inputs() - self.inputs()),
          run_(run) {}

    const int number;
    SwitchControl control;
    const ArrivalRank rank;

  private:
    void later(const Moment& time, Step step, int index) override;
    void sends(int uplink, const SwitchedFrame& frame, const Moment& begin, const Moment& done) override;
    void lost(const SwitchedFrame& frame, const LossCause& cause, const Moment& now) override;
    void pause(const PauseControl::Sender& told, std::int64_t quanta, const Moment& now) override;
    void occupied(const Moment& now) override;

    EventDrivenRun& run_;
};

class EventDrivenRun {
  public:
    EventDrivenRun(const Incast& scenario, const Observer* observer)
        : scenario_(scenario),
          network_(scenario),
          observer_(observer),
          ahead_(!has_flow_control(network_) &&
                 std::none_of(scenario.traffic.begin(), scenario.traffic.end(),
                              [](const TrafficStream& stream) { return stream.module.has_value(); })),
          sizes_(scenario.frame, scenario.seed, scenario.front_end.modules_before),
          ledger_(observer, &sizes_),
          books_(scenario, observer),
          ports_(scenario),
          entries_(entry_points(network_)),
          server_(scenario, scenario.server, network_.interfaces(), reports()),
          train_(scenario.trigger, scenario.seed),
          almost_full_(AlmostFull::of(scenario)),
          sent_(network_.links().size()) {
        if (almost_full_) looked_.emplace(train_, almost_full_->latency);
        const TimeGrid grid = exact_times(scenario).grid;
        for (int number = 0; number < ports_.count(); ++number) {
            const SenderPorts::Port& port = ports_[number];
            if (ahead_)
                ahead_senders_.emplace_back(port.front_end, scenario.seed, port.module, grid);
            else
                senders_.push_back({EventDrivenSender(port.front_end, scenario.seed, port.module, grid),
                                    Serializer(ports_.rate(number), {}, grid)});
        }
        const std::vector<SwitchPlace> places = switch_places(network_, scenario);
        for (std::size_t i = 0; i < places.size(); ++i)
            nodes_.push_back(
                std::make_unique<EventDrivenNode>(*this, network_.switches()[i], places[i], scenario, grid));
        for (const Network::Link& link : network_.links()) back_.emplace_back(link.rate, ClockTolerance{}, grid);
        if (scenario.traffic.empty()) return;
        const Time end = end_of_camera(scenario);
        for (const TrafficStream& stream : scenario.traffic)
            streams_.push_back({StreamTrain(stream, scenario.frame, stream.stop.value_or(end), scenario.seed),
                                frame_of_stream(stream, scenario.frame), stream.traffic_class,
                                ports_.of_stream(static_cast<int>(streams_.size()) + 1)});
    }

    Outcome run() {
        next_trigger();
        for (int stream = 1; stream <= static_cast<int>(streams_.size()); ++stream) next_of_stream(stream);
        while (step_on()) continue;
        server_.finish();
        return outcome();
    }

    void schedule(const StepEvent& event) { queue_.add(event); }
    void schedule(const EventDrivenNode& at, const Moment& time, Step step, int index) {
        if (step != Step::Settle || time != now_) return schedule({time, {step, at.number, 0, index}});
        settling_.push(at.number);
    }

    [[gnu::flatten]] void sends(const EventDrivenNode& from, int uplink, const SwitchedFrame& frame,
                                const Moment& begin, const Moment& done) {
        const int number = network_.switches()[static_cast<std::size_t>(from.number)].first_link + uplink;
        const Network::Link& link = network_.links()[static_cast<std::size_t>(number)];
        departures_.push({done, number});
        Outcome::Link& sent = sent_[static_cast<std::size_t>(number)];
        ++sent.frames;
        sent.wire += frame.wire;
        if (link.to != Network::kServer) return expect(link.to, link.input, frame.id, begin, done);
        books_.arrived(frame.id, done.time);
        if (frame.id.stream == 0) server_.arrive(frame.id, link.input, done.time);
    }

    void lost(const EventDrivenNode& at, const FrameId& frame, const LossCause& cause, const Moment& now) {
        note_lost(frame, now, {network_.switches()[static_cast<std::size_t>(at.number)].name, cause.reason}, at.number);
    }

    /// A switch tells whoever sends to one of its inputs.
    void pause(const EventDrivenNode& from, const PauseControl::Sender& told, std::int64_t quanta, const Moment& now) {
        const Network::Switch& self = network_.switches()[static_cast<std::size_t>(from.number)];
        StepEvent event{};
        Time reaction{0};
        bool obeys = true;
        Serializer* back = nullptr;
        if (const int feed = told.input - self.modules; feed >= 0 && feed < static_cast<int>(self.feeds.size())) {
            const int number = self.feeds[static_cast<std::size_t>(feed)];
            const Network::Link& link = network_.links()[static_cast<std::size_t>(number)];
            const Switch& sender = network_.switches()[static_cast<std::size_t>(link.from)].settings;
            back = &back_[static_cast<std::size_t>(number)];
            reaction = sender.pause_reaction;
            obeys = sender.obeys_pause;
            event.place = {Step::Pause, link.from, 0, link.uplink};
        } else {
            const int number = feed < 0 ? self.modules_before + told.input
                                        : self.stream_ports[static_cast<std::size_t>(told.input - self.inputs())];
            back = &senders_[static_cast<std::size_t>(number)].back;
            reaction = ports_[number].front_end.pause_reaction;
            obeys = ports_[number].obeys_pause;
            event.place = {Step::Pause, StepPlace::kSenders, 0, number};
        }
        event.time = back->send(now, kPauseFrame) + reaction;
        if (!obeys) return;
        event.traffic_class = told.traffic_class;
        event.until = quanta == 0 ? event.time : event.time + pause_length(told.link, quanta);
        schedule(event);
    }

    void occupied(const EventDrivenNode& at, const Moment& now) {
        const SwitchMemory& memory = at.control.memory();
        if (observer_ && observer_->occupancy && observer_->occupancy_of == at.number)
            observer_->occupancy(now.time, memory.frames(), memory.bytes());
    }

  private:
    CameraServer::Reports reports() {
        CameraServer::Reports reports;
        const int behind = static_cast<int>(network_.switches().size());
        reports.lost = [this, behind](const FrameId& frame, Time time, const LossCause& cause) {
            ledger_.lost(frame, time, cause, behind);  // it had arrived, and the books were told
        };
        if (observer_ && observer_->occupancy_of == Network::kServer) reports.occupancy = observer_->occupancy;
        return reports;
    }

    /// The next of all that happens, in the order of StepPlace. Departures are the first of their instant, and need no
    /// event; nor do switches that settle now. @return there was one
    bool step_on() {
        const StepEvent* const event = queue_.first();
        const bool leaves = !departures_.empty() && (!event || departures_.top().done <= event->time);
        if (!settling_.empty() && !(leaves && departures_.top().done == now_) &&
            !(event && event->time == now_ && event->place < StepPlace{Step::Settle, settling_.top()})) {
            const int at = settling_.top();
            settling_.pop();
            control(at).step(Step::Settle, 0, now_);
            return true;
        }
        if (!leaves && !event) return false;
        now_ = leaves ? departures_.top().done : event->time;
        server_.advance(now_.time);  // what an uplink sends from now on arrives later
        if (!leaves) {
            handle(queue_.take());
            return true;
        }
        const Network::Link& link = network_.links()[static_cast<std::size_t>(departures_.top().link)];
        departures_.pop();
        const bool alone = settling_.empty() && !(event && event->time == now_) &&
                           (departures_.empty() || departures_.top().done != now_);
        if (alone)
            control(link.from).leave(link.uplink, now_);
        else
            control(link.from).step(Step::UplinkDone, link.uplink, now_);
        return true;
    }

    void handle(const StepEvent& event) {
        const int index = event.place.index;
        if (event.place.step == Step::Arrival) return arrived(event);
        if (event.place.at != StepPlace::kSenders) {
            SwitchControl& at = control(event.place.at);
            if (event.place.step == Step::Pause) return at.pause(index, event.until, event.traffic_class, event.time);
            return at.step(event.place.step, index, event.time);
        }
        switch (event.place.step) {
            case Step::Pause: return pause_sender(event);
            case Step::PauseOver: return start(index, event.time);
            case Step::LinkDone: sender(index).finish(); return start(index, event.time);
            case Step::Triggered: return triggered(event);
            case Step::Looked: return looked();
            case Step::Offered:
                return ahead_ ? note_lost(event.frame, event.time, FrontEndPort::kFifoFull, 0) : offered(event);
            default: throw std::logic_error("not a step of a sender");
        }
    }

    void next_trigger() {
        if (looked_) return look_for_trigger();
        if (const auto time = train_.next()) send_trigger(*time);
    }
    void send_trigger(Time time) { schedule({time, {}, 0, {++events_read_, 0, 0}}); }
    void look_for_trigger() {
        const auto look = looked_->next_look([this](Time time) { send_trigger(time); });
        if (look) schedule({*look, at_sender(Step::Looked, 0)});
    }
    void looked() {
        looked_->decide(almost_full_->refuses(control(0).memory()), [this](Time time) { send_trigger(time); });
        look_for_trigger();
    }

    static StepPlace at_sender(Step step, int index) { return {step, StepPlace::kSenders, 0, index}; }

    void next_of_stream(int number) {
        EventDrivenStream& stream = stream_at(number);
        const auto time = stream.train.next();
        if (!time) return;
        const FrameId frame{++stream.frames, 0, 0, number};
        if (ahead_)
            return send_ahead(stream.port, frame, stream.sizes.wire, *time, Time{0},
                              [this](const StepEvent& event) { schedule(event); });
        schedule({*time, at_sender(Step::Offered, offer_index_of_stream(number)), 0, frame});
    }

    void stream_offered(const StepEvent& offer) {
        const EventDrivenStream& stream = stream_at(offer.frame.stream);
        offer_frame(stream.port, offer.frame, stream.sizes.wire, stream.traffic_class, offer.time);
        start(stream.port, offer.time);
        next_of_stream(offer.frame.stream);
    }

    void offer_frame(int port, const FrameId& frame, Bytes wire, int traffic_class, const Moment& now,
                     Time gap = Time{0}) {
        books_.offered(frame, now.time);
        sender(port).finish_until(now);
        if (!sender(port).offer({frame, wire, now, traffic_class, gap}))
            note_lost(frame, now, FrontEndPort::kFifoFull, 0);
    }

    void note_lost(const FrameId& frame, const Moment& now, const LossCause& cause, int number) {
        if (!books_.lost(frame, now.time, cause, number)) ledger_.lost(frame, now.time, cause, number);
    }

    [[gnu::flatten]] void triggered(const StepEvent& trigger) {
        if (observer_ && observer_->progress && events_read_ % 1024 == 0) observer_->progress(events_read_);
        const std::int64_t number = trigger.frame.event;
        const Time time = trigger.time.time;
        for (int module = 0; module < scenario_.front_end.modules; ++module) {
            if (!answers(scenario_.trigger, number, module + 1)) continue;
            if (ahead_)
                send_ahead(module, number, ahead_senders_[static_cast<std::size_t>(module)].offer_time(number, time));
            else
                together_.push_back({sender(module).offer_time(number, time),
                                     at_sender(Step::Offered, module),
                                     0,
                                     {number, module + 1, 0}});
        }
        queue_.add(together_);
        if (!looked_) next_trigger();
    }

    /// A module's fragment of an event.
    void send_ahead(int module, std::int64_t number, Time now) {
        FrameId frame{number, module + 1, 0};
        for (const FrameSizes& sizes : sizes_.of(number, module + 1)) {
            send_ahead(module, frame, sizes.wire, now, frame.frame == 0 ? Time{0} : scenario_.front_end.gap,
                       [this](const StepEvent& event) { together_.push_back(event); });
            ++frame.frame;
        }
    }

    template <class Add>
    void send_ahead(int port, const FrameId& frame, Bytes wire, Time now, Time gap, Add add) {
        books_.offered(frame, now);
        FrontEndPort& from = ahead_senders_[static_cast<std::size_t>(port)];
        const auto end = from.offer(now, wire, gap);
        if (!end) return add({now, at_sender(Step::Offered, port), 0, frame});
        if (frame.stream != 0) ++stream_at(frame.stream).carried;
        const EntryPoint& entry = entries_[static_cast<std::size_t>(port)];
        expect(entry.network_switch, entry.input, frame, from.begin(), *end, add);
    }

    void offered(const StepEvent& offer) {
        FrameId frame = offer.frame;
        if (frame.stream != 0) return stream_offered(offer);
        const int port = offer.place.index;
        for (const FrameSizes& sizes : sizes_.of(frame.event, frame.module)) {
            offer_frame(port, frame, sizes.wire, scenario_.front_end.traffic_class, offer.time,
                        frame.frame == 0 ? Time{0} : scenario_.front_end.gap);
            ++frame.frame;
            start(port, offer.time);
        }
    }

    void start(int port, const Moment& now) {
        EventDrivenSender& from = sender(port);
        const bool begins = from.start(now);
        if (from.needs_finish()) schedule({from.end(), at_sender(Step::LinkDone, port)});
        if (!begins) {
            if (const auto over = from.gap_over()) schedule({*over, at_sender(Step::PauseOver, port)});
            return;
        }
        const FrameId frame = from.sent().id;
        if (frame.stream != 0) ++stream_at(frame.stream).carried;
        const EntryPoint& entry = entries_[static_cast<std::size_t>(port)];
        expect(entry.network_switch, entry.input, frame, from.begin(), from.end());
    }

    void expect(int number, int input, const FrameId& frame, const Moment& begin, const Moment& end) {
        expect(number, input, frame, begin, end, [this](const StepEvent& event) { schedule(event); });
    }
    /// A frame comes to a switch from `begin` until `end`.
    template <class Add>
    void expect(int number, int input, const FrameId& frame, const Moment& begin, const Moment& end, Add add) {
        const EventDrivenNode& node = *nodes_[static_cast<std::size_t>(number)];
        const StepPlace place{Step::Arrival, number, arrival_rank(node.rank, frame, input), input};
        add({end, place, 0, frame});
        if (const auto header = node.control.header_at(input, begin); header && *header < end)
            add({*header, place, 0, frame, false, end});
    }

    FrameSizes sizes_of(const FrameId& frame) {
        if (frame.stream != 0) return stream_at(frame.stream).sizes;
        return sizes_.of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)];
    }

    SwitchedFrame frame_of(const StepEvent& event) {
        const FrameId& id = event.frame;
        const FrameSizes sizes = sizes_of(id);
        const int traffic_class =
            id.stream != 0 ? stream_at(id.stream).traffic_class : scenario_.front_end.traffic_class;
        return {id, {event.place.index, 0, sizes.buffer, 0, false, true, traffic_class}, sizes.wire};
    }

    void arrived(const StepEvent& event) {
        const auto at = static_cast<std::size_t>(event.place.at);
        const bool by_own_link = event.place.index >= network_.switches()[at].inputs();
        if (ahead_ && event.whole && by_own_link) next_of_stream(event.frame.stream);
        if (event.whole)
            control(event.place.at).frame_in(frame_of(event), event.time);
        else
            control(event.place.at).header_in(frame_of(event), event.time, event.until);
    }

    void pause_sender(const StepEvent& event) {
        const int port = event.place.index;
        sender(port).pause(event.time, event.until, event.traffic_class);
        if (event.until == event.time)
            start(port, event.time);
        else
            schedule({event.until, at_sender(Step::PauseOver, port)});
    }

    Outcome outcome() const {
        Outcome outcome = close_books(events_read_, server_, ledger_, observer_);
        for (const auto& node : nodes_) node->control.report(outcome);
        if (looked_) outcome.triggers = looked_->taken(), outcome.triggers_refused = looked_->refused();
        outcome.module_links = module_links(scenario_, events_read_, ledger_);
        for (const EventDrivenStream& stream : streams_) {
            if (stream.port >= scenario_.front_end.modules) continue;
            Outcome::Link& link = outcome.module_links[static_cast<std::size_t>(stream.port)];
            link.frames += stream.carried;
            link.wire += stream.sizes.wire * stream.carried;
        }
        outcome.uplinks = sent_;
        if (books_.are_kept()) {
            std::vector<StreamOccupancy::Peaks> peaks;
            for (const auto& node : nodes_) peaks.push_back(node->control.peaks());
            books_.report(outcome, peaks);
        }
        return outcome;
    }

    SwitchControl& control(int at) { return nodes_[static_cast<std::size_t>(at)]->control; }
    EventDrivenSender& sender(int port) { return senders_[static_cast<std::size_t>(port)].sender; }
    EventDrivenStream& stream_at(int number) { return streams_[static_cast<std::size_t>(number - 1)]; }

    const Incast& scenario_;
    const Network network_;
    const Observer* observer_;
    /// No sender can be told to pause, and each has a link of its own: when a frame arrives is known when it is ready.
    const bool ahead_;
    FragmentSizes sizes_;
    Ledger ledger_;
    TrafficBooks books_;
    SenderPorts ports_;
    std::vector<EntryPoint> entries_;  ///< of these
    CameraServer server_;
    TriggerTrain train_;
    const std::optional<AlmostFull> almost_full_;
    std::optional<LookedTriggers> looked_;     ///< in place of the train, where a look decides
    std::vector<EventDrivenPort> senders_;     ///< by port, or
    std::vector<FrontEndPort> ahead_senders_;  ///< these
    std::vector<std::unique_ptr<EventDrivenNode>> nodes_;
    std::vector<Serializer> back_;  ///< by which a switch can tell the one before it to pause, by link
    std::vector<EventDrivenStream> streams_;
    std::vector<Outcome::Link> sent_;  ///< by link
    StepQueue queue_;
    std::priority_queue<Departure> departures_;
    std::priority_queue<int, std::vector<int>, std::greater<>> settling_;  ///< switches that do so at this instant
    Moment now_{Time::min()};
    std::vector<StepEvent> together_;  ///< that a trigger makes known
    std::int64_t events_read_ = 0;
};

void EventDrivenNode::later(const Moment& time, Step step, int index) { run_.schedule(*this, time, step, index); }

void EventDrivenNode::sends(int uplink, const SwitchedFrame& frame, const Moment& begin, const Moment& done) {
    run_.sends(*this, uplink, frame, begin, done);
}

void EventDrivenNode::lost(const SwitchedFrame& frame, const LossCause& cause, const Moment& now) {
    run_.lost(*this, frame.id, cause, now);
}

void EventDrivenNode::pause(const PauseControl::Sender& told, std::int64_t quanta, const Moment& now) {
    run_.pause(*this, told, quanta, now);
}

void EventDrivenNode::occupied(const Moment& now) { run_.occupied(*this, now); }

}  // namespace

Obstacle needs_events(const Incast& scenario) {
    if (!scenario.traffic.empty()) return {"traffic", "others send beside the camera"};
    if (almost_full_rule(scenario.trigger)) return {"trigger.rules", "triggers depend on what the memory holds"};
    for (const Node& node : scenario.nodes)
        if (Obstacle obstacle = needs_events(node.network_switch)) return obstacle;
    if (!scenario.nodes.empty()) return {};
    if (Obstacle obstacle = needs_events(scenario.network_switch)) return obstacle;
    return scenario.aggregation ? needs_events(*scenario.aggregation) : Obstacle{};
}

Outcome run_event_driven(const Incast& scenario, const Observer* observer) {
    return EventDrivenRun(scenario, observer).run();
}

}  // namespace watershed
