// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "model/base/frame.h"
#include "model/base/random.h"
#include "model/frontend/senders.h"

namespace watershed {

/// The frames of every fragment: all alike, or of a payload drawn for each fragment from the format's distribution, by
/// the format of the module's group. A draw depends on nothing but seed, event and module.
class FragmentSizes {
  public:
    /// @param modules_before  of the whole camera, where modules are numbered within one switch
    /// @throws std::invalid_argument as frames_of_fragment() does
    FragmentSizes(const FrameFormat& format, std::uint64_t seed, int modules_before = 0)
        : seed_(seed), modules_before_(modules_before) {
        add(format, std::numeric_limits<int>::max());
    }
    /// Sizes of all modules' fragments.
    explicit FragmentSizes(const Senders& senders)
        : seed_(senders.seed), modules_before_(senders.front_end.modules_before) {
        int last = 0;
        for (const Group& group : senders.groups) add(group.frame, last += group.front_end.modules);
        if (senders.groups.empty()) add(senders.frame, std::numeric_limits<int>::max());
    }

    /// Makes fragments of `frames` frames without sizes, to count with.
    explicit FragmentSizes(std::size_t frames)
        : seed_(0),
          modules_before_(0),
          choices_(1, std::vector<FrameSizes>(frames)),
          kinds_{{std::numeric_limits<int>::max(), 0, {}}} {}

    bool vary() const { return choices_.size() > 1; }
    /// Whether those of one module do.
    bool vary_of(int module) const { return kind_of(module).weights.size() > 1; }
    /// Returns the index in choices() of a fragment. @param event, module  numbers from 1
    std::size_t choice(std::int64_t event, int module) const {
        if (!vary()) return 0;
        const Kind& kind = kind_of(module);
        return kind.first + (kind.weights.size() > 1 ? draw(kind.weights, event, module) : 0);
    }
    const std::vector<FrameSizes>& of(std::int64_t event, int module) const { return choices_[choice(event, module)]; }
    /// The frames of each kind of fragment there is.
    const std::vector<std::vector<FrameSizes>>& choices() const { return choices_; }

  private:
    /// A format, of the modules up to `last`.
    struct Kind {
        int last;
        std::size_t first;                  ///< index in choices_
        std::vector<std::int64_t> weights;  ///< cumulative
    };

    void add(const FrameFormat& format, int last) {
        Kind kind{last, choices_.size(), {}};
        std::int64_t sum = 0;
        for (const PayloadShare& share : format.payloads) {
            FrameFormat one = format;
            one.payload = share.payload;
            choices_.push_back(frames_of_fragment(one));
            kind.weights.push_back(sum += share.weight);
        }
        if (format.payloads.empty()) choices_.push_back(frames_of_fragment(format));
        kinds_.push_back(std::move(kind));
    }
    const Kind& kind_of(int module) const {
        std::size_t kind = 0;
        while (module > kinds_[kind].last) ++kind;
        return kinds_[kind];
    }
    std::size_t draw(const std::vector<std::int64_t>& weights, std::int64_t event, int module) const {
        const std::uint64_t bits = random_bits(seed_, Stream::Payload, static_cast<std::uint64_t>(event),
                                               static_cast<std::uint64_t>(modules_before_ + module));
        const std::int64_t drawn = uniform_up_to(bits, weights.back() - 1);
        return static_cast<std::size_t>(std::upper_bound(weights.begin(), weights.end(), drawn) - weights.begin());
    }

    std::uint64_t seed_;
    int modules_before_;
    std::vector<std::vector<FrameSizes>> choices_;
    std::vector<Kind> kinds_;
};

}  // namespace watershed
