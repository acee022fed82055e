// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/flashing.h"

#include "scenarios/keys/system.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/systems/processor-keys.h"

namespace watershed::systems {
namespace {

using namespace key_tables;

std::vector<ScenarioKey> flashing_keys() {
    std::vector<Key<Flashing>> all{
        {"units", WATERSHED_AT(Flashing, units), "Number of units whose firmware is to be flashed.",
         from_to(1, 1'000'000'000)},
        {"workers", WATERSHED_AT(Flashing, workers),
         "Number of workers that take the units in turn, with a run for each number; required with system "
         "\"flashing\".",
         from_to(1, 10'000)},
        {"load_time", WATERSHED_AT(Flashing, load_time),
         "Time until a unit runs the programmer, if its worker has the server alone.", kSomeTime},
        {"flash_time", WATERSHED_AT(Flashing, flash_time), "Time of the permanent flashing, in the background."},
        {"threads_per_worker", WATERSHED_AT(Flashing, threads_per_worker),
         "Number of threads at work while a worker loads.", kAny.written("\"1.95\"", "1.95")},
        {"switching_loss", WATERSHED_AT(Flashing, switching_loss),
         "With twice as many threads as the processor has, all are slower by 1 + this, beside taking turns.",
         kAny.written("\"1\"", "1")},
    };
    std::vector<ScenarioKey> keys = system_keys("flashing.", std::move(all));
    add_processor(
        keys, "flashing.server.", +[](Scenario & scenario) -> auto& { return scenario.of<Flashing>().processor; });
    return keys;
}

}  // namespace

System flashing() {
    System system;
    system.name = "flashing";
    system.help = "workers that update firmware";
    system.keys = flashing_keys;
    system.required = {"workers"};
    system.engine = "exact";
    system.run = [](const Scenario& scenario, const Simulators&, const std::string&) {
        return report_of(run_flashing(scenario));
    };
    system.figures = {"juno-flashing"};
    return system;
}

}  // namespace watershed::systems
