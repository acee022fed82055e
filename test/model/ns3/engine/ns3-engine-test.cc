// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/engine/ns3-engine.h"

#include <ns3/pcap-file.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "model/exact/exact-engine.h"
#include "model/ns3/frame/watershed-fragment-frame.h"
#include "model/scenario.h"
#include "test/catch.h"

namespace watershed {
namespace {

Scenario small() {
    Scenario scenario;
    scenario.front_end.modules = 5;
    scenario.trigger.separation = Time{2'000'000};
    scenario.trigger.events = 10;
    scenario.network_switch.uplinks = 2;
    scenario.network_switch.uplink_rate = BitRate{1'000'000'000};
    scenario.network_switch.buffer.size = {8, MemorySize::Unit::Frame};
    return scenario;
}

/// A folder that is gone after the test.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("watershed-pcap-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    auto files() const {
        return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
    }
};

}  // namespace

TEST_CASE("A switch that drains for more than 90 days is refused by its key, and one that drains for less is not") {
    // 1090 B last 872 s at 10 b/s: 8917 frames leave within 90 days.
    Scenario s;
    s.front_end.modules = 1;
    s.network_switch.uplink_rate = BitRate{10};
    s.network_switch.buffer.size = {1'000'000};
    s.trigger.events = 8917;
    CHECK(Ns3Engine().run(s).simulated == Time{8'720'000} + Time{872'000'000'000'000} * 8917);
    s.trigger.events = 8918;
    CHECK_THROWS_WITH(Ns3Engine().run(s), Contains("switch.uplink_rate: "));
    s.trigger.events = 3;
    CHECK(Ns3Engine().run(s).frames_received == 3);  // the simulator is free again
}

TEST_CASE(
    "ns-3 tells the observer of every loss, every change of the memory and the progress, as the exact engine does") {
    struct Told {
        std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> occupancy;  ///< last word at each time
        std::size_t changes = 0;
        std::vector<std::tuple<std::int64_t, int, std::int64_t, std::string>> lost;
        std::vector<std::int64_t> progress;
    };
    Scenario scenario = small();
    scenario.trigger.events = 3000;
    const auto listen = [&](Engine& engine) {
        Told told;
        Observer observer;
        observer.occupancy = [&](Time time, std::int64_t frames, Bytes bytes) {
            told.occupancy[time.count()] = {frames, bytes.count};
            ++told.changes;
        };
        observer.lost = [&](const FrameId& frame, Time time, const LossCause& cause) {
            told.lost.push_back({frame.event, frame.module, time.count(), std::string(cause.reason)});
        };
        observer.progress = [&](std::int64_t events) { told.progress.push_back(events); };
        engine.run(scenario, &observer);
        std::sort(told.lost.begin(), told.lost.end());
        return told;
    };
    ExactEngine exact;
    Ns3Engine ns3;
    const Told by_exact = listen(exact), by_ns3 = listen(ns3);
    CHECK(by_ns3.occupancy == by_exact.occupancy);
    CHECK(by_ns3.changes == by_exact.changes);
    CHECK(by_ns3.lost == by_exact.lost);
    CHECK(by_ns3.lost.size() > 1000);
    CHECK(by_ns3.progress == std::vector<std::int64_t>{1024, 2048});
}

TEST_CASE("A capture holds what the server received on that uplink, whole frames at the nanosecond of their last bit") {
    const Folder folder;
    const Scenario scenario = small();
    const Outcome outcome = Ns3Engine((folder.path / "run").string()).run(scenario);
    REQUIRE(outcome.frames_lost() > 0);
    REQUIRE(folder.files() == 2);
    for (int uplink = 0; uplink < 2; ++uplink) {
        ns3::PcapFile file;
        file.Open((folder.path / ("run-uplink-" + std::to_string(uplink + 1) + ".pcap")).string(), std::ios::in);
        CHECK(file.GetDataLinkType() == 1);
        CHECK(file.IsNanoSecMode());
        std::int64_t frames = 0;
        for (std::uint8_t bytes[2000];;) {
            std::uint32_t seconds, nanoseconds, included, original, read;
            file.Read(bytes, sizeof bytes, seconds, nanoseconds, included, original, read);
            if (file.Eof()) break;
            REQUIRE(original == 42 + 1024);
            REQUIRE(included == original);
            const auto id = IdentifyFrame(ns3::Packet(bytes, read));
            REQUIRE(id);
            CHECK((id->module - 1) % 2 == uplink);
            // The first to leave: 1090 B in at 1 Gb/s and 1090 B out.
            if (frames++ == 0) CHECK((seconds == 0 && nanoseconds == 17'440));
        }
        CHECK(frames == outcome.uplinks[static_cast<std::size_t>(uplink)].frames);
    }
}

TEST_CASE("A capture that cannot be written is an error before the run, and leaves nothing behind") {
    const Folder folder;
    CHECK_THROWS_WITH(Ns3Engine((folder.path / "missing" / "run").string()).run(small()),
                      Contains("run-uplink-1.pcap: cannot write: No such file"));
    CHECK(folder.files() == 0);
    CHECK(Ns3Engine().run(small()) == ExactEngine().run(small()));  // and the simulator is free again
}

TEST_CASE("More modules than the event header can number are refused") {
    Scenario scenario = small();
    scenario.front_end.modules = 65'536;
    CHECK_THROWS_AS(Ns3Engine().run(scenario), std::invalid_argument);
}

}  // namespace watershed
