// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/ejfat/ejfat.h"
#include "model/ipbus/flashing.h"
#include "model/ipbus/ipbus.h"
#include "model/network/incast.h"
#include "model/roce/distribution.h"
#include "model/udpmon/udpmon.h"

/// What a scenario file says, as plain data: every member is one key, and its default is the key's.
namespace watershed {

/// What a scenario is about; each system but the camera has a table of its own.
enum class System { Camera, Udpmon, Ejfat, Ipbus, Flashing, Distribution };

/// All that a scenario file says.
struct Scenario : Incast {
    System system = System::Camera;
    Udpmon udpmon;
    Ipbus ipbus;
    Flashing flashing;
    Ejfat ejfat;
    Distribution distribution;
};

}  // namespace watershed
