// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/simulators.h"

#include "model/network/network.h"
#include "scenarios/run/distribution-run.h"
#include "scenarios/run/ejfat-run.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/udpmon-run.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("without ns-3 a camera is simulated in the exact engine, whether it is named or not") {
    const Simulators simulators = exact_only();
    CHECK(simulators.usual_engine == "exact");

    Scenario scenario;  // one event of 3 modules, room for one frame: of the frames that come at once two are lost
    scenario.front_end.modules = 3;
    scenario.trigger.events = 1;
    scenario.network_switch.buffer.size = MemorySize{1, MemorySize::Unit::Frame};
    CHECK(simulators.engine("exact", {})->run(scenario).frames_lost() == 2);
}

TEST_CASE("what needs ns-3 says where ns-3 is to be had") {
    const Simulators simulators = exact_only();
    CHECK_THROWS_WITH(simulators.engine("ns3", {}), Contains("engine ns3: this program was built without ns-3") &&
                                                        Contains("Debian package watershed"));
    CHECK_THROWS_WITH(simulators.of<UdpmonSimulator>("udpmon"),
                      Contains("system \"udpmon\": this program was built without ns-3"));
    CHECK_THROWS_AS(simulators.of<IpbusSimulator>("ipbus"), InputError);
    CHECK_THROWS_AS(simulators.of<EjfatSimulator>("ejfat"), InputError);
    CHECK_THROWS_AS(simulators.of<DistributionSimulator>("distribution"), InputError);

    Scenario scenario;
    scenario.of<Udpmon>().payloads = {Bytes{100}};
    scenario.of<Udpmon>().spacings = {Time{0}};
    CHECK_THROWS_AS(run_udpmon(scenario, simulators), InputError);
}

TEST_CASE("Without the library that simulates in ns-3 the exact engine serves, and what needs it says where it was") {
    const Simulators simulators = with_ns3_from({"here.so", "../there.so"});
    CHECK(simulators.usual_engine == "ns3");
    CHECK(simulators.engine("exact", {})->name() == "exact");
    CHECK_THROWS_WITH(simulators.engine("ns3", {}), Contains("the library that simulates in ns-3 is neither /") &&
                                                        Contains("/here.so nor /") &&
                                                        Contains("/there.so; --engine exact does without"));
    CHECK_THROWS_WITH(simulators.of<std::function<void()>>("udpmon"), Contains("/here.so"));
}
