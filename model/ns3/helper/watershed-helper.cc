// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/helper/watershed-helper.h"

#include <ns3/enum.h>
#include <ns3/simulator.h>

#include <stdexcept>

#include "model/exact/exact-run.h"
#include "model/exact/time-grid.h"
#include "model/frontend/event-train.h"
#include "model/frontend/front-end.h"
#include "model/frontend/sender-ports.h"
#include "model/network/almost-full.h"
#include "model/network/failures.h"
#include "model/ns3/camera/watershed-departures.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/switch/watershed-switch-queues.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

void SetFormat(WatershedNetDeviceImpl& device, const FrameFormat& frame) {
    device.SetAttribute("LinkOverhead", BeyondFrame(frame.wire_overhead));
    device.SetAttribute("Mtu", ValueOf(frame.mtu));
}

/// In frames; to a device, 0 is no limit.
std::int64_t FifoLimit(const FrontEnd& front_end) {
    if (!front_end.fifo) return 0;
    if (*front_end.fifo < 1) throw std::invalid_argument("a front-end FIFO holds at least the frame being sent");
    return std::min<std::int64_t>(*front_end.fifo, UINT32_MAX);
}

/// Adds the switches, with the insides that the exact engine has.
void InstallSwitches(WatershedCamera& camera, const NetworkScenario& scenario, const Network& network, TimeGrid grid) {
    const bool waits = static_cast<bool>(needs_events(scenario));
    if (waits) camera.instant = ns3::Create<WatershedInstant>();
    const auto copies = std::make_shared<const FrameCopies>(network, scenario);
    for (const SwitchPlace& place : switch_places(network, scenario)) {
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(place.number)];
        const auto made = ns3::CreateObject<WatershedSwitchImpl>();
        made->SetAttribute("Latency", ValueOf(self.settings.latency));
        made->SetAttribute("ArrivalOrder", ns3::EnumValue(static_cast<int>(self.settings.arrival_order)));
        made->SetAttribute("Seed", ValueOf(scenario.seed));
        made->SetAttribute("BufferOverhead", BeyondFrame(scenario.frame.buffer_overhead));
        made->SetGrid(grid);
        made->SetPlace(place.number, self.inputs_before);
        if (waits) {
            made->ChangeSetting("Size", [&](WatershedSwitchSettings& to) { to.network_switch = self.settings; });
            made->TakeAsTheyCome();  // the inside has an order of its own
            auto inside = std::make_unique<WatershedCameraInside>(*made, scenario, self, place, camera.instant, copies);
            camera.insides.push_back(inside.get());
            made->SetInside(std::move(inside));
        } else {
            made->SetInside(std::make_unique<WatershedSwitchQueues>(
                *made, make_switch_memory(self.settings.buffer, self.inputs(), self.settings.uplinks),
                self.settings.buffer));
            made->SetSelector(UplinkSelector(self.settings, scenario.front_end, self.inputs()));
            if (self.settings.buffer.drops_early()) made->SetEarlyDrop(self.settings.buffer);
        }
        camera.switches.push_back(made);
        camera.switchNodes.Get(static_cast<std::uint32_t>(place.number))->AggregateObject(made);
    }
}

/// The FIFO of a sender, on the device of its node.
/// @param number  in SenderPorts, from 0
void AddPausablePort(WatershedCamera& camera, const SenderPorts::Port& from, int number, std::uint64_t seed,
                     TimeGrid grid, ns3::Ptr<WatershedNetDeviceImpl> device) {
    const auto port = ns3::CreateObject<WatershedPausablePort>();
    port->SetAttribute("ObeysPause", ValueOf(from.obeys_pause));
    port->SetAttribute("PauseReaction", ValueOf(from.front_end.pause_reaction));
    port->Install(device, camera.instant, EventDrivenSender(from.front_end, seed, from.module, grid), number + 1);
    device->GetNode()->AggregateObject(port);
    camera.ports.push_back(port);
}

/// The interface of the server, from 0, to which a flow is addressed that enters the network here. Flows that may take
/// any uplink on their way go to the one address of the group, that of interface 0.
/// @param addresses  of all senders
/// @param sender     of the flow, from 1
int InterfaceOf(const Network& network, const FrontEnd& addresses, const EntryPoint& entry, int sender) {
    const std::vector<int> builders = network.builders_of_interfaces();
    const bool several_builders =
        std::any_of(builders.begin(), builders.end(), [](int builder) { return builder > 0; });
    int input = entry.input;
    for (int at = entry.network_switch; at != Network::kServer;) {
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(at)];
        const auto rule = self.settings.uplink_choice.rule;
        if (several_builders || rule == UplinkChoice::Rule::Hash || rule == UplinkChoice::Rule::RoundRobin) return 0;
        const int uplink = UplinkSelector(self.settings, addresses, self.all_inputs()).next(input, sender);
        const Network::Link& link = network.links()[static_cast<std::size_t>(self.first_link + uplink)];
        at = link.to;
        input = link.input;
    }
    return input;
}

