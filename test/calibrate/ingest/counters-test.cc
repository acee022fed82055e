// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "calibrate/ingest/blame.h"
#include "calibrate/ingest/counter-names.h"
#include "scenarios/text/csv.h"
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
                        [](const Counter& one) { return one.what != What::Harmless; }) == 9);
    CHECK(value_of(counters, "rx_packets", What::Arrived, Place::Card) == 4391);
    CHECK(value_of(counters, "rx_crc_errors", What::Lost, Place::Cable) == 1);
    CHECK(value_of(counters, "rx_queue_1_drops", What::Lost, Place::Ring) == 2);
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
        const PlaceLoss lost = blame_for(100, 92, read(text)).at(Place::Ring);
        CHECK(lost.lost == 8);
        CHECK(lost.by == std::string(name).replace(std::string(name).find('%'), 1, "#"));
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
        CHECK(value_of(counters, "IpInReceives", What::Harmless, Place::Kernel) == 4391);
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
    for (const char* name : {"rx_octets", "rx_frames_over_1526_octets", "in_good_octets", "hist_65_127bytes",
                             "rx_64_or_less", "tx_1523_2000", "RxPkts64Octets", "Rx1024Byte", "ether_pkts64octets",
                             "rx_csum_offload_good", "rx_long_byte_count", "tx_total"})
        CHECK((std::string(name) + (what(name) == What::Harmless ? "" : " is not")) == name);
    for (const char* name : {"tail_drop_count", "dropped_green_0", "tx_was_aged", "rx_red_prio_0", "in_filtered",
                             "RxOverFlow", "Filtered", "weird", "rx_crc_err_frames", "no_buf"})
        CHECK((std::string(name) + (what(name) == What::NotKnown ? "" : " is not")) == name);
}

TEST_CASE("Of counters that are not known those that rose are named, and somebody may say what they count") {
    const auto port = [](int tail, int green, int local, int errors) {
        return counters_from("NIC statistics:\n     rx_unicast: 1000\n     vq_local: " + std::to_string(local) +
                                 "\n     vq_tail_drops: " + std::to_string(tail) + "\n     vq_drop_0: " +
                                 std::to_string(green) + "\n     rx_crc_errors: " + std::to_string(errors) +
                                 "\n     rx_errors: " + std::to_string(errors) + "\n",
                             "port", Place::Switch);
    };
    std::vector<Counter> before = port(7, 0, 0, 0), after = port(22, 85, 0, 3);
    const Blame unknown = blame_for(1000, std::nullopt, between(before, after, "port"));
    // Frames that came into the switch are no arrival at the server; the sum of errors holds the known ones.
    CHECK_FALSE(unknown.arrival_known);
    CHECK(not_known_text(unknown.not_known) ==
          "vq_tail_drops rose by 15, vq_drop_0 rose by 85, which are not known: --count NAME=lost, NAME=received "
          "or NAME=ignore says what it counts");
    CHECK(unknown.at(Place::Cable).lost == 3);

    const std::vector<ToldCounter> told{told_counter("vq_tail_drops=lost"), told_counter("vq_drop_#=lost")};
    count_as_told(before, told), count_as_told(after, told);
    const Blame known = blame_for(1000, std::nullopt, between(before, after, "port"));
    CHECK(known.not_known.empty());
    CHECK(known.at(Place::Switch).lost == 100);  // 15 + 85
    CHECK(known.at(Place::Switch).by == "vq_tail_drops + vq_drop_0");

    before = port(7, 0, 0, 0);
    // A loss by its name that did not rise stays, and says that nothing was lost.
    const Blame none = blame_for(1000, std::nullopt, between(before, before, "port"));
    CHECK(none.not_known.empty());
    CHECK(value_of(between(before, before, "port"), "vq_tail_drops", What::NotKnown, Place::Switch) == 0);
    const std::vector<ToldCounter> way{told_counter("rx_unicast=received"), told_counter("vq_tail_drops=ignore")};
    after = port(22, 0, 0, 0);
    count_as_told(before, way), count_as_told(after, way);
    for (Counter& one : after)
        if (one.name == "rx_unicast") one.value += 985;
    const Blame arrived = blame_for(1000, std::nullopt, between(before, after, "port"));
    CHECK((arrived.arrival_known && arrived.arrived == 985 && arrived.not_known.empty()));
    CHECK_THROWS_WITH(told_counter("vq_tail_drops=gone"), Contains("vq_tail_drops=gone") && Contains("NAME=ignore"));
    CHECK_THROWS_WITH(told_counter("lost"), Contains("NAME=lost"));
}

