// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/draws-report.h"

#include <boost/range/algorithm_ext/erase.hpp>

#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"
#include "calibrate/report/netcdf-file.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

using Draw = JointDraws::Draw;

/// Number of each draw; NaN where its kind has none.
struct DrawColumn {
    std::string name, meaning;
    std::function<double(const Draw&, const ModelFit&)> value;
};

DrawColumn of_sample(const std::string& name, const std::string& meaning, double BurstParameters::*value) {
    return {name, meaning, [value](const Draw& draw, const ModelFit&) { return draw.sample.parameters.*value; }};
}

DrawColumn of_feature(const std::string& name, const std::string& meaning, Feature feature) {
    return {name, meaning, [feature](const Draw& draw, const ModelFit& kind) {
                return kind.model.feature == feature ? draw.sample.parameters.feature : NAN;
            }};
}

/// Returns the columns of numbers that some draw has.
std::vector<DrawColumn> columns_of(const Fit& fit) {
    const Burst largest = largest_row(fit.bursts);
    std::vector<DrawColumn> columns{
        {"depth", "depth of the memory with its token bucket, in the unit of the kind's name",
         [](const Draw& draw, const ModelFit&) { return draw.depth; }},
        {"depth_bytes", "the same in bytes, for frames of " + std::to_string(largest.payload) + " B payload",
         [largest](const Draw& draw, const ModelFit& kind) {
             return draw.depth * (kind.model.unit == MemorySize::Unit::Byte   ? 1
                                  : kind.model.unit == MemorySize::Unit::Cell ? double(kind.model.cell)
                                                                              : double(largest.buffer));
         }},
        of_sample("service_rate", "of one uplink, bits/s", &BurstParameters::rate),
        of_sample("scatter_frames", "standard deviation of the number of lost frames", &BurstParameters::noise_frames),
        of_sample("scatter_length", "standard deviation of ln(burst length)", &BurstParameters::noise_length),
        of_sample("loss_probability", "of each frame at random", &BurstParameters::loss),
        {"loss_ahead", "1: it is ahead of the memory",
         [](const Draw& draw, const ModelFit&) { return double(draw.sample.parameters.loss_ahead); }},
        of_sample("bucket_bytes", "token bucket", &BurstParameters::bucket),
        of_sample("traffic_share", "part of the uplink that others take", &BurstParameters::traffic),
        of_sample("traffic_batch_bytes", "batch of others' traffic on the link", &BurstParameters::traffic_batch),
        of_sample("traffic_memory", "units of depth per byte of others' traffic", &BurstParameters::traffic_memory),
        of_sample("stray_share", "part of the bursts that are stray", &BurstParameters::stray),
        of_sample("excess_share", "part of the bursts that lose more than the closed form", &BurstParameters::excess),
        {"leaves_at_once", "1: a frame on its way out takes no room",
         [](const Draw& draw, const ModelFit&) { return double(draw.sample.parameters.leaves_at_once); }},
        of_feature("descriptors", "frames held at most", Feature::Descriptors),
        of_feature("resume_level", "part of full", Feature::Resume),
        of_feature("alpha", "of the dynamic threshold", Feature::DynamicThreshold),
        of_feature("fullest_uplink", "part of the modules on it", Feature::UnevenUplinks),
        of_feature("reserved", "part of the depth, for the inputs", Feature::Reserve),
        of_feature("reserved_by_output", "part of the depth, for the outputs", Feature::OutputReserve),
        {"asking_order", "of modules for free places, a number from 0",
         [](const Draw& draw, const ModelFit& kind) {
             return kind.model.feature == Feature::UnevenUplinks ? double(draw.sample.parameters.order) : NAN;
         }},
        {"cell_bytes", "bytes of a cell",
         [](const Draw&, const ModelFit& kind) {
             return kind.model.unit == MemorySize::Unit::Cell ? double(kind.model.cell) : NAN;
         }},
        {"header_bytes", "bytes stored with each frame in its cells",
         [](const Draw&, const ModelFit& kind) {
             return kind.model.unit == MemorySize::Unit::Cell ? double(kind.model.header) : NAN;
         }},
        {"log_prior", "log prior density of ln(depth) and ln(rate)",
         [](const Draw& draw, const ModelFit&) { return draw.sample.log_prior; }},
        {"log_likelihood", "of all rows",
         [](const Draw& draw, const ModelFit&) { return draw.sample.log_likelihood; }}};
    const auto add_vector = [&](const std::string& name, const std::string& meaning,
                                std::vector<double> BurstParameters::*values, std::size_t i) {
        columns.insert(columns.end() - 2, {name, meaning, [values, i](const Draw& draw, const ModelFit&) {
                                               const std::vector<double>& all = draw.sample.parameters.*values;
                                               return i < all.size() ? all[i] : NAN;
                                           }});
    };
    for (std::size_t i = 0; i < nuisance_models().size(); ++i)
        add_vector(nuisance_models()[i].name, nuisance_models()[i].what, &BurstParameters::nuisances, i);
    for (std::size_t i = 0; i < fit.best().mixes.size(); ++i) {
        const auto& [ports, uplinks, payload] = fit.best().mixes[i];
        const std::string of[] = {std::to_string(ports), std::to_string(uplinks), std::to_string(payload)};
        add_vector(
            "constant_frames_" + of[0] + '_' + of[1] + '_' + of[2],
            "frames by which all bursts of " + of[0] + " ports, " + of[1] + " uplinks and " + of[2] + " B lose more",
            &BurstParameters::constant, i);
    }
    boost::remove_erase_if(columns, [&](const DrawColumn& column) {
        return boost::algorithm::all_of(
            fit.joint.draws, [&](const Draw& draw) { return std::isnan(column.value(draw, fit.models[draw.kind])); });
    });
    return columns;
}

