// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/base/server-pool.h"
#include "scenarios/keys/key-table.h"

namespace watershed::systems {

/// Adds the keys of the processor of a server. @param at  from the scenario to it
inline void add_processor(std::vector<ScenarioKey>& keys, const std::string& table,
                          ServerPool::Processor& (*at)(Scenario&)) {
    using namespace key_tables;
    using Processor = ServerPool::Processor;
    for (ScenarioKey& key :
         keys_of<Processor>(table, at,
                            {
                                {"cores", WATERSHED_AT(Processor, cores), "Number of cores of the server's processor.",
                                 from_to(1, 1024).shown_as("24")},
                                {"threads_per_core", WATERSHED_AT(Processor, threads_per_core),
                                 "Number of threads that share a core.", from_to(1, 8).shown_as("2")},
                                {"sibling_gain", WATERSHED_AT(Processor, sibling_gain),
                                 "What a core does more when a second thread shares it.",
                                 from_to(0, 1, "at most 1: a second thread at most doubles what a core does")
                                     .written("0 to 1, \"30 %\"", "30 %")},
                            }))
        keys.push_back(std::move(key));
    keys.back().limits.clear();  // they stand in its kind
}

}  // namespace watershed::systems
