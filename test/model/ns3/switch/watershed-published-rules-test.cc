// SPDX-License-Identifier: GPL-2.0-only
// Switches that others have published, recreated by published-rules.py: one and the same list of frames, and the same
// losses, pauses and bytes at the same picoseconds.
#include <ns3/packet.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
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
    std::int64_t reserve = 0, offset = 0, delay = 0;
    std::string more{};  ///< settings of the program
};

/// Lines of the program that goes by the published rules.
RuledLines Published(const Rules& rules, const OfferedFrames& frames) {
    const TemporaryFolder folder;
    const std::string file = folder / "frames";
    {
        std::ofstream out(file);
        out << "{\"rule\": \"" << rules.name << "\", \"size\": " << rules.size << ", \"alpha\": \"" << rules.alpha
            << "\", \"inputs\": " << rules.hosts << ", \"outputs\": " << rules.outputs
            << ", \"classes\": " << rules.classes << ", \"reserve\": " << rules.reserve
            << ", \"offset\": " << rules.offset << ", \"delay\": " << rules.delay << rules.more
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
        helper.Set("ArrivalOrder", ns3::StringValue("module"));
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
        Line() << "held " << m_area;
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
    void Pause(std::uint32_t input, std::uint32_t quanta, std::uint32_t traffic_class) {
        const std::uint32_t number = traffic_class % kTrafficClasses;  // the programs number one queue of all 0
        Line() << (quanta > 0 ? "off " : "on ") << Now().count() << ' ' << input << ' ' << number << ' ' << m_held;
    }
    void Occupy(std::int64_t, std::int64_t bytes) {
        m_area += m_held * (Now() - std::exchange(m_since, Now())).count();
        m_held = bytes;
        m_most = std::max(m_most, bytes);
    }

    Simulation m_simulation;
    Rules m_rules;
    ns3::Ptr<ns3::Node> m_node = ns3::CreateObject<ns3::Node>();
    ns3::NetDeviceContainer m_devices;
    std::stringstream m_lines;
    std::int64_t m_held = 0, m_most = 0, m_area = 0;
    Time m_since{0};
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

/// The first line that is not the same, of both; nothing if there is none.
std::string Difference(const RuledLines& here, const RuledLines& there) {
    for (std::size_t i = 0; i < std::max(here.size(), there.size()); ++i) {
        const std::string ours = i < here.size() ? here[i] : "nothing",
                          theirs = i < there.size() ? there[i] : "nothing";
        if (ours != theirs) return "line " + std::to_string(i) + ": here " + ours + ", there " + theirs;
    }
    return "";
}

/// Counts of the frames of all sizes that were compared.
struct Seen {
    std::int64_t lost = 0, orders = 0;

    /// The switch against its published rules. @return what these say
    RuledLines Compare(const Rules& rules, const PublishedStar::Values& values, std::size_t each) {
        const OfferedFrames frames = RandomFrames(rules, each, 60, 1514);
        RuledLines published = Published(rules, frames);
        CHECK(Difference(PublishedStar(rules, values).Run(frames), published) == "");
        lost += CountOf(published, "lost");
        orders += CountOf(published, "on");
        return published;
    }
};

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
        CHECK(Difference(PublishedStar(rules, values).Run(frames), published) == "");
    }
}

