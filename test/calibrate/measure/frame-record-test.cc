// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/frame-record.h"

#include <rapidcheck.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "model/base/loss.h"
#include "model/base/outcome.h"
#include "model/exact/exact-engine.h"
#include "model/network/network.h"
#include "model/switch/buffer.h"
#include "model/switch/sharing.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

FrameRecord record_of(int ports, const std::vector<bool>& missing) {
    return {1, 1, ports, static_cast<std::int64_t>(missing.size()) / ports, missing};
}

NetworkScenario incast(Buffer::Sharing sharing, int modules, std::int64_t frames, std::int64_t events) {
    NetworkScenario scenario;
    scenario.front_end.modules = modules;
    scenario.trigger.separation = Time{20'000'000};
    scenario.trigger.events = events;
    scenario.network_switch.buffer.sharing = sharing;
    scenario.network_switch.buffer.size = {frames, MemorySize::Unit::Frame};
    return scenario;
}

/// Its frames as the exact engine loses them, and its row.
std::pair<FrameRecord, LossMapRow> simulated(const NetworkScenario& scenario) {
    const int modules = scenario.front_end.modules;
    std::vector<bool> missing(static_cast<std::size_t>(modules * scenario.trigger.events.value()));
    Observer observer;
    observer.lost = [&](const FrameId& frame, Time, const LossCause&) {
        missing[static_cast<std::size_t>((frame.event - 1) * modules + frame.module - 1)] = true;
    };
    const Outcome outcome = ExactEngine().run(scenario, &observer);
    LossMapRow row;
    row.ports = modules;
    row.payload = scenario.frame.payload;
    row.separation = scenario.trigger.separation;
    row.events = scenario.trigger.events.value();
    row.frames_sent = outcome.frames_sent;
    row.frames_received = outcome.frames_received;
    return {record_of(modules, missing), row};
}

}  // namespace

