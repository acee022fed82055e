// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// Numbers of queues and pools, and their sizes in frames, bytes or cells.
struct QueueLayout {
    int queues = 1;
    int pools = 1;  ///< at most one for each queue; neighbouring queues share one
    std::int64_t pool_size = 0;
    std::int64_t reserved = 0;  ///< amount of each queue alone, beside the pools
    int classes = 1;            ///< neighbouring queues that belong to one port
};

/// Amounts in the queues of a memory and in the pools they draw on: the base of every sharing policy, which only
/// decides who may have more. A queue uses up what is reserved for it before it draws on its pool, and gives back to
/// the pool first. It sees amounts, queues and occupancy; never a clock, a packet or a simulator.
class QueueAccounts {
  public:
    using Layout = QueueLayout;
    enum class Verdict { Granted, PoolFull, AboveThreshold };

    explicit QueueAccounts(const Layout& layout) : QueueAccounts(layout, {}, false, false) {}
    virtual ~QueueAccounts() = default;
    QueueAccounts(const QueueAccounts&) = delete;
    QueueAccounts& operator=(const QueueAccounts&) = delete;

    /// Returns the verdict on `amount` more for `queue`. @param first  the frame is among the first of its flow
    Verdict verdict(int queue, std::int64_t amount, bool first = false) const {
        return verdict_on_more(queue, draws(held(queue), amount), first);
    }
    /// Takes `amount` if verdict() grants it. @return the verdict
    Verdict ask(int queue, std::int64_t amount, bool first = false) {
        std::int64_t& held = held_[static_cast<std::size_t>(queue)];
        const std::int64_t before = held, more = draws(before, amount);
        const Verdict given = verdict_on_more(queue, more, first);
        if (given != Verdict::Granted) return given;
        held += amount;
        drawn_[static_cast<std::size_t>(pool_of(queue))] += more;
        if (remembers_) changed(queue, before, false);
        return given;
    }
    /// Returns true if a queue holds a frame that may be pushed out: one behind the first, which its port has already.
    using MayLose = std::function<bool(int queue)>;
    /// Returns the queue whose last frame is pushed out for one that `queue` has no room for.
    /// @return std::nullopt if that frame itself goes, as always without push-out
    virtual std::optional<int> victim(int /*queue*/, const MayLose& /*may_lose*/) const { return std::nullopt; }
    /// Takes what verdict() granted, or gives back a negative amount. @throws std::logic_error if it does not fit
    void take(int queue, std::int64_t amount) { change(queue, amount); }
    /// Gives back an amount that take() took. @throws std::logic_error if there is not so much
    void give(int queue, std::int64_t amount) { change(queue, -amount); }
    /// Takes `amount` from reserve and pool for a frame with a further part on headroom, or gives both back.
    void take_beside(int queue, std::int64_t amount, std::int64_t on_headroom) {
        on_headroom_.resize(held_.size());
        on_headroom_[static_cast<std::size_t>(queue)] += on_headroom;
        change(queue, amount, on_headroom);
    }
    std::int64_t on_headroom(int queue) const {
        return on_headroom_.empty() ? 0 : on_headroom_[static_cast<std::size_t>(queue)];
    }
    /// Returns true if the queue with `amount` more would be at least `margin` below alpha times the amount then free.
    /// Flow control asks it.
    virtual bool stays_below_threshold(int queue, std::int64_t amount, std::int64_t margin, const Ratio& alpha) const {
        return (Wide{held(queue)} + amount + margin) * alpha.denominator <= free_with(queue, amount) * alpha.numerator;
    }
    /// Returns true if the queue holds less than `than`. Flow control asks it.
    virtual bool occupancy_below(int queue, std::int64_t than) const { return held(queue) < than; }

    const Layout& layout() const { return layout_; }
    /// The amount in a queue, reserve included.
    std::int64_t held(int queue) const { return held_[static_cast<std::size_t>(queue)]; }
    /// The amount in all queues, reserves included.
    std::int64_t held() const { return std::accumulate(held_.begin(), held_.end(), std::int64_t{0}); }
    /// Part of a queue's amount that is drawn from its pool.
    std::int64_t drawn(int queue) const { return beyond_reserve(held(queue)); }
    /// Amount drawn from the pool once the queue holds `amount` more.
    std::int64_t drawn_with(int queue, std::int64_t amount) const { return beyond_reserve(held(queue) + amount); }
    int pool_of(int queue) const { return pools_[static_cast<std::size_t>(queue)]; }
    /// Free amount in the pool of a queue.
    std::int64_t free(int queue) const { return layout_.pool_size - drawn_[static_cast<std::size_t>(pool_of(queue))]; }
    /// Free amount in all pools.
    std::int64_t free() const {
        return layout_.pools * layout_.pool_size - std::accumulate(drawn_.begin(), drawn_.end(), std::int64_t{0});
    }
    /// Free amount in all pools and reserves.
    std::int64_t left() const {
        std::int64_t left = free();
        if (layout_.reserved > 0)
            for (const std::int64_t held : held_) left += std::max<std::int64_t>(0, layout_.reserved - held);
        return left;
    }

