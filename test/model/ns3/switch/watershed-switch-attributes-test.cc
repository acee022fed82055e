// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-attributes.h"

#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <set>
#include <string>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "scenarios/keys/keys.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {

TEST_CASE("Every key of a scenario that describes a switch has an attribute, and every attribute has a key") {
    std::set<std::string> attributes, keys;
    for (const auto& each : watershed_switch_attributes()) attributes.insert(each.key);
    for (const ScenarioKey& key : scenario_keys()) {
        keys.insert(key.name);
        CAPTURE(key.name);
        if (key.name.rfind("switch.", 0) == 0) CHECK(attributes.count(key.name) == 1);
    }
    for (const std::string& key : attributes) {
        CAPTURE(key);
        CHECK(keys.count(key) == 1);
    }
}

TEST_CASE("During a run an attribute either takes its value or refuses it; none takes it and does nothing") {
    const auto taken = [](const char* queueing) {
        const Simulation simulation;
        const ns3::NodeContainer hosts(2);
        const auto node = ns3::CreateObject<ns3::Node>();
        WatershedSwitchHelper helper;
        helper.Set("Queueing", ns3::StringValue(queueing));
        helper.Install(hosts, node);
        std::set<std::string> names;
        ns3::Simulator::Schedule(ns3::MicroSeconds(1), [&] {
            for (const auto& each : watershed_switch_attributes())
                if (WatershedSwitchImpl::Of(node)->SetAttributeFailSafe(each.name, *each.initial))
                    names.insert(each.name);
        });
        ns3::Simulator::Run();
        return names;
    };
    CHECK(taken("output") == std::set<std::string>{"Latency", "ArrivalOrder", "Seed", "BufferOverhead"});
    CHECK(taken("virtual-output").empty());  // what is inside is made of them
}

TEST_CASE("Attributes that are texts say what they were given, and take no other form") {
    const auto network_switch = ns3::CreateObject<WatershedSwitchImpl>();
    const auto reads = [&](const std::string& name, const std::string& text) {
        network_switch->SetAttribute(name, ns3::StringValue(text));
        ns3::StringValue value;
        network_switch->GetAttribute(name, value);
        return value.Get();
    };
    CHECK(reads("Ports", "48x1Gbps + 4x10Gbps") == "48x1000000000bps+4x10000000000bps");
    CHECK(reads("UplinkList", "1,2, 1") == "1,2,1");
    CHECK(reads("UplinkRate", "40Gbps") == "40000000000bps");
    CHECK(reads("FabricRate", "20Gbps") == "20000000000bps");
    CHECK(reads("InputFifo", "512B") == "512B");
    CHECK(reads("Queueing", "virtual-output") == "virtual-output");
    CHECK(reads("Alpha", "0.125") == "0.125");
    CHECK(reads("Weights", "1,4") == "1,4");
    CHECK(reads("ClassAlphas", "0.5,8") == "0.5,8");
    CHECK(reads("ClassLimits", "20000B,100p") == "20000B,100p");
    for (const auto& [name, text] : {std::pair{"Ports", "48"},
                                     {"ClassAlphas", "1,x"},
                                     {"ClassLimits", "7"},
                                     {"Ports", "48x1GB"},
                                     {"UplinkList", "0,1"},
                                     {"Count", "2"},
                                     {"Model", "arista-7050x"},
                                     {"Resume", "150%"}}) {
        CAPTURE(name, text);
        CHECK_FALSE(network_switch->SetAttributeFailSafe(name, ns3::StringValue(text)));
    }
}

TEST_CASE("A key of a scenario is told by its attribute, one that has none as it is") {
    CHECK(AttributeOf("switch.buffer.cell") == "Cell");
    CHECK(AttributeOf("switch.buffer.cell_header") == "CellHeader");
    CHECK(AttributeOf("front_end.modules") == "front_end.modules");
}

}  // namespace watershed