/// A line of the table of counters, with numbers for its patterns.
struct Named {
    std::string driver, kind, name, direction, meaning, place;
};

std::vector<Named> table() {
    std::istringstream in{std::string(kCounterTable)};
    const CsvTable all = CsvTable::read(in, "counters.csv");
    std::vector<Named> rows;
    for (const CsvTable::Row& row : all.rows()) {
        const auto cell = [&](const char* name) { return row.cells[all.column(name)]; };
        rows.push_back({cell("driver"), cell("kind"), std::regex_replace(cell("name"), std::regex("\\{n\\}"), "3"),
                        cell("direction"), cell("meaning"), cell("place")});
    }
    return rows;
}

TEST_CASE("Each name of the table has its meaning among those of its driver") {
    const std::vector<Named> rows = table();
    CHECK(rows.size() > 2200);
    std::map<std::pair<std::string, bool>, std::set<std::string>> drivers;
    for (const Named& row : rows) drivers[{row.driver, row.kind == "switch" || row.kind == "nos"}].insert(row.name);
    std::string without;
    for (const auto& [driver, names] : drivers) {
        const CounterNames known(names, driver.second ? std::make_optional(Place::Switch) : std::nullopt);
        for (const std::string& name : names)
            if (!known.find(name)) without += driver.first + ": " + name + "\n";
    }
    CHECK(without == "");
}

TEST_CASE("What a driver counts as lost is lost at its place, once") {
    // Ports and cards whose every counter stands in `ethtool -S`, of which one rose by 40.
    std::map<std::string, std::vector<Named>> drivers;
    for (const Named& row : table())
        if ((row.kind == "nic" || row.kind == "switch") && row.driver.find("dpdk") == std::string::npos)
            drivers[row.driver].push_back(row);
    CHECK(drivers.size() > 30);
    for (const auto& [driver, rows] : drivers)
        for (const Named& lost : rows) {
            if (lost.meaning != "lost") continue;
            const bool of_switch = lost.kind == "switch";
            const auto port = [&](int value) {
                std::string text = "NIC statistics:\n";
                std::set<std::string> there;
                for (const Named& row : rows)
                    if (there.insert(row.name).second)
                        text += "     " + row.name + ": " + std::to_string(row.name == lost.name ? value : 0) + "\n";
                return counters_from(text, "port", of_switch ? std::make_optional(Place::Switch) : std::nullopt);
            };
            const Blame blame = blame_for(1000, std::nullopt, between(port(0), port(40), "port"));
            std::string found = driver + " " + lost.name + " " + lost_at_text(blame);
            if (lost.place == "filter") {
                CHECK(found == driver + " " + lost.name + " none");
                CHECK_THAT(driver + " " + not_known_text(blame.not_known),
                           Contains(driver + " " + lost.name + " rose by 40, frames that a rule drops"));
                continue;
            }
            const std::string place = lost.place == "wire" && (of_switch || lost.direction != "tx") ? "cable"
                                      : of_switch                                                   ? "switch"
                                      : lost.direction == "tx"                                      ? "sender"
                                      : lost.place == "ring" || lost.place == "queue"               ? "ring"
                                      : lost.place == "host-memory"                                 ? "kernel"
                                                                                                    : "card";
            CHECK(found == driver + " " + lost.name + " " + place + " 40");
        }
}

