// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/network/network.h"
#include "model/scenario.h"

namespace watershed {

/// Loads and losses of a run, from its JSON; switches and links in the order of Network.
struct NetworkResult {
    struct Switch {
        std::int64_t frames_lost = 0;
        std::string reasons;  ///< why the frames were lost
        std::int64_t peak_frames = 0;
        double module_links = 0;              ///< mean utilisation
        std::int64_t refused_by_modules = 0;  ///< frames that the FIFOs of its modules refused
    };
    std::string source;  ///< file and engine
    std::vector<Switch> switches;
    std::vector<double> links;  ///< utilisation

    /// @throws InputError if the file is no result of a run of this network
    static NetworkResult read(const std::string& file, const Scenario& scenario, const Network& network);
};

/// Draws modules, switches, links and server with rates and buffers, and after a run the load of every link and the
/// losses of every switch. The graph is laid out by Graphviz (Gansner et al., IEEE Transactions on Software Engineering
/// 19, 1993); its script stays beside the figure, FIGURE.dot for FIGURE.svg.
/// @param output  ends in .svg, .pdf or .png
/// @throws InputError for another ending, std::runtime_error if Graphviz is missing or fails
void draw_topology(const Scenario& scenario, const Network& network, const std::optional<NetworkResult>& result,
                   const std::string& source, const std::string& title, const std::string& output);

}  // namespace watershed
