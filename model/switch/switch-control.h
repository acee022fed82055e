// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "model/base/recovery.h"
#include "model/switch/builder-uplinks.h"
#include "model/switch/event-driven-switch.h"
#include "model/switch/flow-bytes.h"
#include "model/switch/pause-control.h"
#include "model/switch/step.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch.h"
#include "model/switch/ties.h"

namespace watershed {

struct Outcome;

/// Returns the senders that the switch can pause: PAUSE stops a link, priority flow control one class on it.
inline std::vector<PauseControl::Sender> pausable(const FlowControl& control,
                                                  const std::vector<SwitchPlace::Input>& inputs) {
    std::vector<PauseControl::Sender> senders;
    for (int number = 0; number < static_cast<int>(inputs.size()); ++number) {
        const SwitchPlace::Input& input = inputs[static_cast<std::size_t>(number)];
        if (control.kind != FlowControl::Kind::Pfc) {
            senders.push_back({number, std::nullopt, input.rate});
            continue;
        }
        for (const int traffic_class : input.classes)
            if (control.pauses(traffic_class)) senders.push_back({number, traffic_class, input.rate});
    }
    return senders;
}

/// Interface of the simulation around a switch.
class SwitchSurroundings {
  public:
    virtual ~SwitchSurroundings() = default;
    /// Call step(), at `time`.
    virtual void later(const Timestamp& time, Step step, int index) = 0;
    /// The frame is sent from `begin` until `done`. Call step() with Step::UplinkDone then.
    virtual void sends(int uplink, const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& done) = 0;
    virtual void lost(const SwitchedFrame& frame, const LossCause& cause, const Timestamp& now) = 0;
    /// The switch is through with the frame, which has left, is lost, or came by its header.
    virtual void gone(SwitchedFrame& frame) = 0;
    /// Tells a sender to pause for so many quanta from the frame's arrival on, or to go on if it is 0.
    virtual void pause(const PauseControl::Sender& sender, std::int64_t quanta, const Timestamp& now) = 0;
    /// The memory holds more or less than before.
    virtual void occupied(const Timestamp& now) = 0;
};

/// Decides what a switch whose frames may wait does, step by step: uplinks, cutting through, moving frames on, flow
/// control. Whoever simulates around it brings frames and calls its steps in the order of Step.
template <class Surroundings = SwitchSurroundings>
class SwitchControl {
  public:
    /// @param senders       of the frames that it sees
    /// @param surroundings  outlive the control
    /// @throws std::invalid_argument naming the key, if the amounts do not fit together
    SwitchControl(const Switch& parameters, const SwitchPlace& place, const SwitchSenders& senders, TimeGrid grid,
                  Surroundings& surroundings)
        : parameters_(parameters),
          name_(place.name),
          number_(place.number),
          seed_(senders.seed),
          grid_(grid),
          surroundings_(surroundings),
          links_of_streams_(senders.links_of_streams),
          selector_(parameters, senders.addresses, static_cast<int>(place.inputs.size())),
          builders_(parameters, senders, place),
          senders_(senders),
          changes_(place.changes),
          switch_(parameters, static_cast<int>(place.inputs.size()), place.uplinks, grid,
                  senders.links_of_streams.size()),
          pauses_(parameters_.flow_control, pausable(parameters_.flow_control, place.inputs), switch_.memory()),
          ties_(parameters_.buffer, senders.rhythms),
          uplink_rates_(place.uplinks),
          due_(place.uplinks.size()),
          has_headroom_(parameters_.buffer.headroom.amount > 0 || !parameters_.buffer.class_headrooms.empty()),
          draws_(parameters_.buffer.drops_early() || parameters_.buffer.first_bytes.count != 0) {
        for (const SwitchPlace::Input& input : place.inputs) input_rates_.push_back(input.rate);
        if (!pauses_.is_active())
            switch_.memory().forget_inputs();
        else if (pauses_.is_of_held_alone())
            switch_.memory().watch_inputs();
        if (!parameters_.cut_through) return;
        const BitRate slowest = *std::min_element(uplink_rates_.begin(), uplink_rates_.end());
        for (std::size_t input = 0; input < input_rates_.size(); ++input) {
            if (slowest > input_rates_[input]) continue;
            header_.resize(input_rates_.size());
            chosen_.resize(input_rates_.size());
            const Timestamp enough =
                Serializer(input_rates_[input], {}, grid_).send(Time{0}, parameters_.cut_through_after);
            header_[input] = grid_.span(grid_.between(Time{0}, enough));
        }
    }

