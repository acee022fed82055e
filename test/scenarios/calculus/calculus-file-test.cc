// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/calculus/calculus-file.h"

#include <nlohmann/json.hpp>

#include "model/calculus/flow-bounds.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/text/csv.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;
using nlohmann::json;

namespace {

std::string published(const std::string& name) {
    return std::string(scenario_folders().front()) + "/data/network-calculus/" + name;
}

/// One server with rate 4 Mb/s, latency 10 us, and a flow of 2 kB and 1 Mb/s.
json small() {
    return json::parse(R"({
        "network": {"name": "small", "packetizer": false, "multiplexing": "FIFO", "time_unit": "us", "data_unit": "B",
                    "rate_unit": "Mbps"},
        "flows": [{"name": "f", "path": ["s"], "arrival_curve": {"bursts": ["2kB"], "rates": [1]}}],
        "servers": [{"name": "s", "service_curve": {"latencies": [10], "rates": [4]}}]})");
}

CalculusFile read(const json& document) {
    const TemporaryFolder folder;
    return read_calculus_file(folder.write("n.json", document.dump()));
}

/// Message about the small network with that value at that place.
std::string refusal(const std::string& place, const json& value) {
    json document = small();
    document[json::json_pointer(place)] = value;
    try {
        read(document);
    } catch (const std::exception& error) {
        const std::string text = error.what();
        return text.substr(text.find("n.json"));
    }
    return "";
}

}  // namespace

TEST_CASE("All published bounds by TFA and SFA follow, FIFO and arbitrary, as rationals") {
    // scenarios/data/README.md says where they are published; those by a third analysis, PMOO, are not of this program.
    const CsvTable table = CsvTable::read(published("bounds.csv"));
    int compared = 0;
    for (const CsvTable::Row& row : table.rows()) {
        const auto cell = [&](const char* column) { return row.cells[table.column(column)]; };
        if (cell("analysis") == "PMOO") continue;
        const CalculusFile file = read_calculus_file(published(cell("network") + ".json"));
        const FeedForward network(file.network);
        const Multiplexing order = cell("multiplexing") == "FIFO" ? Multiplexing::Fifo : Multiplexing::Arbitrary;
        const auto bounds =
            cell("analysis") == "TFA" ? total_flow_analysis(network, order) : separate_flow_analysis(network, order);
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            if (network.flow(i).name != cell("flow")) continue;
            CAPTURE(cell("network"), cell("flow"), cell("analysis"), cell("multiplexing"));
            CHECK(bounds[i].delay->str() == cell("delay_s"));
            CHECK(bounds[i].backlog.str() == cell("backlog_b"));
            ++compared;
        }
    }
    CHECK(compared == 40);
}

