// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

// The kinds of figure, one function and one file each: PLACE-figure.cc.
// Each reads its inputs, recognised by their content and given in any order, and writes the figure and its gnuplot
// script.
// @throws InputError if an input or the output's name is wrong, std::runtime_error if gnuplot fails

/// What every kind is given.
struct FigureRequest {
    std::vector<std::string> inputs;
    std::string output;
    std::string title;
    std::vector<std::string> labels;  ///< for curves or panels in the order of the inputs, instead of the file names
    std::string source{};             ///< what the data are, for the line at the bottom, instead of the file names
};

/// @throws InputError if there are more labels than the figure has to label
void refuse_surplus_labels(const FigureRequest& request, std::size_t labelled);

/// A burst with a name.
struct MarkedBurst {
    double separation_us = 0, events = 0;
    std::string name;
};

struct WatershedLook {
    bool log_events = false;      ///< logarithmic axis of burst lengths
    bool log_separation = false;  ///< logarithmic axis of event separations
    bool inset = true;     ///< the small-gap region magnified; never with a logarithmic axis, which shows it anyway
    std::string region{};  ///< of several lines: the name of what the last one leaves without loss, shaded
    std::optional<MarkedBurst> marked{};
};

/// Complete and lossy bursts in the plane of event separation and burst length, and what separates them. Where the maps
/// hold several mixes of ports and payload and there are no boundaries and no second fit, a panel for each mix. Inputs:
/// loss maps, boundaries, fits, at least one; and advice, whose points are marked.
void draw_watershed(const FigureRequest& request, const WatershedLook& look);

/// The watersheds of several switches. Inputs: boundaries and fits.
void draw_comparison(const FigureRequest& request);

/// Saturation frequency against loaded ports, beside the uplink's rate under each meaning of a frame's size.
void draw_saturation(const FigureRequest& request);

/// Memory occupancy over time. A run's JSON marks the first loss.
/// @param recovery  marks the time from the last moment at the peak to an empty memory
void draw_occupancy(const FigureRequest& request, std::optional<MemorySize> capacity, std::optional<Time> first_loss,
                    bool recovery = false);

/// How long events take from trigger to completion, a curve for each run. Inputs: JSON of runs with a server, named by
/// the labels.
void draw_latency(const FigureRequest& request);

/// How late bursts were sent: the share of those that are no later. Inputs: loss maps with the columns of lateness.
void draw_lateness(const FigureRequest& request);

/// Frames lost by each module, a panel for each run. Inputs: JSON of runs, named by the labels.
void draw_loss_per_module(const FigureRequest& request);

/// How probable the kinds of memory are that a fit compared.
void draw_models(const FigureRequest& request);

/// The feasible region of a fit in the plane of depth and service rate.
void draw_polygon(const FigureRequest& request);

/// How probable each depth is, and each service rate. Input: one fit.
void draw_posterior(const FigureRequest& request);

/// What the fit leaves of each burst, by separation, by length and in the order of the map. Inputs: one fit and its
/// loss map.
void draw_residuals(const FigureRequest& request);

/// How well strategies of measuring know the target after so many bursts. Input: a comparison of campaigns.
void draw_campaigns(const FigureRequest& request);

/// How often the fit's intervals hold the truth of simulated switches, and how even the truth's ranks are. Inputs:
/// tables of the study of its calibration.
void draw_calibration(const FigureRequest& request);

/// The memory that keeps losses as rare as wanted, against trigger rate. Inputs: tables of watershed size.
void draw_size(const FigureRequest& request);

/// Ways to read out a camera: what they ask of the server, or cost, against the chance of loss. Input: a result of
/// watershed explore --json.
void draw_pareto(const FigureRequest& request);

/// Thresholds of switches, simulated against stated, by chip, with those named that differ. Input: a result of
/// watershed thresholds --json.
void draw_thresholds(const FigureRequest& request);

/// What each question "what if" changes of a design. Input: a result of watershed sensitivity --json.
void draw_sensitivity(const FigureRequest& request);

/// The same from the result itself.
void draw_sensitivity_of(const nlohmann::ordered_json& result, const std::string& output);

/// The watersheds of several designs, each with its risk. Input: a result of watershed compare --json.
void draw_designs(const FigureRequest& request);

/// The same from the result itself.
void draw_designs_of(const nlohmann::ordered_json& result, const std::string& output);

/// The part of random triggers that each rule without loss refuses, by trigger rate, beside what is lost without a
/// rule. Input: a result of watershed throttle --rate --json.
void draw_throttle(const FigureRequest& request);

/// The same from the result itself.
void draw_throttle_of(const nlohmann::ordered_json& result, const std::string& output);

/// The watershed without delays of the modules, and with those that stagger found. Input: a result of watershed stagger
/// --watershed --json.
void draw_stagger(const FigureRequest& request);

/// The same from the result itself.
void draw_stagger_of(const nlohmann::ordered_json& result, const std::string& output);

// Figures of EJFAT runs, each from the JSON of one `watershed run`.
// @throws InputError if the input is something else or the output's name is wrong, std::runtime_error if gnuplot fails

/// One event from hop to hop: as packets that are handed on as they come, and as if whole events waited for each other.
void draw_ejfat_latency(const FigureRequest& request);

/// Mean reassembly latency against bit rate, a curve per event size.
void draw_ejfat_reassembly(const FigureRequest& request);

/// The highest bit rate without loss against processing time, beside the hyperbola.
void draw_ejfat_no_drop(const FigureRequest& request);

/// Nodes for 100 Gb/s against processing time, from the same.
void draw_ejfat_nodes(const FigureRequest& request);

/// How full the queue of each node is over time, and how many slots it has.
void draw_ejfat_control(const FigureRequest& request);

// Figures of IPbus and flashing runs, each from the JSON of `watershed run`.
// @throws InputError if an input is something else or the output's name is wrong, std::runtime_error if gnuplot fails

/// Bandwidth of one unit against block size, beside the bus that limits it. One input; a curve for each number of
/// units.
void draw_juno_block(const FigureRequest& request);

/// Bandwidth of the server against the number of units, a curve for each input, beside what 1 kHz asks for.
void draw_juno_units(const FigureRequest& request);

/// Part of the waveforms that are read against the trigger rate, beside theory for their pattern. One input.
void draw_juno_survival(const FigureRequest& request);

/// Duration of flashing against the number of workers. Inputs: the JSON of one run, and tables of measured durations
/// (CSV: workers,duration_s).
void draw_juno_flashing(const FigureRequest& request);

/// Throughput of producers and consumers, their mean and, shaded, from the lowest to the highest, and the number of
/// busy consumers over time; from the JSON of one `watershed run` of a distribution.
/// @throws InputError if the input is something else or the output's name is wrong, std::runtime_error if gnuplot fails
void draw_lhcb_throughput(const FigureRequest& request);

// Figures of UDPmon runs, each from the JSON of one `watershed run`.
// @throws InputError if the input is something else or the output's name is wrong, std::runtime_error if gnuplot fails

/// Received wire rate against requested spacing, a curve per payload.
void draw_udpmon_rate(const FigureRequest& request);

/// Packets lost, in percent, against requested spacing, a curve per payload.
void draw_udpmon_loss(const FigureRequest& request);

/// Histogram of the intervals between packets, a curve per payload and spacing.
void draw_udpmon_jitter(const FigureRequest& request);

}  // namespace watershed
