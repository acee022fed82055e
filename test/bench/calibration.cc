// SPDX-License-Identifier: GPL-2.0-only
// Is the fit calibrated? Campaigns against switches whose truth is known, in every cell of kind, disturbance, rows,
// noise and placement: how often the intervals hold the truth, and how even its ranks are.
// test/calibrate/calibration.txt, calibration-advised.txt and goodness.txt say which commands print them.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "scenarios/sweep/workers.h"
#include "scenarios/validate/comparison-text.h"
#include "test/calibrate/study/calibration-table.h"
#include "test/calibrate/study/coverage.h"

using namespace watershed;
using namespace watershed::calibration;

namespace {

struct Options {
    int campaigns = 1;
    std::uint64_t seed = 1;
    int jobs = default_jobs();
    std::vector<std::string> subjects, noises, placements, counts;
    std::vector<int> rows;
    std::string csv, keep;
    bool compare = false, goodness = false;
};

template <class T>
bool wanted(const std::vector<T>& all, const T& one) {
    return all.empty() || std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<Cell> cells_of(const Options& options) {
    std::vector<Cell> cells;
    for (const Cell& cell : all_cells())
        if (wanted(options.subjects, cell.subject) && wanted(options.noises, cell.noise) &&
            wanted(options.placements, to_text(cell.placement)) && wanted(options.rows, cell.rows) &&
            wanted(options.counts, std::string(cell.counts ? "use" : "ignore")))
            cells.push_back(cell);
    return cells;
}

/// Writes the maps of campaigns whose interval missed the truth, or whose kind is surely wrong, into a folder.
void keep_misses(const Options& options) {
    std::filesystem::create_directories(options.keep);
    for (const std::vector<Cell>& cells : by_campaign(cells_of(options)))
        for (int number = 0; number < options.campaigns; ++number)
            outcomes_of(cells, seed_of(cells.front(), options.seed, number),
                        [&](const Cell& cell, const Campaign& campaign, const Fit& fit, const Outcome& outcome) {
                            if ((!outcome.depth_bounded || outcome.depth95) && !outcome.surely_wrong) return;
                            std::string file =
                                options.keep + "/" + cell.name() + ", " + std::to_string(number) + ".csv";
                            std::replace(file.begin(), file.end(), ' ', '-');
                            file.erase(std::remove(file.begin(), file.end(), ','), file.end());
                            std::ofstream out(file);
                            const ModelFit& best = fit.best();
                            out << "# " << cell.name() << ", campaign " << number << "\n"
                                << description(campaign.truth) << "# fit: " << best.model.name() << ' '
                                << best.depth.value.value_or(-1) << ", " << best.depth.interval95.low.value_or(-1)
                                << " to " << best.depth.interval95.high.value_or(-1) << ", P " << best.probability
                                << ", goodness " << fit.goodness.value_or(-1) << '\n';
                            write_loss_map_header(out);
                            write_loss_map_rows(out, campaign.map.rows);
                            std::cout << file << '\n';
                        });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Calibration of the fit in simulated campaigns"};
    app.add_option("--campaigns", options.campaigns, "Of each cell")->capture_default_str();
    app.add_option("--seed", options.seed)->capture_default_str();
    app.add_option("--jobs", options.jobs)->capture_default_str();
    app.add_option("--subject", options.subjects)->delimiter(',');
    app.add_option("--noise", options.noises);
    app.add_option("--placement", options.placements)->delimiter(',');
    app.add_option("--counts", options.counts, "use, ignore");
    app.add_option("--rows", options.rows, "0: until advice says stop")->delimiter(',');
    app.add_option("-o", options.csv, "CSV of the cells, for watershed plot calibration");
    app.add_option("--keep", options.keep, "Instead: write the maps of misses into this folder");
    app.add_flag("--goodness", options.goodness, "Instead: the goodness of the fits alone");
    app.add_flag("--compare", options.compare, "Instead: a part of the cells, beside what the intervals promise");
    CLI11_PARSE(app, argc, argv);
    if (options.compare) {
        const std::vector<Comparison> all = compare_calibration(options.campaigns, options.jobs);
        print(std::cout, all);
        return watershed::Tally(all).unexplained() > 0;
    }
    if (!options.keep.empty()) {
        keep_misses(options);
        return 0;
    }
    const std::vector<Cell> cells = cells_of(options);
    print_head(std::cerr);
    const std::vector<calibration::Tally> tallies =
        study(cells, options.campaigns, options.seed, options.jobs,
              [](const calibration::Tally& finished) { print(std::cerr, finished); });
    if (options.goodness) {
        std::cout << options.campaigns << " simulated campaigns of each cell, seed " << options.seed
                  << "; goodness: fits that have one\n\n";
        print_goodness(std::cout, tallies);
        return 0;
    }
    std::cout
        << options.campaigns << " simulated campaigns of each cell, seed " << options.seed
        << ", in per cent with binomial errors: how many 68 % and 95 % intervals hold the truth, of those with two\n"
           "ends (bounded); own: of the true kind, chosen or not; right kind: chosen, as far as one payload can tell "
           "kinds, and the mean probability of\n"
           "right kinds; sure, wrong: wrong kinds have more than 99 %; misfit: says the fit; width: median of half the "
           "95 % interval of the depth; p:\n"
           "that even ranks are as uneven (chi squared, 1 where there are fewer than 50). none (told): with --fix "
           "noise=0, untrue where there is other traffic. bucket: 1.5 to 30 kB;\n"
           "random-loss: 0.01 to 3 % of the frames; other-traffic: 0.3 to 10 % of the uplink; heavy-tails: Student's t "
           "of two degrees of freedom; overhead:\n"
           "4 B more than believed; drift: of the rate, 0.5 %; depth-drift: the memory grows by 5 to 20 %; "
           "uneven-uplinks: "
           "three quarters of the modules share one of two uplinks;\n"
           "bad-row: one burst loses 10 to 100 frames more; one-mix: one payload and one number of ports; known-rate: "
           "to a per cent; any: all drawn from the fit's prior. A depth\n"
           "in another unit than the true one holds if it holds as many frames of the first payload in the whole "
           "switch. advised, N rows: the first N of a campaign, fewer where\nadvice says stop before; one campaign "
           "serves all N.\n\n";
    print(std::cout, tallies);
    if (!options.csv.empty()) {
        std::ofstream csv(options.csv);
        csv << "# " << options.campaigns << " campaigns of each cell, seed " << options.seed << '\n';
        write_csv(csv, tallies);
    }
}
