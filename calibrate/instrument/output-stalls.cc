// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <deque>

#include "calibrate/instrument/fragments.h"
#include "model/base/search.h"

namespace watershed {
namespace {

/// Frames in which a pause is made up, and parts of a burst of which the middle one has the usual pace.
constexpr std::size_t kLeastWindow = 64, kPartsOfBurst = 10;
/// A part of the usual pace.
constexpr int kFinest = 4;

/// Of one frame after the other.
Time usual_pace(const std::vector<ArrivedFrame>& arrivals, std::size_t window) {
    std::vector<Time> parts;
    for (std::size_t i = 0; i + window < arrivals.size(); i += window / 2)
        parts.push_back(arrivals[i + window].time - arrivals[i].time);
    return median(std::move(parts)) / static_cast<std::int64_t>(window);
}

}  // namespace

std::vector<OutputStall> output_stalls(const std::vector<ArrivedFrame>& arrivals) {
    std::vector<OutputStall> stalls;
    const std::size_t window = std::max(kLeastWindow, arrivals.size() / kPartsOfBurst);
    if (arrivals.size() < 2 * window) return stalls;
    const Time pace = usual_pace(arrivals, window);
    const auto lateness = [&](std::size_t i) { return arrivals[i].time - pace * static_cast<std::int64_t>(i); };
    // Less cannot be told from when frames were noted.
    const Time least_lost = std::max(Time{1}, pace / kFinest);
    // The least lateness of the frames from each on, as far as the window reaches: where it grows time was lost.
    std::deque<std::size_t> least;  // places of rising lateness, the first being the least
    std::size_t seen = 0;
    const auto least_from = [&](std::size_t from) {
        for (; seen < std::min(from + window, arrivals.size()); ++seen) {
            while (!least.empty() && lateness(least.back()) >= lateness(seen)) least.pop_back();
            least.push_back(seen);
        }
        while (least.front() < from) least.pop_front();
        return lateness(least.front());
    };
    Time before = least_from(0);
    for (std::size_t i = 1; i + kLeastWindow <= arrivals.size(); ++i) {
        const Time now = least_from(i), lost = now - before;
        before = now;
        if (lost >= least_lost) stalls.push_back({arrivals[i].place, arrivals[i - 1].time - arrivals[0].time, lost});
    }
    return stalls;
}

}  // namespace watershed
