// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/node.h>

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "model/frontend/fragment-sizes.h"
#include "model/frontend/front-end.h"
#include "model/frontend/trigger.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

/// The front end of one module: sends a fragment for every trigger through its device, skew and jitter later.
class WatershedFragmentSender {
  public:
    /// The scenario's words about one module.
    struct Settings {
        int module = 1;  ///< number, from 1
        std::uint32_t run = 0;
        int traffic_class = 0;  ///< IEEE 802.1p
        Time gap{0};            ///< gap that the link keeps between the frames of one event
        watershed::Trigger trigger;
        Endpoint source, destination;
    };

    WatershedFragmentSender(ns3::Ptr<WatershedNetDeviceImpl> device, const Settings& settings,
                            const FragmentSizes& sizes, FragmentTiming timing)
        : m_device(device), m_settings(settings), m_sizes(sizes), m_timing(std::move(timing)) {
        for (const std::vector<FrameSizes>& choice : sizes.choices()) {
            m_frames.emplace_back();
            for (int i = 0; i < static_cast<int>(choice.size()); ++i)
                m_frames.back().emplace_back(settings.source, settings.destination,
                                             choice[static_cast<std::size_t>(i)].payload, settings.run,
                                             FrameId{0, settings.module, i}, settings.traffic_class);
        }
    }
    /// Makes the packet of every frame where it is sent, and not where it is first looked at, which is where its
    /// headers are written; takes two and a half times the memory.
    void MakePacketsAtOnce() { m_packetsAtOnce = true; }
    /// Tells of each frame that is offered to the port.
    void SetListener(std::function<void(const ns3::Packet&)> listener) { m_listener = std::move(listener); }

    /// The camera has triggered, now. Call it once per event, in order.
    void Trigger(std::int64_t event, Time now) {
        if (!answers(m_settings.trigger, event, m_settings.module)) return;
        const Time time = m_timing.offer_time(event, now);
        if (m_offers.empty() && time == now) return Send(event, now);
        m_offers.push_back({event, time});
        if (m_offers.size() == 1) ScheduleHead(now);
    }

  private:
    struct Offer {
        std::int64_t event;
        Time time;
    };

    void OfferHead() {
        const Time now = Now();
        Send(m_offers.front().event, now);
        m_offers.pop_front();
        if (!m_offers.empty()) ScheduleHead(now);
    }
    void ScheduleHead(Time now) { m_timer.Schedule(m_device->GetNode()->GetId(), m_offers.front().time - now); }
    void Send(std::int64_t event, Time now) {
        Time gap{0};  // before the first
        for (const WatershedFragmentFrame& each : m_frames[m_sizes.choice(event, m_settings.module)]) {
            WatershedFrame frame(&each, static_cast<std::uint32_t>(event));
            if (m_packetsAtOnce) frame.MakePacket();
            if (m_listener) m_listener(*frame.GetPacket());
            m_device->SendFrame(std::move(frame), now, now, gap);
            gap = m_settings.gap;
        }
    }

    ns3::Ptr<WatershedNetDeviceImpl> m_device;
    Settings m_settings;
    FragmentSizes m_sizes;
    FragmentTiming m_timing;
    bool m_packetsAtOnce = false;
    std::function<void(const ns3::Packet&)> m_listener;
    std::vector<std::vector<WatershedFragmentFrame>> m_frames;  ///< frames of each kind of fragment
    std::deque<Offer> m_offers;  ///< offers still to come, by time; only the first has a timer
    WatershedTimer<WatershedFragmentSender, &WatershedFragmentSender::OfferHead> m_timer{this};
};

}  // namespace watershed
