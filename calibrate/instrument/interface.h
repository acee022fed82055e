// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

/// What the kernel tells of a network interface.
namespace watershed {

/// A file, or a socket, that is closed.
struct OwnedFile {
    explicit OwnedFile(int opened) : file(opened) {}
    ~OwnedFile() {
        if (file >= 0) close(file);
    }
    OwnedFile(const OwnedFile&) = delete;
    OwnedFile& operator=(const OwnedFile&) = delete;
    int file;  ///< negative: none
};

struct Interface {
    std::string name;
    int index = 0;
    std::array<std::uint8_t, 6> mac{};
    std::int64_t mtu = 0;
    bool up = false;            ///< administratively
    bool running = false;       ///< and there is something at the other end
    std::uint32_t changes = 0;  ///< of that, so far
};
/// @throws InputError where there is none of this name
Interface read_interface(const std::string& name);

/// Whether a default route, of IPv4 or IPv6, leaves by it: then it is how this machine is reached.
bool has_default_route(const std::string& name);

/// Frames that the receiving machine lost, since it was started.
struct HostLosses {
    std::uint64_t missed = 0;   ///< by the network card, for want of buffers: rx_missed, rx_fifo, rx_over, rx_no_buffer
    std::uint64_t damaged = 0;  ///< frames that arrived damaged: a cable's fault
    std::uint64_t backlog = 0;  ///< by the kernel's queue of a processor (net.core.netdev_max_backlog)
};
HostLosses host_losses(const Interface& interface);

/// What stands between a sender and the wire.
struct OutputQueue {
    std::string kind = "noqueue";  ///< of the root queueing discipline, as tc names it
    std::uint64_t drops = 0;
    std::int64_t backlog = 0;  ///< bytes that it holds now
    /// The kernel's own choice for an interface; any other has been put there to be measured.
    bool usual() const;
};
OutputQueue output_queue(const Interface& interface);

}  // namespace watershed
