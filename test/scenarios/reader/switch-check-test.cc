// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/switch-check.h"

#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

Scenario read(const std::string& keys) {
    return read_scenario(Scope::camera().with_streams(),
                         TemporaryFolder().write("s.toml", "[trigger]\nevents = 1\nseparation = \"0 us\"\n" + keys));
}

void refused(const std::string& keys, const std::string& message) {
    INFO(keys);
    CHECK_THROWS_WITH(read(keys), Contains(message));
}

}  // namespace

TEST_CASE("Keys that need each other are asked for, keys without a use are refused") {
    const std::string size = "[switch.buffer]\nsize = \"100 frames\"\n";
    refused(size + "sharing = \"dynamic-threshold\"\n",
            "switch.buffer.alpha: missing, expected with a sharing with dynamic thresholds");
    refused(size + "alpha = 2\n", ":6: switch.buffer.alpha: has no use here");
    refused(size + "cell = \"208 B\"\n",
            "switch.buffer.cell: has no use here, expected only with a size in bytes or cells");
    refused(size + "sharing = \"per-input\"\nslices = 2\n", "switch.buffer.slices: has no use here");
    refused(size + "queue_split = true\n", "switch.buffer.queues: missing");
    refused("[switch]\nuplink_selection = \"static\"\n" + size, "switch.uplink_list: missing");
    refused("[switch]\nuplink_selection = \"static\"\nuplink_list = [1, 2]\n" + size,
            "switch.uplink_list: found uplink 2, expected 1 to 1");
    refused("[switch]\nfabric_rate = \"1 Gb/s\"\n" + size,
            "switch.input_fifo: missing, expected with switch.fabric_rate");
    refused("[switch]\ncut_through = true\ninput_fifo = \"2 frames\"\n" + size,
            "switch.input_fifo: conflicts with cut_through");
    refused("[switch.flow_control]\nkind = \"pause\"\nxoff = \"2 frames\"\nxon = \"3 frames\"\n" + size,
            "switch.flow_control.xon: expected at most switch.flow_control.xoff");
    refused("[switch.buffer]\nsize = \"100 cells\"\n", "switch.buffer.cell: missing");
}

TEST_CASE("Thresholds of single chips need their keys, which have no use elsewhere") {
    const std::string size = "[switch.buffer]\nsize = \"100 frames\"\n";
    const std::string stepped = size + "sharing = \"stepped-threshold\"\nstep_free = [\"1 frames\", \"50 frames\"]\n";
    const Buffer buffer = read(stepped + "step_limits = [\"3 frames\", \"20 frames\"]\n").network_switch.buffer;
    CHECK(buffer.step_free[1].amount == 50);
    CHECK(buffer.step_limits[1].amount == 20);
    refused(stepped + "step_limits = [\"3 frames\"]\n",
            ":8: switch.buffer.step_limits: found 1 amounts, expected 2, one for each of switch.buffer.step_free");
    refused(stepped, "switch.buffer.step_limits: missing");
    refused(size + "step_free = [\"1 frames\"]\n",
            "switch.buffer.step_free: has no use here, expected only with sharing = ");
    refused(size + "sharing = \"nested-threshold\"\nalpha = 1\n", "switch.buffer.port_alpha: missing");
    const std::string dynamic = size + "sharing = \"dynamic-threshold\"\nalpha = 2\n";
    refused(dynamic + "port_alpha = 64\n", "switch.buffer.port_alpha: has no use here");
    CHECK(read(dynamic + "threshold_mantissa = 5\nthreshold_extra_step = true\n")
              .network_switch.buffer.threshold_extra_step);
    refused(dynamic + "threshold_mantissa = 63\n", "switch.buffer.threshold_mantissa: ");
    refused(dynamic + "threshold_extra_step = true\n", "switch.buffer.threshold_extra_step: has no use here");
    CHECK(read(dynamic + "threshold_whole = true\n").network_switch.buffer.threshold_whole);
    CHECK(read(size + "sharing = \"abm\"\nalpha = 2\nthreshold_whole = true\n").network_switch.buffer.threshold_whole);
    refused(size + "threshold_whole = true\n", "switch.buffer.threshold_whole: has no use here");
    refused(size + "threshold_mantissa = 5\n", "switch.buffer.threshold_mantissa: has no use here");
}

