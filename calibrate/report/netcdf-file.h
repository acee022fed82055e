// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <utility>
#include <vector>

/// Writer of netCDF-4. The library libnetcdf is loaded when the first file is written.
namespace watershed {

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Variable of numbers; those of a dimension of the same name are its coordinates.
struct NetcdfVariable {
    std::string name;
    std::vector<std::string> dimensions;
    std::vector<double> values;  ///< the last dimension varies fastest
    Attributes attributes{};
    bool whole = false;  ///< true: 64-bit integers
};

struct NetcdfGroup {
    std::string name;
    std::vector<std::pair<std::string, std::size_t>> dimensions;
    std::vector<NetcdfVariable> variables;
    Attributes attributes{};
};

/// @throws InputError that names the package if the library is missing
void expect_netcdf();

/// Returns the bytes of a file. @throws std::runtime_error with the library's message
std::string netcdf_bytes(const std::vector<NetcdfGroup>& groups, const Attributes& attributes);

}  // namespace watershed
