// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/device/watershed-setting-text.h"

#include <ns3/data-rate.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "model/ns3/base/watershed-time.h"
#include "model/switch/gate-control-list.h"

namespace watershed {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        part.erase(std::remove(part.begin(), part.end(), ' '), part.end());
        parts.push_back(part);
    }
    return parts;
}

bool IsCount(const std::string& text) {
    return !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

MemorySize SizeOf(const ns3::QueueSize& size) {
    return {static_cast<std::int64_t>(size.GetValue()),
            size.GetUnit() == ns3::QueueSizeUnit::BYTES ? MemorySize::Unit::Byte : MemorySize::Unit::Frame};
}

ns3::QueueSize QueueSizeOf(const MemorySize& size) {
    if (size.unit == MemorySize::Unit::Cell || size.amount > UINT32_MAX) return ns3::QueueSize("0B");
    return {size.unit == MemorySize::Unit::Byte ? ns3::QueueSizeUnit::BYTES : ns3::QueueSizeUnit::PACKETS,
            static_cast<std::uint32_t>(size.amount)};
}

Ratio RatioOf(double number) {
    constexpr int kBinary = 1024;
    const bool binary = number * kBinary == std::floor(number * kBinary);
    return binary ? Ratio{std::llround(number * kBinary), kBinary} : Ratio{std::llround(number * 1000), 1000};
}

std::optional<std::optional<ResumeLevel>> ReadResume(const std::string& text) {
    using Level = std::optional<ResumeLevel>;
    static const std::regex percent("[0-9]{1,3}%"), amount("[0-9]{1,9}([kKM]i?)?[Bp]");
    if (text.empty()) return Level();
    if (std::regex_match(text, amount)) return Level(SizeOf(ns3::QueueSize(text)));
    if (!std::regex_match(text, percent) || std::stoi(text) > 100) return std::nullopt;
    return Level(Ratio{std::stoi(text), 100});
}

std::string TextOf(const std::optional<ResumeLevel>& level) {
    std::ostringstream text;
    if (level && std::holds_alternative<Ratio>(*level))
        text << 100 * as_number(std::get<Ratio>(*level)) << "%";
    else if (level)
        text << QueueSizeOf(std::get<MemorySize>(*level));
    return text.str();
}

std::optional<std::vector<PortGroup>> ReadPorts(const std::string& text) {
    std::vector<PortGroup> ports;
    for (const std::string& part : Split(text, '+')) {
        const auto times = part.find('x');
        ns3::DataRateValue rate;
        if (times == std::string::npos || !IsCount(part.substr(0, times)) ||
            !rate.DeserializeFromString(part.substr(times + 1), ns3::MakeDataRateChecker()))
            return std::nullopt;
        ports.push_back(
            {BitRate{static_cast<std::int64_t>(rate.Get().GetBitRate())}, std::stoi(part.substr(0, times))});
    }
    return ports;
}

std::string TextOf(const std::vector<PortGroup>& ports) {
    std::string text;
    for (const PortGroup& group : ports)
        text +=
            (text.empty() ? "" : "+") + std::to_string(group.count) + "x" + std::to_string(group.speed.count) + "bps";
    return text;
}

std::optional<std::vector<GateEntry>> ReadGates(const std::string& text) {
    static const std::regex form("([0-9]{1,12}(ps|ns|us|ms|s)):([0-9,-]*)");  // ns-3 ends the program at another one
    std::vector<GateEntry> gates;
    for (const std::string& part : Split(text, ';')) {
        std::smatch said;
        if (!std::regex_match(part, said, form)) return std::nullopt;
        const auto classes = read_classes(said[3]);
        if (!classes) return std::nullopt;
        gates.push_back({FromNs3(ns3::Time(said[1])), *classes});
    }
    return gates;
}

std::string TextOf(const std::vector<GateEntry>& gates) {
    std::string text;
    for (const GateEntry& each : gates)
        text += (text.empty() ? "" : ";") + std::to_string(each.lasts.count()) + "ps:" + classes_text(each.classes);
    return text;
}

std::optional<std::vector<std::int64_t>> ReadList(const std::string& text) {
    std::vector<std::int64_t> list;
    for (const std::string& part : Split(text, ',')) {
        if (!IsCount(part) || std::stoi(part) < 1) return std::nullopt;
        list.push_back(std::stoi(part));
    }
    return list;
}

std::string TextOf(const std::vector<std::int64_t>& list) {
    std::string text;
    for (const std::int64_t each : list) text += (text.empty() ? "" : ",") + std::to_string(each);
    return text;
}

std::optional<std::vector<Ratio>> ReadRatios(const std::string& text) {
    std::vector<Ratio> list;
    for (const std::string& part : Split(text, ',')) {
        static const std::regex form("[0-9]{1,7}(\\.[0-9]{1,6})?");
        if (!std::regex_match(part, form) || std::stod(part) < 0.001 || std::stod(part) > 1e6) return std::nullopt;
        list.push_back(RatioOf(std::stod(part)));
    }
    return list;
}

std::string TextOf(const std::vector<Ratio>& list) {
    std::ostringstream text;
    for (const Ratio& each : list) text << (&each == &list.front() ? "" : ",") << as_number(each);
    return text.str();
}

std::optional<std::vector<MemorySize>> ReadSizes(const std::string& text) {
    std::vector<MemorySize> list;
    for (const std::string& part : Split(text, ',')) {
        static const std::regex form("[0-9]{1,9}([kKM]i?)?[Bp]");  // ns-3 ends the program at another one
        if (!std::regex_match(part, form)) return std::nullopt;
        list.push_back(SizeOf(ns3::QueueSize(part)));
    }
    return list;
}

std::string TextOf(const std::vector<MemorySize>& list) {
    std::ostringstream text;
    for (const MemorySize& each : list) text << (&each == &list.front() ? "" : ",") << QueueSizeOf(each);
    return text.str();
}

std::optional<std::vector<BitRate>> ReadRates(const std::string& text) {
    std::vector<BitRate> list;
    for (const std::string& part : Split(text, ',')) {
        ns3::DataRateValue rate;
        if (!rate.DeserializeFromString(part, ns3::MakeDataRateChecker()) || rate.Get().GetBitRate() == 0)
            return std::nullopt;
        list.push_back(BitRate{static_cast<std::int64_t>(rate.Get().GetBitRate())});
    }
    return list;
}

std::string TextOf(const std::vector<BitRate>& list) {
    std::string text;
    for (const BitRate& each : list) text += (text.empty() ? "" : ",") + std::to_string(each.count) + "bps";
    return text;
}

std::optional<std::vector<Bytes>> ReadBytes(const std::string& text) {
    const auto sizes = ReadSizes(text);
    if (!sizes) return std::nullopt;
    std::vector<Bytes> list;
    for (const MemorySize& each : *sizes) {
        if (each.unit != MemorySize::Unit::Byte) return std::nullopt;
        list.push_back(Bytes{each.amount});
    }
    return list;
}

std::string TextOf(const std::vector<Bytes>& list) {
    std::string text;
    for (const Bytes& each : list) text += (text.empty() ? "" : ",") + std::to_string(each.count) + "B";
    return text;
}

}  // namespace watershed
