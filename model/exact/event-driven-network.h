// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "model/base/outcome.h"
#include "model/exact/event-queue.h"
#include "model/exact/time-grid.h"
#include "model/network/failures.h"
#include "model/network/frame-copies.h"
#include "model/network/network.h"
#include "model/switch/arrival-order.h"
#include "model/switch/switch-report.h"

namespace watershed {

/// The switches of a network and the links between them, followed step by step, and the queue of all that is yet to
/// happen in and around them.
/// @tparam Environment  senders and server, with the functions
/// - sent(frame, link, begin, end): an uplink, by its place in Network, begins to send
/// - received(frame, interface, time): the last bit of a frame will arrive at an interface, from 0, at `time`
/// - lost(id, now, cause, number): switch `number` loses a frame
/// - paused(port, sender, quanta, now): a port of SenderPorts is to pause, or with 0 quanta to go on
/// - is_watched(number): returns true if occupied() is to be called for a switch
/// - occupied(number, memory, now): the occupancy of such a switch has changed
template <class Environment>
class EventDrivenNetwork {
  public:
    /// @param scenario, environment  outlive the network
    EventDrivenNetwork(const NetworkScenario& scenario, TimeGrid grid, Environment& environment)
        : network_(scenario),
          environment_(environment),
          copies_(network_, scenario),
          failures_(network_, scenario),
          entries_(entry_points(network_)) {
        const std::vector<SwitchPlace> places = switch_places(network_, scenario);
        for (std::size_t i = 0; i < places.size(); ++i)
            nodes_.push_back(std::make_unique<Node>(*this, network_.switches()[i], places[i], scenario, grid));
        for (const Network::Link& link : network_.links()) {
            links_.push_back({nodes_[static_cast<std::size_t>(link.from)].get(), link.uplink, link.to, link.input, {}});
            back_.emplace_back(link.rate, ClockTolerance{}, grid);
        }
    }

    const Network& operator*() const { return network_; }
    const Network* operator->() const { return &network_; }
    const FrameCopies& copies() const { return copies_; }
    const NetworkFailures& failures() const { return failures_; }

    void schedule(const ScheduledEvent& event) { queue_.add(event); }
    /// Keeps an event for the other schedule(). @param what  makes it
    template <class... What>
    EventQueue::Timed keep(const What&... what) {
        return queue_.keep(what...);
    }
    /// Adds all that were kept, and leaves none.
    void schedule(std::vector<EventQueue::Timed>& together) { queue_.add(together); }

    /// Schedules the pause of a sender at `time`. @param obeys  false: it ignores pauses
    void schedule_pause(const SameTimeOrder& place, const PauseControl::Sender& sender, std::int64_t quanta,
                        const Timestamp& time, bool obeys) {
        if (!obeys) return;
        ScheduledEvent event(time, place);
        event.paused_class = sender.traffic_class;
        event.until = quanta == 0 ? time : time + pause_length(sender.link, quanta);
        queue_.add(event);
    }

    /// A frame comes from a sender's link, from `begin` until `end`. @param add  takes what makes a ScheduledEvent
    template <class Add>
    void enter(int port, const SentFrame& frame, const Timestamp& begin, const Timestamp& end, Add add) {
        if (failures_.any() && failures_.of_port(port).cut(begin, end))
            return add(end, SameTimeOrder{Step::Cut, SameTimeOrder::kSenders, 0, port}, frame.id);
        const EntryPoint& entry = entries_[static_cast<std::size_t>(port)];
        expect(entry.network_switch, entry.input, frame, begin, end, add);
    }
    void enter(int port, const SentFrame& frame, const Timestamp& begin, const Timestamp& end) {
        enter(port, frame, begin, end, [this](const auto&... what) { queue_.add(what...); });
    }

