// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/engine/ns3-engine.h"

#include <ns3/simulator.h>

#include <stdexcept>
#include <string_view>
#include <vector>

#include "model/base/loss.h"
#include "model/exact/exact-run.h"
#include "model/frontend/ledger.h"
#include "model/network/failures.h"
#include "model/network/frame-copies.h"
#include "model/ns3/base/ns3-session.h"
#include "model/ns3/camera/watershed-copy-tag.h"
#include "model/ns3/device/watershed-pcap.h"
#include "model/ns3/helper/watershed-helper.h"
#include "model/switch/switch-report.h"

namespace watershed {
namespace {

/// Listens to the camera for the ledger and the observer.
class Recorder {
  public:
    Recorder(const NetworkScenario& scenario, const WatershedCamera& camera, const Network& network,
             const Observer* observer)
        : network_(network),
          observer_(observer),
          copies_(network, scenario),
          ledger_(observer),
          books_(scenario, observer) {
        for (const auto& devices : {camera.frontEndDevices, camera.streamDevices})
            for (const auto& device : devices)
                device->TraceConnectWithoutContext("MacTxDrop", ns3::MakeCallback(&Recorder::lost_at_front_end, this));
        if (books_.are_kept()) {
            const auto offered = [this](const ns3::Packet& frame) {
                copies_.for_builders(*IdentifyFrame(frame),
                                     [this](const FrameId& copy) { books_.offered(copy, Now()); });
            };
            for (const auto& sender : camera.senders) sender->SetListener(offered);
            for (const auto& stream : camera.streams) stream->SetListener(offered);
            camera.sink->SetListener([this](const FrameId& frame) { books_.arrived(frame, Now()); });
        }
        for (std::size_t i = 0; i < camera.switches.size(); ++i)
            camera.switches[i]->TraceConnectWithoutContext("Drop",
                                                           ns3::MakeCallback(&Recorder::lost_at_switch, this, i));
        for (std::size_t i = 0; i < camera.uplinkDevices.size(); ++i) {
            const Network::Link& link = network.links()[i];
            const Network::Switch& from = network.switches()[static_cast<std::size_t>(link.from)];
            watch(*camera.uplinkDevices[i], {from.name, SwitchControl<>::kLinkDown.reason}, link.from);
        }
        for (const auto& devices : {camera.frontEndDevices, camera.streamDevices})
            for (const auto& device : devices) watch(*device, NetworkFailures::kModuleLinkDown, 0);
        const int behind = static_cast<int>(network.switches().size());  // the server, in the ledger
        CameraServer::Reports reports;
        reports.lost = [this, behind](const FrameId& frame, Time time, const LossCause& cause) {
            ledger_.lost(frame, time, cause, behind);
        };
        const bool of_server = observer && observer->occupancy_of == Network::kServer;
        if (of_server) reports.occupancy = observer->occupancy;
        camera.sink->SetReports(reports);
        if (!observer) return;
        if (observer->occupancy && !of_server)
            camera.SwitchOf(observer->occupancy_of)
                .TraceConnectWithoutContext("Occupancy", ns3::MakeCallback(&Recorder::occupancy, this));
        if (observer->progress)
            camera.trigger->SetListener([observer](std::int64_t events) {
                if (events % 1024 == 0) observer->progress(events);
            });
    }

    const Ledger& ledger() const { return ledger_; }
    const StreamLedger& books() const { return books_; }

  private:
    void watch(const WatershedNetDeviceImpl& device, const LossCause& cause, int number) {
        device.GetChannel()->TraceConnectWithoutContext(
            "Drop", ns3::MakeCallback(&Recorder::lost_at_link, this, cause.where, cause.reason, number));
    }
    void lost_at_switch(std::size_t number, ns3::Ptr<const ns3::Packet> frame, std::uint32_t, std::uint32_t,
                        const LossCause& cause) {
        lost(*frame, {network_.switches()[number].name, cause.reason}, static_cast<int>(number));
    }
    void lost_at_link(std::string_view where, std::string_view reason, int number, ns3::Ptr<const ns3::Packet> frame) {
        if (IdentifyCopy(*frame)) lost(*frame, {where, reason}, number);  // else it tells a sender to pause
    }
    void lost(const ns3::Packet& frame, const LossCause& cause, int number) {
        const auto id = IdentifyCopy(frame);
        if (!id) throw std::logic_error("a lost frame carries no event header");
        copies_.for_builders(*id, [&](const FrameId& copy) {
            if (!books_.lost(copy, Now(), cause, number)) ledger_.lost(copy, Now(), cause, number);
        });
    }
    void lost_at_front_end(ns3::Ptr<const ns3::Packet> frame) { lost(*frame, FrontEndPort::kFifoFull, 0); }
    void occupancy(std::int64_t frames, std::int64_t bytes) { observer_->occupancy(Now(), frames, Bytes{bytes}); }

