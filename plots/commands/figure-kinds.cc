// SPDX-License-Identifier: GPL-2.0-only
#include "plots/commands/figure-kinds.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <utility>

#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// A quantity from an option, or nothing if the option is not given.
template <class Parse>
auto quantity(const char* option, const std::string& text, Parse parse) -> std::optional<decltype(parse(text))> {
    if (text.empty()) return std::nullopt;
    return read_at(option, [&] { return parse(text); });
}

void add_labels(CLI::App& command, PlotOptions& options) {
    command
        .add_option("--label", options.labels,
                    "Name of a curve or panel; repeat it in the order of the inputs; default: the file's name")
        ->type_name("TEXT")
        ->expected(1)
        ->take_all();
}

void add_columns(CLI::App& command, PlotOptions& options) {
    command.add_option("--columns", options.columns, "What the columns of measured tables hold, as for fit");
}

}  // namespace

FigureKind::FigureKind(std::string the_name, std::string the_summary, std::string the_inputs, std::string the_example,
                       std::string to_see, Draw how_drawn, AddOptions its_options)
    : name(std::move(the_name)),
      summary(std::move(the_summary)),
      inputs(std::move(the_inputs)),
      example(std::move(the_example)),
      what_to_see(std::move(to_see)),
      draw(std::move(how_drawn)),
      add_options(std::move(its_options)) {}

