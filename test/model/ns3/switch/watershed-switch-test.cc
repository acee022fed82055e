// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/config.h>
#include <ns3/enum.h>
#include <ns3/log.h>
#include <ns3/queue-size.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/ns3/helper/watershed-cables.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

/// Hosts on the inputs of a switch, and one behind its uplink; all at 1 Gb/s, frames of 976 + 24 B = 8 us.
struct Star {
    Simulation simulation;
    WatershedCables helper;
    ns3::Ptr<ns3::Node> node = ns3::CreateObject<ns3::Node>();
    ns3::Ptr<WatershedSwitchImpl> network_switch = ns3::CreateObject<WatershedSwitchImpl>();
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> hosts;
    ns3::Ptr<WatershedNetDeviceImpl> server;
    std::vector<std::string> log;

    explicit Star(int inputs, int uplinks = 1) {
        node->AggregateObject(network_switch);
        for (int i = 0; i < inputs; ++i) {
            const auto [host, input] = helper.Connect(ns3::CreateObject<ns3::Node>(), node);
            network_switch->AddInput(input);
            hosts.push_back(host);
        }
        for (int i = 0; i < uplinks; ++i) {
            const auto [uplink, far] = helper.Connect(node, ns3::CreateObject<ns3::Node>());
            network_switch->AddUplink(uplink);
            server = far;
        }
        network_switch->TraceConnectWithoutContext("Enqueue", ns3::MakeCallback(&Star::enqueue, this));
        network_switch->TraceConnectWithoutContext("Dequeue", ns3::MakeCallback(&Star::dequeue, this));
        network_switch->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Star::drop, this));
        network_switch->TraceConnectWithoutContext("Occupancy", ns3::MakeCallback(&Star::occupancy, this));
    }
    void note(const std::string& text) { log.push_back(std::to_string(Now().count() / 1'000'000) + " us: " + text); }
    void enqueue(ns3::Ptr<const ns3::Packet>, std::uint32_t input) { note("enqueue " + std::to_string(input)); }
    void dequeue(ns3::Ptr<const ns3::Packet>, std::uint32_t input) { note("dequeue " + std::to_string(input)); }
    void drop(ns3::Ptr<const ns3::Packet>, std::uint32_t input, std::uint32_t output, const LossCause& cause) {
        note("drop " + std::to_string(input) + " for " +
             (output == WatershedSwitchImpl::kNoPort ? "none" : std::to_string(output)) + " " +
             std::string(cause.where) + "/" + std::string(cause.reason));
    }
    void occupancy(std::int64_t frames, std::int64_t bytes) {
        note(std::to_string(frames) + " frames " + std::to_string(bytes) + " B");
    }
    void send(int host) { hosts[static_cast<std::size_t>(host)]->SendFrame(ns3::Create<ns3::Packet>(976), Now()); }
};

}  // namespace

TEST_CASE(
    "A switch with room for two frames takes two of three that arrive together, by input, and frees their memory as "
    "they leave") {
    Star star(3);
    ns3::Config::Set("/NodeList/0/$ns3::WatershedSwitch/Size", ns3::UintegerValue(2));
    for (const int host : {2, 1, 0}) star.send(host);
    ns3::Simulator::Run();
    CHECK(star.log == std::vector<std::string>{"8 us: enqueue 0", "8 us: 1 frames 980 B", "8 us: enqueue 1",
                                               "8 us: 2 frames 1960 B", "8 us: drop 2 for 3 switch/buffer-full",
                                               "16 us: dequeue 0", "16 us: 1 frames 980 B", "24 us: dequeue 1",
                                               "24 us: 0 frames 0 B"});
    CHECK(star.network_switch->GetMemory().peak_frames() == 2);
    CHECK(star.network_switch->GetInside().GetLastActivity() == Time{24'000'000});
}

