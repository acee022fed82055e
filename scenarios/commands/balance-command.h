// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed balance`: UDP source ports with which a hash loads all uplinks alike.
void add_balance_command(CLI::App& app);

}  // namespace watershed
