// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <string>
#include <utility>
#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"
#include "test/model/ns3/helper/udp-burst.h"

namespace watershed {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

std::string ReadSetting(const ns3::Ptr<WatershedSwitchImpl>& network_switch, const std::string& name) {
    ns3::StringValue value;
    network_switch->GetAttribute(name, value);
    return value.Get();
}

/// The switch that the helper makes of these attributes, between two hosts at 1 Gb/s.
ns3::Ptr<WatershedSwitchImpl> SwitchWith(const Values& values) {
    WatershedSwitchHelper helper;
    for (const auto& [name, value] : values) helper.Set(name, ns3::StringValue(value));
    const auto node = ns3::CreateObject<ns3::Node>();
    helper.Install(ns3::NodeContainer(2), node);
    return WatershedSwitchImpl::Of(node);
}

std::string SaidAtStart(const Values& values) {
    return said_at_death([&] {
        const Simulation simulation;
        SwitchWith(values);
        ns3::Simulator::Run();
    });
}

}  // namespace

TEST_CASE("A model of the catalogue describes the switch, but for what is set beside it, in any order") {
    // scenarios/switches/dell-s60.toml: 1.25 GB shared, 9 us, 4 queues, 44 ports of 1 Gb/s and 4 of 10
    const Simulation simulation;
    const auto plain = SwitchWith({{"Model", "dell-s60"}});
    CHECK(ReadSetting(plain, "Size") == "1250000000");
    CHECK(ReadSetting(plain, "SizeUnit") == "bytes");
    CHECK(ReadSetting(plain, "Latency") == "+9e+06ps");
    CHECK(ReadSetting(plain, "Queues") == "4");
    CHECK(ReadSetting(plain, "Ports") == "44x1000000000bps+4x10000000000bps");
    for (const Values& values : {Values{{"Model", "dell-s60"}, {"Latency", "0ns"}, {"MaxSize", "100p"}},
                                 Values{{"MaxSize", "100p"}, {"Latency", "0ns"}, {"Model", "dell-s60"}}}) {
        const auto changed = SwitchWith(values);
        CHECK(ReadSetting(changed, "Latency") == "+0ps");
        CHECK(ReadSetting(changed, "Size") == "100");
        CHECK(ReadSetting(changed, "SizeUnit") == "frames");
        CHECK(ReadSetting(changed, "Queues") == "4");
    }
    const Defaults defaults({{"ns3::WatershedSwitch::Model", "dell-s60"}, {"ns3::WatershedSwitch::Queues", "2"}});
    const auto by_default = ns3::CreateObject<WatershedSwitchImpl>();
    CHECK(ReadSetting(by_default, "Size") == "1250000000");
    CHECK(ReadSetting(by_default, "Queues") == "2");
    by_default->SetAttribute("Model", ns3::StringValue(""));
    CHECK(ReadSetting(by_default, "Size") == "1000");
}

TEST_CASE("Every switch of the catalogue is a model, and its values can be read back") {
    REQUIRE(watershed_switch_models().size() > 40);
    for (const WatershedSwitchModel& model : watershed_switch_models()) {
        CAPTURE(model.name);
        const auto network_switch = ns3::CreateObject<WatershedSwitchImpl>();
        network_switch->SetAttribute("Model", ns3::StringValue(model.name));
        for (const auto& [name, text] : model.values)
            if (name == "Size" || name == "Cell" || name == "Sharing" || name == "SizeUnit" || name == "Resume")
                CHECK(ReadSetting(network_switch, name) == text);
    }
}

TEST_CASE("What the catalogue does not know and the memory needs must be set") {
    CHECK_THAT(SaidAtStart({{"Model", "arista-7050s-64"}, {"Ports", ""}}),
               Contains("Alpha is unknown for the model arista-7050s-64: set it"));
    CHECK(SaidAtStart({{"Model", "arista-7050s-64"}, {"Ports", ""}, {"Alpha", "2"}}).empty());
}

TEST_CASE("A switch that has not the ports, or not the uplinks, ends the program with that word") {
    CHECK(SaidAtStart({{"Ports", "2x1Gbps"}}).empty());
    CHECK_THAT(SaidAtStart({{"Ports", "1x1Gbps+4x10Gbps"}}), Contains("fewer of 1000000000 bps"));
    CHECK_THAT(SaidAtStart({{"Ports", "4x10Gbps"}}), Contains("none of 1000000000 bps"));
    CHECK_THAT(SaidAtStart({{"Uplinks", "2"}}), Contains("Uplinks is 2, and there are 0"));
    CHECK_THAT(SaidAtStart({{"FabricRate", "1Gbps"}}), Contains("FabricRate needs InputFifo"));
    CHECK_THAT(SaidAtStart({{"CutThrough", "true"}, {"Queueing", "input-fifo"}}), Contains("CutThrough conflicts"));
    CHECK_THAT(SaidAtStart({{"Queueing", "input-fifo"}, {"FlowControl", "pfc"}, {"Xoff", "3p"}}),
               Contains("conflict with FlowControl"));
}

TEST_CASE("What is said of pauses where it has no meaning ends the program with that word") {
    const Values rule{{"PauseRule", "hpcc"}, {"FlowControl", "pfc"}, {"PauseAlpha", "1"}, {"Accounting", "ingress"}};
    const auto with = [](Values values, const char* name, const char* value) {
        values.emplace_back(name, value);
        return SaidAtStart(values);
    };
    CHECK(SaidAtStart(rule).empty());
    CHECK_THAT(SaidAtStart({{"PauseRule", "hpcc"}}), Contains("PauseRule needs FlowControl pfc and PauseAlpha"));
    CHECK_THAT(SaidAtStart({{"PauseRule", "sonic"}, {"FlowControl", "pfc"}, {"Xoff", "3p"}}),
               Contains("PauseRule needs FlowControl pfc and PauseAlpha"));
    CHECK_THAT(SaidAtStart({{"PauseRule", "sonic"}, {"FlowControl", "pfc"}, {"PauseAlpha", "1"}}),
               Contains("PauseRule: needs books of the inputs"));
    CHECK_THAT(with(rule, "XonFixed", "true"), Contains("XonFixed conflicts with PauseRule"));
    CHECK_THAT(with(rule, "Xon", "1p"), Contains("Xon is above Xoff"));
    CHECK_THAT(with(rule, "ClassHeadrooms", "1p"), Contains("need FlowControl pfc and a Scheduler"));
    CHECK_THAT(with(rule, "PauseClassAlphas", "1"), Contains("need FlowControl pfc and a Scheduler"));
    CHECK_THAT(with(rule, "EgressLosslessSize", "1p"), Contains("need FlowControl pfc and a Scheduler"));
}

TEST_CASE("Early detection of a port's own takes the place of the switch's, but not where frames wait at inputs") {
    const auto said = [](const Values& values) {
        return said_at_death([&] {
            const Simulation simulation;
            SwitchWith(values)->GetBridgePort(0)->SetAttribute("WredTo", ns3::StringValue("3p"));
            ns3::Simulator::Run();
        });
    };
    CHECK(said({{"Ecn", "true"}}).empty());
    CHECK_THAT(SaidAtStart({{"Ecn", "true"}}), Contains("set WredTo"));
    CHECK_THAT(said({{"Queueing", "input-fifo"}}), Contains("conflict with WredTo of a port"));
}

}  // namespace watershed
