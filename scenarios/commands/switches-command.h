// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed switches`, and the option --switches of the program.
void add_switches_command(CLI::App& app);

}  // namespace watershed
