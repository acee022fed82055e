// SPDX-License-Identifier: GPL-2.0-only
#include <ns3/boolean.h>
#include <ns3/error-model.h>
#include <ns3/integer.h>
#include <ns3/pointer.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/helper/watershed-cables.h"
#include "model/ns3/helper/watershed-switch-helper.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "test/catch.h"
#include "test/model/ns3/base/death.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

using Records = std::vector<std::pair<std::string, std::int64_t>>;

void note(Records* log, std::string what, ns3::Ptr<const ns3::Packet>) { log->push_back({what, Now().count()}); }

/// Two nodes, one cable, at 1 Gb/s: a byte lasts 8000 ps.
struct Pair {
    Simulation simulation;
    WatershedCables helper;
    ns3::Ptr<ns3::Node> left = ns3::CreateObject<ns3::Node>();
    ns3::Ptr<ns3::Node> right = ns3::CreateObject<ns3::Node>();
    ns3::Ptr<WatershedNetDeviceImpl> sender;
    ns3::Ptr<WatershedNetDeviceImpl> receiver;
    Records log;

    void connect() {
        std::tie(sender, receiver) = helper.Connect(left, right);
        sender->SetAddress(ns3::Mac48Address("02:00:00:00:00:01"));
        receiver->SetAddress(ns3::Mac48Address("02:00:00:00:00:02"));
    }
    /// Returns zeros of `size` bytes for the receiver.
    static ns3::Ptr<ns3::Packet> frame(std::uint32_t size) {
        std::vector<std::uint8_t> bytes(size);
        ns3::Mac48Address("02:00:00:00:00:02").CopyTo(bytes.data());
        return ns3::Create<ns3::Packet>(bytes.data(), size);
    }
    void trace(const ns3::Ptr<WatershedNetDeviceImpl>& device, const char* source) {
        REQUIRE(device->TraceConnectWithoutContext(source, ns3::MakeBoundCallback(&note, &log, std::string(source))));
    }
};

}  // namespace

TEST_CASE(
    "Frames leave one after the other, each after its bytes and the link overhead, and arrive a cable's delay later") {
    Pair pair;
    pair.helper.SetChannelAttribute("Delay", ns3::TimeValue(ns3::NanoSeconds(50)));
    pair.connect();
    for (const char* source : {"MacTx", "PhyTxBegin", "PhyTxEnd"}) pair.trace(pair.sender, source);
    for (const char* source : {"PhyRxEnd", "MacRx"}) pair.trace(pair.receiver, source);

    pair.sender->SendFrame(Pair::frame(976), Now());  // 976 + 24 B = 8 us
    pair.sender->SendFrame(Pair::frame(101), Now());  // 125 B = 1 us
    ns3::Simulator::Run();
    const Records expected{{"MacTx", 0},
                           {"MacTx", 0},
                           {"PhyTxBegin", 0},
                           {"PhyTxEnd", 8'000'000},
                           {"PhyTxBegin", 8'000'000},
                           {"PhyRxEnd", 8'050'000},
                           {"MacRx", 8'050'000},
                           {"PhyTxEnd", 9'000'000},
                           {"PhyRxEnd", 9'050'000},
                           {"MacRx", 9'050'000}};
    CHECK(std::is_permutation(pair.log.begin(), pair.log.end(), expected.begin(), expected.end()));
    CHECK(pair.sender->GetFramesSent() == 2);
    CHECK(pair.sender->GetWireSent() == Bytes{1125});
    CHECK(pair.sender->IsIdle());
}

// At 3.2 Tb/s a byte lasts 2.5 ps: frames of 1001 B of the link take 2502.5 ps each.
TEST_CASE("Fractions of a picosecond are kept while a link is busy, whether or not its port obeys pauses") {
    for (const bool obeys : {false, true}) {
        CAPTURE(obeys);
        Pair pair;
        pair.helper.SetDeviceAttribute("DataRate", ns3::StringValue("3200Gbps"));
        pair.helper.SetDeviceAttribute("ObeysPause", ns3::BooleanValue(obeys));
        pair.connect();
        pair.trace(pair.receiver, "MacRx");
        for (int i = 0; i < 1001; ++i) pair.sender->SendFrame(Pair::frame(977), Now());
        ns3::Simulator::Run();
        REQUIRE(pair.log.size() == 1001);
        CHECK(pair.log[999].second == 2'502'500);
        CHECK(pair.log[1000].second == 2'505'003);
    }
}