    /// Lets all that happens happen, in the order of SameTimeOrder. Departures are the first of their instant, and need
    /// no event; nor do switches that settle now.
    /// @param before    called before something happens
    /// @param arriving  called before a frame arrives at a switch
    /// @param handle    given another event, for handle() or the sender whose it is
    template <class Before, class Arriving, class Handle>
    void run(Before before, Arriving arriving, Handle handle) {
        for (const auto& each : nodes_) each->control.begin();
        for (;;) {
            const ScheduledEvent* const event = queue_.first();
            if (!settling_.empty() && settles_before(event)) {
                settle();
            } else if (!departures_.empty() && (!event || departures_.first().done <= event->time)) {
                before(now_ = departures_.first().done);
                leave(event);
            } else if (event) {
                before(now_ = event->time);
                ScheduledEvent& taken = queue_.take();
                if (taken.place.step == Step::Arrival) {
                    arriving(taken);
                    node(taken.place.at).arrived(taken);  // and says when it is gone
                } else {
                    handle(taken);
                    queue_.gone(taken);
                }
            } else {
                return;
            }
        }
    }
    /// An event of a switch.
    void handle(const ScheduledEvent& event) {
        Node& at = node(event.place.at);
        const int index = event.place.index;
        if (event.place.step == Step::Cut) return at.lost(event, decltype(at.control)::kLinkDown, event.time);
        if (event.place.step == Step::Pause)
            return at.control.pause(index, event.until, event.paused_class, event.time);
        at.control.step(event.place.step, index, event.time);
    }
    /// Whether a stream's frame has come to its first switch by a link that is a stream's alone.
    bool is_by_own_link(const ScheduledEvent& arrival) const {
        return arrival.place.index >= network_.switches()[static_cast<std::size_t>(arrival.place.at)].inputs();
    }

    /// When a frame that is in a switch was ready to be sent.
    static Time ready(const SwitchedFrame& frame) { return Time{static_cast<std::int64_t>(frame.handle)}; }
    const SwitchMemory& memory(int number) const { return nodes_[static_cast<std::size_t>(number)]->control.memory(); }
    /// Adds what the switches alone know. @return what each stream held at most, by switch
    std::vector<StreamOccupancy::Peaks> report(Outcome& outcome) const {
        std::vector<StreamOccupancy::Peaks> peaks;
        for (const auto& each : nodes_) {
            each->control.report(outcome);
            peaks.push_back(each->control.peaks());
        }
        for (const Link& link : links_) outcome.uplinks.push_back(link.sent);
        return peaks;
    }

  private:
    /// A switch on behalf of the network.
    class Node {
      public:
        Node(EventDrivenNetwork& network, const Network::Switch& self, const SwitchPlace& place,
             const NetworkScenario& scenario, TimeGrid grid)
            : number(place.number),
              control(self.settings, place, senders_seen(scenario), grid, *this),
              rank(self.settings.arrival_order, self.inputs(), scenario.seed, self.inputs_before,
                   self.all_inputs() - self.inputs()),
              network_(network),
              self_(self) {
            if (!network.environment_.is_watched(number)) control.forget_occupancy();
        }

        [[gnu::flatten]] void arrived(ScheduledEvent& event) {
            if (event.whole)
                control.frame_in(event, event.time);
            else
                control.header_in(event, event.time, event.until);
        }

        const int number;
        SwitchControl<Node> control;
        const ArrivalRank rank;

        // Functions that SwitchControl calls of its surroundings.
        void later(const Timestamp& time, Step step, int index) {
            if (step == Step::Settle && time == network_.now_)
                network_.settling_.push(number);
            else if (step == Step::Settle)
                network_.departures_.add({time, static_cast<int>(network_.links_.size()) + number});
            else
                network_.queue_.add(time, SameTimeOrder{step, number, 0, index});
        }
        void sends(int uplink, const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& done) {
            network_.sends(self_.first_link + uplink, frame, begin, done);
        }
        void lost(const SwitchedFrame& frame, const LossCause& cause, const Timestamp& now) {
            network_.environment_.lost(frame.id, now, {self_.name, cause.reason}, number);
        }
        void gone(SwitchedFrame& frame) { network_.queue_.gone(static_cast<ScheduledEvent&>(frame)); }
        void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Timestamp& now) {
            network_.pause(self_, sender, quanta, now);
        }
        void occupied(const Timestamp& now) { network_.environment_.occupied(number, control.memory(), now); }

      private:
        EventDrivenNetwork& network_;
        const Network::Switch& self_;
    };
    struct Link {
        Node* from;
        int uplink;
        int to;
        int input;
        Outcome::Link sent;
    };

    Node& node(int number) { return *nodes_[static_cast<std::size_t>(number)]; }

