// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/asynchronous-arrivals.h"

namespace watershed {
namespace {

/// How many frames of one module are in memory at most. What has come within e_j since a busy time began has left
/// l + (j + 1) m s after that, so that before then all frames there have come later.
std::int64_t most_of_input(const AsynchronousArrivals& train, Wide latency, Wide work) {
    const std::vector<Wide>& arrivals = train.arrivals;
    Wide most = 0;
    for (std::size_t j = 0; j < arrivals.size(); ++j) {
        const Wide left = latency + work * (static_cast<Wide>(j) + 1);
        const bool at_end = train.span && *train.span < left;
        const Wide within = (at_end ? *train.span + 1 : left) - arrivals[j];
        Wide held = std::lower_bound(arrivals.begin(), arrivals.end(), within) - arrivals.begin();
        if (!train.span && within > arrivals.back()) held = ceil_div(within, train.link);
        most = std::max(most, held);
    }
    return static_cast<std::int64_t>(most);
}

}  // namespace

std::size_t bound_queue(const std::vector<Wide>& arrivals, int each, Wide latency, Wide slot, const Ticks& ticks,
                        QueueGuarantee& queue) {
    std::size_t index = 0;
    Wide delay = 0;
    for (std::size_t k = 0; k < arrivals.size(); ++k) {
        const Wide sent = std::max<Wide>(0, arrivals[k] - latency) / slot;
        const Wide all = Wide{each} * (static_cast<Wide>(k) + 1);
        const auto held = static_cast<std::int64_t>(all - sent);
        if (held > queue.frames) {
            queue.frames = held;
            index = k;
        }
        delay = std::max(delay, latency + all * slot - arrivals[k]);
    }
    queue.delay_s = static_cast<double>(delay) / static_cast<double>(ticks.in_picosecond) * 1e-12;
    return index;
}

std::size_t bound_out_of_step(const AsynchronousArrivals& train, Wide latency, Wide slot, const Ticks& ticks,
                              QueueGuarantee& queue) {
    queue.by_input = most_of_input(train, latency, slot * queue.modules);
    return bound_queue(train.arrivals, queue.modules, latency, slot, ticks, queue);
}

}  // namespace watershed
