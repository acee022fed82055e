// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/queue-size.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/switch/switch.h"

/// Texts of the attributes of a switch.
namespace watershed {

MemorySize SizeOf(const ns3::QueueSize& size);
/// Empty for a limit that ns3::QueueSize has no unit or no room for.
ns3::QueueSize QueueSizeOf(const MemorySize& size);

/// Exactly where it is a whole number of 1024ths, else to a thousandth.
Ratio RatioOf(double number);

/// "50%" or "15000B"; an empty text for none. @return nothing if it is not of that form
std::optional<std::optional<ResumeLevel>> ReadResume(const std::string& text);
std::string TextOf(const std::optional<ResumeLevel>& level);

/// "48x1Gbps+4x10Gbps". @return nothing if it is not of that form
std::optional<std::vector<PortGroup>> ReadPorts(const std::string& text);
std::string TextOf(const std::vector<PortGroup>& ports);

/// "300us:7;650us:0-3,6;50us:". @return nothing if it is not of that form
std::optional<std::vector<GateEntry>> ReadGates(const std::string& text);
std::string TextOf(const std::vector<GateEntry>& gates);

/// "1,2,1". @return nothing if it is not of that form
std::optional<std::vector<std::int64_t>> ReadList(const std::string& text);
std::string TextOf(const std::vector<std::int64_t>& list);

/// "0.5,1,8", to a thousandth. @return nothing if it is not of that form
std::optional<std::vector<Ratio>> ReadRatios(const std::string& text);
std::string TextOf(const std::vector<Ratio>& list);

/// "20kB,100p". @return nothing if it is not of that form
std::optional<std::vector<MemorySize>> ReadSizes(const std::string& text);
std::string TextOf(const std::vector<MemorySize>& list);

/// "10Mbps,1Gbps". @return nothing if it is not of that form
std::optional<std::vector<BitRate>> ReadRates(const std::string& text);
std::string TextOf(const std::vector<BitRate>& list);

/// "1538B,20kB". @return nothing if it is not of that form
std::optional<std::vector<Bytes>> ReadBytes(const std::string& text);
std::string TextOf(const std::vector<Bytes>& list);

}  // namespace watershed
