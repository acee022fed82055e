// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed next`
void add_next_command(CLI::App& app);

}  // namespace watershed
