// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/range/algorithm.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/event-header.h"
#include "scenarios/text/loss-map.h"

/// What the camera server received: event fragments in packet captures, and the rows of a loss map that they are.
namespace watershed {

/// The two ends of a UDP flow.
struct Flow {
    std::uint32_t source = 0, destination = 0;
    std::uint16_t source_port = 0, destination_port = 0;

    friend bool operator<(const Flow& a, const Flow& b) {
        return std::tie(a.source, a.source_port, a.destination, a.destination_port) <
               std::tie(b.source, b.source_port, b.destination, b.destination_port);
    }
};

/// Where a packet was captured.
struct PacketPlace {
    std::string file;
    std::int64_t packet = 0;  ///< from 1
};

struct CapturedFragment {
    std::int64_t nanoseconds = 0;  ///< on the clock of the capture
    Flow flow;
    std::int64_t payload = 0;  ///< of UDP, bytes, as its header says
    std::optional<EventHeader> header;
    PacketPlace place;
};

/// How many packets there are of some kind.
struct Packets {
    std::int64_t packets = 0;
    PacketPlace first;
    void add(const PacketPlace& place) {
        if (packets++ == 0) first = place;
    }
};

/// Packets that are no fragments of a burst, counted by the reason.
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
    std::vector<CapturedFragment> fragments;  ///< by time; as in the files where times are equal
    Refusals refusals;
    std::vector<std::string> warnings;  ///< of rows that may be wrong
    std::int64_t packets = 0;
    std::optional<PacketPlace> damage;  ///< from where on a file tells nothing
};

/// Reads captures of Ethernet (with VLAN tags or without), of any byte order and resolution in time. Several files are
/// what several uplinks carried at the same time.
/// @throws InputError for a file that cannot be read, that is no pcap, or of another link type
Capture read_captures(const std::vector<std::string>& files);

/// What a capture does not tell: what was sent.
struct SentBursts {
    int ports = 1;
    std::vector<Time> separations;     ///< one for all bursts, or one for each in the order of their capture
    std::vector<std::int64_t> events;  ///< likewise
    std::optional<Bytes> payload;      ///< nothing: that of the first fragment
    Time gap{1'000'000'000};           ///< a longer silence separates two bursts
    bool by_flow = false;              ///< do not look for event headers
};

/// Counts fragments by burst: by the event header, or else the n-th packet of a flow is the n-th of its module.
/// Fragments of no burst go to the capture's refusals, doubtful rows to its warnings.
/// @throws InputError if the capture is not of what was sent: no fragment, more events, modules or flows, another
/// payload, a silence within a burst, a missing end; and for lists of another length than the number of bursts
std::vector<LossMapRow> ingest(Capture& capture, const SentBursts& sent);

}  // namespace watershed
