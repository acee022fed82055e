// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/switch/queue-accounts.h"
#include "model/switch/switch.h"

namespace watershed {

/// Queues of the inputs whose frames go to headroom by a rule of their own, whatever the policy of the memory says:
/// those that would take the queue above the threshold at which its sender is told to pause. Headroom is the first that
/// a queue gives back. The switches of HPCC's simulator (Li et al., SIGCOMM 2019) and of ns3-datacenter do so.
class IngressHeadroomQueues {
  public:
    /// State of one queue.
    struct Queue {
        std::optional<Ratio> alpha{};     ///< factor of its threshold; absent: its frames are not diverted
        std::int64_t came = 0, left = 0;  ///< frames
    };

    void divert(int queue, FlowControl::Rule rule, Ratio alpha, int queues) {
        rule_ = rule;
        queues_.resize(static_cast<std::size_t>(queues));
        queues_[static_cast<std::size_t>(queue)].alpha = alpha;
    }
    bool diverts(int queue) const { return !queues_.empty() && at(queue).alpha.has_value(); }
    const Queue& at(int queue) const { return queues_[static_cast<std::size_t>(queue)]; }

    /// Whether a frame of this cost goes to headroom. @param books  of the inputs
    bool overflows(const QueueAccounts& books, int queue, std::int64_t cost) const {
        if (!diverts(queue)) return false;
        const std::int64_t more = books.drawn_with(queue, cost) - books.drawn(queue);
        if (more > books.free(queue)) return true;
        if (rule_ == FlowControl::Rule::Hpcc) return books.drawn_with(queue, cost) > threshold(books, queue);
        return books.on_headroom(queue) > 0 || !books.stays_below_threshold(queue, cost, 0, *at(queue).alpha);
    }
    /// Whether a frame of this cost is lost, where headroom has so much room. HPCC's switch asks there whether the
    /// frame fits below the threshold without the queue's reserve; ns3-datacenter's takes the first frame on headroom
    /// however little there is.
    bool loses(const QueueAccounts& books, int queue, std::int64_t cost, Wide room) const {
        if (cost <= room) return false;
        if (rule_ == FlowControl::Rule::Sonic) return books.on_headroom(queue) > 0;
        return overflows(books, queue, cost) || Wide{books.drawn(queue)} + cost > threshold(books, queue);
    }
    /// Whether room in the whole memory is asked for each frame, diverted or not: headroom may be overdrawn.
    bool may_overdraw() const { return !queues_.empty() && rule_ == FlowControl::Rule::Sonic; }
    /// A frame comes or goes.
    void change(int queue, int sign) {
        Queue& its = queues_[static_cast<std::size_t>(queue)];
        ++(sign > 0 ? its.came : its.left);
    }
    bool must_pause(const QueueAccounts& books, int queue) const {
        if (books.on_headroom(queue) > 0) return true;
        return rule_ == FlowControl::Rule::Hpcc && books.drawn(queue) >= threshold(books, queue);
    }
    /// @param xon  below this it may, wherever the threshold is; @param offset  from the threshold, else
    bool may_go_on(const QueueAccounts& books, int queue, std::int64_t xon, std::int64_t offset) const {
        if (books.on_headroom(queue) > 0) return false;
        if (books.held(queue) == 0) return true;  // no other frame of this queue would end the pause
        if (rule_ == FlowControl::Rule::Sonic)
            return books.occupancy_below(queue, xon) || books.stays_below_threshold(queue, 0, offset, *at(queue).alpha);
        return books.drawn(queue) == 0 || books.drawn(queue) + offset <= threshold(books, queue);
    }

  private:
    Wide threshold(const QueueAccounts& books, int queue) const {
        const Ratio alpha = *at(queue).alpha;
        return Wide{alpha.numerator} * books.free(queue) / alpha.denominator;
    }

    FlowControl::Rule rule_ = FlowControl::Rule::Hpcc;
    std::vector<Queue> queues_;
};

}  // namespace watershed
