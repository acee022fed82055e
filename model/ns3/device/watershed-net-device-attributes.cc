// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/integer.h>
#include <ns3/pointer.h>

#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/device/watershed-net-device.h"

namespace watershed {

ns3::TypeId WatershedNetDevice::GetTypeId() {
    using Self = WatershedNetDeviceImpl;
    static const WatershedTypeId<Self, ns3::NetDevice> type(ns3::TypeId("ns3::WatershedNetDevice"), [](auto& table) {
        table.Add("Mtu", 1500, ns3::MakeUintegerChecker<std::uint16_t>(), &Self::SetMtu, &Self::GetMtu,
                  "Largest payload of a frame, in bytes.");
        table.Add("Address", ns3::Mac48AddressValue(ns3::Mac48Address("02:00:00:00:00:00")),
                  ns3::MakeMac48AddressChecker(), &Self::m_address, "MAC address of the port.");
        table.Add("DataRate", ns3::DataRate("1Gbps"), ns3::MakeDataRateChecker(), &Self::SetDataRate,
                  &Self::GetDataRate,
                  "Nominal rate of the link. During a run, of the frames that are handed over from then on; refused "
                  "where the port's switch has flow control or an inside for one rate.");
        table.Add("ClockTolerance", ns3::IntegerValue(0), ns3::MakeIntegerChecker<std::int64_t>(),
                  &Self::SetClockTolerance, &Self::GetClockTolerance,
                  "How much faster than nominal the sender's clock runs, in parts in 10^9.");
        table.Add("FifoLimit", 0, ns3::MakeUintegerChecker<std::uint32_t>(), &Self::SetFifoLimit, &Self::GetFifoLimit,
                  "Frames the output FIFO holds, the one being sent included; 0 is no limit.");
        table.Add("LinkOverhead", ns3::IntegerValue(24), ns3::MakeIntegerChecker<std::int64_t>(), &Self::m_linkOverhead,
                  "Bytes a frame costs the link beyond its own without FCS: preamble 8, FCS 4, gap 12.");
        table.Add(
            "ObeysPause", false, ns3::MakeBooleanChecker(), &Self::SetObeysPause, &Self::GetObeysPause,
            "The port of a host stops when PAUSE and priority flow control frames tell it to. Before its first frame.");
        table.Add("PauseReaction", ns3::Time(0), &Self::m_pauseReaction,
                  "Of the port of a host: from the end of a frame about pauses to its effect.");

        // Attributes of the memory, which count from the beginning of a run.
        const auto add = [&](const char* name, auto field, const auto& initial,
                             const ns3::Ptr<const ns3::AttributeChecker>& checker, const char* help) {
            using Value = std::decay_t<decltype(initial)>;
            const auto write = [=](Self& self, const Value& value) {
                if (!self.IsInitialized()) return Read(value.Get(), self.*field);
                NS_FATAL_ERROR_CONT(name << " of a WatershedNetDevice can only be set before the run: the memory of a "
                                            "switch and what surrounds it are made when the run begins");
                return false;
            };
            const auto show = [=](const Self& self) { return ValueOf(self.*field); };
            table.id.AddAttribute(name, help, initial, ns3::Create<WatershedAccessor<Self, Value>>(write, show),
                                  checker);
        };
        const auto size = ns3::MakeQueueSizeChecker(), text = ns3::MakeStringChecker();
        const ns3::QueueSizeValue none(ns3::QueueSize("0B"));
        const ns3::StringValue empty("");
        add("WredFrom", &Self::m_wredFrom, none, size,
            "Of a port of a switch: with WredTo, in place of the switch's own.");
        add("WredTo", &Self::m_wredTo, none, size,
            "Of a port of a switch: in place of the switch's own WredTo, for frames that leave by this port; before "
            "the run. 0B: the switch's own.");
        add("WredProbability", &Self::m_wredProbability, ns3::DoubleValue(0), ns3::MakeDoubleChecker<double>(0, 1),
            "Of a port of a switch: with WredTo, in place of the switch's own.");
        add("Headroom", &Self::m_headroom, none, size,
            "Of a port of a switch: in place of the switch's own Headroom, for frames that come by this port; before "
            "the run. 0B: the switch's own.");
        add("PauseAlpha", &Self::m_pauseAlpha, ns3::DoubleValue(0), ns3::MakeDoubleChecker<double>(0),
            "Of a port of a switch: in place of the switch's own PauseAlpha, for the sender at this port; before the "
            "run. 0: the switch's own.");
        add("ClassHeadrooms", &Self::m_classHeadrooms, empty, text,
            "Of a port of a switch: in place of Headroom for classes 0, 1, …, as \"20kB,0B\"; those that any port has "
            "are apart at each; before the run.");
        add("PauseClassAlphas", &Self::m_pauseClassAlphas, empty, text,
            "Of a port of a switch: in place of PauseAlpha for classes 0, 1, …, as \"0.5,8\"; before the run.");
        table.Add("ReceiveErrorModel", ns3::PointerValue(), ns3::MakePointerChecker<ns3::ErrorModel>(),
                  &Self::m_receiveErrors, "Which of the frames that arrive are damaged, and dropped.");

        const auto trace = [&](const char* name, auto field, const char* help) {
            table.Trace(name, field, "ns3::Packet::TracedCallback", help);
        };
        // Towards the node
        trace("MacTx", &Self::m_macTx, "A frame was handed to the port.");
        trace("MacTxDrop", &Self::m_macTxDrop, "The output FIFO was full, or the cable has failed.");
        trace("MacRx", &Self::m_macRx, "A frame for this node goes up to it, or any frame to the device's handler.");
        // Towards the cable
        trace("PhyTxBegin", &Self::m_phyTxBegin, "The first bit leaves.");
        trace("PhyTxEnd", &Self::m_phyTxEnd, "The last bit has left, and the gap behind it.");
        trace("PhyRxEnd", &Self::m_phyRxEnd, "The last bit has arrived.");
        trace("PhyRxDrop", &Self::m_phyRxDrop, "The frame that has arrived was damaged.");
        trace("Sniffer", &Self::m_sniffer,
              "Every frame, as it has left or, if it is for this port or a group, arrived.");
        trace("PromiscSniffer", &Self::m_promiscSniffer, "Every frame, as it has left or arrived.");
        table.Trace("Pause", &Self::m_pause, "ns3::WatershedNetDevice::PauseTracedCallback",
                    "The port was told to pause for so many quanta of 512 bit times, or to go on if there are none; "
                    "and the traffic class that this is about, 8 if all are.");
    });
    return type.id;
}

bool WatershedNetDeviceImpl::SetMtu(std::uint16_t mtu) {
    NS_LOG_FUNCTION(this << mtu);
    m_mtu = mtu;
    return true;
}

bool WatershedNetDeviceImpl::SetRate(const char* attribute, ns3::DataRate rate, std::int64_t tolerance) {
    NS_LOG_FUNCTION(this << attribute << rate << tolerance);
    if (!TakesRate(attribute)) return false;
    m_rate = rate;
    m_tolerance = tolerance;
    if (m_fifo) m_fifo->set_rate(GetRate(), ClockTolerance{m_tolerance});
    return true;
}

bool WatershedNetDeviceImpl::TakesRate(const char* attribute) const {
    if (!m_handler || m_handler->TakesRates()) return true;
    NS_FATAL_ERROR_CONT(
        attribute << " of a port of a switch with flow control, Queueing other than output, InputFifo, "
                     "FabricRate, CutThrough, ClassRates, Gates or Dram can only be set before the run: what "
                     "is inside is made of it");
    return false;
}

bool WatershedNetDeviceImpl::SetObeysPause(bool obeys) {
    NS_LOG_FUNCTION(this << obeys);
    if (m_fifo) return obeys == m_obeysPause;  // its frames are on their way
    m_obeysPause = obeys;
    return true;
}

void WatershedNetDeviceImpl::SetFifoLimit(std::uint32_t limit) {
    NS_LOG_FUNCTION(this << limit);
    m_fifoLimit = limit;
    if (!m_fifo) return;
    std::deque<Timestamp> departures;
    for (const Departing& queued : m_queue) departures.push_back(queued.departure);
    m_fifo->set_capacity(FifoCapacity(), std::move(departures));
}

std::optional<Buffer::Early> WatershedNetDeviceImpl::GetEarlyDetection() const {
    if (m_wredTo.amount == 0) return std::nullopt;
    return Buffer::Early{m_wredFrom, m_wredTo, RatioOf(m_wredProbability)};
}

std::optional<MemorySize> WatershedNetDeviceImpl::GetHeadroom(int trafficClass) const {
    const auto index = static_cast<std::size_t>(trafficClass);
    return index < m_classHeadrooms.size() ? m_classHeadrooms[index] : m_headroom;
}

std::optional<Ratio> WatershedNetDeviceImpl::GetPauseAlpha(int trafficClass) const {
    const auto index = static_cast<std::size_t>(trafficClass);
    if (index < m_pauseClassAlphas.size()) return m_pauseClassAlphas[index];
    if (m_pauseAlpha == 0) return std::nullopt;
    return RatioOf(m_pauseAlpha);
}

}  // namespace watershed
