// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-event-driven-bridge.h"

#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "test/catch.h"
#include "test/model/ns3/helper/four-hosts.h"

namespace watershed {
namespace {

using Values = FourHosts::Values;
using Arrivals = std::vector<std::int64_t>;

/// Sender and receiver of frames that are all begun to be sent at once.
using Frames = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// When they come to a host, and how many are lost for which reason.
struct Came {
    Arrivals at;
    std::map<std::string, int> drops;

    Came(const Values& values, const Frames& frames, std::uint32_t host) {
        FourHosts hosts(values);
        for (const auto& [from, to] : frames) hosts.Send(from, to);
        at = hosts.Run(host);
        drops = hosts.drops;
    }
};

}  // namespace

TEST_CASE("In one queue for each input the first frame holds up those behind it, as it does not in output queues") {
    // Inputs 0 and 1 send to host 2 at once, and input 1 then to host 3, which is idle: it gets its frame 16 us after
    // it was begun to be sent, or behind the one before it, which waits for that of input 0 until 16 us and leaves
    // until 24.
    const auto arrival = [](const char* queueing) {
        FourHosts hosts(Values{{"Queueing", queueing}});
        hosts.Send(0, 2);
        hosts.Send(1, 2);
        hosts.Send(1, 3);
        return hosts.Run(3);
    };
    CHECK(arrival("output") == Arrivals{24'000});
    CHECK(arrival("virtual-output") == Arrivals{24'000});
    CHECK(arrival("input-fifo") == Arrivals{32'000});
}

TEST_CASE("Virtual output queues are served in turn, so that a late input does not wait behind all others") {
    // Inputs 0 and 1 send three frames each to host 2, of which one has left at 16, 24, … us; that of input 3 comes at
    // 26 us. In turn of inputs it is sent from 40 us on, in the order of arrivals from 56.
    const auto late = [](const char* queueing) {
        FourHosts hosts(Values{{"Queueing", queueing}});
        for (int i = 0; i < 3; ++i)
            for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2);
        hosts.Send(3, 2, 18);
        CHECK(hosts.Run(2) == Arrivals{16'000, 24'000, 32'000, 40'000, 48'000, 56'000, 64'000});
        const auto from = hosts.senders;
        return std::find(from.begin(), from.end(), 3) - from.begin();
    };
    CHECK(late("output") == 6);
    CHECK(late("virtual-output") == 4);
}

TEST_CASE("A class that the scheduler prefers passes the others by, and the tag of its frames arrives with them") {
    // As above, but the late frame has priority 5: when it comes at 26 us a frame is being sent until 32.
    const auto late = [](const Values& values) {
        FourHosts hosts(values);
        for (int i = 0; i < 3; ++i)
            for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2);
        hosts.Send(3, 2, 18, 5);
        CHECK(hosts.Run(2) == Arrivals{16'000, 24'000, 32'000, 40'000, 48'000, 56'000, 64'000});
        const auto from = hosts.senders;
        return std::find(from.begin(), from.end(), 3) - from.begin();
    };
    CHECK(late({{"Scheduler", "fifo"}}) == 6);
    CHECK(late({{"Scheduler", "strict-priority"}}) == 3);
    CHECK(late({{"Scheduler", "wrr"}}) == 3);
    CHECK(late({{"Scheduler", "drr"}, {"Quantum", "1000"}}) == 3);
}

TEST_CASE("Queues of classes behind inputs that never wait are the queues of classes that have no such inputs") {
    // Two computations: where there is an InputFifo the switch is followed step by step.
    for (const char* scheduler : {"strict-priority", "wrr", "drr"})
        for (unsigned seed = 1; seed <= 5; ++seed) {
            CAPTURE(scheduler, seed);
            Values values{{"Scheduler", scheduler}, {"Weights", "1,3,2"}, {"Quantum", "500"}};
            if (seed % 2 == 0) values.emplace_back("Latency", "3us");
            const auto arrivals = [&] {
                FourHosts hosts(values);
                std::minstd_rand draw(seed);
                for (int i = 0; i < 200; ++i) {
                    const auto from = static_cast<std::uint32_t>(draw() % 4);
                    const auto to = (from + 1 + static_cast<std::uint32_t>(draw() % 3)) % 4;
                    const int at = static_cast<int>(draw() % 1000), priority = static_cast<int>(draw() % 8);
                    hosts.Send(from, to, at, priority, 60 + static_cast<std::uint32_t>(draw() % 1400));
                }
                std::vector<Arrivals> all;
                for (std::uint32_t host = 0; host < 4; ++host) all.push_back(hosts.Run(host));
                return std::pair{all, hosts.senders};
            };
            const auto without = arrivals();
            values.emplace_back("InputFifo", "1000p");
            CHECK(arrivals() == without);
            CHECK(without.second.size() > 20);
        }
}

TEST_CASE("A class has the limit that ClassLimits gives it") {
    // Three frames of class 1 come at 8 us; its queue holds one. Frames of class 0 have no limit.
    const auto lost = [](int priority) {
        FourHosts hosts(Values{{"Scheduler", "strict-priority"}, {"ClassLimits", "1000p,1p"}});
        for (const std::uint32_t host : {0, 1, 3}) hosts.Send(host, 2, 0, priority);
        hosts.Run(2);
        return hosts.drops["threshold"];
    };
    CHECK(lost(0) == 0);
    CHECK(lost(1) == 2);
}

TEST_CASE("A frame waits for the gate of its class, which must be open until the frame has left") {
    // Class 1, whole in the switch at 8 us; its gate is open from 10 us to 20 us in each 40 us.
    // The second at which the frames are sent is a multiple of these.
    const auto came = [](const std::string& gates) {
        FourHosts hosts(Values{{"Scheduler", "strict-priority"}, {"Gates", gates}});
        for (const std::uint32_t host : {0, 1}) hosts.Send(host, 2, 0, 1);
        return hosts.Run(2);
    };
    CHECK(came("10us:0;10us:0-1;20us:") == Arrivals{18'000, 58'000});
    CHECK(came("30us:0-7") == Arrivals{16'000, 24'000});
}

TEST_CASE("A frame that finds its output idle cuts through after 64 B, and one that finds it busy is stored") {
    CHECK(Came({{"CutThrough", "true"}}, {{0, 1}}, 1).at == Arrivals{8'000 + 512});
    // 1000 ns of header, 1 us of latency, 8 us; then the other one, whole by then
    const Came two({{"CutThrough", "true"}, {"CutThroughAfter", "125"}, {"Latency", "1us"}}, {{0, 2}, {1, 2}}, 2);
    CHECK(two.at == Arrivals{10'000, 18'000});
}

TEST_CASE("A frame crosses the fabric at its rate, one of a port group at a time") {
    Values fabric{{"FabricRate", "2Gbps"}, {"InputFifo", "4p"}};
    CHECK(Came(fabric, {{0, 1}}, 1).at == Arrivals{8'000 + 4'000 + 8'000});
    const Frames two{{0, 2}, {1, 3}};  // for different outputs
    CHECK(Came(fabric, two, 3).at == Arrivals{8'000 + 8'000 + 8'000});
    fabric.emplace_back("PortGroups", "4");
    CHECK(Came(fabric, two, 3).at == Arrivals{8'000 + 4'000 + 8'000});
}

TEST_CASE("A frame that the memory does not take waits in its input's FIFO, and is lost without one") {
    const Frames two{{0, 2}, {1, 2}};
    const Came without({{"Queueing", "virtual-output"}, {"MaxSize", "1p"}}, two, 2);
    CHECK(without.at == Arrivals{16'000});
    // and two of three copies of each of the first three frames, whose addresses are not yet known
    CHECK(without.drops == std::map<std::string, int>{{"buffer-full", 1 + 3 * 2}});
    const Came with({{"InputFifo", "4p"}, {"MaxSize", "1p"}}, two, 2);
    CHECK(with.at == Arrivals{16'000, 24'000});
    CHECK(with.drops.empty());
}

}  // namespace watershed
