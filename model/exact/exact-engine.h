// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>

#include "model/exact/engine.h"
#include "model/exact/uniform-camera.h"
#include "model/network/network.h"

namespace watershed {

/// Algorithm by which the exact engine runs a scenario.
enum class RunPath {
    StepByStep,        ///< frames wait elsewhere than for their uplink
    SwitchBySwitch,    ///< switches that lead to the server alone, each by its own path
    TriggerByTrigger,  ///< all frames of a trigger at once
    FrameByFrame,      ///< frame by frame, of a synchronous camera
    Uniform,           ///< frames of one size, each at a time of its own, through a plain switch
    General            ///< frame by frame through any network
};

struct ChosenPath {
    RunPath path = RunPath::General;
    std::optional<SynchronousCamera> camera;  ///< camera of one switch, where a fast path can run it
    std::optional<UniformCamera> uniform;     ///< camera whose modules have times of their own
    std::string unsupported;  ///< key that no engine models at more than one switch; empty: all is modelled
};

/// The fastest path that gives all of an Outcome. Map, boundary and engine ask here.
ChosenPath choose_path(const NetworkScenario& scenario);

/// About what an event costs the exact engine, in frames that are followed one by one. A budget of work in this unit is
/// the same on every machine.
double cost_of_event(const NetworkScenario& scenario);

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