/// The cables of failed links go down and up.
void InstallFailures(const WatershedCamera& camera, const Network& network, const NetworkScenario& scenario) {
    const NetworkFailures failures(network, scenario);
    if (!failures.any()) return;
    const auto fail = [](const WatershedNetDeviceImpl& device, const DownTimes& times) {
        const auto cable = ns3::DynamicCast<WatershedChannel>(device.GetChannel());
        for (const auto& [at, until] : times.all()) {
            ns3::Simulator::Schedule(ToNs3(at), &WatershedChannel::SetUp, cable, false);
            if (until != Time::max()) ns3::Simulator::Schedule(ToNs3(until), &WatershedChannel::SetUp, cable, true);
        }
    };
    for (std::size_t i = 0; i < network.links().size(); ++i)
        fail(*camera.uplinkDevices[i], failures.of_link(static_cast<int>(i)));
    int port = 0;
    for (const auto& devices : {camera.frontEndDevices, camera.streamDevices})
        for (const auto& device : devices) fail(*device, failures.of_port(port++));
}

void InstallModules(const WatershedHelper& helper, WatershedCamera& camera, const NetworkScenario& scenario,
                    const Network& network, TimeGrid grid) {
    const FragmentSizes sizes(scenario);
    const SenderPorts ports(scenario);
    const FrontEnd addresses = SenderPorts::addresses(scenario);
    const ModuleGroups groups(scenario);
    const std::vector<EntryPoint> entries = entry_points(network);
    const auto departures = ns3::Create<WatershedDepartures>();
    const auto modules = static_cast<std::size_t>(scenario.front_end.modules);
    camera.frontEnds.Create(static_cast<std::uint32_t>(modules));
    camera.frontEndDevices.resize(modules);
    camera.senders.resize(modules);
    for (std::size_t i = 0; i < network.switches().size(); ++i)
        for (int input = 0; input < network.switches()[i].modules; ++input) {
            const int module = network.switches()[i].modules_before + input + 1;
            const auto index = static_cast<std::size_t>(module - 1);
            const SenderPorts::Port& from = ports[module - 1];
            const FrontEnd& front_end = from.front_end;
            const Group& group = groups.all()[groups.of(module)];
            const auto node = camera.frontEnds.Get(static_cast<std::uint32_t>(module - 1));
            const auto [device, port] =
                helper.Connect(node, camera.switchNodes.Get(static_cast<std::uint32_t>(i)), front_end.link_rate);
            SetFormat(*device, group.frame);
            const Endpoint source = module_endpoint(addresses, module);
            device->SetAddress(MacOf(source));
            device->SetDepartures(departures);
            device->SetGrid(grid);
            port->SetGrid(grid);
            device->SetAttribute(
                "ClockTolerance",
                ns3::IntegerValue(module_timing(front_end, scenario.seed, from.module).tolerance.count));
            device->SetAttribute("FifoLimit", ValueOf(FifoLimit(front_end)));
            camera.frontEndDevices[index] = device;
            camera.switches[i]->AddInput(port);
            if (camera.IsEventDriven()) AddPausablePort(camera, from, module - 1, scenario.seed, grid, device);

            WatershedFragmentSender::Settings settings;
            settings.module = module;
            settings.run = static_cast<std::uint32_t>(scenario.seed);
            settings.traffic_class = front_end.traffic_class;
            settings.gap = front_end.gap;
            settings.trigger = group.trigger.value_or(scenario.trigger);
            settings.source = source;
            settings.destination = server_endpoint(InterfaceOf(network, addresses, entries[index], module));
            camera.senders[index] = std::make_unique<WatershedFragmentSender>(
                device, settings, sizes, FragmentTiming(front_end, scenario.seed, from.module));
        }
    for (int module = 1; module <= scenario.front_end.modules; ++module) {
        const std::size_t group = groups.of(module);
        camera.trigger->Add(*camera.senders[static_cast<std::size_t>(module - 1)],
                            groups.all()[group].trigger ? static_cast<int>(group) + 1 : 0);
    }
}

/// After the modules: their inputs come first. Links that lead to a switch come from switches before it.
void InstallLinks(const WatershedHelper& helper, WatershedCamera& camera, const NetworkScenario& scenario,
                  const Network& network, TimeGrid grid) {
    FrameFormat largest = scenario.frame;
    for (const Group& group : scenario.groups) largest.mtu = std::max(largest.mtu, group.frame.mtu);
    for (const Network::Link& link : network.links()) {
        const auto to = link.to == Network::kServer ? camera.serverNode
                                                    : camera.switchNodes.Get(static_cast<std::uint32_t>(link.to));
        const auto [device, end] =
            helper.Connect(camera.switchNodes.Get(static_cast<std::uint32_t>(link.from)), to, link.rate);
        SetFormat(*device, largest);
        device->SetGrid(grid);
        camera.uplinkDevices.push_back(device);
        if (link.to == Network::kServer) {
            end->SetAddress(MacOf(server_endpoint(link.input)));
            camera.serverDevices.push_back(end);
        } else {
            end->SetGrid(grid);
            camera.SwitchOf(link.to).AddInput(end);
        }
    }
}