TEST_CASE("A frame that has left at this instant has given its memory back to one that arrives") {
    Star star(1);
    star.network_switch->SetAttribute("Size", ns3::UintegerValue(1));
    for (int i = 0; i < 3; ++i) star.send(0);  // arrive at 8, 16 and 24 us; leave at 16, 24 and 32
    ns3::Simulator::Run();
    CHECK(star.network_switch->GetMemory().peak_frames() == 1);
    CHECK(std::count_if(star.log.begin(), star.log.end(),
                        [](const std::string& line) { return line.find("drop") != std::string::npos; }) == 0);
    CHECK(star.log.back() == "32 us: 0 frames 0 B");
}

TEST_CASE("Sharing, unit, order and latency are attributes that text can set") {
    Star star(2);
    star.network_switch->SetAttribute("Sharing", ns3::StringValue("per-input"));
    star.network_switch->SetAttribute("SizeUnit", ns3::StringValue("bytes"));
    star.network_switch->SetAttribute("Size", ns3::StringValue("980"));
    star.network_switch->SetAttribute("ArrivalOrder", ns3::StringValue("rotating"));
    star.network_switch->SetAttribute("Latency", ns3::StringValue("3us"));
    star.send(0);
    star.send(1);
    ns3::Simulator::Run();
    CHECK(star.log == std::vector<std::string>{"8 us: enqueue 0", "8 us: 1 frames 980 B", "8 us: enqueue 1",
                                               "8 us: 2 frames 1960 B", "19 us: dequeue 0", "19 us: 1 frames 980 B",
                                               "27 us: dequeue 1", "27 us: 0 frames 0 B"});
    // A name that is none of an enumeration ends the program in ns-3 3.43, which lists the right ones.
    CHECK_FALSE(star.network_switch->SetAttributeFailSafe("Latency", ns3::StringValue("-1us")));
}

TEST_CASE(
    "A switch whose longest queue drops takes the last frame of that queue back for one that arrives, and tells of it "
    "as a drop") {
    Star star(4, 2);  // inputs 0 and 2 send to one uplink, 1 and 3 to the other
    star.network_switch->SetAttribute("Sharing", ns3::StringValue("longest-queue-drop"));
    star.network_switch->SetAttribute("ArrivalOrder", ns3::StringValue("module"));
    star.network_switch->SetAttribute("Size", ns3::UintegerValue(3));
    for (int i = 0; i < 2; ++i)
        for (const int host : {0, 2, 3}) star.send(host);
    ns3::Simulator::Run();
    // At 8 us 2 frames are for one uplink and 1 is for the other. At 16 us one of each has left, and inputs 0 and 2
    // fill the memory again.
    CHECK(star.log == std::vector<std::string>{"8 us: enqueue 0",        "8 us: 1 frames 980 B",
                                               "8 us: enqueue 2",        "8 us: 2 frames 1960 B",
                                               "8 us: enqueue 3",        "8 us: 3 frames 2940 B",
                                               "16 us: dequeue 0",       "16 us: 2 frames 1960 B",
                                               "16 us: dequeue 3",       "16 us: 1 frames 980 B",
                                               "16 us: enqueue 0",       "16 us: 2 frames 1960 B",
                                               "16 us: enqueue 2",       "16 us: 3 frames 2940 B",
                                               "16 us: 2 frames 1960 B", "16 us: drop 2 for 4 switch/pushed-out",
                                               "16 us: enqueue 3",       "16 us: 3 frames 2940 B",
                                               "24 us: dequeue 2",       "24 us: 2 frames 1960 B",
                                               "24 us: dequeue 3",       "24 us: 1 frames 980 B",
                                               "32 us: dequeue 0",       "32 us: 0 frames 0 B"});
}

TEST_CASE("The switch knows every registered policy by its name") {
    const auto network_switch = ns3::CreateObject<WatershedSwitchImpl>();
    for (const Sharing each : Sharing::all()) {
        network_switch->SetAttribute("Sharing", ns3::StringValue(each->name));
        ns3::StringValue name;
        network_switch->GetAttribute("Sharing", name);
        CHECK(name.Get() == each->name);
    }
}

