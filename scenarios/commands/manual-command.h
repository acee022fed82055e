// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed manual`: the manual page, the reference of commands and keys, and shell completions, all from what the
/// program itself knows; to be added after all other commands.
void add_manual_command(CLI::App& app);

}  // namespace watershed