TEST_CASE("A total and its parts count once, and the rest of the total at its own place") {
    const auto lost = [](const std::vector<std::pair<std::string, int>>& rose, std::optional<Place> where) {
        std::string before = "NIC statistics:\n", after = before;
        for (const auto& [name, value] : rose)
            before += name + ": 5\n", after += name + ": " + std::to_string(5 + value) + "\n";
        return lost_at_text(blame_for(
            1000, std::nullopt, between(counters_from(before, "b", where), counters_from(after, "a", where), "a")));
    };
    CHECK(lost({{"drop_tail", 15}, {"drop_green_prio_0", 85}, {"drop_local", 0}}, Place::Switch) == "switch 100");
    CHECK(lost({{"in_discards", 40}, {"sw_in_discards", 40}}, Place::Switch) == "switch 40");
    CHECK(lost({{"if_in_discards", 40}, {"discard_ingress_general", 30}}, Place::Switch) == "switch 40");
    CHECK(lost({{"rx_errors", 9}, {"rx_length_errors", 4}, {"rx_long_length_errors", 4}, {"rx_crc_errors", 3}}, {}) ==
          "cable 9");
    CHECK(lost({{"rx_dropped.nic", 12}, {"rx_dropped", 12}, {"rx_unicast.nic", 0}}, {}) == "ring 12");
    CHECK(lost({{"rx_missed_errors", 7}, {"rx_missed_packets", 7}, {"rx_sent_to_host_packets", 1}}, {}) == "card 7");
    CHECK(lost({{"rx_discards_phy", 8}, {"rx_prio0_discards", 5}, {"rx_prio1_discards", 3}}, {}) == "card 8");
    // A rule's drops, though the total counts them too.
    CHECK(lost({{"if_in_discards", 40}, {"discard_ingress_policy_engine", 30}}, Place::Switch) == "switch 10");
}

TEST_CASE("Where names mean different things, the place that the user gives tells, or nothing does") {
    const auto means = [](const std::string& names, const std::string& name, std::optional<Place> where) {
        for (const Counter& one : counters_from("NIC statistics:\n" + names, "port", where))
            if (one.name == name) return std::make_pair(one.what, one.place);
        return std::make_pair(What::Octets, Place::Sender);
    };
    CHECK(means("rx_unicast: 5\n", "rx_unicast", Place::Switch) == std::make_pair(What::Arrived, Place::Switch));
    CHECK(means("rx_unicast: 5\n", "rx_unicast", {}) == std::make_pair(What::Arrived, Place::Card));
    CHECK(means("rx_unicast: 5\ndrop_tail: 3\n", "rx_unicast", {}).second == Place::Switch);
    CHECK(means("tx_drops: 5\n", "tx_drops", {}) == std::make_pair(What::Lost, Place::Sender));
    CHECK(means("tx_drops: 5\n", "tx_drops", Place::Switch) == std::make_pair(What::Lost, Place::Switch));
    CHECK(means("RxOverFlow: 5\n", "RxOverFlow", Place::Switch).first == What::NotKnown);
    CHECK(means("RxOverFlow: 5\nRxFcsErr: 0\n", "RxOverFlow", Place::Switch) ==
          std::make_pair(What::Lost, Place::Switch));  // qca8k
    CHECK(means("RxOverFlow: 5\nRxCrcErr: 0\n", "RxOverFlow", Place::Switch) ==
          std::make_pair(What::Lost, Place::Cable));  // lan9303: a frame that is too long
    CHECK(means("n_rxfrm: 5\nportdrop: 1\n", "portdrop", Place::Switch).first == What::Harmless);  // a flag
}

