// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/camera-server.h"

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("The server names what is missing per event and per module") {
    CameraServer server(2, FragmentSizes(1));
    server.receive({1, 1, 0});
    server.receive({1, 2, 0});
    server.receive({3, 2, 0});
    CHECK(server.frames_received() == 3);
    IncompleteEvents events(nullptr);
    server.incomplete(3, events);
    Outcome outcome;
    outcome.events_sent = 3;
    events.report(outcome);
    CHECK(outcome.incomplete == std::vector<Outcome::IncompleteEvent>{{2, 2}, {3, 1}});
    CHECK(outcome.events_complete == 1);
    CHECK(server.missing_by_module(3) == std::vector<std::int64_t>{2, 1});
}

TEST_CASE("Of however many complete events, the server names the few incomplete ones, in any order of arrival") {
    constexpr std::int64_t kEvents = 20'000;
    const auto is_lost = [](std::int64_t event) {
        return event == 1 || event == 4096 || event == 4097 || event > 19'998;
    };
    CameraServer server(2, FragmentSizes(1));
    // The second module is 5000 events behind the first.
    for (std::int64_t step = 1; step <= kEvents + 5000; ++step) {
        if (step <= kEvents) server.receive({step, 1, 0});
        if (step > 5000 && !is_lost(step - 5000)) server.receive({step - 5000, 2, 0});
    }
    IncompleteEvents events(nullptr);
    server.incomplete(kEvents, events);
    Outcome outcome;
    outcome.events_sent = kEvents;
    events.report(outcome);
    CHECK(outcome.incomplete ==
          std::vector<Outcome::IncompleteEvent>{{1, 1}, {4096, 1}, {4097, 1}, {19'999, 1}, {20'000, 1}});
    CHECK(server.frames_received() == 2 * kEvents - 5);
}

TEST_CASE("Books close when every frame is received or lost, and not otherwise") {
    CameraServer server(2, FragmentSizes(1));
    Ledger ledger(nullptr);
    server.receive({1, 1, 0});
    CHECK_THROWS_AS(finalize_result(1, server, ledger), std::logic_error);
    ledger.lost({1, 2, 0}, Time{5}, LossCause{"switch", "buffer-full"});
    const Outcome outcome = finalize_result(1, server, ledger);
    CHECK(outcome.frames_sent == 2);
    CHECK(outcome.frames_received == 1);
    CHECK(outcome.events_complete == 0);
    CHECK(outcome.losses == std::vector<Outcome::Loss>{{"switch", "buffer-full", 1}});
}