TEST_CASE("What comes in through an uplink is dropped with that reason, since the camera sends one way") {
    Star star(1);
    star.server->SendFrame(ns3::Create<ns3::Packet>(976), Now());
    ns3::Simulator::Run();
    CHECK(star.log == std::vector<std::string>{"8 us: drop 1 for none switch/from-uplink"});
}

namespace {

/// Input whose frame comes first, at so many instants at each of which all send and the memory has room for one.
std::vector<std::string> FirstOf(int inputs, int instants, const char* order, std::int64_t stream = -1) {
    Star star(inputs);
    star.network_switch->SetAttribute("Size", ns3::UintegerValue(1));
    star.network_switch->SetAttribute("ArrivalOrder", ns3::StringValue(order));
    if (stream >= 0) star.network_switch->AssignStreams(stream);
    for (int i = 0; i < instants; ++i)
        for (int host = 0; host < inputs; ++host)
            ns3::Simulator::Schedule(ns3::MicroSeconds(i * 100), &Star::send, &star, host);
    ns3::Simulator::Run();
    std::vector<std::string> first;
    for (const std::string& line : star.log)
        if (const auto at = line.find("enqueue "); at != std::string::npos) first.push_back(line.substr(at + 8));
    return first;
}

}  // namespace

TEST_CASE("Inputs of a switch that gathers them on uplinks take turns: it draws no lots and hashes nothing") {
    for (const char* selection : {"random", "hash"})
        CHECK_THAT(said_at_death([selection] {
                       Star star(2);
                       star.network_switch->SetAttribute("UplinkSelection", ns3::StringValue(selection));
                       ns3::Simulator::Run();
                   }),
                   Contains("hash and random are for uplinks of a switch with ports"));
}

TEST_CASE("Frames without an event header rotate from instant to instant") {
    CHECK(FirstOf(3, 5, "rotating") == std::vector<std::string>{"0", "1", "2", "0", "1"});
    CHECK(FirstOf(3, 3, "module") == std::vector<std::string>{"0", "0", "0"});
}

TEST_CASE("Random order draws anew at every instant, with the stream that is assigned and the run of ns-3") {
    const auto drawn = FirstOf(3, 60, "random", 7);
    const std::set<std::string> who(drawn.begin(), drawn.end());
    CHECK(drawn.size() == 60);
    CHECK(who == std::set<std::string>{"0", "1", "2"});  // none stays away 60 times but by (2/3)^60
    CHECK(FirstOf(3, 60, "random", 7) == drawn);
    CHECK(FirstOf(3, 60, "random", 8) != drawn);
    const auto run = ns3::RngSeedManager::GetRun();
    ns3::RngSeedManager::SetRun(run + 1);
    CHECK(FirstOf(3, 60, "random", 7) != drawn);
    ns3::RngSeedManager::SetRun(run);
}

TEST_CASE(
    "During a run the memory's attributes are refused, with the reason, and keep their values; latency and order take "
    "effect") {
    Star star(2);
    ns3::Simulator::Schedule(ns3::MicroSeconds(1), [&] {
        std::string said;
        for (const auto& [name, value] : {std::pair{"Size", "5"},
                                          {"Sharing", "per-input"},
                                          {"WredTo", "3p"},
                                          {"Ecn", "true"},
                                          {"MaxSize", "3p"},
                                          {"FlowControl", "pfc"}}) {
            CAPTURE(name);
            CHECK_FALSE(star.network_switch->SetAttributeFailSafe(name, ns3::StringValue(value)));
        }
        ns3::UintegerValue size;
        star.network_switch->GetAttribute("Size", size);
        CHECK(size.Get() == 1000);
        CHECK_THAT(said_at_death([&] { star.network_switch->SetAttribute("Size", ns3::UintegerValue(5)); }),
                   Contains("Size") && Contains("when the run begins"));
        star.network_switch->SetAttribute("Latency", ns3::StringValue("3us"));
    });
    star.send(0);
    ns3::Simulator::Run();
    CHECK(star.log.back() == "19 us: 0 frames 0 B");
}

