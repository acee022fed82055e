// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/addresses.h"
#include "model/base/event-header.h"
#include "model/base/quantities.h"

/// The frames of a burst as they go over a cable: Ethernet, IPv4, UDP, the event header, and zeros.
namespace watershed {

/// Bytes of a frame that tell which fragment it is; a receiver needs no more.
constexpr std::size_t kFragmentHead = 42 + EventHeader::kSize;

/// The frames of one trigger: those of modules 1 to `ports`, which go to `receiver` from addresses of nobody, and which
/// no router forwards.
class Fragments {
  public:
    /// @param payload  of UDP, at least that of the event header
    Fragments(int ports, Bytes payload, const std::array<std::uint8_t, 6>& receiver, std::uint32_t run);

    int ports() const { return static_cast<int>(frames_.size()); }
    /// The frame of module number `port` (from 0), which names this event (from 1). Valid until the next call for this
    /// port.
    const std::vector<std::uint8_t>& frame(int port, std::int64_t event);

  private:
    std::vector<std::vector<std::uint8_t>> frames_;
};

/// Which fragments of a burst have arrived.
class Arrivals {
  public:
    Arrivals(int ports, std::int64_t events, std::uint32_t run);

    /// A frame of `kFragmentHead` bytes at least. One of another run, or that came before, does not count.
    void take(const std::uint8_t* frame);

    std::int64_t frames() const { return frames_; }
    std::int64_t repeated() const { return repeated_; }
    std::int64_t of_other_runs() const { return of_other_runs_; }
    /// Frame by frame: module by module, event by event.
    std::vector<bool> missing() const {
        std::vector<bool> missing = arrived_;
        missing.flip();
        return missing;
    }
    /// @param event, module  from 1
    bool has(std::int64_t event, int module) const { return arrived_[place(event, module)]; }

  private:
    std::size_t place(std::int64_t event, int module) const {
        return static_cast<std::size_t>((event - 1) * ports_ + module - 1);
    }

    int ports_;
    std::int64_t events_;
    std::uint32_t run_;
    std::vector<bool> arrived_;
    std::int64_t frames_ = 0, repeated_ = 0, of_other_runs_ = 0;
};

}  // namespace watershed