TEST_CASE("A cable that fails loses what it carries, in propagation too, and its ports refuse what comes meanwhile") {
    Pair pair;
    pair.helper.SetChannelAttribute("Delay", ns3::TimeValue(ns3::MicroSeconds(20)));
    pair.connect();
    const auto cable = pair.sender->GetChannel();
    cable->TraceConnectWithoutContext("Drop", ns3::MakeBoundCallback(&note, &pair.log, std::string("Drop")));
    pair.trace(pair.sender, "MacTxDrop");
    pair.trace(pair.receiver, "MacRx");
    // They have left at 8, 16, 24 and 32 us, and arrive 20 us later. When the cable fails, for a microsecond, the
    // second and the third are on their way, and the fourth is being sent.
    for (int i = 0; i < 4; ++i) pair.sender->SendFrame(Pair::frame(976), Now());
    for (const auto& [at, up] : {std::pair{29, false}, {30, true}})
        ns3::Simulator::Schedule(ns3::MicroSeconds(at),
                                 [cable, up = up] { cable->SetAttribute("Up", ns3::BooleanValue(up)); });
    const auto send = [&] {
        return pair.sender->Send(ns3::Create<ns3::Packet>(962), pair.receiver->GetAddress(), 0x88b5);
    };
    ns3::Simulator::Schedule(ns3::NanoSeconds(29'500), [&] {
        CHECK_FALSE(pair.sender->IsLinkUp());
        CHECK_FALSE(send());
    });
    ns3::Simulator::Schedule(ns3::MicroSeconds(40), [&] { CHECK(send()); });
    ns3::Simulator::Run();
    CHECK(pair.log == Records{{"MacRx", 28'000'000},
                              {"MacTxDrop", 29'500'000},
                              {"Drop", 36'000'000},
                              {"Drop", 44'000'000},
                              {"Drop", 52'000'000},
                              {"MacRx", 68'000'000}});
}

TEST_CASE("A cable tells NetAnim of each frame: between which devices, how long it was sent, and when it arrives") {
    Pair pair;
    pair.helper.SetChannelAttribute("Delay", ns3::TimeValue(ns3::NanoSeconds(50)));
    pair.connect();
    using Device = ns3::Ptr<ns3::NetDevice>;
    int told = 0;
    REQUIRE(pair.sender->GetChannel()->TraceConnectWithoutContext(
        "TxRxPointToPoint",
        ns3::Callback<void, ns3::Ptr<const ns3::Packet>, Device, Device, ns3::Time, ns3::Time>(
            [&](ns3::Ptr<const ns3::Packet>, Device from, Device to, ns3::Time sent, ns3::Time arrives) {
                ++told;
                CHECK(from == pair.sender);
                CHECK(to == pair.receiver);
                CHECK(sent == ns3::MicroSeconds(8));
                CHECK(arrives == ns3::NanoSeconds(8050));
            })));
    pair.sender->SendFrame(Pair::frame(976), Now());
    ns3::Simulator::Run();
    CHECK(told == 1);
}

TEST_CASE("A FIFO of two frames refuses the third, and has room again when the first has left") {
    Pair pair;
    pair.helper.SetDeviceAttribute("FifoLimit", ns3::UintegerValue(2));
    pair.connect();
    pair.trace(pair.sender, "MacTxDrop");
    const auto send = [&] { return pair.sender->SendFrame(ns3::Create<ns3::Packet>(976), Now()); };
    CHECK(send());
    CHECK(send());
    CHECK_FALSE(send());
    bool at_departure = false;
    ns3::Simulator::Schedule(
        ns3::MicroSeconds(8), +[](bool* sent, decltype(send)* again) { *sent = (*again)(); }, &at_departure, &send);
    ns3::Simulator::Run();
    CHECK(at_departure);
    CHECK(pair.log == Records{{"MacTxDrop", 0}});
    CHECK(pair.sender->GetFramesSent() == 3);
}

