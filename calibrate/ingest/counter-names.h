// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/range/algorithm.hpp>
#include <string>
#include <vector>

#include "calibrate/ingest/blame.h"

/// Names of the counters of drivers, kernel and tools, and their meaning.
namespace watershed {

/// Names of counters that have one meaning.
struct CounterMeaning {
    Counter::What what;
    Place place;
    std::vector<std::string> names;
    bool holds(const std::string& counter) const { return boost::range::find(names, counter) != names.end(); }
};
using CounterMeanings = std::vector<CounterMeaning>;

/// Counters of `ethtool -S`, by the names of the kernel's drivers: igb, igc, e1000e, ixgbe, i40e, ice, mlx5, bnxt,
/// virtio. The character # stands for the number of a queue. Frames in rx_no_buffer_count of Intel's cards wait in the
/// card and are not lost; lost ones are counted as missed. fdir_miss counts frames that match no flow rule.
extern const CounterMeanings kCardCounters;
/// Counters of `nstat`, by the names of the kernel's MIB.
extern const CounterMeanings kProtocolCounters;
/// Counters of `ip -j -s link`, in stats64.rx and stats64.tx.
extern const CounterMeanings kLinkCounters;

/// Returns the words of a name: rx, drop, pkts of "RxDropPkts" and of "rx.drop_pkts".
std::vector<std::string> words_in(const std::string& name);
/// Returns the name with # for the number of its queue: "rx_queue_#_drops" of "rx_queue_3_drops".
std::string of_all_queues(const std::string& counter);

/// Returns true if an unknown name sounds like a loss.
bool is_loss_by_name(std::string name);
/// Returns true for totals, sizes, and other work of drivers and ports: no frame is lost by it.
bool is_harmless_by_name(const std::string& name);
/// Returns true for counters of the kernel's MIB other than losses of IP and UDP: they belong to other traffic.
bool is_harmless_of_protocols(const std::string& name);

}  // namespace watershed
