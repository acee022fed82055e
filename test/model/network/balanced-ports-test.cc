// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/balanced-ports.h"

#include <algorithm>
#include <set>

#include "model/switch/uplinks.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Balanced source ports are all different and load uplinks that differ by one module at most") {
    for (const int uplinks : {2, 3, 6})
        for (const auto fold : {UplinkChoice::Fold::Crc16, UplinkChoice::Fold::Xor}) {
            Switch network_switch;
            network_switch.uplinks = uplinks;
            network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
            network_switch.uplink_choice.fold = fold;
            FrontEnd front_end;
            front_end.source_ports = balanced_source_ports(network_switch, front_end);
            CHECK(std::set<std::int64_t>(front_end.source_ports.begin(), front_end.source_ports.end()).size() == 44);
            std::vector<int> load(static_cast<std::size_t>(uplinks));
            UplinkSelector selector(network_switch, front_end);
            for (int module = 1; module <= 44; ++module) ++load[static_cast<std::size_t>(selector.next(module))];
            CHECK(*std::max_element(load.begin(), load.end()) - *std::min_element(load.begin(), load.end()) <= 1);
        }
    Switch layer3;
    layer3.uplink_choice.fields = UplinkChoice::Fields::Layer3;
    CHECK_THROWS_WITH(balanced_source_ports(layer3, {}), Contains("switch.uplink_hash"));
}