TEST_CASE("Counters are read as people paste them") {
    // Answer to one counter's text after 0 in all.
    const auto lost = [](const std::string& text, const char* device, std::optional<Place> where = {}) {
        std::vector<Counter> after = counters_from(text, "pasted", where), before = after;
        for (Counter& one : before) one.value = 0;
        const Blame blame = blame_for(1'000'000, std::nullopt, between(before, after, "pasted"));
        std::string found = lost_at_text(blame);
        for (const PlaceLoss& place : blame.places)
            for (const DeviceLoss& one : place.devices)
                if (one.device != device) found += " of " + one.device;
        return found + (blame.not_known.empty() ? "" : "; " + not_known_text(blame.not_known).substr(0, 30));
    };
    const auto at_switch = std::make_optional(Place::Switch);
    CHECK(lost("      IFACE    STATE    RX_OK      RX_BPS    RX_UTIL    RX_ERR    RX_DRP    TX_OK    TX_DRP\n"
               "-----------  -------  -------  ----------  ---------  --------  --------  -------  --------\n"
               "Ethernet112        U   90,750  140.14 B/s      0.00%         0    10,009      353       N/A\n",
               "Ethernet112", at_switch) == "switch 10009");
    CHECK(lost("     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes\n"
               "---------  -----  --------------  ---------------  -----------  ------------\n"
               "Ethernet4    UC0               0                0        10001             0\n"
               "Ethernet4    UC1               0                0            2             0\n",
               "Ethernet4", at_switch) == "switch 10003");
    CHECK(
        lost("Ingress PG dropped packets:\n     Port    PG0    PG1\n---------  -----  -----\nEthernet0      0     17\n",
             "Ethernet0", at_switch) == "switch 17");
    CHECK(lost("{\"Ethernet0\": {\"RX_OK\": \"1,000\", \"RX_DRP\": \"1,010\", \"STATE\": \"U\"}}", "Ethernet0",
               at_switch) == "switch 1010");
    CHECK(lost("qdisc tbf 8001: dev eth0 root refcnt 2 rate 50Mbit burst 10000b lat 100ms\n"
               " Sent 96300 bytes 90 pkt (dropped 10, overlimits 0 requeues 0)\n backlog 0b 0p requeues 0\n"
               "qdisc pfifo 2: dev eth0 parent 1:1 limit 500p\n"
               " Sent 96300 bytes 90 pkt (dropped 10, overlimits 0 requeues 0)\n backlog 0b 0p requeues 0\n",
               "eth0", at_switch) == "switch 10");
    CHECK(value_of(read("qdisc tbf 1: dev va root refcnt 2\n Sent 9 bytes 1 pkt (dropped 0, overlimits 0 requeues 0)\n"
                        " backlog 12Kb 8p requeues 0\n"),
                   "backlog of tbf", What::PeakBytes, Place::Switch) == 12 * 1024);
    const auto uses = read(
        "swp1:\n"
        "  pool: 0:          0/0        1:          0/0\n"
        "        4:          0/1132992  5:          0/0\n"
        "  itc:  0(0):       0/96       1(0):       0/0\n"
        "  etc:  0(4):       0/1132000  1(4):       0/0\n");
    CHECK(value_of(uses, "swp1 pool 4", What::PeakBytes, Place::Switch) == 1132992);
    CHECK(value_of(uses, "swp1 itc 0", What::PeakBytes, Place::Switch) == 96);
    CHECK(value_of(uses, "swp1 etc 0", What::PeakBytes, Place::Switch) == 1132000);
    CHECK(
        lost("Udp:\n    4290 packets received\n    0 packets to unknown port received\n    110 packet receive errors\n"
             "    0 packets sent\n    110 receive buffer errors\nTcp:\n    12 failed connection attempts\n",
             "") == "socket 110");
    CHECK(lost("eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1500\n"
               "        inet 10.0.0.1  netmask 255.255.255.0  broadcast 10.0.0.255\n"
               "        RX packets 1000  bytes 64000 (62.5 KiB)\n        RX errors 0  dropped 7  overruns 0  frame 0\n"
               "        TX packets 9  bytes 640 (640.0 B)\n"
               "        TX errors 0  dropped 0 overruns 0  carrier 0  collisions 0\n",
               "eth0") == "kernel 7");
    CHECK(lost("eth0      Link encap:Ethernet  HWaddr 00:11:22:33:44:55\n"
               "          RX packets:1000 errors:0 dropped:7 overruns:0 frame:0\n"
               "          TX packets:9 errors:0 dropped:0 overruns:0 carrier:0\n"
               "          RX bytes:64000 (62.5 KiB)  TX bytes:640 (640.0 B)\n",
               "eth0") == "kernel 7");
    CHECK(lost("2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default\n"
               "    link/ether 00:11:22:33:44:55 brd ff:ff:ff:ff:ff:ff\n"
               "    RX:  bytes packets errors dropped  missed   mcast\n"
               "         64000    1000      0       0      30       0\n"
               "    TX:  bytes packets errors dropped carrier collsns\n"
               "           640       9      0       0       0       0\n",
               "eth0") == "card 30");
    CHECK(
        lost("Inter-|   Receive                                                |  Transmit\n"
             " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls "
             "carrier compressed\n"
             "  eth0:   64000    1000    0   11    0     0          0         0      640       9    0    0    0     0 "
             "      0          0\n",
             "eth0") == "card 11");
    CHECK(lost("GigabitEthernet1/0/1 is up, line protocol is up (connected)\n"
               "  MTU 1500 bytes, BW 1000000 Kbit/sec, DLY 10 usec,\n"
               "  Last clearing of \"show interface\" counters never\n"
               "  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: 40\n"
               "  5 minute input rate 1000 bits/sec, 2 packets/sec\n"
               "     1000 packets input, 64000 bytes, 0 no buffer\n     Received 0 broadcasts (0 multicasts)\n"
               "     0 runts, 0 giants, 0 throttles\n     3 input errors, 3 CRC, 0 frame, 0 overrun, 0 ignored\n"
               "     960 packets output, 61440 bytes, 0 underruns\n     0 output errors, 0 collisions, 1 interface "
               "resets\n",
               "GigabitEthernet1/0/1", at_switch) == "switch 40; cable 3");
    CHECK(lost("Ethernet1/1 is up\n  RX\n    1000 unicast packets  0 multicast packets  0 broadcast packets\n"
               "    1000 input packets  64000 bytes\n    0 runts  0 giants  0 CRC/FCS  0 no buffer\n"
               "    0 input error  0 short frame   0 overrun   0 underrun  0 ignored\n"
               "    0 input with dribble  25 input discard\n  TX\n    0 output error  0 collision  0 deferred\n"
               "    0 lost carrier  0 no carrier  0 babble  15 output discard\n",
               "Ethernet1/1", at_switch) == "switch 40");
    CHECK(lost("Port          InDiscards  OutDiscards\nEt1                    0           33\n", "Et1", at_switch) ==
          "switch 33");
    CHECK(lost("                 name:     ether1  ether2\n    driver-rx-byte: 1 182 334       0\n"
               "         rx-packet:     4 174     900\n           rx-drop:         0   1 012\n      rx-overflow:       "
               "  0       0\n",
               "ether2", at_switch) == "switch 1012");
    CHECK(lost("###### NIC extended statistics for port 0\nrx_good_packets: 960\nrx_missed_errors: 40\n"
               "rx_mbuf_allocation_errors: 0\nrx_q0_packets: 960\n",
               "port 0") == "ring 40");
    CHECK(
        lost("Kernel Interface table\nIface      MTU    RX-OK RX-ERR RX-DRP RX-OVR    TX-OK TX-ERR TX-DRP TX-OVR Flg\n"
             "eth0      1500     1000      0      7 0             9      0      0      0 BMRU\n",
             "eth0") == "kernel 7");
    CHECK(lost("/sys/class/net/eth1/statistics/rx_packets:1000\n/sys/class/net/eth1/statistics/rx_missed_errors:12\n",
               "eth1") == "card 12");
    CHECK(lost("pci/0000:03:00.0:\n  name tail_drop type drop generic true action drop group buffer_drops\n    stats:\n"
               "        rx:\n          bytes 9600 packets 15\n  name ingress_vlan_filter type drop generic true\n"
               "    stats:\n        rx:\n          bytes 0 packets 0\n",
               "", at_switch) == "switch 15");
    CHECK(
        lost(
            R"({"trap":{"pci/0000:03:00.0":[{"name":"tail_drop","type":"drop","stats":{"rx":{"bytes":1,"packets":15}}}]}})",
            "pci/0000:03:00.0", at_switch) == "switch 15");
    CHECK(lost("Physical interface: xe-0/0/1, Enabled, Physical link is Up\n  Traffic statistics:\n"
               "   Input  packets:                 1000                    0 pps\n  Input errors:\n"
               "    Errors: 0, Drops: 9, Framing errors: 0, Runts: 0, Policed discards: 0, L3 incompletes: 0\n"
               "  Output errors:\n    Carrier transitions: 3, Errors: 0, Drops: 31, Collisions: 0, MTU errors: 0\n",
               "xe-0/0/1", at_switch) == "switch 40");
    CHECK(lost("NIC statistics:\n     Rx ring  0 frames: 5\n     Rx ring  0 discarded frames: 8\n", "") == "ring 8");
    CHECK(read(R"([{"Port": "Ethernet0", "PG0": "208"}])").at(0).what == What::PeakBytes);
    CHECK(lost("NIC statistics:\n     n_rxfrm: 1000\n     n_txfrm: 960\n     n_qfull: 40\n     portdrop: 1\n", "",
               at_switch) == "switch 40");
    CHECK_THAT(lost("Port 1:\n  Tail drops: 4\n  Frames: 100\n", "", at_switch), Contains("Tail drops rose by 4"));
    CHECK_THROWS_WITH(read("Dear all,\nwe lost 3 of 4 packages.\nYours\n").at(0), Contains("ifconfig"));
}

