// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/netcdf-file.h"

#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <stdexcept>

#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// Constants and types of netcdf.h, whose interface has been the same since version 4.6.2.
constexpr int kNetcdf4 = 0x1000, kGlobal = -1, kDouble = 6, kInt64 = 10;
struct MemoryFile {
    std::size_t size;
    void* memory;
    int flags;
};

/// Library by the name that the development package gives it, and those of Debian 12 and 13.
void* library() {
    static void* const found = [] {
        void* one = nullptr;
        for (const char* name : {"libnetcdf.so", "libnetcdf.so.19", "libnetcdf.so.22"})
            if (!one) one = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        return one;
    }();
    return found;
}

/// Calls a function of the library. @throws std::runtime_error with its message
template <class... Arguments>
void call(const char* name, Arguments... arguments) {
    using Function = int(Arguments...);
    void* const function = dlsym(library(), name);
    if (!function)
        throw std::runtime_error(std::string("libnetcdf: found no ") + name + ", expected version 4.6.2 or later");
    const int status = reinterpret_cast<Function*>(function)(arguments...);
    if (status == 0) return;
    const auto message = reinterpret_cast<const char* (*)(int)>(dlsym(library(), "nc_strerror"));
    throw std::runtime_error(std::string("libnetcdf: ") + name + ": " + (message ? message(status) : "failed"));
}

void write_attributes(int group, int variable, const Attributes& attributes) {
    for (const auto& [name, text] : attributes)
        call("nc_put_att_text", group, variable, name.c_str(), text.size(), text.c_str());
}

void write_group(int file, const NetcdfGroup& group) {
    int id = 0;
    call("nc_def_grp", file, group.name.c_str(), &id);
    write_attributes(id, kGlobal, group.attributes);
    std::map<std::string, int> dimensions;
    for (const auto& [name, size] : group.dimensions) call("nc_def_dim", id, name.c_str(), size, &dimensions[name]);
    for (const NetcdfVariable& one : group.variables) {
        std::vector<int> of;
        for (const std::string& name : one.dimensions) of.push_back(dimensions.at(name));
        int variable = 0;
        call("nc_def_var", id, one.name.c_str(), one.whole ? kInt64 : kDouble, int(of.size()),
             static_cast<const int*>(of.data()), &variable);
        write_attributes(id, variable, one.attributes);
        call("nc_put_var_double", id, variable, one.values.data());
    }
}

}  // namespace

void expect_netcdf() {
    if (!library())
        throw InputError(
            "the library libnetcdf was not found (Debian: libnetcdf-dev), expected a file that ends in .csv");
}

std::string netcdf_bytes(const std::vector<NetcdfGroup>& groups, const Attributes& attributes) {
    expect_netcdf();
    int file = 0;
    constexpr std::size_t kFirst = 1 << 20;  // bytes
    call("nc_create_mem", "draws", kNetcdf4, kFirst, &file);
    try {
        write_attributes(file, kGlobal, attributes);
        for (const NetcdfGroup& group : groups) write_group(file, group);
    } catch (...) {
        call("nc_abort", file);
        throw;
    }
    MemoryFile written{};
    call("nc_close_memio", file, &written);
    const std::string bytes(static_cast<const char*>(written.memory), written.size);
    std::free(written.memory);
    return bytes;
}

}  // namespace watershed
