// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace watershed {

/// What the `size` of a SONiC buffer pool counts.
enum class PoolSize {
    Unknown,
    Shared,  ///< what is shared: headroom and minima come from the rest of the memory
    Whole    ///< headroom and minima too
};

/// The memory of a switch chip that SONiC runs on.
struct ChipMemory {
    std::string name, short_name;
    std::int64_t cell = 0;   ///< bytes
    std::int64_t cells = 0;  ///< of all slices
    int slices = 1;
    std::optional<std::int64_t> header{};  ///< bytes stored with each frame; nothing: unknown
    PoolSize pool_size = PoolSize::Unknown;
    std::string source;
};

const std::vector<ChipMemory>& chip_memories();

/// By its name or its short name, in letters of any size. @throws InputError that lists all of them
const ChipMemory& chip_memory_named(const std::string& name);

}  // namespace watershed
