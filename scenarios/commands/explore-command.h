// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/engine-choice.h"

namespace CLI {
class App;
}

namespace watershed {

/// `watershed explore`: which switches, how many, and with which uplinks.
void add_explore_command(CLI::App& app, const EngineFactory& make_engine);

}  // namespace watershed
