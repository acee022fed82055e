// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace CLI {
class App;
}

namespace watershed {

/// `watershed campaign-simulate`
void add_campaign_simulate_command(CLI::App& app);

}  // namespace watershed
