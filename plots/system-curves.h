// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plots/figures.h"
#include "plots/gnuplot.h"

/// Curves from the JSON of a run of one of the published systems.
namespace watershed {

struct SystemCurve {
    std::string name;
    Figure::Rows rows;
    std::string look;   ///< as gnuplot's plot command takes it, "with lines linewidth 1.8"
};

struct SystemAxes {
    std::string x, y;
    std::string commands;   ///< ranges and scales
};

/// Black first, then those that colour-blind readers tell apart best, from the start again with another dash.
std::string line_look(const std::string& style, std::size_t number);

/// The document of the only input. @throws InputError if there are several, or it is no run of this system
nlohmann::json read_system_run(const FigureRequest& request, const std::string& system);

/// Reads what a run has to have; the library's complaint names the missing member.
/// @throws InputError with it, and as read_system_run()
template <class Make>
auto from_system_run(const FigureRequest& request, const std::string& system, Make make) -> decltype(make(nlohmann::json()));

/// One panel with a legend above.
void draw_curves(const FigureRequest& request, const std::vector<SystemCurve>& curves, const SystemAxes& axes);

/// @throws InputError for what is missing in the input
[[noreturn]] void refuse_member(const FigureRequest& request, const nlohmann::json::exception& error);

template <class Make>
auto from_system_run(const FigureRequest& request, const std::string& system, Make make) -> decltype(make(nlohmann::json())) {
    const nlohmann::json document = read_system_run(request, system);
    try {
        return make(document);
    } catch (const nlohmann::json::exception& error) {
        refuse_member(request, error);
    }
}

}  // namespace watershed
