// SPDX-License-Identifier: GPL-2.0-only
// Thresholds of real switches that follow from their configuration, in tables beside the scenarios: data/*.csv.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "model/base/frame.h"
#include "model/fill/fill-test.h"
#include "model/switch/memory-units.h"
#include "scenarios/text/csv.h"
#include "scenarios/thresholds/threshold-table.h"
#include "scenarios/validate/validate.h"

namespace watershed {
namespace {

constexpr char kSetPoints[] = "data/sonic-set-points.csv", kChipTable[] = "data/chip-set-points.csv",
               kProbe[] = "data/mmu-probe.csv";

/// The column that moves the threshold of a row most.
const char* column_of(const ThresholdRow& row) {
    switch (row.test->event) {
        case FillEvent::Xon: return "xon_offset";
        case FillEvent::HeadroomFull: return "headroom_cells";
        case FillEvent::HeadroomPartial: return "xoff_pool_bytes";
        default: return row.reserved > *row.value / 2 ? "reserved_cells" : "shared_cells";
    }
}

/// Returns the threshold of a row by the closed forms. Explanations use it; it must equal the simulated number.
double by_formula(const ThresholdRow& row) {
    const Buffer& buffer = row.test->scenario.network_switch.buffer;
    const double cost =
        static_cast<double>(MemoryUnits(buffer).cost(frames_of_fragment(row.test->scenario.frame).front().buffer));
    const auto frames = [&](MemorySize size) { return static_cast<double>(size.amount) / cost; };
    switch (row.test->event) {
        case FillEvent::Xon: return frames(row.test->scenario.network_switch.flow_control.xon_offset);
        case FillEvent::HeadroomFull: return frames(buffer.headroom);
        default: return row.alpha / (1 + row.alpha) * frames(buffer.size) / buffer.slices + frames(buffer.reserved);
    }
}

/// The stated value is one of its own columns: XON, the headroom of a group, or its minimum where the pool adds
/// nothing.
bool repeats_input(const ThresholdResult& result) {
    switch (result.row.test->event) {
        case FillEvent::Xon:
        case FillEvent::HeadroomFull: return true;
        case FillEvent::HeadroomPartial: return false;
        default: break;
    }
    return std::abs(static_cast<double>(*result.simulated) - result.row.reserved) <= result.tolerance();
}

std::string name_of(const ThresholdResult& result) {
    return result.row.quantity + ", " + result.row.asic + ", row " + std::to_string(result.row.number);
}

/// The rows of a table that state a value and that nobody suspects, simulated, if their input is wanted, too.
std::vector<ThresholdResult> simulated(const std::string& table,
                                       const std::function<bool(const std::string&)>& wanted) {
    std::vector<ThresholdRow> rows = read_threshold_rows(CsvTable::read(table));
    rows.erase(
        std::remove_if(rows.begin(), rows.end(),
                       [&](const auto& row) { return !wanted(row.inputs) || !row.suspect.empty() || !row.value; }),
        rows.end());
    return simulate(rows, make_exact_tx_disabled_switch);
}

/// Chips whose policy, or whose rules of configuration, the table above does not know.
void compare_chips(Comparisons& compare, const Validation& validation) {
    for (const ThresholdResult& result :
         simulated(validation.scenarios + "/" + kChipTable, [](const std::string&) { return true; })) {
        const ThresholdRow& row = result.row;
        if (!result.simulated) continue;
        const Comparisons::Quantity quantity{name_of(result), row.unit == "cells" ? "cells" : "packets"};
        const Simulated simulated{static_cast<double>(*result.simulated), kChipTable, {column_of(row)}};
        const Tolerance tolerance{result.tolerance(), "the margin of the test"};
        if (row.inputs == "generator") {
            compare.theory(quantity, *row.value, simulated.value, tolerance,
                           "what the generator of the tests calculates from the configuration");
        } else if (row.inputs == "derived") {
            compare.theory(quantity, *row.value, simulated.value, tolerance,
                           "the rule of the chip was derived from this number");
        } else {
            const std::string remark = "the pool is the one that pull request 28658 of sonic-buildimage names";
            if (*result.hit())
                compare.predicted(quantity, *row.value, simulated, tolerance, remark);
            else
                compare.predicted(
                    quantity, *row.value, simulated, tolerance,
                    limit_of_model(by_formula(row), "the value is rounded to thousands, and this row alone allows 100"),
                    remark);
            if (repeats_input(result)) compare.was_configured();
        }
    }
}

}  // namespace

std::vector<Comparison> validate_sonic(const Validation& validation) {
    Comparisons compare("sonic");
    compare.from("hardware tests of SONiC");
    for (const ThresholdResult& result : simulated(validation.scenarios + "/" + kSetPoints,
                                                   [](const std::string& inputs) { return inputs == "complete"; })) {
        const ThresholdRow& row = result.row;
        if (!result.simulated) continue;
        const Simulated simulated{static_cast<double>(*result.simulated), kSetPoints, {column_of(row)}};
        const std::string unit = row.unit == "cells" ? "cells" : "packets";
        const Tolerance tolerance{result.tolerance(), "the margin of the test, of 2 to 4 cells where it states none"};
        // Only these are known to be limits of the model; any other miss would be one that nobody explains.
        const bool known = row.test->event == FillEvent::Xon || row.test->event == FillEvent::HeadroomFull;
        const std::string remark = "the form of the chip's rule was found in this table";
        if (*result.hit() || !known)
            compare.predicted({name_of(result), unit}, *row.value, simulated, tolerance, remark);
        else  // the closed form rounds elsewhere, by less than a frame
            compare.predicted({name_of(result), unit}, *row.value, simulated,
                              {std::max(1.0, tolerance.largest), tolerance.reason},
                              limit_of_model(by_formula(row), result.explanation()), remark);
        if (repeats_input(result)) compare.was_configured();
    }
    compare_chips(compare, validation);
    return compare.all();
}

std::vector<Comparison> validate_mmu_probe(const Validation& validation) {
    const CsvTable table = CsvTable::read(validation.scenarios + "/" + kProbe);
    const auto cell = [&](const CsvTable::Row& row, const char* column) { return row.cells[table.column(column)]; };
    const auto number = [&](const CsvTable::Row& row, const char* column) { return std::stod(cell(row, column)); };
    Comparisons compare("mmu-probe");
    compare.from("SONiC, MMU threshold probing of an Arista 7260CX3");
    const CsvTable::Row& first = table.rows().front();
    constexpr int kGroups = 21;
    NetworkScenario scenario;
    scenario.frame.payload = Bytes{18};
    scenario.front_end.obeys_pause = false;
    Switch& filled = scenario.network_switch;
    filled.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    filled.buffer.accounting = Buffer::Accounting::Ingress;
    filled.buffer.cell = Bytes{208};
    const auto cells = [](double amount) {
        return MemorySize{static_cast<std::int64_t>(amount), MemorySize::Unit::Cell};
    };
    filled.buffer.slices = static_cast<int>(number(first, "slices"));
    filled.buffer.size = cells(number(first, "pool_cells"));
    filled.buffer.alpha = Ratio{static_cast<std::int64_t>(number(first, "alpha")), 1};
    filled.buffer.reserved = cells(number(first, "reserved_cells"));
    filled.buffer.headroom = cells(number(first, "headroom_cells"));
    filled.buffer.headroom_pool =
        cells(number(first, "headroom_pool_cells") * filled.buffer.slices);  // the table's is a slice's
    filled.flow_control.kind = FlowControl::Kind::Pfc;
    filled.flow_control.alpha = filled.buffer.alpha;
    scenario.front_end.modules = kGroups * filled.buffer.slices;
    const std::vector<ProbedGroup> groups = probe(scenario, kGroups, make_exact_tx_disabled_switch);
    double accumulated = 0;
    std::size_t counted = 0;
    for (const CsvTable::Row& row : table.rows()) {
        if (cell(row, "run") != "headroom-pool" || cell(row, "asic") != "th2") continue;
        const auto group = static_cast<std::size_t>(number(row, "pg"));
        const ProbedGroup& probed = groups.at(group - 1);
        const std::string quantity = cell(row, "quantity");
        while (counted < group) accumulated += static_cast<double>(groups.at(counted++).headroom());
        const bool by_headroom = quantity.rfind("headroom", 0) == 0;
        const double value = quantity == "pfc_xoff"       ? static_cast<double>(probed.xoff)
                             : quantity == "ingress_drop" ? static_cast<double>(probed.drop)
                             : quantity == "headroom"     ? static_cast<double>(probed.headroom())
                                                          : accumulated;
        compare.predicted({quantity + ", group " + std::to_string(group), "cells"}, number(row, "point_cells"),
                          {value, kProbe, {by_headroom ? "headroom_cells" : "pool_cells"}}, {1, {}});
    }
    const double pool = std::accumulate(groups.begin(), groups.end(), 0.0, [](double sum, const ProbedGroup& group) {
        return sum + static_cast<double>(group.headroom());
    });
    compare.predicted({"headroom pool as the probe adds it up over 21 groups", "cells"}, 9429,
                      {pool, kProbe, {"headroom_pool_cells"}}, {1, {}},
                      "the 20th group finds 174 cells and the 21st none; each counts the frame that is lost");
    return compare.all();
}

}  // namespace watershed
