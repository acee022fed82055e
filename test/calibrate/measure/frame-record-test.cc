// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/measure/frame-record.h"

#include <rapidcheck.h>

#include <random>
#include <sstream>

#include "test/catch.h"

using namespace watershed;

namespace {

FrameRecord record_of(int ports, const std::vector<bool>& missing) {
    return {1, 1, ports, static_cast<std::int64_t>(missing.size()) / ports, missing};
}

}  // namespace

TEST_CASE("The frames that are missing are written four to a digit, and read again") {
    std::ostringstream out;
    write_frame_header(out);
    // 1010 1, and three bits that stand for no frame
    write_frame_record(out, {3, 2, 5, 1, {true, false, true, false, true}});
    CHECK(out.str() == "burst,row,ports,events,missing\n3,2,5,1,a8\n");
    CHECK(rc::check([] {
        FrameRecord record{7, 0, *rc::gen::inRange(1, 20), *rc::gen::inRange(1, 20), {}};
        for (std::int64_t i = 0; i < record.ports * record.events; ++i)
            record.missing.push_back(*rc::gen::arbitrary<bool>());
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
    }));
}

TEST_CASE("A record that cannot be is refused by line") {
    const auto read = [](const std::string& row) {
        std::istringstream in("burst,row,ports,events,missing\n" + row);
        return read_frame_records(in, "frames.csv");
    };
    CHECK_THROWS_WITH(read("1,1,5,1,a\n"), Contains("frames.csv:2: missing") && Contains("2 digits"));
    CHECK_THROWS_WITH(read("1,1,5,1,ag\n"), Contains("frames.csv:2: missing"));
    CHECK_THROWS_WITH(read("1,1,0,1,a8\n"), Contains("frames.csv:2: ports"));
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
