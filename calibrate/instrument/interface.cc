// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/interface.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <sstream>

#include "calibrate/instrument/receiving-end.h"
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

[[noreturn]] void refuse_socket(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

void set_option(int file, int level, int option, const void* value, socklen_t size, const std::string& what) {
    if (setsockopt(file, level, option, value, size) != 0) refuse_socket(what);
}

constexpr std::size_t kRingFrame = 256;  // bytes: what the kernel says of a frame, and its beginning
constexpr std::size_t kRingBlock = 4096;

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

PacketSocket::PacketSocket() : OwnedFile(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)) {
    if (file >= 0) return;
    if (errno == EPERM || errno == EACCES)
        throw std::runtime_error(
            "a packet socket needs CAP_NET_RAW: run as root, or `sudo setcap "
            "cap_net_raw,cap_net_admin,cap_sys_nice+ep` on the program");
    refuse_socket("a packet socket");
}

void PacketSocket::bind_to(const Interface& interface, std::uint16_t protocol) const {
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(protocol);
    address.sll_ifindex = interface.index;
    if (bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) refuse_socket(interface.name);
}

FrameSender::FrameSender(const Interface& interface, bool patient) : interface_(interface), patient_(patient) {
    socket_.bind_to(interface, 0);
    // Frames in a queue count against the send buffer of the socket, whose limit must not act before the queue's. Only
    // an administrator may raise it this far.
    const int most = INT_MAX / 2;
    if (setsockopt(socket_.file, SOL_SOCKET, SO_SNDBUFFORCE, &most, sizeof most) != 0)
        set_option(socket_.file, SOL_SOCKET, SO_SNDBUF, &most, sizeof most, interface.name);
}

bool FrameSender::send(const std::vector<std::uint8_t>& frame) const {
    while (::send(socket_.file, frame.data(), frame.size(), patient_ ? 0 : MSG_DONTWAIT) < 0) {
        if (errno == EINTR || (errno == ENOBUFS && patient_)) continue;
        if (errno == ENOBUFS) return false;
        if (errno == EAGAIN)
            throw std::runtime_error(interface_.name +
                                     ": the kernel allows the sender less memory than its queue is deep: "
                                     "CAP_NET_ADMIN, or a larger net.core.wmem_max, lifts that");
        refuse_socket(interface_.name + ": cannot send");
    }
    return true;
}

FrameReceiver::FrameReceiver(const Interface& interface, std::uint16_t udp_port, std::size_t frames) {
    const int version = TPACKET_V2;
    set_option(socket_.file, SOL_PACKET, PACKET_VERSION, &version, sizeof version, interface.name + ": a receive ring");
    // IPv4 (12), UDP (23), without options and to this port (36); only what names a fragment is kept.
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 0, 7),
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 14), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x45, 0, 5),
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 23), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_UDP, 0, 3),
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 36), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, udp_port, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 64),          BPF_STMT(BPF_RET | BPF_K, 0)};
    const sock_fprog filter{sizeof program / sizeof *program, program};
    set_option(socket_.file, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter, interface.name + ": a filter");
    constexpr std::size_t kPerBlock = kRingBlock / kRingFrame;
    tpacket_req ring{};
    ring.tp_block_size = kRingBlock;
    ring.tp_block_nr = unsigned((frames + kPerBlock - 1) / kPerBlock);
    ring.tp_frame_size = kRingFrame;
    ring.tp_frame_nr = unsigned(ring.tp_block_nr * kPerBlock);
    frames_ = ring.tp_frame_nr;
    set_option(socket_.file, SOL_PACKET, PACKET_RX_RING, &ring, sizeof ring,
               interface.name + ": a receive ring of " + std::to_string(frames_) + " frames");
    void* const mapped =
        mmap(nullptr, frames_ * kRingFrame, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, socket_.file, 0);
    if (mapped == MAP_FAILED) refuse_socket(interface.name + ": a receive ring");
    ring_ = static_cast<std::uint8_t*>(mapped);
    socket_.bind_to(interface, ETH_P_IP);
}

FrameReceiver::~FrameReceiver() { munmap(ring_, frames_ * kRingFrame); }

std::size_t FrameReceiver::take(std::size_t most, const std::function<void(const std::uint8_t*, Time)>& taker) {
    std::size_t taken = 0;
    for (; taken < most; ++taken, next_ = (next_ + 1) % frames_) {
        auto* const head = reinterpret_cast<tpacket2_hdr*>(ring_ + next_ * kRingFrame);
        if (!(__atomic_load_n(&head->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER)) break;
        const std::chrono::nanoseconds stamp =
            std::chrono::seconds(head->tp_sec) + std::chrono::nanoseconds(head->tp_nsec);
        // A Time of picoseconds cannot hold the seconds since 1970, only 107 days: fold the stamp.
        constexpr std::chrono::seconds kFold{1'000'000};
        if (head->tp_snaplen >= kFragmentHead)
            taker(reinterpret_cast<const std::uint8_t*>(head) + head->tp_mac, stamp % kFold);
        __atomic_store_n(&head->tp_status, std::uint32_t(TP_STATUS_KERNEL), __ATOMIC_RELEASE);
    }
    return taken;
}

std::uint64_t FrameReceiver::dropped() const {
    tpacket_stats statistics{};
    socklen_t size = sizeof statistics;
    if (getsockopt(socket_.file, SOL_PACKET, PACKET_STATISTICS, &statistics, &size) != 0)
        refuse_socket("the receive ring's counters");
    return statistics.tp_drops;
}

}  // namespace watershed
