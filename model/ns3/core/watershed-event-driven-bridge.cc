// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-event-driven-bridge.h"

#include <stdexcept>
#include <utility>

namespace watershed {
namespace {

Senders SendersOf(std::size_t ports, std::uint64_t seed) {
    Senders senders;
    senders.front_end.modules = static_cast<int>(ports);
    senders.seed = seed;
    return senders;
}

/// All ports are inputs and outputs.
SwitchPlace PlaceOf(const std::vector<ns3::Ptr<WatershedNetDevice>>& ports) {
    SwitchPlace place;
    place.inputs.assign(ports.size(), {ports.front()->GetRate(), {0}});
    place.uplinks.assign(ports.size(), ports.front()->GetRate());
    return place;
}

}  // namespace

WatershedEventDrivenBridge::WatershedEventDrivenBridge(const Switch& network_switch,
                                                       std::vector<ns3::Ptr<WatershedNetDevice>> ports,
                                                       std::int64_t buffer_overhead, std::uint64_t seed, Owner& owner)
    : m_ports(std::move(ports)),
      m_bufferOverhead(buffer_overhead),
      m_owner(owner),
      m_control(network_switch, PlaceOf(m_ports), SendersOf(m_ports.size(), seed), TimeGrid{},
                static_cast<SwitchControl::Surroundings&>(*this)) {}

void WatershedEventDrivenBridge::AtArrival(const Moment& when, std::uint64_t rank, std::uint32_t port,
                                           WatershedInstant::Action action) {
    m_instant->DoAt(when, {Step::Arrival, 0, rank, static_cast<int>(port)}, std::move(action));
}

SwitchedFrame WatershedEventDrivenBridge::Keep(std::uint32_t input, std::uint32_t output, const WatershedFrame& frame) {
    SwitchedFrame switched{
        {},
        {static_cast<int>(input), static_cast<int>(output), Bytes{frame.GetSize() + m_bufferOverhead}},
        m_ports[output]->WireSize(frame)};
    switched.has_output = true;
    switched.claim.traffic_class = frame.GetClass();
    switched.handle = ++m_handles;
    m_frames.emplace(switched.handle, frame);
    return switched;
}

WatershedFrame WatershedEventDrivenBridge::Take(const SwitchedFrame& frame) {
    const auto kept = m_frames.find(frame.handle);
    WatershedFrame taken = std::move(kept->second);
    m_frames.erase(kept);
    return taken;
}

void WatershedEventDrivenBridge::HeaderIn(std::uint32_t input, std::uint32_t output, const WatershedFrame& frame,
                                          const Moment& now, const Moment& end) {
    const SwitchedFrame switched = Keep(input, output, frame);
    if (!m_control.header_in(switched, now, end)) m_frames.erase(switched.handle);
}

void WatershedEventDrivenBridge::Offer(std::uint32_t input, std::uint32_t output, const WatershedFrame& frame,
                                       std::uint64_t lot, const Moment& now) {
    SwitchedFrame switched = Keep(input, output, frame);
    switched.claim.lot = lot;
    if (!m_control.frame_in(switched, now)) m_frames.erase(switched.handle);
}

void WatershedEventDrivenBridge::Pause(std::uint32_t port, std::optional<int> traffic_class, const Moment& now,
                                       const Moment& until) {
    const int output = static_cast<int>(port);
    m_instant->DoAt(now, {Step::Pause, 0, 0, output}, [this, output, traffic_class, until](const Moment& then) {
        m_control.pause(output, until, traffic_class, then);
    });
}

void WatershedEventDrivenBridge::Left(std::uint32_t output, const Moment& now) {
    later(now, Step::UplinkDone, static_cast<int>(output));
}

void WatershedEventDrivenBridge::later(const Moment& time, Step step, int index) {
    m_instant->DoAt(time, {step, 0, 0, index},
                    [this, step, index](const Moment& now) { m_control.step(step, index, now); });
}

void WatershedEventDrivenBridge::sends(int output, const SwitchedFrame& frame, const Moment& begin,
                                       const Moment& done) {
    const WatershedFrame taken = Take(frame);
    m_owner.EventDrivenSends(taken, static_cast<std::uint32_t>(frame.claim.input));
    m_ports[static_cast<std::size_t>(output)]->Carry(taken, begin, done, Now());
}

void WatershedEventDrivenBridge::lost(const SwitchedFrame& frame, const LossCause& cause, const Moment&) {
    m_owner.EventDrivenLost(Take(frame), static_cast<std::uint32_t>(frame.claim.input),
                            static_cast<std::uint32_t>(frame.claim.output), cause);
}

void WatershedEventDrivenBridge::pause(const PauseControl::Sender&, std::int64_t, const Moment&) {
    throw std::logic_error("a bridge with event-driven queues has no flow control");
}

void WatershedEventDrivenBridge::occupied(const Moment&) { m_owner.EventDrivenOccupied(); }

}  // namespace watershed
