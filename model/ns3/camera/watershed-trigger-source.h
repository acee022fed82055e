// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/traced-callback.h>

#include <optional>
#include <vector>

#include "model/frontend/trigger.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/camera/watershed-fragment-sender.h"

namespace watershed {

/// The camera's trigger: at every time of its train all modules are triggered.
class WatershedTriggerSource : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();

    /// Takes the place of the burst that the attributes describe.
    void SetTrain(TriggerTrain train) { m_train = std::move(train); }
    void Add(ns3::Ptr<WatershedFragmentSender> sender) { m_senders.push_back(sender); }

    /// Triggers given so far.
    std::int64_t GetEvents() const { return m_events; }

  private:
    void StartApplication() override;
    void DoDispose() override;
    void Fire();
    void ScheduleNext();

    ns3::Time m_separation;
    std::uint32_t m_burst = 1;
    std::optional<TriggerTrain> m_train;
    std::vector<ns3::Ptr<WatershedFragmentSender>> m_senders;
    std::int64_t m_events = 0;
    WatershedTimer<WatershedTriggerSource, &WatershedTriggerSource::Fire> m_timer{this};
    ns3::TracedCallback<std::int64_t> m_trigger;
};

}  // namespace watershed
