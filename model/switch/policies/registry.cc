// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <stdexcept>

#include "model/switch/sharing.h"

// One line for each policy: what its file calls the SharingPolicy that describes it. The manual lists them in this
// order.
#define WATERSHED_POLICIES(POLICY)     \
    POLICY(shared)                     \
    POLICY(per_input)                  \
    POLICY(per_output)                 \
    POLICY(dynamic_threshold)          \
    POLICY(active_buffer_management)   \
    POLICY(enhanced_dynamic_threshold) \
    POLICY(longest_queue_drop)

#define WATERSHED_DECLARE(name) extern const SharingPolicy name;
#define WATERSHED_LIST(name) Sharing(policies::name),

namespace watershed {

namespace policies {
WATERSHED_POLICIES(WATERSHED_DECLARE)
}

const std::vector<Sharing>& Sharing::all() {
    static const std::vector<Sharing> all{WATERSHED_POLICIES(WATERSHED_LIST)};
    return all;
}

Sharing Sharing::named(const std::string& name) {
    const auto found = std::find_if(all().begin(), all().end(), [&](Sharing each) { return each->name == name; });
    if (found != all().end()) return *found;
    std::string names;
    for (const Sharing each : all()) names += std::string(names.empty() ? "\"" : ", \"") + each->name + '"';
    throw std::invalid_argument("found sharing \"" + name + "\", expected one of " + names);
}

}  // namespace watershed