  protected:
    /// Returns true if a queue draws less than alpha times the free amount of its pool.
    bool is_below(int queue, const Ratio& alpha) const {
        return Wide{drawn(queue)} * alpha.denominator < Wide{free(queue)} * alpha.numerator;
    }
    /// Returns true if a queue that draws `amount` more draws at most alpha times the amount now free in its pool.
    bool fits_below(int queue, const Ratio& alpha, std::int64_t amount) const {
        return Wide{drawn(queue) + amount} * alpha.denominator <= Wide{free(queue)} * alpha.numerator;
    }
    std::int64_t beyond_reserve(std::int64_t amount) const {
        return amount > layout_.reserved ? amount - layout_.reserved : 0;
    }
    /// Free amount in a queue's pool once it has taken `amount` more; negative if there is not so much.
    Wide free_with(int queue, std::int64_t amount) const { return Wide{free(queue)} - draws(held(queue), amount); }

    /// @param alpha      factor of a policy that is one dynamic threshold for all queues: may_grow() is not asked then
    /// @param limits     may_grow() is asked, @param remembers  changed() is called
    QueueAccounts(const Layout& layout, std::optional<Ratio> alpha, bool limits, bool remembers)
        : layout_(layout),
          alpha_(alpha),
          limits_(limits),
          remembers_(remembers),
          held_(static_cast<std::size_t>(layout.queues)),
          drawn_(static_cast<std::size_t>(layout.pools)) {
        const std::int64_t ports = layout.queues / layout.classes;
        for (int queue = 0; queue < layout.queues; ++queue)
            pools_.push_back(static_cast<int>(std::int64_t{queue / layout.classes} * layout.pools / ports));
    }

  private:
    /// Returns the verdict on a queue that would draw `more` from its pool.
    Verdict verdict_on_more(int queue, std::int64_t more, bool first) const {
        if (more == 0) return Verdict::Granted;
        if (more > free(queue)) return Verdict::PoolFull;
        const bool grows = first    ? first_may_grow(queue, more)
                           : alpha_ ? is_below(queue, *alpha_)
                                    : !limits_ || may_grow(queue, more);
        return grows ? Verdict::Granted : Verdict::AboveThreshold;
    }
    /// Amount that a queue which holds `before` draws from its pool to hold `amount` more.
    std::int64_t draws(std::int64_t before, std::int64_t amount) const {
        if (layout_.reserved == 0) return amount;
        return beyond_reserve(before + amount) - beyond_reserve(before);
    }
    /// Returns true if the policy lets this queue draw `amount` more from its pool, which has room for it.
    virtual bool may_grow(int /*queue*/, std::int64_t /*amount*/) const { return true; }
    /// Returns true if the policy lets one of the first frames of a flow do so.
    virtual bool first_may_grow(int queue, std::int64_t amount) const { return may_grow(queue, amount); }
    /// Called after a frame has come to or left a queue that held `before` beside its headroom.
    virtual void changed(int /*queue*/, std::int64_t /*before*/, bool /*left*/) {}

    void change(int queue, std::int64_t difference, std::int64_t on_headroom = 0) {
        std::int64_t& held = held_[static_cast<std::size_t>(queue)];
        std::int64_t& drawn = drawn_[static_cast<std::size_t>(pool_of(queue))];
        const std::int64_t before = held, after = before + difference, given = drawn + draws(before, difference);
        held = after;
        drawn = given;
        if ((after | given | (layout_.pool_size - given)) < 0) broken(queue, before, difference);  // one is negative
        if (remembers_) changed(queue, before, difference + on_headroom < 0);
    }
    [[noreturn, gnu::noinline]] void broken(int queue, std::int64_t before, std::int64_t difference) const;

    Layout layout_;
    std::optional<Ratio> alpha_;
    bool limits_;                            ///< the policy has a say in how a queue grows
    bool remembers_;                         ///< and is told of changes
    std::vector<std::int64_t> held_;         ///< by queue
    std::vector<std::int64_t> drawn_;        ///< by pool
    std::vector<std::int64_t> on_headroom_;  ///< by queue; empty: there is none
    std::vector<int> pools_;                 ///< by queue
};

/// The base of a policy that limits how a queue grows.
class LimitingPolicy : public QueueAccounts {
  protected:
    /// @param alpha  factor of a policy that is one dynamic threshold for all queues: may_grow() is not asked then
    explicit LimitingPolicy(const Layout& layout, std::optional<Ratio> alpha = {}, bool remembers = false)
        : QueueAccounts(layout, alpha, true, remembers) {}

  private:
    bool may_grow(int queue, std::int64_t amount) const override = 0;
};

/// The base of a policy whose limit depends on what queues held before.
class RememberingPolicy : public LimitingPolicy {
  protected:
    explicit RememberingPolicy(const Layout& layout) : LimitingPolicy(layout, {}, true) {}

  private:
    void changed(int queue, std::int64_t before, bool left) override = 0;
};

}  // namespace watershed
