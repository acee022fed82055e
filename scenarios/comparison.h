// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// Published numbers beside simulated ones.
namespace watershed {

enum class Verdict {
    Agrees,                 ///< within the tolerance
    Differs,
    PublicationInconsistent ///< outside, but the publication contradicts itself, and the simulation is what its arithmetic gives
};

struct Comparison {
    std::string system;     ///< "nectarcam"
    std::string quantity;
    std::string unit;
    std::string source;     ///< where the number is published
    double published = 0;
    double simulated = 0;
    double tolerance = 0;   ///< largest difference that counts as agreement, in the same unit
    Verdict verdict = Verdict::Differs;
    std::string remark;     ///< the arithmetic of a contradiction, or how the number was reached

    double difference() const { return simulated - published; }
};

/// Sets numbers of one system side by side and judges them.
class Comparisons {
  public:
    explicit Comparisons(std::string system) : system_(std::move(system)) {}

    /// The publication that the numbers set from now on come from.
    void from(std::string source) { source_ = std::move(source); }

    struct Quantity {
        std::string name;
        std::string unit;
    };
    void set(const Quantity& quantity, double published, double simulated, double tolerance, std::string remark = {});
    /// For a number that contradicts others of its publication: what these give, by arithmetic that the remark spells out.
    /// The simulation has to agree with that, within the tolerance.
    void set_contradicted(const Quantity& quantity, double published, double simulated, double tolerance, double by_arithmetic, std::string remark);

    const std::vector<Comparison>& all() const { return all_; }

  private:
    std::string system_;
    std::string source_;
    std::vector<Comparison> all_;
};

const char* name_of(Verdict verdict);
nlohmann::ordered_json to_json(const std::vector<Comparison>& comparisons);
/// A table for people.
void print(std::ostream& out, const std::vector<Comparison>& comparisons);

}  // namespace watershed
