// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace watershed {

/// The sending end of a reliable queue pair, whose packets are numbered from 0. It repeats all from the first that is
/// missing, go-back-N as a reliable connection of InfiniBand does, or what is missing alone: selective repeat, as IRN
/// (Mittal et al., "Revisiting network support for RDMA", SIGCOMM 2018). That takes a packet for lost when one that was
/// sent after it has arrived; where the path does not keep their order, one that was sent so many packets later.
class QueuePairSender {
  public:
    /// @param packets  in all @param reorder  packets that may overtake another without its being lost
    QueuePairSender(bool selective, std::uint64_t packets, std::uint64_t reorder = 0)
        : selective_(selective), packets_(packets), reorder_(reorder) {}

    /// The packet to be sent next, if there is one.
    std::optional<std::uint64_t> next() const {
        if (!lost_.empty()) return *lost_.begin();
        if (next_ < packets_) return next_;
        return std::nullopt;
    }
    /// The packet next() was sent.
    void sent() {
        const std::uint64_t number = *next();
        if (lost_.erase(number) == 0) ++next_;
        if (!selective_) return;
        open_[number] = first_ + order_.size();
        order_.push_back(number);
    }
    /// All before this one have arrived. @return whether that is news
    bool acknowledged(std::uint64_t expected) {
        if (expected <= acknowledged_) return false;
        acknowledged_ = expected;
        next_ = std::max(next_, expected);
        open_.erase(open_.begin(), open_.lower_bound(expected));
        lost_.erase(lost_.begin(), lost_.lower_bound(expected));
        while (!order_.empty() && order_.front() < expected) forget_first();
        return true;
    }
    /// All before `expected` have arrived, and then this one. @return whether any before `expected` is news
    bool missing(std::uint64_t expected, std::uint64_t arrived) {
        const bool is_news = acknowledged(expected);
        if (!selective_) next_ = acknowledged_;
        const auto found = open_.find(arrived);
        if (found == open_.end()) return is_news;
        const std::uint64_t place = found->second;
        open_.erase(found);
        lost_.erase(arrived);
        for (; first_ + reorder_ < place; forget_first()) {
            const auto earlier = open_.find(order_.front());
            if (earlier != open_.end() && earlier->second == first_) lost_.insert(earlier->first);
        }
        return is_news;
    }
    /// All before `expected` have arrived, and of this one the header alone: it is lost. @return whether that is news
    bool trimmed(std::uint64_t expected, std::uint64_t number) {
        const bool is_news = acknowledged(expected);
        return (open_.count(number) > 0 && lost_.insert(number).second) || is_news;
    }
    /// Nothing was heard for too long: whatever was not acknowledged is lost.
    void timed_out() {
        if (!selective_) next_ = acknowledged_;
        for (const auto& [number, place] : open_) lost_.insert(number);
    }

    std::uint64_t get_acknowledged() const { return acknowledged_; }
    /// The packet that is sent next for the first time, unless all are gone back to.
    std::uint64_t get_next() const { return next_; }
    /// next() was lost, and is the only one to be repeated.
    bool is_repeating() const { return !lost_.empty(); }
    bool is_waiting() const { return acknowledged_ < next_; }
    bool is_done() const { return acknowledged_ == packets_; }

  private:
    void forget_first() {
        order_.pop_front();
        ++first_;
    }

    bool selective_;
    std::uint64_t packets_, reorder_, next_ = 0, acknowledged_ = 0;
    // Selective repeat alone has these:
    std::map<std::uint64_t, std::uint64_t> open_;  ///< packets that may be on their way, and places in `order_`
    std::deque<std::uint64_t> order_;              ///< packets in the order in which they were sent
    std::uint64_t first_ = 0;                      ///< place of the first of `order_`
    std::set<std::uint64_t> lost_;
};

/// Its receiving end.
class QueuePairReceiver {
  public:
    enum class Answer { kNone, kAcknowledge, kMissing, kTrimmed };
    struct Verdict {
        bool is_taken;
        Answer answer;
    };

    /// @param selective  it keeps what comes early; otherwise it asks once for what is missing, and again if the sender
    ///                   has gone back and that was lost again
    /// @param asks       for an acknowledgement
    Verdict arrived(std::uint64_t number, bool selective, bool asks) {
        const Answer usual = asks ? Answer::kAcknowledge : Answer::kNone;
        if (number < expected_) return {false, usual};
        if (number == expected_) {
            ++expected_;
            while (early_.erase(expected_) > 0) ++expected_;
            latest_ = 0;
            return {true, usual};
        }
        if (selective) return {early_.insert(number).second, Answer::kMissing};
        const bool asked = number > latest_ && latest_ > 0;
        latest_ = number;
        return {false, asked ? Answer::kNone : Answer::kMissing};
    }
    /// Returns the answer to a packet of which the header alone came: go-back-N learns of it by those behind it.
    Answer trimmed(std::uint64_t number, bool selective) const {
        if (!selective) return Answer::kNone;
        return number < expected_ || early_.count(number) > 0 ? Answer::kAcknowledge : Answer::kTrimmed;
    }
    std::uint64_t get_expected() const { return expected_; }

  private:
    std::uint64_t expected_ = 0;
    std::uint64_t latest_ = 0;  ///< the last that came too early, since one came in its place
    std::set<std::uint64_t> early_;
};

}  // namespace watershed
