// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/stepped-run.h"

#include <queue>
#include <tuple>

#include "model/exact/time-grid.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/stepped-sender.h"
#include "model/frontend/stream-train.h"
#include "model/frontend/traffic-books.h"
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
    int index = 0;  ///< uplink, group or link to the switch, from 0
    std::uint64_t rank = 0;
    std::int64_t serial = 0;
    FrameId frame{};                     ///< that arrives; of a trigger or an offer its event alone
    bool whole = true;                   ///< or its header only
    Moment until{};                      ///< end of a pause, or of the frame whose header is there
    std::optional<int> traffic_class{};  ///< that pauses; absent: all

    friend bool operator<(const Event& a, const Event& b) {  // a priority queue gives the largest first
        return std::tie(b.time, b.step, b.rank, b.index, b.serial) <
               std::tie(a.time, a.step, a.rank, a.index, a.serial);
    }
};

/// A sender, and the link by which the switch can tell it to pause.
struct SteppedPort {
    SteppedSender sender;
    Serializer back;
};

/// A stream beside the camera.
struct SteppedStream {
    StreamTrain train;
    FrameSizes sizes;
    int traffic_class;
    int port;
    std::int64_t frames = 0;   ///< ready so far
    std::int64_t carried = 0;  ///< by its link
};

class SteppedRun final : private SwitchControl::Surroundings {
  public:
    SteppedRun(const Incast& scenario, const Observer* observer)
        : scenario_(scenario),
          observer_(observer),
          sizes_(scenario.frame, scenario.seed, scenario.front_end.modules_before),
          ledger_(observer, &sizes_),
          books_(scenario, observer),
          ports_(scenario),
          server_(scenario, scenario.server, scenario.network_switch.uplinks, reports()),
          rank_(scenario.network_switch.arrival_order, scenario.front_end.modules, scenario.seed),
          train_(scenario.trigger, scenario.seed),
          switch_(scenario.network_switch, scenario, exact_times(scenario).grid, *this),
          sent_(static_cast<std::size_t>(scenario.network_switch.uplinks)) {
        const TimeGrid grid = exact_times(scenario).grid;
        for (int port = 0; port < ports_.count(); ++port)
            senders_.push_back({SteppedSender(ports_[port].front_end, scenario.seed, ports_[port].module, grid),
                                Serializer(ports_.rate(port), {}, grid)});
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
        for (const SteppedStream& stream : streams_) {
            if (stream.port >= scenario_.front_end.modules) continue;
            Outcome::Link& link = outcome.module_links[static_cast<std::size_t>(stream.port)];
            link.frames += stream.carried;
            link.wire += stream.sizes.wire * stream.carried;
        }
        outcome.uplinks = sent_;
        if (books_.are_kept()) books_.report(outcome, switch_.peaks());
        return outcome;
    }

  private:
    CameraServer::Reports reports() {
        CameraServer::Reports reports;
        reports.lost = [this](const FrameId& frame, Time time, const LossCause& cause) {
            ledger_.lost(frame, time, cause, 1);  // it had arrived, and the books were told
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

    /// Of those of one link that are ready at the same instant, frames of streams come first, by their numbers.
    void next_of_stream(int number) {
        SteppedStream& stream = stream_at(number);
        const auto time = stream.train.next();
        if (time) schedule({*time, Step::Offered, number - kBeforeModules, 0, 0, {++stream.frames, 0, 0, number}});
    }

    void stream_offered(const Event& offer) {
        const SteppedStream& stream = stream_at(offer.frame.stream);
        offer_frame(stream.port, offer.frame, stream.sizes.wire, stream.traffic_class, offer.time);
        start(stream.port, offer.time);
        next_of_stream(offer.frame.stream);
    }

    void offer_frame(int port, const FrameId& frame, Bytes wire, int traffic_class, const Moment& now) {
        books_.offered(frame, now.time);
        if (!sender(port).offer({frame, wire, now, traffic_class})) note_lost(frame, now, FrontEndPort::kFifoFull);
    }

    void note_lost(const FrameId& frame, const Moment& now, const LossCause& cause) {
        if (!books_.lost(frame, now.time, cause)) ledger_.lost(frame, now.time, cause);
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
        if (frame.stream != 0) return stream_offered(offer);
        for (const FrameSizes& sizes : sizes_.of(frame.event, frame.module)) {
            offer_frame(offer.index, frame, sizes.wire, scenario_.front_end.traffic_class, offer.time);
            ++frame.frame;
            start(offer.index, offer.time);
        }
    }

    void start(int port, const Moment& now) {
        SteppedSender& from = sender(port);
        if (!from.start(now)) return;
        const FrameId frame = from.sent().id;
        if (frame.stream != 0) ++stream_at(frame.stream).carried;
        const std::uint64_t rank = arrival_rank(rank_, frame, port);
        schedule({from.end(), Step::LinkDone, port});
        schedule({from.end(), Step::Arrival, port, rank, 0, frame});
        if (const auto header = switch_.header_at(port, from.begin()); header && *header < from.end())
            schedule({*header, Step::Arrival, port, rank, 0, frame, false, from.end()});
    }

    FrameSizes sizes_of(const FrameId& frame) {
        if (frame.stream != 0) return stream_at(frame.stream).sizes;
        return sizes_.of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)];
    }

