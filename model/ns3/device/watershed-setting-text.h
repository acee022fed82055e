// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/queue-size.h>

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "model/switch/gate-control-list.h"
#include "model/switch/switch.h"

/// Texts of the attributes of a switch. ReadText() returns false if a text is not of the form that it expects.
namespace watershed {

MemorySize SizeOf(const ns3::QueueSize& size);
/// Empty for a limit that ns3::QueueSize has no unit or no room for.
ns3::QueueSize QueueSizeOf(const MemorySize& size);

/// Exactly where it is a whole number of 1024ths, else to a thousandth.
Ratio RatioOf(double number);

/// "50%" or "15000B"; an empty text for none.
bool ReadText(const std::string& text, std::optional<ResumeLevel>& to);
std::string TextOf(const std::optional<ResumeLevel>& level);

// Parts of lists.
bool ReadText(const std::string& text, std::int64_t& to);  ///< "2", from 1 on
bool ReadText(const std::string& text, Ratio& to);         ///< "0.5", to a thousandth
bool ReadText(const std::string& text, MemorySize& to);    ///< "20kB" or "100p"
bool ReadText(const std::string& text, BitRate& to);       ///< "10Mbps"
bool ReadText(const std::string& text, Bytes& to);         ///< "1538B"
bool ReadText(const std::string& text, PortGroup& to);     ///< "48x1Gbps"
bool ReadText(const std::string& text, GateEntry& to);     ///< "650us:0-3,6", or "50us:"
template <class Value>
std::string Printed(const Value& value) {
    std::ostringstream text;
    text << value;
    return text.str();
}
inline std::string TextOf(std::int64_t number) { return std::to_string(number); }
inline std::string TextOf(Ratio ratio) { return Printed(as_number(ratio)); }
inline std::string TextOf(const MemorySize& size) { return Printed(QueueSizeOf(size)); }
inline std::string TextOf(BitRate rate) { return TextOf(rate.count) + "bps"; }
inline std::string TextOf(Bytes bytes) { return TextOf(bytes.count) + "B"; }
inline std::string TextOf(const PortGroup& group) { return std::to_string(group.count) + "x" + TextOf(group.speed); }
inline std::string TextOf(const GateEntry& gate) {
    return TextOf(gate.lasts.count()) + "ps:" + classes_text(gate.classes);
}

template <class Part>
constexpr char kSeparator = ',';
template <>
inline constexpr char kSeparator<PortGroup> = '+';
template <>
inline constexpr char kSeparator<GateEntry> = ';';

/// Returns the parts of a list, without blanks.
std::vector<std::string> Split(const std::string& text, char separator);

template <class Part>
bool ReadText(const std::string& text, std::vector<Part>& to) {
    std::vector<Part> list;
    for (const std::string& part : Split(text, kSeparator<Part>))
        if (!ReadText(part, list.emplace_back())) return false;
    to = std::move(list);
    return true;
}

template <class Part>
std::string TextOf(const std::vector<Part>& list) {
    std::string text;
    for (const Part& part : list) text += (text.empty() ? "" : std::string(1, kSeparator<Part>)) + TextOf(part);
    return text;
}

}  // namespace watershed
