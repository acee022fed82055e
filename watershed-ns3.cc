// SPDX-License-Identifier: GPL-2.0-only
// The library that the program loads to simulate in ns-3. It takes the model from the program.
#include "model/ns3/ejfat/ejfat-simulation.h"
#include "model/ns3/engine/ns3-engine.h"
#include "model/ns3/fill/ns3-stopped-switch.h"
#include "model/ns3/ipbus/ipbus-simulation.h"
#include "model/ns3/roce/distribution-simulation.h"
#include "model/ns3/udpmon/udpmon-simulation.h"
#include "scenarios/run/distribution-run.h"
#include "scenarios/run/ejfat-run.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/udpmon-run.h"

namespace {

using namespace watershed;

std::unique_ptr<Engine> make_ns3_engine(const std::string& pcap_prefix) {
    return std::make_unique<Ns3Engine>(pcap_prefix);
}

Ns3Simulators all_simulators() {
    Ns3Simulators simulators;
    simulators.engine = make_ns3_engine;
    simulators.systems.of<UdpmonSimulator>() = simulate_udpmon;
    simulators.systems.of<EjfatSimulator>() = simulate_ejfat;
    simulators.systems.of<IpbusSimulator>() = simulate_ipbus;
    simulators.systems.of<DistributionSimulator>() = simulate_distribution;
    simulators.systems.of<StoppedSwitchFactory>() = stop_in_ns3;
    return simulators;
}

}  // namespace

extern "C" const Ns3Simulators* watershed_ns3_simulators() {
    static const Ns3Simulators simulators = all_simulators();
    return &simulators;
}
