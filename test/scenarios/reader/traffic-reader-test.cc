// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/network-reader.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

namespace watershed {
namespace {

const std::string kCamera =
    "[front_end]\nmodules = 4\n[trigger]\nseparation = \"20 us\"\nevents = 10\n[switch.buffer]\nsize = \"100 "
    "frames\"\n";

class TrafficFile {
  public:
    explicit TrafficFile(const std::string& more) : name_(folder_.write("traffic.toml", kCamera + more)) {}
    const std::string& name() const { return name_; }

  private:
    TemporaryFolder folder_;
    std::string name_;
};

Scenario read_traffic(const std::string& more, const std::vector<std::string>& overrides = {}) {
    return read_scenario(Scope::anything(), TrafficFile(more).name(), overrides);
}

std::string refusal(const std::string& more, const std::vector<std::string>& overrides = {}) {
    try {
        read_traffic(more, overrides);
    } catch (const InputError& error) {
        const std::string text = error.what();
        return begins_with(text, "--set") ? text : text.substr(text.find("toml") + 4);
    }
    return "none";
}

}  // namespace

TEST_CASE("Streams are read in the order of the file, those of --set behind, and a stream of pattern none is none") {
    const std::string two =
        "[traffic.slow]\nrate = \"10 kHz\"\nclass = 3\nmodule = 2\n[traffic.b]\npattern = \"bursts\"\nburst = "
        "8\nperiod = "
        "\"1 ms\"\nlink_rate = \"10 Gb/s\"\n";
    const Scenario s = read_traffic(two, {"traffic.a.rate=2 Mb/s", "front_end.class=6"});
    REQUIRE(s.traffic.size() == 3);
    CHECK(s.traffic[0].name == "slow");
    CHECK(s.traffic[0].rate.frames.count == 10'000'000'000);
    CHECK(s.traffic[0].traffic_class == 3);
    CHECK(s.traffic[0].module == 2);
    CHECK(s.traffic[1].name == "b");
    CHECK(s.traffic[1].burst == 8);
    CHECK(s.traffic[1].link_rate->count == 10'000'000'000);
    CHECK(s.traffic[2].name == "a");
    CHECK(s.traffic[2].rate.bits.count == 2'000'000);
    CHECK(s.front_end.traffic_class == 6);
    CHECK(read_traffic(two, {"traffic.slow.pattern=none", "traffic.b.pattern=none"}).traffic.empty());
}

TEST_CASE("A stream that says too little, too much or what cannot be is refused with its line and key") {
    const auto refused = [](const std::string& more, const std::string& message) { CHECK(refusal(more) == message); };
    refused("[traffic.x]\nclass = 1\n", ":9: traffic.x.rate: missing, expected with pattern \"constant\"");
    refused("[traffic.x]\nrate = \"1 kHz\"\nperiod = \"1 ms\"\n",
            ":10: traffic.x.period: conflicts with pattern \"constant\", which does not use it");
    refused("[traffic.x]\nrate = \"1 kHz\"\nclass = 8\n",
            ":10: traffic.x.class: found 8, expected an integer from 0 to 7");
    refused(
        "[traffic.x]\nrate = \"fast\"\n",
        ":9: traffic.x.rate: found \"fast\", expected frames a second such as \"10 kHz\" or bits of the link such as "
        "\"2 "
        "Gb/s\", more than 0");
    refused("[traffic.x]\nrate = \"2 Gb/s\"\n",
            ":9: traffic.x.rate: found 2 Gb/s with preambles and gaps, expected no more than its link carries, 1 Gb/s");
    refused("[traffic.x]\nrate = \"1 kHz\"\nmodule = 5\n",
            ":10: traffic.x.module: found 5, expected 1 to 4, the modules there are");
    refused("[traffic.x]\nrate = \"1 kHz\"\nmodule = 1\nlink_rate = \"1 Gb/s\"\n",
            ":11: traffic.x.link_rate: conflicts with traffic.x.module, whose link it is");
    refused(
        "[traffic.x]\nrate = \"1 kHz\"\npayload = \"1473 B\"\n",
        ":10: traffic.x.payload: found \"1.473 kB\", expected at most 1.472 kB, what frame.mtu leaves to a datagram");
    refused("[traffic.x]\nrate = \"1 kHz\"\nstart = \"1 ms\"\nstop = \"1 ms\"\n",
            ":11: traffic.x.stop: found \"1 ms\", expected more than traffic.x.start");
    refused("[traffic.camera]\nrate = \"1 kHz\"\n",
            ":9: traffic.camera: expected a name of letters, digits, - and _, other than \"camera\"");
    refused("[traffic.x]\nrate = \"1 kHz\"\nswitch = \"switch 2\"\n",
            ":10: traffic.x.switch: found \"switch 2\", expected \"switch\", the only switch");
    refused("[traffic.x]\nrate = \"1 kHz\"\nswitch = \"switch\"\nmodule = 1\n",
            ":10: traffic.x.switch: conflicts with traffic.x.module, whose link it is");
    refused("[traffic.x]\nrate = \"1 kHz\"\nswitch = \"switch 3\"\n[switch]\ncount = 2\n",
            ":10: traffic.x.switch: found \"switch 3\", expected the name of a switch, such as \"switch 1\"");
    CHECK(refusal("[traffic.x]\nspeed = 1\n").find("unknown key, expected in [traffic.NAME] one of pattern, payload") !=
          std::string::npos);
}

TEST_CASE("Keys of classes have a use only where a scheduler gives each class a queue") {
    const auto refused = [](const std::vector<std::string>& overrides, const std::string& message) {
        CHECK(refusal("", overrides) == message);
    };
    refused({"switch.weights=[1,2]"},
            "--set: switch.weights: has no use here, expected only with scheduler = \"wrr\" or \"drr\"");
    refused({"switch.buffer.class_limits=[\"5 frames\"]"},
            "--set: switch.buffer.class_limits: has no use here, expected only with a scheduler other than \"fifo\"");
    refused({"switch.scheduler=wrr", "switch.queueing=virtual-output"},
            "--set: switch.queueing: conflicts with switch.scheduler, which gives each class a queue");
    refused({"switch.scheduler=wrr", "switch.weights=[1,2,3,4,5,6,7,8,9]"},
            "--set: switch.weights: found 9 values, expected at most 8, one for each class");
    refused({"switch.scheduler=wrr", "switch.weights=[2,0]"},
            "--set: switch.weights: found 0 in a list of 2 integers, expected integers from 1 to 10000");
    refused({"switch.scheduler=drr", "switch.weights=[1,2]", "switch.buffer.class_limits=[\"5 frames\"]"}, "none");
}

TEST_CASE("Commands that calculate with a camera alone refuse streams, and those that simulate take them") {
    const TrafficFile file("[traffic.x]\nrate = \"1 kHz\"\n");
    CHECK_THROWS_AS(read_scenario(file.name()), InputError);
    CHECK_THROWS_AS(read_scenario(Scope::own_bursts(), file.name()), InputError);
    CHECK(read_scenario(Scope::own_bursts().with_streams().with_sequences(), file.name()).traffic.size() == 1);
    CHECK(read_scenario(Scope::anything(), file.name()).traffic.size() == 1);
}

}  // namespace watershed