TEST_CASE("The name of a device cannot end a line") {
    CHECK(read("[{\"ifname\":\"eth0\\n1,2\",\"stats64\":{\"rx\":{\"packets\":1}}}]").at(0).device == "eth0 1,2");
}

TEST_CASE("Text that holds no counters is refused with what is expected") {
    for (const char* text : {"", "Hello\n", "{}", "[1]", R"({"a": 1})", "a,b\n1,2\n"})
        CHECK_THROWS_AS(read(text), InputError);
    CHECK_THROWS_WITH(place_named("moon"), Contains("moon") && Contains("socket"));
}

TEST_CASE("A counter of nstat that is missing is 0, and one that is missing later was set back") {
    const auto none = read("#kernel\nTcpActiveOpens                  4                  0.0\n"),
               first = read("#kernel\nUdpInDatagrams                  100                0.0\n"),
               later = read(
                   "#kernel\nUdpInDatagrams                  180                0.0\n"
                   "UdpInErrors                     7                  0.0\n"
                   "UdpRcvbufErrors                 7                  0.0\n");
    const auto risen = between(first, later, "b");
    CHECK(value_of(risen, "UdpInDatagrams", What::Arrived, Place::Socket) == 80);
    CHECK(value_of(risen, "UdpRcvbufErrors", What::Lost, Place::Socket) == 7);
    CHECK(blame_for(90, {}, risen).at(Place::Socket).lost == 7);  // the errors are those of the buffer
    CHECK(value_of(between(none, later, "b"), "UdpInDatagrams", What::Arrived, Place::Socket) == 180);
    CHECK(value_of(between(read("#kernel\n"), first, "b"), "UdpInDatagrams", What::Arrived, Place::Socket) == 100);
    CHECK_THROWS_WITH(between(later, first, "b"), Contains("UdpInDatagrams 100") && Contains("set back"));
    CHECK_THROWS_WITH(between(later, read("#kernel\nUdpInDatagrams                  200                0.0\n"), "b"),
                      Contains("no UdpInErrors") && Contains("set back"));
    // Another tool shows zeros: where the name is missing it is another machine's.
    const auto card = read("NIC statistics:\n     rx_packets: 5\n     rx_missed_errors: 0\n");
    CHECK_THROWS_WITH(between(card, later, "b"), Contains("UdpInDatagrams") && Contains("not there before"));
}

