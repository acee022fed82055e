// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <vector>

#include "model/ipbus/ipbus-packet.h"
#include "model/ipbus/ipbus.h"

namespace watershed {

/// The data taking of one unit, without network: cuts blocks into packets, takes the FIFOs in turns, and sees to it
/// that no word is missing, twice or out of order.
class IpbusClient {
  public:
    IpbusClient(const Ipbus& ipbus, std::int64_t block);

    /// What to ask for the next block.
    std::vector<ipbus::FifoRead> next_block();
    /// The reply to the oldest request of next_block() that has none. @return whether its block is complete
    /// @throws std::logic_error if its words are not those that follow the ones before
    bool receive(const ipbus::Words& data);

    std::int64_t words() const { return words_; }            ///< received, filler included
    std::int64_t data_words() const { return data_words_; }  ///< without
    std::int64_t waveforms() const;                          ///< complete
    /// Words of a FIFO that have come.
    std::int64_t data_words_of(std::size_t channel) const { return next_word_[channel]; }

  private:
    struct Expected {
        std::uint32_t channel;
        std::int64_t words;
        bool last;  ///< of its block
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
