// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <vector>

#include "model/base/dcqcn.h"
#include "model/base/quantities.h"
#include "model/base/random.h"

/// Whole events sent by RoCE v2 from few producers through one switch to many consumers, which are busy at times: the
/// event distribution of LHCb. R. Krawczyk, "Data distribution over Ethernet for the LHCb filtering farm", vCHEP 2021.
namespace watershed {

/// Servers that hold the events and send them.
struct DistributionProducers {
    int count = 14;
    BitRate link_rate{100'000'000'000};
    int in_flight = 4;  ///< events that a producer sends at a time, a frame of each in turn
    bool obeys_pause = true;
};

/// Servers that take whole events, and are busy at times.
struct DistributionConsumers {
    int count = 72;
    std::vector<BitRate> link_rates{BitRate{25'000'000'000}};  ///< repeated if there are more consumers
    Ratio busy_fraction{0, 1};    ///< fraction of the time in which a consumer takes nothing
    Time busy_mean{100'000'000};  ///< mean length of such a time, exponential
    Bytes buffer{4'000'000};      ///< holds what arrives meanwhile; more is lost
    Bytes xoff{2'000'000};        ///< with flow control: a consumer that holds more tells the switch to pause
    int credits = 2;              ///< events that it has room for, with the scheduler "credit"
};

/// The one switch between them.
struct DistributionSwitch {
    MemorySize buffer{16'000'000, MemorySize::Unit::Byte};  ///< shared by all ports
    bool flow_control = true;                               ///< priority flow control, of switch and consumers
    Ratio alpha{1, 8};            ///< an input is paused once it holds alpha times the free memory
    Bytes xon_offset{16'000};     ///< distance below that at which it goes on
    Bytes headroom{100'000};      ///< room of each input, beside the buffer, for frames after a pause
    std::int64_t quanta = 65535;  ///< length of a pause in 512 bit times; renewed while it is needed
};

/// The whole of `system = "distribution"`.
struct Distribution {
    enum class Scheduler {
        RoundRobin,  ///< blind: each producer takes the consumers in turn
        Credit       ///< an event goes to the next consumer that has promised room for it
    };
    Scheduler scheduler = Scheduler::RoundRobin;
    Bytes event{100'000};
    Bytes mtu{4096};                ///< data of a RoCE frame
    Time control_delay{2'000'000};  ///< delay of completions and credits from a consumer
    Time timeout{1'000'000'000};    ///< time until the place of an event that lost a frame is used again
    Time cable_delay{50'000};       ///< delay of every link, one way
    DistributionProducers producers;
    DistributionConsumers consumers;
    DistributionSwitch network_switch;
    Dcqcn dcqcn;
    Time duration{12'000'000'000};  ///< new events end here; what is under way still arrives
    Time warm_up{2'000'000'000};    ///< throughput counts from here on
    Time window{500'000'000};       ///< time over which throughput is averaged

    BitRate consumer_rate(int consumer) const {
        return consumers.link_rates[static_cast<std::size_t>(consumer) % consumers.link_rates.size()];
    }
};

/// A consumer that is busy at times: exponential times of both kinds, the process in equilibrium from the beginning.
class BusyProcess {
  public:
    /// @param fraction of the time, 0 to below 1
    BusyProcess(Ratio fraction, Time mean, std::uint64_t seed, int consumer)
        : seed_(seed),
          consumer_(static_cast<std::uint64_t>(consumer)),
          busy_mean_(static_cast<double>(mean.count())),
          idle_mean_(fraction.numerator == 0
                         ? 0
                         : busy_mean_ * static_cast<double>(fraction.denominator - fraction.numerator) /
                               static_cast<double>(fraction.numerator)),
          changes_(fraction.numerator > 0),
          busy_(changes_ && uniform_up_to(bits(), fraction.denominator - 1) < fraction.numerator) {}

    bool is_busy() const { return busy_; }
    /// Returns true if it is ever busy.
    bool changes() const { return changes_; }
    /// Draws the time for which it stays as it is, at least a picosecond. Call it once, then change().
    Time stay() { return Time{1 + std::llround(-std::log(uniform()) * (busy_ ? busy_mean_ : idle_mean_))}; }
    void change() { busy_ = !busy_; }

  private:
    std::uint64_t bits() { return random_bits(seed_, Stream::DistributionBusy, consumer_, drawn_++); }
    /// In (0, 1].
    double uniform() { return static_cast<double>((bits() >> 11) + 1) * 0x1p-53; }

    std::uint64_t seed_, consumer_, drawn_ = 0;
    double busy_mean_, idle_mean_;
    bool changes_, busy_;
};

}  // namespace watershed
