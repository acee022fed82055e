// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/engine-choice.h"

namespace CLI {
class App;
}

namespace watershed {

/// `watershed map`, `watershed boundary` and `watershed saturation`: many runs of one scenario.
void add_sweep_commands(CLI::App& app, const EngineFactory& make_engine);

}  // namespace watershed
