// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed ingest`
void add_ingest_command(CLI::App& app);

}  // namespace watershed
