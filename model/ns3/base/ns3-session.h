// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {

/// ns-3's simulator for the time of one run, at picosecond resolution.
class Ns3Session {
  public:
    /// @throws std::runtime_error if ns-3 already runs at another resolution, which can be set once in a process
    Ns3Session();
    ~Ns3Session();
    Ns3Session(const Ns3Session&) = delete;
    Ns3Session& operator=(const Ns3Session&) = delete;
};

}  // namespace watershed
