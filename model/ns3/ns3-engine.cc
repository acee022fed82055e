// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ns3-engine.h"

#include <ns3/boolean.h>
#include <ns3/simulator.h>

#include <stdexcept>

#include "model/engine.h"
#include "model/ledger.h"
#include "model/ns3/ns3-session.h"
#include "model/ns3/watershed-helper.h"
#include "model/ns3/watershed-pcap.h"
#include "model/switch-report.h"

namespace watershed {
namespace {

/// Listens to the trace sources for the ledger and the observer.
class Recorder {
  public:
    Recorder(const WatershedCamera& camera, const Observer* observer) : observer_(observer), ledger_(observer) {
        for (const auto& device : camera.frontEndDevices)
            device->TraceConnectWithoutContext("MacTxDrop", ns3::MakeCallback(&Recorder::lost_at_front_end, this));
        ns3::Ptr<ns3::Object> network_switch = camera.networkSwitch;
        if (camera.steppedSwitch) network_switch = camera.steppedSwitch;
        network_switch->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Recorder::lost_in_switch, this));
        if (!observer) return;
        if (observer->occupancy) network_switch->TraceConnectWithoutContext("Occupancy", ns3::MakeCallback(&Recorder::occupancy, this));
        if (observer->progress) camera.trigger->TraceConnectWithoutContext("Trigger", ns3::MakeCallback(&Recorder::progress, this));
    }

    const Ledger& ledger() const { return ledger_; }

  private:
    void lost(const ns3::Packet& frame, const LossCause& cause) {
        const auto id = IdentifyFrame(frame);
        if (!id) throw std::logic_error("a lost frame carries no event header");
        ledger_.lost(*id, Now(), cause);
    }
    void lost_at_front_end(ns3::Ptr<const ns3::Packet> frame) { lost(*frame, FrontEndPort::kFifoFull); }
    void lost_in_switch(ns3::Ptr<const ns3::Packet> frame, std::uint32_t, const LossCause& cause) { lost(*frame, cause); }
    void occupancy(std::int64_t frames, std::int64_t bytes) { observer_->occupancy(Now(), frames, Bytes{bytes}); }
    void progress(std::int64_t events) {
        if (events % 1024 == 0) observer_->progress(events);
    }

    const Observer* observer_;
    Ledger ledger_;
};

}  // namespace

Outcome Ns3Engine::run(const Scenario& scenario, const Observer* observer) {
    const Ns3Session session;
    const WatershedCamera camera = WatershedHelper().Install(scenario);
    for (const auto& sender : camera.senders) sender->SetAttribute("PacketsAtOnce", ns3::BooleanValue(packets_at_once_));
    const Recorder recorder(camera, observer);
    WatershedPcap pcap;
    const auto capture = [&](const std::vector<ns3::Ptr<WatershedNetDevice>>& devices, const std::string& name) {
        for (std::size_t i = 0; i < devices.size(); ++i) pcap.Capture(*devices[i], pcap_prefix_ + name + std::to_string(i + 1) + ".pcap");
    };
    if (!pcap_prefix_.empty()) {
        capture(camera.serverDevices, "-uplink-");
        if (scenario.network_switch.flow_control.kind != FlowControl::Kind::None) capture(camera.frontEndDevices, "-module-");
    }

    ns3::Simulator::Run();
    pcap.Commit();
    event_count_ = ns3::Simulator::GetEventCount();

    Outcome outcome = close_books(camera.trigger->GetEvents(), camera.sink->GetServer(), recorder.ledger());
    if (camera.steppedSwitch)
        camera.steppedSwitch->GetControl().report(outcome);
    else
        report_switch(outcome, camera.networkSwitch->GetMemory(), camera.networkSwitch->GetSequence(), camera.networkSwitch->GetLastActivity());
    for (const auto& device : camera.uplinkDevices) outcome.uplinks.push_back({device->GetFramesSent(), device->GetWireSent()});
    return outcome;
}

}  // namespace watershed