    /// A link on the way has failed: the frame was on it, waited for it, or has no other.
    static constexpr LossCause kLinkDown{"switch", "link-down"};

    /// Steps that are known from the beginning are due later. Call it before any frame comes.
    void begin() {
        for (std::size_t i = 0; i < changes_.size(); ++i)
            surroundings_.later(Timestamp(changes_[i].time), Step::LinkChange, static_cast<int>(i));
    }
    /// Returns the time at which a frame that begins to arrive at `begin` may cut through; std::nullopt if none may.
    std::optional<Timestamp> header_at(int input, const Timestamp& begin) const {
        if (header_.empty() || !header_[static_cast<std::size_t>(input)]) return std::nullopt;
        return grid_.after(begin, *header_[static_cast<std::size_t>(input)]);
    }
    /// So much of a frame is there, the rest until `end`. @param frame as for frame_in(), for which there is another
    void header_in(SwitchedFrame& frame, const Timestamp& now, const Timestamp& end) {
        frame.claim.stream = frame.id.stream;
        const auto input = static_cast<std::size_t>(frame.claim.input);
        if (!frame.has_output) {
            frame.claim.output = output_of(frame);
            frame.claim.lot = lot_of(frame);
        }
        // To a faster uplink no frame cuts through; to a slower one it does from memory.
        const int output = frame.claim.output;
        const BitRate uplink = uplink_rates_[static_cast<std::size_t>(output)];
        const bool stores = uplink < input_rates_[input];
        const bool goes = uplink <= input_rates_[input] && switch_.is_free(output) &&
                          switch_.may_begin(output, frame, now) && (!stores || !switch_.memory().refusal(frame.claim));
        chosen_[input] = Chosen{output, goes};
        if (!goes) return surroundings_.gone(frame);
        note_decision(frame);
        const Timestamp done = switch_.cut_through(frame, now + parameters_.latency, stores);
        ++cut_through_;
        saved_ += end.time - now.time;
        const Timestamp begin = switch_.begin(frame.claim.output);
        if (stores) {
            ties_.taken(now, output, frame.id.stream);
            occupied(now, true);
        }
        surroundings_.sends(frame.claim.output, frame, begin, done);
        if (stores && parameters_.buffer.release == Buffer::Release::Start) release_at(frame, begin, now);
        if (stores)
            tell_senders(now);
        else
            surroundings_.gone(frame);
    }
    /// A frame has arrived. @param frame with its id, input, sizes and handle; the rest is for the switch to decide,
    /// and it stays where it is until it is gone
    [[gnu::flatten]] void frame_in(SwitchedFrame& frame, const Timestamp& now) {
        if (!chosen_.empty()) {
            if (went_by_header(frame)) return surroundings_.gone(frame);
        } else if (!frame.has_output) {
            frame.claim.output = output_of(frame);
        }
        frame.claim.stream = frame.id.stream;
        note_decision(frame);
        last_decision_ = now;
        if (frame.claim.output == BuilderUplinks::kNone) return lose(frame, kLinkDown, now);
        if (draws_) draw(frame, now.time);
        const bool on_headroom = has_headroom_ && pauses_.opens_headroom(frame.claim.input, frame.claim.traffic_class);
        // Others are pushed out before a frame goes to headroom.
        const auto evicts = [&] { return switch_.memory().evicts() && push_out(frame, now); };
        if (has_headroom_) evicts();
        if (!switch_.pass(frame, on_headroom, now) && !(evicts() && switch_.pass(frame, on_headroom, now))) {
            return held_up(frame, on_headroom, now);
        }
        ties_.taken(now, frame.claim.output, frame.id.stream);
        occupied(now, true);
        if (switch_.delays()) queued(now, frame.claim.output);
        send(frame.claim.output, now);  // to all others nothing has happened
        tell_senders(now);
    }
    void step(Step step, int index, const Timestamp& now) {
        switch (step) {
            case Step::UplinkDone: uplink_done(index, now); break;
            case Step::FabricDone:
                switch_.transferred(index, now);
                queued(now);
                break;
            case Step::Written: ties_.released(switch_.written().output); break;
            case Step::MemoryFree:
                release(*releasing_.front().frame);
                releasing_.pop_front();
                occupied(now, false);
                break;
            case Step::LinkChange: change_uplinks(changes_[static_cast<std::size_t>(index)], now); break;
            case Step::Settle:
                settling_ = false;
                settle(now);
                return;
            case Step::PauseRenewal:
                if (const auto quanta = pauses_.renew(index, now)) tell(index, *quanta, now);
                return;
            case Step::PauseOver: break;
            default: throw std::logic_error("not a step of a switch");
        }
        settle_later(now);
    }
    /// Step::UplinkDone and Step::Settle, where nothing else happens at this instant before that.
    [[gnu::flatten, gnu::noinline]] void leave(int uplink, const Timestamp& now) {
        uplink_done(uplink, now);
        if (switch_.has_waiting() || parameters_.queueing == Queueing::InputFifo) return settle(now);
        send(uplink, now);  // to all others nothing has happened
        tell_senders(now);
    }
    /// The other end of an uplink has told it to pause until then, and now it does; a frame that it sends it sends to
    /// its end. A time that is past lets it go on. @param traffic_class  whose frames; absent: all
    void pause(int uplink, const Timestamp& until, std::optional<int> traffic_class, const Timestamp& now) {
        switch_.pause(uplink, now, until, traffic_class);
        if (until > now)
            surroundings_.later(until, Step::PauseOver, uplink);
        else
            settle_later(now);
    }

