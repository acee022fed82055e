// SPDX-License-Identifier: GPL-2.0-only
// Switches that others have published, recreated by published-rules.py: one and the same list of frames, and the same
// losses, pauses and bytes at the same picoseconds.
#include <ns3/packet.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"
#include "test/temporary-folder.h"

namespace watershed {
namespace {

constexpr std::int64_t kPicosecondsPerByte = 800;  // picoseconds at 10 Gb/s

struct OfferedFrame {
    std::int64_t ready;  ///< picoseconds
    std::uint32_t host, output, traffic_class;
    std::uint32_t size;  ///< without FCS: 4 less than in memory, 24 less than on the link
};
using OfferedFrames = std::vector<OfferedFrame>;
using RuledLines = std::vector<std::string>;

struct Rules {
    std::string name;
    std::int64_t size;
    std::string alpha = "1";
    std::uint32_t hosts, outputs, classes;
    std::int64_t headroom = 0, reserve = 0, offset = 0, delay = 0;
};

/// What the program says that goes by the rules.
RuledLines Published(const Rules& rules, const OfferedFrames& frames) {
    const TemporaryFolder folder;
    const std::string file = folder / "frames";
    {
        std::ofstream out(file);
        out << "{\"rule\": \"" << rules.name << "\", \"size\": " << rules.size << ", \"alpha\": \"" << rules.alpha
            << "\", \"inputs\": " << rules.hosts << ", \"outputs\": " << rules.outputs
            << ", \"classes\": " << rules.classes << ", \"headroom\": " << rules.headroom
            << ", \"reserve\": " << rules.reserve << ", \"offset\": " << rules.offset << ", \"delay\": " << rules.delay
            << ", \"byte\": " << kPicosecondsPerByte << ", \"order\": " << 84 * kPicosecondsPerByte << "}\n";
        for (const OfferedFrame& frame : frames)
            out << frame.ready << ' ' << frame.host << ' ' << frame.output << ' ' << frame.traffic_class << ' '
                << frame.size + 4 << ' ' << frame.size + 24 << '\n';
    }
    const char* const source = std::getenv("WATERSHED_SOURCE");
    const std::string program = std::string(source ? source : ".") + "/test/model/ns3/switch/published-rules.py";
    FILE* const said = popen(("python3 '" + program + "' < '" + file + "'").c_str(), "r");
    REQUIRE(said);
    RuledLines lines;
    char line[200];
    while (std::fgets(line, sizeof line, said)) lines.emplace_back(line, std::string(line).size() - 1);
    REQUIRE(pclose(said) == 0);
    return lines;
}

/// The same of a WatershedSwitch between hosts: those that send come first.
class PublishedStar {
  public:
    using Values = std::vector<std::pair<std::string, std::string>>;

    PublishedStar(const Rules& rules, const Values& values) : m_rules(rules) {
        WatershedSwitchHelper helper;
        for (const auto& [name, value] : values) helper.Set(name, ns3::StringValue(value));
        helper.SetDeviceAttribute("DataRate", ns3::StringValue("10Gbps"));
        helper.SetDeviceAttribute("FifoLimit", ns3::UintegerValue(0));
        helper.SetChannelAttribute("Delay", ns3::TimeValue(ns3::PicoSeconds(rules.delay)));
        m_devices = helper.Install(ns3::NodeContainer(rules.hosts + rules.outputs), m_node);
        WatershedSwitchHelper::PopulateTables();
        const auto of = WatershedSwitchImpl::Of(m_node);
        of->TraceConnectWithoutContext("Drop", ns3::MakeCallback(&PublishedStar::Drop, this));
        of->TraceConnectWithoutContext("Pause", ns3::MakeCallback(&PublishedStar::Pause, this));
        of->TraceConnectWithoutContext("Occupancy", ns3::MakeCallback(&PublishedStar::Occupy, this));
    }
    RuledLines Run(const OfferedFrames& frames) {
        for (const OfferedFrame& frame : frames)
            ns3::Simulator::Schedule(ns3::PicoSeconds(frame.ready), &PublishedStar::Send, this, frame);
        ns3::Simulator::Run();
        Line() << "most " << m_most;
        RuledLines lines;
        for (std::string line; std::getline(m_lines, line);) lines.push_back(line);
        return lines;
    }

  private:
    std::ostream& Line() { return m_lines << (m_lines.tellp() > 0 ? "\n" : ""); }
    void Send(const OfferedFrame& frame) {
        std::vector<std::uint8_t> payload(frame.size - 14);
        payload[0] = static_cast<std::uint8_t>(frame.traffic_class << 5);
        m_devices.Get(frame.host)
            ->Send(ns3::Create<ns3::Packet>(payload.data(), static_cast<std::uint32_t>(payload.size())),
                   m_devices.Get(m_rules.hosts + frame.output)->GetAddress(), 0x8100);
    }
    void Drop(ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t output, const LossCause&) {
        Line() << "lost " << Now().count() << ' ' << output - m_rules.hosts;
    }
    void Pause(std::uint32_t input, std::uint32_t quanta, std::uint32_t) {
        Line() << (quanta > 0 ? "off " : "on ") << Now().count() << ' ' << input;
    }
    void Occupy(std::int64_t, std::int64_t bytes) { m_most = std::max(m_most, bytes); }

