// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/error-model.h>
#include <ns3/node-list.h>
#include <ns3/pointer.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/dcqcn/watershed-dcqcn-receiver.h"
#include "model/ns3/switch/watershed-switch.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"
#include "test/model/ns3/dcqcn/roce-hosts.h"

namespace watershed {
namespace {

/// Flows from hosts of their own to one host, by one switch at 10 Gb/s, each without end. Rate and delays are those of
/// HPCC's simulations, 100 Gb/s and 13 us, times a tenth and ten: the path holds 160 kB.
struct Incast {
    Incast(std::uint32_t number, const std::string& law, const WatershedSwitchHelper& helper)
        : hosts(number + 1, helper) {
        hosts.nodes.Get(number)->AddApplication(receiver);
        for (std::uint32_t i = 0; i < number; ++i) {
            flows.push_back(hosts.SenderTo(number, i));
            flows.back()->SetAttribute("Law", ns3::StringValue(law));
            flows.back()->SetAttribute("Recovery", ns3::StringValue("go-back-n"));
            for (const auto& [name, value] : {std::pair{"BaseRtt", "130us"},
                                              {"AdditiveWindow", "800"},
                                              {"BaseTarget", "199us"},
                                              // DCQCN as the paper has it.
                                              {"RateTimer", "55us"},
                                              {"FastRecovery", "5"},
                                              {"AdditiveIncrease", "40Mbps"}})
                flows.back()->SetAttribute(name, ns3::StringValue(value));
        }
    }
    /// Adds a parameter of all flows.
    void Set(const std::string& name, const ns3::AttributeValue& value) {
        for (const auto& flow : flows) flow->SetAttribute(name, value);
    }
    /// Runs up to a time, and then for as long again. @return payload that each flow sent in the second half, in Gb/s
    std::vector<double> Goodputs(int milliseconds) {
        std::vector<std::uint64_t> before;
        ns3::Simulator::Schedule(ns3::MilliSeconds(static_cast<std::uint64_t>(milliseconds)), [&] {
            for (const auto& flow : flows) before.push_back(flow->GetAcknowledged());
        });
        ns3::Simulator::Stop(ns3::MilliSeconds(static_cast<std::uint64_t>(2 * milliseconds)));
        ns3::Simulator::Run();
        std::vector<double> rates;
        for (std::size_t i = 0; i < flows.size(); ++i)
            rates.push_back(static_cast<double>(flows[i]->GetAcknowledged() - before[i]) * 8 / milliseconds / 1e6);
        return rates;
    }

