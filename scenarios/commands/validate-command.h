// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/validate/validate.h"

namespace CLI {
class App;
}

namespace watershed {

/// Adds `watershed validate`, which fails (status 1) if a number differs from the published one without explanation.
/// @param further systems whose comparison needs rooms behind this one
void add_validate_command(CLI::App& app, const Simulators& simulators, const std::vector<PublishedSystem>& further);

}  // namespace watershed
