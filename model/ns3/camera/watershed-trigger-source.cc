// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-trigger-source.h"

#include <ns3/node.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <stdexcept>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedTriggerSource);

ns3::TypeId WatershedTriggerSource::GetTypeId() {
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedTriggerSource")
            .SetParent<ns3::Application>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedTriggerSource>()
            .AddAttribute(
                "Separation", "From one trigger of the burst to the next.", ns3::TimeValue(ns3::MicroSeconds(20)),
                ns3::MakeTimeAccessor(&WatershedTriggerSource::m_separation), ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("Events", "Triggers in the burst.", ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&WatershedTriggerSource::m_burst),
                          ns3::MakeUintegerChecker<std::uint32_t>())
            .AddTraceSource("Trigger", "The number of the event, from 1, that all modules are now told of.",
                            ns3::MakeTraceSourceAccessor(&WatershedTriggerSource::m_trigger),
                            "ns3::TracedValueCallback::Int64");
    return tid;
}

void WatershedTriggerSource::StartApplication() {
    if (!m_train) {
        watershed::Trigger burst;
        burst.separation = FromNs3(m_separation);
        burst.events = m_burst;
        m_train.emplace(TriggerTrain(burst, 0));
    }
    ScheduleNext();
}

void WatershedTriggerSource::ScheduleNext() {
    if (m_backpressure) return ScheduleOccupancyCheck();
    const auto event = m_train->next();
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
    if (++m_events > EventHeader::kLargestEvent)
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
