// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/ledger.h"

#include <rapidcheck.h>

#include <map>
#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

namespace {
constexpr LossCause kSwitch{"switch", "buffer-full"}, kFrontEnd{"front-end", "fifo-full"};
}

TEST_CASE("Losses are counted by place and reason") {
    Ledger ledger(nullptr);
    ledger.lost({1, 1, 0}, Time{1}, kSwitch);
    ledger.lost({1, 2, 0}, Time{1}, kFrontEnd);
    ledger.lost({2, 1, 0}, Time{2}, kSwitch);
    CHECK(ledger.frames_lost() == 3);
    CHECK(ledger.losses() == std::vector<Outcome::Loss>{{"front-end", "fifo-full", 1}, {"switch", "buffer-full", 2}});
}

TEST_CASE("The first loss is the earliest, however late it is reported") {
    Ledger ledger(nullptr);
    CHECK_FALSE(ledger.first_loss());
    ledger.lost({4, 1, 0}, Time{100}, kSwitch);
    ledger.lost({3, 9, 0}, Time{50}, kFrontEnd);
    CHECK(ledger.first_loss() == FirstLoss{{3, 9, 0}, Time{50}, "front-end"});
    ledger.lost({2, 8, 0}, Time{50}, kSwitch);  // same time: the front end comes first
    CHECK(ledger.first_loss() == FirstLoss{{3, 9, 0}, Time{50}, "front-end"});
    ledger.lost({3, 7, 0}, Time{50}, kFrontEnd);  // and there the lower module
    CHECK(ledger.first_loss() == FirstLoss{{3, 7, 0}, Time{50}, "front-end"});
}

TEST_CASE("At the switch the first decision of an instant stays first") {
    Ledger ledger(nullptr);
    ledger.lost({4, 9, 0}, Time{100}, kSwitch);
    ledger.lost({4, 1, 0}, Time{100}, kSwitch);
    CHECK(ledger.first_loss() == FirstLoss{{4, 9, 0}, Time{100}, "switch"});
}

TEST_CASE("An observer hears of every loss") {
    int heard = 0;
    Observer observer;
    observer.lost = [&](const FrameId& frame, Time time, const LossCause& cause) {
        ++heard;
        CHECK(frame == FrameId{1, 2, 0});
        CHECK(time == Time{7});
        CHECK(cause == kSwitch);
    };
    Ledger ledger(&observer);
    ledger.lost({1, 2, 0}, Time{7}, kSwitch);
    CHECK(heard == 1);
}

namespace {

constexpr LossCause kFull{"switch", "buffer-full"};

Senders one_stream() {
    Senders senders;
    senders.front_end.traffic_class = 2;
    senders.traffic.emplace_back().name = "slow";
    senders.traffic.back().traffic_class = 6;
    return senders;
}

}  // namespace

// The camera sends frames at 10 and 20, the stream two at 10. They arrive 5, 9 and 7 later; the stream's second is
// lost.
TEST_CASE("Books tell of each stream what was sent, what arrived when, and what was lost where") {
    StreamLedger books(one_stream(), nullptr);
    REQUIRE(books.are_kept());
    books.offered({1, 1, 0}, Time{10});
    books.offered({2, 1, 0}, Time{20});
    books.offered({1, 0, 0, 1}, Time{10});
    books.offered({2, 0, 0, 1}, Time{10});
    books.arrived({1, 1, 0}, Time{15});
    books.arrived({2, 1, 0}, Time{29});
    books.arrived({1, 0, 0, 1}, Time{17});
    CHECK(books.lost({2, 0, 0, 1}, Time{12}, kFull));
    Outcome outcome;
    outcome.frames_sent = outcome.frames_received = 2;
    books.report(outcome, {{{}, {3, Bytes{300}}}, {{}, {2, Bytes{500}}}});
    REQUIRE(outcome.streams.size() == 2);
    CHECK(outcome.streams[0].name == "camera");
    CHECK(outcome.streams[0].traffic_class == 2);
    CHECK(outcome.streams[0].latency == Time{14});
    CHECK(outcome.streams[0].latency_most == Time{9});
    CHECK(outcome.streams[1].name == "slow");
    CHECK(outcome.streams[1].traffic_class == 6);
    CHECK(outcome.streams[1].frames_sent == 2);
    CHECK(outcome.streams[1].frames_received == 1);
    CHECK(outcome.streams[1].latency_most == Time{7});
    CHECK(outcome.streams[1].peaks == std::vector<Outcome::Amount>{{3, Bytes{300}}, {2, Bytes{500}}});
    CHECK(outcome.streams[1].peak() == Outcome::Amount{3, Bytes{500}});
    CHECK(outcome.streams[1].losses == std::vector<Outcome::Loss>{{"switch", "buffer-full", 1}});
}

TEST_CASE("A loss of the camera's is its ledger's, and without streams there are no books") {
    StreamLedger books(one_stream(), nullptr);
    books.offered({1, 1, 0}, Time{0});
    CHECK(!books.lost({1, 1, 0}, Time{5}, kFull));
    StreamLedger none(Senders{}, nullptr);
    CHECK(!none.are_kept());
    CHECK(!none.lost({1, 1, 0}, Time{5}, kFull));
}

TEST_CASE("Books that do not balance stop the run: a frame that is nowhere, and one that arrives from nowhere") {
    StreamLedger books(one_stream(), nullptr);
    books.offered({1, 0, 0, 1}, Time{0});
    Outcome outcome;
    CHECK_THROWS_AS(books.report(outcome, {{{}, {}}}), std::logic_error);
    CHECK_THROWS_AS(books.arrived({7, 0, 0, 1}, Time{9}), std::logic_error);
}

TEST_CASE("A frame on its way is ready when it was said to be, in whatever order frames come and go") {
    CHECK(rc::check([](const std::vector<std::pair<std::uint8_t, bool>>& steps) {
        ReadyTimes times;
        std::map<std::uint64_t, Time> expected;
        for (const auto& [number, comes] : steps) {
            const std::uint64_t key = std::uint64_t{number} << 32 | number % 3;
            const auto found = expected.find(key);
            if (comes && found == expected.end()) {
                const Time ready{number * 7 + static_cast<int>(expected.size())};
                times.put(key, ready);
                expected.emplace(key, ready);
            } else if (!comes) {
                const auto taken = times.take(key);
                RC_ASSERT(taken.has_value() == (found != expected.end()));
                if (!taken) continue;
                RC_ASSERT(*taken == found->second);
                expected.erase(found);
            }
            RC_ASSERT(times.empty() == expected.empty());
        }
    }));
}
