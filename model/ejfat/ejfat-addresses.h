// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/addresses.h"
#include "model/ejfat/ejfat-headers.h"

namespace watershed {

/// Numbers count from 0; addresses from 1.
constexpr Endpoint ejfat_source_end(int source) { return local_endpoint(2, source + 1, kDynamicPorts); }
constexpr Endpoint ejfat_balancer_end() { return local_endpoint(3, 1, EjfatBalancerHeader::kPort); }
/// @param thread of the node that receives what comes to this port
constexpr Endpoint ejfat_node_end(int node, int thread) { return local_endpoint(4, node + 1, kDynamicPorts + thread); }
/// The node and thread that an endpoint stands for.
constexpr int ejfat_node_of(const Endpoint& end) { return static_cast<int>(end.ip & 0xffff) - 1; }
constexpr int ejfat_thread_of(const Endpoint& end) { return end.port - kDynamicPorts; }

}  // namespace watershed
