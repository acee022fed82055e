// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed fit`
void add_fit_command(CLI::App& app);

}  // namespace watershed
