// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/helper/watershed-switch-helper.h"

#include <ns3/arp-cache.h>
#include <ns3/boolean.h>
#include <ns3/ipv4-interface.h>
#include <ns3/ipv4-l3-protocol.h>
#include <ns3/net-device-queue-interface.h>
#include <ns3/pcap-file-wrapper.h>
#include <ns3/uinteger.h>

#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/ns3/switch/watershed-switch-topology.h"

namespace watershed {
namespace {

constexpr auto kEthernet = static_cast<ns3::PcapHelper::DataLinkType>(1);  // its name differs from ns-3 3.49 on

ns3::Ptr<WatershedNetDeviceImpl> Addressed(const ns3::Ptr<WatershedNetDeviceImpl>& device) {
    device->SetAddress(ns3::Mac48Address::Allocate());
    return device;
}

}  // namespace

ns3::LogComponent WatershedSwitchHelper::g_log("WatershedSwitchHelper", __FILE__);

WatershedSwitchHelper::WatershedSwitchHelper() { SetDeviceAttribute("FifoLimit", ns3::UintegerValue(100)); }

void WatershedSwitchHelper::Set(const std::string& name, const ns3::AttributeValue& value) {
    NS_LOG_FUNCTION(this << name);
    m_switch.Set(name, value);
    m_chosen.emplace_back(name, value.Copy());
}

ns3::Ptr<WatershedSwitchImpl> WatershedSwitchHelper::SwitchOf(const ns3::Ptr<ns3::Node>& node) const {
    if (const auto there = WatershedSwitchImpl::Of(node)) return there;
    const auto made = m_switch.Create<WatershedSwitchImpl>();
    for (const auto& [name, value] : m_chosen) made->SetAttribute(name, *value);  // whatever a model has
    made->SetAddress(ns3::Mac48Address::Allocate());
    node->AddDevice(made);
    return made;
}

ns3::NetDeviceContainer WatershedSwitchHelper::Install(const ns3::NodeContainer& hosts,
                                                       ns3::Ptr<ns3::Node> switch_node) const {
    NS_LOG_FUNCTION(this << switch_node);
    const auto network_switch = SwitchOf(switch_node);
    const Switch& settings = network_switch->GetSettings().network_switch;
    const bool by_class =
        settings.flow_control.kind == FlowControl::Kind::Pfc && settings.scheduling.kind != Scheduling::Kind::Fifo;
    const ns3::UintegerValue queues(by_class ? kTrafficClasses : 1);
    ns3::NetDeviceContainer devices;
    for (std::uint32_t i = 0; i < hosts.GetN(); ++i) {
        const auto [host, port] = Connect(hosts.Get(i), switch_node);
        host->SetAttribute("ObeysPause", ns3::BooleanValue(true));
        host->AggregateObject(ns3::CreateObjectWithAttributes<ns3::NetDeviceQueueInterface>("NTxQueues", queues));
        devices.Add(Addressed(host));
        network_switch->AddPort(Addressed(port));
    }
    return devices;
}

ns3::NetDeviceContainer WatershedSwitchHelper::Cable(const ns3::Ptr<ns3::Node>& first, Add to_first,
                                                     const ns3::Ptr<ns3::Node>& second, Add to_second) const {
    NS_LOG_FUNCTION(this << first << second);
    const auto one = SwitchOf(first), other = SwitchOf(second);
    const auto [here, there] = Connect(first, second);
    (*one.*to_first)(Addressed(here));
    (*other.*to_second)(Addressed(there));
    ns3::NetDeviceContainer ports(here);
    ports.Add(there);
    return ports;
}

ns3::NetDeviceContainer WatershedSwitchHelper::Join(ns3::Ptr<ns3::Node> first, ns3::Ptr<ns3::Node> second) const {
    return Cable(first, &WatershedSwitchImpl::AddPort, second, &WatershedSwitchImpl::AddPort);
}

ns3::NetDeviceContainer WatershedSwitchHelper::AddUplink(ns3::Ptr<ns3::Node> lower, ns3::Ptr<ns3::Node> upper) const {
    return Cable(lower, &WatershedSwitchImpl::AddUplinkPort, upper, &WatershedSwitchImpl::AddPort);
}

ns3::NetDeviceContainer WatershedSwitchHelper::Bundle(ns3::Ptr<ns3::Node> first, ns3::Ptr<ns3::Node> second) const {
    return Cable(first, &WatershedSwitchImpl::AddUplinkPort, second, &WatershedSwitchImpl::AddUplinkPort);
}

void WatershedSwitchHelper::PopulateTables() {
    NS_LOG_FUNCTION_NOARGS();
    FillTables();
}

void WatershedSwitchHelper::PopulateNeighbors(const ns3::Ipv4InterfaceContainer& interfaces) {
    NS_LOG_FUNCTION(interfaces.GetN());
    std::vector<ns3::Ptr<ns3::Ipv4Interface>> all;
    for (auto each = interfaces.Begin(); each != interfaces.End(); ++each)
        all.push_back(ns3::DynamicCast<ns3::Ipv4L3Protocol>(each->first)->GetInterface(each->second));
    for (const auto& here : all)
        for (const auto& there : all) {
            if (here == there || !here->GetAddress(0).IsInSameSubnet(there->GetAddress(0).GetLocal())) continue;
            const auto cache = here->GetArpCache();
            const auto address = there->GetAddress(0).GetLocal();
            auto* entry = cache->Lookup(address);
            if (!entry) entry = cache->Add(address);
            entry->SetMacAddress(there->GetDevice()->GetAddress());
            entry->MarkPermanent();
        }
}

std::int64_t WatershedSwitchHelper::AssignStreams(const ns3::NodeContainer& switch_nodes, std::int64_t stream) const {
    NS_LOG_FUNCTION(this << stream);
    std::int64_t used = 0;
    for (auto node = switch_nodes.Begin(); node != switch_nodes.End(); ++node)
        if (const auto network_switch = WatershedSwitchImpl::Of(*node))
            used += network_switch->AssignStreams(stream + used);
    return used;
}

void WatershedSwitchHelper::EnablePcapInternal(std::string prefix, ns3::Ptr<ns3::NetDevice> device, bool promiscuous,
                                               bool explicit_filename) {
    NS_LOG_FUNCTION(this << prefix << device);
    const auto port = ns3::DynamicCast<WatershedNetDeviceImpl>(device);
    if (!port) return;  // a device of another kind: EnablePcapAll() asks for every one
    ns3::PcapHelper pcap;
    const auto file = pcap.CreateFile(explicit_filename ? prefix : pcap.GetFilenameFromDevice(prefix, device),
                                      std::ios::out, kEthernet);
    pcap.HookDefaultSink<WatershedNetDeviceImpl>(port, promiscuous ? "PromiscSniffer" : "Sniffer", file);
}

void WatershedSwitchHelper::EnableAsciiInternal(ns3::Ptr<ns3::OutputStreamWrapper> stream, std::string prefix,
                                                ns3::Ptr<ns3::NetDevice> device, bool explicit_filename) {
    NS_LOG_FUNCTION(this << prefix << device);
    const auto port = ns3::DynamicCast<WatershedNetDeviceImpl>(device);
    if (!port) return;
    ns3::Packet::EnablePrinting();
    ns3::AsciiTraceHelper ascii;
    if (!stream)
        stream = ascii.CreateFileStream(explicit_filename ? prefix : ascii.GetFilenameFromDevice(prefix, device));
    const std::string name =
        "/NodeList/" + std::to_string(port->GetNode()->GetId()) + "/DeviceList/" + std::to_string(port->GetIfIndex());
    ascii.HookDefaultEnqueueSinkWithContext<WatershedNetDeviceImpl>(port, name, "MacTx", stream);
    ascii.HookDefaultDequeueSinkWithContext<WatershedNetDeviceImpl>(port, name, "PhyTxBegin", stream);
    for (const char* const lost : {"MacTxDrop", "PhyRxDrop"})
        ascii.HookDefaultDropSinkWithContext<WatershedNetDeviceImpl>(port, name, lost, stream);
    ascii.HookDefaultReceiveSinkWithContext<WatershedNetDeviceImpl>(port, name, "MacRx", stream);
}

}  // namespace watershed
