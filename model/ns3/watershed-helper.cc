// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/watershed-helper.h"

#include <ns3/boolean.h>
#include <ns3/enum.h>
#include <ns3/integer.h>
#include <ns3/uinteger.h>

#include <stdexcept>

#include "model/stepped-run.h"
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

ns3::Ptr<WatershedSwitch> MakeSwitch(const Scenario& scenario) {
    const Switch& parameters = scenario.network_switch;
    const auto network_switch = ns3::CreateObject<WatershedSwitch>();
    network_switch->SetAttribute("Latency", ns3::TimeValue(ToNs3(parameters.latency)));
    network_switch->SetAttribute("ArrivalOrder", ns3::EnumValue(static_cast<int>(parameters.arrival_order)));
    network_switch->SetAttribute("Seed", Unsigned(scenario.seed));
    network_switch->SetAttribute("BufferOverhead", Integer(BeyondFrame(scenario.frame.buffer_overhead)));
    network_switch->SetMemory(make_switch_memory(parameters.buffer, scenario.front_end.modules, parameters.uplinks));
    network_switch->SetSelector(UplinkSelector(parameters, scenario.front_end));
    network_switch->SetRelease(parameters.buffer.release);
    if (parameters.buffer.wred_to.amount > 0) network_switch->SetEarlyDrop(parameters.buffer);
    return network_switch;
}

ns3::Ptr<WatershedSteppedSwitch> MakeSteppedSwitch(const Scenario& scenario, ns3::Ptr<WatershedInstant> instant) {
    const auto network_switch = ns3::CreateObject<WatershedSteppedSwitch>();
    network_switch->SetAttribute("BufferOverhead", Integer(BeyondFrame(scenario.frame.buffer_overhead)));
    network_switch->Install(scenario, instant);
    return network_switch;
}

ns3::Ptr<WatershedPausablePort> MakePausablePort(const Scenario& scenario, int module, ns3::Ptr<WatershedNetDevice> device, ns3::Ptr<WatershedInstant> instant) {
    const auto port = ns3::CreateObject<WatershedPausablePort>();
    port->SetAttribute("ObeysPause", ns3::BooleanValue(scenario.front_end.obeys_pause));
    port->SetAttribute("PauseReaction", ns3::TimeValue(ToNs3(scenario.front_end.pause_reaction)));
    port->Install(device, instant, SteppedSender(scenario.front_end, scenario.seed, module), module);
    return port;
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

    const bool steps = key_that_needs_steps(scenario) != nullptr;
    const auto instant = ns3::Create<WatershedInstant>();
    if (steps)
        camera.switchNode->AggregateObject(camera.steppedSwitch = MakeSteppedSwitch(scenario, instant));
    else
        camera.switchNode->AggregateObject(camera.networkSwitch = MakeSwitch(scenario));
    UplinkSelector selector(network_switch, front_end);

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
        if (steps) {
            input->SetAttribute("DataRate", ns3::DataRateValue(ns3::DataRate(static_cast<std::uint64_t>(front_end.link_rate.count))));
            camera.steppedSwitch->AddInput(input);
            camera.ports.push_back(MakePausablePort(scenario, module, device, instant));
            node->AggregateObject(camera.ports.back());
        } else {
            camera.networkSwitch->AddInput(input);
        }

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
        steps ? camera.steppedSwitch->AddUplink(device) : camera.networkSwitch->AddUplink(device);
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
