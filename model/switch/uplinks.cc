// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/uplinks.h"

#include <boost/container/static_vector.hpp>
#include <boost/crc.hpp>

#include "model/frontend/module-ports.h"

namespace watershed {
namespace {

using HashedBytes = boost::container::static_vector<std::uint8_t, sizeof(Endpoint) * 2 + 1>;

void append(HashedBytes& bytes, std::uint32_t value, int count) {
    for (int i = count - 1; i >= 0; --i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

HashedBytes hashed_bytes(const Endpoint& from, const Endpoint& to, UplinkChoice::Fields fields) {
    HashedBytes bytes;
    if (fields == UplinkChoice::Fields::Layer2) {
        bytes.insert(bytes.end(), to.mac.begin(), to.mac.end());
        bytes.insert(bytes.end(), from.mac.begin(), from.mac.end());
        return bytes;
    }
    append(bytes, from.ip, 4);
    append(bytes, to.ip, 4);
    if (UplinkChoice::has_ports(fields)) {
        append(bytes, from.port, 2);
        append(bytes, to.port, 2);
    }
    if (fields == UplinkChoice::Fields::FiveTuple) bytes.push_back(kUserDatagram);
    return bytes;
}

template <class Bytes>
std::uint16_t hash_of(const Bytes& bytes, UplinkChoice::Fold fold) {
    if (fold == UplinkChoice::Fold::Crc16) {
        boost::crc_ccitt_type crc;
        crc.process_bytes(bytes.data(), bytes.size());
        return static_cast<std::uint16_t>(crc.checksum());
    }
    std::uint8_t folded = 0;
    for (const std::uint8_t byte : bytes) folded = static_cast<std::uint8_t>(folded ^ byte);
    return folded;
}

}  // namespace

std::uint16_t flow_hash(const Endpoint& from, const Endpoint& to, UplinkChoice::Fields fields,
                        UplinkChoice::Fold fold) {
    return hash_of(hashed_bytes(from, to, fields), fold);
}

std::uint16_t flow_hash(const std::vector<std::uint8_t>& bytes, UplinkChoice::Fold fold) {
    return hash_of(bytes, fold);
}

UplinkSelector::UplinkSelector(const Switch& network_switch, const FrontEnd& front_end, int inputs)
    : by_module_(network_switch.uplink_choice.rule == UplinkChoice::Rule::Hash), uplinks_(network_switch.uplinks) {
    const UplinkChoice& choice = network_switch.uplink_choice;
    if (uplinks_ == 1 || choice.rule == UplinkChoice::Rule::RoundRobin) return;
    const int numbers = by_module_ ? front_end.modules : inputs;
    uplink_.reserve(static_cast<std::size_t>(numbers));
    for (int number = 1; number <= numbers; ++number) {
        int uplink = uplink_of(number, network_switch.uplinks);
        if (choice.rule == UplinkChoice::Rule::Static)
            uplink = static_cast<int>(choice.list[static_cast<std::size_t>(number - 1) % choice.list.size()] - 1);
        if (by_module_)
            uplink = flow_hash(module_endpoint(front_end, number), server_endpoint(0), choice.fields, choice.fold) %
                     network_switch.uplinks;
        uplink_.push_back(uplink);
    }
}

}  // namespace watershed