    Simulation m_simulation;
    Rules m_rules;
    ns3::Ptr<ns3::Node> m_node = ns3::CreateObject<ns3::Node>();
    ns3::NetDeviceContainer m_devices;
    std::stringstream m_lines;
    std::int64_t m_most = 0;
};

/// OfferedFrames of random sizes, one after the other at each host, with pauses between them of as much on the average.
OfferedFrames RandomFrames(const Rules& rules, std::size_t each, std::uint32_t least, std::uint32_t most) {
    std::mt19937_64 random(7);
    const auto draw = [&](std::uint32_t from, std::uint32_t to) {
        return from + static_cast<std::uint32_t>(random() % (to - from + 1));
    };
    OfferedFrames frames;
    for (std::uint32_t host = 0; host < rules.hosts; ++host) {
        std::int64_t ready = draw(0, 1'000'000);
        for (std::size_t i = 0; i < each; ++i) {
            const std::uint32_t size = draw(least, most);
            frames.push_back({ready, host, draw(0, rules.outputs - 1), draw(0, rules.classes - 1), size});
            ready += (size + 24) * kPicosecondsPerByte + draw(0, 2 * (least + most) / 2 * kPicosecondsPerByte);
        }
    }
    return frames;
}

std::int64_t CountOf(const RuledLines& lines, const std::string& what) {
    return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) { return line.rfind(what, 0) == 0; });
}

}  // namespace

TEST_CASE("Dynamic thresholds, ABM, Reverie and complete sharing lose the frames that their published rules lose") {
    // Eight hosts that send half of the time load two outputs twofold: about half of 3200 frames cannot leave.
    for (const auto& [name, sharing] : {std::pair{"dt", "dynamic-threshold"}, std::pair{"abm", "abm"},
                                        std::pair{"cs", "shared"}, std::pair{"reverie", "reverie"}}) {
        CAPTURE(name);
        const Rules rules{name, 60'000, "1/2", 8, 2, 2};
        PublishedStar::Values values{
            {"Sharing", sharing}, {"MaxSize", "60000B"}, {"Scheduler", "wrr"}, {"Release", "start"}};
        if (name != std::string("cs")) {
            values.emplace_back("Alpha", "0.5");
            values.emplace_back("ThresholdWhole", "true");
        }
        if (name == std::string("reverie")) {
            values.emplace_back("Filter", "0.99");
            values.emplace_back("CongestedFrom", "20000B");
        }
        const OfferedFrames frames = RandomFrames(rules, 400, 60, 1514);
        const RuledLines published = Published(rules, frames);
        CHECK(CountOf(published, "lost") > 1000);
        CHECK(PublishedStar(rules, values).Run(frames) == published);
    }
}

TEST_CASE("Push-out of the longest queue loses frames where and when its published rule does") {
    // Of equal frames it is all the same whether the last one in memory goes or that which arrives.
    const Rules rules{"lqd", 60'000, "1", 8, 2, 1};
    const OfferedFrames frames = RandomFrames(rules, 400, 996, 996);
    const RuledLines published = Published(rules, frames);
    CHECK(CountOf(published, "lost") > 1000);
    CHECK(PublishedStar(rules, {{"Sharing", "longest-queue-drop"}, {"MaxSize", "60000B"}, {"Release", "start"}})
              .Run(frames) == published);
}

namespace {

/// Until the first input is told to go on.
RuledLines FirstOrders(const RuledLines& lines) {
    const auto on =
        std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.rfind("on ", 0) == 0; });
    return {lines.begin(), on};
}

}  // namespace

TEST_CASE("The first input is told to pause by the frame at which the switch of HPCC tells it, and nothing is lost") {
    // A pause takes 67.2 ns and 1 us to the host, and what it stops too late 1 us to the switch: three frames of 819.2
    // ns at most, for which there are 20 kB. The frame that brings a pause
    // is on headroom there and in the shared memory here, so that others may be told a frame sooner; and when inputs
    // may go on differs.
    for (const std::string alpha : {"1/16", "1/4", "1"}) {
        CAPTURE(alpha);
        Rules rules{"hpcc", 100'000, alpha, 4, 1, 1};
        rules.headroom = 20'000;
        rules.reserve = 4'000;
        rules.offset = 3'000;
        rules.delay = 1'000'000;
        const OfferedFrames frames = RandomFrames(rules, 200, 1000, 1000);
        const RuledLines published = Published(rules, frames);
        const RuledLines here = PublishedStar(rules, {{"Sharing", "dynamic-threshold"},
                                                      {"Accounting", "ingress"},
                                                      {"Alpha", alpha == "1"     ? "1"
                                                                : alpha == "1/4" ? "0.25"
                                                                                 : "0.0625"},
                                                      {"MaxSize", "100000B"},
                                                      {"Reserved", "4000B"},
                                                      {"Headroom", "20000B"},
                                                      {"FlowControl", "pfc"},
                                                      {"PauseAlpha", alpha == "1"     ? "1"
                                                                     : alpha == "1/4" ? "0.25"
                                                                                      : "0.0625"},
                                                      {"XonOffset", "3000B"},
                                                      {"Release", "start"}})
                                    .Run(frames);
        CHECK(FirstOrders(here).size() == FirstOrders(published).size());
        CHECK(FirstOrders(here).front() == FirstOrders(published).front());
        CHECK(CountOf(published, "lost") == 0);
        CHECK(CountOf(here, "lost") == 0);
    }
}

}  // namespace watershed
