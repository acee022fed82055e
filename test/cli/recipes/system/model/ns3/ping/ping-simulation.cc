// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ping/ping-simulation.h"

#include <ns3/simulator.h>

#include "model/ns3/base/ns3-session.h"
#include "model/ns3/base/watershed-time.h"

namespace watershed {
namespace {

void cross(std::int64_t hops) {
    if (hops > 0) ns3::Simulator::Schedule(ToNs3(kPingHop), cross, hops - 1);
}

}  // namespace

PingResult simulate_ping(const Ping& ping) {
    const Ns3Session session;
    cross(ping.hops);
    ns3::Simulator::Run();
    return {Now()};
}

}  // namespace watershed
