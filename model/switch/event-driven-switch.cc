// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/event-driven-switch.h"

namespace watershed {

void ClassScheduler::begin_turn(std::size_t traffic_class) {
    begun_ = true;
    begun_before_ |= 1u << traffic_class;
    const auto& weights = scheduling_.weights;
    const std::int64_t weight = traffic_class < weights.size() ? weights[traffic_class] : 1;
    if (scheduling_.kind == Scheduling::Kind::WeightedRoundRobin)
        left_[traffic_class] = weight;
    else
        left_[traffic_class] += weight * scheduling_.quantum.count;
}

namespace {

/// The buffer of a switch, with accounts for each class if uplinks have a queue for each class.
Buffer memory_of(const Switch& network_switch) {
    Buffer buffer = network_switch.buffer;
    buffer.classes = network_switch.scheduling.kind == Scheduling::Kind::Fifo ? 1 : kTrafficClasses;
    buffer.lossless = lossless_classes(network_switch.flow_control);
    return buffer;
}

std::vector<std::optional<TokenBucket>> shapers_of(const Scheduling& scheduling, BitRate uplink) {
    std::vector<std::optional<TokenBucket>> shapers(scheduling.rates.size());
    for (std::size_t i = 0; i < shapers.size(); ++i)
        if (scheduling.rates[i] < uplink)
            shapers[i].emplace(scheduling.rates[i], i < scheduling.bursts.size() ? scheduling.bursts[i] : Bytes{0});
    return shapers;
}

}  // namespace

EventDrivenSwitch::EventDrivenSwitch(const Switch& network_switch, int inputs, const std::vector<BitRate>& uplinks,
                                     TimeGrid grid, std::size_t streams)
    : queueing_(network_switch.queueing),
      outputs_(static_cast<int>(uplinks.size())),
      scheduling_(network_switch.scheduling.kind),
      counts_(network_switch.scheduling.counts),
      latency_(network_switch.latency),
      fifo_(network_switch.input_fifo),
      has_fabric_(network_switch.fabric_rate.has_value()),
      has_shapers_(!network_switch.scheduling.rates.empty()),
      gate_list_(network_switch.scheduling.gates.empty()
                     ? std::nullopt
                     : std::optional<GateControlList>(network_switch.scheduling.gates)),
      is_held_(has_shapers_ || gate_list_),
      memory_(memory_of(network_switch), inputs, static_cast<int>(uplinks.size())),
      occupancy_(streams == 0 ? 0 : streams + 1),
      inputs_(static_cast<std::size_t>(inputs)) {
    const BitRate fabric = network_switch.fabric_rate.value_or(BitRate{1});
    groups_.assign(static_cast<std::size_t>(std::min(network_switch.port_groups, inputs)),
                   Group{Serializer(fabric, {}, grid)});
    if (network_switch.buffer.dram)
        dram_.emplace(network_switch.buffer.dram_rate.value_or(BitRate{1}), ClockTolerance{}, grid);
    const std::size_t queues = queueing_ != Queueing::Output           ? inputs_.size()
                               : scheduling_ != Scheduling::Kind::Fifo ? kTrafficClasses
                                                                       : 1;
    for (const BitRate rate : uplinks)
        uplinks_.push_back({Serializer(rate, {}, grid), false, std::vector<Ring<SwitchedFrame*>>(queues), nullptr,
                            std::vector<std::uint64_t>((queues + kBits - 1) / kBits),
                            ClassScheduler(network_switch.scheduling), shapers_of(network_switch.scheduling, rate)});
}

SwitchedFrame* EventDrivenSwitch::push_out_for(const MemoryClaim& claim) {
    const auto queue = memory_.victim(claim, [this](int output) {
        const Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        return uplink.queued + (uplink.busy ? 1 : 0) > 1;
    });
    if (!queue) return nullptr;
    Uplink& uplink = uplinks_[static_cast<std::size_t>(*queue)];
    SwitchedFrame* const gone = uplink.queues.front().pop_back();
    note_filled(uplink, 0);
    --uplink.queued;
    is_stuck_ = false;
    memory_.push_out(gone->claim);
    occupancy_.change(gone->id.stream, gone->claim.buffer, -1);
    return gone;
}

SwitchedFrame* EventDrivenSwitch::take_waiting(int number) {
    Uplink& uplink = uplinks_[static_cast<std::size_t>(number)];
    const std::size_t queue = first_filled(uplink, 0);
    if (queue == kNone) return nullptr;
    SwitchedFrame* const frame = uplink.queues[queue].pop();
    note_filled(uplink, queue);
    --uplink.queued;
    release(*frame);
    return frame;
}

const LossCause* EventDrivenSwitch::arrive(SwitchedFrame& frame, bool on_headroom) {
    const auto number = static_cast<std::size_t>(frame.claim.input);
    Input& input = inputs_[number];
    Group& group = groups_[group_of(number)];
    const Waiting waiting{&frame, arrived_++, on_headroom};
    const bool must_wait = !input.fifo.empty() || group.crossing >= 0;
    const LossCause* const cause = must_wait ? nullptr : refusal(waiting);
    if (must_wait || (fifo_ && cause)) {
        const std::int64_t cost = fifo_cost(frame);
        if (input.held + cost > fifo_->amount) {
            if (const LossCause* full = refusal(waiting)) memory_.drop(frame.claim, *full);
            return &kInputFifoFull;
        }
    } else if (cause) {
        memory_.drop(frame.claim, *cause);
        return cause;
    }
    if (!must_wait && !cause) is_stuck_ = false;
    least_ = std::min(least_, frame.claim.buffer);
    input.held += fifo_cost(frame);
    if (input.fifo.empty()) {
        group.heads.emplace(waiting.number, frame.claim.input);
        input.since = waiting.number;
    }
    input.fifo.push(waiting);
    ++waiting_;
    return nullptr;
}

std::size_t EventDrivenSwitch::oldest_taken() const {
    std::size_t oldest = kNone;
    std::int64_t number = arrived_;
    for (const Group& group : groups_) {
        if (group.crossing >= 0) continue;
        for (const auto& [arrival, at] : group.heads) {
            if (arrival > number) break;
            const auto input = static_cast<std::size_t>(at);
            const Waiting& first = inputs_[input].fifo.front();
            const LossCause* const cause = refusal(first);
            if (!cause) {
                oldest = input;
                number = arrival;
                break;
            }
            if (first.frame->claim.buffer == least_ && memory_.refuses_all(*cause)) return oldest;
        }
    }
    return oldest;
}

bool EventDrivenSwitch::advance(const Timestamp& now, std::optional<Transfer>& transfer) {
    transfer.reset();
    if (is_stuck_) return false;
    const std::size_t number = oldest_taken();
    is_stuck_ = number == kNone;
    if (is_stuck_) return false;
    SwitchedFrame& frame = *inputs_[number].fifo.front().frame;
    take(frame);
    if (!has_fabric_) {
        enqueue(take_first(number), now);
        return true;
    }
    Group& group = groups_[group_of(number)];
    group.crossing = frame.claim.input;
    transfer = Transfer{static_cast<int>(group_of(number)), group.fabric.send(now, frame.wire)};
    return true;
}

void EventDrivenSwitch::transferred(int number, const Timestamp& now) {
    Group& group = groups_[static_cast<std::size_t>(number)];
    enqueue(take_first(static_cast<std::size_t>(std::exchange(group.crossing, -1))), now);
}

MemoryClaim EventDrivenSwitch::written() {
    is_stuck_ = false;
    const MemoryClaim claim = writing_.front();
    writing_.pop_front();
    memory_.written(claim);
    return claim;
}

SwitchedFrame& EventDrivenSwitch::take_first(std::size_t number) {
    Input& input = inputs_[number];
    std::map<std::int64_t, int>& heads = groups_[group_of(number)].heads;
    const Waiting first = input.fifo.pop();
    input.held -= fifo_cost(*first.frame);
    auto head = heads.extract(first.number);
    if (!input.fifo.empty()) {
        head.key() = input.fifo.front().number;
        heads.insert(std::move(head));
    }
    --waiting_;
    is_stuck_ = false;
    return *first.frame;
}

std::optional<EventDrivenSwitch::Hopeless> EventDrivenSwitch::take_hopeless() {
    if (waiting_ == 0 || memory_.frames() > 0) return std::nullopt;
    std::size_t number = 0;  // an input that has had waiting frames for longest
    std::int64_t since = arrived_;
    for (const Group& group : groups_)
        for (const auto& [first, input] : group.heads)
            if (const auto at = static_cast<std::size_t>(input); inputs_[at].since < since) {
                number = at;
                since = inputs_[at].since;
            }
    const Waiting& first = inputs_[number].fifo.front();
    const LossCause* const cause = refusal(first);
    memory_.drop(first.frame->claim, *cause);
    return Hopeless{take_first(number), cause};
}

void EventDrivenSwitch::write(SwitchedFrame& frame, const Timestamp& now) {
    next_written_ = dram_->send(now, frame.claim.buffer);
    frame.ready = std::max(frame.ready, *next_written_);
    writing_.push_back(frame.claim);
}

std::optional<Timestamp> EventDrivenSwitch::next_due(int number, const Timestamp& now) const {
    const Uplink& uplink = uplinks_[static_cast<std::size_t>(number)];
    std::optional<Timestamp> next;
    if (uplink.busy) return next;
    for (std::size_t queue = first_filled(uplink, 0); queue != kNone; queue = first_filled(uplink, queue + 1)) {
        const SwitchedFrame& first = *uplink.queues[queue].front();
        const int traffic_class = first.claim.traffic_class;
        if (first.ready > now || !uplink.gates.is_open(traffic_class, now)) continue;
        Timestamp then = due(uplink, first);
        if (then <= now && gate_list_) {
            Serializer link = uplink.link;
            then = gate_list_->opens(traffic_class, now, link.send(now.time, first.wire).time - now.time);
        }
        if (then > now) next = next ? std::min(*next, then) : then;
    }
    return next;
}

bool EventDrivenSwitch::fits_gate(const Uplink& uplink, const SwitchedFrame& frame, const Timestamp& now) const {
    Serializer link = uplink.link;
    const Timestamp end = link.send(ready_at(uplink, frame, now), frame.wire);
    return gate_list_->is_open(frame.claim.traffic_class, link.begin(), end);
}

void EventDrivenSwitch::shape(Uplink& uplink, const SwitchedFrame& frame) {
    const auto number = static_cast<std::size_t>(frame.claim.traffic_class);
    // A bucket counts whole picoseconds, here those that have passed.
    const Timestamp& begin = uplink.link.begin();
    if (number < uplink.shapers.size() && uplink.shapers[number])
        uplink.shapers[number]->take(begin.early == 0 ? begin.time : begin.time - Time{1}, shaped(frame));
}

Timestamp EventDrivenSwitch::cut_through(SwitchedFrame& frame, const Timestamp& ready, bool stored) {
    Uplink& uplink = uplinks_[static_cast<std::size_t>(frame.claim.output)];
    uplink.busy = true;
    if (stored) {
        take(frame);
        uplink.sending = &frame;
    }
    return begin_to_send(uplink, frame, ready);
}

}  // namespace watershed
