// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/ingest/blame.h"

/// Names of the counters of drivers, kernel and tools, and their meaning.
namespace watershed {

/// Table calibrate/ingest/counters.csv, which the build compiles into the program.
extern const std::string_view kCounterTable;

/// Tool of the kernel's counters of protocols, which leaves out those that are 0.
constexpr const char kProtocols[] = "nstat";

/// Meaning of a counter.
struct CounterMeaning {
    Counter::What what;
    Place place;
    bool by_rule;         ///< true for frames that a rule drops, or that are for others
    std::string part_of;  ///< counter of the same file that counts these frames too; empty without one
};

struct CounterRow;  // row of the table

/// Meanings of the names that stand together in one output: those of the driver that has most of them.
class CounterNames {
  public:
    /// @param where  place that the user states
    CounterNames(const std::set<std::string>& names, const std::optional<Place>& where);
    /// Returns the meaning of one of the names; std::nullopt if the table lacks it, or drivers disagree.
    std::optional<CounterMeaning> find(const std::string& name) const;
    /// Returns the driver that has most of the names.
    const std::string& driver() const { return driver_; }

  private:
    struct Match {
        const CounterRow* row;
        std::vector<std::string> parts;  ///< numbers that stand for {n}
    };
    std::string total_of(const Match& match) const;

    std::optional<Place> where_;
    std::map<std::string, std::vector<Match>> names_;
    std::set<std::string> drivers_;  ///< drivers that have most names
    std::string driver_;
};

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
