// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/base/quantities.h"

/// Sizes of the frames of an event fragment: four different ones, which documents often confuse.
namespace watershed {

/// One payload of a distribution.
struct PayloadShare {
    Bytes payload;
    std::int64_t weight = 1;  ///< frequency relative to the others

    friend constexpr bool operator==(PayloadShare a, PayloadShare b) {
        return a.payload == b.payload && a.weight == b.weight;
    }
};

/// Fragments that a module sends for each event, one after the other.
struct FragmentList {
    int number = 1;
    std::vector<Bytes> payloads;  ///< payload of each fragment; empty: that of the format

    FragmentList() = default;
    FragmentList(int how_many) : number(how_many) {}
    explicit FragmentList(std::vector<Bytes> of_each)
        : number(static_cast<int>(of_each.size())), payloads(std::move(of_each)) {}
    friend bool operator==(const FragmentList& a, const FragmentList& b) {
        return a.number == b.number && a.payloads == b.payloads;
    }
};

/// Ethernet framing of an event fragment, IEEE 802.3 clauses 3 and 4; IPv4 is RFC 791, UDP RFC 768.
struct FrameFormat {
    Bytes payload{1024};                 ///< UDP payload of one event fragment
    FragmentList fragments;              ///< fragments that a module sends for each event
    std::vector<PayloadShare> payloads;  ///< drawn for each fragment; empty: all are `payload`
    std::vector<std::int64_t> weights;   ///< as given, before they are in `payloads`
    std::string payload_file;            ///< file of `payloads`
    Bytes wire_overhead{66};      ///< preamble 8, MAC 14, IPv4 20, UDP 8, FCS 4, gap 12: what a frame costs a link
    Bytes buffer_overhead{46};    ///< MAC 14, IPv4 20, UDP 8, FCS 4: what a frame costs a buffer, before cells
    Bytes reported_overhead{66};  ///< bytes that the measuring instrument adds to the payload when it states a rate
    Bytes mtu{1500};              ///< largest IP packet; above 1500 B these are jumbo frames
    bool split = false;           ///< a fragment larger than the MTU becomes several frames, instead of an error
};

/// The four sizes of one frame.
struct FrameSizes {
    Bytes payload;   ///< UDP payload
    Bytes buffer;    ///< charged to a buffer counted in bytes
    Bytes wire;      ///< slot on a link, preamble and gap included
    Bytes reported;  ///< as the instrument counts it
};

constexpr Bytes kIpUdpHeaders{28};
constexpr Bytes kMinimumFrame{64};   ///< MAC header to FCS, IEEE 802.3 minFrameSize
constexpr Bytes kHeadersAndFcs{46};  ///< MAC 14, IPv4 20, UDP 8, FCS 4

/// The frames that carry what a module sends for one event, in the order of sending: one for each fragment, more where
/// these are split. A frame shorter than the 64 B minimum is padded, and the padding costs link and buffer alike.
/// @throws std::invalid_argument with the arithmetic, if the fragment exceeds the MTU and may not be split
std::vector<FrameSizes> frames_of_fragment(const FrameFormat& format);
/// Returns the sum of their slots on a link.
Bytes wire_of_fragment(const FrameFormat& format);

}  // namespace watershed