TEST_CASE("The second column of /proc/net/softnet_stat is what processors dropped") {
    // 0x1f = 31 frames of processor 0, 0x0a = 10 of processor 3, 2 of which a flow's limit dropped.
    const auto counters = read(
        "00a3f1c2 0000001f 00000002 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
        "00000000\n"
        "00000010 0000000a 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000002 00000000 "
        "00000003\n");
    CHECK(value_of(counters, "packet_drops", What::Lost, Place::Kernel) == 31);
    auto zero = counters;
    for (Counter& one : zero) one.value = 0;
    const Blame blame = blame_for(100, 59, between(zero, counters, "b"));
    CHECK(blame.at(Place::Kernel).lost == 41);
    REQUIRE(blame.at(Place::Kernel).devices.size() == 2);
    CHECK(blame.at(Place::Kernel).devices[1].device == "cpu 3");
    CHECK(blame.missing() == 41);
    // Older kernels have fewer columns, and processors in their order.
    const auto old = read(
        "00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
        "00000001 00000005 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n");
    CHECK(blame_for(10, 5, old).at(Place::Kernel).devices.at(0).device == "cpu 1");
}

TEST_CASE("Sockets are read as ss -uam shows them, with what each dropped") {
    for (const char* head : {"", "Netid "}) {
        const std::string netid = *head ? "udp   " : "", tcp = *head ? "tcp   " : "";
        const auto counters = read(
            head + std::string("State   Recv-Q  Send-Q    Local Address:Port    Peer Address:Port  Process\n") + netid +
            "UNCONN  0       0               0.0.0.0:5000         0.0.0.0:*    users:((\"server\",pid=12,fd=3))\n"
            "\t skmem:(r0,rb212992,t0,tb212992,f4096,w0,o0,bl0,d518)\n" +
            netid +
            "UNCONN  0       0               0.0.0.0:5000         0.0.0.0:*\n"
            "\t skmem:(r0,rb212992,t0,tb212992,f4096,w0,o0,bl0,d2)\n" +
            netid +
            "ESTAB   213248  0       [2001:db8::1]:49152 [2001:db8::5]:49157 "
            "skmem:(r212992,rb212992,t0,tb212992,f0,w0,o0,bl0,d7)\n" +
            (*head ? tcp + "ESTAB   0       0             10.0.0.1:22           10.0.0.9:40000\n\t "
                           "skmem:(r0,rb1,t0,tb1,f0,w0,o0,bl0,d99)\n"
                   : ""));
        // Two sockets share port 5000: 518 + 2. Those of TCP are none of the camera's.
        REQUIRE(counters.size() == 2);
        CHECK(counters[0].device == "0.0.0.0:5000");
        CHECK(counters[0].value == 520);
        CHECK(counters[1].device == "[2001:db8::1]:49152");
        CHECK(counters[1].value == 7);
        CHECK(blame_for(1000, 473, counters).at(Place::Socket).lost == 527);
    }
    // iproute2 before 2012 has no d.
    CHECK_THROWS_WITH(read("UNCONN 0 0 *:5000 *:*\n\t skmem:(r0,rb212992,t0,tb212992,f4096,w0,o0,bl0)\n"),
                      Contains("no counter whose name is known"));
}

