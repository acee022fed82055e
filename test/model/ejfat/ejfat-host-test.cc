// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-host.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

namespace {

using Step = EjfatReassembler::Step;

EjfatReassemblyHeader segment(std::uint64_t event, std::uint16_t source, std::uint32_t offset) {
    return {source, offset, 200, event};
}

}  // namespace

TEST_CASE("An event is whole when every source's part is, in whatever order") {
    EjfatReassembler reassembler(Time{1000}, Bytes{10'000}, 2);
    CHECK(reassembler.add(segment(7, 1, 100), Bytes{100}, Time{0}) == Step::Incomplete);
    CHECK(reassembler.add(segment(7, 1, 0), Bytes{100}, Time{1}) ==
          Step::Incomplete);  // one part is, the other has not begun
    CHECK(reassembler.add(segment(7, 0, 0), Bytes{100}, Time{2}) == Step::Incomplete);
    CHECK(reassembler.in_use() == Bytes{400});
    CHECK(reassembler.add(segment(7, 0, 100), Bytes{100}, Time{3}) == Step::Whole);
    CHECK(reassembler.in_use() == Bytes{0});
}

TEST_CASE("An incomplete event is given up at its time-out, with the packets that had come") {
    EjfatReassembler reassembler(Time{1000}, Bytes{10'000}, 1);
    reassembler.add(segment(1, 0, 0), Bytes{100}, Time{0});
    reassembler.add(segment(2, 0, 0), Bytes{100}, Time{400});
    std::vector<std::tuple<std::uint64_t, std::int64_t, Time>> gone;
    const auto note = [&](std::uint64_t event, std::int64_t packets, Time due) {
        gone.emplace_back(event, packets, due);
    };
    reassembler.expire(Time{999}, note);
    CHECK(gone.empty());
    reassembler.expire(Time{1000}, note);
    CHECK(gone == std::vector<std::tuple<std::uint64_t, std::int64_t, Time>>{{1, 1, Time{1000}}});
    CHECK(reassembler.in_use() == Bytes{200});
    // Its second packet, late, begins anew and times out, too.
    reassembler.add(segment(1, 0, 100), Bytes{100}, Time{1100});
    reassembler.expire(Time{5000}, note);
    CHECK(gone.size() == 3);
    CHECK(reassembler.in_use() == Bytes{0});
}

TEST_CASE("An event whose length finds no memory is refused, and nothing is kept for it") {
    EjfatReassembler reassembler(Time{1000}, Bytes{399}, 1);
    CHECK(reassembler.add(segment(1, 0, 0), Bytes{100}, Time{0}) == Step::Incomplete);
    CHECK(reassembler.add(segment(2, 0, 0), Bytes{100}, Time{1}) == Step::NoMemory);
    CHECK(reassembler.in_use() == Bytes{200});
    CHECK(reassembler.add(segment(1, 0, 100), Bytes{100}, Time{2}) == Step::Whole);
    CHECK(reassembler.add(segment(2, 0, 100), Bytes{100}, Time{3}) == Step::Incomplete);
}

namespace {

constexpr Time kMicrosecond{1'000'000};

/// A node that gets events of one packet each, which the books know to have been sent.
struct Bench {
    explicit Bench(Ejfat wanted, Time service = 10 * kMicrosecond)
        : ejfat(std::move(wanted)),
          point{Bytes{100}, BitRate{1'000'000}, service},
          monitor(ejfat, point),
          host(ejfat, point, 0, 1, monitor) {}

    void arrive(std::uint64_t event, Time now, int thread = 0) {
        monitor.event_created(event, now);
        monitor.packet_sent(event);
        monitor.at_balancer(event, 0, now);
        host.arrive({0, 0, 100, event}, Bytes{100}, thread, Bytes{120}, now);
    }
    EjfatResult close() {
        host.finish();
        return monitor.result();
    }

    Ejfat ejfat;
    EjfatPoint point;
    EjfatMonitor monitor;
    EjfatHost host;
};

EjfatResult::Loss lost(const LossCause& cause, std::int64_t events) {
    return {std::string(cause.where), std::string(cause.reason), events, events};
}

}  // namespace

TEST_CASE("Workers take events in turn, and the queue holds what waits") {
    Ejfat ejfat;
    ejfat.nodes.workers = 2;
    ejfat.nodes.queue = 3;
    Bench bench(ejfat);
    for (std::uint64_t event = 1; event <= 6; ++event) bench.arrive(event, Time{0});
    CHECK(bench.host.fill(Time{0}) == 1);  // 2 are being done, 3 wait, 1 found no room
    CHECK(bench.host.fill(10 * kMicrosecond) == Approx(1. / 3));
    const EjfatResult result = bench.close();
    CHECK(result.events_processed == 5);
    CHECK(result.losses == std::vector<EjfatResult::Loss>{lost(EjfatHost::kQueueFull, 1)});
    CHECK(result.total.most_us == Approx(30));  // 10, 10, 20, 20, 30
    CHECK(result.total.mean_us == Approx(18));
}

TEST_CASE("A socket holds payloads until its thread has read them") {
    Ejfat ejfat;
    ejfat.nodes.receive_cost = 5 * kMicrosecond;
    ejfat.nodes.socket_buffer = Bytes{2 * 120};
    Bench bench(ejfat, Time{0});
    bench.arrive(1, Time{0});
    bench.arrive(2, Time{0});
    bench.arrive(3, Time{0});           // no room
    bench.arrive(4, 5 * kMicrosecond);  // the first has just been read
    const EjfatResult result = bench.close();
    CHECK(result.events_processed == 3);
    CHECK(result.losses == std::vector<EjfatResult::Loss>{lost(EjfatHost::kSocketFull, 1)});
    CHECK(result.total.most_us == Approx(10));
    CHECK(result.nodes[0].peak_socket == Bytes{240});
}

TEST_CASE("Threads receive side by side") {
    Ejfat ejfat;
    ejfat.nodes.receive_cost = 5 * kMicrosecond;
    ejfat.nodes.receive_threads = 2;
    Bench bench(ejfat, Time{0});
    for (std::uint64_t event = 1; event <= 4; ++event) bench.arrive(event, Time{0}, static_cast<int>(event));
    CHECK(bench.close().total.most_us == Approx(10));
}

TEST_CASE("Copying costs a thread the payload over its rate") {
    Ejfat ejfat;
    ejfat.nodes.copy_rate = BitRate{960'000'000};  // 120 B in 1 us
    Bench bench(ejfat, Time{0});
    bench.arrive(1, Time{0});
    CHECK(bench.close().reassembly.mean_us == Approx(1));
}

TEST_CASE("Service times change when they are to, for what begins from then on") {
    Ejfat ejfat;
    ejfat.nodes.change_at = 10 * kMicrosecond;
    ejfat.nodes.change = {Ratio{5, 4}};
    Bench bench(ejfat);
    bench.arrive(1, 9 * kMicrosecond);  // until 19
    bench.arrive(2, 9 * kMicrosecond);  // from 19 for 12.5
    CHECK(bench.close().total.most_us == Approx(22.5));
}

TEST_CASE("What a node holds when it falls silent is lost by that name, and so is what comes after") {
    Ejfat ejfat;
    ejfat.nodes.fails = {25 * kMicrosecond};
    Bench bench(ejfat);
    for (std::uint64_t event = 1; event <= 4; ++event) bench.arrive(event, Time{0});  // done at 10, 20, 30, 40
    bench.arrive(5, 26 * kMicrosecond);
    CHECK(bench.host.failed(25 * kMicrosecond));
    const EjfatResult result = bench.close();
    CHECK(result.events_processed == 2);
    CHECK(result.losses == std::vector<EjfatResult::Loss>{lost(EjfatHost::kFailed, 3)});
}

TEST_CASE("Workers begin once they are warm") {
    Ejfat ejfat;
    ejfat.nodes.warm_up = 50 * kMicrosecond;
    Bench bench(ejfat);
    bench.arrive(1, 20 * kMicrosecond);
    CHECK(bench.close().waiting.mean_us == Approx(30));
}

TEST_CASE("Every event and packet is processed or lost by name, whatever a node is like") {
    const bool holds = rc::check([] {
        Ejfat ejfat;
        ejfat.nodes.queue = *rc::gen::inRange(1, 5);
        ejfat.nodes.workers = *rc::gen::inRange(1, 4);
        ejfat.nodes.receive_threads = *rc::gen::inRange(1, 4);
        ejfat.nodes.receive_cost = Time{*rc::gen::inRange<std::int64_t>(0, 5'000'000)};
        ejfat.nodes.socket_buffer = Bytes{*rc::gen::inRange(100, 1000)};
        ejfat.nodes.service = *rc::gen::element(EjfatNodes::Service::Fixed, EjfatNodes::Service::Exponential);
        if (*rc::gen::arbitrary<bool>()) ejfat.nodes.fails = {Time{*rc::gen::inRange<std::int64_t>(0, 200'000'000)}};
        Bench bench(ejfat, Time{*rc::gen::inRange<std::int64_t>(0, 20'000'000)});
        Time now{0};
        for (std::uint64_t event = 1; event <= 100; ++event) {
            now += Time{*rc::gen::inRange<std::int64_t>(0, 4'000'000)};
            bench.arrive(event, now, *rc::gen::inRange(0, 4));
        }
        const EjfatResult result = bench.close();  // which throws if the books do not balance
        RC_ASSERT(result.events_sent == 100);
    });
    REQUIRE(holds);
}
