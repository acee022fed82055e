// SPDX-License-Identifier: GPL-2.0-only
#include "test/calibrate/reference-queue.h"

#include <algorithm>
#include <deque>
#include <vector>

namespace watershed {

std::int64_t lost_frame_by_frame(const QueueSetting& setting) {
    struct Waiting {
        std::int64_t leaves = 0;
        std::size_t module = 0;
    };
    const auto uplinks = static_cast<std::size_t>(setting.uplinks);
    std::vector<std::deque<Waiting>> queues(uplinks);
    std::vector<std::int64_t> free_at(uplinks, 0), held(static_cast<std::size_t>(setting.ports), 0);
    std::int64_t held_in_all = 0, lost = 0;
    for (std::int64_t event = 0; event < setting.events; ++event) {
        const std::int64_t now = event * setting.spacing;
        for (auto& queue : queues)
            for (; !queue.empty() && queue.front().leaves <= now; queue.pop_front(), --held_in_all)
                --held[queue.front().module];
        for (std::size_t module = 0; module < held.size(); ++module) {
            if ((setting.sharing == Buffer::Sharing::Shared ? held_in_all : held[module]) >= setting.room) {
                ++lost;
                continue;
            }
            std::int64_t& free = free_at[module % uplinks];
            free = std::max(free, now) + setting.slot;
            queues[module % uplinks].push_back({free, module});
            ++held[module];
            ++held_in_all;
        }
    }
    return lost;
}

}  // namespace watershed
