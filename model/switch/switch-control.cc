// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-control.h"

#include <algorithm>
#include <stdexcept>

#include "model/switch/early-drop.h"

namespace watershed {

namespace {

/// Whom the switch can tell to pause: PAUSE stops a link, priority flow control one class on it.
std::vector<PauseControl::Sender> pausable(const FlowControl& control, const std::vector<SwitchPlace::Input>& inputs) {
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

}  // namespace

SwitchControl::SwitchControl(const Switch& parameters, const SwitchPlace& place, const Senders& senders, TimeGrid grid,
                             Surroundings& surroundings)
    : parameters_(parameters),
      name_(place.name),
      number_(place.number),
      seed_(senders.seed),
      grid_(grid),
      surroundings_(surroundings),
      ports_of_streams_(SenderPorts::of_streams(senders)),
      selector_(parameters, SenderPorts::addresses(senders), static_cast<int>(place.inputs.size())),
      switch_(parameters, static_cast<int>(place.inputs.size()), place.uplinks, grid, senders.traffic.size()),
      pauses_(parameters_.flow_control, pausable(parameters_.flow_control, place.inputs), switch_.memory()),
      ties_(parameters_.buffer, senders.traffic),
      uplink_rates_(place.uplinks),
      due_(place.uplinks.size()),
      has_headroom_(parameters_.buffer.headroom.amount > 0 || !parameters_.buffer.class_headrooms.empty()),
      draws_(parameters_.buffer.wred_to.amount != 0 || parameters_.buffer.first_bytes.count != 0) {
    for (const SwitchPlace::Input& input : place.inputs) input_rates_.push_back(input.rate);
    if (!pauses_.is_active())
        switch_.memory().forget_inputs();
    else if (pauses_.is_of_held_alone())
        switch_.memory().watch_inputs();
    if (!parameters_.cut_through) return;
    header_.resize(place.inputs.size());
    chosen_.resize(place.inputs.size());
    const BitRate slowest = *std::min_element(uplink_rates_.begin(), uplink_rates_.end());
    for (std::size_t input = 0; input < input_rates_.size(); ++input) {
        if (slowest > input_rates_[input]) continue;
        const Moment enough = Serializer(input_rates_[input], {}, grid_).send(Time{0}, parameters_.cut_through_after);
        header_[input] = grid_.span(grid_.between(Time{0}, enough));
    }
}

int SwitchControl::sender_of(const SwitchedFrame& frame) const {
    if (frame.id.stream != 0) return ports_of_streams_[static_cast<std::size_t>(frame.id.stream - 1)] + 1;
    return frame.id.event != 0 ? frame.id.module : frame.claim.input + 1;
}

std::uint64_t SwitchControl::lot_of(const SwitchedFrame& frame) const {
    return early_drop_lot(parameters_.buffer, seed_, frame.id, number_);
}

bool SwitchControl::is_first(const SwitchedFrame& frame, Time now) {
    const Buffer& buffer = parameters_.buffer;
    if (buffer.first_bytes.count == 0) return false;
    const FrameId& id = frame.id;
    return flows_.is_first({id.stream == 0 ? id.event : 0, id.stream == 0 ? id.module : 0, id.stream},
                           frame.claim.buffer, buffer.first_bytes, now, buffer.first_idle);
}

bool SwitchControl::is_idle() const {
    if (!switch_.is_empty()) return false;
    for (int uplink = 0; uplink < switch_.uplinks(); ++uplink)
        if (!switch_.is_free(uplink)) return false;
    return true;
}

void SwitchControl::occupied(const Moment& now, bool grew) {
    recovery_.occupied(now.time, switch_.memory().frames(), grew);
    if (tells_occupancy_) surroundings_.occupied(now);
}

void SwitchControl::note_decision(const SwitchedFrame& frame) {
    if (frame.id.event != 0 && frame.id.stream == 0) sequence_.deciding(frame.id.event, is_idle());
}

bool SwitchControl::header_in(SwitchedFrame& frame, const Moment& now, const Moment& end) {
    frame.claim.stream = frame.id.stream;
    const auto input = static_cast<std::size_t>(frame.claim.input);
    if (!frame.has_output) {
        frame.claim.output = selector_.next(frame.claim.input, selector_.is_by_module() ? sender_of(frame) : 0);
        frame.claim.lot = lot_of(frame);
    }
    // To a faster uplink no frame cuts through; to a slower one it does from memory.
    const int output = frame.claim.output;
    const BitRate uplink = uplink_rates_[static_cast<std::size_t>(output)];
    const bool stores = uplink < input_rates_[input];
    const bool goes = uplink <= input_rates_[input] && switch_.is_free(output) &&
                      switch_.may_begin(output, frame, now) && (!stores || !switch_.memory().refusal(frame.claim));
    chosen_[input] = Chosen{output, goes};
    if (!goes) return false;
    note_decision(frame);
    const Moment done = switch_.cut_through(frame, now + parameters_.latency, stores);
    last_activity_ = std::max(last_activity_, done);
    ++cut_through_;
    saved_ += end.time - now.time;
    const Moment begin = switch_.begin(frame.claim.output);
    if (stores) {
        ties_.taken(now, output, frame.id.stream);
        occupied(now, true);
    }
    surroundings_.sends(frame.claim.output, frame, begin, done);
    if (stores && parameters_.buffer.release == Buffer::Release::Start) release_at(frame, begin, now);
    if (stores) tell_senders(now);
    return true;
}

[[gnu::flatten]] bool SwitchControl::frame_in(SwitchedFrame& frame, const Moment& now) {
    if (!chosen_.empty()) {
        if (went_by_header(frame)) return false;
    } else if (!frame.has_output) {
        frame.claim.output = selector_.next(frame.claim.input, selector_.is_by_module() ? sender_of(frame) : 0);
    }
    frame.claim.stream = frame.id.stream;
    note_decision(frame);
    last_activity_ = std::max(last_activity_, now);
    if (draws_) draw(frame, now.time);
    const bool on_headroom = has_headroom_ && pauses_.opens_headroom(frame.claim.input, frame.claim.traffic_class);
    // Others are pushed out before a frame goes to headroom.
    const bool evicts = switch_.memory().evicts();
    if (evicts && has_headroom_) push_out(frame, now);
    if (!switch_.pass(frame, on_headroom, now) &&
        !(evicts && push_out(frame, now) && switch_.pass(frame, on_headroom, now))) {
        held_up(frame, on_headroom, now);
        return true;
    }
    ties_.taken(now, frame.claim.output, frame.id.stream);
    occupied(now, true);
    if (switch_.delays()) queued(now);
    send(frame.claim.output, now);  // to all others nothing has happened
    tell_senders(now);
    return true;
}

bool SwitchControl::went_by_header(SwitchedFrame& frame) {
    std::optional<Chosen> chosen;
    chosen.swap(chosen_[static_cast<std::size_t>(frame.claim.input)]);
    if (chosen && chosen->gone) return true;
    if (!frame.has_output)
        frame.claim.output = chosen
                                 ? chosen->output
                                 : selector_.next(frame.claim.input, selector_.is_by_module() ? sender_of(frame) : 0);
    return false;
}

void SwitchControl::draw(SwitchedFrame& frame, Time now) {
    if (frame.has_output) return;
    frame.claim.lot = lot_of(frame);
    frame.claim.is_first = is_first(frame, now);
}

bool SwitchControl::push_out(const SwitchedFrame& frame, const Moment& now) {
    bool any = false;
    while (const auto pushed_out = switch_.push_out_for(frame.claim)) {
        occupied(now, false);
        surroundings_.lost(*pushed_out, SwitchMemory::kPushedOut, now);
        any = true;
    }
    return any;
}

void SwitchControl::held_up(SwitchedFrame& frame, bool on_headroom, const Moment& now) {
    if (const LossCause* cause = switch_.arrive(frame, on_headroom)) {
        ties_.lost(*cause, now, frame.claim.output, frame.id.stream);
        surroundings_.lost(frame, *cause, now);
    } else {
        ties_.taken(now, frame.claim.output, frame.id.stream);
    }
    settle(now);
}

void SwitchControl::step(Step step, int index, const Moment& now) {
    switch (step) {
        case Step::UplinkDone: uplink_done(index, now); break;
        case Step::FabricDone:
            switch_.transferred(index, now);
            queued(now);
            break;
        case Step::Written: ties_.released(switch_.written().output); break;
        case Step::MemoryFree:
            release(releasing_.front().frame);
            releasing_.pop_front();
            occupied(now, false);
            break;
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

void SwitchControl::pause(int uplink, const Moment& until, std::optional<int> traffic_class, const Moment& now) {
    switch_.pause(uplink, now, until, traffic_class);
    if (until > now)
        surroundings_.later(until, Step::PauseOver, uplink);
    else
        settle_later(now);
}

void SwitchControl::release(const SwitchedFrame& frame) {
    switch_.release(frame);
    ties_.released(frame.claim.output);
}

void SwitchControl::settle_later(const Moment& now) {
    if (settling_) return;
    settling_ = true;
    surroundings_.later(now, Step::Settle, 0);
}

[[gnu::flatten]] void SwitchControl::uplink_done(int uplink, const Moment& now) {
    if (!switch_.sent(uplink, parameters_.buffer.release == Buffer::Release::End)) return;
    ties_.released(uplink);
    occupied(now, false);
}

[[gnu::flatten]] void SwitchControl::leave(int uplink, const Moment& now) {
    uplink_done(uplink, now);
    settle(now);
}

/// Lets frames go on through the switch as far as they can.
void SwitchControl::settle(const Moment& now) {
    if (switch_.has_waiting()) let_in(now);
    for (int uplink = 0; uplink < switch_.uplinks(); ++uplink) send(uplink, now);
    tell_senders(now);
}

void SwitchControl::let_in(const Moment& now) {
    advance(now);
    while (const auto hopeless = switch_.take_hopeless()) {
        surroundings_.lost(hopeless->frame, *hopeless->cause, now);
        advance(now);
    }
}

[[gnu::flatten]] void SwitchControl::send(int uplink, const Moment& now) {
    const auto sending = switch_.send(uplink, now);
    if (!sending) {
        if (switch_.has_shapers()) wait_for_shaper(uplink, now);
        return;
    }
    last_activity_ = std::max(last_activity_, sending->done);
    surroundings_.sends(uplink, sending->frame, sending->begin, sending->done);
    if (parameters_.buffer.release == Buffer::Release::Start) release_at(sending->frame, sending->begin, now);
}

/// An idle uplink tries again when a shaper lets a frame go.
void SwitchControl::wait_for_shaper(int uplink, const Moment& now) {
    const auto due = switch_.next_due(uplink, now);
    if (!due || due == due_[static_cast<std::size_t>(uplink)]) return;
    due_[static_cast<std::size_t>(uplink)] = due;
    surroundings_.later(*due, Step::Settle, 0);
}

/// Lets waiting frames into the memory.
void SwitchControl::advance(const Moment& now) {
    std::optional<EventDrivenSwitch::Transfer> transfer;
    while (switch_.advance(now, transfer)) {
        occupied(now, true);
        if (transfer)
            surroundings_.later(transfer->end, Step::FabricDone, transfer->group);
        else
            queued(now);
    }
}

/// A frame is with the queues: it may leave once its latency has passed.
void SwitchControl::queued(const Moment& now) {
    if (const auto written = switch_.next_written()) surroundings_.later(*written, Step::Written, 0);
    if (switch_.latency() > Time{0}) surroundings_.later(now + switch_.latency(), Step::Settle, 0);
}

/// The memory of a frame that begins to leave at `begin` is free from then on.
void SwitchControl::release_at(const SwitchedFrame& frame, const Moment& begin, const Moment& now) {
    const auto place =
        std::find_if(releasing_.begin(), releasing_.end(), [&](const Releasing& r) { return begin < r.time; });
    releasing_.insert(place, {begin, frame});
    surroundings_.later(std::max(begin, now), Step::MemoryFree, 0);
}

void SwitchControl::look_at_senders(const Moment& now) {
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

void SwitchControl::tell(int sender, std::int64_t quanta, const Moment& now) {
    surroundings_.pause(pauses_.senders()[static_cast<std::size_t>(sender)], quanta, now);
    if (quanta > 0) surroundings_.later(pauses_.renewal(sender), Step::PauseRenewal, sender);
}

}  // namespace watershed