    /// From now on nobody is told what the memory holds.
    void forget_occupancy() { tells_occupancy_ = false; }
    const SwitchMemory& memory() const { return switch_.memory(); }
    /// Adds what only the switch knows. With switch-report.h.
    void report(Outcome& outcome) const;
    /// Returns the peak occupancy of each stream, from the camera on.
    StreamOccupancy::Peaks peaks() const { return switch_.occupancy().peaks(); }

  private:
    /// Decision about a frame when its header had arrived.
    struct Chosen {
        int output;
        bool gone;
    };
    struct Releasing {
        Timestamp time;
        const SwitchedFrame* frame;
    };

    bool is_idle() const {
        if (!switch_.is_empty()) return false;
        for (int uplink = 0; uplink < switch_.uplinks(); ++uplink)
            if (!switch_.is_free(uplink)) return false;
        return true;
    }
    void occupied(const Timestamp& now, bool grew) {
        recovery_.occupied(now.time, switch_.memory().frames(), grew);
        if (tells_occupancy_) surroundings_.occupied(now);
    }
    /// Returns the uplink by which a frame leaves; to be asked once for each.
    int output_of(const SwitchedFrame& frame) {
        const int sender = selector_.is_by_module() ? sender_of(frame) : 0;
        if (remaining_) return remaining_of(frame, sender);
        if (builders_.are_one() || frame.id.stream != 0) return selector_.next(frame.claim.input, sender);
        return builders_.next(frame.id, frame.claim.input, sender);
    }
    /// Returns the uplink of a frame, of those that lead on since links have failed; of a list the one that it says, if
    /// that does.
    [[gnu::noinline]] int remaining_of(const SwitchedFrame& frame, int sender) {
        if (parameters_.uplink_choice.rule != UplinkChoice::Rule::Static)
            return remaining_->next(frame.id, frame.claim.input, sender);
        const int uplink = selector_.next(frame.claim.input, sender);
        return std::binary_search(towards_any_.begin(), towards_any_.end(), uplink) ? uplink : BuilderUplinks::kNone;
    }
    /// Links fail or come back: what waits for one that fails is lost.
    [[gnu::noinline]] void change_uplinks(const UplinkChange& change, const Timestamp& now) {
        for (const int uplink : change.failing)
            while (SwitchedFrame* const waiting = switch_.take_waiting(uplink)) {
                ties_.released(uplink);
                occupied(now, false);
                lose(*waiting, kLinkDown, now);
            }
        towards_any_ = change.towards.back();
        SwitchSenders senders = senders_;
        senders.builder_of = [of = senders_.builder_of,
                              any = static_cast<int>(change.towards.size()) - 1](const FrameId& frame) {
            return frame.stream != 0 ? any : of ? of(frame) : 0;
        };
        SwitchPlace place;
        place.inputs.resize(input_rates_.size());
        place.towards = change.towards;
        remaining_.emplace(parameters_, senders, place);
    }
    /// Returns the sender, from 1, whose addresses the hash uses to choose the frame's uplink.
    int sender_of(const SwitchedFrame& frame) const {
        if (frame.id.stream != 0) return links_of_streams_[static_cast<std::size_t>(frame.id.stream - 1)] + 1;
        return frame.id.event != 0 ? frame.id.module : frame.claim.input + 1;
    }
    std::uint64_t lot_of(const SwitchedFrame& frame) const {
        return early_drop_lot(parameters_.buffer, seed_, frame.id, number_);
    }
    /// Counts an arrived frame in its flow. @return true if it is among the first of the flow
    bool is_first(const SwitchedFrame& frame, Time now) {
        const Buffer& buffer = parameters_.buffer;
        if (buffer.first_bytes.count == 0) return false;
        const FrameId& id = frame.id;
        return flows_.is_first({id.stream == 0 ? id.event : 0, id.stream == 0 ? id.module : 0, id.stream - id.copy},
                               frame.claim.buffer, buffer.first_bytes, now, buffer.first_idle);
    }
    void note_decision(const SwitchedFrame& frame) {
        const std::int64_t event = frame.id.stream == 0 ? frame.id.event : 0;
        if (event != 0 && event != sequence_.latest()) sequence_.deciding(event, is_idle());
    }
    /// Applies the decision about a frame by its header. @return true if the frame cut through and is gone
    [[gnu::noinline]] bool went_by_header(SwitchedFrame& frame) {
        std::optional<Chosen> chosen;
        chosen.swap(chosen_[static_cast<std::size_t>(frame.claim.input)]);
        if (chosen && chosen->gone) return true;
        if (!frame.has_output) frame.claim.output = chosen ? chosen->output : output_of(frame);
        return false;
    }
    /// Draws the early-drop lot of a frame, and sets whether it is among the first of its flow.
    [[gnu::noinline]] void draw(SwitchedFrame& frame, Time now) {
        if (frame.has_output) return;
        frame.claim.lot = lot_of(frame);
        frame.claim.is_first = is_first(frame, now);
    }
    /// Pushes out the frames that must go for a frame. @return true if any did
    [[gnu::noinline]] bool push_out(const SwitchedFrame& frame, const Timestamp& now) {
        bool any = false;
        while (SwitchedFrame* const pushed_out = switch_.push_out_for(frame.claim)) {
            occupied(now, false);
            lose(*pushed_out, SwitchMemory::kPushedOut, now);
            any = true;
        }
        return any;
    }
    void lose(SwitchedFrame& frame, const LossCause& cause, const Timestamp& now) {
        surroundings_.lost(frame, cause, now);
        surroundings_.gone(frame);
    }
    /// A frame waits at its input, or is lost.
    [[gnu::noinline]] void held_up(SwitchedFrame& frame, bool on_headroom, const Timestamp& now) {
        if (const LossCause* cause = switch_.arrive(frame, on_headroom)) {
            ties_.lost(*cause, now, frame.claim.output, frame.id.stream);
            lose(frame, *cause, now);
        } else {
            ties_.taken(now, frame.claim.output, frame.id.stream);
        }
        if (switch_.has_waiting()) return settle(now);  // a lost frame lets no other go on
        tell_senders(now);
    }
    [[gnu::flatten]] void uplink_done(int uplink, const Timestamp& now) {
        SwitchedFrame* const frame = switch_.sent(uplink);
        if (!frame) return;
        if (parameters_.buffer.release == Buffer::Release::End) {
            release(*frame);
            occupied(now, false);
        }
        surroundings_.gone(*frame);
    }
    void release(const SwitchedFrame& frame) {
        switch_.release(frame);
        ties_.released(frame.claim.output);
    }
    /// Settles after all that happens at this instant before Step::Settle.
    void settle_later(const Timestamp& now) {
        if (settling_) return;
        settling_ = true;
        surroundings_.later(now, Step::Settle, 0);
    }
    /// Lets frames go on through the switch as far as they can.
    [[gnu::noinline]] void settle(const Timestamp& now) {
        if (switch_.may_let_in()) let_in(now);
        for (int uplink = 0; uplink < switch_.uplinks(); ++uplink) send(uplink, now);
        tell_senders(now);
    }
    /// Lets frames into the memory that wait in front of it.
    [[gnu::noinline]] void let_in(const Timestamp& now) {
        advance(now);
        while (const auto hopeless = switch_.take_hopeless()) {
            lose(hopeless->frame, *hopeless->cause, now);
            advance(now);
        }
    }
    /// Begins to send on an uplink, if that is idle and a frame may leave.
    [[gnu::flatten]] void send(int uplink, const Timestamp& now) {
        const SwitchedFrame* const frame = switch_.send(uplink, now);
        if (!frame) {
            if (switch_.waits_for_time()) wait_until_due(uplink, now);
            return;
        }
        surroundings_.sends(uplink, *frame, switch_.begin(uplink), switch_.done(uplink));
        if (parameters_.buffer.release == Buffer::Release::Start) release_at(*frame, switch_.begin(uplink), now);
    }
    /// An idle uplink tries again when a shaper or a gate may let a frame go.
    [[gnu::noinline]] void wait_until_due(int uplink, const Timestamp& now) {
        const auto due = switch_.next_due(uplink, now);
        if (!due || due == due_[static_cast<std::size_t>(uplink)]) return;
        due_[static_cast<std::size_t>(uplink)] = due;
        surroundings_.later(*due, Step::Settle, 0);
    }
    /// Lets waiting frames into the memory.
    [[gnu::noinline]] void advance(const Timestamp& now) {
        std::optional<EventDrivenSwitch::Transfer> transfer;
        while (switch_.advance(now, transfer)) {
            occupied(now, true);
            if (transfer)
                surroundings_.later(transfer->end, Step::FabricDone, transfer->group);
            else
                queued(now);
        }
    }
    /// A frame is with the queues: it may leave once its latency has passed, unless its uplink still sends then.
    /// @param uplink  absent: it is not known
    [[gnu::noinline]] void queued(const Timestamp& now, std::optional<int> uplink = {}) {
        if (const auto written = switch_.next_written()) surroundings_.later(*written, Step::Written, 0);
        const Timestamp ready = now + switch_.latency();
        if (ready > now && !(uplink && switch_.done(*uplink) >= ready)) surroundings_.later(ready, Step::Settle, 0);
    }
    /// The memory of a frame that begins to leave at `begin` is free from then on.
    [[gnu::noinline]] void release_at(const SwitchedFrame& frame, const Timestamp& begin, const Timestamp& now) {
        const auto place =
            std::find_if(releasing_.begin(), releasing_.end(), [&](const Releasing& r) { return begin < r.time; });
        releasing_.insert(place, {begin, &frame});
        surroundings_.later(std::max(begin, now), Step::MemoryFree, 0);
    }
    void tell_senders(const Timestamp& now) {
        if (pauses_.is_active()) look_at_senders(now);
    }
    [[gnu::noinline]] void look_at_senders(const Timestamp& now) {
        const auto look_at = [&](int sender) {
            if (const auto quanta = pauses_.order(sender, switch_.memory(), now)) tell(sender, *quanta, now);
        };
        if (pauses_.is_of_held_alone()) {
            for (const int input : switch_.memory().changed_inputs())
                for (const int sender : pauses_.senders_at(input)) look_at(sender);
            switch_.memory().forget_changes();
        } else {
            for (int sender = 0; sender < static_cast<int>(pauses_.senders().size()); ++sender) look_at(sender);
        }
    }
    void tell(int sender, std::int64_t quanta, const Timestamp& now) {
        surroundings_.pause(pauses_.senders()[static_cast<std::size_t>(sender)], quanta, now);
        if (quanta > 0) surroundings_.later(pauses_.renewal(sender), Step::PauseRenewal, sender);
    }

