// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/traced-callback.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "model/frontend/event-train.h"
#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/camera/watershed-fragment-sender.h"

namespace watershed {

/// The triggers of a detector: at every time of their train the modules that answer are triggered.
class WatershedTriggerSource : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();

    explicit WatershedTriggerSource(EventTrain train) : m_train(std::move(train)) {}
    /// Takes the place of a train: triggers are refused if a look before them found the memory almost full.
    void SetBackpressure(BackpressureTriggers triggers, std::function<bool()> isAlmostFull,
                         ns3::Ptr<WatershedInstant> instant) {
        m_backpressure = std::move(triggers);
        m_isAlmostFull = std::move(isAlmostFull);
        m_instant = instant;
    }
    /// @param source  number of the trigger that it answers, as in EventTrain
    void Add(ns3::Ptr<WatershedFragmentSender> sender, int source = 0) {
        const auto index = static_cast<std::size_t>(source);
        m_senders.resize(std::max(m_senders.size(), index + 1));
        m_senders[index].push_back(sender);
    }

    /// Triggers given so far.
    std::int64_t GetEvents() const { return m_events; }
    /// The triggers that the memory's occupancy decides on; null if there are none.
    const std::optional<BackpressureTriggers>& GetBackpressure() const { return m_backpressure; }

  private:
    void StartApplication() override { ScheduleNext(); }
    void DoDispose() override;
    void Fire();
    void ScheduleNext();
    void ScheduleOccupancyCheck();

    EventTrain m_train;
    int m_source = 0;                                                       ///< source of the next event
    std::vector<std::vector<ns3::Ptr<WatershedFragmentSender>>> m_senders;  ///< by the source that they answer
    std::int64_t m_events = 0;
    std::optional<BackpressureTriggers> m_backpressure;
    std::function<bool()> m_isAlmostFull;
    ns3::Ptr<WatershedInstant> m_instant;
    WatershedTimer<WatershedTriggerSource, &WatershedTriggerSource::Fire> m_timer{this};
    ns3::TracedCallback<std::int64_t> m_trigger;
};

}  // namespace watershed
