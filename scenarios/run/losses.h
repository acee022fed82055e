// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/base/outcome.h"

/// Losses by where and why, of several runs.
namespace watershed {

class LossSums {
  public:
    void add(const std::vector<Outcome::Loss>& losses) {
        for (const auto& loss : losses) sums_[{loss.where, loss.reason}] += loss.frames;
    }
    /// By place and reason.
    std::vector<Outcome::Loss> all() const {
        std::vector<Outcome::Loss> losses;
        for (const auto& [cause, frames] : sums_) losses.push_back({cause.first, cause.second, frames});
        return losses;
    }

  private:
    std::map<std::pair<std::string, std::string>, std::int64_t> sums_;
};

nlohmann::ordered_json losses_json(const std::vector<Outcome::Loss>& losses);

}  // namespace watershed
