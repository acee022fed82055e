// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-loop.h"

#include <ns3/simulator.h>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {

TEST_CASE("Switches in a loop end the program with that word") {
    CHECK_THAT(said_at_death([] {
                   const Simulation simulation;
                   const ns3::NodeContainer switches(3);
                   const WatershedSwitchHelper helper;
                   for (std::uint32_t i = 0; i < 3; ++i) helper.Join(switches.Get(i), switches.Get((i + 1) % 3));
                   ns3::Simulator::Run();
               }),
               Contains("part of a loop"));
}

TEST_CASE("Uplinks make no loop where they lead to one switch above each, and do where two lead to the same") {
    const auto said = [](bool same) {
        return said_at_death([&] {
            const Simulation simulation;
            const ns3::NodeContainer lower(2), upper(2);
            const WatershedSwitchHelper helper;
            for (std::uint32_t i = 0; i < 2; ++i)
                for (std::uint32_t above = 0; above < 2; ++above)
                    helper.AddUplink(lower.Get(i), upper.Get(same ? 0 : above));
            ns3::Simulator::Run();
        });
    };
    CHECK(said(false).empty());
    CHECK_THAT(said(true), Contains("part of a loop"));
}

}  // namespace watershed
