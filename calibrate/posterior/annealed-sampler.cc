// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/annealed-sampler.h"

#include "calibrate/posterior/threads.h"

namespace watershed {
namespace {

struct Particle {
    Point at;
    double log_target = 0;
    double log_start = 0;
    /// Log weight for a step of the whole path.
    double gain() const { return log_target - log_start; }
};

/// Proposed move of a particle.
struct Move {
    Point to;
    bool inside = false;      ///< false: it leaves the box, and is refused
    bool from_start = false;  ///< drawn from the start density
    double log_volume = 0, log_uniform = 0;
};

constexpr double kOfRounding = 0x1p-24;  // largest error of rounded_to_decide()

class Sampler {
  public:
    Sampler(const AnnealedProblem& problem, const AnnealedEffort& effort, std::uint64_t seed)
        : problem_(problem), effort_(effort), random_(seed) {
        particles_.resize(effort.particles);
        for (Particle& particle : particles_) particle.at = problem_.draw_start(random_);
        for_each_particle([&](std::size_t i) { particles_[i] = of(std::move(particles_[i].at)); });
    }

    AnnealedSamples run() {
        AnnealedSamples samples;
        for (double power = 0; power < 1;) {
            const double next = next_power(power);
            samples.log_evidence += take_step(next - power);
            power = std::nearbyint(next * 0x1p40) * 0x1p-40;
            for (int i = 0; i < effort_.sweeps; ++i) sweep(power);
        }
        for (int i = 0; i < effort_.last; ++i) {
            sweep(1), sweep(1);
            for (const Particle& particle : particles_)
                samples.points.push_back(particle.at), samples.log_targets.push_back(particle.log_target);
        }
        return samples;
    }

  private:
    Particle of(Point at) const {
        round(at);
        for (std::size_t k = problem_.leading; k < at.size(); ++k) at[k] = std::clamp(at[k], 0x1p-36, 1 - 0x1p-36);
        return {at, rounded_to_decide(problem_.log_target(at, -HUGE_VAL)), rounded_to_decide(problem_.log_start(at))};
    }
    static void round(Point& at) {
        for (double& coordinate : at) coordinate = std::nearbyint(coordinate * 0x1p36) * 0x1p-36;
    }
    double most() const {
        return std::max_element(particles_.begin(), particles_.end(),
                                [](const Particle& a, const Particle& b) { return a.gain() < b.gain(); })
            ->gain();
    }

    double next_power(double power) const {
        const double largest = most(), half = 0.5 * double(particles_.size());
        const auto effective = [&](double step) {
            double sum = 0, squares = 0;
            for (const Particle& particle : particles_) {
                const double weight = std::exp(step * (particle.gain() - largest));
                sum += weight, squares += weight * weight;
            }
            return sum * sum / squares;
        };
        if (effective(1 - power) >= half) return 1;
        double low = 0, high = 1 - power;
        constexpr int kBisections = 40;
        for (int i = 0; i < kBisections; ++i) {
            const double middle = (low + high) / 2;
            (effective(middle) >= half ? low : high) = middle;
        }
        constexpr double kLeast = 1e-9;  // the path must end
        return std::min(1.0, power + std::max(high, kLeast));
    }

    /// Replaces each particle by as many as its weight is worth (systematic resampling). @return log of the mean weight
    double take_step(double step) {
        const double largest = most(), first = uniform(random_), n = double(particles_.size());
        std::vector<double> sums;
        double sum = 0;
        for (const Particle& particle : particles_) sums.push_back(sum += std::exp(step * (particle.gain() - largest)));
        std::vector<Particle> next;
        std::size_t at = 0;
        for (double i = 0; i < n; ++i) {
            while (at + 1 < sums.size() && sums[at] < (i + first) / n * sum) ++at;
            next.push_back(particles_[at]);
        }
        particles_ = std::move(next);
        return step * largest + std::log(sum / n);
    }

