// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {

class WatershedSwitch;

/// Whether a way leads from one of a switch's ports through bridges to another. None leads from an uplink of a switch
/// to another of its uplinks.
bool IsInLoop(const WatershedSwitch& network_switch);

}  // namespace watershed
