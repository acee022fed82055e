// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/reader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

/// A file that is gone at the end of the test.
class ScratchFile {
  public:
    ScratchFile(const std::string& name, const std::string& text) : path_(folder_.write(name, text)) {}
    const std::string& path() const { return path_; }

  private:
    TemporaryFolder folder_;
    std::string path_;
};

const std::string kBurst = "[trigger]\nseparation = \"20 us\"\nevents = 10\n[switch.buffer]\nsize = \"10 frames\"\n";

Scenario read(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return read_scenario(ScratchFile("scenario.toml", text).path(), overrides);
}

void refused(const std::string& text, const std::string& message) {
    INFO(text);
    CHECK_THROWS_WITH(read(text), Contains(message));
}

}  // namespace

TEST_CASE("Every key of a scenario arrives at its member") {
    const Scenario s = read(R"(
seed = 7
[frame]
payload = "1680 B"
wire_overhead = "42 B"
buffer_overhead = "40 B"
reported_overhead = "28 B"
mtu = "1400 B"
split = true
[front_end]
modules = 30
link_rate = "2 Gb/s"
fifo = "16 frames"
skew = ["1 ns", "2 ns"]
skew_spread = "5 ns"
jitter = "3 ns"
clock = ["-20 ppm"]
clock_spread = "50 ppm"
[trigger]
pattern = "bursts"
separation = "20 us"
events = 10
bursts = 3
period = "1 ms"
dead_time = "1 us"
[switch]
uplinks = 2
uplink_rate = "9.5 Gb/s"
latency = "3 us"
arrival_order = "rotating"
[switch.buffer]
sharing = "per-input"
size = "330 MB"
)");
    CHECK(s.seed == 7);
    CHECK(s.frame.payload == Bytes{1680});
    CHECK(s.frame.wire_overhead == Bytes{42});
    CHECK(s.frame.buffer_overhead == Bytes{40});
    CHECK(s.frame.reported_overhead == Bytes{28});
    CHECK(s.frame.mtu == Bytes{1400});
    CHECK(s.frame.split);
    CHECK(s.front_end.modules == 30);
    CHECK(s.front_end.link_rate == BitRate{2'000'000'000});
    CHECK(s.front_end.fifo == 16);
    CHECK(s.front_end.skew == std::vector<Time>{Time{1000}, Time{2000}});
    CHECK(s.front_end.skew_spread == Time{5000});
    CHECK(s.front_end.jitter == Time{3000});
    CHECK(s.front_end.clock == std::vector<ClockTolerance>{{-20'000}});
    CHECK(s.front_end.clock_spread == ClockTolerance{50'000});
    CHECK(s.trigger.pattern == Trigger::Pattern::Bursts);
    CHECK(s.trigger.separation == Time{20'000'000});
    CHECK(s.trigger.events == 10);
    CHECK(s.trigger.bursts == 3);
    CHECK(s.trigger.period == Time{1'000'000'000});
    CHECK(s.trigger.dead_time == Time{1'000'000});
    CHECK(s.network_switch.uplinks == 2);
    CHECK(s.network_switch.uplink_rate == BitRate{9'500'000'000});
    CHECK(s.network_switch.latency == Time{3'000'000});
    CHECK(s.network_switch.arrival_order == ArrivalOrder::Rotating);
    CHECK(s.network_switch.buffer.sharing == Buffer::Sharing::PerInput);
    CHECK(s.network_switch.buffer.size == MemorySize{330'000'000, MemorySize::Unit::Byte});
}

TEST_CASE("A key given on the command line wins over the file, with or without quotes") {
    CHECK(read(kBurst, {"switch.buffer.size=300 frames"}).network_switch.buffer.size ==
          MemorySize{300, MemorySize::Unit::Frame});
    CHECK(read(kBurst, {"switch.buffer.size=\"300 frames\""}).network_switch.buffer.size ==
          MemorySize{300, MemorySize::Unit::Frame});
    CHECK(read(kBurst, {"trigger.events=11"}).trigger.events == 11);
    CHECK(read(kBurst, {"front_end.skew=[\"1 ns\"]"}).front_end.skew.size() == 1);
    CHECK(read(kBurst, {"frame.split=true"}).frame.split);
    CHECK_THROWS_WITH(read(kBurst, {"trigger.events"}), Contains("expected KEY=VALUE"));
    CHECK_THROWS_WITH(read(kBurst, {"trigger.evnts=3"}),
                      Contains("--set: trigger.evnts: unknown key, expected in [trigger] one of pattern"));
}

TEST_CASE("The dead time is 2 us for poisson and nothing otherwise") {
    const std::string poisson =
        "[trigger]\npattern = \"poisson\"\nrate = \"8 kHz\"\nevents = 10\n[switch.buffer]\nsize = \"10 frames\"\n";
    CHECK(read(poisson).trigger.dead_time == Time{2'000'000});
    CHECK(read(poisson, {"trigger.dead_time=0 us"}).trigger.dead_time == Time{0});
    CHECK(read(kBurst).trigger.dead_time == Time{0});
}

TEST_CASE("A key that is not known is answered with the one that was likely meant") {
    const auto meant = [](const std::string& key) { return Contains("; did you mean " + key + "?"); };
    CHECK_THROWS_WITH(read("[swich.buffer]\nsize = \"1 B\"\n" + kBurst), meant("switch"));
    CHECK_THROWS_WITH(read(kBurst, {"swich.buffer.size=3"}), meant("switch.buffer.size"));
    CHECK_THROWS_WITH(read(kBurst, {"node.a.uplnks=3"}), meant("node.NAME.uplinks"));
    CHECK_THROWS_WITH(read(kBurst, {"payload=3"}), meant("frame.payload or udpmon.payload"));
    CHECK_THROWS_WITH(read(kBurst, {"trigger.modules=3"}), meant("front_end.modules"));
    CHECK_THROWS_WITH(read(kBurst, {"trigger.frobnicate=3"}), !Contains("did you mean"));
}

TEST_CASE("What is wrong with a scenario is named by file, line and key") {
    const auto with = [](const std::string& line) { return "[front_end]\n" + line + "\n" + kBurst; };
    refused(with("module = 3"),
            "scenario.toml:2: front_end.module: unknown key, expected in "
            "[front_end] one of modules, fragments, gap, link_rate");
    refused("[\".a.b\"]\n", "scenario.toml:1: .a.b: unknown key, expected one of system");
    refused("\"switch..a\" = 1\n", "switch..a: unknown key, expected in [switch] one of");
    refused("[swich]\nuplinks = 1\n" + kBurst,
            "scenario.toml:1: swich: unknown key, expected one of system, seed, frame");
    refused(with("modules = 0"), "scenario.toml:2: front_end.modules: found 0, expected an integer from 1 to 65535");
    refused(with("modules = -4"), "found -4");
    refused(with("modules = \"4\""), "found \"4\", expected an integer");
    refused(with("link_rate = \"1 GB/s\""),
            "scenario.toml:2: front_end.link_rate: found \"1 GB/s\", expected a bit rate");
    CHECK_THROWS_WITH(read(with("jitter = 5")),
                      Contains("front_end.jitter: found \"5\", expected a time") && Contains("the unit is missing"));
    refused(with("jitter = 5.5"), "front_end.jitter: found 5.5");
    refused(with("skew = \"5 ns\""), "expected a list");
    refused(with("skew = [5]"),
            "front_end.skew: found a list of 1 integers, expected a list of values with units in quotes");
    refused(with("clock = [\"2 %\"]"), "front_end.clock: found \"2 %\", expected a clock tolerance");
    refused(with("fifo = \"16 B\""), "front_end.fifo");
    refused(with("modules = "), "scenario.toml:2: ");
    refused(with("modules = 3\nmodules = 4"), "scenario.toml:3: ");
    CHECK_THROWS_WITH(read_scenario("/nowhere/s.toml"), Contains("/nowhere/s.toml: cannot be read"));
    CHECK_THROWS_WITH(read_scenario("/"), Contains("/: cannot be read"));
    refused("[trigger]\nseparation = \"1 us\"\nevents = 1\n", "switch.buffer.size: missing");
    CHECK_THROWS_WITH(read("[frame]\npayload = \"2000 B\"\n" + kBurst),
                      Contains("scenario.toml:2: frame.payload: ") && Contains("2028 B exceeds the MTU of 1500 B"));
}

TEST_CASE("A trigger pattern gets the keys it needs and no others") {
    const auto trigger = [](const std::string& keys) {
        return "[trigger]\n" + keys + "\n[switch.buffer]\nsize = \"10 frames\"\n";
    };
    refused(trigger("events = 3"), "trigger.separation: missing");
    refused(trigger("pattern = \"burst\"\nseparation = \"1 us\"\nevents = 3\nrate = \"1 kHz\""),
            "scenario.toml:5: trigger.rate: conflicts with pattern \"burst\"");
    refused(trigger("pattern = \"bursts\"\nseparation = \"2 us\"\nevents = 3\nbursts = 2\nperiod = \"3 us\""),
            "trigger.period: found \"3 us\", expected at least the length of one burst");
    refused(trigger("pattern = \"sometimes\""), "found \"sometimes\", expected one of \"burst\", \"periodic\"");
    refused(trigger("separation = \"240 h\"\nevents = 1000000"), "over more than 53 days");
}

TEST_CASE("An apparatus is read whatever its trigger lacks") {
    const ScratchFile file("scenario.toml",
                           "[front_end]\nmodules = 3\n[trigger]\npattern = \"poisson\"\nrate = \"1 "
                           "kHz\"\n[switch.buffer]\nsize = \"10 frames\"\n");
    const Scenario s = read_scenario(Scope::own_bursts(), file.path());
    CHECK(s.front_end.modules == 3);
    CHECK(s.trigger.pattern == Trigger::Pattern::Burst);
    const Scenario camera = read_scenario(file.path());  // whose triggers have no end, which a risk does not need
    CHECK_THROWS_WITH(expect_end_of_triggers(camera, "f"),
                      Contains("f: trigger.events: missing, expected trigger.events or trigger.duration with pattern "
                               "\"poisson\""));
    CHECK(with_an_end(camera).trigger.events == 100'000);
    CHECK_FALSE(with_an_end(s).trigger.events != s.trigger.events);
}

TEST_CASE("Trigger times come from a text file beside the scenario, and their errors name its line") {
    const auto times = [](const std::string& text) {
        return read_trigger_times(ScratchFile("times.txt", text).path());
    };
    CHECK(times("# two triggers\n0 us\n\n8.72 us # second\n") == std::vector<Time>{Time{0}, Time{8'720'000}});
    CHECK_THROWS_WITH(times("0 us\n5\n"), Contains("times.txt:2: found \"5\"") && Contains("the unit is missing"));
    CHECK_THROWS_WITH(times("5 us\n4 us\n"),
                      Contains("times.txt:2: found \"4 us\", expected a time not before the one above it"));
    CHECK_THROWS_WITH(times("# nothing\n"), Contains("expected at least one trigger time"));

    const ScratchFile file("times.txt", "0 us\n1 us\n");
    const std::string folder = std::filesystem::path(file.path()).parent_path().string();
    std::ofstream(folder + "/scenario.toml")
        << "[trigger]\npattern = \"file\"\nfile = \"times.txt\"\n[switch.buffer]\nsize = \"10 frames\"\n";
    CHECK(read_scenario(folder + "/scenario.toml").trigger.times.size() == 2);
}

TEST_CASE("Every scenario that comes with the program is valid") {
    const char* source = std::getenv("WATERSHED_SOURCE");
    REQUIRE(source);
    int scenarios = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(source) / "scenarios")) {
        if (entry.path().extension() != ".toml") continue;
        INFO(entry.path());
        CHECK_NOTHROW(read_scenario(Scope::anything(), entry.path().string()));
        ++scenarios;
    }
    CHECK(scenarios >= 3);
}

TEST_CASE("Fragments are a number or a list of payloads, and the list stands for all payloads") {
    const TemporaryFolder folder;
    const auto read = [&](const std::string& frame, const std::string& front_end,
                          const std::vector<std::string>& set = {}) {
        return read_scenario(
            Scope::anything(),
            folder.write("s.toml", "[frame]\n" + frame + "\n[front_end]\n" + front_end + "\n" + kBurst), set);
    };
    const std::string list = "fragments = [\"1400 B\", \"300 B\"]\ngap = \"10 us\"";
    const Scenario s = read("", list);
    CHECK(s.frame.fragments == FragmentList({Bytes{1400}, Bytes{300}}));
    CHECK(s.front_end.gap == Time{10'000'000});
    for (const char* useless : {"front_end.fragments=1", "front_end.fragments=[\"7 B\"]"})
        CHECK_THROWS_WITH(read("", "gap = \"10 us\"", {useless}), Contains("s.toml:4: front_end.gap: has no use here"));
    CHECK(read("", "gap = \"0 us\"").front_end.gap == Time{0});
    CHECK(read("payload = \"3000 B\"\nsplit = true", "gap = \"1 us\"").front_end.gap == Time{1'000'000});
    CHECK(read("", "fragments = 3").frame.fragments == FragmentList(3));
    const std::string set = "front_end.fragments=[\"7 B\"]";
    CHECK(read("payload = \"9 B\"", "", {set}).frame.fragments == FragmentList({Bytes{7}}));
    CHECK_THROWS_WITH(read("payload = \"9 B\"", list), Contains("s.toml:2: frame.payload: conflicts with the list"));
    CHECK_THROWS_WITH(read("", list, {"frame.payload=9 B"}), Contains("--set: frame.payload: conflicts"));
    CHECK_THROWS_WITH(read("payloads = [\"9 B\"]", "", {set}), Contains("frame.payloads: conflicts with the list"));
    CHECK_THROWS_WITH(read("", "fragments = [\"1473 B\"]"), Contains("front_end.fragments: payload 1473 B"));
    CHECK_THROWS_WITH(read("", "fragments = \"3\""), Contains("front_end.fragments: found \"3\", expected an integer"));
    const std::string file = folder / "s.toml";
    CHECK(read("", list).frame.fragments.number == 2);
    CHECK_THROWS_WITH(read_scenario(file), Contains("front_end.fragments: found a list of payloads"));
    CHECK_THROWS_WITH(read_scenario(Scope::own_bursts(), file, {"front_end.fragments=2"}),
                      Contains("front_end.gap: found a pause"));
}
