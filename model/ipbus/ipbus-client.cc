// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-client.h"

#include <algorithm>
#include <stdexcept>

#include "model/ipbus/ipbus-unit.h"

namespace watershed {

IpbusClient::IpbusClient(const Ipbus& ipbus, std::int64_t block)
    : block_(block),
      waveform_(ipbus.unit.waveform.count / ipbus::kWordBytes),
      packet_(ipbus::data_words_per_packet(ipbus.max_payload)),
      next_word_(static_cast<std::size_t>(ipbus.unit.channels), 0) {}

std::vector<ipbus::FifoRead> IpbusClient::next_block() {
    std::vector<ipbus::FifoRead> reads;
    for (std::int64_t left = block_; left > 0; left -= packet_) {
        reads.push_back({channel_, std::min(left, packet_)});
        expected_.push_back({channel_, reads.back().words, left <= packet_});
    }
    channel_ = (channel_ + 1) % static_cast<std::uint32_t>(next_word_.size());
    return reads;
}

bool IpbusClient::receive(const ipbus::Words& data) {
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

std::int64_t IpbusClient::waveforms() const {
    std::int64_t complete = 0;
    for (const std::int64_t words : next_word_) complete += words / waveform_;
    return complete;
}

}  // namespace watershed
