// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/thresholds/threshold-table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "model/base/frame.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr double kMostCells = 1e10;
constexpr int kMostGroups = 8000;

/// The cells of one row by the names of their columns.
class Cells {
  public:
    Cells(const CsvTable& table, const CsvTable::Row& row) : table_(table), row_(row) {}

    std::string text(const char* column) const {
        const auto at = table_.find_column(column);
        return at ? row_.cells[*at] : std::string();
    }
    bool has(const char* column) const { return !text(column).empty(); }
    /// @throws InputError if it is not a number from 0 to 10^10
    std::optional<double> number(const char* column, double most = kMostCells) const {
        const std::string cell = text(column);
        if (cell.empty()) return std::nullopt;
        std::size_t read = 0;
        double value = -1;
        try {
            value = std::stod(cell, &read);
        } catch (const std::exception&) {
            read = 0;
        }
        if (read != cell.size() || !(value >= 0 && value <= most)) refuse(column, "a number from 0 to 10^10");
        return value;
    }
    std::optional<int> count(const char* column, int least, int most) const {
        const auto value = number(column);
        if (!value) return std::nullopt;
        if (*value < least || *value > most || *value != std::floor(*value))
            refuse(column, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        return static_cast<int>(*value);
    }
    std::optional<Ratio> ratio(const char* column) const {
        const std::string cell = text(column);
        if (cell.empty()) return std::nullopt;
        try {
            const Ratio value = parse_ratio(cell);
            if (value.numerator > 0) return value;
        } catch (const std::invalid_argument&) {
        }
        refuse(column, "a number above 0 such as 8, 0.125 or 1/8");
    }
    /// Amounts with blanks between them.
    std::vector<double> numbers(const char* column) const {
        std::istringstream text_of(text(column));
        std::vector<double> values;
        for (std::string each; text_of >> each;) {
            try {
                std::size_t read = 0;
                values.push_back(std::stod(each, &read));
                if (read == each.size() && values.back() >= 0 && values.back() <= kMostCells) continue;
            } catch (const std::exception&) {
            }
            refuse(column, "numbers from 0 to 10^10 with blanks between them");
        }
        return values;
    }
    [[noreturn]] void refuse(const char* column, const std::string& expected) const {
        table_.refuse(row_, table_.column(column), expected);
    }

  private:
    const CsvTable& table_;
    const CsvTable::Row& row_;
};

/// Sizes of a frame, and conversion of amounts of the table to the unit of the memory.
struct Charge {
    Bytes frame{64};
    Bytes cell{0};
    Bytes header{0};
    double cells_per_unit = 1;  ///< cells of the memory per unit of the table

