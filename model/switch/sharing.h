// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace watershed {

struct Buffer;
struct QueueLayout;
class MemoryUnits;
class QueueAccounts;

/// Description of a policy of sharing a memory, for keys, checks, engines, figures and random tests.
/// A policy is a file in policies/ and a line in policies/registry.cc.
struct SharingPolicy {
    enum class Pools { One, PerInput, PerOutput };

    const char* name = "";   ///< value of switch.buffer.sharing
    const char* help = "";   ///< words of the manual behind the name
    const char* drawn = "";  ///< words of figures behind the size of the memory
    std::unique_ptr<QueueAccounts> (*make)(const Buffer& buffer, const MemoryUnits& units,
                                           const QueueLayout& layout) = nullptr;
    Pools pools = Pools::One;
    bool has_alpha = false;       ///< needs switch.buffer.alpha
    bool has_excess = false;      ///< needs switch.buffer.excess
    bool has_port_alpha = false;  ///< needs switch.buffer.port_alpha
    bool has_steps = false;       ///< needs switch.buffer.step_free and step_limits
    bool has_filter = false;      ///< needs switch.buffer.filter and congested_from
    bool knows_first = false;     ///< has a use for switch.buffer.first_bytes and first_alpha
    bool may_be_whole = false;    ///< has a use for switch.buffer.threshold_whole
    bool remembers = false;       ///< a frame's fate may depend on more than the occupancy at its arrival
    bool evicts = false;          ///< frames in memory may have to go for one that arrives
    bool is_monotone = false;     ///< it grants with less in any queue what it grants with more: bounds rest on that
};

namespace policies {
extern const SharingPolicy shared, per_input, per_output, dynamic_threshold;
}

/// How ports share a memory: one of the registered policies.
class Sharing {
  public:
    // Policies for which there are closed forms elsewhere.
    static const Sharing Shared, PerInput, PerOutput, DynamicThreshold;

    constexpr Sharing() : Sharing(policies::shared) {}
    constexpr explicit Sharing(const SharingPolicy& policy) : policy_(&policy) {}
    /// All policies, in the order of the registry.
    static const std::vector<Sharing>& all();
    /// @throws std::invalid_argument if no policy has this name
    static Sharing named(const std::string& name);

    const SharingPolicy* operator->() const { return policy_; }
    friend bool operator==(Sharing a, Sharing b) { return a.policy_ == b.policy_; }
    friend bool operator!=(Sharing a, Sharing b) { return a.policy_ != b.policy_; }

  private:
    const SharingPolicy* policy_;
};

inline constexpr Sharing Sharing::Shared{policies::shared};
inline constexpr Sharing Sharing::PerInput{policies::per_input};
inline constexpr Sharing Sharing::PerOutput{policies::per_output};
inline constexpr Sharing Sharing::DynamicThreshold{policies::dynamic_threshold};

}  // namespace watershed
