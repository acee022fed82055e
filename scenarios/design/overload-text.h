// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/network/network-load.h"

namespace watershed {

/// What a camera that is given more than its links carry does; empty if it is given less.
std::string overload_text(const LinkLoad& fullest);

}  // namespace watershed
