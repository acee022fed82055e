// SPDX-License-Identifier: GPL-2.0-only

#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
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

/// A fitted switch as a file that a scenario can name as `switch.model`: as those of the catalogue, each value with its
/// source.
class SwitchFile {
  public:
    SwitchFile(std::string name, std::string source) : name_(std::move(name)), source_(std::move(source)) {}

    /// From now on values have this source, and were not fitted; empty: as before.
    void given(const std::string& by) { given_ = by; }
    /// @param key    of a scenario, "switch.buffer.size"
    /// @param remark what else there is to say of the source of a fitted value
    void add(const std::string& key, const std::string& value, const std::string& remark = "") {
        add_toml(key, quoted(value), remark);
    }
    void add(const std::string& key, std::int64_t value, const std::string& remark = "") {
        add_toml(key, std::to_string(value), remark);
    }
    void add(const std::string& key, const std::vector<std::int64_t>& values) {
        add_toml(key, "[" + listed(values, [](std::int64_t value) { return std::to_string(value); }) + "]", "");
    }
    template <class Model>
    void add_memory(std::int64_t amount, const Model& model, const std::string& remark = "") {
        add("switch.buffer.size", to_text(MemorySize{amount, model.unit}), remark);
        if (model.unit != MemorySize::Unit::Cell) return;
        add("switch.buffer.cell", to_text(Bytes{model.cell}));
        if (model.header > 0) add("switch.buffer.cell_header", to_text(Bytes{model.header}));
    }
    void write(std::ostream& out) const {
        out << Provenance::comment() << "name = " << quoted(name_) << '\n';
        for (const auto& [table, lines] : tables_) out << "\n[" << table << "]\n" << lines;
    }

  private:
    void add_toml(const std::string& key, const std::string& value, const std::string& remark) {
        const std::string table = key.substr(0, key.rfind('.'));
        auto found = boost::find_if(tables_, [&](const auto& each) { return each.first == table; });
        if (found == tables_.end()) found = tables_.insert(found, {table, ""});
        found->second += key.substr(table.size() + 1) + " = { value = " + value +
                         (given_.empty() ? ", standing = \"derived\", source = " +
                                               quoted(source_ + (remark.empty() ? "" : ": " + remark))
                                         : ", source = " + quoted("Given by " + given_ + ", not fitted")) +
                         " }\n";
    }

    std::string name_, source_, given_;
    std::vector<std::pair<std::string, std::string>> tables_;  ///< TOML takes each once: its name and its lines
};

std::string resume_value(const FittedResume& resume, const AbsorptionModel& model) {
    if (resume.gap <= 0) return number_text(100 * resume.fraction) + " %";
    const auto amount = std::int64_t(double(*model.depth) - resume.gap);
    return to_text(MemorySize{std::max<std::int64_t>(0, amount), model.unit});
}

}  // namespace

void write_switch(std::ostream& out, const Fit& fit) {
    const ModelFit& best = fit.best();
    if (fit.status == FitStatus::Misfit)
        throw InputError(fit.map.source + ": no switch to write: no kind of memory explains these bursts");
    if (best.model.ring_port > 0)
        throw InputError(fit.map.source + ": no switch to write: the server loses these frames, not the switch");
    const FitOptions& known = fit.options;
    const bool none = !has_estimates(fit) && !(known.depth && known.service_rate);
    if (none || !best.depth.value || !best.rate.value)
        throw InputError(
            fit.map.source + ": no switch to write: " + (none ? "no estimate, because bursts " : "these bursts ") +
            (!has_estimates(fit) ? "contradict each other" : "limit depth or service rate on one side only"));
    const auto remark = [&](const Estimate& estimate, double scale, const std::string& unit) {
        return "95 % " + limits_text(in_known_digits(scaled(estimate, scale), best.error_of_ends).interval95) +
               (unit.empty() ? "" : " " + unit);
    };
    const bool doubtful = fit.status == FitStatus::Inconsistent || fit.status == FitStatus::Unbounded;
    SwitchFile file("Fit of " + fit.map.source, "Fitted to " + fit.map.source + ", model " + best.model.name() +
                                                    (doubtful ? ", status " + to_text(fit.status) : ""));
    const int uplinks = largest(fit.bursts, &Burst::uplinks, 1);
    file.given(fit.conditions.scenario.empty() ? fit.map.source : fit.conditions.scenario);
    file.add("switch.uplinks", uplinks);
    file.given(known.service_rate ? "--fix service_rate" : "");
    file.add("switch.uplink_rate", to_text(known.service_rate.value_or(BitRate{std::llround(*best.rate.value)})),
             remark(best.rate, 1e-6, "Mb/s"));
    const Feature feature = best.model.feature;
    const double value = best.model.value;
    file.given(known.kind ? "--fix kind" : known.sharing ? "--fix sharing" : "");
    file.add("switch.buffer.sharing",
             feature == Feature::DynamicThreshold ? "dynamic-threshold" : best.model.sharing->name);
    file.given(known.depth ? "--fix depth" : "");
    const std::int64_t depth = known.depth ? known.depth->amount : std::llround(*best.depth.value),
                       reserve = best.model.has_reserve()
                                     ? std::llround(value * double(depth) / double(best.model.owners))
                                     : 0;
    file.add_memory(depth - reserve * best.model.owners, best.model,
                    remark(best.depth, 1, unit_of(best.model)) + (reserve > 0 ? " with all reserves" : ""));
    file.given("");
    if (best.feature) {
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
            case Feature::Reserve: file.add("switch.buffer.accounting", "ingress"); [[fallthrough]];
            case Feature::OutputReserve:
                file.add("switch.buffer.reserved", to_text(MemorySize{reserve, best.model.unit}),
                         "part of the whole that is reserved: " + of_feature);
                break;
            case Feature::None: break;
        }
    }
    file.write(out);
}

void write_switch(std::ostream& out, const AbsorptionFit& fit, const AbsorptionTest& test) {
    if (fit.candidates.empty()) throw InputError(test.source + ": no switch to write: nothing explains the table");
    SwitchFile file(fit.name.value_or("Fit of " + test.source),
                    "Fitted to " + test.source + (fit.name ? ", switch " + *fit.name : ""));
    if (fit.model.input_fifo > 0) file.add("switch.input_fifo", to_text(Bytes{fit.model.input_fifo}));
    file.add("switch.buffer.sharing", "shared");
    if (fit.model.release_at_start) file.add("switch.buffer.release", "start");
    if (fit.model.depth) {
        file.add_memory(*fit.model.depth, fit.model);
        if (fit.model.descriptors) file.add("switch.buffer.descriptors", *fit.model.descriptors);
    } else {
        file.add("switch.buffer.size", to_text(MemorySize{*fit.model.descriptors, MemorySize::Unit::Frame}));
    }
    const auto& memory = fit.model.depth ? fit.memory_resume : fit.descriptor_resume;
    if (memory && !memory->immediate) file.add("switch.buffer.resume", resume_value(*memory, fit.model));
    if (fit.model.depth && fit.model.descriptors && fit.descriptor_resume && !fit.descriptor_resume->immediate)
        file.add("switch.buffer.descriptors_resume", resume_value(*fit.descriptor_resume, fit.model));
    file.write(out);
}

}  // namespace watershed