    template <class Add>
    void expect(int number, int input, const SentFrame& frame, const Timestamp& begin, const Timestamp& end, Add add) {
        const Node& at = node(number);
        const SameTimeOrder place{Step::Arrival, number, arrival_rank(at.rank, frame.id, input), input};
        if (copies_.are_made() && frame.id.stream == 0)
            if (const auto& copies = copies_.at(number, frame.id.copy); copies.size() > 1) {  // none cuts through
                SentFrame copied = frame;
                for (const int copy : copies) copied.id.copy = copy, add(end, place, copied);
                return;
            }
        add(end, place, frame);
        if (const auto header = at.control.header_at(input, begin); header && *header < end)
            add(*header, place, frame, end);
    }

    void sends(int number, const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& done) {
        Link& link = links_[static_cast<std::size_t>(number)];
        departures_.add({done, number});
        ++link.sent.frames;
        link.sent.wire += frame.wire;
        environment_.sent(frame.id, number, begin.time, done.time);
        if (failures_.any() && failures_.of_link(number).cut(begin, done))
            return queue_.add(done, SameTimeOrder{Step::Cut, link.from->number, 0, number}, frame.id);
        if (link.to == Network::kServer) return environment_.received(frame, link.input, done.time);
        const SentFrame next{frame.id, frame.claim.buffer, frame.wire, ready(frame), frame.claim.traffic_class};
        expect(link.to, link.input, next, begin, done, [this](const auto&... what) { queue_.add(what...); });
    }

    /// Pauses the sender at one of the inputs of a switch.
    void pause(const Network::Switch& self, const PauseControl::Sender& at, std::int64_t quanta, const Timestamp& now) {
        const int feed = at.input - self.modules;
        if (feed < 0) return environment_.paused(self.modules_before + at.input, at, quanta, now);
        if (feed >= static_cast<int>(self.feeds.size()))
            return environment_.paused(self.stream_ports[static_cast<std::size_t>(at.input - self.inputs())], at,
                                       quanta, now);
        const int number = self.feeds[static_cast<std::size_t>(feed)];
        const Link& link = links_[static_cast<std::size_t>(number)];
        const Switch& sender = network_.switches()[static_cast<std::size_t>(link.from->number)].settings;
        Serializer& back = back_[static_cast<std::size_t>(number)];
        const Timestamp told = back.send(now, kPauseFrame);
        if (failures_.any() && failures_.of_link(number).cut(back.begin(), told)) return;
        schedule_pause({Step::Pause, link.from->number, 0, link.uplink}, at, quanta, told + sender.pause_reaction,
                       sender.obeys_pause);
    }

    /// Whether a switch settles now before all else. @param event  the next one, or null
    bool settles_before(const ScheduledEvent* event) const {
        return !departures_.are_at(now_) &&
               !(event && event->time == now_ && event->place < SameTimeOrder{Step::Settle, settling_.top()});
    }
    /// A frame leaves, or what follows the links in departures_: a switch settles after all departures of the instant.
    /// @param event  the next one, or null
    void leave(const ScheduledEvent* event) {
        const auto number = static_cast<std::size_t>(departures_.take());
        if (number >= links_.size()) return settling_.push(static_cast<int>(number - links_.size()));
        const Link& link = links_[number];
        const bool alone = settling_.empty() && !(event && event->time == now_) && !departures_.are_at(now_);
        if (alone)
            link.from->control.leave(link.uplink, now_);
        else
            link.from->control.step(Step::UplinkDone, link.uplink, now_);
    }
    void settle() {
        const int at = settling_.top();
        settling_.pop();
        node(at).control.step(Step::Settle, 0, now_);
    }

    const Network network_;
    Environment& environment_;
    const FrameCopies copies_;
    const NetworkFailures failures_;
    std::vector<EntryPoint> entries_;  ///< entry points, by port of SenderPorts
    std::vector<std::unique_ptr<Node>> nodes_;
    std::vector<Link> links_;
    std::vector<Serializer> back_;  ///< by link: sends PAUSE frames to the switch before
    EventQueue queue_;
    Departures departures_;
    std::priority_queue<int, std::vector<int>, std::greater<>> settling_;  ///< switches that do so at this instant
    Timestamp now_{Time::min()};
};

}  // namespace watershed
