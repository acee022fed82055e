// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/quantities.h"

/// EJFAT: events segmented into UDP packets, a balancer that gives each event to one of many nodes, and the loop that
/// weighs the nodes. M. Goodrich et al., "EJFAT: ESnet-Jefferson Lab FPGA Accelerated Transport"; packet layouts and
/// the slots' rule are those of the public E2SAR library and of udplbd2, ESnet's control plane.
namespace watershed {

/// Each of the sources holds an equal part of every event.
struct EjfatSource {
    enum class Arrivals { Periodic, Poisson };
    /// Rate at which the packets of one event follow each other.
    enum class Pace {
        Link,    ///< back to back
        Stream,  ///< evenly over the mean time between two events
        Rate     ///< at `pace_rate` on the wire
    };

    int count = 1;
    std::vector<Bytes> event_sizes{Bytes{1'000'000}};        ///< whole events, all sources together
    std::vector<BitRate> bit_rates{BitRate{1'000'000'000}};  ///< data rates of the events
    std::int64_t events = 1000;
    std::int64_t first_event = 1;  ///< number of the first
    Time start{0};                 ///< earliest time of the first event
    Arrivals arrivals = Arrivals::Periodic;
    Pace pace = Pace::Link;
    BitRate pace_rate{100'000'000'000};
    BitRate link_rate{100'000'000'000};
    Time delay{0};                   ///< delay of the path to the balancer
    std::vector<Time> lag{Time{0}};  ///< time after the event at which each source sends, cyclic
    Bytes mtu{9000};
    int entropies = 1;  ///< values of the entropy field that a source uses, event by event
    Time sync_period{1'000'000'000'000};
    std::int64_t loss_one_in = 0;  ///< one packet in so many does not reach the balancer; 0: none
};

/// The load balancer and its control plane.
struct EjfatBalancer {
    BitRate link_rate{100'000'000'000};  ///< rate of its output
    Time latency{0};
    Time delay{0};                      ///< delay of the path to the nodes
    std::optional<std::int64_t> queue;  ///< frames its output holds; absent: no limit
    int slots = 512;                    ///< slots of the calendar
};

/// The control plane beside the balancer.
struct EjfatControl {
    Time tick{1'000'000'000'000};  ///< a new epoch each
    Time offset{800'000'000'000};  ///< so much later it begins, by prediction
    Time message_delay{0};         ///< delay of messages from nodes and balancer to the control plane
    Time report_period{100'000'000'000};
    Time eviction{5'000'000'000'000};  ///< a node that has not reported for so long is evicted
    Ratio set_point{0, 1};             ///< share of its queue that a node wants filled
    Ratio kp{0, 1}, ki{0, 1}, kd{0, 1};
    int samples = 10;        ///< reports that the controller looks back on
    Ratio min_factor{1, 2};  ///< least part of an even share of the slots
    Ratio max_factor{2, 1};  ///< 0: no limit
};

/// The worker nodes, each a chain of waiting rooms.
struct EjfatNodes {
    enum class Service { Fixed, Exponential };

    int count = 1;
    BitRate link_rate{100'000'000'000};
    std::optional<std::int64_t> port_queue;  ///< frames that the switch before a node holds for it; absent: no limit

    int receive_threads = 1;           ///< each with a socket; the entropy field chooses it
    Bytes socket_buffer{3'145'728};    ///< bytes of payload in each socket
    Time receive_cost{0};              ///< time for each packet
    std::optional<BitRate> copy_rate;  ///< rate at which payloads are copied; absent: no time

    Time reassembly_timeout{500'000'000'000};  ///< time from an event's first packet
    Bytes reassembly_memory{1'000'000'000};    ///< memory of all incomplete events

    std::int64_t queue = 1000;  ///< complete events that wait
    int workers = 1;
    std::vector<Time> service_times{Time{25'000'000'000}};  ///< time of one worker for one event
    Service service = Service::Fixed;
    Time warm_up{0};  ///< time from registration until the workers begin

    std::vector<Time> joins{Time{0}};                       ///< time at which each node registers, cyclic
    std::vector<std::optional<Time>> leaves{std::nullopt};  ///< time at which each deregisters and is drained, cyclic
    std::vector<std::optional<Time>> fails{std::nullopt};   ///< time at which each fails, its events lost, cyclic
    std::optional<Time> change_at;                          ///< time at which service times change
    std::vector<Ratio> change{Ratio{1, 1}};                 ///< factor of the service times then, for each node, cyclic
};

/// The whole of `system = "ejfat"`.
struct Ejfat {
    EjfatSource source;
    EjfatBalancer balancer;
    EjfatControl control;
    EjfatNodes nodes;
    bool find_no_drop = false;  ///< instead of running at `bit_rates`, find the highest without loss below them
};

/// One event size, bit rate and service time of those that a scenario lists.
struct EjfatPoint {
    Bytes event_size;
    BitRate bit_rate;
    Time service_time;
};

/// The value of a list that repeats.
template <class Value>
const Value& repeated(const std::vector<Value>& list, int index) {
    return list[static_cast<std::size_t>(index) % list.size()];
}

}  // namespace watershed
