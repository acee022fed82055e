// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/outcome.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/front-end.h"
#include "model/frontend/senders.h"

namespace watershed {

/// Keeps the books of what was lost: where, why, and what first.
class Ledger {
  public:
    /// @param observer told of every loss, if not null
    /// @param sizes    of the frames, for refused_by_fifo(), if not null
    explicit Ledger(const Observer* observer, const FragmentSizes* sizes = nullptr)
        : observer_(observer), sizes_(sizes) {}

    /// @param number  of the switch, from 0, in the order of Network
    void lost(const FrameId& frame, Time time, const LossCause& cause, int number = 0) {
        ++lost_;
        const auto count =
            std::find_if(counts_.begin(), counts_.end(), [&](const Count& c) { return c.cause == cause; });
        if (count != counts_.end())
            ++count->frames;
        else
            counts_.push_back({cause, 1});

        const bool at_front_end = cause.where == FrontEndPort::kFifoFull.where;
        if (at_front_end && sizes_ && frame.copy == 0) {  // before it is copied
            Outcome::Link& refused = refused_[frame.module];
            ++refused.frames;
            refused.wire += sizes_->of(frame.event, frame.module)[static_cast<std::size_t>(frame.frame)].wire;
        }
        const bool is_down = cause.reason == "link-down";
        const int place = at_front_end ? 0 : 2 * number + (is_down ? 2 : 1);
        const auto precedes_first = [&] {
            if (time != first_->time) return time < first_->time;
            if (place != first_place_) return place < first_place_;
            return (at_front_end || is_down) &&
                   std::tie(frame.module, frame.event, frame.frame) <
                       std::tie(first_->frame.module, first_->frame.event, first_->frame.frame);
        };
        if (!first_ || precedes_first()) {
            first_ = FirstLoss{frame, time, std::string(cause.where)};
            first_place_ = place;
        }
        if (observer_ && observer_->lost) observer_->lost(frame, time, cause);
    }

    std::int64_t frames_lost() const { return lost_; }
    /// Returns the frames of a module that its FIFO refused, which never got onto its link.
    Outcome::Link refused_by_fifo(int module) const {
        const auto refused = refused_.find(module);
        return refused == refused_.end() ? Outcome::Link{} : refused->second;
    }
    /// Returns the losses by place and reason, in alphabetical order.
    std::vector<Outcome::Loss> losses() const {
        std::vector<Outcome::Loss> losses;
        for (const Count& count : counts_)
            losses.push_back({std::string(count.cause.where), std::string(count.cause.reason), count.frames});
        std::sort(losses.begin(), losses.end(), [](const auto& a, const auto& b) {
            return std::tie(a.where, a.reason) < std::tie(b.where, b.reason);
        });
        return losses;
    }
    /// The earliest loss. At equal times one at the front end precedes one at a switch, and the lower module comes
    /// first at the front end and with a link that is down; a switch decides in its order of arrival, with losses to
    /// links last, and the lower number comes first among switches.
    const std::optional<FirstLoss>& first_loss() const { return first_; }

  private:
    struct Count {
        LossCause cause;
        std::int64_t frames;
    };

    const Observer* observer_;
    const FragmentSizes* sizes_;
    std::int64_t lost_ = 0;
    std::vector<Count> counts_;
    std::map<int, Outcome::Link> refused_;  ///< by module
    std::optional<FirstLoss> first_;
    int first_place_ = 0;  ///< 0: front end; otherwise of a switch, or of links that are down there
};

/// When each frame on its way was ready: a table that is at most half full, in which a frame stands at the place that
/// its key tells or behind it, with no gap between.
class ReadyTimes {
  public:
    bool empty() const { return count_ == 0; }
    void put(std::uint64_t key, Time ready) {
        if (2 * ++count_ > rows_.size()) {
            std::vector<Row> before(2 * rows_.size());
            rows_.swap(before);
            for (const Row& row : before)
                if (row.key != kNone) rows_[find(row.key)] = row;
        }
        rows_[find(key)] = {key, ready};
    }
    /// Forgets a frame. @return when it was ready, if it is known
    std::optional<Time> take(std::uint64_t key) {
        std::size_t gap = find(key);
        if (rows_[gap].key == kNone) return std::nullopt;
        const Time ready = rows_[gap].ready;
        --count_;
        const std::size_t mask = rows_.size() - 1;
        for (std::size_t next = gap;;) {  // records behind move up, unless the gap is before their places
            next = (next + 1) & mask;
            if (rows_[next].key == kNone) break;
            if (((next - place_of(rows_[next].key)) & mask) < ((next - gap) & mask)) continue;
            rows_[gap] = rows_[next];
            gap = next;
        }
        rows_[gap].key = kNone;
        return ready;
    }

  private:
    static constexpr std::uint64_t kNone = UINT64_MAX;
    struct Row {
        std::uint64_t key = kNone;
        Time ready{0};
    };
    std::size_t place_of(std::uint64_t key) const {
        constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio spreads keys that count up
        return static_cast<std::size_t>(key * kOdd >> 32) & (rows_.size() - 1);
    }
    /// Row of a key, or the gap in which it would stand.
    std::size_t find(std::uint64_t key) const {
        std::size_t place = place_of(key);
        while (rows_[place].key != key && rows_[place].key != kNone) place = (place + 1) & (rows_.size() - 1);
        return place;
    }

