// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed report`: results and figures on one self-contained page.
void add_report_command(CLI::App& app);

}  // namespace watershed
