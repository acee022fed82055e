// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-calendar.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "model/base/random.h"

namespace watershed {
namespace {

/// `count` times a ratio, rounded.
int times(int count, Ratio ratio) {
    return static_cast<int>((2 * std::int64_t{count} * ratio.numerator + ratio.denominator) / (2 * ratio.denominator));
}

}  // namespace

std::vector<int> slots_from_weights(const std::vector<EjfatMember>& members, int slots, Ratio min_factor,
                                    Ratio max_factor) {
    const int n = static_cast<int>(members.size());
    if (n == 0) return {};
    const double sum = std::accumulate(members.begin(), members.end(), 0.0,
                                       [](double s, const EjfatMember& m) { return s + m.weight; });
    const int even = slots / n, least = times(even, min_factor),
              most = max_factor.numerator == 0 ? slots : times(even, max_factor);
    std::vector<int> wanted;
    for (const EjfatMember& member : members) {
        const int by_weight = static_cast<int>(std::lround(slots * member.weight / sum));
        wanted.push_back(std::min(std::max(by_weight, least), most));
    }
    for (int left = slots - std::accumulate(wanted.begin(), wanted.end(), 0); left > 0; --left)
        ++wanted[static_cast<std::size_t>(left % n)];

    std::vector<int> given(members.size(), 0);
    for (int left = slots; left > 0;)
        for (std::size_t i = 0; i < members.size() && left > 0; ++i)
            if (given[i] < wanted[i]) {
                ++given[i];
                --left;
            }
    return given;
}

EjfatCalendar make_calendar(const std::vector<EjfatMember>& members, const std::vector<int>& shares, int slots,
                            std::uint64_t seed, std::uint64_t epoch) {
    EjfatCalendar calendar;
    for (std::size_t i = 0; i < members.size(); ++i)
        calendar.insert(calendar.end(), static_cast<std::size_t>(shares[i]), members[i].node);
    calendar.resize(static_cast<std::size_t>(slots), kNoNode);
    for (std::size_t i = calendar.size(); i > 1; --i) {  // Fisher and Yates
        const auto j = uniform_up_to(random_bits(seed, Stream::EjfatSlots, epoch, i), static_cast<std::int64_t>(i) - 1);
        std::swap(calendar[i - 1], calendar[static_cast<std::size_t>(j)]);
    }
    return calendar;
}

void EjfatEpochs::add(Epoch epoch) {
    if (!epochs_.empty() && epoch.first_event <= epochs_.back().first_event)
        throw std::logic_error("an epoch from event " + std::to_string(epoch.first_event) + " behind one from event " +
                               std::to_string(epochs_.back().first_event));
    epochs_.push_back(std::move(epoch));
}

int EjfatEpochs::node_of(std::uint64_t event) const {
    for (auto epoch = epochs_.rbegin(); epoch != epochs_.rend(); ++epoch)
        if (epoch->first_event <= event) return epoch->calendar[event % epoch->calendar.size()];
    return kNoNode;
}

}  // namespace watershed
