// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/udpmon/udpmon-simulation.h"

#include <ns3/integer.h>
#include <ns3/node-container.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "model/base/frame.h"
#include "model/base/random.h"
#include "model/ns3/base/ns3-session.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-host.h"
#include "model/ns3/device/watershed-pcap.h"
#include "model/ns3/frame/watershed-fragment-frame.h"
#include "model/ns3/helper/watershed-helper.h"
#include "model/udpmon/udpmon-host.h"

namespace watershed {
namespace {

constexpr std::int64_t kLinkOverhead = 24;  // preamble 8, FCS 4, gap 12

FrameSizes sizes_of(Bytes payload) {
    FrameFormat format;
    format.payload = payload;
    format.mtu = Bytes{65535};
    return frames_of_fragment(format).front();
}

Bytes counted(UdpmonPath::Accounting accounting, const FrameSizes& frame) {
    switch (accounting) {
        case UdpmonPath::Accounting::Payload: return frame.payload;
        case UdpmonPath::Accounting::Ip: return frame.payload + kIpUdpHeaders;
        case UdpmonPath::Accounting::Frame: return frame.buffer;
        case UdpmonPath::Accounting::Wire: return frame.wire;
    }
    throw std::logic_error("unknown accounting");
}

using Device = ns3::Ptr<WatershedNetDeviceImpl>;

/// The network between two hosts as one hop: it polices, loses and overtakes, and forwards the rest from its first
/// device to its second.
class UdpmonHop : private WatershedHost {
  public:
    static constexpr LossCause kPoliced{"path", "policed"};
    static constexpr LossCause kDamaged{"path", "damaged"};

    /// @param cost of a packet for the policer
    UdpmonHop(const Device& from, Device to, const UdpmonPath& path, Bytes cost, std::uint64_t seed,
              UdpmonMonitor& monitor)
        : WatershedHost(from), m_to(to), m_path(path), m_cost(cost), m_seed(seed), m_monitor(monitor) {
        if (path.policed) m_policer.emplace(*path.policed, path.burst);
    }

  private:
    void Arrived(WatershedFrame&& frame, Time now) override {
        ++m_arrived;
        if (OneIn(m_path.loss_one_in, Stream::UdpmonLoss)) return m_monitor.lost(kDamaged);
        if (m_policer && !m_policer->conforms(now, m_cost)) return m_monitor.lost(kPoliced);
        if (OneIn(m_path.reorder_one_in, Stream::UdpmonReorder))
            ns3::Simulator::Schedule(ToNs3(m_path.reorder_delay), &UdpmonHop::Forward, this, frame);
        else
            Forward(std::move(frame));
    }
    void Forward(WatershedFrame frame) { m_to->SendFrame(std::move(frame), Now()); }
    bool OneIn(std::int64_t many, Stream stream) const {
        return many > 0 && uniform_up_to(random_bits(m_seed, stream, m_arrived), many - 1) == 0;
    }

    Device m_to;
    const UdpmonPath& m_path;
    std::optional<TokenBucket> m_policer;
    Bytes m_cost;
    std::uint64_t m_seed;
    std::uint64_t m_arrived = 0;
    UdpmonMonitor& m_monitor;
};

/// UDPmon's server: stamps the datagrams when its UdpmonReader says that they are read.
class UdpmonServer : private WatershedHost {
  public:
    UdpmonServer(const Device& device, UdpmonReader& reader, UdpmonMonitor& monitor)
        : WatershedHost(device), m_reader(reader), m_monitor(monitor) {}

  private:
    void Arrived(WatershedFrame&& frame, Time now) override {
        const auto id = IdentifyFrame(*frame.GetPacket());
        if (!id) throw std::logic_error("a UDPmon packet carries no number");
        if (const auto read = m_reader.read(now))
            m_monitor.received(id->event, *read);
        else
            m_monitor.lost(UdpmonReader::kBufferFull);
    }

