// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ipbus/ipbus-simulation.h"

#include <ns3/enum.h>
#include <ns3/error-model.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "model/base/random.h"
#include "model/frontend/trigger.h"
#include "model/ns3/base/ns3-session.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/device/watershed-pcap.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/helper/watershed-helper.h"
#include "model/ns3/ipbus/ipbus-board.h"
#include "model/ns3/ipbus/ipbus-server.h"
#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {
namespace {

constexpr std::uint16_t kPort = 50001;  ///< port of a unit, as in the examples of ipbus-software

/// Damages frames on the links of a switch at random, one in so many, in the order in which they arrive there.
class IpbusDamage : public ns3::ErrorModel {
  public:
    static constexpr LossCause kDamaged{"path", "damaged"};

    static ns3::TypeId GetTypeId() {
        static const ns3::TypeId tid = ns3::TypeId("ns3::IpbusDamage").SetParent<ns3::ErrorModel>();
        return tid;
    }

    IpbusDamage(std::int64_t one_in, std::uint64_t seed) : m_oneIn(one_in), m_seed(seed) {}

  private:
    bool DoCorrupt(ns3::Ptr<ns3::Packet>) override {
        return uniform_up_to(random_bits(m_seed, Stream::IpbusLoss, ++m_arrived), m_oneIn - 1) == 0;
    }
    void DoReset() override { m_arrived = 0; }

    std::int64_t m_oneIn;
    std::uint64_t m_seed;
    std::uint64_t m_arrived = 0;
};

/// One point on the way: its parts, and what they had counted when the warm-up was over.
class Readout {
  public:
    Readout(const Ipbus& ipbus, const IpbusPoint& point, std::uint64_t seed)
        : m_ipbus(ipbus),
          m_point(point),
          m_ledger(nullptr),
          m_triggers(Train(), seed),
          m_damage(ns3::CreateObject<IpbusDamage>(ipbus.loss_one_in, seed)) {
        const ns3::Ptr<ns3::Node> server_node = ns3::CreateObject<ns3::Node>(),
                                  switch_node = ns3::CreateObject<ns3::Node>();
        WatershedHelper helper;
        const Endpoint server_end = server_endpoint(0);
        const auto [server_device, server_port] = helper.Connect(server_node, switch_node, ipbus.server_link);
        m_serverPort = server_port;
        switch_node->AddDevice(m_switch);
        m_switch->SetAttribute("ExpirationTime", ns3::TimeValue(ns3::Hours(1000)));
        m_switch->SetAttribute("Sharing", ns3::StringValue("per-output"));
        m_switch->SetAttribute("Size", ValueOf(ipbus.switch_buffer.amount));
        m_switch->SetAttribute("SizeUnit", ns3::EnumValue(static_cast<int>(ipbus.switch_buffer.unit)));
        m_switch->TakeAsTheyCome();
        m_switch->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Readout::Lost, this));
        m_switch->TraceConnectWithoutContext("PortOccupancy", ns3::MakeCallback(&Readout::Occupied, this));
        AddPort(server_port, MacOf(server_end));

        std::vector<Endpoint> ends;
        for (int unit = 1; unit <= point.units; ++unit) {
            Endpoint end = module_endpoint({}, unit);
            end.port = kPort;
            ends.push_back(end);
            const auto node = ns3::CreateObject<ns3::Node>();
            const auto [device, port] = helper.Connect(node, switch_node, ipbus.unit.link_rate, ipbus.unit.delay);
            AddPort(port, MacOf(end));
            m_unitOf[MacOf(end)] = unit;
            m_units.emplace_back(ipbus.unit, ipbus.pattern == Ipbus::Pattern::Full);
            m_boards.emplace_back(device, m_units.back(), unit, end, server_end, m_ledger);
        }
        m_server.emplace(server_device, ipbus, point.block, server_end, ends);

