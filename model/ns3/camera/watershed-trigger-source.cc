// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-trigger-source.h"

#include <ns3/node.h>
#include <ns3/trace-source-accessor.h>

#include <stdexcept>

namespace watershed {

ns3::TypeId WatershedTriggerSource::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedTriggerSource")
            .SetParent<ns3::Application>()
            .SetGroupName("Watershed")
            .AddTraceSource("Trigger", "The number of the event, from 1, that all modules are now told of.",
                            ns3::MakeTraceSourceAccessor(&WatershedTriggerSource::m_trigger),
                            "ns3::TracedValueCallback::Int64");
    return tid;
}

void WatershedTriggerSource::ScheduleNext() {
    if (m_backpressure) return ScheduleOccupancyCheck();
    const auto event = m_train.next();
    if (!event) return;
    m_source = event->source;
    m_timer.Schedule(GetNode()->GetId(), event->time - Now());
}

void WatershedTriggerSource::ScheduleOccupancyCheck() {
    const auto send = [this](Time time) {
        ns3::Simulator::ScheduleWithContext(GetNode()->GetId(), ToNs3(time - Now()), &WatershedTriggerSource::Fire,
                                            this);
    };
    const auto look = m_backpressure->next_look(send);
    if (!look) return;
    m_instant->DoAt(*look, {Step::OccupancyCheck}, [this, send](const Timestamp&) {
        m_backpressure->decide(m_isAlmostFull(), send);
        ScheduleOccupancyCheck();
    });
}

void WatershedTriggerSource::Fire() {
    if (++m_events > WatershedEventHeader::kLargestEvent)
        throw std::length_error("the event header counts up to 2^32 - 1 events");
    if (!m_trigger.IsEmpty()) m_trigger(m_events);
    const Time now = Now();
    const auto source = static_cast<std::size_t>(m_source);
    if (source < m_senders.size())
        for (const auto& sender : m_senders[source]) sender->Trigger(m_events, now);
    if (!m_backpressure) ScheduleNext();
}

void WatershedTriggerSource::DoDispose() {
    m_timer.Cancel();
    m_senders.clear();
    m_isAlmostFull = nullptr;
    m_instant = nullptr;
    Application::DoDispose();
}

}  // namespace watershed
