// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/interface.h"

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

[[noreturn]] void refuse_netlink(int error) {
    throw std::runtime_error("the kernel does not tell of its network: " + std::string(std::strerror(error)));
}

/// Asks the kernel about its network (rtnetlink, RFC 3549) and hands over each answer.
/// @param type  of the request, RTM_GET…; a header of `size` bytes follows it
/// @param all   of that type, not one
/// @throws std::runtime_error where the kernel refuses
template <class Take>
void ask_kernel(std::uint16_t type, const void* header, std::size_t size, bool all, const Take& answer) {
    const OwnedFile netlink(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    if (netlink.file < 0) refuse_netlink(errno);
    std::vector<std::uint8_t> request(NLMSG_SPACE(size));
    nlmsghdr head{};
    head.nlmsg_len = std::uint32_t(NLMSG_LENGTH(size));
    head.nlmsg_type = type;
    head.nlmsg_flags = std::uint16_t(NLM_F_REQUEST | (all ? NLM_F_DUMP : NLM_F_ACK));
    std::memcpy(request.data(), &head, sizeof head);
    std::memcpy(request.data() + NLMSG_HDRLEN, header, size);
    if (send(netlink.file, request.data(), request.size(), 0) < 0) refuse_netlink(errno);
    alignas(nlmsghdr) std::uint8_t buffer[65536];
    while (true) {
        const ssize_t got = recv(netlink.file, buffer, sizeof buffer, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse_netlink(errno);
        std::size_t at = 0;
        while (at + sizeof(nlmsghdr) <= std::size_t(got)) {
            const auto& message = *reinterpret_cast<const nlmsghdr*>(buffer + at);
            if (message.nlmsg_type == NLMSG_DONE) return;
            if (message.nlmsg_type == NLMSG_ERROR) {
                const auto& error = *static_cast<const nlmsgerr*>(NLMSG_DATA(&message));
                if (error.error == 0) return;
                refuse_netlink(-error.error);
            }
            answer(message);
            at += NLMSG_ALIGN(message.nlmsg_len);
        }
    }
}

/// Each attribute of an answer whose own header has `size` bytes.
template <class Take>
void for_each_attribute(const nlmsghdr& answer, std::size_t size, const Take& take) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&answer);
    std::size_t at = NLMSG_SPACE(size);
    while (at + sizeof(rtattr) <= answer.nlmsg_len) {
        const auto& attribute = *reinterpret_cast<const rtattr*>(bytes + at);
        if (attribute.rta_len < sizeof(rtattr) || at + attribute.rta_len > answer.nlmsg_len) return;
        take(attribute);
        at += RTA_ALIGN(attribute.rta_len);
    }
}

template <class Value>
Value value_of(const rtattr& attribute) {
    Value value{};
    std::memcpy(&value, RTA_DATA(&attribute), std::min<std::size_t>(sizeof value, RTA_PAYLOAD(&attribute)));
    return value;
}

/// Asks of one interface.
template <class Take>
void ask_of_link(int index, const Take& take) {
    ifinfomsg of{};
    of.ifi_family = AF_UNSPEC;
    of.ifi_index = index;
    ask_kernel(RTM_GETLINK, &of, sizeof of, false, [&](const nlmsghdr& answer) {
        if (answer.nlmsg_type != RTM_NEWLINK) return;
        take(*static_cast<const ifinfomsg*>(NLMSG_DATA(&answer)), answer);
    });
}

std::uint64_t softnet_drops() {
    std::ifstream in("/proc/net/softnet_stat");
    std::uint64_t sum = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::uint64_t processed = 0, dropped = 0;
        if (words >> std::hex >> processed >> dropped) sum += dropped;
    }
    return sum;
}

}  // namespace

Interface read_interface(const std::string& name) {
    Interface interface;
    interface.name = name;
    interface.index = int(if_nametoindex(name.c_str()));
    if (interface.index == 0)
        throw InputError("\"" + name + "\": there is no such network interface, expected one that `ip link` lists");
    ask_of_link(interface.index, [&](const ifinfomsg& link, const nlmsghdr& answer) {
        interface.up = link.ifi_flags & IFF_UP;
        interface.running = link.ifi_flags & IFF_RUNNING;
        for_each_attribute(answer, sizeof link, [&](const rtattr& attribute) {
            if (attribute.rta_type == IFLA_ADDRESS) interface.mac = value_of<std::array<std::uint8_t, 6>>(attribute);
            if (attribute.rta_type == IFLA_CARRIER_CHANGES) interface.changes = value_of<std::uint32_t>(attribute);
            if (attribute.rta_type == IFLA_MTU) interface.mtu = value_of<std::uint32_t>(attribute);
        });
    });
    return interface;
}

bool has_default_route(const std::string& name) {
    std::ifstream ipv4("/proc/net/route");
    for (std::string line; std::getline(ipv4, line);) {
        std::istringstream words(line);
        std::string interface, destination;
        if (words >> interface >> destination && interface == name && destination == "00000000") return true;
    }
    std::ifstream ipv6("/proc/net/ipv6_route");
    for (std::string line; std::getline(ipv6, line);) {
        std::istringstream words(line);
        std::string destination, length, source, source_length, next, metric, references, uses, interface;
        std::uint32_t flags = 0;
        constexpr std::uint32_t kReject = 0x0200;  // no way out, which every machine has on its loopback
        if (words >> destination >> length >> source >> source_length >> next >> metric >> references >> uses >>
                std::hex >> flags >> interface &&
            interface == name && !(flags & kReject) && length == "00" && destination == std::string(32, '0'))
            return true;
    }
    return false;
}

FrameCounters frame_counters(const Interface& interface) {
    FrameCounters counters;
    ask_of_link(interface.index, [&](const ifinfomsg& link, const nlmsghdr& answer) {
        for_each_attribute(answer, sizeof link, [&](const rtattr& attribute) {
            if (attribute.rta_type != IFLA_STATS64) return;
            const auto statistics = value_of<rtnl_link_stats64>(attribute);
            counters.received = statistics.rx_packets;
            counters.missed = statistics.rx_missed_errors + statistics.rx_fifo_errors + statistics.rx_over_errors;
            counters.damaged = statistics.rx_crc_errors + statistics.rx_frame_errors + statistics.rx_length_errors;
            counters.sent = statistics.tx_packets;
            counters.unsent = statistics.tx_dropped + statistics.tx_errors;
        });
    });
    counters.backlog = softnet_drops();
    return counters;
}

OutputQueue output_queue(const Interface& interface) {
    tcmsg of{};
    of.tcm_family = AF_UNSPEC;
    of.tcm_ifindex = interface.index;
    OutputQueue queue;
    ask_kernel(RTM_GETQDISC, &of, sizeof of, true, [&](const nlmsghdr& answer) {
        if (answer.nlmsg_type != RTM_NEWQDISC) return;
        const auto& told = *static_cast<const tcmsg*>(NLMSG_DATA(&answer));
        if (told.tcm_ifindex != interface.index || told.tcm_parent != TC_H_ROOT) return;
        for_each_attribute(answer, sizeof told, [&](const rtattr& attribute) {
            if (attribute.rta_type == TCA_KIND) queue.kind = static_cast<const char*>(RTA_DATA(&attribute));
            if (attribute.rta_type != TCA_STATS) return;
            const auto statistics = value_of<tc_stats>(attribute);
            queue.drops = statistics.drops;
            queue.backlog = statistics.backlog;
        });
    });
    return queue;
}

}  // namespace watershed
