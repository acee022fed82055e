// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"

namespace watershed {

/// What the price table may name beside switches: a link that a switch sends by, with its optics, and an interface of
/// the server.
inline constexpr const char* kUplinkPriced = "uplink";
inline constexpr const char* kInterfacePriced = "interface";

/// What switches cost and draw, each; absent where it is unknown.
struct Prices {
    struct Price {
        std::optional<double> price, power;
    };
    std::map<std::string, Price> of;  ///< by the name of the catalogue, or one of the names above
    std::string currency;             ///< empty where the table does not tell
};

/// So many of one thing.
struct BillRow {
    std::string what;  ///< a switch of the catalogue, or one of the names above
    int number = 0;
    Prices::Price each;
};

/// What so many switches, links behind them and interfaces of the server take; the latter two where the table names
/// them.
std::vector<BillRow> bill_of(const std::map<std::string, int>& switches, int links, int interfaces,
                             const Prices& prices);
std::vector<BillRow> bill_of(const Stacking& stacking, const Prices& prices);

/// Of all rows; nothing if one is unknown.
std::optional<double> total(const std::vector<BillRow>& bill, std::optional<double> Prices::Price::*of);

/// A table of what switches cost and draw: switch, price, power; cells may be empty. The column price may end in its
/// currency: price_EUR.
/// @throws InputError that names what is wrong, and for a switch that the catalogue does not have
Prices read_prices(const std::string& file, const std::vector<CatalogueSwitch>& catalogue);

/// What may be spent or drawn: "20 kEUR" is 20000 in EUR.
struct SpendingLimit {
    std::string said;
    double amount = INFINITY;
    std::string unit;
};

/// @throws InputError that gives the example
SpendingLimit limit_of(const std::string& option, const std::string& text, const std::string& example);

/// What all rows of a way's bill cost and draw, and why it is beyond a limit, where it is.
void add_prices(std::vector<Explored>& ways, const Prices& prices, const SpendingLimit& budget,
                const SpendingLimit& power);

}  // namespace watershed
