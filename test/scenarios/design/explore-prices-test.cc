// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-prices.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

Explored way(const std::string& aggregation) {
    Explored one;
    one.stacking.model = "a";
    one.stacking.switches = 3;
    one.stacking.aggregation = aggregation;
    return one;
}

SpendingLimit euros(double amount) { return {"so much", amount, "EUR"}; }

}  // namespace

TEST_CASE("A way costs each switch of its first tier, and one of the second") {
    const Prices prices{{{"a", {100, 20}}, {"b", {1000, std::nullopt}}}, "EUR"};
    std::vector<Explored> ways{way(""), way("b"), way("unpriced")};
    add_prices(ways, prices, {}, {});
    CHECK(ways[0].price == 300);
    CHECK(ways[0].power == 60);
    CHECK(ways[1].price == 1300);
    CHECK_FALSE(ways[1].power);
    CHECK_FALSE(ways[2].price);
}

TEST_CASE("Links and interfaces cost what the table says, and nothing where it does not") {
    // Three switches with two uplinks each; behind a second tier one interface, and its link besides the six.
    Prices prices{{{"a", {100, 20}}, {"b", {1000, 50}}, {"uplink", {30, 1}}, {"interface", {400, 5}}}, "EUR"};
    std::vector<Explored> ways{way(""), way("b")};
    for (Explored& each : ways) each.stacking.uplinks = 2;
    ways[1].stacking.server_interfaces = 1;
    add_prices(ways, prices, {}, {});
    CHECK(ways[0].price == 3 * 100 + 6 * 30 + 6 * 400);
    CHECK(ways[1].price == 3 * 100 + 1000 + 7 * 30 + 400);
    CHECK(ways[1].power == 3 * 20 + 50 + 7 * 1 + 5);
    const std::vector<BillRow> bill = bill_of(ways[1].stacking, prices);
    REQUIRE(bill.size() == 4);
    CHECK((bill[1].what == "b" && bill[1].number == 1));
    CHECK((bill[2].what == "uplink" && bill[2].number == 7));
    prices.of.erase("uplink");
    prices.of.erase("interface");
    CHECK(bill_of(ways[1].stacking, prices).size() == 2);
}

TEST_CASE("A price list may name switches that no way has, but only those of the catalogue, each once") {
    const TemporaryFolder folder;
    std::vector<CatalogueSwitch> catalogue(3);
    catalogue[0].id = "a", catalogue[1].id = "b", catalogue[2].id = "dell-s60";
    const auto prices = [&](const std::string& rows) {
        return read_prices(folder.write("prices.csv", "switch,price_EUR\n" + rows), catalogue);
    };
    std::vector<Explored> ways{way("")};
    add_prices(ways, prices("a,100\nb,1000\ndell-s60,\n"), {}, {});
    CHECK(ways[0].price == 300);
    CHECK_THROWS_WITH(prices("a,100\ndell-s61,3\n"),
                      Contains("prices.csv:3: switch: found \"dell-s61\"") && Contains("did you mean dell-s60?"));
    CHECK_THROWS_WITH(prices("a,100\na,3\n"), Contains("each switch once"));
}

TEST_CASE("What costs as much as may be spent is within it, and what has no known price is not") {
    const Prices prices{{{"a", {100, 20}}}, "EUR"};
    const auto beyond = [&](const Explored& one, double budget) {
        std::vector<Explored> ways{one};
        add_prices(ways, prices, euros(budget), {});
        return ways.front().beyond;
    };
    CHECK(beyond(way(""), 300) == "");
    CHECK(beyond(way(""), 299) == "cost more than so much");
    CHECK(beyond(way("b"), 300) == "have no known price");
}

TEST_CASE("A limit has an amount with a prefix and a unit, and kr is no thousand") {
    const auto limit = [](const char* text) { return limit_of("--budget", text, "20 kEUR"); };
    CHECK(limit("20 kEUR").amount == 20'000);
    CHECK(limit("2 MEUR").amount == 2'000'000);
    CHECK(limit("2 MEUR").unit == "EUR");
    CHECK(limit("50 kr").amount == 50);
    CHECK_THROWS_WITH(limit("much"), Contains("20 kEUR"));
}
