// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {

class WatershedSwitchImpl;

/// Tells all switches that this one is cabled to, and itself, which are beside them in a tier and where their ports
/// lead. Switches above one switch are a tier, and so are those above one tier. Ends the program where frames that a
/// lower switch spreads over a tier would not arrive by each switch of it.
void FindTiers(WatershedSwitchImpl& network_switch);

/// Tells the same switches whether a cable of any of them has failed.
void NoteFailures(WatershedSwitchImpl& network_switch);

/// Whether a frame to all that leaves the switch comes back to it. First find the tiers.
bool IsInLoop(const WatershedSwitchImpl& network_switch);

/// Tells every switch of the simulation by which port each host, and each other switch, is reached.
void FillTables();

}  // namespace watershed
