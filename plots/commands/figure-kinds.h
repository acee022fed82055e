// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plots/figures/figures.h"

namespace CLI {
class App;
}

/// The kinds of figures that `watershed plot` draws.
namespace watershed {

/// All that the options of all kinds can say.
struct PlotOptions : FigureRequest {
    bool log = false;
    bool no_inset = false;
    bool recovery = false;
    std::string capacity, first_loss;
};

/// One kind of figure. All but its own options has to be said.
struct FigureKind {
    using AddOptions = std::function<void(CLI::App&, PlotOptions&)>;
    using Draw = std::function<void(const PlotOptions&)>;

    FigureKind(
        std::string name, std::string summary, std::string inputs, std::string example, std::string what_to_see,
        Draw draw, AddOptions add_options = [](CLI::App&, PlotOptions&) {});

    std::string name;
    std::string summary;
    std::string inputs;
    std::string example;      ///< a command line
    std::string what_to_see;  ///< in the figure, for its caption
    Draw draw;
    AddOptions add_options;
};

/// All, in the order in which the help lists them.
const std::vector<FigureKind>& figure_kinds();

}  // namespace watershed