TEST_CASE("Queues of NX-OS are read as show queuing interface shows them") {
    const std::string line = "+-------------------------------------------------------------+\n";
    const auto counters = read(
        "slot  1\n=======\n\n\nEgress Queuing for Ethernet1/51 [System]\n"
        "------------------------------------------------------------------------------\n"
        "QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit\n"
        "                                   Min          Max        Units   \n"
        "------------------------------------------------------------------------------\n"
        "      7             -         1           -            -     -            9(D)\n"
        "      0           100         -           -            -     -            9(D)\n" +
        line + "|                              QOS GROUP 0                    |\n" + line +
        "|                           |  Unicast       |Multicast       |\n" + line +
        "|                   Tx Pkts |            4310|              20|\n"
        "|                   Tx Byts |         4671040|            2000|\n"
        "| WRED/AFD & Tail Drop Pkts |              85|               4|\n"
        "| WRED/AFD & Tail Drop Byts |           92140|             400|\n"
        "|              Q Depth Byts |               0|               0|\n"
        "|       WD & Tail Drop Pkts |               0|               0|\n" +
        line + "|                              QOS GROUP 3                    |\n" + line +
        "|                   Tx Pkts |             100|               0|\n"
        "| WRED/AFD & Tail Drop Pkts |               1|               0|\n" +
        line +
        "Ingress Queuing for Ethernet1/51\n"
        "-----------------------------------------------------\n"
        "QoS-Group#                 Pause\n"
        "           Buff Size       Pause Th      Resume Th\n"
        "-----------------------------------------------------\n"
        "      5         348608        77376        75712\n\n"
        "Per Port Ingress Statistics\n--------------------------------------------------------\n"
        "     Hi Priority Drop Pkts                           0\n"
        "    Low Priority Drop Pkts                           0\n"
        "Ingress Overflow Drop Pkts                          12\n"
        "--------------------------------------------------------\n"
        "Per Slice Ingress Statistics\n--------------------------------------------------------\n"
        "Ingress Overflow Drop Pkts                       71206\n\n"
        "PFC Statistics\n------------------------------------------------------------------------------\n"
        "TxPPP:                  150,   RxPPP:                    0\n"
        "Egress Queuing for Ethernet1/52 [System]\n" +
        line + "|                              QOS GROUP 0                    |\n" + line +
        "| WRED/AFD & Tail Drop Pkts |               3|               0|\n" + line);
    // Both kinds of cast and all groups of a port: 4310 + 20 + 100 sent, 85 + 4 + 1 dropped; a slice has other ports'
    // too.
    CHECK(value_of(counters, "Tx Pkts", What::Sent, Place::Switch) == 4430);
    CHECK(value_of(counters, "WRED/AFD & Tail Drop Pkts", What::Lost, Place::Switch) == 90);
    CHECK(value_of(counters, "Ingress Overflow Drop Pkts", What::Lost, Place::Switch) == 12);
    const Blame blame = blame_for(4535, 4430, counters);
    CHECK(blame.at(Place::Switch).lost == 90 + 12 + 3);
    CHECK(blame.not_known.empty());
    REQUIRE(blame.at(Place::Switch).devices.size() == 2);
    CHECK(blame.at(Place::Switch).devices[1].device == "Ethernet1/52");
    // Older ones have other names, and some have names and numbers side by side.
    const auto old = read(
        "Ethernet1/2 queuing information:\n  RX Queuing\n    Statistics:\n"
        "        Pkts received over the port             : 101\n"
        "        Pkts sent to the port                   : 95\n"
        "        Pkts discarded on ingress               : 6\n");
    CHECK(value_of(old, "Pkts discarded on ingress", What::Lost, Place::Switch) == 6);
    CHECK(old[0].device == "Ethernet1/2");
    const auto pairs =
        read("Egress Queuing for Ethernet2/1\n|        Tx Pkts |              50|   Dropped Pkts |               6|\n");
    CHECK(value_of(pairs, "Tx Pkts", What::Sent, Place::Switch) == 50);
    CHECK(value_of(pairs, "Dropped Pkts", What::Lost, Place::Switch) == 6);
}

