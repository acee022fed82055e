// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/engine-choice.h"

namespace CLI {
class App;
}

namespace watershed {

/// `watershed n-plus-1`: what tests of real switches measure.
void add_n_plus_1_command(CLI::App& app, const EngineFactory& make_engine);

}  // namespace watershed
