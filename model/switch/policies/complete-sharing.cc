// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/queue-accounts.h"
#include "model/switch/sharing.h"

namespace watershed::policies {
namespace {

/// Policy without a threshold: a queue may grow as long as its pool has room. With one pool for all queues this is
/// complete sharing, with one for each queue complete partitioning (Kamoun and Kleinrock, 1980).
constexpr SharingPolicy complete(const char* name, const char* help, const char* drawn, SharingPolicy::Pools pools) {
    SharingPolicy policy;
    policy.name = name;
    policy.help = help;
    policy.drawn = drawn;
    policy.is_monotone = true;
    policy.make = [](const Buffer&, const MemoryUnits&,
                     const QueueAccounts::Layout& layout) -> std::unique_ptr<QueueAccounts> {
        return std::make_unique<QueueAccounts>(layout);
    };
    policy.pools = pools;
    return policy;
}

}  // namespace

const SharingPolicy shared = complete("shared", "one memory for all", " shared", SharingPolicy::Pools::One);
const SharingPolicy per_input =
    complete("per-input", "each input owns `size`", " for each input", SharingPolicy::Pools::PerInput);
const SharingPolicy per_output =
    complete("per-output", "each output owns `size`", " for each output", SharingPolicy::Pools::PerOutput);

}  // namespace watershed::policies
