// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/simulators.h"

namespace CLI {
class App;
}

namespace watershed {

/// `watershed run`
void add_run_command(CLI::App& app, const Simulators& simulators);

}  // namespace watershed
