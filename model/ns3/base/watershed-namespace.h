// SPDX-License-Identifier: GPL-2.0-only
#pragma once

/// The module `watershed`: a switch with a memory management unit, its hosts, and their model.
namespace watershed {
class WatershedDcqcnReceiver;
class WatershedDcqcnSender;
class WatershedFlowProbe;
class WatershedNetDevice;
class WatershedSwitch;
class WatershedSwitchHelper;
}  // namespace watershed

// Users of ns-3 find the classes in its own namespace. The whole is a namespace of its own there, too.
namespace ns3 {
#ifndef DOXYGEN_SHOULD_SKIP_THIS  // it takes an alias for a recursion
namespace watershed = ::watershed;
#endif
using ::watershed::WatershedDcqcnReceiver;
using ::watershed::WatershedDcqcnSender;
using ::watershed::WatershedFlowProbe;
using ::watershed::WatershedNetDevice;
using ::watershed::WatershedSwitch;
using ::watershed::WatershedSwitchHelper;
}  // namespace ns3
