// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/switch-file.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "calibrate/fit/report-text.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// A TOML string: names of switches and files may hold anything.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '"';
}

/// Uplink of each module: those of the fullest, the first, evenly among those that the others carry in turn.
std::vector<std::int64_t> uneven_list(std::int64_t ports, int uplinks, std::int64_t fullest) {
    std::vector<std::int64_t> list;
    for (std::int64_t module = 0, other = 0; module < ports; ++module) {
        const bool mine = (module + 1) * fullest / ports > module * fullest / ports;
        list.push_back(mine ? 1 : 2 + other++ % (uplinks - 1));
    }
    return list;
}

}  // namespace

void SwitchFile::add(const std::string& key, const std::string& value, const std::string& remark) {
    const std::size_t dot = key.rfind('.');
    entries_.push_back({key.substr(0, dot), key.substr(dot + 1), quoted(value), remark});
}

void SwitchFile::add(const std::string& key, std::int64_t value, const std::string& remark) {
    const std::size_t dot = key.rfind('.');
    entries_.push_back({key.substr(0, dot), key.substr(dot + 1), std::to_string(value), remark});
}

void SwitchFile::add(const std::string& key, const std::vector<std::int64_t>& values) {
    const std::size_t dot = key.rfind('.');
    entries_.push_back({key.substr(0, dot), key.substr(dot + 1),
                        "[" + listed(values, [](std::int64_t value) { return std::to_string(value); }) + "]", ""});
}

void SwitchFile::write(std::ostream& out) const {
    out << Provenance::comment() << "name = " << quoted(name_) << '\n';
    // TOML takes each table once, wherever its keys were added.
    std::vector<std::string> tables;
    for (const Entry& entry : entries_)
        if (boost::range::find(tables, entry.table) == tables.end()) tables.push_back(entry.table);
    for (const std::string& table : tables) {
        out << "\n[" << table << "]\n";
        for (const Entry& entry : entries_) {
            if (entry.table != table) continue;
            out << entry.key << " = { value = " << entry.value << ", standing = \"derived\", source = "
                << quoted(source_ + (entry.remark.empty() ? "" : ": " + entry.remark)) << " }\n";
        }
    }
}

void write_switch(std::ostream& out, const Fit& fit) {
    const ModelFit& best = fit.best();
    if (fit.status == FitStatus::Misfit)
        throw InputError(fit.source + ": no switch to write: no kind of memory explains these bursts");
    if (!best.depth.value || !best.rate.value)
        throw InputError(fit.source + ": no switch to write: these bursts " +
                         (fit.status == FitStatus::Inconsistent ? "contradict each other"
                                                                : "limit depth or service rate on one side only"));
    const auto remark = [&](const Estimate& estimate, double scale, const std::string& unit) {
        return "95 % " + limits_text(in_known_digits(scaled(estimate, scale), best.error_of_ends).interval95) +
               (unit.empty() ? "" : " " + unit);
    };
    const bool doubtful = fit.status == FitStatus::Inconsistent || fit.status == FitStatus::Unbounded;
    SwitchFile file("Fit of " + fit.source, "Fitted to " + fit.source + ", model " + best.model.name() +
                                                (doubtful ? ", status " + to_text(fit.status) : ""));
    int uplinks = 1;
    for (const Burst& burst : fit.bursts) uplinks = std::max(uplinks, burst.uplinks);
    file.add("switch.uplinks", uplinks);
    file.add("switch.uplink_rate", to_text(BitRate{std::llround(*best.rate.value)}), remark(best.rate, 1e-6, "Mb/s"));
    const Feature feature = best.model.feature;
    file.add("switch.buffer.sharing", feature == Feature::DynamicThreshold              ? "dynamic-threshold"
                                      : best.model.sharing == Buffer::Sharing::Shared   ? "shared"
                                      : best.model.sharing == Buffer::Sharing::PerInput ? "per-input"
                                                                                        : "per-output");
    file.add("switch.buffer.size", to_text(MemorySize{std::llround(*best.depth.value), best.model.unit}),
             remark(best.depth, 1, unit_of(best.model)));
    if (best.model.unit == MemorySize::Unit::Cell) {
        file.add("switch.buffer.cell", to_text(Bytes{best.model.cell}));
        if (best.model.header > 0) file.add("switch.buffer.cell_header", to_text(Bytes{best.model.header}));
    }
    if (best.feature) {
        const double value = best.model.value;
        const std::string of_feature = remark(*best.feature, 1, "");
        switch (feature) {
            case Feature::Descriptors: file.add("switch.buffer.descriptors", std::llround(value), of_feature); break;
            case Feature::Resume:
                file.add("switch.buffer.resume", number_text(std::floor(1e6 * value) / 1e4) + " %", of_feature);
                break;
            case Feature::DynamicThreshold:
                file.add("switch.buffer.alpha", std::to_string(std::llround(1000 * value)) + "/1000", of_feature);
                break;
            case Feature::UnevenUplinks:
                file.add("switch.uplink_selection", "static", "share of the fullest uplink: " + of_feature);
                file.add("switch.uplink_list",
                         uneven_list(fit.bursts.front().ports, uplinks, best.model.fullest(fit.bursts.front())));
                break;
            case Feature::None: break;
        }
    }
    file.write(out);
}

}  // namespace watershed
