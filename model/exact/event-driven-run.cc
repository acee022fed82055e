// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "model/exact/engine.h"
#include "model/exact/event-driven-network.h"
#include "model/exact/event-queue.h"
#include "model/exact/exact-run.h"
#include "model/exact/frame-log.h"
#include "model/exact/time-grid.h"
#include "model/frontend/event-driven-sender.h"
#include "model/frontend/event-train.h"
#include "model/frontend/front-end.h"
#include "model/frontend/ledger.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/stream-train.h"
#include "model/frontend/trigger.h"
#include "model/network/almost-full.h"
#include "model/server/camera-server.h"
#include "model/switch/output-queued-switch.h"

namespace watershed {
namespace {

/// The streams beside a camera: which frame is ready when, on which of SenderPorts, and what their links have carried.
/// They count from 1.
class EventDrivenStreams {
  public:
    EventDrivenStreams(const Senders& senders, const SenderPorts& ports) {
        if (senders.traffic.empty()) return;
        const Time end = end_of_camera(senders);
        for (const TrafficStream& stream : senders.traffic)
            streams_.push_back({StreamTrain(stream, senders.frame, stream.stop.value_or(end), senders.seed),
                                frame_of_stream(stream, senders.frame), stream.traffic_class,
                                ports.of_stream(static_cast<int>(streams_.size()) + 1)});
    }

    int count() const { return static_cast<int>(streams_.size()); }
    int port(int stream) const { return at(stream).port; }
    /// The next frame of a stream; nothing after the last.
    std::optional<SentFrame> next(int number) {
        Stream& stream = at(number);
        const auto ready = stream.train.next();
        if (!ready) return std::nullopt;
        return SentFrame{
            {++stream.frames, 0, 0, number}, stream.sizes.buffer, stream.sizes.wire, *ready, stream.traffic_class};
    }
    /// Returns a stream's frame with its sizes and class.
    SentFrame frame(const FrameId& id, Time ready) const {
        const Stream& stream = at(id.stream);
        return {id, stream.sizes.buffer, stream.sizes.wire, ready, stream.traffic_class};
    }
    void carried(const FrameId& frame) { ++at(frame.stream).carried; }
    /// Adds what the modules' links have carried of them.
    void add_to(std::vector<Outcome::Link>& module_links) const {
        for (const Stream& stream : streams_) {
            if (stream.port >= static_cast<int>(module_links.size())) continue;
            Outcome::Link& link = module_links[static_cast<std::size_t>(stream.port)];
            link.frames += stream.carried;
            link.wire += stream.sizes.wire * stream.carried;
        }
    }

  private:
    struct Stream {
        StreamTrain train;
        FrameSizes sizes;
        int traffic_class;
        int port;
        std::int64_t frames = 0;   ///< ready so far
        std::int64_t carried = 0;  ///< frames that its link has carried
    };

    Stream& at(int number) { return streams_[static_cast<std::size_t>(number - 1)]; }
    const Stream& at(int number) const { return streams_[static_cast<std::size_t>(number - 1)]; }

    std::vector<Stream> streams_;
};

/// A sender, and the link by which its switch can tell it to pause.
struct EventDrivenPort {
    EventDrivenSender sender;
    Serializer back;
};

class EventDrivenRun {
  public:
    EventDrivenRun(const NetworkScenario& scenario, const Observer* observer, const FrameLog* log)
        : scenario_(scenario),
          observer_(observer),
          log_(log),
          grid_(exact_times(scenario).grid),
          network_(scenario, grid_, *this),
          ahead_(!has_flow_control(*network_) &&
                 std::none_of(scenario.traffic.begin(), scenario.traffic.end(),
                              [](const TrafficStream& stream) { return stream.module.has_value(); })),
          almost_full_(AlmostFull::of(scenario)),
          sizes_(scenario),
          ledger_(observer, &sizes_),
          stream_ledger_(scenario, observer),
          ports_(scenario),
          streams_(scenario, ports_),
          server_(scenario, scenario.server, network_->builders_of_interfaces(), reports()),
          train_(scenario) {
        if (almost_full_) backpressure_.emplace(TriggerTrain(scenario.trigger, scenario.seed), almost_full_->latency);
        const Answers answers(scenario);
        for (int source = 0; source <= static_cast<int>(scenario.groups.size()); ++source)
            answering_.push_back(answers.modules_of(source));
        for (int number = 0; number < ports_.count(); ++number) {
            const SenderPorts::Port& port = ports_[number];
            if (ahead_)
                ahead_senders_.emplace_back(port.front_end, scenario.seed, port.module, grid_);
            else
                senders_.push_back({EventDrivenSender(port.front_end, scenario.seed, port.module, grid_),
                                    Serializer(ports_.rate(number), {}, grid_)});
        }
    }

