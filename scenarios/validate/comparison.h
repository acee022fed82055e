// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Published numbers beside simulated ones.
namespace watershed {

/// Basis of a comparison. Only predicted numbers can agree with a publication. The others show that a parameter was
/// found, that a simulation agrees with a formula, or that a sum is right.
enum class Basis {
    Predicted,   ///< simulated, and nothing of the published number went into the parameters
    Calibrated,  ///< simulated, with parameters that were chosen so that the published number comes out
    Configured,  ///< simulated, and the published number repeats one of the parameters
    Theory,      ///< simulated, beside a formula of ours
    Arithmetic   ///< nothing is simulated
};

enum class Verdict {
    Agrees,                   ///< within the tolerance
    PublicationInconsistent,  ///< outside; the publication contradicts itself, and the simulation gives what its other
                              ///< numbers say
    Explained,  ///< outside, because of what the model leaves out; the simulation gives what the explanation says
    Differs     ///< outside, and nobody knows why
};

/// Largest difference that counts as agreement.
struct Tolerance {
    double largest = 0;
    std::string reason;  ///< needed above 10 % of the published number
};

/// 5 %, what a model is expected to do where the publication's digits do not say more.
inline Tolerance five_per_cent(double published) { return {0.05 * published, {}}; }

/// A number that the run of a scenario gave.
struct Simulated {
    double value = 0;
    std::string scenario;           ///< file in the folder of scenarios, without .toml; or a table there, with .csv
    std::vector<std::string> keys;  ///< predicted: a key, or a column, of that file on which the number depends;
                                    ///< calibrated: those that were chosen by the number, the main one first
};

/// Why a prediction does not agree. It names the number that it explains, so that it cannot excuse another one.
struct Explanation {
    enum class Cause { Publication, Model };
    Cause cause = Cause::Model;
    double expected = 0;  ///< the simulation has to agree with it within the tolerance, and within 10 %
    std::string text;
};

/// The publication contradicts itself, and what it says elsewhere gives `expected`.
inline Explanation contradiction(double expected, std::string text) {
    return {Explanation::Cause::Publication, expected, std::move(text)};
}
/// The model gives `expected` for want of what the text says.
inline Explanation limit_of_model(double expected, std::string text) {
    return {Explanation::Cause::Model, expected, std::move(text)};
}

struct Comparison {
    std::string system;  ///< "nectarcam"
    std::string quantity;
    std::string unit;
    std::string source;  ///< publication of the number
    Basis basis = Basis::Predicted;
    double published = 0;  ///< theory: by the formula
    double simulated = 0;  ///< arithmetic: calculated
    Tolerance tolerance;
    Verdict verdict = Verdict::Differs;
    std::string scenario;  ///< and keys: as in Simulated; empty for theory and arithmetic
    std::vector<std::string> keys;
    std::string explanation;
    std::string remark;  ///< how the number was reached

    double difference() const { return simulated - published; }
};

/// Sets numbers of one system side by side and judges them. Each of the four ways to set one throws std::logic_error
/// for a tolerance above 10 % without a reason, and for what its basis needs and does not get.
class Comparisons {
  public:
    explicit Comparisons(std::string system) : system_(std::move(system)) {}

    /// The publication that the numbers set from now on come from.
    void from(std::string source) { source_ = std::move(source); }

    struct Quantity {
        std::string name;
        std::string unit;
    };
    void predicted(const Quantity& quantity, double published, const Simulated& simulated, const Tolerance& tolerance,
                   std::string remark = {});
    void predicted(const Quantity& quantity, double published, const Simulated& simulated, const Tolerance& tolerance,
                   const Explanation& explanation, std::string remark = {});
    void calibrated(const Quantity& quantity, double published, const Simulated& simulated, const Tolerance& tolerance,
                    std::string remark = {});
    /// The last prediction is none: what was published repeats one of the parameters.
    void was_configured() { all_.back().basis = Basis::Configured; }
    /// @param formula  in words and numbers
    void theory(const Quantity& quantity, double by_formula, double simulated, const Tolerance& tolerance,
                std::string formula);
    /// @param arithmetic  in words and numbers
    void arithmetic(const Quantity& quantity, double published, double calculated, const Tolerance& tolerance,
                    std::string arithmetic);

    const std::vector<Comparison>& all() const { return all_; }

  private:
    Comparison& add(Basis basis, const Quantity& quantity, double published, double simulated,
                    const Tolerance& tolerance, std::string remark);
    void add_simulated(Basis basis, const Quantity& quantity, double published, const Simulated& simulated,
                       const Tolerance& tolerance, std::string remark);

    std::string system_;
    std::string source_;
    std::vector<Comparison> all_;
};

/// Texts of the table of one basis: its description, and the names of the two numbers of a row.
struct BasisText {
    Basis basis;
    const char* name;
    const char* what;
    const char* left;
    const char* right;
};

constexpr BasisText kBasisTexts[] = {
    {Basis::Predicted, "predicted", "nothing of these numbers went into the parameters", "published", "simulated"},
    {Basis::Calibrated, "calibrated", "parameters were chosen so that these numbers come out", "published",
     "simulated"},
    {Basis::Configured, "configured", "the numbers repeat what the configuration states", "published", "simulated"},
    {Basis::Theory, "theory", "simulated beside a formula of ours", "formula", "simulated"},
    {Basis::Arithmetic, "arithmetic", "nothing is simulated", "published", "calculated"},
};

inline const char* name_of(Basis basis) { return kBasisTexts[static_cast<std::size_t>(basis)].name; }
/// "agrees" for predictions only; what is within the tolerance by another basis has a word of its own.
const char* name_of(Basis basis, Verdict verdict);
/// Returns basis and verdict of two names; std::nullopt for other names.
std::optional<std::pair<Basis, Verdict>> verdict_named(const std::string& basis, const std::string& verdict);
nlohmann::ordered_json to_json(const std::vector<Comparison>& comparisons);

}  // namespace watershed
