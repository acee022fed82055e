// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed draw`
void add_draw_command(CLI::App& app);

}  // namespace watershed
