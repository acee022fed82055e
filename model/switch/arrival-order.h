// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/switch/switch.h"

namespace watershed {

/// Rank of a frame among those that arrive at a switch at the same instant: the lowest rank asks for memory first, and
/// the lower number first where ranks are equal. Numbers are those of the inputs, from 1, which at a camera's only
/// switch are the modules'. In a synchronous camera every fragment of an event arrives at one instant, so this order
/// decides who loses.
class ArrivalRank {
  public:
    /// @param before      inputs of other switches that precede this one's, so that each draws an order of its own
    /// @param streams     inputs behind those, of streams alone
    ArrivalRank(ArrivalOrder order, int inputs, std::uint64_t seed, int before = 0, int streams = 0)
        : order_(order), inputs_(inputs), seed_(seed), before_(before), streams_(streams) {}

    /// The lower number asks first, in every event.
    bool is_by_number() const { return order_ == ArrivalOrder::Module; }
    std::uint64_t operator()(std::int64_t event, int number) const {
        if (is_by_number()) return static_cast<std::uint64_t>(number);
        if (order_ == ArrivalOrder::Random)
            return random_bits(seed_, Stream::ArrivalOrder, static_cast<std::uint64_t>(event),
                               static_cast<std::uint64_t>(before_ + number));
        const std::int64_t first = (event - 1) % inputs_;  // this event begins with number first + 1
        return static_cast<std::uint64_t>((number - 1 - first + inputs_) % inputs_);
    }

    /// Rank of a stream's frame, by its number: after the camera's, by inputs, of which those of streams alone take
    /// turns; or drawn with the camera's.
    std::uint64_t of_stream(std::int64_t frame, int number) const {
        constexpr std::uint64_t kBehind = std::uint64_t{1} << 62;
        switch (order_) {
            case ArrivalOrder::Module: break;
            case ArrivalOrder::Rotating: {
                if (number <= inputs_) break;
                const std::int64_t place = number - 1 - inputs_ - (frame - 1) % streams_;
                return kBehind + static_cast<std::uint64_t>(inputs_ + 1 + (place + streams_) % streams_);
            }
            case ArrivalOrder::Random:  // another draw than a camera's event of that number
                return mixed(random_bits(seed_, Stream::ArrivalOrder, static_cast<std::uint64_t>(frame),
                                         static_cast<std::uint64_t>(before_ + number)));
        }
        return kBehind + static_cast<std::uint64_t>(number);
    }

  private:
    ArrivalOrder order_;
    int inputs_;
    std::uint64_t seed_;
    int before_;
    int streams_;
};

/// The rank of a frame at an input, from 0.
inline std::uint64_t arrival_rank(const ArrivalRank& rank, const FrameId& frame, int input) {
    return frame.stream == 0 ? rank(frame.event, input + 1) : rank.of_stream(frame.event, input + 1);
}

}  // namespace watershed
