// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>

#include "calibrate/advice/generator.h"
#include "calibrate/instrument/fragments.h"
#include "calibrate/instrument/preflight.h"

/// Where the frames of a burst arrive: a port of this machine, or of another one.
namespace watershed {

using MacAddress = std::array<std::uint8_t, 6>;
using Clock = std::chrono::steady_clock;  ///< the monotonic one

/// What arrived of a burst.
struct ArrivedFrames {
    std::int64_t frames = 0;
    std::vector<bool> missing;  ///< frame by frame as they were sent
    std::string host_loss;      ///< where the receiving machine itself lost frames; else empty
    Time silence{0};            ///< the longest after the last one was sent, before one that arrived
    Time spread{0};             ///< from the first of them to the last, as the kernel received them
    std::vector<OutputStall> stalls{};
};

class ReceivingEnd {
  public:
    explicit ReceivingEnd(Interface port) : port_(std::move(port)) {}
    virtual ~ReceivingEnd() = default;
    /// Of another machine's port only name, address and MTU are known.
    const Interface& port() const { return port_; }
    /// What its machine tells of the port.
    virtual PortFacts facts() const = 0;
    /// From now on frames of this run count. @param senders  to which it shows where its address is
    virtual void begin(const BurstSetting& setting, std::uint32_t run, const std::vector<MacAddress>& senders) = 0;
    /// Counts some of what has arrived, where that is this program's work. @returns how many
    virtual std::size_t count_some() { return 0; }
    /// Waits until so many have arrived, or nothing does for so long. @throws std::runtime_error if the link is down
    virtual ArrivedFrames end(std::int64_t expected, Time quiet) = 0;

  protected:
    Interface port_;
};

struct ReceivingOptions {
    std::string interface;
    std::size_t ring = 65'536;             ///< frames that are held until they are counted
    std::int64_t most_frames = 1'000'000;  ///< of a burst
    bool allow_default_route = false;      ///< else an interface by which this machine is reached is refused
};

/// @throws InputError for an interface that is down, not connected, or by which this machine is reached
void refuse_unusable(const Interface& interface, bool allow_default_route);
/// Whether the link was down since this was last asked, in words. @throws std::runtime_error if it still is
std::string interruption_of(Interface& interface);
std::string address_text(const MacAddress& mac);

/// A port of this machine. @throws InputError for an interface that cannot be used; begin() throws std::runtime_error
/// where sockets are not allowed
std::unique_ptr<ReceivingEnd> local_end(const ReceivingOptions& options);

/// A port of another machine, on which the command starts `watershed measure --serve`: it speaks by its standard input
/// and output, in lines of JSON. Rights, encryption and names are the command's, as of ssh.
///
///     {"version": 5, "mac": "02:…", "mtu": 1500, "name": "eth1", "port": {…}}   the receiving end begins
///     {"begin": {"run": 7, "ports": 44, "payload_bytes": 1024, "events": 100, "senders": ["02:…"]}}
///     {"ready": true}
///     {"end": {"expected": 4400, "quiet_ps": 200000000000}}
///     {"frames": 4390, "missing": "00a8…", "host_loss": "", "spread_ps": 9000, "silence_ps": 100, "stalls": [[0, 0,
///     0], …]}  or {"error": "…"}
///
/// "port" has the members of PortFacts, each of "stalls" those of OutputStall.
/// An end that dies loses its burst and is started again with the next.
/// @throws std::runtime_error where it cannot be started
std::unique_ptr<ReceivingEnd> remote_end(const std::string& command);

/// Serves the sender at the other end of standard input and output until it closes them.
/// @throws InputError for an interface that cannot be used
void serve_peer(const ReceivingOptions& options);

}  // namespace watershed
