// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/base/outcome.h"
#include "model/base/unsupported-key.h"

namespace watershed {

struct NetworkScenario;

/// A scenario asks for what an engine does not model.
struct UnsupportedScenario : KeyError {
    using KeyError::KeyError;
};

/// Something that can run a scenario. All engines give the same Outcome, member by member.
class Engine {
  public:
    virtual ~Engine() = default;
    virtual std::string name() const = 0;
    /// Whether arithmetic may stand in for a run whose answer it knows.
    virtual bool may_calculate() const { return false; }
    /// @param observer told while it runs, if not null
    /// @throws TimeExceeded if simulated time does not reach to the end
    virtual Outcome run(const NetworkScenario& scenario, const Observer* observer = nullptr) = 0;
};

}  // namespace watershed
