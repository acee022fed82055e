// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>

namespace watershed {

/// Independent uses of a seed, so that one more draw for one of them changes none of the others.
enum class Stream : std::uint64_t {
    Trigger = 1,
    Skew,
    Jitter,
    Clock,
    ArrivalOrder,
    EarlyDrop,
    UdpmonPoll,
    UdpmonJitter,
    UdpmonWakeup,
    UdpmonHiccup,
    UdpmonLoss,
    UdpmonReorder,
    Apparatus,
    Replication,
    TiltedTrigger,
    IpbusLoss,
    TriggerBurst,
    Payload,
    Traffic,
    TrafficClock,
    TrafficPhase,
    TrafficJitter,
    GroupTrigger,
    Builder,
    EjfatArrival = 200,
    EjfatService,
    EjfatSlots,
    EjfatLoss,
    DistributionBusy = 300,
    DistributionMark
};

/// 64 well mixed bits from a counter; the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/// Random bits that depend on nothing but their name, so that no engine, order or prefix can change them.
class Draws {
  public:
    constexpr Draws(std::uint64_t seed, Stream stream, std::uint64_t a)
        : name_(mixed(mixed(mixed(seed) ^ static_cast<std::uint64_t>(stream)) ^ a)) {}
    constexpr std::uint64_t operator()(std::uint64_t b) const { return mixed(name_ ^ b); }

  private:
    std::uint64_t name_;
};
constexpr std::uint64_t random_bits(std::uint64_t seed, Stream stream, std::uint64_t a = 0, std::uint64_t b = 0) {
    return Draws(seed, stream, a)(b);
}

/// Returns the FNV-1a hash of a name, so that what bears it draws the same numbers whatever others there are.
inline std::uint64_t hash_of_name(const std::string& name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

/// Uniform in {0 … bound}, for 0 <= bound < 2^63; the bias is below bound / 2^64.
constexpr std::int64_t uniform_up_to(std::uint64_t bits, std::int64_t bound) {
    __extension__ typedef unsigned __int128 Product;
    return static_cast<std::int64_t>((Product{bits} * (static_cast<std::uint64_t>(bound) + 1)) >> 64);
}

}  // namespace watershed
