// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "plots/figures/figures.h"
#include "plots/style/chart.h"
#include "scenarios/text/json-file.h"

/// Curves from the JSON of a run of one of the published systems.
namespace watershed {

using SystemCurve = Series;

/// The ends of an axis; NaN: the end of the data.
struct SystemRange {
    double from = NAN, to = NAN;
};

struct SystemAxes {
    std::string x, y;
    SystemRange x_range{}, y_range{};
    std::size_t legend_columns = 5;  ///< entries that fit side by side
    bool log_x = false, log_y = false;
    std::string source_note{};  ///< behind the names of the inputs
    std::string x_tics{}, format{};
    std::vector<Label> notes{};
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
void draw_curves(const FigureRequest& request, std::vector<SystemCurve> curves, const SystemAxes& axes);

}  // namespace watershed
