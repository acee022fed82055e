// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/text/loss-map.h"

/// The files that figures are drawn from, recognised by what is in them.
namespace watershed {

enum class InputKind { LossMap, Boundary, Saturation, Occupancy, Fit, Run, Campaigns, Advice, Draws };

struct BoundaryFile {
    std::string file;
    std::vector<BoundaryPoint> points;  ///< by ascending separation
};

/// Highest trigger rate without loss, in kHz, beside what the uplink's bit rate allows under each meaning of a frame's
/// size.
struct SaturationFile {
    struct Row {
        std::int64_t ports = 0;
        double measured = 0, payload_limit = 0, payload_ip_udp_limit = 0, frame_limit = 0, wire_limit = 0;
    };
    std::string file;
    std::vector<Row> rows;  ///< by ascending ports
};

/// How full the memory is from `time_us` on.
struct OccupancyStep {
    double time_us = 0;
    double frames = 0;
    double bytes = 0;
};

struct OccupancyFile {
    std::string file;
    std::vector<OccupancyStep> steps;
    std::optional<MemorySize> capacity;  ///< from a comment `# capacity: 308000 frames`
    std::optional<std::string> run{};    ///< the run, as run_text() names it, from a comment `# run: …`
};

struct Bounds {
    double low = 0, high = 0;
};

/// Properties that bursts share if one line divides them.
struct Mix {
    int ports = 0;
    Bytes payload{0};
    int uplinks = 0;  ///< congested uplinks; 0: those of the scenario, where no fit says how many that is
    friend bool operator==(const Mix& a, const Mix& b) {
        return a.ports == b.ports && a.payload == b.payload && a.uplinks == b.uplinks;
    }
};

/// The members of `watershed fit --json` that figures draw.
struct FitFile {
    struct CurvePoint {
        double separation_us = 0, events = 0;
        Bounds band;  ///< 95 %
    };
    struct Model {
        std::string name;
        bool feasible = false;
        double probability = 0;
    };
    struct Line {
        Mix mix;
        std::vector<CurvePoint> curve;
        std::optional<double> asymptote_us;
    };
    std::string file, map, status, model;
    int uplinks = 1;          ///< uplinks of the scenario, where a row does not say how many it congests
    std::vector<Line> lines;  ///< the line of the first row's mix, and of other mixes with many bursts
    std::string depth_unit;
    std::optional<double> depth, frames_per_s;
    std::optional<Bounds> depth68, depth95, frames_per_s95;
    std::vector<std::pair<double, double>>
        polygon;               ///< corners (depth, frames per second); empty if nothing is feasible
    std::string polygon_note;  ///< why the estimate lies outside of it; empty if it does not
    /// A burst that limits the region, and one of its limits: from one (depth, frames per second) to another.
    struct Limit {
        std::int64_t row = 0;
        std::pair<double, double> from, to;
    };
    std::vector<Limit> limits;
    std::vector<Model> models;  ///< the models that were compared
    std::optional<Bounds> depth_hard, frames_per_s68;
    std::string feature, feature_unit;  ///< the feature of the model, if it has one
    std::optional<double> feature_value;
    std::optional<Bounds> feature68, feature95;
    std::vector<std::pair<double, double>> depth_density, rate_density,
        feature_density;  ///< value and probability density; empty where it is known exactly or has a limit only
    struct Residual {
        std::int64_t row = 0;  ///< row of the map, from 1
        double value = 0;      ///< residual, in standard deviations
        /// Separation in us, events and frames lost, where the file has them.
        std::vector<double> burst;
    };
    std::vector<Residual> residuals;
    std::vector<std::pair<std::string, double>> runs_tests;               ///< order and p-value
    std::set<std::int64_t> rows_set_aside, binding_rows, violating_rows;  ///< row of the map, from 1
};

/// The members of `watershed run --json` that figures draw.
struct RunFile {
    std::string file;
    std::optional<std::string> run;  ///< the run, as run_text() names it
    std::optional<double> first_loss_us;
    std::vector<double> lost_by_module;  ///< frames, module 1 first
    /// From trigger to complete event.
    struct Latency {
        double median_us = 0, p99_us = 0;
        std::vector<double> edges_us;  ///< edges of a histogram's bins, one more than bins
        std::vector<double> events;
    };
    std::optional<Latency> latency{};
};

/// The table of `watershed campaign-simulate -o`.
struct CampaignsFile {
    struct Point {
        std::int64_t bursts = 0;
        Bounds half_width;  ///< the outer quartiles of the campaigns, relative; infinite where nothing bounds the
                            ///< target yet
        double median = 0;
    };
    struct Strategy {
        std::string name;
        std::vector<Point> points;  ///< by bursts
    };
    std::string file, settings;       ///< from the comment `# seed: 1, campaigns: 100, ...`
    std::optional<double> precision;  ///< from the comment `# target: depth, precision: 1%`
    std::vector<Strategy> strategies;
};

/// The advice of `watershed next --json`.
struct AdviceFile {
    struct Point {
        double separation_us = 0, events = 0, probability_of_loss = 0, bits_per_second = 0;
    };
    std::string file, target;
    bool stop = false;
    std::vector<Point> points, checks;  ///< best first
    std::optional<Mix> mix{};           ///< the mix of the advice, where the file says so; all uplinks of the scenario
};

/// Joint draws of a fit.
struct DrawsFile {
    struct Column {
        std::string name;
        std::vector<double> values;  ///< NaN for an empty cell
    };
    std::string file;
    std::vector<std::string> kinds;  ///< kind of each draw
    std::vector<Column> columns;     ///< the others, in the order of the file
};

struct Inputs {
    std::vector<std::string> files;
    std::vector<LossMap> maps;
    std::vector<BoundaryFile> boundaries;
    std::vector<SaturationFile> saturations;
    std::vector<OccupancyFile> occupancies;
    std::vector<FitFile> fits;
    std::vector<RunFile> runs;
    std::vector<CampaignsFile> campaigns;
    std::vector<AdviceFile> advices;
    std::vector<DrawsFile> draws;

    /// The names without folders, for the line at the bottom of a figure.
    std::string source() const;
};

/// Reads files given in any order.
/// @param expected the kinds that the figure can use
/// @throws InputError for a file that cannot be read, is of no known kind or of one that is not expected
/// @param columns  what the columns of measured tables hold, as for read_measured_table()
Inputs read_inputs(const std::vector<std::string>& files, std::initializer_list<InputKind> expected,
                   const std::string& columns = {});

/// "; 44 modules, memory of 46 frames": what a design result says of its scenario, for the line at the bottom.
std::string apparatus_of(const nlohmann::ordered_json& result);

/// "kernel-queue-deep" from "data/kernel-queue-deep.csv".
std::string stem_of(const std::string& file);

}  // namespace watershed
