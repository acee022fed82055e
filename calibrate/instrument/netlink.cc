// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/netlink.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace watershed {
namespace {

[[noreturn]] void refuse_netlink(int error) {
    throw std::runtime_error("the kernel does not tell of its network: " + std::string(std::strerror(error)));
}

struct NetlinkSocket {
    NetlinkSocket() : file(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {
        if (file < 0) refuse_netlink(errno);
    }
    ~NetlinkSocket() { close(file); }
    NetlinkSocket(const NetlinkSocket&) = delete;
    NetlinkSocket& operator=(const NetlinkSocket&) = delete;
    int file;
};

}  // namespace

void ask_kernel(std::uint16_t type, const void* header, std::size_t size, bool all,
                const std::function<void(const nlmsghdr&)>& answer) {
    const NetlinkSocket netlink;
    std::vector<std::uint8_t> request(NLMSG_SPACE(size));
    nlmsghdr head{};
    head.nlmsg_len = static_cast<std::uint32_t>(NLMSG_LENGTH(size));
    head.nlmsg_type = type;
    head.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | (all ? NLM_F_DUMP : NLM_F_ACK));
    std::memcpy(request.data(), &head, sizeof head);
    std::memcpy(request.data() + NLMSG_HDRLEN, header, size);
    if (send(netlink.file, request.data(), request.size(), 0) < 0) refuse_netlink(errno);
    alignas(nlmsghdr) std::uint8_t buffer[65536];
    while (true) {
        const ssize_t got = recv(netlink.file, buffer, sizeof buffer, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse_netlink(errno);
        std::size_t at = 0;
        while (at + sizeof(nlmsghdr) <= static_cast<std::size_t>(got)) {
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

void for_each_attribute(const nlmsghdr& answer, std::size_t size, const std::function<void(const rtattr&)>& take) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&answer);
    std::size_t at = NLMSG_SPACE(size);
    while (at + sizeof(rtattr) <= answer.nlmsg_len) {
        const auto& attribute = *reinterpret_cast<const rtattr*>(bytes + at);
        if (attribute.rta_len < sizeof(rtattr) || at + attribute.rta_len > answer.nlmsg_len) return;
        take(attribute);
        at += RTA_ALIGN(attribute.rta_len);
    }
}

}  // namespace watershed
