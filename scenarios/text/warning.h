// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iostream>
#include <string>

namespace watershed {

/// Says on standard error what may be wrong though the work goes on: "warning: TEXT".
inline void warn(const std::string& text) { std::cerr << "warning: " << text << '\n'; }

}  // namespace watershed