    Switch parameters_;
    std::string name_;
    int number_;
    std::uint64_t seed_;
    TimeGrid grid_;
    Surroundings& surroundings_;
    std::vector<int> links_of_streams_;
    FlowBytes<std::array<std::int64_t, 3>> flows_;  ///< by event, module, and stream or copy
    UplinkSelector selector_;
    BuilderUplinks builders_;
    SwitchSenders senders_;
    std::vector<UplinkChange> changes_;        ///< in the order of their times
    std::optional<BuilderUplinks> remaining_;  ///< from the first of them on
    std::vector<int> towards_any_;             ///< uplinks that lead to any builder then, ascending
    EventDrivenSwitch switch_;
    PauseControl pauses_;
    EventSequence sequence_;
    Ties ties_;
    Recovery recovery_;
    std::vector<BitRate> input_rates_;
    std::vector<BitRate> uplink_rates_;
    std::vector<std::optional<Timestamp>> due_;  ///< by uplink: when it last was to try again
    std::vector<std::optional<TickDuration>>
        header_;  ///< by input: time after its beginning at which a frame may cut through
    std::vector<std::optional<Chosen>> chosen_;  ///< by input, until the frame has arrived; empty: none cuts through
    std::deque<Releasing> releasing_;            ///< by time
    bool settling_ = false;                      ///< will settle at this instant
    std::int64_t cut_through_ = 0;
    bool tells_occupancy_ = true;
    bool has_headroom_;
    bool draws_;  ///< lots, or the first frames of a flow, are needed
    Time saved_{0};
    Timestamp last_decision_;
};

}  // namespace watershed
