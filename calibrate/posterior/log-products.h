// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace watershed {

/// Sums of logarithms, taken of products as long as these do not underflow.
class Products {
  public:
    explicit Products(std::vector<double>& sums) : sums_(sums), products_(sums.size(), 1), logs_(sums.size(), 0) {}
    void multiply(std::size_t i, double factor) {
        products_[i] *= std::max(factor, 1e-100);
        if (products_[i] < 1e-150 || products_[i] > 1e150) logs_[i] += std::log(products_[i]), products_[i] = 1;
    }
    void add_log(std::size_t i, double value) { logs_[i] += value; }
    void finish() {
        for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += logs_[i] + std::log(products_[i]);
    }

  private:
    std::vector<double>& sums_;
    std::vector<double> products_;
    std::vector<double> logs_;
};

}  // namespace watershed