    RoceHosts hosts;
    ns3::Ptr<WatershedDcqcnReceiver> receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
    std::vector<ns3::Ptr<WatershedDcqcnSender>> flows;
};

WatershedSwitchHelper Reporting() {
    WatershedSwitchHelper helper;
    helper.Set("MaxSize", ns3::StringValue("4MB"));
    helper.Set("Int", ns3::StringValue("true"));
    helper.SetChannelAttribute("Delay", ns3::StringValue("30us"));
    return helper;
}

}  // namespace

// At rest n flows have eta B / n + W_AI / T of the link each: see hpcc-test.cc. A packet of 1024 B costs it 1148: UDP,
// IPv4 and Ethernet 66, BTH and ICRC 16, and telemetry 42, as in the paper for five hops.
TEST_CASE("Flows of HPCC have the goodput of the closed form, less what telemetry takes", "[long]") {
    for (const std::uint32_t number : {1, 2, 4}) {
        CAPTURE(number);
        const Simulation simulation;
        Incast incast(number, "hpcc", Reporting());
        for (const double rate : incast.Goodputs(40))
            CHECK(rate == Approx((0.95 * 10 / number + 800 * 8 / 130e3) * 1024 / 1148).epsilon(0.01));
    }
}

// Eight flows at the rate of the link bring a queue that HPCC empties, because its links are less than full: at most a
// packet of each flow then meets another at the output. DCQCN holds it where frames are marked.
TEST_CASE("HPCC empties the queue of an incast, where DCQCN keeps what is marked", "[long]") {
    const auto longest = [](const char* law) {
        const Simulation simulation;
        WatershedSwitchHelper helper = Reporting();
        for (const auto& [name, value] :
             {std::pair{"WredFrom", "40kB"}, {"WredTo", "160kB"}, {"WredProbability", "0.2"}, {"Ecn", "true"}})
            helper.Set(name, ns3::StringValue(value));
        Incast incast(8, law, helper);
        std::int64_t most = 0;
        WatershedSwitch::Of(ns3::NodeList::GetNode(incast.hosts.nodes.GetN()))
            ->TraceConnectWithoutContext("PortOccupancy",
                                         ns3::Callback<void, std::uint32_t, std::int64_t, std::int64_t>(
                                             [&](std::uint32_t, std::int64_t, std::int64_t bytes) {
                                                 if (ns3::Simulator::Now() > ns3::MilliSeconds(20))
                                                     most = std::max(most, bytes);
                                             }));
        const auto rates = incast.Goodputs(20);
        double sum = 0;
        for (const double rate : rates) sum += rate;
        CHECK(sum > 0.8 * 10 * 1024 / 1148);
        return most;
    };
    CHECK(longest("hpcc") <= 8 * 1148);
    CHECK(longest("dcqcn") > 40'000);
}

TEST_CASE("Two flows of Swift share a link, and keep the round trip at its target", "[long]") {
    const Simulation simulation;
    Incast incast(2, "swift", Reporting());
    incast.Set("FlowScaling", ns3::StringValue("1ns"));
    double sum = 0;
    std::int64_t answers = 0;
    for (const auto& flow : incast.flows)
        flow->TraceConnectWithoutContext("Rtt", ns3::Callback<void, ns3::Time>([&](ns3::Time rtt) {
                                             if (ns3::Simulator::Now() < ns3::MilliSeconds(20)) return;
                                             sum += rtt.GetSeconds() * 1e6;
                                             ++answers;
                                         }));
    const auto rates = incast.Goodputs(20);
    CHECK(sum / static_cast<double>(answers) == Approx(200).epsilon(0.03));  // 199 us, and 1 us for the switch
    CHECK(rates[0] + rates[1] == Approx(10 * 1024.0 / 1106).epsilon(0.01));
    CHECK(rates[0] == Approx(rates[1]).epsilon(0.1));
}

// Zhu et al.: timer 55 us, F = 5, R_AI = 40 Mb/s, and marks from 5 kB to 200 kB with 1 %. The first cuts overshoot
// and cost most; nothing is lost meanwhile or later, and 1024 of 1090 B of the link are payload.
TEST_CASE("A lossless incast of 31 hosts with 8 flows of DCQCN each gets 97 % of the port", "[long]") {
    const Simulation simulation;
    WatershedSwitchHelper helper;
    for (const auto& [name, value] : {std::pair{"MaxSize", "16MB"},
                                      {"FlowControl", "pfc"},
                                      {"Scheduler", "drr"},
                                      {"Xoff", "100kB"},
                                      {"Xon", "80kB"},
                                      {"ControlClass", "6"},
                                      {"PauseClasses", "8"},
                                      {"ClassHeadrooms", "0B,0B,0B,100kB"},
                                      {"Ecn", "true"},
                                      {"WredFrom", "5kB"},
                                      {"WredTo", "200kB"},
                                      {"WredProbability", "0.01"}})
        helper.Set(name, ns3::StringValue(value));
    helper.SetChannelAttribute("Delay", ns3::StringValue("1us"));
    RoceHosts hosts(32, helper, "100Gbps");
    const auto receiver = ns3::CreateObject<WatershedDcqcnReceiver>();
    hosts.nodes.Get(31)->AddApplication(receiver);
    std::vector<ns3::Ptr<WatershedDcqcnSender>> flows;
    for (std::uint32_t i = 0; i < 31 * 8; ++i) {
        flows.push_back(hosts.SenderTo(31, i / 8));
        for (const auto& [name, value] : {std::pair{"DataRate", "100Gbps"},
                                          {"RateTimer", "55us"},
                                          {"FastRecovery", "5"},
                                          {"AdditiveIncrease", "40Mbps"},
                                          {"Tos", "96"}})
            flows.back()->SetAttribute(name, ns3::StringValue(value));
        flows.back()->SetStopTime(ns3::MilliSeconds(15));
    }
    std::vector<std::uint64_t> received;
    for (const std::uint64_t at : {5, 15})
        ns3::Simulator::Schedule(ns3::MilliSeconds(at), [&] { received.push_back(receiver->GetReceived()); });
    ns3::Simulator::Stop(ns3::MilliSeconds(20));
    ns3::Simulator::Run();
    const double millisecond = 100e9 / 8e3 * 1024 / 1090;
    CHECK(static_cast<double>(received[1]) > 0.97 * 15 * millisecond);
    CHECK(static_cast<double>(received[1] - received[0]) > 0.99 * 10 * millisecond);
    std::uint64_t sent = 0;
    for (const auto& flow : flows) sent += flow->GetSent();
    CHECK(receiver->GetReceived() == sent);
}

TEST_CASE("A flow with a window completes whatever is lost, answers too") {
    constexpr std::uint64_t kBytes = 1'000'000;
    for (const char* law : {"hpcc", "swift"})
        for (const char* recovery : {"go-back-n", "selective-repeat"}) {
            CAPTURE(law, recovery);
            const Simulation simulation;
            Incast incast(1, law, Reporting());
            incast.Set("Recovery", ns3::StringValue(recovery));
            incast.Set("MaxBytes", ns3::UintegerValue(kBytes));
            for (std::uint32_t host = 0; host < 2; ++host) {
                const auto errors = ns3::CreateObject<ns3::RateErrorModel>();
                errors->SetUnit(ns3::RateErrorModel::ERROR_UNIT_PACKET);
                errors->SetRate(0.01);
                errors->AssignStreams(host);
                incast.hosts.nodes.Get(host)->GetDevice(0)->SetAttribute("ReceiveErrorModel",
                                                                         ns3::PointerValue(errors));
            }
            incast.Goodputs(500);
            CHECK(incast.flows[0]->GetAcknowledged() == kBytes);
            CHECK(incast.receiver->GetReceived() == kBytes);
            CHECK(incast.flows[0]->GetCompletionTime() < ns3::MilliSeconds(500));
            CHECK(incast.flows[0]->GetCompletionTime() > ns3::MicroSeconds(800));  // 1 MB at 10 Gb/s
        }
}

TEST_CASE("A law or a window that goes by acknowledgements is refused without them, and HPCC without telemetry") {
    const auto said = [](const char* law, const char* window, const char* recovery, const char* reports) {
        return said_at_death([&] {
            WatershedSwitchHelper helper;
            helper.Set("Int", ns3::StringValue(reports));
            Incast incast(1, law, helper);
            incast.Set("Window", ns3::StringValue(window));
            incast.Set("Recovery", ns3::StringValue(recovery));
            incast.Goodputs(1);
        });
    };
    CHECK_THAT(said("hpcc", "0", "none", "true"), Contains("Law \"hpcc\" goes by acknowledgements: set Recovery, too"));
    CHECK_THAT(said("hpcc", "0", "go-back-n", "false"),
               Contains("Law \"hpcc\" needs a switch on the way that has Int"));
    CHECK_THAT(said("dcqcn", "1000", "none", "true"), Contains("Window goes by acknowledgements: set Recovery, too"));
}

}  // namespace watershed
