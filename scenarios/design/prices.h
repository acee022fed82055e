// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"

/// Prices and powers of designs.
namespace watershed {

/// Names of two further rows of a price table: a link from a switch, optics included, and an interface of the server.
inline constexpr const char* kUplinkPriced = "uplink";
inline constexpr const char* kInterfacePriced = "interface";

/// Price table.
struct Prices {
    struct Price {
        std::optional<double> price, power;  ///< in the currency, and in watts; std::nullopt if unknown
    };
    std::map<std::string, Price> of;  ///< by name: of a switch in the catalogue, kUplinkPriced or kInterfacePriced
    std::string currency;             ///< currency of the prices; empty if the table has none
};

/// Row of a bill.
struct BillRow {
    std::string what;    ///< name in Prices::of
    int number = 0;      ///< number of pieces
    Prices::Price each;  ///< price and power of one piece
};

/// Returns the bill of switches, links from switches, and interfaces of the server; the latter two only if the table
/// has them.
std::vector<BillRow> bill_of(const std::map<std::string, int>& switches, int links, int interfaces,
                             const Prices& prices);
std::vector<BillRow> bill_of(const CandidateDesign& stacking, const Prices& prices);

/// Returns the sum of price or power over all rows; std::nullopt if one is unknown.
std::optional<double> total(const std::vector<BillRow>& bill, std::optional<double> Prices::Price::*of);

/// Reads a price table with the columns switch, price and power; cells may be empty. The name of the column price may
/// end in a currency: price_EUR.
/// @throws InputError that names the error, also if the catalogue lacks a switch
Prices read_prices(const std::string& file, const std::vector<CatalogueSwitch>& catalogue);

/// Spending limit: "20 kEUR" is 20000 in EUR.
struct SpendingLimit {
    std::string said;          ///< text of the user
    double amount = INFINITY;  ///< amount in `unit`
    std::string unit;
};

/// Returns the limit in a text. @throws InputError that names `option` and gives `example`
SpendingLimit limit_of(const std::string& option, const std::string& text, const std::string& example);

/// Sets price and power of each design, and the reason if a limit excludes it.
void add_prices(std::vector<RatedDesign>& ways, const Prices& prices, const SpendingLimit& budget,
                const SpendingLimit& power);

}  // namespace watershed
