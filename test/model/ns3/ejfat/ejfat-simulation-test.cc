// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/ejfat/ejfat-simulation.h"

#include <rapidcheck.h>

#include <numeric>

#include "model/ejfat/ejfat-headers.h"
#include "model/ns3/ejfat/ejfat-packet.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time kMillisecond{1'000'000'000};

Ejfat small(std::int64_t events) {
    Ejfat ejfat;
    ejfat.source.events = events;
    ejfat.source.sync_period = 5 * kMillisecond;
    ejfat.control.tick = 10 * kMillisecond;
    ejfat.control.offset = 8 * kMillisecond;
    ejfat.control.report_period = 2 * kMillisecond;
    return ejfat;
}

/// 100 kB every millisecond.
EjfatPoint point(Time service) { return {Bytes{100'000}, BitRate{800'000'000}, service}; }

}  // namespace

TEST_CASE("The balancer readdresses a packet, takes its header off and leaves the rest") {
    const EjfatToBalancer headers{{3, 77}, {2, 8936, 1'000'000, 77}, ejfat_source_end(2), Bytes{5000}};
    const auto packet = MakeEjfatSegment(ejfat_source_end(2), ejfat_balancer_end(), headers);
    CHECK(packet->GetSize() == 42 + 16 + 20 + 5000);
    const auto read = ReadAtBalancer(*packet);
    REQUIRE(read);
    CHECK(read->balancer.event == 77);
    CHECK(read->balancer.entropy == 3);
    CHECK(read->data == Bytes{5000});
    CHECK_FALSE(ReadSync(*packet));

    Readdress(*packet, *read, ejfat_node_end(9, 1));
    CHECK(packet->GetSize() == 42 + 20 + 5000);
    const auto at_node = ReadAtNode(*packet);
    REQUIRE(at_node);
    CHECK(ejfat_node_of(at_node->to) == 9);
    CHECK(ejfat_thread_of(at_node->to) == 1);
    CHECK(at_node->reassembly.offset == 8936);
    CHECK(at_node->reassembly.data_id == 2);
    CHECK(at_node->data == Bytes{5000});
}

TEST_CASE("A 1 MB event at 100 Gb/s takes its wire bytes to the balancer, and two packets more to the node") {
    // 112 packets are 1011424 B with preambles and gaps: 80.91392 us, the last of 1000000 - 111 * 8936 = 8104 B 0.65648
    // of them. Balancer and LAN each store the one before it, 8936 + 86 B without the balancer's header: 0.72176 us;
    // the last one, 8104 + 86 B, follows that for 0.6552 us.
    Ejfat ejfat = small(3);
    ejfat.source.start = kMillisecond;  // behind the synchronisation packet
    const EjfatResult result = simulate_ejfat(ejfat, {Bytes{1'000'000}, BitRate{1'000'000'000}, Time{0}}, 1);
    CHECK(result.events_processed == 3);
    CHECK(result.packets_sent == 336);
    CHECK(result.flight_to_balancer.mean_us == Approx(80.91392).epsilon(1e-6));
    CHECK(result.flight.mean_us == Approx(80.91392 - 0.65648 + 2 * 0.72176 + 0.6552).epsilon(1e-6));
}

TEST_CASE("A node loses what it cannot process in time, and nothing below that") {
    // 100 kB in 1.25 ms are 640 Mb/s; with room for 2 and one in work, 100 events lose none up to 100 / 97 of that.
    Ejfat ejfat = small(100);
    ejfat.nodes.queue = 2;
    EjfatPoint at = point(Time{1'250'000'000});
    at.bit_rate = BitRate{640'000'000};
    CHECK(simulate_ejfat(ejfat, at, 1).events_lost() == 0);
    at.bit_rate = BitRate{680'000'000};
    const EjfatResult lossy = simulate_ejfat(ejfat, at, 1);
    REQUIRE(lossy.losses.size() == 1);
    CHECK(lossy.losses[0].where == "queue");
    CHECK(lossy.losses[0].packets == 12 * lossy.losses[0].events);
    CHECK(lossy.processed_mbps() == Approx(640).epsilon(1e-6));
}

TEST_CASE("Before a node has registered the balancer loses every packet, and says so") {
    Ejfat ejfat = small(50);
    ejfat.nodes.joins = {15 * kMillisecond};
    const EjfatResult result = simulate_ejfat(ejfat, point(Time{0}), 1);
    REQUIRE(result.losses.size() == 1);
    CHECK(result.losses[0].where == "balancer");
    CHECK(result.losses[0].reason == "no-node");
    CHECK(result.losses[0].events == 20);  // the tick at 20 ms finds the node
    CHECK(result.events_processed == 30);

    ejfat.nodes.joins = {1000 * kMillisecond};
    CHECK(simulate_ejfat(ejfat, point(Time{0}), 1).events_processed == 0);
}

TEST_CASE("An event of which a packet is damaged times out as a whole") {
    Ejfat ejfat = small(200);
    ejfat.source.loss_one_in = 50;
    ejfat.nodes.reassembly_timeout = 5 * kMillisecond;
    const EjfatResult result = simulate_ejfat(ejfat, point(Time{0}), 1);
    REQUIRE(result.losses.size() == 2);
    CHECK(result.losses[0].where == "path");
    CHECK(result.losses[0].events == result.events_lost());
    CHECK(result.losses[1].reason == "time-out");
    CHECK(result.losses[0].packets + result.losses[1].packets == 12 * result.events_lost());
}

TEST_CASE("The same seed gives the same run, another one another") {
    Ejfat ejfat = small(100);
    ejfat.source.arrivals = EjfatSource::Arrivals::Poisson;
    const auto total = [&](std::uint64_t seed) {
        return simulate_ejfat(ejfat, point(kMillisecond / 2), seed).total.mean_us;
    };
    CHECK(total(1) == total(1));
    CHECK(total(1) != total(2));
}

TEST_CASE("No event is split between nodes and nothing is lost without a name, whoever joins, leaves, fails or slows") {
    const bool holds = rc::check([] {
        Ejfat ejfat = small(120);
        ejfat.source.count = *rc::gen::inRange(1, 4);
        ejfat.source.arrivals = *rc::gen::element(EjfatSource::Arrivals::Periodic, EjfatSource::Arrivals::Poisson);
        ejfat.source.first_event = *rc::gen::inRange(0, 2000);
        ejfat.source.pace = *rc::gen::element(EjfatSource::Pace::Link, EjfatSource::Pace::Stream);
        // Sources lag by less than the offset: an epoch that begins this far ahead begins behind whatever has been
        // sent.
        ejfat.source.lag = {Time{0}, Time{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000)}};
        ejfat.control.message_delay = Time{*rc::gen::inRange<std::int64_t>(0, 100'000'000)};
        ejfat.control.eviction = 20 * kMillisecond;
        ejfat.control.set_point = Ratio{1, 4};
        ejfat.control.kp = Ratio{*rc::gen::inRange(0, 2000), 1};
        ejfat.nodes.count = *rc::gen::inRange(1, 6);
        ejfat.nodes.queue = *rc::gen::inRange(1, 20);
        ejfat.nodes.reassembly_timeout = 20 * kMillisecond;
        ejfat.nodes.joins = {Time{0}, *rc::gen::inRange(0, 80) * kMillisecond};
        ejfat.nodes.leaves = {std::nullopt, *rc::gen::inRange(80, 120) * kMillisecond};
        ejfat.nodes.fails = {std::nullopt, std::nullopt, *rc::gen::inRange(0, 120) * kMillisecond};
        const EjfatResult result = simulate_ejfat(ejfat, point(Time{*rc::gen::inRange<std::int64_t>(0, 4'000'000'000)}),
                                                  3);  // which throws if the books do not balance
        RC_ASSERT(result.events_sent == 120);
        // Prediction fails where a Poisson source happens to be much faster than its last few events were; the books
        // say so.
        if (ejfat.source.arrivals == EjfatSource::Arrivals::Periodic) RC_ASSERT(result.epochs_late == 0);
        if (result.epochs_late == 0) RC_ASSERT(result.events_split == 0);
        for (const auto& epoch : result.epochs)
            RC_ASSERT(std::accumulate(epoch.slots.begin(), epoch.slots.end(), 0) == 512);
    });
    REQUIRE(holds);
}

TEST_CASE("An epoch that begins before what has been sent splits events, and they are accounted for") {
    // Without any offset a message that takes 3.25 ms finds the balancer some events further on, one of them half sent.
    Ejfat ejfat = small(400);
    ejfat.source.start = 10 * kMillisecond;
    ejfat.source.pace = EjfatSource::Pace::Stream;
    ejfat.control.offset = Time{0};
    ejfat.control.message_delay = Time{3'250'000'000};
    ejfat.nodes.count = 4;
    ejfat.nodes.reassembly_timeout = 5 * kMillisecond;
    const EjfatResult result = simulate_ejfat(ejfat, point(Time{0}), 1);
    CHECK(result.epochs_late > 0);
    CHECK(result.events_split > 0);
    REQUIRE(result.losses.size() == 1);
    CHECK(result.losses[0].reason == "time-out");
    CHECK(result.losses[0].events == result.events_split);
}
