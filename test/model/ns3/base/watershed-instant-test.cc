// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/base/watershed-instant.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/catch.h"
#include "test/model/ns3/base/simulation.h"

namespace watershed {
namespace {

struct Log {
    Simulation simulation;
    ns3::Ptr<WatershedInstant> instant = ns3::Create<WatershedInstant>();
    std::vector<std::string> lines;

    WatershedInstant::Action note(const std::string& text) {
        return
            [this, text](const Timestamp& now) { lines.push_back(std::to_string(now.time.count()) + " ps: " + text); };
    }
};

/// Places that differ in their indices alone.
WatershedInstant::Place at(int index) { return {Step::Arrival, 0, 0, index}; }

}  // namespace

TEST_CASE("Actions of one instant follow their places, whatever the order of the ns-3 events that hand them over") {
    // All orders of five events at 5 ps; places ascend by step, then switch, then rank, then index.
    std::vector<int> order{0, 1, 2, 3, 4};
    const WatershedInstant::Place places[] = {{Step::Pause, 9, 9, 9},
                                              {Step::Arrival, 0, 9, 9},
                                              {Step::Arrival, 1, 0, 9},
                                              {Step::Arrival, 1, 1, 0},
                                              {Step::Arrival, 1, 1, 1}};
    do {
        Log log;
        for (const int i : order)
            ns3::Simulator::Schedule(ns3::PicoSeconds(5),
                                     [&, i] { log.instant->DoAt(Time{5}, places[i], log.note(std::to_string(i))); });
        ns3::Simulator::Run();
        REQUIRE(log.lines == std::vector<std::string>{"5 ps: 0", "5 ps: 1", "5 ps: 2", "5 ps: 3", "5 ps: 4"});
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("Within a picosecond the exact time comes before the place") {
    Log log;
    log.instant->DoAt({Time{3}, 1}, at(0), log.note("a tick before 3 ps, first place"));
    log.instant->DoAt(Time{3}, at(0), log.note("3 ps"));
    log.instant->DoAt({Time{3}, 2}, at(1), log.note("two ticks before 3 ps, second place"));
    ns3::Simulator::Run();
    CHECK(log.lines == std::vector<std::string>{"3 ps: two ticks before 3 ps, second place",
                                                "3 ps: a tick before 3 ps, first place", "3 ps: 3 ps"});
}

TEST_CASE("Actions of equal places come in the order in which they were handed over") {
    Log log;
    for (const std::string text : {"a", "b", "c"}) log.instant->DoAt(Time{3}, {Step::Arrival, 1, 1, 1}, log.note(text));
    ns3::Simulator::Run();
    CHECK(log.lines == std::vector<std::string>{"3 ps: a", "3 ps: b", "3 ps: c"});
}

TEST_CASE("What an action brings about at the same instant finds its place among the rest, and a later time waits") {
    Log log;
    log.instant->DoAt(Time{7}, at(1), [&](const Timestamp& now) {
        log.note("1")(now);
        log.instant->DoAt(now, at(3), log.note("3"));
        log.instant->DoAt(now, at(0), log.note("0, late"));
        log.instant->DoAt(now, at(2), log.note("2, too"));
        log.instant->DoAt(now + Time{1}, at(0), log.note("0"));
    });
    log.instant->DoAt(Time{7}, at(2), log.note("2"));
    ns3::Simulator::Run();
    CHECK(log.lines ==
          std::vector<std::string>{"7 ps: 1", "7 ps: 0, late", "7 ps: 2", "7 ps: 2, too", "7 ps: 3", "8 ps: 0"});
}

TEST_CASE("One event carries out all actions of an instant, and the next instant gets its own") {
    Log log;
    for (int i = 0; i < 10; ++i) log.instant->DoAt(Time{0}, at(i), log.note("now"));
    ns3::Simulator::Schedule(ns3::PicoSeconds(1), [&] {
        for (int i = 0; i < 10; ++i) log.instant->DoAt(Time{1}, at(i), log.note("then"));
    });
    ns3::Simulator::Run();
    CHECK(log.lines.size() == 20);
    CHECK(ns3::Simulator::GetEventCount() == 3);
}

TEST_CASE("Events of ns-3 for the same time that were scheduled earlier have run before the first action") {
    Log log;
    ns3::Simulator::Schedule(ns3::PicoSeconds(2), [&] { log.instant->DoAt(Time{2}, at(0), log.note("action")); });
    ns3::Simulator::Schedule(ns3::PicoSeconds(2), [&] { log.note("event")(Now()); });
    ns3::Simulator::Run();
    CHECK(log.lines == std::vector<std::string>{"2 ps: event", "2 ps: action"});
}

}  // namespace watershed
