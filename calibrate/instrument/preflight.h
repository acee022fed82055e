// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "calibrate/instrument/interface.h"
#include "model/base/quantities.h"

/// What ports, machine and scenario tell of a measurement before anything is sent.
namespace watershed {

/// Of one port. Zero is what its driver does not tell.
struct PortFacts {
    std::string name;
    std::int64_t mtu = 0;
    std::string queue = "noqueue";  ///< its root queueing discipline
    std::int64_t megabits = 0;      ///< each second
    bool half_duplex = false;
    bool knows_pause = false;
    bool negotiates = false;            ///< PAUSE: then the other two are offered, and the other end decides as well
    bool obeys = false;                 ///< rx: it stops when it is told to
    bool asks = false;                  ///< tx: it tells the other end to stop
    std::int64_t ring = 0, longer = 0;  ///< frames that its receive ring has, and may have
    std::int64_t interrupt_us = 0;      ///< that an interrupt waits for more frames
    std::vector<std::string> merges{};  ///< offloads that are on: "gro", "lro"
    std::uint64_t others = 0;           ///< frames that came and went while it was watched, and nothing was measured
};
/// Watches it for `kWatched`. Needs no rights.
PortFacts look_at(const Interface& interface);
constexpr Time kWatched{100'000'000'000};

/// Of each processor, each once: "performance"; none where they have none.
std::vector<std::string> frequency_governors();

struct PreflightFacts {
    std::vector<PortFacts> senders;
    PortFacts receiver;
    std::vector<std::string> governors;
    int modules = 1;                       ///< frames of a trigger, which the senders take in turn
    Bytes payload{0}, wire{0}, stored{0};  ///< of a frame: sent, on a link, in the memory
    std::optional<std::int64_t> memory;  ///< frames that are believed to fit in; nothing where there is not one memory
    std::int64_t longest = 0;            ///< frames of the longest burst
    std::int64_t ring = 0;               ///< frames that the receiver holds
};

struct Finding {
    enum class Level { Fine, Look, Refuse };
    Level level = Level::Fine;
    std::string where;   ///< "eth1", "overload", "trigger"
    std::string what;    ///< was found
    std::string remedy;  ///< what to do; empty where it is fine
};
std::vector<Finding> findings_of(const PreflightFacts& facts);

/// A line for each. @param all  those that are fine, too
std::string text_of(const std::vector<Finding>& findings, bool all);
/// Of what refuses a measurement the first, in a line; empty where nothing does.
std::string refusal_of(const std::vector<Finding>& findings);

}  // namespace watershed
