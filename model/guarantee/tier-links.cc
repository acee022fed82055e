// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/tier-links.h"

#include <algorithm>

#include "model/guarantee/out-of-step.h"

namespace watershed {

void TierLinks::count(SwitchPart& part) const {
    for (std::size_t i = 0; i < part.feeds.size(); ++i)
        for (const int feed : part.feeds[i])
            part.guarantee.queues[i].modules += links_[static_cast<std::size_t>(feed)].modules;
}

Wide TierLinks::brought(const SwitchPart& part, std::size_t queue, const ArrivalSpacing& rule) const {
    Wide frames = Wide{part.guarantee.queues[queue].modules} * rule.in_long_run();
    for (const int feed : part.feeds[queue]) {
        const TierLink& link = links_[static_cast<std::size_t>(feed)];
        const Wide of_link = Wide{link.modules} * rule.in_long_run();
        frames -= of_link - std::min(of_link, ceil_div(rule.apart, link.slot));
    }
    return frames;
}

Wide TierLinks::pass(SwitchPart& part, const std::vector<Wide>& triggers) {
    const Wide latency = ticks_.of(part.latency), slot = ticks_.of(part.uplink);
    Wide longest = 0;
    for (std::size_t i = 0; i < part.feeds.size(); ++i) {
        QueueGuarantee& queue = part.guarantee.queues[i];
        if (queue.modules == 0) continue;
        int own = queue.modules;
        std::vector<Wide> distances;
        for (const int feed : part.feeds[i]) {
            const TierLink& link = links_[static_cast<std::size_t>(feed)];
            own -= link.modules;
            distances.insert(distances.end(), link.distances.begin(), link.distances.end());
        }
        for (const Wide& each : triggers) distances.insert(distances.end(), static_cast<std::size_t>(own), each);
        std::sort(distances.begin(), distances.end());
        if (part.is_fed && queue.bounded)
            longest = std::max(longest, distances[bound_queue(distances, 1, latency, slot, ticks_, queue)]);
        const std::size_t number = static_cast<std::size_t>(part.first_link) + i;
        if (network_.links()[number].to == Network::kServer) continue;
        for (std::size_t k = 1; k < distances.size(); ++k)
            distances[k] = std::max(distances[k], distances[k - 1] + slot);
        if (horizon_ > 0)
            distances.erase(std::upper_bound(distances.begin(), distances.end(), horizon_), distances.end());
        links_[number] = {queue.modules, slot, std::move(distances)};
    }
    return longest;
}

}  // namespace watershed
