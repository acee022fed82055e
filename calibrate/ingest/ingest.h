// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/ingest/packet.h"
#include "scenarios/text/loss-map.h"

/// Rows of a loss map from packet captures at the camera server.
namespace watershed {

/// Position of a packet in a capture.
struct PacketPlace {
    std::string file;
    std::int64_t packet = 0;  ///< number in the file, from 1
};

/// Event fragment in a capture.
struct CapturedFragment {
    std::int64_t nanoseconds = 0;  ///< time by the clock of the capture
    Flow flow;
    std::int64_t payload = 0;           ///< UDP payload, bytes, as stated in the header
    std::optional<EventHeader> header;  ///< event header; std::nullopt without one
    PacketPlace place;
};

/// Number of packets of some kind, and the position of the first.
struct Packets {
    std::int64_t packets = 0;
    PacketPlace first;
    void add(const PacketPlace& place) {
        if (packets++ == 0) first = place;
    }
};

/// Packets that are no fragments of a burst, counted by reason.
class Refusals {
  public:
    struct Entry : Packets {
        std::string reason;
    };

    void add(const std::string& reason, const PacketPlace& place) {
        auto found = boost::find_if(entries_, [&](const Entry& entry) { return entry.reason == reason; });
        if (found == entries_.end()) found = entries_.insert(entries_.end(), {{}, reason});
        found->add(place);
    }
    const std::vector<Entry>& entries() const { return entries_; }
    std::int64_t packets() const {
        std::int64_t sum = 0;
        for (const Entry& entry : entries_) sum += entry.packets;
        return sum;
    }

  private:
    std::vector<Entry> entries_;  ///< in the order of their first packets
};

struct Capture {
    std::vector<CapturedFragment> fragments;  ///< by time; in the order of the files if times are equal
    Refusals refusals;
    std::vector<std::string> warnings;  ///< warnings about rows that may be wrong
    std::int64_t packets = 0;
    std::int64_t further_pieces = 0;    ///< packets beyond the first of datagrams that came in pieces
    std::optional<PacketPlace> damage;  ///< position from which on a file is unreadable; std::nullopt without damage
};

/// Reads captures (pcap, or pcapng of one link type) of IPv4 and IPv6, of any byte order and time resolution: of
/// Ethernet (with VLAN tags or without), Linux's "any", IP alone, or a loopback. A fragmented datagram counts once all
/// its pieces are there, at the time of the last. Several files are the traffic of several uplinks at the same time.
/// @param files  "-" is standard input
/// @throws InputError for a file that cannot be read, that is no capture, or of another link type
Capture read_captures(const std::vector<std::string>& files);

/// Bursts that were sent, which a capture does not contain.
struct SentBursts {
    int ports = 1;
    std::vector<Time> separations;     ///< one for all bursts, or one per burst in the order of the capture
    std::vector<std::int64_t> events;  ///< number of events: one for all bursts, or one per burst
    std::optional<Bytes> payload;      ///< UDP payload; std::nullopt: that of the first fragment
    Time gap{1'000'000'000};           ///< silence above which a new burst begins
    bool by_flow = false;              ///< true: ignore event headers
};

/// Counts fragments by burst: by the event header, or else the n-th packet of a flow is the n-th of its module.
/// Fragments of no burst go to the capture's refusals, doubtful rows to its warnings.
/// @throws InputError if the capture contradicts `sent`: no fragment, more events, modules or flows, another payload, a
/// silence within a burst, a missing end; and if a list is not as long as the number of bursts
std::vector<LossMapRow> ingest(Capture& capture, const SentBursts& sent);

}  // namespace watershed
