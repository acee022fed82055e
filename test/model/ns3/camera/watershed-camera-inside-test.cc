// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-camera-inside.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/helper/watershed-helper.h"
#include "model/scenario.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

/// One module that sends frames of 1090 B, 8.72 us on its link of 1 Gb/s, back to back into a switch; with a log.
struct Line {
    Simulation simulation;
    WatershedCamera camera;
    std::vector<std::string> log;

    explicit Line(const Scenario& scenario) : camera(WatershedHelper().Install(scenario)) {
        camera.switches.front()->TraceConnectWithoutContext("Dequeue", ns3::MakeCallback(&Line::dequeue, this));
        camera.switches.front()->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&Line::drop, this));
        camera.switches.front()->TraceConnectWithoutContext("Pause", ns3::MakeCallback(&Line::told, this));
        camera.ports.front()->TraceConnectWithoutContext("Pause", ns3::MakeCallback(&Line::paused, this));
        camera.frontEndDevices.front()->TraceConnectWithoutContext("PromiscSniffer",
                                                                   ns3::MakeCallback(&Line::seen, this));
        ns3::Simulator::Run();
    }
    void note(const std::string& text) { log.push_back(std::to_string(Now().count() / 1000) + " ns: " + text); }
    void dequeue(ns3::Ptr<const ns3::Packet>, std::uint32_t) { note("dequeue"); }
    void drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause& cause) {
        note("drop " + std::string(cause.reason));
    }
    void told(std::uint32_t input, std::uint32_t quanta, std::uint32_t) {
        note("input " + std::to_string(input) + " told " + std::to_string(quanta));
    }
    void paused(std::uint32_t module, std::uint32_t quanta) {
        note("module " + std::to_string(module) + " paused " + std::to_string(quanta));
    }
    void seen(ns3::Ptr<const ns3::Packet> frame) {
        if (const auto quanta = ReadPauseFrame(*frame))
            note("frame of " + std::to_string(*quanta) + " quanta on the link");
    }
};

Scenario line(std::int64_t events, BitRate uplink_rate) {
    Scenario scenario;
    scenario.front_end.modules = 1;
    scenario.trigger.events = events;
    scenario.network_switch.uplink_rate = uplink_rate;
    scenario.network_switch.buffer.size = {100, MemorySize::Unit::Frame};
    return scenario;
}

}  // namespace

TEST_CASE("A pause is a frame on the link, 84 B long, and takes effect after the reaction time") {
    // Frames come 8.72 us apart, and the uplink takes 34.88 us for each: three are there at 26.16 us, one more than
    // xoff. What tells it is on the link for 0.672 us. The frame begun at 26.16 us is the fourth; one leaves
    // at 43.6, 78.48 and 113.36 us, and then one is there, no more than xon.
    Scenario scenario = line(5, BitRate{250'000'000});
    scenario.network_switch.flow_control = {
        FlowControl::Kind::Pfc, {2, MemorySize::Unit::Frame}, {1, MemorySize::Unit::Frame}, 65535};
    scenario.front_end.pause_reaction = Time{1'000'000};
    const Line line(scenario);
    CHECK(line.log == std::vector<std::string>{"8720 ns: dequeue", "26160 ns: input 0 told 65535",
                                               "26832 ns: frame of 65535 quanta on the link",
                                               "27832 ns: module 1 paused 65535", "43600 ns: dequeue",
                                               "78480 ns: dequeue", "113360 ns: dequeue", "113360 ns: input 0 told 0",
                                               "114032 ns: frame of 0 quanta on the link",
                                               "115032 ns: module 1 paused 0", "148240 ns: dequeue"});
}

TEST_CASE("A module that does not obey sends on") {
    Scenario scenario = line(3, BitRate{1000});
    scenario.network_switch.buffer.size = {2, MemorySize::Unit::Frame};
    scenario.network_switch.flow_control = {
        FlowControl::Kind::Pause, {0, MemorySize::Unit::Frame}, {0, MemorySize::Unit::Frame}, 65535};
    scenario.front_end.obeys_pause = false;
    const Line line(scenario);
    CHECK(std::count(line.log.begin(), line.log.end(), "26160 ns: drop buffer-full") == 1);
}

TEST_CASE("A frame that cuts through leaves the switch as soon as its header is there") {
    Scenario scenario = line(1, BitRate{1'000'000'000});
    scenario.network_switch.cut_through = true;
    CHECK(Line(scenario).log == std::vector<std::string>{"512 ns: dequeue"});  // 64 B at 1 Gb/s
}

}  // namespace watershed
