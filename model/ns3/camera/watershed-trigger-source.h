// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/simulator.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/frontend/event-train.h"
#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/camera/watershed-fragment-sender.h"

namespace watershed {

/// The triggers of a detector: at every time of their train the modules that answer are triggered.
class WatershedTriggerSource {
  public:
    explicit WatershedTriggerSource(EventTrain train) : m_train(std::move(train)) {}
    /// Takes the place of a train: triggers are refused if a look before them found the memory almost full.
    void SetBackpressure(BackpressureTriggers triggers, std::function<bool()> isAlmostFull,
                         ns3::Ptr<WatershedInstant> instant) {
        m_backpressure = std::move(triggers);
        m_isAlmostFull = std::move(isAlmostFull);
        m_instant = instant;
    }
    /// @param source  number of the trigger that it answers, as in EventTrain
    void Add(WatershedFragmentSender& sender, int source) {
        const auto index = static_cast<std::size_t>(source);
        m_senders.resize(std::max(m_senders.size(), index + 1));
        m_senders[index].push_back(&sender);
    }
    /// Tells the number of each event, from 1.
    void SetListener(std::function<void(std::int64_t)> listener) { m_listener = std::move(listener); }
    void ScheduleNext() {
        if (m_backpressure) return ScheduleOccupancyCheck();
        const auto event = m_train.next();
        if (!event) return;
        m_source = event->source;
        m_timer.Schedule(ns3::Simulator::GetContext(), event->time - Now());
    }

    /// Triggers given so far.
    std::int64_t GetEvents() const { return m_events; }
    /// The triggers that the memory's occupancy decides on; null if there are none.
    const std::optional<BackpressureTriggers>& GetBackpressure() const { return m_backpressure; }

  private:
    void Fire() {
        if (++m_events > EventHeader::kLargestEvent)
            throw std::length_error("the event header counts up to 2^32 - 1 events");
        if (m_listener) m_listener(m_events);
        const Time now = Now();
        const auto source = static_cast<std::size_t>(m_source);
        if (source < m_senders.size())
            for (WatershedFragmentSender* const sender : m_senders[source]) sender->Trigger(m_events, now);
        if (!m_backpressure) ScheduleNext();
    }
    void ScheduleOccupancyCheck() {
        const auto send = [this](Time time) {
            ns3::Simulator::Schedule(ToNs3(time - Now()), &WatershedTriggerSource::Fire, this);
        };
        const auto look = m_backpressure->next_look(send);
        if (!look) return;
        m_instant->DoAt(*look, {Step::OccupancyCheck}, [this, send](const Timestamp&) {
            m_backpressure->decide(m_isAlmostFull(), send);
            ScheduleOccupancyCheck();
        });
    }

    EventTrain m_train;
    int m_source = 0;                                              ///< source of the next event
    std::vector<std::vector<WatershedFragmentSender*>> m_senders;  ///< by the source that they answer
    std::int64_t m_events = 0;
    std::optional<BackpressureTriggers> m_backpressure;
    std::function<bool()> m_isAlmostFull;
    ns3::Ptr<WatershedInstant> m_instant;
    std::function<void(std::int64_t)> m_listener;
    WatershedTimer<WatershedTriggerSource, &WatershedTriggerSource::Fire> m_timer{this};
};

}  // namespace watershed
