// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {

/// The uplink (from 0) that carries a module's frames: modules take turns by their number.
constexpr int uplink_of(int module, int uplinks) { return (module - 1) % uplinks; }

}  // namespace watershed
