// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/base/frame.h"
#include "scenarios/sonic/sonic-config.h"

namespace watershed {

/// A value of a switch's file, with who states it.
struct SonicValue {
    std::string key;    ///< "buffer.size"
    std::string value;  ///< as TOML
    std::string standing, source;
};

/// Demand for a part of the memory.
struct SonicDemand {
    std::string of;
    std::int64_t asked = 0, there = 0;  ///< cells
};

/// Runs of frames that come while a pause is on its way.
struct HeadroomTrial {
    int runs = 0;            ///< 0: none
    std::int64_t lost = 0;   ///< most frames that one of them loses
    std::int64_t frame = 0;  ///< bytes of its frames; 0: those that need most, mixed
};

/// The headroom that a lossless profile gives, and what ports with that speed and cable need.
struct SonicHeadroom {
    std::string profile;
    int ports = 0;                       ///< with this speed, cable and MTU; 0: no port has the profile
    std::int64_t speed = 0;              ///< Mb/s; 0: unknown
    std::int64_t mtu = 0;                ///< bytes
    std::optional<std::int64_t> cable;   ///< metres
    std::optional<std::int64_t> needed;  ///< bytes, where speed and cable are known
    std::int64_t worst = 0;              ///< bytes of the frames that need most
    bool whole_cells = false;            ///< needed counts the chip's cells; else it is a lower bound
    std::int64_t xoff = 0;               ///< bytes
    HeadroomTrial trial;
};

/// A switch as one profile of its configuration sees it, or one of ingress and one of egress.
struct SonicSwitch {
    std::string name;
    std::string file;                                 ///< the configuration, without folders
    std::string profile;                              ///< profile of the queues that share the memory
    std::string chosen;                               ///< reason for this profile
    std::string other;                                ///< profile of the other side; empty: the switch has one side
    std::vector<std::pair<std::int64_t, int>> ports;  ///< Mb/s, and how many
    std::vector<SonicValue> values;
    std::vector<SonicDemand> memory;
    std::vector<SonicHeadroom> headroom;
    std::int64_t response = 0;  ///< bytes that arrive from the end of a pause frame until its sender stops
    std::vector<std::string> left_out;
};

/// IEEE 802.1Qbb: a sender stops within 60 quanta of 512 bits.
constexpr Bytes kPauseResponse{60 * 64};

/// Bytes on a link from the end of the frame that reaches XOFF to the end of what a sender begins: a frame of the MTU
/// that is in the way of the pause, the pause, what the cable holds in both directions, and what comes until it is
/// obeyed.
/// @param speed  Mb/s @param metres  of a cable with 5 ns a metre
std::int64_t bytes_until_paused(std::int64_t mtu, std::int64_t speed, std::int64_t metres, std::int64_t response);

// Bytes: what a frame has beside its IP packet, preamble and gap, and a PAUSE frame with these.
constexpr std::int64_t kFrameOverIp = 18, kBetweenFrames = 20;
constexpr Bytes kPauseOnLink{84};

/// Cells that always suffice for frames of any size that begin within so many bytes of the link, the last of which may
/// be of the MTU.
struct NeededHeadroom {
    std::int64_t cells = 0;
    std::int64_t worst = 0;              ///< bytes of the frame that takes most cells for its time on the link
    std::vector<std::int64_t> frames{};  ///< that need all of them; empty where cells are an upper bound
};
NeededHeadroom needed_headroom(std::int64_t bytes_on_link, std::int64_t mtu, std::int64_t cell, std::int64_t header);

/// A port to which a pause takes so many bytes of its link.
struct HeadroomPort {
    std::int64_t speed = 0;    ///< Mb/s
    std::int64_t mtu = 0;      ///< bytes
    std::int64_t on_link = 0;  ///< bytes, the PAUSE frame among them
    std::int64_t cell = 0, header = 0;
};
/// Frames that the exact engine loses of these, in this order again and again, if a full memory pauses their sender.
std::int64_t lost_beyond_pause(const HeadroomPort& port, std::int64_t headroom,
                               const std::vector<std::int64_t>& frames);
/// Runs the frames that need most, and frames of each size from 64 B to the MTU where the number of cells changes.
HeadroomTrial try_headroom(const HeadroomPort& port, std::int64_t headroom, const NeededHeadroom& needed);

/// @param chip     nothing: unknown, so that cells are left out and the memory is not checked
/// @param profile  empty: that of most lossless priority groups, else that of most queues; "NAME,NAME": of both sides
/// @throws InputError if the configuration asks for more memory than the chip has, or does not say enough
SonicSwitch switch_from_sonic(const SonicConfig& config, const ChipMemory* chip, const std::string& profile,
                              Bytes response = kPauseResponse);

/// Returns a report for people, in lines.
std::string report_of(const SonicSwitch& imported);
nlohmann::ordered_json json_of(const SonicSwitch& imported);
/// Returns the switch file for scenarios, with the report as comments.
std::string toml_of(const SonicSwitch& imported);

}  // namespace watershed