const std::vector<FigureKind>& figure_kinds() {
    static const std::vector<FigureKind> all{
        {"watershed",
         "Complete and lossy bursts by separation and length, and the line between them; a panel for each mix of ports "
         "and payload",
         "loss maps, boundaries, fits and advice, in any order and number",
         "watershed plot watershed map.csv fit.json next.json -o watershed.svg",
         "Bursts in the plane of event separation and burst length. Below the line every burst arrives complete, above "
         "it bursts lose frames; towards the asymptote the line rises without end.",
         [](const PlotOptions& options) {
             draw_watershed(options, {options.log, false, !options.no_inset});
         },
         [](CLI::App& command, PlotOptions& options) {
             add_labels(command, options);
             add_columns(command, options);
             command.add_flag("--log", options.log, "Make the axis of events logarithmic");
             command.add_flag("--no-inset", options.no_inset, "Leave out the magnified small-gap region");
         }},
        {"comparison", "The watersheds of several switches, on logarithmic axes", "boundaries and fits",
         "watershed plot comparison deep.csv shallow.csv --label \"7000 frames per input\" --label \"46 frames\" -o "
         "switches.svg",
         "The watershed of each switch: the higher the line, the longer a burst it bears. All rise without end at the "
         "separation at which their uplinks keep up.",
         draw_comparison, add_labels},
        {"saturation",
         "Saturation frequency by loaded ports, with the uplink's limit under each meaning of a frame's size",
         "saturation tables", "watershed plot saturation saturation.csv -o saturation.pdf",
         "Above, the trigger rate at which the uplink is full falls as ports are added; below, the same relative to "
         "the wire tells which bytes of a frame count.",
         draw_saturation},
        {"occupancy", "Memory occupied over the time of a burst",
         "an occupancy, and the run's JSON if the first loss is to be marked",
         "watershed plot occupancy occupancy.csv run.json --capacity \"308000 frames\" -o occupancy.png",
         "How full the memory is over time: it fills while events come faster than the uplink drains, and frames are "
         "lost where it reaches the line.",
         [](const PlotOptions& options) {
             draw_occupancy(
                 options,
                 quantity("--capacity", options.capacity,
                          [](const std::string& text) { return parse_memory_size(text); }),
                 quantity("--first-loss", options.first_loss, [](const std::string& text) { return parse_time(text); }),
                 options.recovery);
         },
         [](CLI::App& command, PlotOptions& options) {
             command
                 .add_option(
                     "--capacity", options.capacity,
                     "Size of the memory, drawn as a line; default: the comment \"# capacity: ...\" of the file")
                 ->type_name("SIZE");
             command.add_flag("--recovery", options.recovery,
                              "Mark the time from the fullest moment to an empty memory");
             command
                 .add_option("--first-loss", options.first_loss,
                             "Time of the first loss, drawn as a mark; default: the one in the run's JSON")
                 ->type_name("TIME");
         }},
        {"latency", "Events by the time from trigger to completion", "JSON files of runs with a [server]",
         "watershed plot latency netmap.json socket.json -o latency.svg",
         "How long events take from trigger to completion. The solid line is the median, the dashed one the time that "
         "99 % keep to; a tail to the right is what waits.",
         draw_latency, add_labels},
        {"lateness", "How late the triggers of measured bursts were", "loss maps with worst_trigger_lateness_us",
         "watershed plot lateness scenarios/data/kernel-queue-peaks.csv -o lateness.svg",
         "How late the latest trigger of each burst was, and how many bursts were no later. Bursts beyond the line are "
         "set aside.",
         draw_lateness, add_labels},
        {"loss-per-module", "Frames lost by each module, runs side by side", "JSON files of runs",
         "watershed plot loss-per-module module.json rotating.json random.json -o loss-per-module.svg",
         "Frames lost by each module. Bars of one height share the loss; where they differ, the order of arrival "
         "decides who loses.",
         draw_loss_per_module, add_labels},
        {"polygon", "The depths and service rates that agree with every burst", "one fit",
         "watershed plot polygon fit.json -o polygon.svg",
         "Every depth and service rate inside the region agrees with all bursts; the lines are the bursts that limit "
         "it. A small region is a well measured switch.",
         draw_polygon},
        {"models", "How probable the kinds of memory are that a fit compared", "one fit",
         "watershed plot models fit.json -o models.svg",
         "How probable each kind of memory is after the measurement. The one chosen is marked; a second bar of any "
         "size means that these bursts do not settle it.",
         draw_models},
        {"posterior", "How probable each depth and each service rate is", "one fit",
         "watershed plot posterior fit.json -o posterior.svg",
         "How probable each depth and each service rate is. The dark part holds 68 %, the pale one 95 %: a narrow peak "
         "is a well known value.",
         draw_posterior},
        {"corner", "Draws of a fit, each parameter alone and with each other", "one file of draws",
         "watershed plot corner draws.csv -o corner.svg",
         "On the diagonal how often each value is drawn, with median and 95 % interval; below it the draws of two "
         "parameters, coloured by the kind of memory. A slanting cloud is two values that the bursts tell only "
         "together.",
         draw_corner},
        {"residuals", "What the fit leaves of each burst, by separation, length and order", "one fit and its loss map",
         "watershed plot residuals scenarios/data/kernel-queue-deep.csv fit.json -o residuals.svg",
         "What the fit leaves of each burst. Points scattered evenly about zero are noise; a trend is something that "
         "the fit does not know.",
         draw_residuals, add_columns},
        {"campaigns", "What strategies of measuring know after so many bursts", "one comparison of campaigns (CSV)",
         "watershed plot campaigns campaigns.csv -o campaigns.svg",
         "How narrow the interval of the depth is after so many bursts, by strategy. The lower a line, the more it "
         "learns; the dashed one is what is wanted.",
         draw_campaigns, add_labels},
        {"calibration", "How often the fit's intervals hold the truth of simulated switches, and its ranks",
         "tables of the study of calibration (CSV)",
         "watershed plot calibration test/calibrate/calibration.csv -o calibration.svg",
         "Above, how often 95 % intervals with two ends hold the truth, by kind of switch, and how many there are: "
         "points within the grey band are honest. "
         "Below, the ranks of the truth: bars within the grey band are even.",
         draw_calibration},
        {"size", "The memory that keeps losses as rare as wanted, by trigger rate", "tables of watershed size",
         "watershed plot size size.csv -o size.svg",
         "The memory that is needed against the trigger rate. A curve that bends upwards nears the rate that its "
         "uplinks carry, where no memory is enough.",
         draw_size},
        {"pareto", "Ways to read out a camera: server interfaces or price against the chance of loss",
         "one result of watershed explore --json", "watershed plot pareto explore.json -o pareto.svg",
         "Each way to read out the camera: what it asks of the server, or costs, to the right, and how rarely it "
         "loses, downwards. In the grey part all risks count as equal; there the best lie at the left. Numbers are "
         "ranks.",
         draw_pareto},
        {"designs", "The watersheds of several designs, each with its risk", "one result of watershed compare --json",
         "watershed plot designs compare.json -o designs.svg",
         "The watershed of each design, with its risk: the higher the line, the longer a burst it bears.",
         draw_designs},
        {"sensitivity", "What each question \"what if\" changes of a design",
         "one result of watershed sensitivity --json", "watershed plot sensitivity sensitivity.json -o sensitivity.svg",
         "What more triggers, less memory, or the loss of a switch or an uplink change, the largest change at the top. "
         "Bars begin at the design as it is; those that cross the dashed line lose more than is wanted.",
         draw_sensitivity},
        {"throttle", "What each trigger rule without loss refuses, by trigger rate, beside what is lost without a rule",
         "one result of watershed throttle --rate LIST --json", "watershed plot throttle throttle.json -o throttle.svg",
         "The part of random triggers that each rule refuses so that no sequence loses a frame, beside the part of the "
         "events that the memory leaves incomplete without a rule. Shades are 95 % intervals; a curve ends where too "
         "few refusals were seen.",
         draw_throttle},
        {"stagger", "The watershed before and after the delays of modules that stagger found",
         "one result of watershed stagger --watershed --json", "watershed plot stagger stagger.json -o stagger.svg",
         "The watershed without delays and with those that add least latency: the higher the line, the longer a burst "
         "the memory bears. Delays do not move the separation from which on no burst loses.",
         draw_stagger},
        {"thresholds", "Thresholds of switches, simulated against stated, by chip, with those named that differ",
         "one result of watershed thresholds --json", "watershed plot thresholds thresholds.json -o thresholds.svg",
         "What a switch of each configuration holds when its event comes, simulated against stated. Points on the "
         "diagonal agree; those off it are named.",
         draw_thresholds},
        {"udpmon-rate", "Received wire rate by requested spacing, a curve per payload", "one UDPmon run",
         "watershed plot udpmon-rate run.json -o rate.svg",
         "The wire rate received against the spacing that was asked for, by payload. A flat part is a limit of a host "
         "or the path; then the rate falls with the spacing.",
         draw_udpmon_rate},
        {"udpmon-loss", "Packets lost by requested spacing, a curve per payload", "one UDPmon run",
         "watershed plot udpmon-loss run.json -o loss.svg",
         "The part of the packets that is lost against the spacing that was asked for, by payload. Loss ends where the "
         "path carries the rate.",
         draw_udpmon_loss},
        {"udpmon-jitter", "Histogram of the intervals between packets", "one UDPmon run",
         "watershed plot udpmon-jitter run.json -o jitter.svg",
         "How far apart packets arrive. A narrow peak at the spacing asked for is a quiet path; a wide one is jitter.",
         draw_udpmon_jitter},
        {"lhcb-throughput", "Throughput of producers and consumers, and busy consumers, over time",
         "one run of a distribution", "watershed plot lhcb-throughput producers-14.json -o throughput.svg",
         "What producers send and consumers take over time, and how many of these are busy. Throughput that sags while "
         "consumers are free is lost to the scheduler.",
         draw_lhcb_throughput},
        {"juno-block", "Bandwidth of an IPbus unit by block size, beside the bus that limits it", "one IPbus run",
         "watershed plot juno-block one-unit.json -o block.svg",
         "Bandwidth of a unit against the size of a block: it rises until the bus of the unit limits it.",
         draw_juno_block},
        {"juno-units", "Bandwidth of an IPbus server by number of units, beside what triggers at 1 kHz ask for",
         "IPbus runs, a curve for each",
         "watershed plot juno-units many-units.json jumbo.json --label \"1500 B\" --label \"9000 B\" -o units.svg",
         "Bandwidth of the server against the number of units, beside what triggers at 1 kHz ask for: where the curve "
         "is below the dashed line, the server does not keep up.",
         draw_juno_units, add_labels},
        {"juno-survival", "Waveforms read by trigger rate, beside theory", "one IPbus run with triggers",
         "watershed plot juno-survival periodic.json -o survival.svg",
         "The part of the waveforms that is read against the trigger rate, beside theory: it falls where the FIFO "
         "overflows.",
         draw_juno_survival},
        {"juno-flashing", "Duration of flashing by number of workers",
         "one flashing run, and measured durations (CSV: workers,duration_s)",
         "watershed plot juno-flashing flashing.json scenarios/data/juno-flashing.csv -o flashing.svg",
         "How long flashing takes against the number of workers: it falls while they help each other, and rises where "
         "they are in each other's way.",
         draw_juno_flashing},
        {"ejfat-latency", "One event on its way through EJFAT, hop by hop", "one EJFAT run",
         "watershed plot ejfat-latency latency.json -o latency.svg",
         "One event hop by hop: the longest step is where its time goes.", draw_ejfat_latency},
        {"ejfat-reassembly", "Reassembly latency by bit rate, for each event size", "one EJFAT run",
         "watershed plot ejfat-reassembly reassembly.json -o reassembly.svg",
         "How long an event takes to come together against the bit rate, by size: it falls until the rate no longer "
         "limits it.",
         draw_ejfat_reassembly},
        {"ejfat-no-drop", "Highest bit rate without loss by processing time", "one EJFAT run that searches it",
         "watershed plot ejfat-no-drop no-drop.json -o no-drop.svg",
         "The highest bit rate without loss against the time that an event is processed: below the curve nothing is "
         "lost.",
         draw_ejfat_no_drop},
        {"ejfat-nodes", "Nodes for 100 Gb/s by processing time",
         "one EJFAT run that searches the highest bit rate without loss",
         "watershed plot ejfat-nodes no-drop.json -o nodes.svg",
         "How many nodes take 100 Gb/s against the time that an event is processed. Above the slots of one calendar "
         "there is no room for more nodes.",
         draw_ejfat_nodes},
        {"ejfat-control", "How full the nodes' queues are over time, and the slots they have", "one EJFAT run",
         "watershed plot ejfat-control step.json -o step.svg",
         "How full the queues of the nodes are, and how many slots the control plane gives them: it takes slots from a "
         "node that fills.",
         draw_ejfat_control},
    };
    return all;
}

}  // namespace watershed