    Outcome run() {
        next_trigger();
        for (int stream = 1; stream <= streams_.count(); ++stream) next_of_stream(stream);
        // Frames that an uplink sends from now on arrive later.
        network_.run([this](const Timestamp& now) { server_.advance(now.time); },
                     [this](const ScheduledEvent& arrival) { arriving(arrival); },
                     [this](const ScheduledEvent& event) { handle(event); });
        server_.finish();
        return outcome();
    }

    // Functions that the network calls of its ends.
    void sent(const FrameId& frame, int link, Time begin, Time end) {
        if (log_) log_->carried(frame, link, begin, end);
    }
    void received(const SwitchedFrame& frame, int interface, Time time) {
        stream_ledger_.arrived(frame.id, network_.ready(frame), time);
        if (frame.id.stream == 0) server_.arrive(frame.id, interface, time);
    }
    void lost(const FrameId& frame, const Timestamp& now, const LossCause& cause, int number) {
        if (log_) log_->lost(frame, now.time, cause);
        network_.copies().for_builders(frame, [&](const FrameId& copy) {
            if (!stream_ledger_.lost(copy, now.time, cause, number)) ledger_.lost(copy, now.time, cause, number);
        });
    }
    void paused(int port, const PauseControl::Sender& sender, std::int64_t quanta, const Timestamp& now) {
        Serializer& back = senders_[static_cast<std::size_t>(port)].back;
        const Timestamp told = back.send(now, kPauseFrame);
        const NetworkFailures& failures = network_.failures();
        if (failures.any() && failures.of_port(port).cut(back.begin(), told)) return;
        network_.schedule_pause(at_sender(Step::Pause, port), sender, quanta,
                                told + ports_[port].front_end.pause_reaction, ports_[port].obeys_pause);
    }
    bool is_watched(int number) const { return log_ || is_observed(number); }
    void occupied(int number, const SwitchMemory& memory, const Timestamp& now) {
        if (log_) log_->held(number, now.time, memory.frames(), memory.bytes());
        if (is_observed(number)) observer_->occupancy(now.time, memory.frames(), memory.bytes());
    }

  private:
    bool is_observed(int number) const {
        return observer_ && observer_->occupancy && observer_->occupancy_of == number;
    }

    CameraServer::Reports reports() {
        CameraServer::Reports reports;
        const int behind = static_cast<int>(network_->switches().size());
        reports.lost = [this, behind](const FrameId& frame, Time time, const LossCause& cause) {
            if (log_) log_->lost(frame, time, cause);
            ledger_.lost(frame, time, cause, behind);  // it had arrived, as stream_ledger_ knows
        };
        if (observer_ && observer_->occupancy_of == Network::kServer) reports.occupancy = observer_->occupancy;
        return reports;
    }

    void arriving(const ScheduledEvent& arrival) {
        if (arrival.id.stream != 0 && ahead_ && arrival.whole && network_.is_by_own_link(arrival))
            next_of_stream(arrival.id.stream);
    }
    void cut(const ScheduledEvent& frame) {
        lost(frame.id, frame.time, NetworkFailures::kModuleLinkDown, 0);
        if (frame.id.stream != 0 && ahead_) next_of_stream(frame.id.stream);
    }

    void handle(const ScheduledEvent& event) {
        if (event.place.at != SameTimeOrder::kSenders) return network_.handle(event);
        const int index = event.place.index;
        switch (event.place.step) {
            case Step::Pause: return pause_sender(event);
            case Step::PauseOver: return start(index, event.time);
            case Step::Cut: return cut(event);
            case Step::LinkDone: sender(index).finish(); return start(index, event.time);
            case Step::Triggered: return triggered(event);
            case Step::OccupancyCheck: return check_occupancy();
            case Step::Offered: return ahead_ ? lost(event.id, event.time, FrontEndPort::kFifoFull, 0) : offered(event);
            default: throw std::logic_error("not a step of a sender");
        }
    }

