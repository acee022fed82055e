// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/switch/limit.h"
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
    POLICY(nested_threshold)           \
    POLICY(stepped_threshold)          \
    POLICY(reverie)                    \
    POLICY(longest_queue_drop)

// One line for each limit: the function that makes it, and whether the inputs have it too where both sides decide.
#define WATERSHED_LIMITS(LIMIT) \
    LIMIT(class_limits, false)  \
    LIMIT(port_limit, true)

#define WATERSHED_DECLARE_LIMIT(name, both) std::unique_ptr<Limit> name(const Buffer&, const MemoryUnits&);
#define WATERSHED_LIST_LIMIT(name, both) {policies::name, both},
#define WATERSHED_DECLARE(name) extern const SharingPolicy name;
#define WATERSHED_LIST(name) Sharing(policies::name),

namespace watershed {

namespace policies {
WATERSHED_POLICIES(WATERSHED_DECLARE)
WATERSHED_LIMITS(WATERSHED_DECLARE_LIMIT)
}  // namespace policies

Limits::Limits(const Buffer& buffer, const MemoryUnits& units, bool decides) {
    static constexpr std::pair<MakeLimit, bool> kAll[] = {WATERSHED_LIMITS(WATERSHED_LIST_LIMIT)};
    for (const auto& [make, both] : kAll)
        if (decides || both)
            if (auto limit = make(buffer, units)) limits_.push_back(std::move(limit));
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