TEST_CASE("Queues of Junos are read as show interfaces queue shows them") {
    const auto queue = [](int tail, int red, const std::string& more) {
        const auto row = [](const std::string& name, int value, const char* unit) {
            std::string cell = std::to_string(value);
            return "    " + name + std::string(21 - name.size(), ' ') + ":" + std::string(22 - cell.size(), ' ') +
                   cell + "                     0 " + unit + "\n";
        };
        return "  Queued:\n" + row("Packets", 1000, "pps") + row("Bytes", 64000, "bps") + "  Transmitted:\n" +
               row("Packets", 1000 - tail - red, "pps") + row("Tail-dropped packets", tail, "pps") +
               row("RL-dropped packets", 0, "pps") + row("RL-dropped bytes", 0, "bps") +
               row("RED-dropped packets", red, "pps") + row(" Low", red, "pps") + row(" High", 0, "pps") +
               row("RED-dropped bytes", 64 * red, "bps") + more;
    };
    const std::string head =
        "Physical interface: ge-0/0/2, Enabled, Physical link is Up\n  Interface index: 143, SNMP ifIndex: 601\n"
        "Forwarding classes: 16 supported, 5 in use\nEgress queues: 8 supported, 5 in use\n"
        "Queue: 0, Forwarding classes: Bronze-FC\n";
    const std::string second = "Queue: 1, Forwarding classes: Gold-FC\n";
    // Tail and RED drops of both queues: 30 + 12 + 4; the totals of some models count the same frames.
    const auto counters = read(head + queue(30, 12, "") + second + queue(4, 0, ""));
    CHECK(value_of(counters, "Tail-dropped packets", What::Lost, Place::Switch) == 34);
    CHECK(value_of(counters, "RED-dropped packets", What::Lost, Place::Switch) == 12);
    CHECK(counters[0].device == "ge-0/0/2");
    const auto with_zeros = [](std::vector<Counter> some) {
        for (Counter& one : some) one.value = 0;
        return some;
    };
    CHECK(blame_for(2000, 1954, between(with_zeros(counters), counters, "b")).at(Place::Switch).lost == 46);
    const auto totals =
        read(head + queue(30, 12,
                          "    Total-dropped packets:                    42                     0 pps\n"
                          "    Total-dropped bytes  :                  2688                     0 bps\n"));
    const Blame blame = blame_for(1000, 958, between(with_zeros(totals), totals, "b"));
    CHECK(blame.at(Place::Switch).lost == 42);
    CHECK(blame.not_known.empty());
    // Some models count one kind of drop, without rates, or have it not.
    const auto one = read(head +
                          "  Queued:\n  Transmitted:\n    Packets              :                320486\n    "
                          "Tail-dropped packets :                     9\n");
    CHECK(value_of(one, "Tail-dropped packets", What::Lost, Place::Switch) == 9);
    const auto other = read(head +
                            "    Tail-dropped packets : Not Available\n    Total-dropped packets:                    "
                            "61                     0 pps\n");
    CHECK(value_of(other, "Total-dropped packets", What::Lost, Place::Switch) == 61);
}
