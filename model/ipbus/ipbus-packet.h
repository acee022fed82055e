// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/quantities.h"

/// IPbus 2.0 packets: 32-bit words, in network byte order behind UDP.
/// Sources: ipbus-software, uhal/src/common/ProtocolIPbus.cpp and ProtocolIPbusCore.cpp (headers, chunks),
/// controlhub/src/ch_device_client.erl (status and re-send packets).
namespace watershed::ipbus {

using Words = std::vector<std::uint32_t>;

constexpr std::int64_t kWordBytes = 4;
constexpr std::int64_t kChunkWords = 255;  ///< a transaction's word count has eight bits
constexpr std::size_t kStatusWords = 16;
constexpr std::uint32_t kStatusHeader = 0x200000f1U;
constexpr std::uint32_t kFiller = 0;  ///< value read from an empty FIFO

/// Version 2 in the first byte, the packet's number in the next two, then byte order 0xF and kind 0.
constexpr std::uint32_t control_header(std::uint16_t id) { return 0x200000f0U | std::uint32_t{id} << 8; }
/// Header of a request to send the reply to this packet again: as a control header, of kind 2.
constexpr std::uint32_t resend_header(std::uint16_t id) { return 0x200000f2U | std::uint32_t{id} << 8; }
/// The number of a packet with such a header, or nothing if the header is of another kind.
constexpr std::optional<std::uint16_t> id_of(std::uint32_t header, std::uint32_t kind) {
    if ((header & 0xff0000ffU) != (0x200000f0U | kind)) return std::nullopt;
    return static_cast<std::uint16_t>(header >> 8);
}
/// Numbers go from 1 to 65535 and begin again; 0 is for packets that nobody makes sure of.
constexpr std::uint16_t next_id(std::uint16_t id) {
    return id == 0xffff ? std::uint16_t{1} : static_cast<std::uint16_t>(id + 1);
}

enum class Type : std::uint32_t { Read = 0, Write = 1, NonIncrementingRead = 2 };
constexpr std::uint32_t kRequest = 0xf, kSuccess = 0x0;

/// Version 2, number of the transaction in its packet, words, type, and `kRequest` or how it went.
constexpr std::uint32_t transaction_header(std::uint32_t id, std::uint32_t words, Type type, std::uint32_t info) {
    return 2U << 28 | (id & 0xfff) << 16 | (words & 0xff) << 8 | static_cast<std::uint32_t>(type) << 4 | info;
}

/// Most words that one packet brings back from a FIFO: its header and one per chunk take the rest.
/// 1400 B hold 350 = 1 + (1 + 255) + (1 + 92) words, of which 347 are data.
/// @throws std::invalid_argument if there is no room for a word
std::int64_t data_words_per_packet(Bytes max_payload);
Bytes request_size(std::int64_t words);
/// Bytes of the reply, with the data.
Bytes reply_size(std::int64_t words);

/// Words to be read from one FIFO.
struct FifoRead {
    std::uint32_t address = 0;
    std::int64_t words = 0;
};
/// Returns the packet that asks for them.
Words read_request(std::uint16_t id, const FifoRead& read);
/// Returns the words that a request asks for; std::nullopt if it is no request of this kind.
std::optional<FifoRead> parse_read_request(const Words& packet);
Words read_reply(std::uint16_t id, const Words& data);
/// The data of a reply. @throws std::invalid_argument if it is none
Words parse_read_reply(const Words& packet);

Words status_request();
Words status_reply(Bytes max_payload, int buffers, std::uint16_t next_expected);
/// The next number that the unit expects, from its status reply. @throws std::invalid_argument if it is none
std::uint16_t next_expected(const Words& status);

std::vector<std::uint8_t> to_bytes(const Words& words);
/// Bytes behind the last whole word are left out.
Words from_bytes(const std::vector<std::uint8_t>& bytes);

}  // namespace watershed::ipbus
