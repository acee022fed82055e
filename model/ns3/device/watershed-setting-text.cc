// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/device/watershed-setting-text.h"

#include <ns3/data-rate.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "model/ns3/base/watershed-time.h"

namespace watershed {
namespace {

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

std::vector<std::string> Split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        part.erase(std::remove(part.begin(), part.end(), ' '), part.end());
        parts.push_back(part);
    }
    return parts;
}

bool ReadText(const std::string& text, std::optional<ResumeLevel>& to) {
    static const std::regex percent("[0-9]{1,3}%");
    MemorySize size;
    if (text.empty())
        to.reset();
    else if (ReadText(text, size))
        to = size;
    else if (std::regex_match(text, percent) && std::stoi(text) <= 100)
        to = Ratio{std::stoi(text), 100};
    else
        return false;
    return true;
}

std::string TextOf(const std::optional<ResumeLevel>& level) {
    if (!level) return "";
    const Ratio* const share = std::get_if<Ratio>(&*level);
    return share ? Printed(100 * as_number(*share)) + "%" : TextOf(std::get<MemorySize>(*level));
}

bool ReadText(const std::string& text, std::int64_t& to) {
    if (!IsCount(text)) return false;
    to = std::stoi(text);
    return to > 0;
}

bool ReadText(const std::string& text, Ratio& to) {
    static const std::regex form("[0-9]{1,7}(\\.[0-9]{1,6})?");
    if (!std::regex_match(text, form) || std::stod(text) < 0.001 || std::stod(text) > 1e6) return false;
    to = RatioOf(std::stod(text));
    return true;
}

bool ReadText(const std::string& text, MemorySize& to) {
    static const std::regex form("[0-9]{1,9}([kKM]i?)?[Bp]");  // ns-3 ends the program at what it cannot read
    if (!std::regex_match(text, form)) return false;
    to = SizeOf(ns3::QueueSize(text));
    return true;
}

bool ReadText(const std::string& text, BitRate& to) {
    ns3::DataRateValue rate;
    if (!rate.DeserializeFromString(text, ns3::MakeDataRateChecker())) return false;
    to.count = static_cast<std::int64_t>(rate.Get().GetBitRate());
    return to.count > 0;
}

bool ReadText(const std::string& text, Bytes& to) {
    MemorySize size;
    if (!ReadText(text, size) || size.unit != MemorySize::Unit::Byte) return false;
    to.count = size.amount;
    return true;
}

bool ReadText(const std::string& text, PortGroup& to) {
    const auto times = text.find('x');
    if (times == std::string::npos || !IsCount(text.substr(0, times))) return false;
    to.count = std::stoi(text);
    return ReadText(text.substr(times + 1), to.speed);
}

bool ReadText(const std::string& text, GateEntry& to) {
    static const std::regex form("([0-9]{1,12}(ps|ns|us|ms|s)):([0-9,-]*)");
    std::smatch said;
    if (!std::regex_match(text, said, form)) return false;
    const auto classes = read_classes(said[3]);
    if (classes) to = {FromNs3(ns3::Time(said[1])), *classes};
    return classes.has_value();
}

}  // namespace watershed
