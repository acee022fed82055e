// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed size`: the smallest memory, and the fewest uplinks, for a wanted chance of loss.
void add_size_command(CLI::App& app);

}  // namespace watershed
