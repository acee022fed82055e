// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/counter-names.h"

#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/string.hpp>
#include <set>

namespace watershed {
namespace {
using What = Counter::What;
}  // namespace

const CounterMeanings kCardCounters{
    {What::Lost,
     Place::Card,
     {"rx_missed_errors", "rx_missed", "rx_over_errors", "rx_discards_phy", "rx_dropped", "rx_dropped.nic",
      "port.rx_dropped", "port.rx_discards"}},
    {What::Lost,
     Place::Ring,
     {"rx_total_discard_pkts", "rx_total_ring_discards", "rx_no_dma_resources", "rx_out_of_buffer", "rx_fifo_errors",
      "rx_queue_#_drops", "rx#_drops"}},
    {What::Lost,
     Place::Cable,
     {"rx_crc_errors", "rx_crc_errors.nic", "port.rx_crc_errors", "rx_crc_errors_phy", "rx_align_errors",
      "rx_symbol_err_phy"}},
    {What::Arrived, Place::Card, {"rx_packets", "rx_unicast", "port.rx_unicast", "rx_packets_phy"}},
    {What::Sent, Place::Sender, {"tx_packets"}},
    {What::Octets, Place::Card, {"rx_bytes", "port.rx_bytes"}},
    {What::Octets, Place::Sender, {"tx_bytes", "port.tx_bytes"}},
    {What::Lost, Place::Sender, {"tx_dropped", "tx_errors", "tx_fifo_errors"}},
    {What::Harmless, Place::Card, {"rx_no_buffer_count", "fdir_miss"}},
};

const CounterMeanings kProtocolCounters{
    {What::Arrived, Place::Socket, {"UdpInDatagrams"}},
    {What::Lost, Place::Socket, {"UdpRcvbufErrors", "UdpInErrors", "UdpNoPorts", "UdpMemErrors", "UdpInCsumErrors"}},
    {What::Lost, Place::Kernel, {"IpInDiscards", "IpInHdrErrors", "IpInAddrErrors"}},
    {What::Lost, Place::Sender, {"IpOutDiscards", "UdpSndbufErrors"}},
    {What::Sent, Place::Sender, {"UdpOutDatagrams"}},
};

const CounterMeanings kLinkCounters{
    {What::Arrived, Place::Card, {"rx.packets"}},
    {What::Lost, Place::Card, {"rx.missed_errors", "rx.over_errors"}},
    {What::Lost, Place::Ring, {"rx.fifo_errors"}},
    {What::Lost, Place::Cable, {"rx.crc_errors", "rx.frame_errors"}},
    {What::Lost, Place::Kernel, {"rx.dropped"}},
    {What::Sent, Place::Sender, {"tx.packets"}},
    {What::Octets, Place::Card, {"rx.bytes"}},
    {What::Octets, Place::Sender, {"tx.bytes"}},
    {What::Lost, Place::Sender, {"tx.dropped", "tx.fifo_errors", "tx.carrier_errors"}},
};

std::vector<std::string> words_in(const std::string& name) {
    std::vector<std::string> words;
    unsigned char before = ' ';
    for (const unsigned char c : name) {
        const bool begins = !std::isalpha(before) || (std::islower(before) && std::isupper(c));
        if (std::isalpha(c) && begins) words.emplace_back();
        if (std::isalpha(c)) words.back() += char(std::tolower(c));
        before = c;
    }
    return words;
}

bool is_loss_by_name(std::string name) {
    boost::to_lower(name);
    for (const char* word : {"interrupt", "deferr", "transferr", "transmiss"}) boost::erase_all(name, word);
    constexpr const char* kParts[] = {"drop",   "discard",  "err",       "miss",     "fifo",    "overflow", "overrun",
                                      "nobuf",  "no_buf",   "tail",      "filter",   "lost",    "loss",     "fail",
                                      "abort",  "bad",      "aged",      "invalid",  "unknown", "trunc",    "reject",
                                      "denied", "noroute",  "crc",       "fcs",      "align",   "jabber",   "fragment",
                                      "runt",   "oversize", "undersize", "collision"};
    return boost::algorithm::any_of(kParts, [&](const char* part) { return boost::contains(name, part); });
}

/// Totals, sizes, and what drivers and ports do beside: no frame is lost by it.
bool is_harmless_by_name(const std::string& name) {
    if (is_loss_by_name(name)) return false;
    static const std::set<std::string> kWords{
        "packets",  "packet",     "pkts",       "pkt",       "frames",      "frame",    "bytes",     "byte",
        "octets",   "octet",      "total",      "hist",      "size",        "unicast",  "multicast", "broadcast",
        "unicasts", "multicasts", "broadcasts", "ucast",     "mcast",       "bcast",    "uc",        "mc",
        "bc",       "uni",        "multi",      "broad",     "green",       "yellow",   "pause",     "xon",
        "xoff",     "control",    "ecn",        "mark",      "marked",      "csum",     "tso",       "gso",
        "lro",      "gro",        "rsc",        "vlan",      "interrupts",  "irq",      "int",       "poll",
        "polls",    "arm",        "events",     "kicks",     "wake",        "stopped",  "restart",   "xmit",
        "nop",      "cache",      "reuse",      "umr",       "cqe",         "cqes",     "wqe",       "strides",
        "descs",    "linearize",  "doorbell",   "doorbells", "completions", "hwtstamp", "timestamp", "timestamps",
        "ptp",      "match"};
    static const std::set<std::string> kOfSizes{"rx", "tx", "in", "out", "to", "or", "less", "more", "max", "plus"};
    const std::vector<std::string> words = words_in(name);
    if (boost::algorithm::any_of(words, [](const std::string& word) { return kWords.count(word) > 0; })) return true;
    // "rx_65_127", "tx_64_or_less": frames by their size.
    constexpr int kSmallest = 64;
    const std::size_t number = name.find_first_of("0123456789");
    return number != std::string::npos && std::atoi(&name[number]) >= kSmallest &&
           boost::algorithm::all_of(words, [](const std::string& word) { return kOfSizes.count(word) > 0; });
}

bool is_harmless_of_protocols(const std::string& name) {
    const bool other = !boost::starts_with(name, "Ip") && !boost::starts_with(name, "Udp");
    return other || boost::starts_with(name, "Ip6") || boost::starts_with(name, "Udp6") ||
           boost::starts_with(name, "UdpLite") || !is_loss_by_name(name);
}

std::string of_all_queues(const std::string& counter) {
    const std::size_t from = counter.find_first_of("0123456789");
    if (from == std::string::npos) return counter;
    const std::size_t to = std::min(counter.size(), counter.find_first_not_of("0123456789", from));
    return counter.substr(0, from) + '#' + counter.substr(to);
}

}  // namespace watershed
