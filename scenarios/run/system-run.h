// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "model/base/outcome.h"
#include "model/scenario.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/progress.h"

namespace watershed {

// Common parts of the runs of all systems other than the camera.

/// Scenario of a system, and the results of its points.
template <class Result>
struct SystemRun {
    const Scenario& scenario;
    std::vector<Result> results;
    double wall_seconds = 0;

    /// A member of the results, summed over them.
    template <class Value>
    Value sum(Value Result::*member) const {
        Value total{};
        for (const Result& result : results) total += result.*member;
        return total;
    }
    /// By place and reason, of all results.
    std::vector<Outcome::Loss> losses() const {
        std::map<std::pair<std::string, std::string>, std::int64_t> sums;
        for (const Result& result : results)
            for (const Outcome::Loss& loss : result.losses) sums[{loss.where, loss.reason}] += loss.frames;
        std::vector<Outcome::Loss> losses;
        for (const auto& [cause, frames] : sums) losses.push_back({cause.first, cause.second, frames});
        return losses;
    }
};

/// Simulates the points one after the other.
/// @param simulate  gives the result of a point
/// @param steps     of the progress, for each point
template <class Point, class Simulate>
auto run_points(const Scenario& scenario, const std::vector<Point>& points, Progress& progress, std::int64_t steps,
                Simulate simulate) {
    SystemRun<decltype(simulate(points.front()))> run{scenario, {}, 0};
    const auto start = std::chrono::steady_clock::now();
    for (const Point& point : points) {
        run.results.push_back(simulate(point));
        progress.done(static_cast<std::int64_t>(run.results.size()) * steps);
    }
    run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return run;
}

/// The name of a capture, PREFIX-END; empty if the prefix is, which captures nothing.
std::string capture_name(const std::string& pcap_prefix, const std::string& end);

/// @param expected  such as "one payload and one spacing"
/// @throws InputError if there are several runs to capture
void expect_one_capture(const std::string& pcap_prefix, std::size_t runs, const std::string& expected);

/// Returns the first members of a system's JSON.
nlohmann::ordered_json system_head(const char* system, const char* engine, const Scenario& scenario);
nlohmann::ordered_json losses_json(const std::vector<Outcome::Loss>& losses);
nlohmann::ordered_json frames_json(std::int64_t sent, std::int64_t received);

/// Report of a system's run, independent of the type of its results. @pre the scenario outlives it
struct SystemReport {
    std::function<std::string()> json;         ///< returns the JSON
    std::function<void(std::ostream&)> print;  ///< prints a table for people
};

/// By to_json() and print() of the run.
template <class Result>
SystemReport report_of(SystemRun<Result> run) {
    const auto kept = std::make_shared<const SystemRun<Result>>(std::move(run));
    return {[kept] { return json_text(to_json(*kept)); }, [kept](std::ostream& out) { print(out, *kept); }};
}

}  // namespace watershed
