// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-packet.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "model/base/byte-order.h"

namespace watershed::ipbus {

std::int64_t data_words_per_packet(Bytes max_payload) {
    const std::int64_t behind_header = max_payload.count / kWordBytes - 1;
    const std::int64_t words = behind_header - ceil_div(std::max<std::int64_t>(behind_header, 0), kChunkWords + 1);
    if (words < 1)
        throw std::invalid_argument("found a UDP payload of " + std::to_string(max_payload.count) +
                                    " B, expected at least 12 B: two headers and a word");
    return words;
}

Bytes request_size(std::int64_t words) { return Bytes{kWordBytes * (1 + 2 * ceil_div(words, kChunkWords))}; }

Bytes reply_size(std::int64_t words) { return Bytes{kWordBytes * (1 + ceil_div(words, kChunkWords) + words)}; }

Words read_request(std::uint16_t id, const FifoRead& read) {
    Words packet{control_header(id)};
    std::uint32_t transaction = 0;
    for (std::int64_t left = read.words; left > 0; left -= kChunkWords) {
        packet.push_back(transaction_header(transaction++, static_cast<std::uint32_t>(std::min(left, kChunkWords)),
                                            Type::NonIncrementingRead, kRequest));
        packet.push_back(read.address);
    }
    return packet;
}

std::optional<FifoRead> parse_read_request(const Words& packet) {
    if (packet.size() < 3 || packet.size() % 2 == 0 || !id_of(packet.front(), 0)) return std::nullopt;
    FifoRead read{packet[2], 0};
    for (std::size_t i = 1; i < packet.size(); i += 2) {
        const std::uint32_t words = packet[i] >> 8 & 0xff;
        if (packet[i] !=
                transaction_header(static_cast<std::uint32_t>(i / 2), words, Type::NonIncrementingRead, kRequest) ||
            packet[i + 1] != read.address)
            return std::nullopt;
        read.words += words;
    }
    return read;
}

Words read_reply(std::uint16_t id, const Words& data) {
    Words packet{control_header(id)};
    packet.reserve(static_cast<std::size_t>(reply_size(static_cast<std::int64_t>(data.size())).count / kWordBytes));
    std::uint32_t transaction = 0;
    for (std::size_t begin = 0; begin < data.size(); begin += kChunkWords) {
        const std::size_t words = std::min<std::size_t>(data.size() - begin, kChunkWords);
        packet.push_back(
            transaction_header(transaction++, static_cast<std::uint32_t>(words), Type::NonIncrementingRead, kSuccess));
        const auto first = data.begin() + static_cast<std::ptrdiff_t>(begin);
        packet.insert(packet.end(), first, first + static_cast<std::ptrdiff_t>(words));
    }
    return packet;
}

Words parse_read_reply(const Words& packet) {
    Words data;
    data.reserve(packet.size());
    std::uint32_t transaction = 0;
    for (std::size_t i = 1; i < packet.size();) {
        const std::size_t words = packet[i] >> 8 & 0xff;
        if (packet[i] != transaction_header(transaction++, static_cast<std::uint32_t>(words), Type::NonIncrementingRead,
                                            kSuccess) ||
            i + words >= packet.size())
            throw std::invalid_argument("a reply's chunk does not begin where it should");
        const auto first = packet.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        data.insert(data.end(), first, first + static_cast<std::ptrdiff_t>(words));
        i += 1 + words;
    }
    return data;
}

Words status_request() {
    Words packet(kStatusWords, 0);
    packet.front() = kStatusHeader;
    return packet;
}

Words status_reply(Bytes max_payload, int buffers, std::uint16_t next_expected_id) {
    Words packet = status_request();
    packet[1] = static_cast<std::uint32_t>(max_payload.count);
    packet[2] = static_cast<std::uint32_t>(buffers);
    packet[3] = control_header(next_expected_id);
    return packet;
}

std::uint16_t next_expected(const Words& status) {
    const auto id =
        status.size() == kStatusWords && status.front() == kStatusHeader ? id_of(status[3], 0) : std::nullopt;
    if (!id) throw std::invalid_argument("a status reply says no number");
    return *id;
}

std::vector<std::uint8_t> to_bytes(const Words& words) {
    std::vector<std::uint8_t> bytes(words.size() * kWordBytes);
    for (std::size_t i = 0; i < words.size(); ++i) write_big_endian<kWordBytes>(&bytes[i * kWordBytes], words[i]);
    return bytes;
}

Words from_bytes(const std::vector<std::uint8_t>& bytes) {
    Words words(bytes.size() / kWordBytes);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = static_cast<std::uint32_t>(read_big_endian<kWordBytes>(&bytes[i * kWordBytes]));
    return words;
}

}  // namespace watershed::ipbus
