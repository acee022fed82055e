// SPDX-License-Identifier: GPL-2.0-only
#include <map>

#include "calibrate/closed-form/burst.h"

namespace watershed {
namespace {

/// Part of a burst by which peaks of equal bursts may differ; what lies closer to a full memory tells nothing.
constexpr double kScatter = 0.02;

/// Bursts of one mix by their counter of the memory, in its unit.
class PeaksOfMix {
  public:
    explicit PeaksOfMix(std::vector<Burst*> bursts) : bursts_(std::move(bursts)) {
        const Burst& first = *bursts_.front();
        frame_ = first.peak->cells ? 1 : double(first.buffer);
        for (const Burst* burst : bursts_) {
            largest_ = std::max(largest_, amount(*burst));
            resolution_ = std::max(resolution_, resolution(*burst));
            frame_ = std::max(frame_, (amount(*burst) - resolution(*burst)) / double(burst->fragments()));
        }
        constexpr std::size_t kEnough = 200;
        const std::size_t stride = bursts_.size() / kEnough + 1;
        for (std::size_t i = 0; i < bursts_.size(); i += stride)
            if (kept_busy(*bursts_[i])) references_.push_back(bursts_[i]);
    }

    void infer_outcomes() {
        std::vector<Burst*> open;
        for (Burst* burst : bursts_) {
            if (burst->outcome == Burst::Outcome::Untold) {
                if (held_less(*burst) || held_all(*burst))
                    decide(*burst, false);
                else if (excess(*burst) > kScatter * sent(*burst))
                    decide(*burst, true);
                else
                    open.push_back(burst);
            }
            if (!burst->lossy && burst->outcome != Burst::Outcome::Untold && kept_busy(*burst))
                drained_.add(*burst, *this);
        }
        for (Burst* burst : open)
            if (kept_busy(*burst) && is_explained(*burst)) decide(*burst, false);
    }

  private:
    /// The line through what the uplinks drained of bursts that lost nothing, by the time from first to last trigger.
    class Drained {
      public:
        void add(const Burst& burst, const PeaksOfMix& peaks) {
            const double x = seconds(burst), y = peaks.sent(burst) - amount(burst);
            n_ += 1, x_ += x, y_ += y, xx_ += x * x, xy_ += x * y;
        }
        /// Returns std::nullopt if all took about as long.
        std::optional<double> at(double time) const {
            const double spread = xx_ * n_ - x_ * x_;
            constexpr double kAlike = 0.01;
            if (spread <= kAlike * x_ * x_) return std::nullopt;
            const double rate = (n_ * xy_ - x_ * y_) / spread;
            return y_ / n_ + rate * (time - x_ / n_);
        }

      private:
        double n_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
    };

    static double amount(const Burst& burst) { return double(burst.peak->amount); }
    static double resolution(const Burst& burst) { return double(burst.peak->resolution); }
    static double seconds(const Burst& burst) {
        return seconds_of_picoseconds(double(burst.events - 1) * double(burst.spacing.count()));
    }
    /// Units of the counter that were sent in all.
    double sent(const Burst& burst) const { return frame_ * double(burst.fragments()); }
    /// A frame may be on its way, and each counter is off by something.
    double margin(const Burst& burst) const { return resolution(burst) + frame_; }

    /// Returns true if more than one event's frames were there at once.
    bool kept_busy(const Burst& burst) const {
        return burst.events > 1 && amount(burst) - margin(burst) > frame_ * double(burst.ports + 1);
    }
    /// Returns true if another burst held more: the memory was not full.
    bool held_less(const Burst& burst) const { return amount(burst) < largest_ - margin(burst) - resolution_; }
    bool held_all(const Burst& burst) const { return sent(burst) <= amount(burst) + margin(burst); }
    /// Counter units by which a burst must have needed more than it held.
    double excess(const Burst& burst) const {
        double most = 0;
        for (const Burst* other : references_) {
            if (other == &burst) continue;
            const double longer = std::max(1.0, seconds(burst) / seconds(*other)),
                         drained = std::max(0.0, sent(*other) - amount(*other)) * longer;
            most = std::max(most, sent(burst) - drained - amount(burst) - margin(*other) * longer - margin(burst));
        }
        return most;
    }

    /// Returns true if bursts that surely lost nothing leave room for no loss of this one.
    bool is_explained(const Burst& burst) const {
        const auto drained = drained_.at(seconds(burst));
        return drained && sent(burst) - *drained <= amount(burst) + margin(burst) + kScatter / 2 * sent(burst);
    }

    static void decide(Burst& burst, bool lossy) {
        burst.outcome = Burst::Outcome::ByPeaks;
        burst.lossy = lossy;
        burst.lost = lossy ? 1 : 0;
        burst.counted = false;
    }

    std::vector<Burst*> bursts_;
    std::vector<const Burst*> references_;  ///< bursts that kept the uplinks busy
    Drained drained_;
    double frame_ = 1;  ///< counter units per frame
    double largest_ = 0, resolution_ = 0;
};

}  // namespace

void infer_outcomes_by_peaks(std::vector<Burst>& bursts) {
    if (boost::algorithm::none_of(bursts, [](const Burst& burst) { return burst.outcome == Burst::Outcome::Untold; }))
        return;
    std::map<std::tuple<std::int64_t, int, std::int64_t, bool>, std::vector<Burst*>> mixes;
    for (Burst& burst : bursts)
        if (burst.peak) mixes[{burst.ports, burst.uplinks, burst.payload, burst.peak->cells}].push_back(&burst);
    for (auto& [mix, of_mix] : mixes) PeaksOfMix(std::move(of_mix)).infer_outcomes();
}

}  // namespace watershed
