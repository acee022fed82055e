// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <CLI/App.hpp>

namespace watershed {

/// Adds `plot KIND INPUT... -o FIGURE.(svg|pdf|png)`, which runs while the command line is parsed.
void add_plot_command(CLI::App& app);

}  // namespace watershed