TEST_CASE("The size of the memory may be an ns3::QueueSize") {
    Star star(3);
    star.network_switch->SetAttribute("MaxSize", ns3::QueueSizeValue(ns3::QueueSize("1960B")));
    for (const int host : {0, 1, 2}) star.send(host);
    ns3::Simulator::Run();
    CHECK(star.network_switch->GetMemory().peak_bytes() == Bytes{1960});
    CHECK(std::count(star.log.begin(), star.log.end(), "8 us: drop 2 for 3 switch/buffer-full") == 1);
}

TEST_CASE("After a drop a queue refuses until it has fallen to Resume") {
    Star star(3);
    star.network_switch->SetAttribute("Size", ns3::UintegerValue(2));
    star.network_switch->SetAttribute("Resume", ns3::StringValue("0%"));
    for (const int host : {0, 1, 2}) star.send(host);  // the third finds two frames at 8 us; they leave at 16 and 24 us
    ns3::Simulator::Schedule(ns3::MicroSeconds(9), &Star::send, &star, 0);   // arrives at 17 us: there is one
    ns3::Simulator::Schedule(ns3::MicroSeconds(17), &Star::send, &star, 0);  // at 25 us there is none
    ns3::Simulator::Run();
    CHECK(std::count(star.log.begin(), star.log.end(), "17 us: drop 0 for 3 switch/resume") == 1);
    CHECK(std::count(star.log.begin(), star.log.end(), "25 us: enqueue 0") == 1);
    CHECK_FALSE(ns3::CreateObject<WatershedSwitchImpl>()->SetAttributeFailSafe("Resume", ns3::StringValue("150%")));
}

TEST_CASE("Attributes that do not go together end the program by their names") {
    const auto said = [](const std::vector<std::pair<const char*, const char*>>& attributes) {
        return said_at_death([&] {
            Star star(1);
            for (const auto& [name, value] : attributes)
                star.network_switch->SetAttribute(name, ns3::StringValue(value));
            ns3::Simulator::Run();
        });
    };
    CHECK_THAT(said({{"Reserved", "1500B"}}),
               Contains("Reserved: found an amount of bytes, expected one of frames") && !Contains("switch.buffer"));
    CHECK_THAT(said({{"SizeUnit", "cells"}}), Contains("Cell: missing") && !Contains("switch.buffer"));
    CHECK_THAT(said({{"WredFrom", "9p"}, {"WredTo", "3p"}}), Contains("WredFrom is above WredTo"));
    CHECK_THAT(said({{"Ecn", "true"}}), Contains("set WredTo"));
    CHECK_THAT(said({{"FlowControl", "pfc"}, {"Xoff", "3p"}}), Contains("AddPort()"));
}

TEST_CASE("Switch and device have components of ns-3's logging") {
    for (const char* name : {"WatershedSwitch", "WatershedNetDevice"})
        CHECK(ns3::LogComponent::GetComponentList()->count(name) == 1);
}

TEST_CASE("The page about ns-3 names every attribute and every trace source of switch and device") {
    std::ifstream file(std::string(std::getenv("WATERSHED_SOURCE")) + "/model/ns3/README.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const auto& type : {WatershedSwitch::GetTypeId(), WatershedNetDevice::GetTypeId()}) {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            CHECK_THAT(page, Contains("`" + type.GetAttribute(i).name + "`"));
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
            CHECK_THAT(page, Contains("`" + type.GetTraceSource(i).name + "`"));
    }
}

}  // namespace watershed