    void next_trigger() {
        if (backpressure_) return schedule_occupancy_check();
        // Streams would not end with the triggers.
        if (observer_ && observer_->may_end_at_loss && streams_.count() == 0 && ledger_.frames_lost() > 0) return;
        const auto event = train_.next();
        if (!event) return;
        source_ = event->source;
        send_trigger(event->time);
    }
    void send_trigger(Time time) { network_.schedule({time, {}, FrameId{++events_read_, 0, 0}}); }
    void schedule_occupancy_check() {
        const auto look = backpressure_->next_look([this](Time time) { send_trigger(time); });
        if (look) network_.schedule({*look, at_sender(Step::OccupancyCheck, 0)});
    }
    void check_occupancy() {
        backpressure_->decide(almost_full_->refuses(network_.memory(0)), [this](Time time) { send_trigger(time); });
        schedule_occupancy_check();
    }

    static SameTimeOrder at_sender(Step step, int index) { return {step, SameTimeOrder::kSenders, 0, index}; }

    void next_of_stream(int number) {
        const auto frame = streams_.next(number);
        if (!frame) return;
        if (ahead_)
            return send_ahead(streams_.port(number), *frame, Time{0},
                              [this](const auto&... what) { network_.schedule(ScheduledEvent(what...)); });
        network_.schedule({frame->ready, at_sender(Step::Offered, offer_index_of_stream(number)), frame->id});
    }

    void stream_offered(const ScheduledEvent& offer) {
        const int port = streams_.port(offer.id.stream);
        offer_frame(port, streams_.frame(offer.id, offer.time.time), offer.time);
        start(port, offer.time);
        next_of_stream(offer.id.stream);
    }

    void count_offered(const FrameId& frame) {
        if (stream_ledger_.are_kept())
            network_.copies().for_builders(frame, [this](const FrameId& copy) { stream_ledger_.offered(copy); });
    }

    void offer_frame(int port, const SentFrame& frame, const Timestamp& now, Time gap = Time{0}) {
        count_offered(frame.id);
        sender(port).finish_until(now);
        if (!sender(port).offer({frame.id, frame.wire, now, frame.traffic_class, gap}))
            lost(frame.id, now, FrontEndPort::kFifoFull, 0);
    }

    [[gnu::flatten]] void triggered(const ScheduledEvent& trigger) {
        if (observer_ && observer_->progress && events_read_ % 1024 == 0) observer_->progress(events_read_);
        const std::int64_t number = trigger.id.event;
        const Time time = trigger.time.time;
        const bool all = answers(scenario_.trigger, number, 2);  // otherwise the first module alone
        for (const ModuleRange& range : answering_[static_cast<std::size_t>(source_)])
            for (int module = range.first - 1; module < (all ? range.last : range.first); ++module) {
                if (ahead_)
                    send_ahead(module, number,
                               ahead_senders_[static_cast<std::size_t>(module)].offer_time(number, time));
                else
                    together_.push_back(network_.keep(Timestamp(sender(module).offer_time(number, time)),
                                                      at_sender(Step::Offered, module),
                                                      FrameId{number, module + 1, 0}));
            }
        network_.schedule(together_);
        if (!backpressure_) next_trigger();
    }

    SentFrame frame_of_camera(const FrameId& id, const FrameSizes& sizes, Time ready) const {
        return {id, sizes.buffer, sizes.wire, ready, ports_[id.module - 1].front_end.traffic_class};
    }

    /// A module's fragment of an event.
    void send_ahead(int module, std::int64_t number, Time now) {
        FrameId frame{number, module + 1, 0};
        for (const FrameSizes& sizes : sizes_.of(number, module + 1)) {
            send_ahead(module, frame_of_camera(frame, sizes, now),
                       frame.frame == 0 ? Time{0} : ports_[module].front_end.gap,
                       [this](const auto&... what) { together_.push_back(network_.keep(what...)); });
            ++frame.frame;
        }
    }

    template <class Add>
    void send_ahead(int port, const SentFrame& frame, Time gap, Add add) {
        count_offered(frame.id);
        FrontEndPort& from = ahead_senders_[static_cast<std::size_t>(port)];
        const auto end = from.offer(frame.ready, frame.wire, gap);
        if (!end) return add(frame.ready, at_sender(Step::Offered, port), frame.id);
        if (frame.id.stream != 0) streams_.carried(frame.id);
        sent(frame.id, -1 - port, from.begin().time, end->time);
        network_.enter(port, frame, from.begin(), *end, add);
    }

    void offered(const ScheduledEvent& offer) {
        FrameId frame = offer.id;
        if (frame.stream != 0) return stream_offered(offer);
        const int port = offer.place.index;
        const Time ready = offer.time.time;
        for (const FrameSizes& sizes : sizes_.of(frame.event, frame.module)) {
            offer_frame(port, frame_of_camera(frame, sizes, ready), offer.time,
                        frame.frame == 0 ? Time{0} : ports_[port].front_end.gap);
            ++frame.frame;
            start(port, offer.time);
        }
    }

