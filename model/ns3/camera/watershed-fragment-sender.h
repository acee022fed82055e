// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/application.h>
#include <ns3/traced-callback.h>

#include <deque>
#include <optional>
#include <vector>

#include "model/frontend/fragment-sizes.h"
#include "model/frontend/front-end.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-fragment-frame.h"

namespace watershed {

/// The front end of one module: sends a fragment for every trigger through the first WatershedNetDevice of its node,
/// skew and jitter later.
class WatershedFragmentSender : public ns3::Application {
  public:
    static ns3::TypeId GetTypeId();

    /// Takes the place of the attributes about framing.
    void SetSizes(const FragmentSizes& sizes) { m_sizes = sizes; }
    /// Takes the place of the attributes about timing.
    void SetTiming(FragmentTiming timing) { m_timing = timing; }
    /// Takes the place of the attribute Gap, to the picosecond.
    void SetGap(Time gap) { m_gap = gap; }
    /// Takes the place of answering every trigger.
    void SetTrigger(const watershed::Trigger& trigger) { m_trigger = trigger; }
    /// Takes the place of the addresses that follow from the module's number.
    void SetSource(const FragmentEndpoint& source) { m_source = source; }
    void SetDestination(const FragmentEndpoint& destination) { m_destination = destination; }

    /// The camera has triggered, now. Call it once per event, in order.
    void Trigger(std::int64_t event, Time now);

  private:
    struct Offer {
        std::int64_t event;
        Time time;
    };

    void StartApplication() override;
    void DoDispose() override;
    void OfferHead();
    void Send(std::int64_t event, Time now);

    std::uint32_t m_module = 1;
    std::uint32_t m_run = 0;
    std::uint32_t m_payload = 0;
    std::uint32_t m_fragmentMtu = 0;
    std::uint32_t m_class = 0;
    ns3::Time m_skew;
    ns3::Time m_jitter;
    ns3::Time m_gapOfAttribute;
    std::uint64_t m_seed = 1;
    bool m_packetsAtOnce = false;
    std::optional<FragmentSizes> m_sizes;
    std::optional<FragmentTiming> m_timing;
    watershed::Trigger m_trigger;
    std::optional<Time> m_gap;
    std::optional<FragmentEndpoint> m_source;
    FragmentEndpoint m_destination = ServerEndpoint(0);

    ns3::Ptr<WatershedNetDeviceImpl> m_device;
    std::vector<std::vector<WatershedFragmentFrame>> m_frames;  ///< frames of each kind of fragment
    std::deque<Offer> m_offers;  ///< offers still to come, by time; only the first has a timer
    WatershedTimer<WatershedFragmentSender, &WatershedFragmentSender::OfferHead> m_timer{this};
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> m_tx;
};

}  // namespace watershed
