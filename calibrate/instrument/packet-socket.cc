// SPDX-License-Identifier: GPL-2.0-only
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <stdexcept>

#include "calibrate/instrument/fragments.h"
#include "calibrate/instrument/interface.h"

namespace watershed {
namespace {

[[noreturn]] void refuse_socket(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

void set_option(int file, int level, int option, const void* value, socklen_t size, const std::string& what) {
    if (setsockopt(file, level, option, value, size) != 0) refuse_socket(what);
}

constexpr std::size_t kRingFrame = 256;  // bytes: what the kernel says of a frame, and its beginning
constexpr std::size_t kRingBlock = 4096;

}  // namespace

PacketSocket::PacketSocket() : socket_(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)) {
    if (socket_.file >= 0) return;
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
    if (bind(socket_.file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        refuse_socket(interface.name);
}

FrameSender::FrameSender(const Interface& interface, bool patient) : interface_(interface), patient_(patient) {
    socket_.bind_to(interface, 0);
    // What waits in a queue counts as the socket's; its limit must not be the queue's. Only an administrator may raise
    // it as far.
    const int most = INT_MAX / 2;
    if (setsockopt(socket_.file(), SOL_SOCKET, SO_SNDBUFFORCE, &most, sizeof most) != 0)
        set_option(socket_.file(), SOL_SOCKET, SO_SNDBUF, &most, sizeof most, interface.name);
}

bool FrameSender::send(const std::vector<std::uint8_t>& frame) const {
    while (::send(socket_.file(), frame.data(), frame.size(), patient_ ? 0 : MSG_DONTWAIT) < 0) {
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
    set_option(socket_.file(), SOL_PACKET, PACKET_VERSION, &version, sizeof version,
               interface.name + ": a receive ring");
    // IPv4 (12), UDP (23), without options and to this port (36); only what names a fragment is kept.
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 0, 7),
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 14), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x45, 0, 5),
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 23), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_UDP, 0, 3),
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 36), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, udp_port, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 64),          BPF_STMT(BPF_RET | BPF_K, 0)};
    const sock_fprog filter{sizeof program / sizeof *program, program};
    set_option(socket_.file(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter, interface.name + ": a filter");
    constexpr std::size_t kPerBlock = kRingBlock / kRingFrame;
    tpacket_req ring{};
    ring.tp_block_size = kRingBlock;
    ring.tp_block_nr = unsigned((frames + kPerBlock - 1) / kPerBlock);
    ring.tp_frame_size = kRingFrame;
    ring.tp_frame_nr = unsigned(ring.tp_block_nr * kPerBlock);
    frames_ = ring.tp_frame_nr;
    set_option(socket_.file(), SOL_PACKET, PACKET_RX_RING, &ring, sizeof ring,
               interface.name + ": a receive ring of " + std::to_string(frames_) + " frames");
    void* const mapped =
        mmap(nullptr, frames_ * kRingFrame, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, socket_.file(), 0);
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
        // Of seconds since 1970 a Time of picoseconds holds four months.
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
    if (getsockopt(socket_.file(), SOL_PACKET, PACKET_STATISTICS, &statistics, &size) != 0)
        refuse_socket("the receive ring's counters");
    return statistics.tp_drops;
}

}  // namespace watershed
