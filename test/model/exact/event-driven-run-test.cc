// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "model/exact/exact-run.h"
#include "model/frontend/front-end.h"
#include "model/scenario.h"
#include "model/switch/event-driven-switch.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr BitRate kGigabit{1'000'000'000};
constexpr MemorySize frames(std::int64_t n) { return {n, MemorySize::Unit::Frame}; }

/// Frames of 1090 B on the wire, 8.72 us on a link of 1 Gb/s.
Scenario burst(int modules, std::int64_t events, BitRate uplink_rate, std::int64_t room) {
    Scenario scenario;
    scenario.front_end.modules = modules;
    scenario.trigger.events = events;
    scenario.trigger.separation = Time{8'720'000};
    scenario.network_switch.uplink_rate = uplink_rate;
    scenario.network_switch.buffer.size = frames(room);
    return scenario;
}

std::int64_t lost(const Outcome& outcome, const LossCause& cause) {
    for (const auto& loss : outcome.losses)
        if (loss.where == cause.where && loss.reason == cause.reason) return loss.frames;
    return 0;
}

Outcome run(const Scenario& scenario) { return run_event_driven(scenario, nullptr); }

}  // namespace

TEST_CASE("The first frame of an input FIFO holds up the frames behind it, virtual output queues do not") {
    // Frames take turns at three uplinks that carry three quarters of what four inputs bring. With virtual output
    // queues no uplink is idle while a frame for it is there; with input FIFOs such frames stand behind others, and the
    // same work takes longer.
    Scenario scenario = burst(4, 100, kGigabit, 100'000);
    scenario.network_switch.uplinks = 3;
    scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
    scenario.network_switch.arrival_order = ArrivalOrder::Random;
    const Time by_output = run(scenario).simulated;
    scenario.network_switch.queueing = Queueing::VirtualOutput;
    const Outcome virtual_output = run(scenario);
    scenario.network_switch.queueing = Queueing::InputFifo;
    const Outcome fifo = run(scenario);
    CHECK(virtual_output.simulated == by_output);
    CHECK(virtual_output.peak_frames < fifo.peak_frames);
    CHECK(fifo.simulated > virtual_output.simulated);
    CHECK(fifo.frames_lost() == 0);
}

TEST_CASE(
    "Latency costs time and no bandwidth: the k-th frame leaves at max(a_k + latency, d_(k-1)) + t, however frames "
    "queue") {
    // Frames of one size into one uplink that sends whatever is ready: a_k are the arrivals in order, and a frame finds
    // those that were stored before it and leave later than it arrives.
    CHECK(rc::check([] {
        const auto modules = *rc::gen::inRange(1, 9);
        const auto events = *rc::gen::inRange(1, 20);
        const auto room = *rc::gen::inRange<std::int64_t>(1, 3 * modules);
        const std::int64_t latency = *rc::gen::inRange(0, 30'000'000),
                           separation = *rc::gen::inRange(8'720'000, 20'000'000);
        const std::int64_t t = *rc::gen::element(872'000, 1'000'000, 8'720'000);  // 8720 bits at 10, 8.72 and 1 Gb/s
        std::vector<Time> skew;
        std::vector<std::pair<std::int64_t, int>> arrivals;
        for (int module = 0; module < modules; ++module) {
            skew.push_back(Time{*rc::gen::inRange(0, 10) * 1'000'000});
            for (int event = 0; event < events; ++event)
                arrivals.emplace_back(event * separation + skew.back().count() + 8'720'000, module);
        }
        std::sort(arrivals.begin(), arrivals.end());
        std::vector<std::int64_t> departures;
        std::int64_t lost = 0;
        for (const auto& [time, module] : arrivals) {
            const auto held = std::count_if(departures.begin(), departures.end(),
                                            [now = time](std::int64_t left) { return left > now; });
            if (held >= room)
                ++lost;
            else
                departures.push_back(std::max(time + latency, departures.empty() ? 0 : departures.back()) + t);
        }

        Scenario scenario = burst(modules, events, BitRate{8'720'000'000'000'000 / t}, room);
        scenario.trigger.separation = Time{separation};
        scenario.front_end.skew = skew;
        scenario.network_switch.latency = Time{latency};
        for (const Queueing queueing : {Queueing::Output, Queueing::VirtualOutput, Queueing::InputFifo}) {
            scenario.network_switch.queueing = queueing;
            const Outcome outcome = run(scenario);
            RC_ASSERT(outcome.frames_lost() == lost);
            RC_ASSERT(outcome.simulated == Time{std::max(departures.back(), arrivals.back().first)});
        }
    }));
}

TEST_CASE(
    "At equal rates whose frames last no whole picoseconds every frame cuts through, back to back, and none is kept") {
    Scenario scenario = burst(1, 1000, BitRate{7'000'000'000}, 0);
    scenario.front_end.link_rate = BitRate{7'000'000'000};
    scenario.trigger.separation = Time{0};
    scenario.network_switch.cut_through = true;
    const Outcome outcome = run(scenario);
    CHECK(outcome.frames_lost() == 0);
    CHECK(outcome.frames_cut_through == 1000);
    CHECK(outcome.peak_frames == 0);
}

TEST_CASE("A frame that cuts through to a slower uplink keeps its memory until it has left") {
    // Two frames back to back from 1 Gb/s into 10 Mb/s: the first leaves for 872 us, most of it from memory, and while
    // it does, the second needs a place beside it.
    Scenario scenario = burst(1, 2, BitRate{10'000'000}, 2);
    scenario.network_switch.cut_through = true;
    const Outcome two = run(scenario);
    CHECK(two.frames_lost() == 0);
    CHECK(two.frames_cut_through == 1);
    CHECK(two.peak_frames == 2);
    CHECK(two.simulated == Time{512'000 + 2 * 872'000'000});  // 64 B are there after 512 ns
    scenario.network_switch.buffer.size = frames(1);
    CHECK(run(scenario).frames_received == 1);
    scenario.network_switch.buffer.size = frames(0);
    CHECK(run(scenario).frames_received == 0);
    scenario.network_switch.uplink_rate = kGigabit;  // nothing waits: what arrives leaves
    CHECK(run(scenario).frames_received == 2);
}

TEST_CASE("An input FIFO holds back what the memory refuses, and then loses it") {
    // Two modules, one event, an output that hardly drains: the memory takes 1 frame, the FIFO of the other input its
    // own limit.
    Scenario scenario = burst(2, 3, BitRate{1000}, 1);
    scenario.network_switch.input_fifo = frames(2);
    const Outcome outcome = run(scenario);
    CHECK(lost(outcome, EventDrivenSwitch::kInputFifoFull) == 1);  // 1 in memory, 2 + 2 in the FIFOs
    CHECK(outcome.frames_received == 5);
}

TEST_CASE("A frame that an empty memory refuses is lost and does not block its input") {
    Scenario scenario = burst(2, 3, kGigabit, 0);
    scenario.network_switch.input_fifo = frames(2);
    CHECK(run(scenario).frames_received == 0);
}

TEST_CASE("A fabric of half the load fills the input FIFOs of its port group") {
    // 4 modules at 1 Gb/s over 2 Gb/s: of every two frames one can cross; 100 events leave 200 frames, 50 at each
    // input.
    Scenario scenario = burst(4, 100, BitRate{10'000'000'000}, 100'000);
    scenario.network_switch.fabric_rate = kGigabit * 2;
    scenario.network_switch.input_fifo = frames(1000);
    CHECK(run(scenario).frames_lost() == 0);
    scenario.network_switch.input_fifo = frames(40);
    const Outcome small = run(scenario);
    CHECK(small.frames_lost() == lost(small, EventDrivenSwitch::kInputFifoFull));
    CHECK(std::abs(small.frames_lost() - 40) <= 4);
    scenario.network_switch.port_groups = 2;  // 2 modules on 2 Gb/s
    CHECK(run(scenario).frames_lost() == 0);
}

TEST_CASE("Cutting through saves what is left of the frame behind its header, where the uplink is not faster") {
    Scenario scenario = burst(1, 5, kGigabit, 10);
    scenario.trigger.separation = Time{100'000'000};
    const Time stored = run(scenario).simulated;
    scenario.network_switch.cut_through = true;
    const Outcome cut = run(scenario);
    // (1090 B - 64 B) at 1 Gb/s = 8.208 us
    CHECK(cut.frames_cut_through == 5);
    CHECK(cut.latency_saved == Time{5 * 8'208'000});
    CHECK(stored - cut.simulated == Time{8'208'000});
    CHECK(cut.peak_frames == 0);
    scenario.network_switch.uplink_rate = kGigabit * 10;
    CHECK(run(scenario).frames_cut_through == 0);
}

TEST_CASE("Memory is released at the beginning of each frame, in the order in which they begin") {
    // Frames of 1250 B take 1 us to come and 10 us to go; the header is in after 100 ns and cuts through 5 us later.
    // Each uplink has room for one frame. Uplink 0 sends the frame of module 0: its header is in at 12.1 us, so that it
    // begins at 17.1 us. Uplink 1 sends that of module 1 from 5.1 us to 15.1 us, and then that of module 3, which came
    // at 7 us: this begins to leave before the one of uplink 0, whose beginning was known first. Its place is free
    // when the frame of module 5 comes, at 16.2 us.
    Scenario scenario = burst(6, 1, kGigabit, 1);
    scenario.frame.payload = Bytes{1250 - 66};
    scenario.front_end.link_rate = kGigabit * 10;
    const auto us = [](double time) { return Time{static_cast<std::int64_t>(time * 1e6)}; };
    scenario.front_end.skew = {us(12), us(0), us(100), us(6), us(200), us(15.2)};
    Switch& n = scenario.network_switch;
    n.uplinks = 2;
    n.latency = us(5);
    n.cut_through = true;
    n.cut_through_after = Bytes{125};
    n.buffer.sharing = Sharing::PerOutput;
    n.buffer.release = Buffer::Release::Start;
    CHECK(run(scenario).frames_lost() == 0);
    // A little earlier, and the place is taken.
    scenario.front_end.skew[5] = us(14);
    CHECK(run(scenario).frames_lost() == 1);
}

TEST_CASE("Under fan-in a frame that finds its uplink busy is stored") {
    Scenario scenario = burst(4, 1, kGigabit, 10);
    scenario.network_switch.cut_through = true;
    const Outcome outcome = run(scenario);
    CHECK(outcome.frames_cut_through == 1);
    CHECK(outcome.peak_frames == 3);
    CHECK(outcome.frames_received == 4);
}

TEST_CASE("With PAUSE the loss moves from the switch to the FIFOs of the front ends, if they obey") {
    Scenario scenario = burst(10, 200, kGigabit, 100);
    scenario.front_end.fifo = 20;
    const Outcome without = run(scenario);
    CHECK(lost(without, SwitchMemory::kBufferFull) > 1000);
    CHECK(lost(without, FrontEndPort::kFifoFull) == 0);

    FlowControl& control = scenario.network_switch.flow_control;
    control.kind = FlowControl::Kind::Pause;
    control.xoff = frames(5);
    control.xon = frames(2);
    const Outcome obeyed = run(scenario);
    CHECK(lost(obeyed, SwitchMemory::kBufferFull) == 0);
    CHECK(lost(obeyed, FrontEndPort::kFifoFull) > 1000);
    CHECK(obeyed.pauses > 10);

    scenario.front_end.obeys_pause = false;
    const Outcome ignored = run(scenario);
    CHECK(lost(ignored, SwitchMemory::kBufferFull) == lost(without, SwitchMemory::kBufferFull));
}

TEST_CASE("Headroom must hold what is on its way when a pause takes effect") {
    // Nothing drains. After XOFF at 4 frames a module sends on for the PAUSE frame's 0.672 us and the reaction time,
    // and completes its frame: with 100 us that is ceil(100.672 / 8.72) = 12 frames of headroom, less none.
    Scenario scenario = burst(1, 100, BitRate{1000}, 4);
    FlowControl& control = scenario.network_switch.flow_control;
    control.kind = FlowControl::Kind::Pfc;
    control.xoff = frames(3);
    control.xon = frames(1);
    scenario.front_end.pause_reaction = Time{100'000'000};
    scenario.network_switch.buffer.headroom = frames(12);
    scenario.trigger.events = 40;
    CHECK(run(scenario).frames_lost() == 0);
    scenario.network_switch.buffer.headroom = frames(11);
    CHECK(lost(run(scenario), SwitchMemory::kHeadroomFull) > 0);
}

TEST_CASE("A pause that is not renewed ends after its quanta") {
    // Renewal comes at half time, so that even the shortest pause holds as long as it is needed.
    Scenario scenario = burst(1, 30, kGigabit, 5);
    scenario.network_switch.uplink_rate = BitRate{100'000'000};
    FlowControl& control = scenario.network_switch.flow_control;
    control.kind = FlowControl::Kind::Pause;
    control.xoff = frames(2);
    control.xon = frames(1);
    control.quanta = 4;
    const Outcome outcome = run(scenario);
    CHECK(outcome.frames_lost() == 0);
    CHECK(outcome.frames_received == 30);
}

TEST_CASE("Every frame is received or lost, whatever waits inside the switch") {
    const bool holds = rc::check("conservation", [] {
        Scenario s = burst(*rc::gen::inRange(1, 8), *rc::gen::inRange<std::int64_t>(1, 30),
                           *rc::gen::element(kGigabit, kGigabit * 10, BitRate{300'000'000}),
                           *rc::gen::inRange<std::int64_t>(0, 40));
        if (*rc::gen::arbitrary<bool>()) s.front_end.fifo = *rc::gen::inRange<std::int64_t>(1, 10);
        s.trigger.separation = Time{*rc::gen::inRange<std::int64_t>(0, 20'000'000)};
        s.front_end.jitter = Time{*rc::gen::element<std::int64_t>(0, 5'000'000)};
        s.seed = *rc::gen::arbitrary<std::uint64_t>();
        Switch& n = s.network_switch;
        n.uplinks = *rc::gen::inRange(1, 4);
        n.uplink_choice.rule =
            *rc::gen::element(UplinkChoice::Rule::Modulo, UplinkChoice::Rule::RoundRobin, UplinkChoice::Rule::Hash);
        n.buffer.sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput,
                                             Buffer::Sharing::DynamicThreshold, Sharing::named("abm"));
        n.buffer.release = *rc::gen::element(Buffer::Release::End, Buffer::Release::Start);
        if (*rc::gen::arbitrary<bool>()) n.buffer.resume = Ratio{1, 2};
        n.cut_through = *rc::gen::arbitrary<bool>();
        if (!n.cut_through) {
            n.queueing = *rc::gen::element(Queueing::Output, Queueing::VirtualOutput, Queueing::InputFifo);
            if (*rc::gen::arbitrary<bool>()) n.input_fifo = frames(*rc::gen::inRange<std::int64_t>(1, 6));
            if (n.input_fifo && *rc::gen::arbitrary<bool>()) n.fabric_rate = *rc::gen::element(kGigabit, kGigabit * 3);
            n.port_groups = *rc::gen::inRange(1, 3);
        }
        if (*rc::gen::arbitrary<bool>()) {
            n.flow_control = {FlowControl::Kind::Pause, frames(*rc::gen::inRange<std::int64_t>(1, 10)),
                              frames(*rc::gen::inRange<std::int64_t>(0, 2)),
                              *rc::gen::element<std::int64_t>(1, 100, 65535)};
            n.buffer.headroom = frames(*rc::gen::inRange<std::int64_t>(0, 10));
        }
        const Outcome outcome = run(s);  // finalize_result() throws where sent differs from received and lost
        RC_ASSERT(outcome.frames_sent == s.front_end.modules * *s.trigger.events);
        std::int64_t received = 0;
        for (const auto& uplink : outcome.uplinks) received += uplink.frames;
        RC_ASSERT(received == outcome.frames_received);
        RC_ASSERT(outcome.peak_frames >= 0);
    });
    REQUIRE(holds);
}

namespace {

/// A queue moves behind F frames. Writing a frame of 1070 B takes 20 us, and it leaves in 8.72 s at 1 kb/s.
Scenario two_tiers(std::int64_t room, std::int64_t from, std::int64_t dram) {
    Scenario scenario = burst(1, 60, BitRate{1000}, room);
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.dram = frames(dram);
    buffer.dram_from = frames(from);
    buffer.dram_rate = BitRate{428'000'000};
    return scenario;
}

}  // namespace

// Frames come every a = 8.72 us and are written in w = 20 us each, while none leaves. F stay on the chip. Of those
// behind, floor((m - 1) a / w) have been written when the m-th comes, and it is the first to be lost for which
//     m - floor((m - 1) a / w) > S - F.
// So a memory that is written to too slowly has the watershed of one uplink: in (a, m) a hyperbola with asymptote w.
TEST_CASE("What comes faster than the second tier is written fills the first one") {
    for (const std::int64_t from : {0, 1, 5})
        for (const std::int64_t waiting : {1, 2, 7, 20}) {
            const Outcome outcome = run(two_tiers(from + waiting, from, 1000));
            std::int64_t m = 1;
            while (m - (m - 1) * 8'720'000 / 20'000'000 <= waiting) ++m;
            CHECK(outcome.first_loss->frame.event == from + m);
            CHECK(outcome.losses.front().reason == "buffer-full");
            CHECK(outcome.frames_sent == outcome.frames_received + outcome.frames_lost());
            CHECK(outcome.frames_to_dram == outcome.frames_received - from);
        }
}

TEST_CASE("With both tiers full, the one that its queue has moved to says so") {
    Scenario scenario = two_tiers(50, 5, 7);
    scenario.network_switch.buffer.dram_rate = BitRate{400'000'000'000};
    const Outcome outcome = run(scenario);
    CHECK(outcome.frames_received == 5 + 7);
    CHECK(outcome.losses == std::vector<Outcome::Loss>{{"switch", "dram-full", 60 - 12}});
    CHECK(outcome.peak_frames == 12);
}

TEST_CASE("A frame leaves once it has been written, and the rate of writing is that of a queue that has moved") {
    Scenario scenario = two_tiers(1000, 0, 1000);
    scenario.network_switch.uplink_rate = kGigabit;
    const Outcome outcome = run(scenario);
    CHECK(outcome.frames_lost() == 0);
    CHECK(outcome.frames_to_dram == 60);
    CHECK(outcome.simulated == Time{8'720'000 + 60 * 20'000'000 + 8'720'000});
    // Frames that are written faster than they leave wait for their uplink alone.
    scenario.network_switch.buffer.dram_rate = BitRate{1'070'000'000'000};  // 8 ns
    CHECK(run(scenario).simulated == Time{8'720'000 + 8'000 + 60 * 8'720'000});
}

// Reported of a router with Jericho (xrdocs.io, NCS 5500 QoS part 2): a port of 100 Gb/s that is offered 5 Gb/s more
// for 100 ms loses nothing, its queue being in DRAM. Here a tenth of that time: 6.25 MB too much, behind 1 MB on the
// chip, with what is known of the second generation: 16 MB on the chip in 256 B, 8 GB outside, written to at 900 Gb/s.
TEST_CASE("A deep memory takes what its chip alone would not") {
    Scenario scenario = burst(1, 1, BitRate{100'000'000'000}, 1);
    scenario.frame.mtu = Bytes{9000};
    TrafficStream stream;
    stream.name = "surplus";
    stream.payload = Bytes{8934};  // 9000 B on the link
    stream.link_rate = stream.rate.bits = BitRate{105'000'000'000};
    stream.stop = Time{10'000'000'000};
    scenario.traffic = {stream};
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.size = {16'000'000, MemorySize::Unit::Byte};
    buffer.cell = Bytes{256};
    buffer.dram = MemorySize{8'000'000'000, MemorySize::Unit::Byte};
    buffer.dram_from = {1'000'000, MemorySize::Unit::Byte};
    buffer.dram_rate = BitRate{900'000'000'000};
    const Outcome deep = run(scenario);
    CHECK(deep.streams[1].frames_sent == deep.streams[1].frames_received);
    CHECK(deep.frames_to_dram > 10'000);
    CHECK(static_cast<double>(deep.peak_bytes.count) == Approx(6.25e6).epsilon(0.01));
    buffer.size = buffer.dram_from;
    buffer.dram.reset();
    const Outcome shallow = run(scenario);
    CHECK(shallow.streams[1].losses.size() == 1);
}
