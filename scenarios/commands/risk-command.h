// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/engine-choice.h"

namespace CLI {
class App;
}

namespace watershed {

/// `watershed risk`: the chance that an event is incomplete.
void add_risk_command(CLI::App& app, const EngineFactory& make_engine);

}  // namespace watershed
