// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-unit.h"

#include <algorithm>
#include <stdexcept>

namespace watershed {

IpbusUnit::IpbusUnit(const IpbusUnitFormat& format, bool full)
    : format_(format),
      full_(full),
      word_time_(static_cast<std::int64_t>(
          ceil_div(Wide{8 * ipbus::kWordBytes} * 1'000'000'000'000, Wide{format.bus_rate.count}))),
      fifos_(static_cast<std::size_t>(format.channels),
             WaveformFifo(format.fifo.count / ipbus::kWordBytes, format.waveform.count / ipbus::kWordBytes)) {
    if (full_)
        for (WaveformFifo& fifo : fifos_) fill(fifo);
}

void IpbusUnit::fill(WaveformFifo& fifo) {
    while (fifo.fits()) fifo.store();
}

void IpbusUnit::trigger(Time now) {
    advance(now);
    for (WaveformFifo& fifo : fifos_) fifo.store();
}

void IpbusUnit::end(Time now) {
    advance(now);
    ended_ = true;
}

IpbusUnit::Received IpbusUnit::receive(const ipbus::Words& packet, Time now) {
    if (packet.empty()) return {std::nullopt, &kUnexpectedNumber};
    if (packet.front() == ipbus::kStatusHeader)
        return {ipbus::status_reply(format_.buffer_size, format_.buffers, expected_), nullptr};
    if (const auto id = ipbus::id_of(packet.front(), 2)) {
        const auto stored = std::find_if(sent_.begin(), sent_.end(), [&](const Sent& sent) { return sent.id == *id; });
        if (stored == sent_.end()) return {std::nullopt, &kNoReply};
        return {stored->packet, nullptr};
    }
    const auto id = ipbus::id_of(packet.front(), 0);
    const auto read = ipbus::parse_read_request(packet);
    if (!id || *id != expected_ || !read || read->address >= fifos_.size()) return {std::nullopt, &kUnexpectedNumber};
    expected_ = ipbus::next_id(expected_);
    requests_.push_back({*id, *read});
    if (requests_.size() == 1) read_until_ = now;
    return {};
}

void IpbusUnit::advance(Time now) {
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

std::optional<Time> IpbusUnit::next_reply() const {
    if (requests_.empty() || (waits() && !full_ && fifo().words() < words_left())) return std::nullopt;
    return read_until_ + words_left() * word_time_;
}

ipbus::Words IpbusUnit::reply(Time now) {
    advance(now);
    if (requests_.empty() || words_left() > 0) throw std::logic_error("a reply was taken before it was complete");
    const std::uint16_t id = requests_.front().id;
    sent_.push_back({id, ipbus::read_reply(id, data_)});
    if (sent_.size() > static_cast<std::size_t>(format_.buffers)) sent_.pop_front();
    data_.clear();
    requests_.pop_front();
    return sent_.back().packet;
}

}  // namespace watershed
