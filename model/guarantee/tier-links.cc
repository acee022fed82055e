// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/tier-links.h"

#include <algorithm>

#include "model/guarantee/fifo-bound.h"

namespace watershed {

void TierLinks::count(SwitchAnalysis& analysis) {
    for (std::size_t i = 0; i < analysis.feeds.size(); ++i) {
        int& modules = analysis.guarantee.queues[i].modules;
        for (const int feed : analysis.feeds[i]) modules += links_[std::size_t(feed)].modules;
        links_[std::size_t(analysis.first_link) + i].modules = modules;
    }
}

int TierLinks::own_modules(const SwitchAnalysis& analysis, std::size_t queue) const {
    int own = analysis.guarantee.queues[queue].modules;
    for (const int feed : analysis.feeds[queue]) own -= links_[std::size_t(feed)].modules;
    return own;
}

bool TierLinks::add_sources(const SwitchAnalysis& analysis, std::size_t queue,
                            std::vector<QueueSource>& sources) const {
    bool bounded = true;
    for (const int feed : analysis.feeds[queue]) {
        const TierLink& link = links_[std::size_t(feed)];
        bounded = bounded && link.bounded;
        sources.insert(sources.end(), link.sources.begin(), link.sources.end());
    }
    return bounded;
}

void TierLinks::pass(const SwitchAnalysis& analysis, std::size_t queue, const std::vector<QueueSource>& sources,
                     bool bounded) {
    const std::size_t number = std::size_t(analysis.first_link) + queue;
    if (network_.links()[number].to == Network::kServer) return;
    TierLink& link = links_[number];
    link.bounded = bounded;
    if (!bounded) {
        link.sources = sources;
        return;
    }
    const auto nearer = [&](const QueueSource& of) { return of.delay - ticks_.of(analysis.latency) - of.slot; };
    std::vector<QueueSource> camera;
    for (const QueueSource& each : sources) {
        if (each.of_stream || each.of_kind)
            link.sources.push_back(behind_queue({each}, sources.size() == 1 ? 0 : nearer(each)));
        else
            camera.push_back(each);
    }
    if (camera.empty()) return;
    link.sources.push_back(behind_queue(camera, link.sources.empty() ? 0 : nearer(camera.front())));
}

Wide TierLinks::brought(const SwitchAnalysis& analysis, std::size_t queue, const ArrivalSpacing& rule) const {
    Wide frames = Wide{analysis.guarantee.queues[queue].modules} * rule.in_long_run();
    for (const int feed : analysis.feeds[queue]) {
        const TierLink& link = links_[std::size_t(feed)];
        const Wide of_link = Wide{link.modules} * rule.in_long_run();
        frames -= of_link - std::min(of_link, ceil_div(rule.apart, link.slot));
    }
    return frames;
}

Wide TierLinks::pass(SwitchAnalysis& analysis, const std::vector<Wide>& triggers) {
    const Wide latency = ticks_.of(analysis.latency);
    Wide longest = 0;
    for (std::size_t i = 0; i < analysis.feeds.size(); ++i) {
        QueueGuarantee& queue = analysis.guarantee.queues[i];
        if (queue.modules == 0) continue;
        const Wide slot = ticks_.of(analysis.slot_of(i));
        const int own = own_modules(analysis, i);
        std::vector<Wide> distances;
        for (const int feed : analysis.feeds[i]) {
            const TierLink& link = links_[std::size_t(feed)];
            distances.insert(distances.end(), link.distances.begin(), link.distances.end());
        }
        for (const Wide& each : triggers) distances.insert(distances.end(), std::size_t(own), each);
        std::sort(distances.begin(), distances.end());
        if (analysis.is_fed && queue.bounded)
            longest = std::max(longest, distances[bound_queue(distances, 1, latency, slot, ticks_, queue)]);
        const std::size_t number = std::size_t(analysis.first_link) + i;
        if (network_.links()[number].to == Network::kServer) continue;
        for (std::size_t k = 1; k < distances.size(); ++k)
            distances[k] = std::max(distances[k], distances[k - 1] + slot);
        if (horizon_ > 0)
            distances.erase(std::upper_bound(distances.begin(), distances.end(), horizon_), distances.end());
        links_[number].slot = slot;
        links_[number].distances = std::move(distances);
    }
    return longest;
}

}  // namespace watershed
