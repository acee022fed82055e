// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/quantities.h"
#include "model/base/server-pool.h"

/// IPbus readout: a server fetches waveforms from the FIFOs of many front-end units by requests and replies over UDP.
/// R. Triozzi et al., "Rate and bandwidth measurements" (JUNO large photomultipliers), 6 May 2022.
namespace watershed {

/// A front-end unit: its FIFOs and the firmware that answers requests.
struct IpbusUnitFormat {
    /// Answer to a read where the FIFO has no more words.
    enum class Underflow {
        Filler,  ///< words without meaning, which take bus and link as the others do
        Wait     ///< nothing until there are more: the bus is held
    };
    int channels = 3;      ///< each with a FIFO of its own
    Bytes waveform{2032};  ///< header 16 B, 1000 samples of 2 B, trailer 16 B
    Bytes fifo{8192};
    Underflow underflow = Underflow::Filler;
    BitRate bus_rate{500'000'000};  ///< 32 bits in every second cycle of 31.25 MHz
    int buffers = 16;               ///< for packets that have not been answered, and for replies that can be sent again
    Bytes buffer_size{2048};        ///< the largest UDP payload, either way
    BitRate link_rate{1'000'000'000};
    Time delay{15'400'000};  ///< one way between the switch and the firmware
};

/// ControlHub, which sends the packets and makes sure of them.
struct IpbusHubFormat {
    int in_flight = 16;  ///< packets of one unit, if it has as many buffers
    Time timeout{20'000'000'000};
    int attempts = 5;     ///< attempts to recover from a time-out before the unit is given up
    Time packet_cost{0};  ///< thread time for each packet sent or received
    Time byte_cost{0};    ///< more for each byte of its UDP payload
};

/// The data taking that asks ControlHub for blocks, one client for each unit.
struct IpbusClientFormat {
    int outstanding = 1;  ///< blocks that a client has asked for at a time
    Time latency{0};      ///< time from the last word of a block to the request for the next one
    Time block_cost{0};   ///< thread time for each block, before it is asked for
};

/// The whole of `system = "ipbus"`.
struct Ipbus {
    enum class Pattern {
        Full,      ///< the FIFOs never run empty
        Periodic,  ///< a waveform in every FIFO at `rate`
        Poisson    ///< waveforms at random times
    };
    std::vector<std::int64_t> units{1};
    std::vector<std::int64_t> blocks{2048};  ///< 32-bit words
    std::vector<Frequency> rates;            ///< none with the pattern Full
    Pattern pattern = Pattern::Full;
    Time duration{50'000'000'000};  ///< triggers and new blocks end here; what is under way is still answered
    Time warm_up{0};                ///< rates and survival count from here on
    Bytes max_payload{1400};        ///< most bytes in a UDP packet, either way
    bool split = true;              ///< a block larger than a packet becomes several
    std::int64_t loss_one_in = 0;   ///< frames of either direction that are damaged, at random; 0: none
    MemorySize switch_buffer{12'000'000, MemorySize::Unit::Byte};  ///< for what waits for the server's link
    BitRate server_link{10'000'000'000};
    ServerPool::Processor processor{24, 2, {3, 10}};
    IpbusUnitFormat unit;
    IpbusHubFormat hub;
    IpbusClientFormat client;
};

/// One run of the three lists.
struct IpbusPoint {
    std::int64_t units = 1;
    std::int64_t block = 2048;
    Frequency rate{0};
};

}  // namespace watershed
