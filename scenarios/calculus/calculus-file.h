// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/calculus/flow-bounds.h"

namespace watershed {

/// A network as Saihu writes it ("output-port network", github.com/adfeel220/Saihu-TSN-Analysis-Tool-Integration), in
/// seconds, bits and bits per second.
struct CalculusFile {
    std::string name;
    CalculusNetwork network;
    std::optional<Multiplexing> multiplexing;  ///< as the file says
    /// Units of results, which are those that the file states for the whole network.
    std::string time_unit = "s", data_unit = "b";
    Rational seconds{1}, bits{1};  ///< values of time_unit and data_unit
    bool has_capacity = false;     ///< true if links have capacities, which matter with input shaping only
};

/// @throws InputError that names file and key, also for what is not understood: several token buckets or rate-latency
/// curves of one flow or server, input shaping, packetizers, multicast
CalculusFile read_calculus_file(const std::string& file);

/// "1.5", "2e-3" as it is written. @throws std::invalid_argument
Rational parse_decimal(const std::string& text);

}  // namespace watershed
