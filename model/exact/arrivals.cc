// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/arrivals.h"

#include <algorithm>

namespace watershed {

Arrivals::Arrivals(const Incast& scenario, const FragmentSizes& sizes, Ledger& ledger, const Observer* observer,
                   const ArrivalRank& rank, int modules_before, TimeGrid grid)
    : sizes_(sizes),
      ledger_(ledger),
      observer_(observer),
      rank_(rank),
      modules_before_(modules_before),
      trigger_(scenario.trigger),
      train_(scenario.trigger, scenario.seed),
      modules_(scenario.front_end.modules),
      most_(static_cast<std::size_t>(modules_)),
      synchronous_(is_synchronous(scenario.front_end) && !sizes.vary() &&
                   trigger_.pattern != Trigger::Pattern::LineRatePlusBurst) {
    const int followed = synchronous_ ? 1 : modules_;
    ports_.reserve(static_cast<std::size_t>(followed));
    for (int number = 1; number <= followed; ++number)
        ports_.emplace_back(scenario.front_end, scenario.seed, number, grid);
    std::size_t frames = 0;
    for (const std::vector<FrameSizes>& each : sizes.choices()) frames = std::max(frames, each.size());
    most_ *= frames;
    unread_ = train_.next();
    turn();
}

void Arrivals::turn() {
    if (now_.next != now_.end) {
        others_.push_back(std::move(now_));
        std::push_heap(others_.begin(), others_.end());
    }
    while (unread_ && (others_.empty() || others_.front().next->time >= unread_from_)) read();
    next_ = nullptr;
    if (others_.empty()) return;
    std::pop_heap(others_.begin(), others_.end());
    now_ = std::move(others_.back());
    others_.pop_back();
    next_ = now_.next->arrival;
    alone_until_ = unread_ ? unread_from_ : Time::max();
    if (!others_.empty()) alone_until_ = std::min(alone_until_, others_.front().next->time);
}

[[gnu::flatten]] void Arrivals::read() {
    const std::int64_t number = ++events_;
    if (observer_ && observer_->progress && number % 1024 == 0) observer_->progress(number);
    Event event = std::move(now_);  // which is over, or with the others
    event.arrivals.resize(most_);
    Arrival* last_arrival = event.arrivals.data();
    Time all_free = Time::max();  // the links of modules that answer the next trigger, which answer this one, too
    int module = 0;
    for (FrontEndPort& port : ports_) {
        if (!answers(trigger_, number, ++module)) continue;
        const int last = synchronous_ ? modules_ : module;  // what this module does, all to the last do
        const Time offered = port.offer_time(number, *unread_);
        int frame = 0;
        for (const FrameSizes& sizes : sizes_.of(number, modules_before_ + module)) {
            const auto time = port.offer(offered, sizes.wire);
            for (int each = module; each <= last; ++each) {
                const FrameId id{number, modules_before_ + each, frame};
                if (time)
                    *last_arrival++ = {*time, rank_(number, each), each - 1, id};
                else
                    ledger_.lost(id, offered, FrontEndPort::kFifoFull);
            }
            ++frame;
        }
        all_free = std::min(all_free, port.free().time);
    }
    unread_ = train_.next();
    if (unread_) unread_from_ = std::max(*unread_, all_free);
    const Arrival* arrival = event.arrivals.data();
    if (arrival == last_arrival) return;
    event.order.resize(static_cast<std::size_t>(last_arrival - arrival));
    for (Due& due : event.order) due = {arrival->time.time, arrival}, ++arrival;
    if (!std::is_sorted(event.order.begin(), event.order.end())) std::sort(event.order.begin(), event.order.end());
    event.next = event.order.data();
    event.end = event.next + event.order.size();
    others_.push_back(std::move(event));
    std::push_heap(others_.begin(), others_.end());
}

}  // namespace watershed