TEST_CASE("Numbers are what is written, in their own unit, that of their flow or server, or that of the network") {
    json document = small();
    document["servers"][0]["time_unit"] = "ms";
    document["servers"][0]["service_curve"] = {{"latencies", {"0.1"}}, {"rates", {"1 MBps"}}};
    document["flows"][0]["arrival_curve"] = {{"bursts", {0.25}}, {"rates", {"60bpm"}}};
    const CalculusFile file = read(document);
    CHECK(file.network.servers[0].service.latency == Rational(1, 10'000));
    CHECK(file.network.servers[0].service.rate == 8'000'000);
    CHECK(file.network.flows[0].arrival.burst == 2);
    CHECK(file.network.flows[0].arrival.rate == 1);
    CHECK(file.multiplexing == Multiplexing::Fifo);
    CHECK(file.time_unit == "us");
    CHECK(file.seconds == Rational(1, 1'000'000));
    CHECK(file.data_unit == "B");
    CHECK(file.bits == 8);
    // Without any unit seconds, bits and bits per second.
    for (const char* unit : {"time_unit", "data_unit", "rate_unit"}) document["network"].erase(unit);
    document["flows"][0]["arrival_curve"]["rates"] = {12};
    CHECK(read(document).network.flows[0].arrival.rate == 12);
    CHECK(read(document).network.flows[0].arrival.burst == Rational(1, 4));
    CHECK(read(document).time_unit == "s");
}

TEST_CASE("A decimal number is the rational that its digits say, whatever a processor makes of it") {
    CHECK(parse_decimal("0.1") * 10 == 1);
    CHECK(parse_decimal("-2.50e-1") == Rational(-1, 4));
    CHECK(parse_decimal("+.5E+1") == 5);
    CHECK(parse_decimal("0010") == 10);
    CHECK(parse_decimal("0") == 0);
    CHECK(parse_decimal("12345678901234567890.5") * 2 == Rational("24691357802469135781"));
    for (const char* bad : {"", ".", "1e", "e5", "1.2.3", "27/2", "0x10", "inf", "nan", "1e2000", "1_0", "--1"})
        CHECK_THROWS_WITH(parse_decimal(bad), "found \"" + std::string(bad) + "\", expected a decimal number");
}

TEST_CASE("What is not understood, missing or wrong is refused by its key") {
    const json two = {1, 2};
    CHECK_THAT(refusal("/network/packetizer", true), StartsWith("n.json: network.packetizer: found true"));
    CHECK_THAT(refusal("/network/analysis_option", json{"IS"}),
               StartsWith("n.json: network.analysis_option: found [\"IS\"], expected none: input shaping"));
    CHECK_THAT(refusal("/network/multiplexing", "fifo"),
               Contains("network.multiplexing: found \"fifo\", expected \"FIFO\""));
    CHECK_THAT(refusal("/network/time_unit", "parsec"), Contains("network.time_unit: found \"parsec\""));
    CHECK_THAT(refusal("/network/data_unit", "mB"), Contains("network.data_unit"));
    CHECK_THAT(refusal("/network/packetiser", false), Contains("network.packetiser: unknown key"));
    CHECK_THAT(refusal("/network/packetiser", false), Contains("did you mean packetizer"));
    CHECK_THAT(refusal("/flow", json::array()), Contains("n.json: flow: unknown key"));
    CHECK_THAT(refusal("/flows", json::array()), Contains("flows: found an empty list, expected a list of flows"));
    CHECK_THAT(refusal("/flows/0/arrival_curve/bursts", two),
               StartsWith("n.json: flows[0].arrival_curve.bursts: found a list of 2, expected one: several token"));
    CHECK_THAT(refusal("/flows/0/arrival_curve/rates", two),
               Contains("flows[0].arrival_curve.rates: found a list of 2"));
    CHECK_THAT(refusal("/servers/0/service_curve/latencies", two), Contains("several rate-latency curves"));
    CHECK_THAT(refusal("/servers/0/service_curve/rates", two), Contains("servers[0].service_curve.rates"));
    CHECK_THAT(refusal("/servers/0/service_curve/rates", json{0}), Contains("found 0, expected a rate above 0"));
    CHECK_THAT(refusal("/servers/0/service_curve/rates", json{-1}), Contains("found -1, expected 0 or more"));
    CHECK_THAT(refusal("/servers/0/service_curve/rates", json{"4 MB"}), Contains("found \"4 MB\", expected 0 or more"));
    CHECK_THAT(refusal("/servers/0/capacity", 3), Contains("servers[0].capacity: found 3, expected the rate"));
    CHECK_THAT(refusal("/flows/0/arrival_curve/bursts", json{"2 us"}),
               Contains("flows[0].arrival_curve.bursts: found \"2 us\""));
    CHECK_THAT(refusal("/flows/0/arrival_curve/bursts", json{"1e9999B"}),
               Contains("flows[0].arrival_curve.bursts: found \"1e9999\""));
    CHECK_THAT(refusal("/flows/0/arrival_curve/bursts", json{true}),
               Contains("flows[0].arrival_curve.bursts: found true"));
    CHECK_THAT(refusal("/flows/0/arrival_curve/bursts", 5), Contains("found 5, expected a list of one number"));
    CHECK_THAT(refusal("/flows/0/path", json{"t"}),
               Contains("flows[0].path: found \"t\", expected a name of \"servers\""));
    CHECK_THAT(refusal("/flows/0/path", json{"s", "s"}), Contains("flows[0].path: found \"s\" twice"));
    CHECK_THAT(refusal("/flows/0/path", json::array()), Contains("flows[0].path: found an empty list"));
    CHECK_THAT(refusal("/flows/0/multicast", json{{{"name", "p"}, {"path", {"s"}}}}),
               Contains("flows[0].multicast: found [{"));
    CHECK_THAT(refusal("/flows/0/name", 3), Contains("flows[0].name: found 3, expected a name"));
    CHECK_THAT(refusal("/servers/1", small()["servers"][0]), Contains("servers[1].name: found \"s\" twice"));
    CHECK_THAT(refusal("/servers/0/service_curve", json::array()),
               Contains("servers[0].service_curve: found an empty list, expected an object"));
    json missing = small();
    missing["flows"][0].erase("arrival_curve");
    CHECK_THROWS_WITH(read(missing), Contains("flows[0].arrival_curve: missing, expected bursts and rates"));
}

TEST_CASE("What counts with input shaping or packetizers alone is read, and named") {
    json document = small();
    document["network"]["min_packet_length"] = 4;
    document["flows"][0]["max_packet_length"] = "50B";
    document["flows"][0]["path_name"] = "p0";
    CHECK_FALSE(read(document).has_capacity);
    document["servers"][0]["capacity"] = 100;
    CHECK(read(document).has_capacity);
}
