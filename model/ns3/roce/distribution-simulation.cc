// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/roce/distribution-simulation.h"

#include <ns3/simulator.h>
#include <ns3/uinteger.h>

#include <deque>

#include "model/base/random.h"
#include "model/frontend/ledger.h"
#include "model/ns3/base/ns3-session.h"
#include "model/ns3/device/watershed-pcap.h"
#include "model/ns3/helper/watershed-helper.h"
#include "model/ns3/roce/roce-consumer.h"
#include "model/ns3/roce/roce-frame.h"
#include "model/ns3/roce/roce-producer.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/roce/event-scheduler.h"

namespace watershed {
namespace {

/// One run: its parts, and what they count.
class Farm {
  public:
    Farm(const Distribution& distribution, std::uint64_t seed, const std::function<void(std::int64_t)>& progress)
        : m_distribution(distribution), m_progress(progress), m_ledger(nullptr), m_scheduler(distribution) {
        const auto switch_node = ns3::CreateObject<ns3::Node>();
        switch_node->AddDevice(m_switch);
        ConfigureSwitch(seed);

        WatershedHelper helper;
        const auto connect_host = [&](BitRate rate) {
            const auto node = ns3::CreateObject<ns3::Node>();
            const auto [device, port] = helper.Connect(node, switch_node, rate, distribution.cable_delay);
            const ns3::Mac48Address address = MacOf(roce::host(static_cast<int>(m_ports.size())));
            device->SetAttribute("Address", ns3::Mac48AddressValue(address));
            m_switch->AddPort(port);
            m_switch->LearnAddress(address, port);
            m_ports.push_back(port);
            return device;
        };
        for (int i = 0; i < distribution.producers.count; ++i) {
            m_producers.emplace_back(connect_host(distribution.producers.link_rate), distribution, i,
                                     [this](int from, int to, bool complete) { EventClosed(from, to, complete); });
        }
        for (int i = 0; i < distribution.consumers.count; ++i) {
            m_consumers.emplace_back(connect_host(distribution.consumer_rate(i)), distribution, i, seed,
                                     [this](const roce::Headers& headers, const LossCause* cause, Time now) {
                                         FrameDone(headers, cause, now);
                                     });
        }
        m_before = Count();
        ns3::Simulator::Schedule(ns3::Time(0), &Farm::Begin, this);
        ns3::Simulator::Schedule(ToNs3(distribution.warm_up), &Farm::WarmedUp, this);
        ns3::Simulator::Schedule(ToNs3(distribution.duration), &Farm::End, this);
    }

    WatershedNetDeviceImpl& FirstConsumerPort() {
        return *m_ports[static_cast<std::size_t>(m_distribution.producers.count)];
    }

    DistributionResult Result() {
        for (const RoceProducer& producer : m_producers) {
            m_result.frames_sent += producer.GetFramesSent();
            m_result.notifications += producer.GetNotifications();
        }
        for (const RoceConsumer& consumer : m_consumers) m_result.frames_received += consumer.GetFramesTaken();
        m_result.losses = m_ledger.losses();
        m_result.producers_paused = m_switch->GetPauses();
        m_result.switch_paused = m_switch->GetPausesObeyed();
        m_result.frames_marked = m_marked;
        m_result.peak = m_switch->GetMemory().peak_bytes();
        m_result.peak_frames = m_switch->GetMemory().peak_frames();
        m_result.simulated = m_distribution.duration;
        m_result.check_conservation();
        return m_result;
    }

  private:
    struct Counted {
        std::vector<Bytes> sent, received;
        Time busy{0};
    };

    /// Data wait for their output in the shared memory, which is accounted for by input: an input that has its share
    /// tells its producer to pause, and what comes until that works goes to the input's headroom. Congestion
    /// notifications are of no account.
    void ConfigureSwitch(std::uint64_t seed) {
        const DistributionSwitch& parameters = m_distribution.network_switch;
        const Dcqcn& dcqcn = m_distribution.dcqcn;
        const auto in_bytes = [](Bytes bytes) { return MemorySize{bytes.count, MemorySize::Unit::Byte}; };
        m_switch->ChangeSetting("Size", [&](WatershedSwitchSettings& settings) {
            Buffer& buffer = settings.network_switch.buffer;
            buffer.size = parameters.buffer;
            buffer.accounting = Buffer::Accounting::Ingress;
            buffer.ecn = dcqcn.enabled;
            if (dcqcn.enabled) {
                buffer.wred_from = in_bytes(dcqcn.mark_from);
                buffer.wred_to = in_bytes(dcqcn.mark_to);
                buffer.wred_probability = dcqcn.mark_probability;
            }
            if (!parameters.flow_control) return;
            buffer.headroom = in_bytes(parameters.headroom);
            FlowControl& control = settings.network_switch.flow_control;
            control.kind = FlowControl::Kind::Pfc;
            control.quanta = parameters.quanta;
            control.alpha = parameters.alpha;
            control.xon_offset = in_bytes(parameters.xon_offset);
        });
        m_switch->SetAttribute("ControlClass", ns3::UintegerValue(roce::kControlClass));
        m_switch->SetAttribute("ExpirationTime", ns3::TimeValue(ns3::Hours(1000)));
        m_switch->TakeAsTheyCome();
        m_switch->SetLots([this, seed] { return random_bits(seed, Stream::DistributionMark, ++m_lots); });
        m_switch->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Farm::Lost, this));
        m_switch->TraceConnectWithoutContext("Mark", ns3::MakeCallback(&Farm::Marked, this));
    }
    void Lost(ns3::Ptr<const ns3::Packet> frame, std::uint32_t, std::uint32_t, const LossCause& cause) {
        FrameDone(*ReadRoceFrame(*frame), &cause, Now());
    }
    void Marked(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t) { ++m_marked; }

