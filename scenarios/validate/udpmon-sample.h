// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/run/udpmon-run.h"
#include "scenarios/validate/validate.h"

/// What the comparisons with NEXPReS share.
namespace watershed {

inline const std::string kLocalPayload = "udpmon.payload=[\"8232 B\"]";

/// Runs a scenario at some spacings with so many packets, or fewer for a quick look.
std::vector<UdpmonResult> udpmon_sample(const Validation& validation, const std::string& scenario,
                                        const std::string& spacing, std::int64_t packets,
                                        std::vector<std::string> overrides = {});

/// The histograms of intervals on the local light path.
void compare_nexpres_jitter(Comparisons& compare, const Validation& validation);

}  // namespace watershed