    void arrived(const Event& event) {
        const FrameSizes sizes = sizes_of(event.frame);
        SwitchedFrame frame{event.frame, {event.index, 0, sizes.buffer}, sizes.wire};
        frame.claim.traffic_class =
            event.frame.stream != 0 ? stream_at(event.frame.stream).traffic_class : scenario_.front_end.traffic_class;
        if (event.whole)
            switch_.frame_in(frame, event.time);
        else
            switch_.header_in(frame, event.time, event.until);
    }

    void pause(const Event& event) {
        sender(event.index).pause(event.time, event.until, event.traffic_class);
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
        books_.arrived(frame.id, done.time);
        if (frame.id.stream == 0) server_.arrive(frame.id, uplink, done.time);
    }

    void lost(const SwitchedFrame& frame, const LossCause& cause, const Moment& now) override {
        note_lost(frame.id, now, cause);
    }

    void pause(const PauseControl::Sender& told, std::int64_t quanta, const Moment& now) override {
        const SenderPorts::Port& port = ports_[told.input];
        const Moment effect =
            senders_[static_cast<std::size_t>(told.input)].back.send(now, kPauseFrame) + port.front_end.pause_reaction;
        if (!port.obeys_pause) return;
        Event event{effect, Step::Pause, told.input};
        event.traffic_class = told.traffic_class;
        event.until = quanta == 0 ? effect : effect + pause_length(told.link, quanta);
        schedule(event);
    }

    void occupied(const Moment& now) override {
        if (observer_ && observer_->occupancy && observer_->occupancy_of != Network::kServer)
            observer_->occupancy(now.time, switch_.memory().frames(), switch_.memory().bytes());
    }

    SteppedSender& sender(int port) { return senders_[static_cast<std::size_t>(port)].sender; }
    SteppedStream& stream_at(int number) { return streams_[static_cast<std::size_t>(number - 1)]; }

    static constexpr int kBeforeModules = 1 << 20;  ///< more than there are streams

    const Incast& scenario_;
    const Observer* observer_;
    FragmentSizes sizes_;
    Ledger ledger_;
    TrafficBooks books_;
    SenderPorts ports_;
    CameraServer server_;
    ArrivalRank rank_;
    TriggerTrain train_;
    SwitchControl switch_;
    std::vector<SteppedPort> senders_;
    std::vector<SteppedStream> streams_;
    std::vector<Outcome::Link> sent_;
    std::priority_queue<Event> events_;
    std::int64_t serial_ = 0;
    std::int64_t events_read_ = 0;
};

}  // namespace

const char* key_that_needs_steps(const Incast& scenario) {
    const Switch& s = scenario.network_switch;
    if (!scenario.traffic.empty()) return "traffic";
    if (s.scheduling.kind != Scheduling::Kind::Fifo) return "switch.scheduler";
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
