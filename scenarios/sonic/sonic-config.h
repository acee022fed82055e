// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The buffers of a switch as SONiC configures them: the tables BUFFER_POOL, BUFFER_PROFILE, BUFFER_PG, BUFFER_QUEUE,
/// PORT, CABLE_LENGTH and DEVICE_METADATA of its config_db.json, or what `mmuconfig -l` prints, which has the first
/// two.
namespace watershed {

struct SonicPool {
    std::string name;
    bool ingress = false, egress = false;  ///< type "both": both
    std::int64_t size = 0;                 ///< bytes
    std::int64_t xoff = 0;                 ///< bytes that the headroom of all priority groups is taken from; 0: none
};

struct SonicProfile {
    std::string name;
    std::string pool;
    std::int64_t size = 0;                  ///< bytes that each group or queue has for itself
    std::optional<int> dynamic_th;          ///< alpha is 2 to this power
    std::optional<std::int64_t> static_th;  ///< bytes
    std::optional<std::int64_t> xoff;       ///< bytes of headroom, of lossless groups alone
    std::int64_t xon = 0, xon_offset = 0;   ///< bytes
};

/// Priority groups or queues of one port that have one profile.
struct SonicUse {
    std::string key;  ///< "BUFFER_PG|Ethernet0|3-4"
    std::string port;
    int first = 0, last = 0;
    std::string profile;
    int count() const { return last - first + 1; }
};

struct SonicPort {
    std::int64_t speed = 0;   ///< Mb/s
    std::int64_t mtu = 9100;  ///< bytes; what SONiC sets where the table does not say
};

struct SonicConfig {
    std::string file;
    std::string hwsku, platform;  ///< empty: not said
    std::map<std::string, SonicPool> pools;
    std::map<std::string, SonicProfile> profiles;
    std::vector<SonicUse> groups, queues;
    std::vector<std::string> calculated;  ///< groups and queues whose buffers the switch calculates: profile NULL
    std::map<std::string, SonicPort> ports;
    std::map<std::string, std::int64_t> cables;  ///< metres, by port
};

/// @throws InputError with file and key
SonicConfig read_sonic_config(const std::string& file);

/// Meaning of the `size` of a SONiC buffer pool.
enum class PoolSize {
    Unknown,
    Shared,  ///< shared memory alone: headroom and minima come from the rest of the memory
    Whole    ///< shared memory, headroom and minima
};

/// The memory of a switch chip that SONiC runs on.
struct ChipMemory {
    std::string name, short_name;
    std::int64_t cell = 0;   ///< bytes
    std::int64_t cells = 0;  ///< cells of all slices together
    int slices = 1;
    std::optional<std::int64_t> header{};  ///< bytes stored with each frame; nothing: unknown
    PoolSize pool_size = PoolSize::Unknown;
    std::string source;
};

const std::vector<ChipMemory>& chip_memories();

/// By its name or its short name, in letters of any size. @throws InputError that lists all of them
const ChipMemory& chip_memory_named(const std::string& name);

}  // namespace watershed
