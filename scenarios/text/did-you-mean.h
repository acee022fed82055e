// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace watershed {

/// Letters to add, to take away, to change or to swap with the next, until one word is the other.
std::size_t edits(const std::string& a, const std::string& b);

/// Returns the known names that an unknown one likely means: those at the least edit distance, else those that contain
/// it; empty if none resembles it, or too many do.
std::vector<std::string> likely_names(const std::string& found, const std::vector<std::string>& known);

/// Returns the end of an error about an unknown name: "; did you mean balance?", or an empty text.
std::string did_you_mean(const std::string& found, const std::vector<std::string>& known);
/// Returns the end of an error for given likely names.
std::string did_you_mean(const std::vector<std::string>& meant);

}  // namespace watershed
