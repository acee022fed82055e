// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/event-impl.h>
#include <ns3/ptr.h>

#include "model/ns3/base/watershed-time.h"

namespace watershed {

/// Calls a member function of its owner later. The one event object is scheduled again and again, so that no event
/// costs an allocation. It may be pending once at a time.
template <class Owner, void (Owner::*kMethod)()>
class WatershedTimer {
  public:
    explicit WatershedTimer(Owner* owner) : m_event(ns3::Create<Event>(owner)) {}
    ~WatershedTimer() { Cancel(); }
    WatershedTimer(const WatershedTimer&) = delete;
    WatershedTimer& operator=(const WatershedTimer&) = delete;

    /// @param context the node on whose behalf the owner acts
    void Schedule(std::uint32_t context, Time delay) {
        ns3::PeekPointer(m_event)->Ref();  // the simulator gives it back once the event has run
        ns3::Simulator::ScheduleWithContext(context, ToNs3(delay), ns3::PeekPointer(m_event));
    }

    /// For good: a call that is pending is dropped, and so is every later one.
    void Cancel() { m_event->Cancel(); }

  private:
    class Event final : public ns3::EventImpl {
      public:
        explicit Event(Owner* owner) : m_owner(owner) {}

      private:
        void Notify() override { (m_owner->*kMethod)(); }
        Owner* m_owner;
    };

    ns3::Ptr<Event> m_event;
};

}  // namespace watershed
