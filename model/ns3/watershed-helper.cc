// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/watershed-helper.h"

#include <ns3/enum.h>
#include <ns3/integer.h>
#include <ns3/uinteger.h>

#include <stdexcept>

#include "model/uplinks.h"

namespace watershed {
namespace {

template <class Value>
ns3::IntegerValue Integer(Value value) { return ns3::IntegerValue(static_cast<std::int64_t>(value)); }
template <class Value>
ns3::UintegerValue Unsigned(Value value) { return ns3::UintegerValue(static_cast<std::uint64_t>(value)); }

/// The devices count what a frame costs from its bytes, the scenario from its payload.
std::int64_t BeyondFrame(Bytes overhead) { return overhead.count - WatershedFragmentFrame::kHeaders; }

void SetRate(WatershedNetDevice& device, BitRate rate, const FrameFormat& frame) {
    device.SetAttribute("DataRate", ns3::DataRateValue(ns3::DataRate(static_cast<std::uint64_t>(rate.count))));
    device.SetAttribute("LinkOverhead", Integer(BeyondFrame(frame.wire_overhead)));
    device.SetAttribute("Mtu", Unsigned(frame.mtu.count));
}

/// In frames; to a device, 0 is no limit.
std::int64_t FifoLimit(const FrontEnd& front_end) {
    if (!front_end.fifo) return 0;
    if (*front_end.fifo < 1) throw std::invalid_argument("a front-end FIFO holds at least the frame being sent");
    return std::min<std::int64_t>(*front_end.fifo, UINT32_MAX);
}

}  // namespace

std::pair<ns3::Ptr<WatershedNetDevice>, ns3::Ptr<WatershedNetDevice>> WatershedHelper::Connect(ns3::Ptr<ns3::Node> from,
                                                                                                ns3::Ptr<ns3::Node> to) const {
    const auto channel = m_channel.Create<WatershedChannel>();
    const auto device_on = [&](const ns3::Ptr<ns3::Node>& node) {
        const auto device = m_device.Create<WatershedNetDevice>();
        node->AddDevice(device);
        device->Attach(channel);
        return device;
    };
    const auto first = device_on(from);
    return {first, device_on(to)};
}

WatershedCamera WatershedHelper::Install(const Scenario& scenario) const {
    const FrontEnd& front_end = scenario.front_end;
    const Switch& network_switch = scenario.network_switch;
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    if (front_end.modules > WatershedEventHeader::kLargestModule)
        throw std::invalid_argument("the event header counts up to " + std::to_string(WatershedEventHeader::kLargestModule) + " modules");

    WatershedCamera camera;
    camera.frontEnds.Create(static_cast<std::uint32_t>(front_end.modules));
    camera.switchNode = ns3::CreateObject<ns3::Node>();
    camera.serverNode = ns3::CreateObject<ns3::Node>();

    camera.networkSwitch = ns3::CreateObject<WatershedSwitch>();
    camera.networkSwitch->SetAttribute("Latency", ns3::TimeValue(ToNs3(network_switch.latency)));
    camera.networkSwitch->SetAttribute("ArrivalOrder", ns3::EnumValue(static_cast<int>(network_switch.arrival_order)));
    camera.networkSwitch->SetAttribute("Seed", Unsigned(scenario.seed));
    camera.networkSwitch->SetAttribute("BufferOverhead", Integer(BeyondFrame(scenario.frame.buffer_overhead)));
    camera.networkSwitch->SetMemory(make_switch_memory(network_switch.buffer, front_end.modules, network_switch.uplinks));
    UplinkSelector selector(network_switch, front_end);
    camera.networkSwitch->SetSelector(selector);
    camera.networkSwitch->SetRelease(network_switch.buffer.release);
    if (network_switch.buffer.wred_to.amount > 0) camera.networkSwitch->SetEarlyDrop(network_switch.buffer);
    camera.switchNode->AggregateObject(camera.networkSwitch);

    camera.trigger = ns3::CreateObject<WatershedTriggerSource>();
    camera.trigger->SetTrain(TriggerTrain(scenario.trigger, scenario.seed));

    const auto departures = ns3::Create<WatershedDepartures>();
    for (int module = 1; module <= front_end.modules; ++module) {
        const auto node = camera.frontEnds.Get(static_cast<std::uint32_t>(module - 1));
        const auto [device, input] = Connect(node, camera.switchNode);
        SetRate(*device, front_end.link_rate, scenario.frame);
        const FragmentEndpoint source = EndpointOf(module_endpoint(front_end, module));
        device->SetAddress(source.mac);
        device->SetDepartures(departures);
        device->SetAttribute("ClockTolerance", Integer(module_timing(front_end, scenario.seed, module).tolerance.count));
        device->SetAttribute("FifoLimit", Unsigned(FifoLimit(front_end)));
        camera.frontEndDevices.push_back(device);
        camera.networkSwitch->AddInput(input);

        const auto sender = ns3::CreateObject<WatershedFragmentSender>();
        sender->SetAttribute("Module", Unsigned(module));
        sender->SetAttribute("Run", Unsigned(static_cast<std::uint32_t>(scenario.seed)));
        sender->SetFrames(frames);
        sender->SetTiming(FragmentTiming(front_end, scenario.seed, module));
        sender->SetTrigger(scenario.trigger);
        sender->SetSource(source);
        // Flows that may take any uplink go to the one address of the group.
        const auto rule = network_switch.uplink_choice.rule;
        const bool grouped = rule == UplinkChoice::Rule::Hash || rule == UplinkChoice::Rule::RoundRobin;
        sender->SetDestination(ServerEndpoint(grouped ? 0 : selector.next(module)));
        node->AddApplication(sender);
        camera.senders.push_back(sender);
        camera.trigger->Add(sender);
    }
    for (int uplink = 0; uplink < network_switch.uplinks; ++uplink) {
        const auto [device, server] = Connect(camera.switchNode, camera.serverNode);
        SetRate(*device, network_switch.uplink_rate, scenario.frame);
        server->SetAddress(ServerEndpoint(uplink).mac);
        camera.networkSwitch->AddUplink(device);
        camera.uplinkDevices.push_back(device);
        camera.serverDevices.push_back(server);
    }

    camera.sink = ns3::CreateObject<WatershedFragmentSink>();
    camera.sink->SetAttribute("Modules", Unsigned(front_end.modules));
    camera.sink->SetAttribute("FramesPerFragment", Unsigned(frames.size()));
    camera.sink->SetTrigger(scenario.trigger);
    camera.serverNode->AddApplication(camera.sink);

    // ns-3 starts applications in the order of their nodes: the last one finds all others ready for a trigger at time 0.
    camera.triggerNode = ns3::CreateObject<ns3::Node>();
    camera.triggerNode->AddApplication(camera.trigger);
    return camera;
}

}  // namespace watershed
