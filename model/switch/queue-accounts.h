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

/// How many queues draw on how many pools, and of what size; in frames, bytes or cells.
struct QueueLayout {
    int queues = 1;
    int pools = 1;  ///< at most one for each queue; neighbouring queues share one
    std::int64_t pool_size = 0;
    std::int64_t reserved = 0;  ///< of each queue alone, beside the pools
    int classes = 1;            ///< neighbouring queues that belong to one port
};

/// What the queues of a memory hold, and the pools they draw on: the base of every sharing policy, which only says who
/// may have more. A queue uses up what is reserved for it before it draws on its pool, and gives back to the pool
/// first. It sees amounts, queues and occupancy; never a clock, a packet or a simulator.
class QueueAccounts {
  public:
    using Layout = QueueLayout;
    enum class Verdict { Granted, PoolFull, AboveThreshold };

    explicit QueueAccounts(const Layout& layout) : QueueAccounts(layout, {}, false, false) {}
    virtual ~QueueAccounts() = default;
    QueueAccounts(const QueueAccounts&) = delete;
    QueueAccounts& operator=(const QueueAccounts&) = delete;

    /// Whether `queue` may take `amount` more. @param first  of the first frames of its flow
    Verdict verdict(int queue, std::int64_t amount, bool first = false) const {
        return verdict_on_more(queue, draws(held(queue), amount), first);
    }
    /// Takes what verdict() grants. @return that
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
    /// Whether a queue holds a frame that may still go: one behind the first, which is its port's already.
    using MayLose = std::function<bool(int queue)>;
    /// Of a policy that pushes frames out: the queue whose last frame goes for one that `queue` has no room for.
    /// @return nothing, if that frame itself is the one to go
    virtual std::optional<int> victim(int /*queue*/, const MayLose& /*may_lose*/) const { return std::nullopt; }
    /// Takes what verdict() granted; a negative amount is given back. @throws std::logic_error if it was not
    void take(int queue, std::int64_t amount) { change(queue, amount); }
    /// Gives back what take() took. @throws std::logic_error if there is not so much
    void give(int queue, std::int64_t amount) { change(queue, -amount); }
    /// The same for a frame of which a part is on headroom, beside reserve and pool.
    void take_beside(int queue, std::int64_t amount, std::int64_t on_headroom) {
        on_headroom_.resize(held_.size());
        on_headroom_[static_cast<std::size_t>(queue)] += on_headroom;
        change(queue, amount, on_headroom);
    }
    std::int64_t on_headroom(int queue) const {
        return on_headroom_.empty() ? 0 : on_headroom_[static_cast<std::size_t>(queue)];
    }
    /// Of a queue whose sender can be told to pause: with `amount` more it would be so far below alpha times what is
    /// then free.
    virtual bool stays_below_threshold(int queue, std::int64_t amount, std::int64_t margin, const Ratio& alpha) const {
        return (Wide{held(queue)} + amount + margin) * alpha.denominator <= free_with(queue, amount) * alpha.numerator;
    }
    /// Of the same: it holds less than that.
    virtual bool occupancy_below(int queue, std::int64_t than) const { return held(queue) < than; }

    const Layout& layout() const { return layout_; }
    /// The amount in a queue, reserve included.
    std::int64_t held(int queue) const { return held_[static_cast<std::size_t>(queue)]; }
    /// The amount in all queues, reserves included.
    std::int64_t held() const { return std::accumulate(held_.begin(), held_.end(), std::int64_t{0}); }
    /// The part of a queue's amount that is drawn from its pool.
    std::int64_t drawn(int queue) const { return beyond_reserve(held(queue)); }
    /// The same once it holds so much more.
    std::int64_t drawn_with(int queue, std::int64_t amount) const { return beyond_reserve(held(queue) + amount); }
    int pool_of(int queue) const { return pools_[static_cast<std::size_t>(queue)]; }
    /// What is left in the pool of a queue.
    std::int64_t free(int queue) const { return layout_.pool_size - drawn_[static_cast<std::size_t>(pool_of(queue))]; }
    /// What is left in all pools together.
    std::int64_t free() const {
        return layout_.pools * layout_.pool_size - std::accumulate(drawn_.begin(), drawn_.end(), std::int64_t{0});
    }
    /// The same with what is left of the reserves.
    std::int64_t left() const {
        std::int64_t left = free();
        if (layout_.reserved > 0)
            for (const std::int64_t held : held_) left += std::max<std::int64_t>(0, layout_.reserved - held);
        return left;
    }

  protected:
    /// Whether a queue draws less than alpha times what is free in its pool.
    bool is_below(int queue, const Ratio& alpha) const {
        return Wide{drawn(queue)} * alpha.denominator < Wide{free(queue)} * alpha.numerator;
    }
    /// Whether it draws no more than that with so much more.
    bool fits_below(int queue, const Ratio& alpha, std::int64_t amount) const {
        return Wide{drawn(queue) + amount} * alpha.denominator <= Wide{free(queue)} * alpha.numerator;
    }
    std::int64_t beyond_reserve(std::int64_t amount) const {
        return amount > layout_.reserved ? amount - layout_.reserved : 0;
    }
    /// What would be left in its pool if a queue took so much more.
    Wide free_with(int queue, std::int64_t amount) const { return Wide{free(queue)} - draws(held(queue), amount); }

    /// @param alpha      of a policy that is a dynamic threshold for all queues alike, which need not be asked then
    /// @param limits     whether may_grow() is asked, @param remembers  whether changed() is told
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
    /// Whether it may draw so much more from its pool.
    Verdict verdict_on_more(int queue, std::int64_t more, bool first) const {
        if (more == 0) return Verdict::Granted;
        if (more > free(queue)) return Verdict::PoolFull;
        const bool grows = first    ? first_may_grow(queue, more)
                           : alpha_ ? is_below(queue, *alpha_)
                                    : !limits_ || may_grow(queue, more);
        return grows ? Verdict::Granted : Verdict::AboveThreshold;
    }
    /// What a queue that holds `before` draws from its pool to hold so much more.
    std::int64_t draws(std::int64_t before, std::int64_t amount) const {
        if (layout_.reserved == 0) return amount;
        return beyond_reserve(before + amount) - beyond_reserve(before);
    }
    /// The policy: may this queue draw `amount` more from its pool, which has room for it?
    virtual bool may_grow(int /*queue*/, std::int64_t /*amount*/) const { return true; }
    /// The same for one of the first frames of its flow.
    virtual bool first_may_grow(int queue, std::int64_t amount) const { return may_grow(queue, amount); }
    /// A frame has come to or left a queue that held so much beside its headroom.
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
    bool remembers_;                         ///< and wants to know of changes
    std::vector<std::int64_t> held_;         ///< by queue
    std::vector<std::int64_t> drawn_;        ///< by pool
    std::vector<std::int64_t> on_headroom_;  ///< by queue; empty: there is none
    std::vector<int> pools_;                 ///< by queue
};

/// The base of a policy that limits how a queue grows.
class LimitingPolicy : public QueueAccounts {
  protected:
    /// @param alpha  of a policy that is a dynamic threshold for all queues alike, which need not be asked then
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