TEST_CASE("The frames that are missing are written four to a digit, and read again") {
    std::ostringstream out;
    write_frame_header(out);
    // 1010 1, and three bits that stand for no frame
    write_frame_record(out, {3, 2, 5, 1, {true, false, true, false, true}});
    write_frame_record(out, {4, 3, 2, 2, {false, false, false, true}, {Time{0}, Time{1'000'250'000}}});
    CHECK(out.str() == "burst,row,ports,events,missing,trigger_times_us\n3,2,5,1,a8,\n4,3,2,2,1,0 1000.25\n");
    CHECK(rc::check([] {
        FrameRecord record{7, 0, *rc::gen::inRange(1, 20), *rc::gen::inRange(1, 20), {}};
        for (std::int64_t i = 0; i < record.ports * record.events; ++i)
            record.missing.push_back(*rc::gen::arbitrary<bool>());
        for (std::int64_t i = 0; i < record.events; ++i)
            record.trigger_times.emplace_back(*rc::gen::inRange(0, 1 << 30));
        std::sort(record.trigger_times.begin(), record.trigger_times.end());
        std::stringstream text;
        write_frame_header(text);
        write_frame_record(text, record);
        const auto read = read_frame_records(text, "frames.csv");
        RC_ASSERT(read.size() == 1u);
        RC_ASSERT(read[0].burst == 7);
        RC_ASSERT(read[0].row == 0);
        RC_ASSERT(read[0].ports == record.ports);
        RC_ASSERT(read[0].events == record.events);
        RC_ASSERT(read[0].missing == record.missing);
        RC_ASSERT(read[0].trigger_times == record.trigger_times);
    }));
}

TEST_CASE(
    "A record that was being written when the program was killed is none, and is taken from a file to be continued") {
    const TemporaryFolder folder;
    const std::string file = folder.write("frames.csv", "burst,row,ports,events,missing\n1,1,5,1,a8\n2,2,5,1,a");
    CHECK(read_frame_records(file).size() == 1);
    CHECK_THROWS_WITH(continue_frame_records(file), Contains("frames.csv") && Contains("trigger_times_us"));
    folder.write("frames.csv", "burst,row,ports,events,missing,trigger_times_us\n1,1,5,1,a8,0\n2,2,5,1,a");
    CHECK(continue_frame_records(file).size() == 1);
    std::ofstream(file, std::ios::app) << "2,2,5,1,08,0\n";
    CHECK(read_frame_records(file).size() == 2);
}

TEST_CASE("A record that cannot be is refused by line") {
    const auto read = [](const std::string& row) {
        std::istringstream in("burst,row,ports,events,missing,trigger_times_us\n" + row);
        return read_frame_records(in, "frames.csv");
    };
    CHECK_THROWS_WITH(read("1,1,5,1,a,\n"), Contains("frames.csv:2: missing") && Contains("2 digits"));
    CHECK_THROWS_WITH(read("1,1,5,1,ag,\n"), Contains("frames.csv:2: missing"));
    CHECK_THROWS_WITH(read("1,1,0,1,a8,\n"), Contains("frames.csv:2: ports"));
    CHECK_THROWS_WITH(read("1,1,5,1,a8,0 9\n"),
                      Contains("frames.csv:2: trigger_times_us") && Contains("expected 1 times"));
    CHECK_THROWS_WITH(read("1,1,5,1,a8,x\n"), Contains("frames.csv:2: trigger_times_us") && Contains("microseconds"));
}

TEST_CASE("Runs of missing frames are as many as at random, with the deviation of Wald and Wolfowitz") {
    // All ways to lose two of four frames: 6, in three of which they are neighbours. 1.5 runs on average, with a
    // variance of a quarter.
    double runs = 0, squares = 0;
    LossOrder order;
    for (int bits = 0; bits < 16; ++bits) {
        std::vector<bool> missing;
        for (int i = 0; i < 4; ++i) missing.push_back(bits >> i & 1);
        order = order_of(record_of(4, missing));
        if (order.missing != 2) continue;
        runs += static_cast<double>(order.runs), squares += static_cast<double>(order.runs * order.runs);
        CHECK(order.expected_runs == Approx(1.5));
        CHECK(order.sigma == Approx(0.5));
    }
    CHECK(runs / 6 == Approx(1.5));
    CHECK(squares / 6 - 1.5 * 1.5 == Approx(0.25));
}

TEST_CASE("A full queue loses the ends of triggers, in runs; random loss is scattered") {
    std::vector<bool> tail, random;
    std::mt19937_64 bits(1);
    for (int event = 0; event < 50; ++event)
        for (int module = 0; module < 44; ++module) {
            tail.push_back(event >= 20 && module >= 6);  // six places become free between two triggers
            random.push_back(bits() % 100 == 0);
        }
    const LossOrder full = order_of(record_of(44, tail));
    CHECK(full.runs == 30);
    CHECK(full.first_event == 21);
    CHECK(full.most_of_module == Approx(1.0 / 38));
    CHECK(full.clustering() > 20);
    CHECK_THAT(meaning_of(full), Contains("full queue"));
    const LossOrder scattered = order_of(record_of(44, random));
    CHECK(std::abs(scattered.clustering()) < 4);
    CHECK_THAT(meaning_of(scattered), Contains("at random"));
    CHECK_THAT(meaning_of(order_of(record_of(4, std::vector<bool>(40, false)))), Contains("nothing"));
}

TEST_CASE("A queue that drops its oldest frames keeps the last ones, and its bursts have no beginnings") {
    // 100 frames fit, 6 leave between two triggers of 44: the oldest 38 go from the third trigger on.
    std::vector<FrameRecord> records;
    for (int burst = 0; burst < 3; ++burst) {
        std::vector<bool> missing(44 * 20);
        for (std::size_t first = 6; first + 38 + 100 < missing.size(); first += 44)
            std::fill_n(missing.begin() + static_cast<std::ptrdiff_t>(first), 38, true);
        records.push_back(record_of(44, missing));
    }
    CHECK(infer_drop_policy(records) == Drops::Oldest);
    CHECK(infer_sharing(records).empty());
    LossMap map{"map.csv", {LossMapRow{44, Bytes{1024}, Time{1'000'000'000}, 20, 880, 0, std::nullopt}}};
    map.rows[0].frames_received = 880 - order_of(records[0]).missing;
    add_beginnings(map, records, "frames.csv");
    CHECK(map.rows.size() == 1);
    CHECK(infer_drop_policy({records[0], records[1]}) == Drops::New);  // few
    for (std::size_t frame = 6; frame < 44; ++frame) records[0].missing[44 * 19 + frame] = true;
    CHECK(infer_drop_policy(records) == Drops::New);  // one that lost some of its last trigger
}

TEST_CASE("A queue that drops single frames closer and closer is one that CoDel keeps short") {
    // RFC 8289: the n-th drop comes 100 ms / sqrt(n) after the one before it; 5863 frames leave each second.
    const auto of_codel = [](int first, int drops, bool full) {
        std::vector<bool> missing(44 * 150);
        double at = 700;
        for (int n = first; n < first + drops; ++n, at += 586.3 / std::sqrt(n))
            missing[static_cast<std::size_t>(at)] = true;
        // A full memory loses the ends of triggers beside that; the rest of the burst is as long.
        if (full) missing.insert(missing.begin() + 600, 38, true), missing.resize(44 * 150);
        return record_of(44, missing);
    };
    CHECK(infer_drop_policy({of_codel(1, 6, false), of_codel(1, 6, true)}) == Drops::Waiting);
    CHECK(infer_drop_policy({of_codel(3, 9, false), of_codel(8, 7, false)}) == Drops::Waiting);  // goes on where it was
    const FrameRecord one = of_codel(1, 20, false), few = of_codel(1, 4, false);
    CHECK(infer_drop_policy({one}) == Drops::New);
    CHECK(infer_drop_policy({few, few}) == Drops::New);
    CHECK(infer_drop_policy({few, few, few}) == Drops::Waiting);
    LossMap map{"map.csv", {LossMapRow{44, Bytes{1024}, Time{1'000'000'000}, 150, 6600, 6594, std::nullopt}}};
    add_beginnings(map, {of_codel(1, 6, false), of_codel(1, 6, false)}, "frames.csv");
    CHECK(map.rows.size() == 1);
    // One frame in a hundred, at random or regularly, is none of it.
    std::mt19937_64 bits(1);
    for (int campaign = 0; campaign < 100; ++campaign) {
        std::vector<FrameRecord> records;
        for (int burst = 0; burst < 20; ++burst) {
            std::vector<bool> missing;
            for (int frame = 0; frame < 44 * 50; ++frame)
                missing.push_back(campaign == 0 ? frame % 100 == 50 : bits() % (campaign < 50 ? 100 : 10) == 0);
            records.push_back(record_of(44, missing));
        }
        CHECK(infer_drop_policy(records) != Drops::Waiting);
    }
}

TEST_CASE("The beginnings of a burst whose triggers came late keep their times") {
    auto [record, row] = simulated(incast(Buffer::Sharing::Shared, 44, 880, 120));
    row.span = row.separation * 130;
    row.worst_trigger_lateness = row.separation * 5;
    LossMap without{"map.csv", {row}}, with = without;
    add_beginnings(without, {record}, "frames.csv");
    CHECK(without.rows.size() == 1);
    for (int event = 0; event < 120; ++event) record.trigger_times.push_back(row.separation * (event + event / 12));
    add_beginnings(with, {record}, "frames.csv");
    REQUIRE(with.rows.size() == 3);
    CHECK(with.rows[1].span == record.trigger_times[static_cast<std::size_t>(with.rows[1].events) - 1]);
    // When the output stood still is not kept.
    row.stalled = row.separation;
    LossMap stalled{"map.csv", {row}};
    add_beginnings(stalled, {record}, "frames.csv");
    CHECK(stalled.rows.size() == 1);
}

TEST_CASE("What a burst loses of its first triggers is what a shorter burst loses, at any memory") {
    CHECK(rc::check([] {
        const auto sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
        const int modules = *rc::gen::inRange(24, 60);
        const std::int64_t frames = *rc::gen::inRange(2, 60) * (sharing == Buffer::Sharing::Shared ? modules : 1),
                           events = *rc::gen::inRange(2, 200);
        const auto [record, row] = simulated(incast(sharing, modules, frames, events));
        LossMap map{"map.csv", {row}};
        add_beginnings(map, {record}, "frames.csv");
        RC_ASSERT((map.rows.size() > 1) == !row.lossless());
        for (std::size_t i = 1; i < map.rows.size(); ++i) {
            const LossMapRow& part = map.rows[i];
            const Outcome shorter = ExactEngine().run(incast(sharing, modules, frames, part.events));
            RC_ASSERT(part.frames_sent == shorter.frames_sent);
            RC_ASSERT(part.frames_received == shorter.frames_received);
            RC_ASSERT(part.beginning_of == 1);
        }
    }));
}

TEST_CASE("The order of losses tells a memory of all inputs from one of each") {
    const auto told = [](Buffer::Sharing sharing, std::int64_t frames) {
        return infer_sharing({simulated(incast(sharing, 44, frames, 120)).first});
    };
    CHECK_THAT(told(Buffer::Sharing::Shared, 880), Contains("all inputs share"));
    CHECK_THAT(told(Buffer::Sharing::PerInput, 20), Contains("memory of its own"));
    CHECK(told(Buffer::Sharing::Shared, 1'000'000).empty());
}

TEST_CASE("Records of another map are refused") {
    const auto [record, row] = simulated(incast(Buffer::Sharing::Shared, 44, 880, 120));
    const auto refuses = [](const FrameRecord& of, const LossMapRow& in, const std::string& name) {
        LossMap map{"map.csv", {in}};
        CHECK_THROWS_WITH(add_beginnings(map, {of}, "frames.csv"), Contains("frames.csv: burst 1") && Contains(name));
    };
    LossMapRow other = row;
    other.events = 119;
    refuses(record, other, "44 ports and 120 events");
    other = row;
    ++other.frames_received;
    refuses(record, other, "missing frames");
    FrameRecord beyond = record;
    beyond.row = 2;
    refuses(beyond, row, "beyond");
}
