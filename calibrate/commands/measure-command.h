// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed measure`
void add_measure_command(CLI::App& app);

}  // namespace watershed
