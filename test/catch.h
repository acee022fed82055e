// SPDX-License-Identifier: GPL-2.0-only
#pragma once

// Catch2 2 is one header. Catch2 3 is a library, which keeps Approx to its namespace and has other names for matchers
// of text.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#include <string>

using Catch::Approx;
inline auto Contains(const std::string& part) { return Catch::Matchers::ContainsSubstring(part); }
#else
#include <catch2/catch.hpp>

using Catch::Matchers::Contains;
#endif

using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;
