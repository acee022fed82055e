// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/network/network.h"
#include "model/scenario.h"

/// Whether a real switch has the ports that a scenario wants of it: one question, whoever asks.
namespace watershed {

/// Ports that a switch of a network needs, by speed.
struct NeededPorts {
    struct OfSpeed {
        int inputs = 0;
        int uplinks = 0;
        int all() const { return inputs + uplinks; }
    };
    std::map<BitRate, OfSpeed> speeds;
};

/// Returns the ports that each switch of the network needs.
std::vector<NeededPorts> needed_ports(const Scenario& scenario, const Network& network);

/// Numbers of slower ports, by their speed, that one port of a speed can be split into as a whole; a speed without
/// entry: unknown.
using Breakouts = std::map<BitRate, std::map<BitRate, int>>;

struct PortFit {
    enum class Fit { Yes, No, Unknown };
    Fit fits = Fit::Yes;
    BitRate speed{0};  ///< speed of which the switch has too few ports
    int has = 0;       ///< number of ports of this speed
    std::string why;   ///< reason: "it has 2 ports of 10 Gb/s, 4 are needed"; empty if they fit
};

/// Ports that are faster than a link may or may not run at its speed, and ports of 100 and 40 Gb/s may or may not be
/// split into four where `breakouts` do not say: where these would do, it is unknown. So it is where no ports
/// are given.
PortFit fit_ports(const std::vector<PortGroup>& ports, const NeededPorts& needed, const Breakouts& breakouts = {});

/// Ports as "48 x 1 Gb/s + 4 x 10 Gb/s". @throws std::invalid_argument
std::vector<PortGroup> parse_ports(const std::string& text);
std::string to_text(const std::vector<PortGroup>& ports);

}  // namespace watershed