TEST_CASE("Frames within the first bytes of their flow have a threshold of their own, as in FAB and under ABM") {
    // About 2 us lie between two frames of a flow.
    for (const auto& [name, sharing, idle] :
         {std::tuple{"fab", "dynamic-threshold", 0}, {"fab", "dynamic-threshold", 5}, {"fab-abm", "abm", 5}}) {
        CAPTURE(name, idle);
        Rules rules{name, 60'000, "1/4", 8, 2, 2};
        const PublishedStar::Values values{
            {"Sharing", sharing},    {"MaxSize", "60000B"}, {"Scheduler", "wrr"},
            {"Release", "start"},    {"Alpha", "0.25"},     {"ThresholdWhole", "true"},
            {"FirstBytes", "20000"}, {"FirstAlpha", "4"},   {"FirstIdle", std::to_string(idle) + "us"}};
        const std::string first = ", \"first_bytes\": 20000, \"first_alpha\": \"4\"";
        rules.more = first + ", \"first_idle\": " + std::to_string(idle * 1'000'000);
        const OfferedFrames frames = RandomFrames(rules, 400, 60, 1514);
        const RuledLines published = Published(rules, frames);
        CHECK(Difference(PublishedStar(rules, values).Run(frames), published) == "");
        CHECK(CountOf(published, "lost") > 1000);
        rules.more = idle > 0 ? first : "";
        CHECK(Published(rules, frames) != published);
    }
}

TEST_CASE("Push-out of the longest queue loses frames where and when its published rule does") {
    // Frames are equal: it is all the same whether the last one in memory goes or the one that arrives.
    const Rules rules{"lqd", 60'000, "1", 8, 2, 1};
    const OfferedFrames frames = RandomFrames(rules, 400, 996, 996);
    const RuledLines published = Published(rules, frames);
    CHECK(CountOf(published, "lost") > 1000);
    const PublishedStar::Values values{{"Sharing", "longest-queue-drop"}, {"MaxSize", "60000B"}, {"Release", "start"}};
    CHECK(Difference(PublishedStar(rules, values).Run(frames), published) == "");
}

TEST_CASE(
    "Inputs are told to pause and to go on when HPCC's switch tells them, and what is lost and held is the same") {
    // A pause takes 67.2 ns and 1 us to the host, and what it stops too late 1 us to the switch: four frames of 1231.2
    // ns, or many short ones. 20 kB of headroom are enough, 2 kB are not. In 4 kB thresholds are below many a frame, so
    // that headroom is full while there is reserve.
    Seen seen;
    for (const std::string alpha : {"1/16", "1/4", "1"})
        for (const std::uint32_t classes : {1, 2})
            for (const auto& [size, headroom] :
                 {std::pair<std::string, std::string>{"100000", "20000"}, {"100000", "2000"}, {"4000", "2000"}}) {
                CAPTURE(alpha, classes, size, headroom);
                Rules rules{"hpcc", std::stoll(size), alpha, 6, 2, classes};
                rules.reserve = 4'000;
                rules.offset = 3'000;
                rules.delay = 1'000'000;
                rules.more = ", \"lossless\": [0, 1], \"headrooms\": [" + headroom + ", " + headroom + "]";
                const std::string decimal = alpha == "1" ? "1" : alpha == "1/4" ? "0.25" : "0.0625";
                PublishedStar::Values values{{"Sharing", "shared"},   {"Accounting", "ingress"},
                                             {"MaxSize", size + "B"}, {"Reserved", "4000B"},
                                             {"FlowControl", "pfc"},  {"PauseAlpha", decimal},
                                             {"PauseRule", "hpcc"},   {"XonOffset", "3000B"},
                                             {"Release", "start"},    {"Headroom", headroom + "B"}};
                if (classes > 1) {
                    values.emplace_back("Scheduler", "wrr");
                    values.emplace_back("ClassHeadrooms", headroom + "B," + headroom + "B");
                }
                const RuledLines published = seen.Compare(rules, values, 300);
                CHECK((headroom == "2000" || CountOf(published, "lost") == 0));
            }
    CHECK(seen.lost > 100);
    CHECK(seen.orders > 1000);
}

TEST_CASE("Lossless and lossy classes have the pools, pauses and losses that ns3-datacenter's switch gives them") {
    Seen seen;
    // In 10 kB what first frames take beyond headroom is missed elsewhere.
    using Case = std::array<std::string, 3>;
    for (const auto& [sharing, size, headroom] :
         {Case{"dynamic-threshold", "60000", "20000"}, Case{"dynamic-threshold", "60000", "3000"},
          Case{"dynamic-threshold", "60000", "1000"}, Case{"dynamic-threshold", "10000", "500"},
          Case{"dynamic-threshold", "10000", "0"}, Case{"abm", "60000", "20000"}, Case{"abm", "60000", "1000"}}) {
        CAPTURE(sharing, size, headroom);
        Rules rules{"sonic", std::stoll(size), "1/4", 6, 2, 3};
        rules.offset = 2'496;
        rules.delay = 1'000'000;
        rules.more =
            ", \"lossless\": [0, 2], \"lossy_alpha\": \"1/2\", \"lossy_pool\": 30000, \"lossless_pool\": 80000, "
            "\"lossy_egress_alpha\": \"1\", \"lossless_egress_alpha\": \"8\", \"xon\": 1248, \"headrooms\": [" +
            headroom + ", 0, " + headroom + "], \"abm\": " + (sharing == "abm" ? "true" : "false");
        const PublishedStar::Values values{{"Sharing", sharing},
                                           {"ThresholdWhole", "true"},
                                           {"Accounting", "both"},
                                           {"MaxSize", size + "B"},
                                           {"Alpha", "0.5"},
                                           {"EgressSize", "30000B"},
                                           {"EgressAlpha", "1"},
                                           {"EgressLosslessSize", "80000B"},
                                           {"EgressLosslessAlpha", "8"},
                                           {"Scheduler", "wrr"},
                                           {"FlowControl", "pfc"},
                                           {"PauseClasses", "5"},
                                           {"PauseAlpha", "0.25"},
                                           {"PauseRule", "sonic"},
                                           {"Xon", "1248B"},
                                           {"XonOffset", "2496B"},
                                           {"ClassHeadrooms", headroom + "B,0B," + headroom + "B"},
                                           {"Release", "start"}};
        seen.Compare(rules, values, 400);
    }
    CHECK(seen.lost > 100);
    CHECK(seen.orders > 100);
}

TEST_CASE("Reverie pauses lossless classes and loses frames of others in one pool as its published rules do") {
    Seen seen;
    for (const std::string headroom : {"20000", "3000", "1000", "0"}) {
        CAPTURE(headroom);
        Rules rules{"reverie-pause", 60'000, "1/4", 6, 2, 3};
        rules.offset = 2'496;
        rules.delay = 1'000'000;
        rules.more = ", \"lossless\": [0, 2], \"lossy_alpha\": \"1/2\", \"xon\": 1248, \"headrooms\": [" + headroom +
                     ", 0, " + headroom + "]";
        const PublishedStar::Values values{
            {"Sharing", "reverie"},      {"Filter", "0.99"},
            {"CongestedFrom", "20000B"}, {"Accounting", "mixed"},
            {"MaxSize", "60000B"},       {"Alpha", "0.5"},
            {"Scheduler", "wrr"},        {"FlowControl", "pfc"},
            {"PauseClasses", "5"},       {"PauseAlpha", "0.25"},
            {"PauseRule", "sonic"},      {"Xon", "1248B"},
            {"XonOffset", "2496B"},      {"ClassHeadrooms", headroom + "B,0B," + headroom + "B"},
            {"Release", "start"}};
        seen.Compare(rules, values, 400);
    }
    CHECK(seen.lost > 100);
    CHECK(seen.orders > 100);
}

}  // namespace watershed
