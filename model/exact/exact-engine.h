// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/exact/engine.h"

namespace watershed {

/// Follows every frame by integer arithmetic, without a simulator: frames of one uplink leave in the order of
/// admission, so a frame's departure is known when it is admitted and needs no event of its own. Synchronous cameras
/// that share memory completely take faster paths, and switches that lead to the server alone are followed one by one,
/// unless an observer wants to see every frame.
class ExactEngine final : public Engine {
  public:
    enum class Path { Fastest, General };

    explicit ExactEngine(Path path = Path::Fastest) : path_(path) {}
    std::string name() const override { return "exact"; }
    bool may_calculate() const override { return path_ == Path::Fastest; }
    Outcome run(const NetworkScenario& scenario, const Observer* observer = nullptr) override;

  private:
    Outcome run_path(const NetworkScenario& scenario, const Observer* observer) const;

    Path path_;
};

}  // namespace watershed