std::string cell(double value) { return std::isnan(value) ? "" : text_line("%.9g", value); }

std::string csv_of(const Fit& fit, const std::vector<DrawColumn>& columns) {
    std::string text =
        Provenance::comment() + comment_line(
                                    "draws of the posterior over all kinds of memory, each as often as it is probable; "
                                    "status of the fit: " +
                                    to_text(fit.status));
    for (const DrawColumn& column : columns) text += comment_line(column.name + ": " + column.meaning);
    text += comment_line("log_likelihood_ROW: of this row of " + fit.map.source) + "draw,kind";
    for (const DrawColumn& column : columns) text += ',' + column.name;
    for (const int row : fit.joint.rows) text += ",log_likelihood_" + std::to_string(row);
    text += '\n';
    std::size_t number = 0;
    for (const Draw& draw : fit.joint.draws) {
        const ModelFit& kind = fit.models[draw.kind];
        text += std::to_string(++number) + ',' + kind.model.name();
        for (const DrawColumn& column : columns) text += ',' + cell(column.value(draw, kind));
        for (const double one : draw.log_likelihoods) text += ',' + cell(one);
        text += '\n';
    }
    return text;
}

/// Groups as ArviZ' InferenceData has them; it finds the outcome of a row and its likelihood by one name.
std::string netcdf_of(const Fit& fit, const std::vector<DrawColumn>& columns) {
    const std::vector<Draw>& draws = fit.joint.draws;
    const std::vector<int>& rows = fit.joint.rows;
    const auto count_from = [](double from, std::size_t size) {
        std::vector<double> numbers;
        for (std::size_t i = 0; i < size; ++i) numbers.push_back(from + double(i));
        return numbers;
    };
    const NetcdfVariable chain{"chain", {"chain"}, {0}, {}, true},
        draw{"draw", {"draw"}, count_from(0, draws.size()), {}, true},
        row{"row", {"row"}, {rows.begin(), rows.end()}, {{"meaning", "row of the map, from 1"}}, true};
    const std::pair<std::string, std::size_t> of_chain{"chain", 1}, of_draw{"draw", draws.size()},
        of_row{"row", rows.size()};

    NetcdfGroup posterior{"posterior", {of_chain, of_draw}, {chain, draw}};
    std::string names;
    for (const ModelFit& one : fit.models) names += (names.empty() ? "" : " ") + one.model.name();
    posterior.variables.push_back({"kind",
                                   {"chain", "draw"},
                                   transformed_values(draws, [](const Draw& one) { return double(one.kind); }),
                                   {{"flag_meanings", names}, {"meaning", "place in flag_meanings, from 0"}},
                                   true});
    for (const DrawColumn& column : columns)
        posterior.variables.push_back(
            {column.name,
             {"chain", "draw"},
             transformed_values(draws, [&](const Draw& one) { return column.value(one, fit.models[one.kind]); }),
             {{"meaning", column.meaning}}});

    NetcdfVariable likelihoods{"lost", {"chain", "draw", "row"}, {}};
    for (const Draw& one : draws)
        likelihoods.values.insert(likelihoods.values.end(), one.log_likelihoods.begin(), one.log_likelihoods.end());
    NetcdfGroup observed{"observed_data", {of_row}, {row}}, constant{"constant_data", {of_row}, {row}};
    const auto add = [&](NetcdfGroup& group, const std::string& name, auto value, const std::string& meaning = "") {
        NetcdfVariable one{name, {"row"}, {}};
        if (!meaning.empty()) one.attributes = {{"meaning", meaning}};
        for (const int number : rows)
            one.values.push_back(
                double(value(*boost::find_if(fit.bursts, [&](const Burst& each) { return each.row == number; }))));
        group.variables.push_back(one);
    };
    add(
        observed, "lost", [](const Burst& one) { return one.counted ? one.lost : std::int64_t(one.lossy); },
        fit.counts_used ? "frames lost" : "1 if frames were lost");
    add(constant, "ports", [](const Burst& one) { return one.ports; });
    add(constant, "payload_bytes", [](const Burst& one) { return one.payload; });
    add(constant, "separation_us", [](const Burst& one) { return in_microseconds(one.separation); });
    add(constant, "events", [](const Burst& one) { return one.events; });
    add(constant, "congested_uplinks", [](const Burst& one) { return one.uplinks; });

    const Attributes attributes{{"inference_library", "watershed"},
                                {"inference_library_version", Provenance::program()},
                                {"history", Provenance::command()},
                                {"status", to_text(fit.status)}};
    std::vector<NetcdfGroup> groups{posterior,
                                    {"log_likelihood", {of_chain, of_draw, of_row}, {chain, draw, row, likelihoods}},
                                    observed,
                                    constant};
    for (NetcdfGroup& group : groups) group.attributes = attributes;
    return netcdf_bytes(groups, attributes);
}

}  // namespace

bool is_netcdf(const std::string& file) {
    const bool netcdf = ends_with(file, ".nc");
    if (!netcdf && !ends_with(file, ".csv"))
        throw InputError("--draws " + file + ": expected a file that ends in .csv or .nc");
    if (netcdf) try {
            expect_netcdf();
        } catch (const InputError& error) {
            throw InputError("--draws " + file + ": " + error.what());
        }
    return netcdf;
}

std::string draws_text(const Fit& fit, bool netcdf) {
    if (!has_estimates(fit))
        throw InputError(fit.map.source + ": --draws: the bursts contradict each other, so that there is no estimate");
    if (fit.joint.draws.empty())
        throw InputError(
            fit.map.source +
            ": --draws: the bursts limit the depth on one side only, expected some with loss and some without");
    const std::vector<DrawColumn> columns = columns_of(fit);
    return netcdf ? netcdf_of(fit, columns) : csv_of(fit, columns);
}

}  // namespace watershed
