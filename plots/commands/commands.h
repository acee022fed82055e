// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// Adds `plot KIND INPUT... -o FIGURE.(svg|pdf|png)`, which runs while the command line is parsed.
void add_plot_command(CLI::App& app);

/// `watershed draw`
void add_draw_command(CLI::App& app);

/// `watershed report`: results and figures on one self-contained page.
void add_report_command(CLI::App& app);

/// `watershed studio`: a page on which a design moves as it is dragged.
/// @param program  this program as main() runs it, for what the page asks
void add_studio_command(CLI::App& app, int (*program)(int argc, char** argv));

}  // namespace watershed
