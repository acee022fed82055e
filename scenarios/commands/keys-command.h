// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed keys`: every key of a scenario file, from the same list that the reader uses.
void add_keys_command(CLI::App& app);

}  // namespace watershed