TEST_CASE("A port's limit may be in frames or in bytes, unless a rule fills headroom by parts of frames") {
    const std::string cells = "[switch.buffer]\nsize = \"1 MB\"\ncell = \"256 B\"\nport_limit = ";
    CHECK(read(cells + "\"64 frames\"\n").network_switch.buffer.port_limit == MemorySize{64});
    CHECK(read("[switch.buffer]\nsize = \"9 frames\"\nport_limit = \"64 kB\"\n").network_switch.buffer.port_limit ==
          MemorySize{64'000, MemorySize::Unit::Byte});
    refused("[switch.buffer]\nsize = \"9 frames\"\nport_limit = \"4 cells\"\n",
            "switch.buffer.port_limit: found an amount of cells, expected one of frames");
    const std::string rule = "[switch.flow_control]\nkind = \"pfc\"\nrule = \"hpcc\"\nalpha = 1\n" + cells;
    read(rule + "\"64 kB\"\naccounting = \"ingress\"\n");
    refused(rule + "\"64 frames\"\naccounting = \"ingress\"\n",
            "switch.buffer.port_limit: conflicts with flow_control.rule");
}

TEST_CASE("A second tier of the memory has a limit and a rate, and queues of the uplinks") {
    const std::string size = "[switch.buffer]\nsize = \"16 MB\"\n",
                      dram = size + "dram = \"8 GB\"\ndram_from = \"1 MB\"\ndram_rate = \"900 Gb/s\"\n";
    CHECK(read(dram).network_switch.buffer.dram->amount == 8'000'000'000);
    refused(size + "dram = \"8 GB\"\ndram_from = \"1 MB\"\n",
            "switch.buffer.dram_rate: missing, expected with switch.buffer.dram");
    refused(size + "dram_from = \"1 MB\"\n", "switch.buffer.dram_from: has no use here");
    refused(dram + "accounting = \"ingress\"\n", "switch.buffer.dram: has no use here");
    refused("[switch]\nqueueing = \"virtual-output\"\n" + dram, "switch.queueing: conflicts with switch.buffer.dram");
    refused("[switch]\ncut_through = true\n" + dram, "switch.cut_through: conflicts with");
    refused(size + "dram = \"8 frames\"\ndram_from = \"1 MB\"\ndram_rate = \"900 Gb/s\"\n",
            "switch.buffer.dram: found an amount of frames");
}

TEST_CASE("Shapers are of classes that have queues, with at most one value for each") {
    const std::string size = "[switch.buffer]\nsize = \"100 frames\"\n";
    const auto shaped = [&](const std::string& keys) {
        return read("[switch]\nscheduler = \"strict-priority\"\n" + keys + size).network_switch.scheduling;
    };
    const Scheduling both = shaped("class_rates = [\"1 Gb/s\", \"10 Mb/s\"]\nclass_bursts = [\"0 B\", \"3 kB\"]\n");
    CHECK(both.rates == std::vector<BitRate>{{1'000'000'000}, {10'000'000}});
    CHECK(both.bursts == std::vector<Bytes>{{0}, {3000}});
    CHECK(both.counts == Scheduling::Counts::Link);
    CHECK(shaped("class_rates = [\"1 Gb/s\"]\nclass_rate_counts = \"frame\"\n").counts == Scheduling::Counts::Frame);
    CHECK_THROWS_WITH(shaped("class_bursts = [\"3 kB\"]\n"), Contains("switch.class_bursts: has no use here"));
    CHECK_THROWS_WITH(shaped("class_rates = [\"0 b/s\"]\n"), Contains("switch.class_rates: "));
    CHECK_THROWS_WITH(shaped("class_rates = [\"1 b/s\"]\nclass_bursts = [\"2 GB\"]\n"), Contains("at most 1 GB"));
    CHECK_THROWS_WITH(
        shaped("class_rates = " + std::string("[\"1 b/s\", \"1 b/s\", \"1 b/s\", \"1 b/s\", \"1 b/s\", ") +
               "\"1 b/s\", \"1 b/s\", \"1 b/s\", \"1 b/s\"]\n"),
        Contains("switch.class_rates: found 9 values, expected at most 8"));
    refused("[switch]\nclass_rates = [\"1 Gb/s\"]\n" + size, "switch.class_rates: has no use here");
}

TEST_CASE("Gates are of classes that have queues: a time and classes for each entry") {
    const std::string size = "[switch.buffer]\nsize = \"100 frames\"\n", scheduler = "scheduler = \"wrr\"\n";
    const auto gates = [&](const std::string& list) {
        return read("[switch]\n" + scheduler + "gates = [" + list + "]\n" + size).network_switch.scheduling.gates;
    };
    CHECK(gates("\"300 us: 7\", \"650 us: 0-3, 6\", \"50 us:\"") ==
          std::vector<GateEntry>{{Time{300'000'000}, 0x80}, {Time{650'000'000}, 0x4f}, {Time{50'000'000}, 0}});
    CHECK_THROWS_WITH(gates("\"300 us: 8\""),
                      Contains("switch.gates: found \"300 us: 8\", expected a time and classes"));
    CHECK_THROWS_WITH(gates("\"300 us\""), Contains("switch.gates: found \"300 us\""));
    CHECK_THROWS_WITH(gates("\"0 us: 7\""), Contains("switch.gates: "));
    CHECK_THROWS_WITH(gates(""), Contains("switch.gates: "));
    // A frame of 1024 B takes 1090 B on the link: 872 ns at 10 Gb/s.
    const auto two = [&](const std::string& camera, const std::string& stream) {
        return "[switch]\n" + scheduler + "gates = [\"" + camera + ": 0\", \"" + stream + ": 1\"]\n" + size +
               "[traffic.s]\npattern = \"constant\"\nrate = \"1 Mb/s\"\npayload = \"1024 B\"\nclass = 1\n";
    };
    CHECK_NOTHROW(read(two("872 ns", "872 ns")));
    refused(two("871999 ps", "872 ns"), "switch.gates: class 0 is open for 871999 ps at most, expected 872000 ps");
    refused(two("872 ns", "871999 ps"), "switch.gates: class 1 is open for 871999 ps at most, expected 872000 ps");
    refused("[switch]\ngates = [\"1 us: 7\"]\n" + size, "switch.gates: has no use here");
    refused("[switch]\ncut_through = true\n" + scheduler + "gates = [\"1 us: 7\"]\n" + size,
            "switch.gates: conflicts with cut_through");
}

TEST_CASE("Where frames are pushed out, queues are those of the uplinks and no frame waits for memory") {
    const std::string policy = "[switch.buffer]\nsize = \"100 frames\"\nsharing = \"longest-queue-drop\"\n";
    CHECK(read(policy).network_switch.buffer.sharing->evicts);
    const std::string with = "conflicts with sharing = \"longest-queue-drop\"";
    refused(policy + "accounting = \"ingress\"\n",
            ":7: switch.buffer.accounting: " + with + ", which needs \"egress\"");
    refused("[switch]\nqueueing = \"virtual-output\"\n" + policy,
            "switch.queueing: " + with + ", which needs \"output\"");
    refused("[switch]\ninput_fifo = \"2 frames\"\n" + policy, "switch.input_fifo: " + with);
    refused(policy +
                "headroom = \"2 frames\"\n[switch.flow_control]\nkind = \"pause\"\nxon = \"1 "
                "frames\"\nxoff = \"2 frames\"\n",
            "switch.buffer.headroom: " + with);
    CHECK(read("[switch]\ncount = 2\n" + policy).network_switch.buffer.sharing->evicts);
}

TEST_CASE("An alpha is what is written, as a whole number, a decimal fraction or a ratio") {
    const auto alpha = [](const std::string& text) {
        return read("[switch.buffer]\nsize = \"9 MB\"\nsharing = \"abm\"\nalpha = " + text + "\n")
            .network_switch.buffer.alpha;
    };
    CHECK(alpha("8") == Ratio{8, 1});
    CHECK(alpha("0.1") == Ratio{1, 10});
    CHECK(alpha("\"1/2\"") == Ratio{1, 2});
    CHECK_THROWS_WITH(alpha("\"a lot\""), Contains("switch.buffer.alpha: found \"a lot\""));
}

TEST_CASE("A burst beside a stream has two ports and one output of their speed") {
    const auto read_burst = [](const std::string& keys) {
        return read_scenario(TemporaryFolder().write(
            "s.toml",
            "[trigger]\npattern = \"line-rate-plus-burst\"\nevents = 3\n[switch.buffer]\nsize = \"10 frames\"\n" +
                keys));
    };
    const Scenario scenario = read_burst("[front_end]\nlink_rate = \"25 Gb/s\"\n");
    CHECK(scenario.front_end.modules == 2);
    CHECK(scenario.network_switch.uplink_rate == BitRate{25'000'000'000});
    CHECK_THROWS_WITH(read_burst("[front_end]\nmodules = 3\n"),
                      Contains("front_end.modules: conflicts with pattern \"line-rate-plus-burst\", expected 2"));
}
