// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/base/unsupported-key.h"
#include "model/frontend/senders.h"

namespace watershed {

/// Modules that all send one frame of one size, whenever they are triggered, and nobody beside them. It holds what was
/// copied of the senders, all else is as by default.
class UniformSenders {
  public:
    enum class Times { Same, Own };  ///< at which instants: all modules at the same, or each at its own

    /// @param why  the first key that was not copied and differs from its default
    static std::optional<UniformSenders> of(const Senders& whole, UnsupportedKey* why = nullptr,
                                            Times times = Times::Same);

    const Senders& operator*() const { return copied_; }
    const Senders* operator->() const { return &copied_; }

  private:
    explicit UniformSenders(const Senders& copied) : copied_(copied) {}

    Senders copied_;
};

}  // namespace watershed