    Counted Count() const {
        Counted counted;
        for (const RoceProducer& producer : m_producers) counted.sent.push_back(producer.GetDataSent());
        for (const RoceConsumer& consumer : m_consumers) {
            counted.received.push_back(consumer.GetDataReceived());
            counted.busy += consumer.GetBusyTime(Now());
        }
        return counted;
    }

    void Begin() {
        for (int turn = 0; turn < m_distribution.producers.in_flight; ++turn)
            for (int producer = 0; producer < m_distribution.producers.count; ++producer) NextEvent(producer, Now());
    }

    void NextEvent(int producer, Time now) {
        if (m_ended) return;
        const auto consumer = m_scheduler.next(producer);
        if (!consumer) return;
        ++m_result.events_sent;
        m_producers[static_cast<std::size_t>(producer)].Post(*consumer, now);
    }

    void FrameDone(const roce::Headers& headers, const LossCause* cause, Time now) {
        const int consumer = headers.destination - m_distribution.producers.count;
        if (cause) m_ledger.lost({0, headers.source + 1, 0}, now, *cause);
        m_producers[static_cast<std::size_t>(headers.source)].Account(consumer, headers.number, cause == nullptr);
    }

    void EventClosed(int producer, int consumer, bool complete) {
        ++(complete ? m_result.events_complete : m_result.events_incomplete);
        ns3::Simulator::Schedule(ToNs3(complete ? m_distribution.control_delay : m_distribution.timeout),
                                 &Farm::PlaceIsFree, this, producer, consumer);
    }

    void PlaceIsFree(int producer, int consumer) {
        const auto waiting = m_scheduler.credited(consumer);
        if (waiting) NextEvent(*waiting, Now());
        NextEvent(producer, Now());
    }

    void WarmedUp() {
        m_before = Count();
        ns3::Simulator::Schedule(ToNs3(m_distribution.window), &Farm::EndWindow, this);
    }

    void EndWindow() {
        if (m_ended) return;
        const Counted counted = Count();
        DistributionResult::Window window;
        const double picoseconds = static_cast<double>(m_distribution.window.count());
        const auto rates = [&](const std::vector<Bytes>& after, const std::vector<Bytes>& before,
                               std::vector<double>& gbps) {
            for (std::size_t i = 0; i < after.size(); ++i)
                gbps.push_back(static_cast<double>((after[i] - before[i]).count) * 8e3 / picoseconds);
        };
        window.end = Now();
        rates(counted.sent, m_before.sent, window.producers_gbps);
        rates(counted.received, m_before.received, window.consumers_gbps);
        window.busy = static_cast<double>((counted.busy - m_before.busy).count()) / picoseconds;
        window.peak = m_switch->GetMemory().peak_bytes();
        m_result.windows.push_back(std::move(window));
        m_before = counted;
        m_progress(static_cast<std::int64_t>(m_result.windows.size()));
        ns3::Simulator::Schedule(ToNs3(m_distribution.window), &Farm::EndWindow, this);
    }

    void End() {
        if (Now() - m_distribution.warm_up >=
            m_distribution.window * static_cast<std::int64_t>(m_result.windows.size() + 1))
            EndWindow();
        m_ended = true;
        for (const RoceProducer& producer : m_producers) m_result.producer_pause_time += producer.GetPauseTime(Now());
        m_result.switch_pause_time = m_switch->GetPauseTime(Now());
        for (RoceConsumer& consumer : m_consumers) consumer.End(Now());
    }

    const Distribution& m_distribution;
    const std::function<void(std::int64_t)>& m_progress;
    Ledger m_ledger;
    EventScheduler m_scheduler;
    ns3::Ptr<WatershedSwitchImpl> m_switch = ns3::CreateObject<WatershedSwitchImpl>();
    std::uint64_t m_lots = 0;
    std::int64_t m_marked = 0;
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> m_ports;  ///< ports of the switch
    std::deque<RoceProducer> m_producers;
    std::deque<RoceConsumer> m_consumers;
    Counted m_before;
    DistributionResult m_result;
    bool m_ended = false;
};

}  // namespace

DistributionResult simulate_distribution(const Distribution& distribution, std::uint64_t seed, const std::string& pcap,
                                         const std::function<void(std::int64_t)>& progress) {
    const Ns3Session session;
    Farm farm(distribution, seed, progress);
    WatershedPcap capture;
    if (!pcap.empty()) capture.Capture(farm.FirstConsumerPort(), pcap);
    ns3::Simulator::Run();
    capture.Commit();
    return farm.Result();
}

}  // namespace watershed
