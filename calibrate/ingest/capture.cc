// SPDX-License-Identifier: GPL-2.0-only
#include <pcap/pcap.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "calibrate/ingest/ingest.h"
#include "model/base/byte-order.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

std::uint16_t read16(const std::uint8_t* bytes) { return static_cast<std::uint16_t>(read_big_endian<2>(bytes)); }
std::uint32_t read32(const std::uint8_t* bytes) { return static_cast<std::uint32_t>(read_big_endian<4>(bytes)); }

constexpr std::size_t kMacAddresses = 12, kVlanTag = 4, kUdpHeader = 8, kLeastIpHeader = 20;
constexpr std::uint16_t kEtherTypeIpv4 = 0x0800, kEtherTypeVlan = 0x8100, kEtherTypeServiceVlan = 0x88a8;
constexpr std::uint8_t kProtocolUdp = 17;

/// Takes a frame apart. @return why it is no fragment, or null
const char* parse(const std::uint8_t* bytes, std::size_t size, CapturedFragment& fragment) {
    constexpr const char* kCutOff = "cut off before the end of its UDP header";
    std::size_t at = kMacAddresses;
    while (at + 2 <= size && (read16(bytes + at) == kEtherTypeVlan || read16(bytes + at) == kEtherTypeServiceVlan))
        at += kVlanTag;
    if (at + 2 > size) return kCutOff;
    if (read16(bytes + at) != kEtherTypeIpv4) return "not IPv4";
    at += 2;
    if (at + kLeastIpHeader > size) return kCutOff;
    const std::uint8_t* ip = bytes + at;
    const std::size_t ip_header = 4U * (ip[0] & 0x0f);
    if (ip[0] >> 4 != 4 || ip_header < kLeastIpHeader) return "not a valid IPv4 header";
    if (ip[9] != kProtocolUdp) return "not UDP";
    constexpr std::uint16_t kMoreFragmentsAndOffset = 0x3fff;
    if (read16(ip + 6) & kMoreFragmentsAndOffset) return "a part of a fragmented IP packet";
    at += ip_header;
    if (at + kUdpHeader > size) return kCutOff;
    const std::uint8_t* udp = bytes + at;
    if (read16(udp + 4) < kUdpHeader) return "not a valid UDP header";
    fragment.flow = {read32(ip + 12), read32(ip + 16), read16(udp), read16(udp + 2)};
    fragment.payload = read16(udp + 4) - static_cast<std::int64_t>(kUdpHeader);
    at += kUdpHeader;
    // In a frame of minimum size the header runs into the padding.
    if (at + EventHeader::kSize <= size) fragment.header = EventHeader::parse(bytes + at);
    return nullptr;
}

/// What the library says of such files is no help.
void refuse_no_pcap(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    char magic[4] = {};
    in.read(magic, sizeof magic);
    if (in.gcount() == 0) throw InputError(file + ": cannot be read, or is empty; expected a pcap capture");
    constexpr char kPcapng[] = {0x0a, 0x0d, 0x0d, 0x0a};
    if (std::memcmp(magic, kPcapng, sizeof magic) == 0)
        throw InputError(file +
                         ": found a pcapng capture, expected pcap; \"editcap -F pcap\" or \"tcpdump -r FILE -w "
                         "NEW.pcap\" converts it");
}

void read_one(const std::string& file, Capture& capture) {
    refuse_no_pcap(file);
    char message[PCAP_ERRBUF_SIZE] = "";
    const std::unique_ptr<pcap_t, decltype(&pcap_close)> pcap(
        pcap_open_offline_with_tstamp_precision(file.c_str(), PCAP_TSTAMP_PRECISION_NANO, message), &pcap_close);
    if (!pcap) throw InputError(file + ": expected a pcap capture: " + message);
    if (const int type = pcap_datalink(pcap.get()); type != DLT_EN10MB) {
        const char* name = pcap_datalink_val_to_name(type);
        throw InputError(file + ": link type: found " + (name ? name : std::to_string(type)) +
                         ", expected EN10MB (Ethernet)");
    }
    pcap_pkthdr* record = nullptr;
    const u_char* bytes = nullptr;
    for (PacketPlace place{file, 1};; ++place.packet) {
        const int status = pcap_next_ex(pcap.get(), &record, &bytes);
        if (status == PCAP_ERROR_BREAK) return;
        ++capture.packets;
        if (status != 1) {
            capture.refusals.add("the file ends or is damaged here", place);
            if (!capture.damage) capture.damage = place;
            return;
        }
        CapturedFragment fragment;
        fragment.nanoseconds =
            std::int64_t{record->ts.tv_sec} * 1'000'000'000 + record->ts.tv_usec;  // nanoseconds, as was asked for
        fragment.place = place;
        if (const char* reason = parse(bytes, record->caplen, fragment))
            capture.refusals.add(reason, place);
        else
            capture.fragments.push_back(std::move(fragment));
    }
}

}  // namespace

Capture read_captures(const std::vector<std::string>& files) {
    Capture capture;
    for (const std::string& file : files) read_one(file, capture);
    std::stable_sort(
        capture.fragments.begin(), capture.fragments.end(),
        [](const CapturedFragment& a, const CapturedFragment& b) { return a.nanoseconds < b.nanoseconds; });
    return capture;
}

}  // namespace watershed
