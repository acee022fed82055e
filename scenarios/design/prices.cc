// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/prices.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

Prices read_prices(const std::string& file, const std::vector<CatalogueSwitch>& catalogue) {
    Prices prices;
    const CsvTable table = CsvTable::read(file);
    const auto model = table.column("switch");
    std::string price_column = "price", power_column = "power";
    for (const std::string& column : table.columns())
        if (begins_with(column, "price_")) {
            price_column = column;
            prices.currency = column.substr(6);
        } else if (column == "power_W") {
            power_column = column;
        } else if (begins_with(column, "power") && column != "power") {
            throw InputError(file + ": column \"" + column + "\": expected \"power\" or \"power_W\", in watts");
        }
    const auto number = [&](const CsvTable::Row& row, const std::string& name) -> std::optional<double> {
        const auto column = table.find_column(name);
        if (!column || row.cells[*column].empty()) return std::nullopt;
        char* end = nullptr;
        const double value = std::strtod(row.cells[*column].c_str(), &end);
        if (*end != 0 || !(value >= 0) || !std::isfinite(value))
            table.refuse(row, *column, "a number of at least 0, or nothing where it is unknown");
        return value;
    };
    for (const CsvTable::Row& row : table.rows()) {
        std::string name = row.cells[model];
        const auto named = std::find_if(catalogue.begin(), catalogue.end(),
                                        [&](const auto& entry) { return entry.id == name || entry.name == name; });
        if (named != catalogue.end())
            name = named->id;
        else if (name != kUplinkPriced && name != kInterfacePriced)
            table.refuse(row, model,
                         "a switch that `watershed switches` lists, \"uplink\" or \"interface\"" +
                             did_you_mean(name, catalogue));
        if (!prices.of.try_emplace(name, Prices::Price{number(row, price_column), number(row, power_column)}).second)
            table.refuse(row, model, "each switch once");
    }
    return prices;
}

std::vector<BillRow> bill_of(const std::map<std::string, int>& switches, int links, int interfaces,
                             const Prices& prices) {
    std::vector<BillRow> bill;
    for (const auto& [model, number] : switches) {
        const auto found = prices.of.find(model);
        bill.push_back({model, number, found == prices.of.end() ? Prices::Price{} : found->second});
    }
    for (const auto& [what, number] : {std::pair(kUplinkPriced, links), std::pair(kInterfacePriced, interfaces)})
        if (const auto found = prices.of.find(what); found != prices.of.end())
            bill.push_back({what, number, found->second});
    return bill;
}

std::vector<BillRow> bill_of(const CandidateDesign& stacking, const Prices& prices) {
    std::map<std::string, int> switches{{stacking.model, stacking.switches}};
    const bool tiers = !stacking.aggregation.empty();
    if (tiers) ++switches[stacking.aggregation];
    return bill_of(switches, stacking.links() + (tiers ? stacking.interfaces() : 0), stacking.interfaces(), prices);
}

std::optional<double> total(const std::vector<BillRow>& bill, std::optional<double> Prices::Price::*of) {
    double sum = 0;
    for (const BillRow& row : bill) {
        if (!(row.each.*of)) return std::nullopt;
        sum += row.number * *(row.each.*of);
    }
    return sum;
}

SpendingLimit limit_of(const std::string& option, const std::string& text, const std::string& example) {
    if (text.empty()) return {};
    char* end = nullptr;
    SpendingLimit limit{text, std::strtod(text.c_str(), &end), {}};
    if (end == text.c_str() || !(limit.amount >= 0) || !std::isfinite(limit.amount))
        throw InputError(option + ": found \"" + text + "\", expected a number with its unit such as \"" + example +
                         "\"");
    limit.unit = end;
    limit.unit.erase(0, std::min(limit.unit.find_first_not_of(' '), limit.unit.size()));
    for (const auto& [prefix, factor] : {std::pair('k', 1e3), std::pair('M', 1e6)})  // not that of "kr"
        if (limit.unit.size() > 1 && limit.unit[0] == prefix &&
            !std::islower(static_cast<unsigned char>(limit.unit[1]))) {
            limit.amount *= factor;
            limit.unit.erase(0, 1);
            break;
        }
    return limit;
}

void add_prices(std::vector<RatedDesign>& ways, const Prices& prices, const SpendingLimit& budget,
                const SpendingLimit& power) {
    for (RatedDesign& way : ways) {
        const std::vector<BillRow> bill = bill_of(way.stacking, prices);
        way.price = total(bill, &Prices::Price::price);
        way.power = total(bill, &Prices::Price::power);
        if (!budget.said.empty() && !(way.price && *way.price <= budget.amount))
            way.too_much = way.price.has_value(),
            way.beyond = way.price ? "cost more than " + budget.said : "have no known price";
        else if (!power.said.empty() && !(way.power && *way.power <= power.amount))
            way.too_much = way.power.has_value(),
            way.beyond = way.power ? "draw more than " + power.said : "have no known power";
    }
}

}  // namespace watershed
