// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watershed {

/// Which of the known columns a name that is not known was likely meant to be: a slip of the pen, another unit, or a
/// usual other name. Nothing where it resembles none.
std::optional<std::string> likely_column(std::string_view name, const std::vector<std::string>& known);

}  // namespace watershed
