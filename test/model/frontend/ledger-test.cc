// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/ledger.h"

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
