// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>

#include "scenarios/run/system-run.h"

namespace watershed {

/// What the run of a system has to say, whatever its results are, for as long as there is its scenario.
struct SystemReport {
    std::function<std::string()> json;
    std::function<void(std::ostream&)> print;  ///< a table for people
};

/// By to_json() and print() of the run.
template <class Result>
SystemReport report_of(SystemRun<Result> run) {
    const auto kept = std::make_shared<const SystemRun<Result>>(std::move(run));
    return {[kept] { return to_json(*kept).dump(2); }, [kept](std::ostream& out) { print(out, *kept); }};
}

}  // namespace watershed
