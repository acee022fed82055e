// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/pcap-file-wrapper.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "model/ns3/device/watershed-net-device-impl.h"

namespace watershed {

/// Packet captures of devices, with nanosecond time stamps. The files appear at commit(), or not at all.
class WatershedPcap {
  public:
    WatershedPcap() = default;
    ~WatershedPcap();
    WatershedPcap(const WatershedPcap&) = delete;
    WatershedPcap& operator=(const WatershedPcap&) = delete;

    /// Captures every frame that this device has sent or received. @throws std::runtime_error if the file cannot be
    /// written
    void Capture(WatershedNetDeviceImpl& device, const std::string& path);
    /// @throws std::runtime_error, after which none of the files is there
    void Commit();

  private:
    struct Capturing {
        std::string path;
        ns3::Ptr<ns3::PcapFileWrapper> file;
    };
    /// Another one in each process, so that two that write the same file do not mix.
    static std::string Unfinished(const std::string& path) { return path + ".part-" + std::to_string(getpid()); }

    std::vector<Capturing> m_captures;
};

}  // namespace watershed