    MemorySize amount(double units) const {
        // The table rounds to two digits; the true amounts are whole.
        return {static_cast<std::int64_t>(std::floor(units * cells_per_unit + 1e-6)), MemorySize::Unit::Cell};
    }
};

/// Bytes in steps of which a packet's memory is handed out where it has no cells: then cell_bytes is what one packet
/// takes. Jericho chips do so (64 + 48 B and 2430 + 48 B fill 112 and 2480 B).
std::optional<std::int64_t> step_of(const Cells& cells) {
    if (const auto stated = cells.count("step_bytes", 1, 65536)) return *stated;
    if (cells.text("asic").rfind("j2", 0) == 0) return 16;
    return std::nullopt;
}

/// @throws InputError for packets that fit no cell_bytes
std::optional<Charge> charge_of(const Cells& cells, std::vector<std::string>& missing) {
    Charge charge;
    const std::optional<double> cell_bytes = cells.number("cell_bytes", 65536);
    const std::string unit = cells.text("unit");
    if (const auto packet = packet_of(unit)) {
        if (!cell_bytes) {
            missing.emplace_back("cell_bytes");
            return std::nullopt;
        }
        const auto stored = static_cast<std::int64_t>(*cell_bytes);
        if (*packet < kMinimumFrame.count || *packet > 9000) cells.refuse("unit", "packets of 64 to 9000 B");
        charge.frame = Bytes{*packet};
        charge.cell = Bytes{stored};
        if (const auto step = step_of(cells)) {
            if (stored < *packet) cells.refuse("cell_bytes", "at least the bytes of the packet");
            charge.cell = Bytes{*step};
            charge.header = Bytes{stored - *packet};
            charge.cells_per_unit = *cell_bytes / static_cast<double>(*step);
        } else if (stored == 0) {
            cells.refuse("cell_bytes", "bytes of a cell");
        }
        return charge;
    }
    if (!unit.empty() && unit != "cells") cells.refuse("unit", "cells, or packets such as \"64-B packets\"");
    charge.cell = std::max(charge.frame, Bytes{static_cast<std::int64_t>(cell_bytes.value_or(0))});
    return charge;
}

/// Returns the shared part of the pool, in the unit of the table: as stated in the row, or else the pool minus the
/// headroom pool and all minima; std::nullopt if unknown.
std::optional<double> shared_of(const Cells& cells) {
    if (const auto shared = cells.number("shared_cells")) return shared;
    const auto cell = cells.number("cell_bytes");
    const bool has_cell = cell && *cell > 0;
    std::optional<double> pool = cells.number("pool_cells");
    if (const auto bytes = cells.number("pool_bytes", 1e14); bytes && has_cell) pool = *bytes / *cell;
    if (!pool) return std::nullopt;
    const auto headroom = cells.number("xoff_pool_bytes", 1e14);
    if (headroom && *headroom > 0 && !has_cell) return std::nullopt;
    return std::max(
        0.0, *pool - (headroom && has_cell ? *headroom / *cell : 0) - cells.number("reserved_sum_cells").value_or(0));
}

/// Lossless groups of one port that share its headroom: on Spectrum chips the headroom pool has a limit for each port,
/// the sum of those of its groups, and one group may take it all. There are 2, or 4 on a switch of a dual ToR
/// (sonic-mgmt, tests/qos/files/mellanox/qos_param_generator.py). Elsewhere each group has its own.
int groups_with_one_headroom(const Cells& cells) {
    if (const auto stated = cells.count("pgs_per_port", 1, 8)) return *stated;
    if (cells.text("asic").rfind("spc", 0) != 0) return 1;
    return cells.text("hwsku").find("dualtor") == std::string::npos ? 2 : 4;
}

/// Returns the common scenario of all tests of a lossless group.
NetworkScenario lossless_switch(const Charge& charge, double size, Ratio alpha, int slices, double reserved) {
    NetworkScenario scenario;
    scenario.frame.payload = charge.frame - kHeadersAndFcs;
    scenario.frame.mtu = Bytes{9000};
    scenario.front_end.obeys_pause = false;
    Switch& filled = scenario.network_switch;
    Buffer& buffer = filled.buffer;
    buffer.sharing = Buffer::Sharing::DynamicThreshold;
    buffer.accounting = Buffer::Accounting::Ingress;
    buffer.size = charge.amount(size);
    buffer.alpha = alpha;
    buffer.slices = slices;
    buffer.cell = charge.cell;
    buffer.cell_header = charge.header;
    buffer.reserved = charge.amount(reserved);
    filled.flow_control.kind = FlowControl::Kind::Pfc;
    filled.flow_control.alpha = alpha;
    filled.flow_control.xon_fixed = true;
    filled.flow_control.xon_offset = charge.amount(0);
    return scenario;
}

struct Kind {
    const char* quantity;
    FillEvent event;
};
constexpr std::array<Kind, 8> kKinds{{{"pfc_xoff", FillEvent::Xoff},
                                      {"pfc_xoff_npg", FillEvent::Xoff},
                                      {"ladder_k", FillEvent::Xoff},
                                      {"ingress_drop", FillEvent::IngressDrop},
                                      {"egress_drop", FillEvent::EgressDrop},
                                      {"pfc_xon", FillEvent::Xon},
                                      {"headroom_full", FillEvent::HeadroomFull},
                                      {"headroom_partial", FillEvent::HeadroomPartial}}};

/// A test of a policy other than the dynamic threshold: groups are filled until the policy refuses a frame. That is
/// where their senders would be told to pause, or where they lose without it.
void add_limit_test(ThresholdRow& row, const Cells& cells, const std::string& sharing) {
    const bool nested = sharing == "nested-threshold";
    const auto need = [&](const char* column, auto value) {
        if (!value) row.missing.emplace_back(column);
        return value;
    };
    FillTest test;
    if (row.quantity == "ingress_drop")
        test.event = FillEvent::IngressDrop;
    else if (row.quantity == "pfc_xoff" || row.quantity == "ladder_k")
        test.event = FillEvent::Limit;
    else
        row.missing.emplace_back("quantity");
    const std::optional<Charge> charge = charge_of(cells, row.missing);
    const std::optional<double> shared = need("shared_cells", shared_of(cells));
    const std::optional<double> reserved = need("reserved_cells", cells.number("reserved_cells"));
    std::optional<Ratio> alpha, port_alpha;
    const std::vector<double> free = cells.numbers("step_free"), limits = cells.numbers("step_limits");
    if (nested) {
        alpha = need("alpha", cells.ratio("alpha"));
        port_alpha = need("port_alpha", cells.ratio("port_alpha"));
    } else {
        if (free.empty()) row.missing.emplace_back("step_free");
        if (limits.empty()) row.missing.emplace_back("step_limits");
    }
    if (row.quantity == "ladder_k") test.before = need("k", cells.count("k", 0, kMostGroups)).value_or(0);
    if (!row.missing.empty()) return;
    if (limits.size() != free.size()) cells.refuse("step_limits", "as many as step_free");

    test.scenario = lossless_switch(*charge, *shared, alpha.value_or(Ratio{1, 1}), 1, *reserved);
    Switch& filled = test.scenario.network_switch;
    filled.flow_control = FlowControl{};
    filled.buffer.sharing = Buffer::Sharing::named(sharing);
    if (port_alpha) filled.buffer.port_alpha = *port_alpha;
    for (const double each : free) filled.buffer.step_free.push_back(charge->amount(each));
    for (const double each : limits) filled.buffer.step_limits.push_back(charge->amount(each));
    filled.buffer.classes = cells.count("pgs_per_port", 1, 8).value_or(1);
    test.scenario.front_end.modules = test.before / filled.buffer.classes + 1;
    row.slice = *shared;
    row.reserved = *reserved;
    row.test = std::move(test);
}

void add_test(ThresholdRow& row, const Cells& cells) {
    const std::string sharing = cells.text("sharing");
    if (sharing == "nested-threshold" || sharing == "stepped-threshold") return add_limit_test(row, cells, sharing);
    if (!sharing.empty() && sharing != "dynamic-threshold")
        cells.refuse("sharing", "dynamic-threshold, nested-threshold or stepped-threshold");
    const auto kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& each) { return row.quantity == each.quantity; });
    if (kind == kKinds.end()) {
        row.missing.emplace_back("quantity");
        return;
    }
    const auto need = [&](const char* column, auto value) {
        if (!value) row.missing.emplace_back(column);
        return value;
    };
    const FillEvent event = kind->event;
    const bool by_threshold =
        event == FillEvent::Xoff || event == FillEvent::IngressDrop || event == FillEvent::EgressDrop;
    const bool by_headroom =
        event == FillEvent::IngressDrop || event == FillEvent::HeadroomFull || event == FillEvent::HeadroomPartial;
    const std::optional<Charge> charge = charge_of(cells, row.missing);
    std::optional<Ratio> alpha = cells.ratio("alpha");
    const std::optional<double> shared = shared_of(cells);
    std::optional<int> slices = cells.count("slices", 1, 1024);
    std::optional<double> reserved = cells.number("reserved_cells");
    FillTest test;
    test.event = event;
    if (by_threshold) {
        if (!shared)
            row.missing.emplace_back(cells.has("pool_bytes") || cells.has("pool_cells") ? "cell_bytes" : "pool_cells");
        need("alpha", alpha);
        need("slices", slices);
        need("reserved_cells", reserved);
    }
    std::optional<double> headroom;
    if (by_headroom) headroom = need("headroom_cells", cells.number("headroom_cells"));
    std::optional<double> pool = cells.number("xoff_pool_bytes", 1e14);
    const auto cell = cells.number("cell_bytes");
    if (event == FillEvent::HeadroomPartial) {
        need("xoff_pool_bytes", pool);
        if (!cell || *cell == 0) row.missing.emplace_back("cell_bytes");
        need("slices", slices);
    }
    std::optional<double> xon;
    if (event == FillEvent::Xon) xon = need("xon_offset", cells.number("xon_offset"));
    if (row.quantity == "ladder_k") test.before = need("k", cells.count("k", 0, kMostGroups)).value_or(0);
    if (row.quantity == "pfc_xoff_npg")
        test.together = need("pgs_num", cells.count("pgs_num", 1, kMostGroups)).value_or(1);
    if (!row.missing.empty()) return;

    // Tests of XON and headroom do not depend on the thresholds, so that any alpha can replace a missing one.
    const bool stands_in = !alpha || !shared || !slices;
    if (stands_in) {
        slices = slices.value_or(1);
        alpha = Ratio{1, 1};
        reserved = 0;
    }
    int groups = test.before + test.together;
    if (event == FillEvent::HeadroomPartial) {
        const double full = *headroom > 0 ? *pool / *cell / *slices / *headroom : kMostGroups;
        if (full + 2 > kMostGroups) cells.refuse("headroom_cells", "more: the pool is enough for thousands of groups");
        groups = static_cast<int>(full) + 2;
    }
    const double minimum = reserved.value_or(0);
    test.scenario = lossless_switch(*charge, shared.value_or(0), *alpha, *slices, minimum);
    Switch& filled = test.scenario.network_switch;
    test.scenario.front_end.modules = groups * *slices;  // the first of them are in one slice
    filled.buffer.egress_pipeline =
        cells.count("leak_out", 0, 1'000'000).value_or(0) + cells.count("egr_mem", 0, 1'000'000).value_or(0);
    if (headroom) {
        filled.buffer.headroom = charge->amount(*headroom * groups_with_one_headroom(cells));
        if (event == FillEvent::HeadroomPartial) filled.buffer.headroom_pool = charge->amount(*pool / *cell);
    }
    if (xon)
        filled.flow_control.xon_offset = {static_cast<std::int64_t>(std::ceil(*xon * charge->cells_per_unit - 1e-6)),
                                          MemorySize::Unit::Cell};
    if (event == FillEvent::EgressDrop) {
        filled.flow_control = FlowControl{};
        filled.buffer.accounting = Buffer::Accounting::Egress;
        test.scenario.front_end.modules = 1;
        filled.uplinks = *slices;
        if (const auto bits = cells.count("threshold_mantissa", 1, 32)) filled.buffer.threshold_mantissa = *bits;
        filled.buffer.threshold_extra_step = cells.count("threshold_extra_step", 0, 1).value_or(0) == 1;
    }
    if (stands_in)  // a whole number of frames, so that every group comes to XOFF
        filled.buffer.size.amount = std::int64_t{*slices} * (static_cast<std::int64_t>(xon.value_or(0)) + 2) * 8 *
                                    ceil_div((charge->frame + charge->header).count, charge->cell.count);
    row.slice = shared.value_or(0) / *slices;
    row.alpha = static_cast<double>(alpha->numerator) / static_cast<double>(alpha->denominator);
    row.reserved = minimum;
    row.headroom = headroom.value_or(0);
    row.test = std::move(test);
}

}  // namespace

std::optional<std::int64_t> packet_of(const std::string& unit) {
    const auto dash = unit.find("-B packets");
    if (dash == std::string::npos || dash == 0 || dash > 5 || unit.find_first_not_of("0123456789") != dash)
        return std::nullopt;
    return std::stoll(unit.substr(0, dash));
}

std::vector<ThresholdRow> read_threshold_rows(const CsvTable& table) {
    table.column("quantity");
    std::vector<ThresholdRow> rows;
    for (const CsvTable::Row& line : table.rows()) {
        const Cells cells(table, line);
        ThresholdRow row;
        row.number = static_cast<int>(rows.size()) + 1;
        row.line = line.line;
        row.asic = cells.text("asic");
        row.hwsku = cells.text("hwsku");
        row.quantity = cells.text("quantity");
        row.unit = cells.text("unit");
        row.inputs = cells.text("inputs");
        row.suspect = cells.text("suspect");
        row.value = cells.number("value");
        row.margin = cells.number("margin");
        add_test(row, cells);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace watershed