    const Network& network_;
    const Observer* observer_;
    const FrameCopies copies_;
    Ledger ledger_;
    StreamLedger books_;
};

}  // namespace

Outcome Ns3Engine::run(const NetworkScenario& scenario, const Observer* observer) {
    return within_time(scenario, [&] { return simulate(scenario, observer); });
}

Outcome Ns3Engine::simulate(const NetworkScenario& scenario, const Observer* observer) {
    const Network network(scenario);
    if (const std::string key = key_for_one_switch(scenario); !key.empty())
        throw UnsupportedScenario(key, "the engines model this at a single switch only");
    for (const Group& group : scenario.groups)  // a switch counts what a frame costs from its bytes, of whichever group
        if (const bool wire = group.frame.wire_overhead != scenario.frame.wire_overhead;
            wire || group.frame.buffer_overhead != scenario.frame.buffer_overhead)
            throw UnsupportedScenario("group." + group.name + (wire ? ".wire_overhead" : ".buffer_overhead"),
                                      "ns-3's switches take one overhead for all frames, that of [frame]; the exact "
                                      "engine takes each group's");
    const Ns3Session session;
    const WatershedCamera camera = WatershedHelper().Install(scenario, network);
    for (const auto& sender : camera.senders)
        if (packets_at_once_) sender->MakePacketsAtOnce();
    const Recorder recorder(scenario, camera, network, observer);
    if (!(observer && observer->occupancy) && !recorder.books().are_kept() && pcap_prefix_.empty())
        for (const auto& each : camera.switches) each->SendLate();
    WatershedPcap pcap;
    const auto capture = [&](const std::vector<ns3::Ptr<WatershedNetDeviceImpl>>& devices, const std::string& name) {
        for (std::size_t i = 0; i < devices.size(); ++i)
            pcap.Capture(*devices[i], pcap_prefix_ + name + std::to_string(i + 1) + ".pcap");
    };
    if (!pcap_prefix_.empty()) {
        capture(camera.serverDevices, "-uplink-");
        if (has_flow_control(network)) capture(camera.frontEndDevices, "-module-");
    }

    ns3::Simulator::Run();
    pcap.Commit();
    camera.sink->Finish();
    event_count_ = ns3::Simulator::GetEventCount();

    Outcome outcome =
        finalize_result(camera.trigger->GetEvents(), camera.sink->GetServer(), recorder.ledger(), observer);
    for (const WatershedCameraInside* const each : camera.insides) each->GetControl().report(outcome);
    for (std::size_t i = 0; i < camera.switches.size() && !camera.IsEventDriven(); ++i) {
        const WatershedSwitchInside& inside = camera.switches[i]->GetInside();
        report_switch(outcome, network.switches()[i].name, inside.GetMemory(), inside.GetSequence(), inside.GetTies(),
                      inside.GetRecovery(), inside.GetLastActivity());
    }
    if (const auto& backpressure = camera.trigger->GetBackpressure())
        outcome.triggers = backpressure->taken(), outcome.triggers_refused = backpressure->refused();
    for (const auto& device : camera.uplinkDevices)
        outcome.uplinks.push_back({device->GetFramesSent(), device->GetWireSent()});
    for (const auto& device : camera.frontEndDevices)
        outcome.module_links.push_back({device->GetFramesSent(), device->GetWireSent()});
    if (recorder.books().are_kept()) {
        std::vector<StreamOccupancy::Peaks> peaks;
        for (const WatershedCameraInside* const each : camera.insides) peaks.push_back(each->GetControl().peaks());
        recorder.books().report(outcome, peaks);
    }
    return outcome;
}

}  // namespace watershed
