// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/traced-callback.h>

#include <functional>
#include <optional>
#include <vector>

#include "model/frontend/trigger.h"
#include "model/ns3/base/watershed-instant.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/camera/watershed-fragment-sender.h"

namespace watershed {

/// The camera's trigger: at every time of its train all modules are triggered.
class WatershedTriggerSource : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();

    /// Takes the place of the burst that the attributes describe.
    void SetTrain(TriggerTrain train) { m_train = std::move(train); }
    /// Takes the place of a train: triggers are refused if a look before them found the memory almost full.
    void SetLooked(BackpressureTriggers triggers, std::function<bool()> isAlmostFull,
                   ns3::Ptr<WatershedInstant> instant) {
        m_looked = std::move(triggers);
        m_isAlmostFull = std::move(isAlmostFull);
        m_instant = instant;
    }
    void Add(ns3::Ptr<WatershedFragmentSender> sender) { m_senders.push_back(sender); }

    /// Triggers given so far.
    std::int64_t GetEvents() const { return m_events; }
    /// The triggers that the memory's occupancy decides on; null if there are none.
    const std::optional<BackpressureTriggers>& GetLooked() const { return m_looked; }

  private:
    void StartApplication() override;
    void DoDispose() override;
    void Fire();
    void ScheduleNext();
    void LookForNext();

    ns3::Time m_separation;
    std::uint32_t m_burst = 1;
    std::optional<TriggerTrain> m_train;
    std::vector<ns3::Ptr<WatershedFragmentSender>> m_senders;
    std::int64_t m_events = 0;
    std::optional<BackpressureTriggers> m_looked;
    std::function<bool()> m_isAlmostFull;
    ns3::Ptr<WatershedInstant> m_instant;
    WatershedTimer<WatershedTriggerSource, &WatershedTriggerSource::Fire> m_timer{this};
    ns3::TracedCallback<std::int64_t> m_trigger;
};

}  // namespace watershed
