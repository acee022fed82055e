// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/front-end.h"

namespace watershed {
namespace {

template <class T>
T cyclic(const std::vector<T>& list, int module) {
    return list.empty() ? T{} : list[static_cast<std::size_t>(module - 1) % list.size()];
}

}  // namespace

ModuleTiming module_timing(const FrontEnd& front_end, std::uint64_t seed, int module) {
    module += front_end.modules_before;
    const auto number = static_cast<std::uint64_t>(module);
    ModuleTiming timing{cyclic(front_end.skew, module), cyclic(front_end.clock, module)};
    timing.skew += Time{uniform_up_to(random_bits(seed, Stream::Skew, number), front_end.skew_spread.count())};
    const std::int64_t spread = front_end.clock_spread.count;
    timing.tolerance += ClockTolerance{uniform_up_to(random_bits(seed, Stream::Clock, number), 2 * spread) - spread};
    return timing;
}

bool is_synchronous(const FrontEnd& front_end) {
    const auto all_equal = [](const auto& list) {
        return std::adjacent_find(list.begin(), list.end(), [](auto a, auto b) { return a != b; }) == list.end();
    };
    return all_equal(front_end.skew) && all_equal(front_end.clock) && front_end.skew_spread == Time{0} &&
           front_end.jitter == Time{0} && front_end.clock_spread.count == 0;
}

FragmentTiming::FragmentTiming(const FrontEnd& front_end, std::uint64_t seed, int module)
    : jitters_(seed, Stream::Jitter, static_cast<std::uint64_t>(front_end.modules_before + module)),
      skew_(module_timing(front_end, seed, module).skew),
      jitter_(front_end.jitter) {}

}  // namespace watershed
