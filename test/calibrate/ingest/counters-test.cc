// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "calibrate/ingest/blame.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

using What = Counter::What;

std::vector<Counter> read(const std::string& text) { return counters_from(text, "counters"); }

std::int64_t value_of(const std::vector<Counter>& counters, const std::string& name, What what, Place place) {
    for (const Counter& one : counters)
        if (one.name == name && one.what == what && one.place == place) return one.value;
    return -1;
}

}  // namespace

TEST_CASE("A counter of more than its port carries cannot be right") {
    // 125 B in 10 ns are 100 Gb/s. Of frames only the smallest, 84 B on the link, are certain.
    const CounterLimits limits{Time{10'000}, BitRate{100'000'000'000}, BitRate{200'000'000'000}};
    const auto found = [&](Counter::What what, const std::string& device, std::int64_t value) {
        return impossible_counter({{"rx", device, what, Place::Card, value}}, limits);
    };
    CHECK(found(Counter::What::Octets, "eth0", 125).empty());
    CHECK(found(Counter::What::Octets, "eth0", 626) ==
          "rx of eth0 counts 626 bytes in 10 ns, 500.8 Gb/s on a port of 100 Gb/s: it cannot be right");
    CHECK(found(Counter::What::Arrived, "eth0", 1).empty());
    CHECK_FALSE(found(Counter::What::Arrived, "eth0", 2).empty());
    CHECK(found(Counter::What::Arrived, "", 2).empty());  // of all devices
    CHECK(found(Counter::What::Lost, "eth0", 1000).empty());
}

TEST_CASE("The counters of a network card are read as ethtool -S shows them") {
    // As igb has them. A frame without a buffer waits in the card: it is not lost (Intel: RNBC beside MPC).
    const auto counters = read(
        "NIC statistics:\n"
        "     rx_packets: 4391\n"
        "     tx_packets: 12\n"
        "     rx_crc_errors: 1\n"
        "     rx_no_buffer_count: 7\n"
        "     rx_missed_errors: 3\n"
        "     tx_dropped: 0\n"
        "     rx_queue_0_packets: 4391\n"
        "     rx_queue_0_drops: 7\n"
        "     rx_queue_1_drops: 2\n"
        "     rx_fifo_errors: 9\n");
    CHECK(std::count_if(counters.begin(), counters.end(),
                        [](const Counter& one) { return one.what != What::Harmless; }) == 7);
    CHECK(value_of(counters, "rx_packets", What::Arrived, Place::Card) == 4391);
    CHECK(value_of(counters, "rx_crc_errors", What::Lost, Place::Cable) == 1);
    CHECK(value_of(counters, "rx_queue_#_drops", What::Lost, Place::Ring) == 9);
    CHECK(value_of(counters, "rx_fifo_errors", What::Lost, Place::Ring) == 9);
    CHECK(value_of(counters, "rx_missed_errors", What::Lost, Place::Card) == 3);
    CHECK_THROWS_WITH(read("NIC statistics:\n     rx_packets: many\n"), Contains("counters:2") && Contains("many"));
}

TEST_CASE("Counters of queues that no total repeats are added up, as virtio has them before and after Linux 6.9") {
    for (const char* name : {"rx_queue_%_drops", "rx%_drops"}) {
        std::string text = "NIC statistics:\n";
        for (const char queue : {'0', '1'}) {
            std::string counter = name;
            text += "     " + counter.replace(counter.find('%'), 1, 1, queue) + ": 4\n";
        }
        const auto counters = read(text);
        REQUIRE(counters.size() == 1);
        CHECK(counters[0].value == 8);
        CHECK(counters[0].place == Place::Ring);
    }
}

TEST_CASE("The kernel's counters of protocols are read as nstat shows them, as text and as JSON") {
    const auto text = read(
        "#kernel\n"
        "IpInReceives                    4391               0.0\n"
        "UdpInDatagrams                  4380               0.0\n"
        "UdpInErrors                     11                 0.0\n"
        "UdpRcvbufErrors                 11                 0.0\n");
    const auto json =
        read(R"({"kernel":{"IpInReceives":4391,"UdpInDatagrams":4380,"UdpInErrors":11,"UdpRcvbufErrors":11}})");
    for (const auto& counters : {text, json}) {
        CHECK(value_of(counters, "IpInReceives", What::Harmless, Place::Socket) == 4391);
        CHECK(value_of(counters, "UdpInDatagrams", What::Arrived, Place::Socket) == 4380);
        CHECK(value_of(counters, "UdpRcvbufErrors", What::Lost, Place::Socket) == 11);
    }
}

TEST_CASE("A queue of the kernel is read as tc -j -s qdisc shows it, and its largest backlog is the peak") {
    const std::string first =
        R"([{"kind":"noqueue","handle":"0:","dev":"vb","root":true,"refcnt":2,"options":{},"bytes":0,"packets":0,"drops":0,"overlimits":0,"requeues":0,"backlog":0,"qlen":0},)"
        R"({"kind":"tbf","handle":"1:","dev":"va","root":true,"refcnt":3,"options":{"rate":6250000,"burst":10000,"lat":158400},"bytes":90,"packets":1,"drops":0,"overlimits":0,"requeues":0,"backlog":210002,"qlen":197},)"
        R"({"kind":"pfifo","handle":"2:","dev":"va","parent":"1:1","options":{"limit":500},"bytes":90,"packets":1,"drops":0,"overlimits":0,"requeues":0,"backlog":210002,"qlen":197}])";
    std::string later = first;
    later.replace(later.find("\"drops\":0,\"overlimits\":0,\"requeues\":0,\"backlog\":210002"), 9, "\"drops\":5");
    const auto counters = read(first + "\n" + later + "\n");
    CHECK(std::count_if(counters.begin(), counters.end(), [](const Counter& one) {
              return one.name == "backlog of tbf" && one.device == "va" && one.value == 210002 &&
                     one.what == What::PeakBytes;
          }) == 2);
    // The queue inside the other one is not counted again.
    CHECK(value_of(counters, "drops of pfifo", What::Lost, Place::Sender) == -1);
    const auto measured = counters_from(later, "counters", Place::Switch);
    CHECK(value_of(measured, "drops of tbf", What::Lost, Place::Switch) == 5);
    const auto drops = between(counters_from(first, "a", Place::Switch), measured, "b");
    CHECK(value_of(drops, "drops of tbf", What::Lost, Place::Switch) == 5);
    CHECK_THROWS_WITH(between(measured, counters_from(first, "a", Place::Switch), "b"),
                      Contains("drops of tbf 0") && Contains("set back"));
}

TEST_CASE("An interface is read as ip -j -s link shows it") {
    const auto counters = read(
        R"([{"ifindex":3,"link":"vb","ifname":"va","flags":["BROADCAST"],"mtu":1500,"stats64":{"rx":{"bytes":90,"packets":17,"errors":0,"dropped":4,"over_errors":0,"multicast":0,"crc_errors":0,"fifo_errors":0,"missed_errors":2},"tx":{"bytes":90,"packets":1,"errors":0,"dropped":3,"carrier_errors":0}}}])");
    CHECK(value_of(counters, "rx.packets", What::Arrived, Place::Card) == 17);
    CHECK(value_of(counters, "rx.dropped", What::Lost, Place::Kernel) == 4);
    CHECK(value_of(counters, "rx.missed_errors", What::Lost, Place::Card) == 2);
    CHECK(value_of(counters, "tx.dropped", What::Lost, Place::Sender) == 3);
}

TEST_CASE("The occupancy of a shared buffer is read as devlink -j shows it") {
    const auto counters = read(
        R"({"occupancy":{"pci/0000:03:00.0/1":{"pool":{"0":{"current":0,"max":0},"4":{"current":0,"max":1064448}},)"
        R"("itc":{"0":{"bound_pool":0,"current":96,"max":96}},"etc":{"0":{"bound_pool":4,"current":0,"max":1064352}}}}})");
    CHECK(value_of(counters, "pci/0000:03:00.0/1 pool 4", What::PeakBytes, Place::Switch) == 1064448);
    CHECK(value_of(counters, "pci/0000:03:00.0/1 etc 0", What::PeakBytes, Place::Switch) == 1064352);
}

TEST_CASE("Watermarks are read as SONiC shows them") {
    const auto pools = read(
        "Shared pool maximum occupancy:\n"
        "                 Pool    Bytes\n"
        "---------------------  -------\n"
        " egress_lossless_pool     1000\n"
        "    egress_lossy_pool      N/A\n"
        "ingress_lossless_pool  2556672\n");
    CHECK(pools.size() == 2);
    CHECK(value_of(pools, "ingress_lossless_pool", What::PeakBytes, Place::Switch) == 2556672);
    const auto queues = read(
        "Egress shared pool occupancy per unicast queue:\n"
        "       Port    UC0      UC1    UC2\n"
        "-----------  -----  -------  -----\n"
        "  Ethernet0      0        0      0\n"
        "  Ethernet4      0  2554880      0\n");
    CHECK(value_of(queues, "Ethernet4:UC1", What::PeakBytes, Place::Switch) == 2554880);
    const auto groups = read(
        "Ingress shared pool occupancy per PG:\n"
        "Interface                   PG0   PG1   PG2   PG3\n"
        "Ethernet0                     0  1092     0   380\n");
    CHECK(value_of(groups, "Ethernet0:PG1", What::PeakBytes, Place::Switch) == 1092);
    const auto json = read(R"([{"Port": "Ethernet0", "UC0": "208", "UC1": "N/A"}, {"Port": "Ethernet4", "UC0": "0"}])");
    CHECK(json.size() == 2);
    CHECK(value_of(json, "Ethernet0:UC0", What::PeakBytes, Place::Switch) == 208);
    CHECK(value_of(read(R"([{"ingress_lossless_pool": "44000"}])"), "ingress_lossless_pool", What::PeakBytes,
                   Place::Switch) == 44000);
    // Headroom is no part of what is shared.
    CHECK_THROWS_AS(read("Headroom pool maximum occupancy:\n                 Pool    Bytes\n---------------------  "
                         "-------\ningress_lossless_pool     2080\n"),
                    InputError);
    CHECK_THROWS_AS(read("Ingress headroom per PG:\n     Port    PG0\n---------  -----\nEthernet0    200\n"),
                    InputError);
}

TEST_CASE("Counters of anything else are read from a table") {
    const auto counters = read("counter,value,what,place\ndiscards,120,lost,switch\nfull,5000,peak_cells,switch\n");
    CHECK(value_of(counters, "discards", What::Lost, Place::Switch) == 120);
    CHECK(value_of(counters, "full", What::PeakCells, Place::Switch) == 5000);
    CHECK_THROWS_WITH(read("counter,value,what,place\na,1,lost,moon\n"),
                      Contains("counters:2: place") && Contains("moon"));
    CHECK_THROWS_WITH(read("counter,value,what,place\na,-1,lost,switch\n"), Contains("counters:2: value"));
}

TEST_CASE("Names tell totals and sizes, which are harmless, from what is not known") {
    const auto what = [](const std::string& name) {
        return counters_from("NIC statistics:\n     " + name + ": 5\n", "counters", Place::Switch).at(0).what;
    };
    // As ocelot, mv88e6xxx, ksz, b53, qca8k, mlxsw, ixgbe and e1000e have them.
    for (const char* name :
         {"rx_octets", "tx_unicast", "rx_green_prio_0", "rx_frames_over_1526_octets", "in_good_octets", "in_broadcasts",
          "hist_65_127bytes", "rx_64_or_less", "tx_1523_2000", "RxPkts64Octets", "TxUnicastPkts", "Rx1024Byte",
          "a_frames_received_ok", "ether_pkts64octets", "rx_csum_offload_good", "rx_long_byte_count", "tx_total"})
        CHECK((std::string(name) + (what(name) == What::Harmless ? "" : " is not")) == name);
    for (const char* name :
         {"drop_tail", "drop_green_prio_0", "tx_aged", "rx_red_prio_0", "sw_in_discards", "in_filtered", "RxDropPkts",
          "EtherStatsUndersizePkts", "RxOverFlow", "Filtered", "if_out_discards", "rx_csum_offload_errors", "weird",
          "rx_crc_err_frames", "rx_length_errors"})
        CHECK((std::string(name) + (what(name) == What::NotKnown ? "" : " is not")) == name);
}

TEST_CASE("Of counters that are not known those that rose are named, and somebody may say what they count") {
    const auto port = [](int tail, int green, int local, int errors) {
        return counters_from("NIC statistics:\n     rx_unicast: 1000\n     drop_local: " + std::to_string(local) +
                                 "\n     drop_tail: " + std::to_string(tail) + "\n     drop_green_prio_0: " +
                                 std::to_string(green) + "\n     rx_crc_errors: " + std::to_string(errors) +
                                 "\n     rx_errors: " + std::to_string(errors) + "\n",
                             "port", Place::Switch);
    };
    std::vector<Counter> before = port(7, 0, 0, 0), after = port(22, 85, 0, 3);
    const Blame unknown = blame_for(1000, std::nullopt, between(before, after, "port"));
    // Frames that came into the switch are no arrival at the server; the sum of errors holds the known ones.
    CHECK_FALSE(unknown.arrival_known);
    CHECK(not_known_text(unknown.not_known) ==
          "drop_tail rose by 15, drop_green_prio_0 rose by 85, which are not known: --count NAME=lost, NAME=received "
          "or NAME=ignore says what it counts");
    CHECK(unknown.at(Place::Switch).lost == 3);

    const std::vector<ToldCounter> told{told_counter("drop_tail=lost"), told_counter("drop_green_prio_#=lost")};
    count_as_told(before, told), count_as_told(after, told);
    const Blame known = blame_for(1000, std::nullopt, between(before, after, "port"));
    CHECK(known.not_known.empty());
    CHECK(known.at(Place::Switch).lost == 100);  // 15 + 85
    CHECK(known.at(Place::Switch).by == "drop_tail + drop_green_prio_0");

    before = port(7, 0, 0, 0);
    // A loss by its name that did not rise stays, and says that nothing was lost.
    const Blame none = blame_for(1000, std::nullopt, between(before, before, "port"));
    CHECK(none.not_known.empty());
    CHECK(value_of(between(before, before, "port"), "drop_tail", What::NotKnown, Place::Switch) == 0);
    const std::vector<ToldCounter> way{told_counter("rx_unicast=received"), told_counter("drop_tail=ignore")};
    after = port(22, 0, 0, 0);
    count_as_told(before, way), count_as_told(after, way);
    for (Counter& one : after)
        if (one.name == "rx_unicast") one.value += 985;
    const Blame arrived = blame_for(1000, std::nullopt, between(before, after, "port"));
    CHECK((arrived.arrival_known && arrived.arrived == 985 && arrived.not_known.empty()));
    CHECK_THROWS_WITH(told_counter("drop_tail=gone"), Contains("drop_tail=gone") && Contains("NAME=ignore"));
    CHECK_THROWS_WITH(told_counter("lost"), Contains("NAME=lost"));
}

TEST_CASE("The name of a device cannot end a line") {
    CHECK(read("[{\"ifname\":\"eth0\\n1,2\",\"stats64\":{\"rx\":{\"packets\":1}}}]").at(0).device == "eth0 1,2");
}

TEST_CASE("Text that holds no counters is refused with what is expected") {
    for (const char* text : {"", "Hello\n", "{}", "[1]", R"({"a": 1})", "a,b\n1,2\n"})
        CHECK_THROWS_AS(read(text), InputError);
    CHECK_THROWS_WITH(place_named("moon"), Contains("moon") && Contains("socket"));
}
