// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/uplinks.h"

#include <algorithm>
#include <set>

#include "test/catch.h"

using namespace watershed;
using Fields = UplinkChoice::Fields;
using Fold = UplinkChoice::Fold;
using Rule = UplinkChoice::Rule;

namespace {

std::vector<int> first(const Switch& network_switch, const FrontEnd& front_end, int modules) {
    UplinkSelector selector(network_switch, front_end);
    std::vector<int> uplinks;
    for (int module = 1; module <= modules; ++module) uplinks.push_back(selector.next(module));
    return uplinks;
}

}  // namespace

TEST_CASE("The CRC fold is that of CCITT with its published check value") {
    // CRC-16/CCITT-FALSE of "123456789" is 0x29b1: eight bytes as the two addresses, and the last one cannot be spelt
    // by fields of even length, so that the first eight are checked against 0xa12b.
    Endpoint from, to;
    from.ip = 0x31323334;
    to.ip = 0x35363738;
    CHECK(flow_hash(from, to, Fields::Layer3, Fold::Crc16) == 0xa12b);
    CHECK(flow_hash(from, to, Fields::Layer3, Fold::Xor) == (0x31 ^ 0x32 ^ 0x33 ^ 0x34 ^ 0x35 ^ 0x36 ^ 0x37 ^ 0x38));
}

TEST_CASE("The five-tuple is addresses, ports and the protocol's number") {
    Endpoint from, to;
    from.ip = 0x31323334;
    to.ip = 0x35363738;
    from.port = 0x3930;
    to.port = 0x4142;
    const std::vector<std::uint8_t> bytes{'1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'A', 'B', 17};
    for (const Fold fold : {Fold::Crc16, Fold::Xor}) {
        CHECK(flow_hash(from, to, Fields::FiveTuple, fold) == flow_hash(bytes, fold));
        CHECK(flow_hash(from, to, Fields::Layer3And4, fold) == flow_hash({bytes.begin(), bytes.end() - 1}, fold));
    }
}

TEST_CASE("Modulo gives modules turns, round robin frames, a list what it says") {
    Switch network_switch;
    network_switch.uplinks = 3;
    FrontEnd front_end;
    front_end.modules = 5;
    CHECK(first(network_switch, front_end, 5) == std::vector<int>{0, 1, 2, 0, 1});
    network_switch.uplink_choice.rule = Rule::Static;
    network_switch.uplink_choice.list = {3, 1};
    CHECK(first(network_switch, front_end, 5) == std::vector<int>{2, 0, 2, 0, 2});
    network_switch.uplink_choice.rule = Rule::RoundRobin;
    UplinkSelector selector(network_switch, front_end);
    CHECK(selector.next(1) == 0);
    CHECK(selector.next(1) == 1);
    CHECK(selector.next(1) == 2);
    CHECK(selector.next(1) == 0);
}

TEST_CASE("Addresses that count upwards together cancel in an exclusive or of layers 3 and 4") {
    Switch network_switch;
    network_switch.uplinks = 2;
    network_switch.uplink_choice.rule = Rule::Hash;
    network_switch.uplink_choice.fold = Fold::Xor;
    const auto uplinks = first(network_switch, {}, 44);
    CHECK(std::set<int>(uplinks.begin(), uplinks.end()).size() == 1);
}
