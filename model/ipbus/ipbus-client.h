// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <vector>

#include "model/ipbus/ipbus-packet.h"
#include "model/ipbus/ipbus-unit.h"
#include "model/ipbus/ipbus.h"

namespace watershed {

/// The data taking of one unit, without network: cuts blocks into packets, takes the FIFOs in turns, and sees to it
/// that no word is missing, twice or out of order.
class IpbusClient {
  public:
    IpbusClient(const Ipbus& ipbus, std::int64_t block)
        : block_(block),
          waveform_(ipbus.unit.waveform.count / ipbus::kWordBytes),
          packet_(ipbus::data_words_per_packet(ipbus.max_payload)),
          next_word_(static_cast<std::size_t>(ipbus.unit.channels), 0) {}

    /// Returns the reads of the next block.
    std::vector<ipbus::FifoRead> next_block() {
        std::vector<ipbus::FifoRead> reads;
        for (std::int64_t left = block_; left > 0; left -= packet_) {
            reads.push_back({channel_, std::min(left, packet_)});
            expected_.push_back({channel_, reads.back().words, left <= packet_});
        }
        channel_ = (channel_ + 1) % static_cast<std::uint32_t>(next_word_.size());
        return reads;
    }
    /// The reply to the oldest request of next_block() that has none. @return whether its block is complete
    /// @throws std::logic_error if its words are not those that follow the ones before
    bool receive(const ipbus::Words& data) {
        if (expected_.empty() || static_cast<std::int64_t>(data.size()) != expected_.front().words)
            throw std::logic_error("a reply brings other words than were asked for");
        const Expected expected = expected_.front();
        expected_.pop_front();
        std::int64_t& next = next_word_[expected.channel];
        for (const std::uint32_t word : data) {
            if (word == ipbus::kFiller) continue;
            if (word != IpbusUnit::content(next++))
                throw std::logic_error("a word of a waveform is missing or has come twice");
            ++data_words_;
        }
        words_ += expected.words;
        return expected.last;
    }

    std::int64_t words() const { return words_; }            ///< received, filler included
    std::int64_t data_words() const { return data_words_; }  ///< without
    /// complete
    std::int64_t waveforms() const {
        std::int64_t complete = 0;
        for (const std::int64_t words : next_word_) complete += words / waveform_;
        return complete;
    }
    /// Words of a FIFO that have come.
    std::int64_t data_words_of(std::size_t channel) const { return next_word_[channel]; }

  private:
    struct Expected {
        std::uint32_t channel;
        std::int64_t words;
        bool last;  ///< it is the last of its block
    };

    std::int64_t block_;
    std::int64_t waveform_;
    std::int64_t packet_;
    std::uint32_t channel_ = 0;
    std::vector<std::int64_t> next_word_;
    std::deque<Expected> expected_;
    std::int64_t words_ = 0;
    std::int64_t data_words_ = 0;
};

}  // namespace watershed
