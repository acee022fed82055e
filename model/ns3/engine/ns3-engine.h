// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>

#include "model/exact/engine.h"

namespace watershed {

/// Runs a scenario in ns-3, with nodes, devices, cables, applications and packets. It owns ns-3's simulator while it
/// runs: one run at a time in a process, and nothing else simulated there.
class Ns3Engine final : public Engine {
  public:
    /// @param pcap_prefix      if not empty, every run writes PREFIX-uplink-K.pcap with the frames that the server
    ///                         receives on each uplink K, from 1, at the time of their last bit, in nanoseconds; with
    ///                         flow control, also PREFIX-module-K.pcap with what each module sends, and is told by the
    ///                         switch
    /// @param packets_at_once  a new ns3::Packet for every frame where it is sent, instead of where it is first
    ///                         looked at (see WatershedFrame); the outcome is the same, but it takes twice the time
    ///                         and six times the memory
    explicit Ns3Engine(std::string pcap_prefix = {}, bool packets_at_once = false)
        : pcap_prefix_(std::move(pcap_prefix)), packets_at_once_(packets_at_once) {}

    std::string name() const override { return "ns3"; }
    /// @throws std::runtime_error if ns-3 already runs at a coarser resolution than the picosecond, or a pcap file
    /// cannot be written
    Outcome run(const NetworkScenario& scenario, const Observer* observer = nullptr) override;

    /// Simulator events of the last run.
    std::uint64_t event_count() const { return event_count_; }

  private:
    Outcome simulate(const NetworkScenario& scenario, const Observer* observer);

    std::string pcap_prefix_;
    bool packets_at_once_;
    std::uint64_t event_count_ = 0;
};

}  // namespace watershed
