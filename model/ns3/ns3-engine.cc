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
#include "model/stepped-run.h"

namespace watershed {
namespace {

/// Listens to the trace sources for the ledger and the observer.
class Recorder {
  public:
    Recorder(const WatershedCamera& camera, const Observer* observer) : observer_(observer), ledger_(observer) {
        for (const auto& device : camera.frontEndDevices)
            device->TraceConnectWithoutContext("MacTxDrop", ns3::MakeCallback(&Recorder::lost_at_front_end, this));
        camera.networkSwitch->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Recorder::lost_in_switch, this));
        if (!observer) return;
        if (observer->occupancy) camera.networkSwitch->TraceConnectWithoutContext("Occupancy", ns3::MakeCallback(&Recorder::occupancy, this));
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
    if (const char* key = key_that_needs_steps(scenario))
        throw UnsupportedScenario(std::string(key) + ": the ns-3 engine does not model this, expected --engine exact");
    const Ns3Session session;
    const WatershedCamera camera = WatershedHelper().Install(scenario);
    for (const auto& sender : camera.senders) sender->SetAttribute("PacketsAtOnce", ns3::BooleanValue(packets_at_once_));
    const Recorder recorder(camera, observer);
    WatershedPcap pcap;
    if (!pcap_prefix_.empty())
        for (std::size_t i = 0; i < camera.serverDevices.size(); ++i)
            pcap.Capture(*camera.serverDevices[i], pcap_prefix_ + "-uplink-" + std::to_string(i + 1) + ".pcap");

    ns3::Simulator::Run();
    pcap.Commit();
    event_count_ = ns3::Simulator::GetEventCount();

    const WatershedSwitch& network_switch = *camera.networkSwitch;
    Outcome outcome = close_books(camera.trigger->GetEvents(), camera.sink->GetServer(), recorder.ledger());
    outcome.peak_frames = network_switch.GetMemory().peak_frames();
    outcome.peak_bytes = network_switch.GetMemory().peak_bytes();
    outcome.frames_marked = network_switch.GetMemory().frames_marked();
    for (const auto& device : camera.uplinkDevices) outcome.uplinks.push_back({device->GetFramesSent(), device->GetWireSent()});
    outcome.simulated = network_switch.GetLastActivity();
    outcome.events_in_order = network_switch.GetSequence().in_order();
    outcome.first_idle_event = network_switch.GetSequence().first_idle();
    return outcome;
}

}  // namespace watershed
