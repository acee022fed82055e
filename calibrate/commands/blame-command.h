// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed blame`
void add_blame_command(CLI::App& app);

}  // namespace watershed