    std::vector<Row> rows_ = std::vector<Row>(64);
    std::size_t count_ = 0;
};

/// Keeps the books of streams beside the camera, and of the latency of the camera's own frames: what was ready when,
/// arrived or was lost. Where there are no such streams it keeps none.
class StreamLedger {
  public:
    /// @param observer  told of losses of streams, if not null
    StreamLedger(const Senders& senders, const Observer* observer) {
        if (senders.traffic.empty()) return;
        const auto open = [&](const std::string& name, int traffic_class, int copies = 1) {
            accounts_.push_back({{}, Ledger(observer), std::vector<ReadyTimes>(static_cast<std::size_t>(copies))});
            accounts_.back().seen.name = name;
            accounts_.back().seen.traffic_class = traffic_class;
        };
        open("camera", senders.front_end.traffic_class, senders.builders.receiving());
        for (const TrafficStream& stream : senders.traffic) open(stream.name, stream.traffic_class);
    }

    bool are_kept() const { return !accounts_.empty(); }
    /// A frame is ready to be sent.
    void offered(const FrameId& frame, Time now) {
        if (!are_kept()) return;
        offered(frame);
        ready_of(frame).put(key_of(frame), now);
    }
    /// Counts a frame that is offered; its ready time will be given when it comes to the server.
    void offered(const FrameId& frame) {
        if (are_kept()) ++accounts_[static_cast<std::size_t>(frame.stream)].seen.frames_sent;
    }
    /// Counts a frame whose last bit has arrived at the server.
    void arrived(const FrameId& frame, Time now) {
        if (!are_kept()) return;
        const auto ready = ready_of(frame).take(key_of(frame));
        if (!ready) throw std::logic_error("a frame arrived that was never sent");
        arrived(frame, *ready, now);
    }
    /// @param ready  when it was to be sent
    void arrived(const FrameId& frame, Time ready, Time now) {
        if (!are_kept()) return;
        Account& account = accounts_[static_cast<std::size_t>(frame.stream)];
        const Time latency = now - ready;
        ++account.seen.frames_received;
        ++account.seen.frames_arrived;
        account.seen.latency += latency;
        account.seen.latency_most = std::max(account.seen.latency_most, latency);
    }
    /// A frame was lost on its way. @return whether it was of a stream: then the camera's ledger has nothing to do with
    /// it
    bool lost(const FrameId& frame, Time now, const LossCause& cause, int number = 0) {
        if (!are_kept()) return false;
        Account& account = accounts_[static_cast<std::size_t>(frame.stream)];
        ready_of(frame).take(key_of(frame));
        if (frame.stream == 0) return false;
        account.ledger.lost(frame, now, cause, number);
        return true;
    }

    /// Adds the streams to an outcome that tells all about the camera.
    /// @param peaks  of each switch, by stream; the camera is stream 0
    /// @throws std::logic_error if a frame is unaccounted for
    void report(Outcome& outcome, const std::vector<std::vector<Outcome::Amount>>& peaks) const {
        for (std::size_t i = 0; i < accounts_.size(); ++i) {
            const Account& account = accounts_[i];
            Outcome::Stream seen = account.seen;
            if (i == 0) {
                if (seen.frames_sent != outcome.frames_sent)
                    throw std::logic_error("the books of the camera's frames do not balance");
                seen.frames_received = outcome.frames_received;  // a server with limits may lose some that arrived
                seen.losses = outcome.losses;
            } else {
                seen.losses = account.ledger.losses();
                if (seen.frames_sent != seen.frames_received + account.ledger.frames_lost() ||
                    !account.ready.front().empty())
                    throw std::logic_error("the books of stream " + seen.name +
                                           " do not balance: " + std::to_string(seen.frames_sent) + " frames sent, " +
                                           std::to_string(seen.frames_received) + " received, " +
                                           std::to_string(account.ledger.frames_lost()) + " lost");
            }
            for (const auto& at_switch : peaks) seen.peaks.push_back(at_switch[i]);
            outcome.streams.push_back(std::move(seen));
        }
    }

  private:
    struct Account {
        Outcome::Stream seen;
        Ledger ledger;
        std::vector<ReadyTimes> ready;  ///< ready times of frames that have not arrived, by copy
    };

    ReadyTimes& ready_of(const FrameId& frame) {
        return accounts_[static_cast<std::size_t>(frame.stream)].ready[static_cast<std::size_t>(frame.copy)];
    }

    static std::uint64_t key_of(const FrameId& frame) {
        return static_cast<std::uint64_t>(frame.event) << 32 | static_cast<std::uint64_t>(frame.module) << 16 |
               static_cast<std::uint64_t>(frame.frame);
    }

    std::vector<Account> accounts_;  ///< from 0 the camera's
};

}  // namespace watershed