    void start(int port, const Timestamp& now) {
        EventDrivenSender& from = sender(port);
        const bool begins = from.start(now);
        if (from.needs_finish()) network_.schedule({from.end(), at_sender(Step::LinkDone, port)});
        if (!begins) {
            if (const auto over = from.gap_over()) network_.schedule({*over, at_sender(Step::PauseOver, port)});
            return;
        }
        const FrameId id = from.sent().id;
        const Time ready = from.sent().offered.time;
        if (id.stream != 0) streams_.carried(id);
        const SentFrame frame =
            id.stream != 0
                ? streams_.frame(id, ready)
                : frame_of_camera(id, sizes_.of(id.event, id.module)[static_cast<std::size_t>(id.frame)], ready);
        sent(id, -1 - port, from.begin().time, from.end().time);
        network_.enter(port, frame, from.begin(), from.end());
    }

    void pause_sender(const ScheduledEvent& event) {
        const int port = event.place.index;
        sender(port).pause(event.time, event.until, event.paused_class);
        if (event.until == event.time)
            start(port, event.time);
        else
            network_.schedule({event.until, at_sender(Step::PauseOver, port)});
    }

    Outcome outcome() const {
        Outcome outcome = finalize_result(events_read_, server_, ledger_, observer_);
        const auto peaks = network_.report(outcome);
        if (backpressure_)
            outcome.triggers = backpressure_->taken(), outcome.triggers_refused = backpressure_->refused();
        outcome.module_links = module_links(scenario_, events_read_, ledger_);
        streams_.add_to(outcome.module_links);
        if (stream_ledger_.are_kept()) stream_ledger_.report(outcome, peaks);
        return outcome;
    }

    EventDrivenSender& sender(int port) { return senders_[static_cast<std::size_t>(port)].sender; }

    const NetworkScenario& scenario_;
    const Observer* observer_;
    const FrameLog* log_;
    const TimeGrid grid_;
    EventDrivenNetwork<EventDrivenRun> network_;
    /// No sender can be told to pause, and each has a link of its own: when a frame arrives is known when it is ready.
    const bool ahead_;
    const std::optional<AlmostFull> almost_full_;
    FragmentSizes sizes_;
    Ledger ledger_;
    StreamLedger stream_ledger_;
    SenderPorts ports_;
    EventDrivenStreams streams_;
    CameraServer server_;
    EventTrain train_;
    int source_ = 0;                                    ///< trigger of the event that is scheduled, as in EventTrain
    std::vector<std::vector<ModuleRange>> answering_;   ///< by source
    std::optional<BackpressureTriggers> backpressure_;  ///< in place of the train, if the occupancy decides on triggers
    std::vector<EventDrivenPort> senders_;              ///< by port; empty if ahead_senders_ are used
    std::vector<FrontEndPort> ahead_senders_;           ///< by port, of modules whose frames are known ahead
    std::vector<EventQueue::Timed> together_;           ///< events that a trigger makes known
    std::int64_t events_read_ = 0;
};

}  // namespace

UnsupportedKey needs_events(const NetworkScenario& scenario) {
    if (!scenario.traffic.empty()) return {"traffic", "others send beside the camera"};
    if (!scenario.groups.empty()) return {"group", "modules are of several kinds"};
    if (scenario.builders.count > 1) return {"server.builders", "events go to several builders"};
    if (almost_full_rule(scenario.trigger)) return {"trigger.rules", "triggers depend on what the memory holds"};
    for (const Node& node : scenario.nodes)
        if (UnsupportedKey obstacle = needs_events(node.network_switch)) return obstacle;
    if (!scenario.nodes.empty()) return {};
    if (UnsupportedKey obstacle = needs_events(scenario.network_switch)) return obstacle;
    return scenario.aggregation ? needs_events(*scenario.aggregation) : UnsupportedKey{};
}

Outcome run_event_driven(const NetworkScenario& scenario, const Observer* observer) {
    return EventDrivenRun(scenario, observer, nullptr).run();
}

Outcome log_frames(const NetworkScenario& scenario, const Observer* observer, const FrameLog& log) {
    if (const std::string key = key_for_one_switch(scenario); !key.empty())
        throw UnsupportedScenario(key, "the engines model this at a single switch only");
    return within_time(scenario, [&] { return EventDrivenRun(scenario, observer, &log).run(); });
}

}  // namespace watershed
