// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/quantities.h"

/// UDPmon: datagrams of one size at a requested spacing from one host to another, and what the receiver makes of them.
/// R. Hughes-Jones, University of Manchester; J. Cullen, "Verification of High Data Rate Bandwidth-on-Demand Networks",
/// NEXPReS.
namespace watershed {

/// Kind of host: a computer with an operating system, or logic with a clock.
enum class UdpmonHostKind { Pc, Fpga };

/// The host or FPGA that sends.
struct UdpmonSender {
    UdpmonHostKind kind = UdpmonHostKind::Pc;
    Time granularity{37'000};     ///< pc: the loop that waits looks at the clock this often; fpga: tick of its clock
    Time pacing_offset{0};        ///< packets follow each other this much sooner than requested
    ClockTolerance clock;         ///< tolerance of the clock that paces
    Time packet_cost{1'500'000};  ///< processor time per packet
    BitRate copy_rate{16'000'000'000};  ///< rate at which the processor copies the payload
    Bytes buffer{16'777'216};           ///< payloads that wait for the link; the sender waits while it is full
    Bytes slot_multiple{1};             ///< the MAC rounds a frame's slot up to such words
    Bytes slot_extra{0};                ///< link time the MAC wastes per frame
    Time jitter{0};  ///< mean of a delay, exponential up to `jitter_limit`, between pacing and the link
    Time jitter_limit{0};
};

/// The host or FPGA that measures.
struct UdpmonReceiver {
    UdpmonHostKind kind = UdpmonHostKind::Pc;
    Time granularity{0};         ///< time stamps are rounded down to this
    Time interrupt_period{0};    ///< pc: interrupts come at multiples of this
    Time interrupt_handling{0};  ///< pc: none comes so long after another
    std::vector<Time> wakeup_jitter{
        Time{0}};       ///< pc: until the process runs, uniform up to this; one per spacing, repeated if there are more
    Time read_cost{0};  ///< pc: of each packet
    Time read_jitter{0};             ///< pc: a further packet of one interrupt: uniform up to this more
    std::int64_t hiccup_one_in = 0;  ///< pc: one packet in so many finds the process busy elsewhere; 0: none
    Time hiccup{0};                  ///< for a time uniform up to this
    Bytes buffer{16'777'216};        ///< payloads that wait to be read; more are lost
    Bytes reported_overhead{66};     ///< bytes that it adds to the payload when it states a wire rate
    Time bin{1'000'000};             ///< bin of the histogram of intervals; an interval counts as its lower edge
};

/// Path between sender and receiver.
struct UdpmonPath {
    /// Size of a packet that the policer counts.
    enum class Accounting { Payload, Ip, Frame, Wire };

    BitRate rate{10'000'000'000};
    Time delay{400'000'000};
    std::optional<BitRate> policed;
    Accounting accounting = Accounting::Ip;
    Bytes burst{90'000};
    std::int64_t loss_one_in = 0;     ///< 0: none
    std::int64_t reorder_one_in = 0;  ///< 0: none
    Time reorder_delay{25'000'000};   ///< a packet that is to be overtaken is held back so long
};

/// The whole of `system = "udpmon"`.
struct Udpmon {
    std::vector<Bytes> payloads{Bytes{8232}};
    std::vector<Time> spacings{Time{0}};
    std::int64_t packets = 100'000;  ///< packets of each payload and spacing
    UdpmonSender sender;
    UdpmonPath path;
    UdpmonReceiver receiver;
};

}  // namespace watershed
