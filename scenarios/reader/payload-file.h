// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/base/frame.h"

namespace watershed {

/// The payloads of fragments in a CSV table with the columns payload_bytes and weight, both whole numbers of 1 or more.
/// @throws InputError naming file, line and column
std::vector<PayloadShare> read_payloads(const std::string& file);

}  // namespace watershed