        At(ipbus.warm_up, &Readout::WarmedUp);
        At(ipbus.duration, &Readout::End);
        if (ipbus.pattern != Ipbus::Pattern::Full) ScheduleTrigger();
        m_server->Start();
    }

    WatershedNetDeviceImpl& ServerPort() { return *m_serverPort; }

    IpbusResult Result() const {
        IpbusResult result;
        result.point = m_point;
        const double window_us = in_microseconds(m_ipbus.duration - m_ipbus.warm_up);
        result.transferred_mbps = static_cast<double>(m_atEnd.words - m_atWarmUp.words) * 32 / window_us;
        result.data_mbps = static_cast<double>(m_atEnd.data_words - m_atWarmUp.data_words) * 32 / window_us;
        const auto generated = m_atEnd.generated - m_atWarmUp.generated;
        if (generated > 0)
            result.survival =
                1 - static_cast<double>(m_atEnd.rejected - m_atWarmUp.rejected) / static_cast<double>(generated);
        result.server_busy = in_microseconds(m_atEnd.busy - m_atWarmUp.busy) / window_us /
                             (m_ipbus.processor.cores * m_ipbus.processor.threads_per_core);

        const std::int64_t waveform = m_ipbus.unit.waveform.count / ipbus::kWordBytes;
        result.frames_sent = m_server->GetFramesSent();
        result.frames_received = m_server->GetFramesTaken();
        for (std::size_t unit = 0; unit < m_units.size(); ++unit) {
            const IpbusClient& client = m_server->GetClient(unit);
            for (std::size_t channel = 0; channel < m_units[unit].fifos().size(); ++channel) {
                const WaveformFifo& fifo = m_units[unit].fifos()[channel];
                const std::int64_t on_the_way = fifo.taken() - client.data_words_of(channel);
                result.waveforms.generated += fifo.accepted() + fifo.rejected();
                result.waveforms.rejected += fifo.rejected();
                result.waveforms.left += ceil_div(fifo.words() + on_the_way, waveform);
            }
            result.waveforms.read += client.waveforms();
            Add(result.requests, m_server->GetLink(unit).counts());
            result.units_given_up += m_server->GetLink(unit).given_up();
            result.frames_sent += m_boards[unit].GetFramesSent();
            result.frames_received += m_boards[unit].GetFramesTaken();
        }
        result.losses = m_ledger.losses();
        result.switch_peak = m_peak;
        result.simulated = m_ended;
        result.check_conservation();
        return result;
    }

  private:
    struct Counted {
        std::int64_t words = 0, data_words = 0, generated = 0, rejected = 0;
        Time busy{0};
    };

    Trigger Train() const {
        Trigger trigger;
        trigger.pattern =
            m_ipbus.pattern == Ipbus::Pattern::Poisson ? Trigger::Pattern::Poisson : Trigger::Pattern::Periodic;
        trigger.rate = m_point.rate;
        trigger.duration = m_ipbus.duration;
        return trigger;
    }

    static void Add(IpbusLink::Counts& sum, const IpbusLink::Counts& counts) {
        sum.requests += counts.requests;
        sum.answered += counts.answered;
        sum.abandoned += counts.abandoned;
        sum.open += counts.open;
        sum.timeouts += counts.timeouts;
        sum.sent_again += counts.sent_again;
        sum.asked_again += counts.asked_again;
        sum.ignored += counts.ignored;
    }

    void At(Time time, void (Readout::*method)()) { ns3::Simulator::Schedule(ToNs3(time - Now()), method, this); }

    void ScheduleTrigger() {
        if (const auto next = m_triggers.next()) At(*next, &Readout::TriggerAll);
    }

    void TriggerAll() {
        for (IpbusBoard& board : m_boards) board.Trigger(Now());
        ScheduleTrigger();
    }

    Counted Count() const {
        Counted counted;
        for (std::size_t unit = 0; unit < m_units.size(); ++unit) {
            counted.words += m_server->GetClient(unit).words();
            counted.data_words += m_server->GetClient(unit).data_words();
            for (const WaveformFifo& fifo : m_units[unit].fifos()) {
                counted.generated += fifo.accepted() + fifo.rejected();
                counted.rejected += fifo.rejected();
            }
        }
        counted.busy = m_server->GetBusy();
        return counted;
    }

    /// The server's is port 0, unit i's is port i.
    void AddPort(const ns3::Ptr<WatershedNetDeviceImpl>& port, const ns3::Mac48Address& behind) {
        m_switch->AddPort(port);
        m_switch->LearnAddress(behind, port);
        if (m_ipbus.loss_one_in == 0) return;
        port->SetAttribute("ReceiveErrorModel", ns3::PointerValue(m_damage));
        port->TraceConnectWithoutContext("PhyRxDrop", ns3::MakeCallback(&Readout::Damaged, this));
    }
    void Damaged(ns3::Ptr<const ns3::Packet> frame) {
        const auto to = m_unitOf.find(DestinationOf(*frame));
        const auto unit = to == m_unitOf.end() ? m_unitOf.find(SourceOf(*frame)) : to;
        m_ledger.lost({0, unit->second, 0}, Now(), IpbusDamage::kDamaged);
    }
    void Lost(ns3::Ptr<const ns3::Packet>, std::uint32_t input, std::uint32_t output, const LossCause& cause) {
        m_ledger.lost({0, static_cast<int>(std::max(input, output)), 0}, Now(), cause);
    }
    void Occupied(std::uint32_t port, std::int64_t, std::int64_t bytes) {
        if (port == 0) m_peak = std::max(m_peak, Bytes{bytes});
    }

    void WarmedUp() { m_atWarmUp = Count(); }

    void End() {
        m_atEnd = Count();
        m_ended = Now();
        m_server->EndBlocks();
        for (IpbusBoard& board : m_boards) board.EndTriggers(Now());
    }

    const Ipbus& m_ipbus;
    IpbusPoint m_point;
    Ledger m_ledger;
    TriggerTrain m_triggers;
    ns3::Ptr<WatershedSwitchImpl> m_switch = ns3::CreateObject<WatershedSwitchImpl>();
    ns3::Ptr<IpbusDamage> m_damage;
    std::map<ns3::Mac48Address, int> m_unitOf;
    Bytes m_peak{0};  ///< largest amount that waits for the server
    std::optional<IpbusServer> m_server;
    ns3::Ptr<WatershedNetDeviceImpl> m_serverPort;
    std::deque<IpbusUnit> m_units;
    std::deque<IpbusBoard> m_boards;
    Counted m_atWarmUp, m_atEnd;
    Time m_ended{0};
};

}  // namespace

IpbusResult simulate_ipbus(const Ipbus& ipbus, const IpbusPoint& point, std::uint64_t seed, const std::string& pcap) {
    const Ns3Session session;
    Readout readout(ipbus, point, seed);
    WatershedPcap capture;
    if (!pcap.empty()) capture.Capture(readout.ServerPort(), pcap);
    ns3::Simulator::Run();
    capture.Commit();
    return readout.Result();
}

}  // namespace watershed
