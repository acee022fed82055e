// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plots/figures/figures.h"
#include "plots/style/gnuplot.h"
#include "scenarios/text/json-file.h"

/// Curves from the JSON of a run of one of the published systems.
namespace watershed {

struct SystemCurve {
    std::string name;
    Figure::Rows rows;
    std::string look;  ///< as gnuplot's plot command takes it, "with lines linewidth 1.8"
};

/// Of an axis; an end that is not given is that of the data.
struct SystemRange {
    std::optional<double> from{}, to{};
};

struct SystemAxes {
    std::string x, y;
    SystemRange x_range{}, y_range{};
    std::string commands{};          ///< further ones of gnuplot, without numbers at the axes
    std::size_t legend_columns = 5;  ///< that fit side by side
    std::string note{};              ///< behind the names of the inputs
    bool log_x = false, log_y = false;
};

/// Black first, then those that colour-blind readers tell apart best, from the start again with another dash.
std::string line_look(const std::string& style, std::size_t number);

/// @throws InputError if there are several
const std::string& only_input(const FigureRequest& request);

/// The document of a run of this system, whose results are in a list of this name. @throws InputError if the file is
/// something else
nlohmann::json read_system_run(const std::string& file, const std::string& system, const std::string& list);

/// Reads what a run has to have. @throws InputError as read_members() and read_system_run()
template <class Make>
auto from_system_run(const std::string& file, const std::string& system, Make make, const std::string& list = "runs")
    -> decltype(make(nlohmann::json())) {
    const nlohmann::json document = read_system_run(file, system, list);
    return read_members(file, "a run of system \"" + system + "\" (JSON from watershed run)",
                        [&] { return make(document); });
}

/// One panel with a legend above.
void draw_curves(const FigureRequest& request, const std::vector<SystemCurve>& curves, const SystemAxes& axes);

}  // namespace watershed
