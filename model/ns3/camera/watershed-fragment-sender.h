// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/traced-callback.h>

#include <deque>
#include <vector>

#include "model/frontend/fragment-sizes.h"
#include "model/frontend/front-end.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

/// The front end of one module: sends a fragment for every trigger through the device of its node, skew and
/// jitter later.
class WatershedFragmentSender : public ns3::Application {
  public:
    /// The scenario's words about one module.
    struct Settings {
        int module = 1;  ///< number, from 1
        std::uint32_t run = 0;
        int traffic_class = 0;  ///< IEEE 802.1p
        Time gap{0};            ///< gap that the link keeps between the frames of one event
        watershed::Trigger trigger;
        FragmentEndpoint source, destination;
    };
    static ns3::TypeId GetTypeId();

    /// @param device  of its node
    WatershedFragmentSender(ns3::Ptr<WatershedNetDeviceImpl> device, const Settings& settings,
                            const FragmentSizes& sizes, FragmentTiming timing);
    /// Makes the packet of every frame where it is sent, and not where it is first looked at, which is where its
    /// headers are written; takes two and a half times the memory.
    void MakePacketsAtOnce() { m_packetsAtOnce = true; }

    /// The camera has triggered, now. Call it once per event, in order.
    void Trigger(std::int64_t event, Time now);

  private:
    struct Offer {
        std::int64_t event;
        Time time;
    };

    void DoDispose() override;
    void OfferHead();
    void Send(std::int64_t event, Time now);

    ns3::Ptr<WatershedNetDeviceImpl> m_device;
    Settings m_settings;
    FragmentSizes m_sizes;
    FragmentTiming m_timing;
    bool m_packetsAtOnce = false;
    std::vector<std::vector<WatershedFragmentFrame>> m_frames;  ///< frames of each kind of fragment
    std::deque<Offer> m_offers;  ///< offers still to come, by time; only the first has a timer
    WatershedTimer<WatershedFragmentSender, &WatershedFragmentSender::OfferHead> m_timer{this};
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> m_tx;
};

}  // namespace watershed
