// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>
#include <nlohmann/json.hpp>

#include "calibrate/closed-form/overload.h"
#include "calibrate/commands/commands.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Kind = OverloadFit::Kind;

constexpr std::size_t kFewest = 3;  // overloads; of fewer the scatter is not known

OverloadFit fit_of(const CsvTable& table, const Conditions& conditions) {
    const std::vector<Overload> overloads = overloads_from(table);
    if (overloads.empty()) throw InputError(table.name() + ": found no row, expected one overload at least");
    return fit_overloads(overloads, conditions.frame, conditions.unit == MemorySize::Unit::Frame);
}

std::string amount(const OverloadFit& fit, double value) {
    return text_line(fit.frames ? "%.1f frames" : "%.0f B", value);
}

/// "1009600 B (95 %: 1008000 B to 1011200 B)"
std::string with_interval(const OverloadFit& fit, double value) {
    return amount(fit, value) +
           (fit.margin ? " (95 %: " + amount(fit, value - *fit.margin) + " to " + amount(fit, value + *fit.margin) + ")"
                       : " (one overload tells no interval)");
}

/// Returns the depth and what it rests on, in a line.
std::string headline(const std::string& name, const OverloadFit& fit) {
    const std::string rests = how_many(fit.overloads.size(), "overload");
    if (fit.kind == Kind::Policer)
        return name + ": no queue but a policer: of " + rests +
               " frames are lost, and those that arrive come without delay; it lets " + with_interval(fit, fit.depth) +
               " pass at once";
    if (fit.kind == Kind::Bucket)
        return name + ": a queue of " + with_interval(fit, *fit.delayed) +
               ", as the delay of its last frames tells, and a token bucket that lets " +
               amount(fit, fit.depth - *fit.delayed) + " pass at once; from the first drops of " + rests;
    return name + ": depth " + with_interval(fit, fit.depth) + ", from the first drops of " + rests +
           (fit.delayed ? "; the delay of their last frames tells " + amount(fit, *fit.delayed)
                        : "; no delay was measured, and a policer would look alike") +
           (fit.by_rate ? "; it depends on the rate: " + amount(fit, fit.by_rate->first) + " at lower, " +
                              amount(fit, fit.by_rate->second) + " at higher ones"
                        : "");
}

}  // namespace

void fit_overload_table(const CsvTable& table, const Conditions& conditions, const std::string& json) {
    const OverloadFit fit = fit_of(table, conditions);
    if (!json.empty()) {
        static const char* const kKinds[] = {"queue", "queue-and-bucket", "policer"};
        const double depth = fit.kind == Kind::Bucket ? *fit.delayed : fit.depth;
        nlohmann::ordered_json told{
            {"program", Provenance::program()},
            {"command", Provenance::command()},
            {"status", fit.kind == Kind::Policer ? "misfit" : "separated"},
            {"queue", kKinds[int(fit.kind)]},
            {"plain_memory", fit.kind == Kind::Queue && !fit.by_rate},
            {"overloads", fit.overloads.size()},
            {"depth", {{"unit", fit.frames ? "frames" : "bytes"}, {"estimate", depth}, {"interval95", nullptr}}},
            {"passed_before_first_drop", fit.depth},
            {"delayed", nullptr},
            {"service_rate", {{"bits_per_s", fit.output}}}};
        if (fit.margin) told["depth"]["interval95"] = {depth - *fit.margin, depth + *fit.margin};
        if (fit.kind == Kind::Policer) told["depth"]["estimate"] = told["depth"]["interval95"] = nullptr;
        if (fit.by_rate) told["depth"]["by_rate"] = {fit.by_rate->first, fit.by_rate->second};
        if (fit.delayed) told["delayed"] = *fit.delayed;
        OutputFile(json).write(told.dump(2) + '\n');
    }
    if (json == "-") return;
    std::cout << headline(table.name(), fit) << text_line("\n  output  %.6g Mb/s\n", fit.output / 1e6);
    for (const Overload& one : fit.overloads)
        std::cout << text_line("  offered %.6g Mb/s, first drop after %s: %lld B more came than left\n",
                               in_megabits(one.offered), rounded(one.first_drop),
                               held(one.offered, one.output, one.first_drop));
}

bool overloads_suffice(const CsvTable& table, const Conditions& conditions, double precision) {
    const std::size_t rows = table.rows().size();
    if (rows < kFewest) return false;
    const OverloadFit fit = fit_of(table, conditions);
    constexpr double kNoBetter = 1.25;  // frames: in a shallow memory one is left, however often it is measured
    return *fit.margin <= std::max(precision * fit.depth, kNoBetter * fit.frame);
}

void advise_overloads(const CsvTable& table, const Conditions& conditions, double precision, const std::string& json) {
    const OverloadFit fit = fit_of(table, conditions);
    const auto by_rate = [](const Overload& a, const Overload& b) { return a.offered < b.offered; };
    const auto [least, most] = std::minmax_element(fit.overloads.begin(), fit.overloads.end(), by_rate);
    // A depth that depends on the rate is none: a wrong output shows itself there.
    constexpr double kNear = 1.2;
    const double excess = in_megabits(most->offered) - fit.output / 1e6;
    const bool other = overloads_suffice(table, conditions, precision),
               one_rate = excess < kNear * (in_megabits(least->offered) - fit.output / 1e6),
               stop = other && (!one_rate || fit.kind == Kind::Policer);
    const double megabits = other ? in_megabits(most->offered) - excess / 2 : in_megabits(most->offered);
    const std::string reason = stop         ? "the depth is known well enough"
                               : other      ? "another rate tells whether the depth depends on it"
                               : fit.margin ? "the depth is not known well enough yet"
                                            : "one overload tells no interval";
    nlohmann::ordered_json told{{"stop", stop}, {"reason", reason}, {"points", nlohmann::ordered_json::array()}};
    if (!stop) told["points"].push_back({{"offered_mbps", megabits}});
    if (!json.empty()) OutputFile(json).write(told.dump(2) + '\n');
    if (json == "-") return;
    std::cout << headline(table.name(), fit) << '\n'
              << (stop ? std::string("Stop: ") : text_line("Next: measure --overload \"%.4g Mb/s\":", megabits) + " ")
              << reason << '\n';
}

}  // namespace watershed
