// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/integer.h>
#include <ns3/pointer.h>
#include <ns3/trace-source-accessor.h>

#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/device/watershed-net-device.h"

namespace watershed {

template <class T>
ns3::Ptr<const ns3::AttributeAccessor> WatershedNetDeviceImpl::BeforeRun(const char* attribute,
                                                                         T WatershedNetDeviceImpl::*field) {
    using Value = decltype(ValueOf(T()));
    const auto write = [=](WatershedNetDeviceImpl& self, const Value& value) {
        if (!self.IsInitialized()) return Read(value.Get(), self.*field);
        NS_FATAL_ERROR_CONT(attribute << " of a WatershedNetDevice can only be set before the run: the memory of a "
                                         "switch and what surrounds it are made when the run begins");
        return false;
    };
    return ns3::Create<WatershedAccessor<WatershedNetDeviceImpl, Value>>(
        write, [=](const WatershedNetDeviceImpl& self) { return ValueOf(self.*field); });
}

ns3::TypeId WatershedNetDevice::GetTypeId() {
    using Self = WatershedNetDeviceImpl;
    static const char* const kCallback = "ns3::Packet::TracedCallback";
    static const ns3::TypeId tid =
        ns3::TypeId("ns3::WatershedNetDevice")
            .SetParent<ns3::NetDevice>()
            .SetGroupName("Watershed")
            .AddConstructor<Self>()
            .AddAttribute("Mtu", "Largest payload of a frame, in bytes.", ns3::UintegerValue(1500),
                          ns3::MakeUintegerAccessor(&Self::SetMtu, &Self::GetMtu),
                          ns3::MakeUintegerChecker<std::uint16_t>())
            .AddAttribute("Address", "MAC address of the port.",
                          ns3::Mac48AddressValue(ns3::Mac48Address("02:00:00:00:00:00")),
                          ns3::MakeMac48AddressAccessor(&Self::m_address), ns3::MakeMac48AddressChecker())
            .AddAttribute("DataRate",
                          "Nominal rate of the link. During a run, of the frames that are handed over from then on; "
                          "refused where the port's switch has flow control or an inside for one rate.",
                          ns3::DataRateValue(ns3::DataRate("1Gbps")),
                          ns3::MakeDataRateAccessor(&Self::SetDataRate, &Self::GetDataRate), ns3::MakeDataRateChecker())
            .AddAttribute("ClockTolerance", "How much faster than nominal the sender's clock runs, in parts in 10^9.",
                          ns3::IntegerValue(0),
                          ns3::MakeIntegerAccessor(&Self::SetClockTolerance, &Self::GetClockTolerance),
                          ns3::MakeIntegerChecker<std::int64_t>())
            .AddAttribute("FifoLimit", "Frames the output FIFO holds, the one being sent included; 0 is no limit.",
                          ns3::UintegerValue(0), ns3::MakeUintegerAccessor(&Self::SetFifoLimit, &Self::GetFifoLimit),
                          ns3::MakeUintegerChecker<std::uint32_t>())
            .AddAttribute("LinkOverhead",
                          "Bytes a frame costs the link beyond its own without FCS: preamble 8, FCS 4, gap 12.",
                          ns3::IntegerValue(24), ns3::MakeIntegerAccessor(&Self::m_linkOverhead),
                          ns3::MakeIntegerChecker<std::int64_t>())
            .AddAttribute("ObeysPause",
                          "The port of a host stops when PAUSE and priority flow control frames tell it to. Before its "
                          "first frame.",
                          ns3::BooleanValue(false),
                          ns3::MakeBooleanAccessor(&Self::SetObeysPause, &Self::GetObeysPause),
                          ns3::MakeBooleanChecker())
            .AddAttribute("PauseReaction", "Of the port of a host: from the end of a frame about pauses to its effect.",
                          ns3::TimeValue(ns3::Time(0)), ns3::MakeTimeAccessor(&Self::m_pauseReaction),
                          ns3::MakeTimeChecker(ns3::Time(0)))
            .AddAttribute("WredFrom", "Of a port of a switch: with WredTo, in place of the switch's own.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")), Self::BeforeRun("WredFrom", &Self::m_wredFrom),
                          ns3::MakeQueueSizeChecker())
            .AddAttribute("WredTo",
                          "Of a port of a switch: in place of the switch's own WredTo, for frames that leave by this "
                          "port; before the run. 0B: the switch's own.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")), Self::BeforeRun("WredTo", &Self::m_wredTo),
                          ns3::MakeQueueSizeChecker())
            .AddAttribute("WredProbability", "Of a port of a switch: with WredTo, in place of the switch's own.",
                          ns3::DoubleValue(0), Self::BeforeRun("WredProbability", &Self::m_wredProbability),
                          ns3::MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Headroom",
                          "Of a port of a switch: in place of the switch's own Headroom, for frames that come by this "
                          "port; before the run. 0B: the switch's own.",
                          ns3::QueueSizeValue(ns3::QueueSize("0B")), Self::BeforeRun("Headroom", &Self::m_headroom),
                          ns3::MakeQueueSizeChecker())
            .AddAttribute(
                "PauseAlpha",
                "Of a port of a switch: in place of the switch's own PauseAlpha, for the sender at this port; "
                "before the run. 0: the switch's own.",
                ns3::DoubleValue(0), Self::BeforeRun("PauseAlpha", &Self::m_pauseAlpha),
                ns3::MakeDoubleChecker<double>(0))
            .AddAttribute("ClassHeadrooms",
                          "Of a port of a switch: in place of Headroom for classes 0, 1, …, as \"20kB,0B\"; those that "
                          "any port has are apart at each; before the run.",
                          ns3::StringValue(""), Self::BeforeRun("ClassHeadrooms", &Self::m_classHeadrooms),
                          ns3::MakeStringChecker())
            .AddAttribute("PauseClassAlphas",
                          "Of a port of a switch: in place of PauseAlpha for classes 0, 1, …, as \"0.5,8\"; before the "
                          "run.",
                          ns3::StringValue(""), Self::BeforeRun("PauseClassAlphas", &Self::m_pauseClassAlphas),
                          ns3::MakeStringChecker())
            .AddAttribute("ReceiveErrorModel", "Which of the frames that arrive are damaged, and dropped.",
                          ns3::PointerValue(), ns3::MakePointerAccessor(&Self::m_receiveErrors),
                          ns3::MakePointerChecker<ns3::ErrorModel>())
            // Towards the node
            .AddTraceSource("MacTx", "A frame was handed to the port.", ns3::MakeTraceSourceAccessor(&Self::m_macTx),
                            kCallback)
            .AddTraceSource("MacTxDrop", "The output FIFO was full, or the cable has failed.",
                            ns3::MakeTraceSourceAccessor(&Self::m_macTxDrop), kCallback)
            .AddTraceSource("MacRx", "A frame for this node goes up to it, or any frame to the device's handler.",
                            ns3::MakeTraceSourceAccessor(&Self::m_macRx), kCallback)
            // Towards the cable
            .AddTraceSource("PhyTxBegin", "The first bit leaves.", ns3::MakeTraceSourceAccessor(&Self::m_phyTxBegin),
                            kCallback)
            .AddTraceSource("PhyTxEnd", "The last bit has left, and the gap behind it.",
                            ns3::MakeTraceSourceAccessor(&Self::m_phyTxEnd), kCallback)
            .AddTraceSource("PhyRxEnd", "The last bit has arrived.", ns3::MakeTraceSourceAccessor(&Self::m_phyRxEnd),
                            kCallback)
            .AddTraceSource("PhyRxDrop", "The frame that has arrived was damaged.",
                            ns3::MakeTraceSourceAccessor(&Self::m_phyRxDrop), kCallback)
            .AddTraceSource("Sniffer", "Every frame, as it has left or, if it is for this port or a group, arrived.",
                            ns3::MakeTraceSourceAccessor(&Self::m_sniffer), kCallback)
            .AddTraceSource("PromiscSniffer", "Every frame, as it has left or arrived.",
                            ns3::MakeTraceSourceAccessor(&Self::m_promiscSniffer), kCallback)
            .AddTraceSource(
                "Pause",
                "The port was told to pause for so many quanta of 512 bit times, or to go on if there are none; and "
                "the traffic class that this is about, 8 if all are.",
                ns3::MakeTraceSourceAccessor(&Self::m_pause), "ns3::WatershedNetDevice::PauseTracedCallback");
    return tid;
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
