// SPDX-License-Identifier: GPL-2.0-only
#include <pcap/pcap.h>

#include <boost/algorithm/string/predicate.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "calibrate/ingest/ingest.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// Piece of a datagram, with its time and position.
struct Piece {
    UdpPacket packet;
    std::int64_t nanoseconds = 0;
    PacketPlace place;
};

CapturedFragment fragment_of(const Piece& piece) {
    return {piece.nanoseconds, piece.packet.flow, piece.packet.payload, piece.packet.header, piece.place};
}

/// Pieces of one datagram, by their first bytes.
struct Pieces {
    std::map<std::int64_t, Piece> by_begin;
    std::int64_t since = 0;  ///< time of the one that came first, nanoseconds

    bool are_whole() const {
        if (!by_begin.rbegin()->second.packet.is_last) return false;
        std::int64_t end = 0;
        for (const auto& [begin, piece] : by_begin) {
            if (begin != end) return false;
            end = piece.packet.end;
        }
        return true;
    }
};

/// Puts datagrams together, whose pieces may come in any order and over several links. Those with missing pieces did
/// not arrive.
void join(std::vector<Piece> pieces, Capture& capture) {
    constexpr std::int64_t kLongest = 30'000'000'000;  // as long as Linux waits for the pieces of IPv4
    const auto refuse = [&](const Piece& piece) {
        capture.refusals.add("a piece of a fragmented datagram of which others are missing", piece.place);
    };
    const auto refuse_all = [&](const Pieces& some) {
        for (const auto& [begin, piece] : some.by_begin) refuse(piece);
    };
    boost::stable_sort(pieces, [](const Piece& a, const Piece& b) { return a.nanoseconds < b.nanoseconds; });
    std::map<std::tuple<IpAddress, IpAddress, std::uint32_t>, Pieces> incomplete;
    for (Piece& piece : pieces) {
        const std::int64_t now = piece.nanoseconds, begin = piece.packet.begin;
        const auto key =
            std::tuple(piece.packet.flow.source, piece.packet.flow.destination, piece.packet.identification);
        Pieces& mine = incomplete[key];
        if (mine.by_begin.empty()) mine.since = now;
        if (now - mine.since > kLongest) refuse_all(std::exchange(mine, {{}, now}));
        // A later datagram may have the number of one that lost pieces.
        if (const auto old = mine.by_begin.find(begin); old != mine.by_begin.end())
            refuse(std::exchange(old->second, std::move(piece)));
        else
            mine.by_begin.emplace(begin, std::move(piece));
        if (!mine.are_whole()) continue;
        capture.fragments.push_back(fragment_of(mine.by_begin.begin()->second));
        capture.fragments.back().nanoseconds = now;
        capture.further_pieces += std::int64_t(mine.by_begin.size()) - 1;
        incomplete.erase(key);
    }
    for (const auto& [key, some] : incomplete) refuse_all(some);
}

using PcapFile = std::unique_ptr<pcap_t, decltype(&pcap_close)>;

/// Opens a file once, so that it may be a pipe. Errors of the library do not help the user with what is no capture.
PcapFile open_capture(const std::string& file, const std::string& name) {
    std::FILE* in = file == "-" ? stdin : std::fopen(file.c_str(), "rb");
    if (!in) throw InputError(name + ": cannot be read: " + std::strerror(errno));
    const int first = std::getc(in);
    char message[PCAP_ERRBUF_SIZE] = "";
    pcap_t* const pcap = std::ungetc(first, in) == EOF
                             ? nullptr
                             : pcap_fopen_offline_with_tstamp_precision(in, PCAP_TSTAMP_PRECISION_NANO, message);
    if (pcap) return {pcap, &pcap_close};  // pcap_close() closes the file, too
    const std::string error = std::ferror(in) ? std::strerror(errno) : "it is empty";
    if (in != stdin) std::fclose(in);
    if (first == EOF) throw InputError(name + ": cannot be read: " + error + "; expected a pcap capture");
    throw InputError(name + ": expected a pcap capture: " + message);
}

void read_one(const std::string& file, Capture& capture, std::vector<Piece>& pieces) {
    const std::string name = file == "-" ? "standard input" : file;
    const PcapFile pcap = open_capture(file, name);
    const int link = pcap_datalink(pcap.get());
    if (!is_link_known(link)) {
        const char* type = pcap_datalink_val_to_name(link);
        throw InputError(name + ": link type: found " + (type ? type : std::to_string(link)) +
                         ", expected EN10MB (Ethernet), LINUX_SLL or LINUX_SLL2 (any), RAW, IPV4, IPV6, NULL or LOOP");
    }
    pcap_pkthdr* record = nullptr;
    const u_char* bytes = nullptr;
    for (PacketPlace place{name, 1};; ++place.packet) {
        const int status = pcap_next_ex(pcap.get(), &record, &bytes);
        if (status == PCAP_ERROR_BREAK) return;
        if (status != 1 && boost::contains(pcap_geterr(pcap.get()), "of the first interface"))
            throw InputError(name + ": packet " + std::to_string(place.packet) +
                             ": found an interface of another link type or snapshot length than the first of this "
                             "pcapng capture, expected all alike, as of \"tcpdump -i any\"");
        ++capture.packets;
        if (status != 1) {
            capture.refusals.add("the file ends or is damaged here", place);
            if (!capture.damage) capture.damage = place;
            return;
        }
        // The fraction of a second is in nanoseconds, as was asked for.
        Piece piece{{}, std::int64_t{record->ts.tv_sec} * 1'000'000'000 + record->ts.tv_usec, place};
        if (const char* reason = parse_packet(link, bytes, record->caplen, piece.packet))
            capture.refusals.add(reason, place);
        else if (piece.packet.is_whole())
            capture.fragments.push_back(fragment_of(piece));
        else
            pieces.push_back(std::move(piece));
    }
}

}  // namespace

Capture read_captures(const std::vector<std::string>& files) {
    Capture capture;
    std::vector<Piece> pieces;
    for (const std::string& file : files) read_one(file, capture, pieces);
    join(std::move(pieces), capture);
    boost::stable_sort(capture.fragments, [](const CapturedFragment& a, const CapturedFragment& b) {
        return a.nanoseconds < b.nanoseconds;
    });
    return capture;
}

}  // namespace watershed