    /// Calls work(i) for each particle, in threads.
    template <class Work>
    void for_each_particle(const Work& work) const {
        constexpr std::size_t kPart = 16;  // much less work would not be worth the handing over
        const std::size_t n = particles_.size();
        do_in_threads((n + kPart - 1) / kPart, [&](std::size_t part) {
            for (std::size_t i = part * kPart; i < std::min(n, (part + 1) * kPart); ++i) work(i);
        });
    }

    /// All moves are drawn before any is decided, so that the random numbers do not depend on the threads.
    void sweep(double power) {
        moves_.clear();
        for (const Particle& particle : particles_) moves_.push_back(move_of(particle));
        for_each_particle([&](std::size_t i) { decide(particles_[i], moves_[i], power); });
    }

    Move move_of(const Particle& particle) {
        Move move{particle.at};
        move.from_start = problem_.from_start > 0 && uniform(random_) < problem_.from_start;
        const double kind = uniform(random_);
        constexpr double kSlide = 0.15, kTogether = 0.55, kAll = 0.75;
        if (move.from_start)
            move.to = problem_.draw_start(random_);
        else if (kind < kSlide && problem_.slide)
            move.log_volume = problem_.slide(move.to, random_);
        else if (kind < kTogether && problem_.leading > 0)
            step_by_difference(move.to, problem_.correlated > problem_.leading && uniform(random_) < 0.5
                                            ? problem_.correlated
                                            : problem_.leading);
        else if (kind < kAll || problem_.leading == problem_.dimensions)
            step_by_difference(move.to, problem_.dimensions);
        else
            change_one(move.to);
        move.inside = std::all_of(move.to.begin() + std::ptrdiff_t(problem_.leading), move.to.end(),
                                  [](double x) { return x > 0 && x < 1; });
        if (move.inside) round(move.to), move.log_uniform = std::log(uniform(random_));
        return move;
    }

    /// Metropolis: the threshold is known before the target is calculated.
    void decide(Particle& particle, Move& move, double power) const {
        if (!move.inside) return;
        const double log_start = rounded_to_decide(problem_.log_start(move.to));
        const double log_volume = move.from_start ? particle.log_start - log_start : move.log_volume;
        const double least = particle.log_target +
                             (move.log_uniform - log_volume - (1 - power) * (log_start - particle.log_start)) / power;
        const double log_target = rounded_to_decide(problem_.log_target(move.to, least - kOfRounding));
        if (log_target >= least) particle = {std::move(move.to), log_target, log_start};
    }

    void step_by_difference(Point& at, std::size_t coordinates) {
        const auto pick = [&]() -> const Point& {
            return particles_[std::size_t(uniform(random_) * double(particles_.size()))].at;
        };
        const Point &a = pick(), &b = pick();
        constexpr double kUsual = 1.68,
                         kWhole = 0.1;  // 2.38 / sqrt(2); a whole difference jumps between modes
        const double part =
            uniform(random_) < kWhole ? 1 : kUsual / std::sqrt(double(coordinates)) * (0.1 + 1.1 * uniform(random_));
        for (std::size_t k = 0; k < coordinates; ++k) at[k] += part * (a[k] - b[k]);
    }

    void change_one(Point& at) {
        constexpr double kNear = 0.3;
        const std::size_t k =
            problem_.leading + std::size_t(uniform(random_) * double(problem_.dimensions - problem_.leading));
        at[k] = uniform(random_) < 0.5 ? uniform(random_) : at[k] + kNear * (uniform(random_) - 0.5);
    }

    const AnnealedProblem& problem_;
    AnnealedEffort effort_;
    RandomBits random_;
    std::vector<Particle> particles_;
    std::vector<Move> moves_;
};

}  // namespace

AnnealedSamples sample_annealed(const AnnealedProblem& problem, const AnnealedEffort& effort, std::uint64_t seed) {
    return Sampler(problem, effort, seed).run();
}

}  // namespace watershed
