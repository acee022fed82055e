// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <vector>

#include "model/base/loss.h"
#include "model/base/quantities.h"
#include "model/ipbus/ipbus-packet.h"
#include "model/ipbus/ipbus.h"

namespace watershed {

/// A front-end FIFO of 32-bit words that takes whole waveforms: one that does not fit is rejected as a whole.
class WaveformFifo {
  public:
    /// Sizes in words.
    WaveformFifo(std::int64_t size, std::int64_t waveform) : size_(size), waveform_(waveform) {}

    bool fits() const { return words() + waveform_ <= size_; }
    /// A trigger. @return false if the waveform was rejected
    bool store() {
        if (!fits()) {
            ++rejected_;
            return false;
        }
        ++accepted_;
        return true;
    }
    /// Removes words, which are there. @return the number, from 0, of the first among all that were ever stored
    std::int64_t take(std::int64_t words) {
        const std::int64_t first = taken_;
        taken_ += words;
        return first;
    }

    std::int64_t words() const { return accepted_ * waveform_ - taken_; }
    std::int64_t taken() const { return taken_; }
    std::int64_t accepted() const { return accepted_; }  ///< waveforms
    std::int64_t rejected() const { return rejected_; }

  private:
    std::int64_t size_;
    std::int64_t waveform_;
    std::int64_t accepted_ = 0;
    std::int64_t rejected_ = 0;
    std::int64_t taken_ = 0;
};

/// The firmware of a front-end unit, without network: takes requests in the order of their numbers, reads the FIFOs
/// over its one bus a word at a time, and keeps its last replies to send them again.
class IpbusUnit {
  public:
    static constexpr LossCause kFifoFull{"front-end", "fifo-full"};  ///< a waveform
    static constexpr LossCause kUnexpectedNumber{
        "unit", "unexpected-number"};  ///< a request that is not the next one, or no request at all
    static constexpr LossCause kNoReply{
        "unit", "no-reply-stored"};  ///< a wish for a reply that is not there (any more, or yet)

    /// @param full  the FIFOs never run empty
    IpbusUnit(const IpbusUnitFormat& format, bool full)
        : format_(format),
          full_(full),
          word_time_(static_cast<std::int64_t>(
              ceil_div(Wide{8 * ipbus::kWordBytes} * 1'000'000'000'000, Wide{format.bus_rate.count}))),
          fifos_(static_cast<std::size_t>(format.channels),
                 WaveformFifo(format.fifo.count / ipbus::kWordBytes, format.waveform.count / ipbus::kWordBytes)) {
        if (full_)
            for (WaveformFifo& fifo : fifos_) fill(fifo);
    }

    /// A waveform comes to every FIFO.
    void trigger(Time now) {
        advance(now);
        for (WaveformFifo& fifo : fifos_) fifo.store();
    }
    /// No more triggers: from now on a read that waits for words gets filler.
    void end(Time now) {
        advance(now);
        ended_ = true;
    }

    /// Answer of a unit to a packet.
    struct Received {
        std::optional<ipbus::Words> reply;   ///< reply to be sent now
        const LossCause* refused = nullptr;  ///< why the packet goes no further
    };
    Received receive(const ipbus::Words& packet, Time now) {
        if (packet.empty()) return {std::nullopt, &kUnexpectedNumber};
        if (packet.front() == ipbus::kStatusHeader)
            return {ipbus::status_reply(format_.buffer_size, format_.buffers, expected_), nullptr};
        if (const auto id = ipbus::id_of(packet.front(), 2)) {
            const auto stored =
                std::find_if(sent_.begin(), sent_.end(), [&](const Sent& sent) { return sent.id == *id; });
            if (stored == sent_.end()) return {std::nullopt, &kNoReply};
            return {stored->packet, nullptr};
        }
        const auto id = ipbus::id_of(packet.front(), 0);
        const auto read = ipbus::parse_read_request(packet);
        if (!id || *id != expected_ || !read || read->address >= fifos_.size())
            return {std::nullopt, &kUnexpectedNumber};
        expected_ = ipbus::next_id(expected_);
        requests_.push_back({*id, *read});
        if (requests_.size() == 1) read_until_ = now;
        return {};
    }

    /// Time at which the next reply will be complete, if that is known without further triggers.
    std::optional<Time> next_reply() const {
        if (requests_.empty() || (waits() && !full_ && fifo().words() < words_left())) return std::nullopt;
        return read_until_ + words_left() * word_time_;
    }
    /// Returns the next reply; call it at the time of next_reply().
    ipbus::Words reply(Time now) {
        advance(now);
        if (requests_.empty() || words_left() > 0) throw std::logic_error("a reply was taken before it was complete");
        const std::uint16_t id = requests_.front().id;
        sent_.push_back({id, ipbus::read_reply(id, data_)});
        if (sent_.size() > static_cast<std::size_t>(format_.buffers)) sent_.pop_front();
        data_.clear();
        requests_.pop_front();
        return sent_.back().packet;
    }

    const std::vector<WaveformFifo>& fifos() const { return fifos_; }
    /// The content of a word that was stored as the n-th, from 0.
    static constexpr std::uint32_t content(std::int64_t n) {
        return 0x80000000U | static_cast<std::uint32_t>(n & 0x7fffffff);
    }

  private:
    struct Request {
        std::uint16_t id;
        ipbus::FifoRead read;
    };
    struct Sent {
        std::uint16_t id;
        ipbus::Words packet;
    };

    void advance(Time now) {
        if (requests_.empty()) return;
        while (words_left() > 0) {
            if (full_) fill(fifo());
            const std::int64_t stored = fifo().words();
            if (stored == 0 && waits()) {
                read_until_ = now;
                return;
            }
            const std::int64_t in_time = std::min<std::int64_t>(words_left(), (now - read_until_) / word_time_);
            const std::int64_t words = stored > 0 ? std::min(in_time, stored) : in_time;
            if (words == 0) return;
            if (stored > 0)
                for (std::int64_t n = fifo().take(words), end = n + words; n < end; ++n) data_.push_back(content(n));
            else
                data_.resize(data_.size() + static_cast<std::size_t>(words), ipbus::kFiller);
            read_until_ += words * word_time_;
        }
    }
    void fill(WaveformFifo& fifo) {
        while (fifo.fits()) fifo.store();
    }
    WaveformFifo& fifo() { return fifos_[requests_.front().read.address]; }
    const WaveformFifo& fifo() const { return fifos_[requests_.front().read.address]; }
    bool waits() const { return format_.underflow == IpbusUnitFormat::Underflow::Wait && !ended_; }
    std::int64_t words_left() const { return requests_.front().read.words - static_cast<std::int64_t>(data_.size()); }

    IpbusUnitFormat format_;
    bool full_;
    bool ended_ = false;
    Time word_time_;
    std::vector<WaveformFifo> fifos_;
    std::uint16_t expected_ = 1;
    std::deque<Request> requests_;  ///< the first is on the bus
    ipbus::Words data_;             ///< read for it so far
    Time read_until_{0};            ///< time at which the bus was done with them
    std::deque<Sent> sent_;
};

}  // namespace watershed