/// After the modules.
void InstallStreams(const WatershedHelper& helper, WatershedCamera& camera, const NetworkScenario& scenario,
                    const Network& network, TimeGrid grid) {
    if (scenario.traffic.empty()) return;
    const SenderPorts ports(scenario);
    const FrontEnd addresses = SenderPorts::addresses(scenario);
    const std::vector<EntryPoint> entries = entry_points(network);
    const Time end = end_of_camera(scenario);
    for (int number = 1; number <= static_cast<int>(scenario.traffic.size()); ++number) {
        const TrafficStream& stream = scenario.traffic[static_cast<std::size_t>(number - 1)];
        const int port = ports.of_stream(number);
        const EntryPoint& entry = entries[static_cast<std::size_t>(port)];
        ns3::Ptr<WatershedNetDeviceImpl> from;
        if (stream.module) {
            from = camera.frontEndDevices[static_cast<std::size_t>(port)];
        } else {
            const auto node = ns3::CreateObject<ns3::Node>();
            const auto to = camera.switchNodes.Get(static_cast<std::uint32_t>(entry.network_switch));
            const auto [device, input] = helper.Connect(node, to, ports.rate(port));
            SetFormat(*device, scenario.frame);
            device->SetAddress(MacOf(module_endpoint(addresses, port + 1)));
            device->SetGrid(grid);
            input->SetGrid(grid);
            camera.SwitchOf(entry.network_switch).AddInput(input);
            AddPausablePort(camera, ports[port], port, scenario.seed, grid, device);
            camera.streamDevices.push_back(from = device);
        }
        camera.streams.push_back(std::make_unique<WatershedTrafficSource>(
            from,
            WatershedFragmentFrame(module_endpoint(addresses, port + 1),
                                   server_endpoint(InterfaceOf(network, addresses, entry, port + 1)), stream.payload,
                                   static_cast<std::uint32_t>(scenario.seed), FrameId{0, 0, 0, number},
                                   stream.traffic_class),
            StreamTrain(stream, scenario.frame, stream.stop.value_or(end), scenario.seed)));
    }
}

}  // namespace

WatershedCables::Ends WatershedHelper::Connect(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, BitRate rate,
                                               Time delay) const {
    const auto devices = Connect(from, to);
    for (const auto& device : {devices.first, devices.second}) device->SetAttribute("DataRate", ValueOf(rate));
    devices.first->GetChannel()->SetAttribute("Delay", ValueOf(delay));
    return devices;
}

WatershedCamera WatershedHelper::Install(const NetworkScenario& scenario, const Network& network) const {
    if (scenario.front_end.modules > EventHeader::kLargestModule)
        throw std::invalid_argument("the event header counts up to " + std::to_string(EventHeader::kLargestModule) +
                                    " modules");

    const TimeGrid grid = exact_times(scenario).grid;
    WatershedCamera camera;
    camera.switchNodes.Create(static_cast<std::uint32_t>(network.switches().size()));
    camera.serverNode = ns3::CreateObject<ns3::Node>();
    InstallSwitches(camera, scenario, network, grid);
    camera.trigger = std::make_unique<WatershedTriggerSource>(EventTrain(scenario));
    if (const auto rule = AlmostFull::of(scenario))
        camera.trigger->SetBackpressure(
            {TriggerTrain(scenario.trigger, scenario.seed), rule->latency},
            [rule = *rule, at = camera.insides.front()] { return rule.refuses(at->GetMemory()); }, camera.instant);
    InstallModules(*this, camera, scenario, network, grid);
    InstallLinks(*this, camera, scenario, network, grid);
    InstallStreams(*this, camera, scenario, network, grid);
    for (std::size_t i = 0; i < network.links().size(); ++i)  // a switch has its inputs before its uplinks
        camera.SwitchOf(network.links()[i].from).AddUplink(camera.uplinkDevices[i]);
    for (WatershedCameraInside* const each : camera.insides) each->Begin();
    InstallFailures(camera, network, scenario);

    camera.sink = std::make_unique<WatershedFragmentSink>(scenario, camera.serverDevices);

    // Frames of streams come before those of modules that are ready at the same instant on the same link.
    for (const auto& stream : camera.streams)
        ns3::Simulator::Schedule(ns3::Time(0), &WatershedTrafficSource::Send, stream.get());
    ns3::Simulator::Schedule(ns3::Time(0), &WatershedTriggerSource::ScheduleNext, camera.trigger.get());
    return camera;
}

}  // namespace watershed
