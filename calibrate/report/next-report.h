// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "calibrate/advice/advice-options.h"
#include "calibrate/fit/fit.h"

/// What `watershed next` says.
namespace watershed {

class NextReport {
  public:
    /// Asks for the advice. The arguments must outlive it.
    NextReport(const FitSoFar& so_far, const Prior& prior, const AdviceOptions& options, const std::string& map,
               const AdviceOptionTexts& texts);

    nlohmann::json to_json() const;
    void print(std::ostream& out) const;

  private:
    void print_points(std::ostream& out, const std::vector<AdvisedPoint>& points) const;
    void print_kinds(std::ostream& out) const;

    const FitSoFar& so_far_;
    const Prior& prior_;
    const std::string& map_;
    const AdviceOptionTexts& texts_;
    double precision_ = 0;
    Advice advice_;
    std::optional<TargetEstimate> depth_;
};

}  // namespace watershed