    UdpmonReader& m_reader;
    UdpmonMonitor& m_monitor;
};

/// UDPmon's client: sends numbered datagrams as a UdpmonPacer says, and waits where there is no room before the link.
class UdpmonClient : private WatershedHost {
  public:
    UdpmonClient(Device device, const WatershedFragmentFrame& frames, const UdpmonPacer& pacer, UdpmonMonitor& monitor,
                 std::int64_t packets)
        : WatershedHost(device), m_frames(frames), m_pacer(pacer), m_monitor(monitor), m_packets(packets) {
        ScheduleSend(Now());
    }

  private:
    void FrameLeft(std::uint32_t, const WatershedFrame&, const Timestamp&) override {
        --m_waiting;
        if (!m_blocked) return;
        m_blocked = false;
        ScheduleSend(m_due);
    }
    void Send() {
        if (m_waiting >= m_pacer.room()) {
            m_blocked = true;
            return;
        }
        const std::int64_t number = ++m_sent;
        m_monitor.sent(Now());
        m_ready = std::max(m_ready, Now() + m_pacer.jitter(number));
        ++m_waiting;
        m_device->SendFrame(m_frames.Make(static_cast<std::uint32_t>(number)), m_ready, Now());
        if (m_sent == m_packets) return;
        m_due = m_pacer.next(number + 1, Now());
        ScheduleSend(m_due);
    }
    void ScheduleSend(Time when) { m_timer.Schedule(GetContext(), std::max(when, Now()) - Now()); }

    const WatershedFragmentFrame& m_frames;
    const UdpmonPacer& m_pacer;
    UdpmonMonitor& m_monitor;
    std::int64_t m_packets;
    std::int64_t m_sent = 0;
    std::int64_t m_waiting = 0;  ///< for the link, or on it
    Time m_due{0};               ///< time of the next packet
    Time m_ready{0};             ///< time when the link has sent the last packet
    bool m_blocked = false;      ///< the next packet is due but has no room
    WatershedTimer<UdpmonClient, &UdpmonClient::Send> m_timer{this};
};

}  // namespace

UdpmonResult simulate_udpmon(const Udpmon& udpmon, Bytes payload, std::size_t spacing, std::uint64_t seed,
                             const std::string& pcap) {
    const FrameSizes sizes = sizes_of(payload);
    const Time requested = udpmon.spacings.at(spacing);
    UdpmonMonitor monitor(udpmon.receiver, payload);
    const UdpmonPacer pacer(udpmon.sender, payload, requested, seed);
    UdpmonReader reader(udpmon.receiver, payload, spacing, seed);
    const WatershedFragmentFrame frames(module_endpoint({}, 1), server_endpoint(0), payload, 0, FrameId{0, 1, 0});

    const Ns3Session session;
    ns3::NodeContainer nodes(3);
    WatershedHelper helper;
    const auto [from, hop_in] = helper.Connect(nodes.Get(0), nodes.Get(1), udpmon.path.rate);
    const auto [hop_out, to] = helper.Connect(nodes.Get(1), nodes.Get(2), udpmon.path.rate, udpmon.path.delay);
    from->SetAttribute("LinkOverhead", ns3::IntegerValue(kLinkOverhead + pacer.extra_slot(sizes.wire).count));
    hop_out->SetAttribute("LinkOverhead", ns3::IntegerValue(kLinkOverhead));

    const UdpmonHop hop(hop_in, hop_out, udpmon.path, counted(udpmon.path.accounting, sizes), seed, monitor);
    const UdpmonServer server(to, reader, monitor);
    const UdpmonClient client(from, frames, pacer, monitor, udpmon.packets);

    WatershedPcap capture;
    if (!pcap.empty()) capture.Capture(*to, pcap);
    ns3::Simulator::Run();
    capture.Commit();
    return monitor.result(requested);
}

}  // namespace watershed