TEST_CASE("A clock 100 ppm fast and an overhead of the user's own make a link slot of that length") {
    Pair pair;
    pair.helper.SetDeviceAttribute("ClockTolerance", ns3::IntegerValue(100'000));
    pair.helper.SetDeviceAttribute("LinkOverhead", ns3::IntegerValue(-14));
    pair.helper.SetDeviceAttribute("DataRate", ns3::DataRateValue(ns3::DataRate("10Gbps")));
    pair.connect();
    pair.trace(pair.receiver, "PhyRxEnd");
    pair.sender->SendFrame(ns3::Create<ns3::Packet>(1014), Now());
    ns3::Simulator::Run();
    CHECK(pair.log == Records{{"PhyRxEnd", 799'921}});  // 800000 / 1.0001 = 799920.007…, rounded up
}

TEST_CASE(
    "The protocol stack of a node sends and receives through the port, which adds the Ethernet header and pads to 60 "
    "bytes") {
    Pair pair;
    pair.connect();
    struct Received {
        std::uint32_t size = 0;
        std::uint16_t protocol = 0;
        ns3::Address from;
        std::uint32_t context = 99;
    } received;
    const auto receive = [&received](ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet,
                                     std::uint16_t protocol, const ns3::Address& from, const ns3::Address&,
                                     ns3::NetDevice::PacketType) {
        received = {packet->GetSize(), protocol, from, ns3::Simulator::GetContext()};
    };
    pair.right->RegisterProtocolHandler(
        ns3::Callback<void, ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet>, std::uint16_t, const ns3::Address&,
                      const ns3::Address&, ns3::NetDevice::PacketType>(receive),
        0x88b5, nullptr);
    CHECK(pair.sender->Send(ns3::Create<ns3::Packet>(10), pair.receiver->GetAddress(), 0x88b5));
    ns3::Simulator::Run();
    CHECK(received.size == 46);
    CHECK(received.protocol == 0x88b5);
    CHECK(received.from == pair.sender->GetAddress());
    CHECK(received.context == pair.right->GetId());
    CHECK(ns3::Simulator::Now() == ns3::PicoSeconds(84 * 8000));

    received = {};
    CHECK(pair.sender->Send(ns3::Create<ns3::Packet>(10), ns3::Mac48Address("02:00:00:00:00:09"), 0x88b5));
    ns3::Simulator::Run();
    CHECK(received.size == 0);  // for somebody else
    CHECK_FALSE(pair.sender->Send(ns3::Create<ns3::Packet>(1501), pair.receiver->GetAddress(), 0x88b5));
}

TEST_CASE(
    "A rate that is set during a run is that of the frames handed over from then on, a limit that of the FIFO as it "
    "stands") {
    Pair pair;
    pair.connect();
    pair.trace(pair.receiver, "PhyRxEnd");
    const auto send = [&] { return pair.sender->SendFrame(ns3::Create<ns3::Packet>(976), Now()); };
    send();
    send();
    pair.sender->SetAttribute("DataRate", ns3::StringValue("10Gbps"));
    send();
    pair.sender->SetAttribute("FifoLimit", ns3::UintegerValue(3));
    CHECK_FALSE(send());
    CHECK_FALSE(pair.sender->SetAttributeFailSafe("ObeysPause", ns3::BooleanValue(true)));
    pair.sender->SetAttribute("FifoLimit", ns3::UintegerValue(4));
    CHECK(send());
    ns3::Simulator::Run();
    CHECK(
        pair.log ==
        Records{{"PhyRxEnd", 8'000'000}, {"PhyRxEnd", 16'000'000}, {"PhyRxEnd", 16'800'000}, {"PhyRxEnd", 17'600'000}});
}

namespace {

/// Whether the first port of a switch takes this attribute during a run.
bool TakesDuringRun(const std::vector<std::pair<std::string, std::string>>& of_switch, const char* name,
                    const char* text) {
    const Simulation simulation;
    WatershedSwitchHelper switches;
    for (const auto& [attribute, value] : of_switch) switches.Set(attribute, ns3::StringValue(value));
    const auto node = ns3::CreateObject<ns3::Node>();
    switches.Install(ns3::NodeContainer(2), node);
    const auto port = WatershedSwitchImpl::Of(node)->GetBridgePort(0);
    CHECK(port->SetAttributeFailSafe(name, ns3::StringValue(text)));
    bool takes = false;
    ns3::Simulator::Schedule(ns3::MicroSeconds(1),
                             [&] { takes = port->SetAttributeFailSafe(name, ns3::StringValue(text)); });
    ns3::Simulator::Run();
    return takes;
}

}  // namespace

TEST_CASE(
    "Of a switch's port what describes memory and flow control, and what these are made of, is set before the run") {
    for (const auto& [name, text] : {std::pair{"WredFrom", "3p"}, {"WredTo", "5p"}, {"WredProbability", "0.5"}}) {
        CAPTURE(name);
        CHECK_FALSE(TakesDuringRun({}, name, text));
    }
    for (const auto& [name, text] : {std::pair{"Headroom", "3p"}, {"PauseAlpha", "0.5"}}) {
        CAPTURE(name);
        CHECK_FALSE(TakesDuringRun({{"FlowControl", "pause"}, {"Xoff", "10p"}}, name, text));
    }
    for (const auto& [name, text] : {std::pair{"DataRate", "1Gbps"}, {"ClockTolerance", "0"}}) {
        CAPTURE(name);
        CHECK(TakesDuringRun({}, name, text));
        CHECK_FALSE(TakesDuringRun({{"FlowControl", "pause"}, {"Xoff", "10p"}}, name, text));
        CHECK_FALSE(TakesDuringRun({{"Queueing", "virtual-output"}}, name, text));
    }
}

TEST_CASE("A frame whose time is no whole number of ticks of ns-3's clock is told, with what to set") {
    const auto said = [](std::int64_t rate, std::int64_t bytes, Time tick) {
        return SaidOfUnevenTime(BitRate{rate}, Bytes{bytes}, Time{bytes * 8'000'000'000'000 / rate}, tick);
    };
    const Time nanosecond{1000};
    CHECK(said(100'000'000'000, 84, Time{1}).empty());
    CHECK(said(1'000'000'000, 84, nanosecond).empty());
    CHECK(said(100'000'000'000, 1000, nanosecond).empty());
    for (const char* part : {"84 B", "100000000000 bps", "6720 ps", "1000 ps", "Time::SetResolution(Time::PS)"})
        CHECK_THAT(said(100'000'000'000, 84, nanosecond), Contains(part));
}

TEST_CASE("Damaged frames are dropped where they arrive") {
    Pair pair;
    pair.connect();
    const auto errors = ns3::CreateObject<ns3::ReceiveListErrorModel>();
    errors->SetList({1});
    pair.receiver->SetAttribute("ReceiveErrorModel", ns3::PointerValue(errors));
    pair.trace(pair.receiver, "PhyRxDrop");
    pair.trace(pair.receiver, "MacRx");
    for (int i = 0; i < 3; ++i) pair.sender->SendFrame(Pair::frame(976), Now());
    ns3::Simulator::Run();
    CHECK(pair.log == Records{{"MacRx", 8'000'000}, {"PhyRxDrop", 16'000'000}, {"MacRx", 24'000'000}});
}

TEST_CASE("A port that obeys finishes its frame, pauses as long as it is told, and goes on at once when it may") {
    Pair pair;
    pair.connect();
    pair.sender->SetAttribute("ObeysPause", ns3::BooleanValue(true));
    pair.sender->SetAttribute("FifoLimit", ns3::UintegerValue(4));
    pair.trace(pair.receiver, "PhyRxEnd");
    const auto pause = [&](std::uint16_t quanta) {
        pair.receiver->SendFrame(MakePauseFrame(FlowControl::Kind::Pfc, ns3::Mac48Address("02:00:00:00:00:02"), quanta),
                                 Now());
    };
    pause(1000);  // 84 B: there at 0.672 us, and until 512.672 us
    for (int i = 0; i < 5; ++i) CHECK(pair.sender->SendFrame(ns3::Create<ns3::Packet>(976), Now()) == (i < 4));
    ns3::Simulator::Schedule(
        ns3::MicroSeconds(600), +[](decltype(pause)* tell) { (*tell)(65535); }, &pause);  // in vain: all have left
    ns3::Simulator::Schedule(
        ns3::MicroSeconds(700), +[](Pair* self) { self->sender->SendFrame(ns3::Create<ns3::Packet>(976), Now()); },
        &pair);
    ns3::Simulator::Schedule(
        ns3::MicroSeconds(800), +[](decltype(pause)* tell) { (*tell)(0); }, &pause);
    ns3::Simulator::Run();
    CHECK(pair.log == Records{{"PhyRxEnd", 8'000'000},
                              {"PhyRxEnd", 520'672'000},
                              {"PhyRxEnd", 528'672'000},
                              {"PhyRxEnd", 536'672'000},
                              {"PhyRxEnd", 808'672'000}});
}

TEST_CASE("A port that obeys does so PauseReaction after the frame that tells it has come") {
    Pair pair;
    pair.connect();
    pair.sender->SetAttribute("ObeysPause", ns3::BooleanValue(true));
    pair.sender->SetAttribute("PauseReaction", ns3::StringValue("10us"));
    pair.trace(pair.receiver, "PhyRxEnd");
    // There at 0.672 us, so that no frame begins from 10.672 us until 51.2 us later.
    pair.receiver->SendFrame(MakePauseFrame(FlowControl::Kind::Pfc, ns3::Mac48Address("02:00:00:00:00:02"), 100),
                             Now());
    for (int i = 0; i < 3; ++i) pair.sender->SendFrame(ns3::Create<ns3::Packet>(976), Now());
    ns3::Simulator::Run();
    CHECK(pair.log == Records{{"PhyRxEnd", 8'000'000}, {"PhyRxEnd", 16'000'000}, {"PhyRxEnd", 69'872'000}});
}

TEST_CASE("Sniffer sees what the port sends and what is for it, PromiscSniffer all") {
    Pair pair;
    pair.connect();
    pair.trace(pair.receiver, "Sniffer");
    pair.trace(pair.receiver, "PromiscSniffer");
    pair.sender->Send(ns3::Create<ns3::Packet>(10), pair.receiver->GetAddress(), 0x88b5);
    pair.sender->Send(ns3::Create<ns3::Packet>(10), ns3::Mac48Address("02:00:00:00:00:09"), 0x88b5);
    ns3::Simulator::Run();
    CHECK(std::count_if(pair.log.begin(), pair.log.end(),
                        [](const auto& record) { return record.first == "Sniffer"; }) == 1);
    CHECK(pair.log.size() == 3);
}

TEST_CASE(
    "Every class is in the Watershed group with a constructor, and each attribute and trace source has its help") {
    std::set<std::string> found;
    for (std::uint16_t number = 0; number < ns3::TypeId::GetRegisteredN(); ++number) {
        const ns3::TypeId type = ns3::TypeId::GetRegistered(number);
        const std::string name = type.GetName();
        if (name.rfind("ns3::Watershed", 0) != 0 || !type.HasConstructor()) continue;
        CAPTURE(name);
        found.insert(name.substr(name.find("::Watershed") + 11));
        CHECK(type.GetGroupName() == "Watershed");
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i) CHECK(type.GetAttribute(i).help.size() > 10);
        for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i) CHECK(type.GetTraceSource(i).help.size() > 10);
    }
    for (const char* name : {"NetDevice", "Channel", "Switch", "DcqcnSender", "DcqcnReceiver"}) {
        CAPTURE(name);
        CHECK(found.count(name) == 1);
    }
}

TEST_CASE("A cable between nodes of two ranks of the distributed simulator is refused when the run begins") {
    const auto said = [](std::uint32_t left, std::uint32_t right) {
        return said_at_death([&] {
            Pair pair;
            pair.left = ns3::CreateObject<ns3::Node>(left);
            pair.right = ns3::CreateObject<ns3::Node>(right);
            pair.connect();
            ns3::Simulator::Run();
        });
    };
    CHECK_THAT(said(0, 1), Contains("of rank 0 to node") && Contains("of rank 1: no frame crosses ranks"));
    CHECK(said(0, 0).empty());
    CHECK(said(1, 1).empty());  // on this rank or another, where ns-3 has it built but nothing done
}

}  // namespace watershed
