// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/flashing.h"

#include "scenarios/keys/system.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/run/system-run.h"
#include "scenarios/systems/processor-keys.h"

namespace watershed::systems {
namespace {

using namespace key_setters;

std::vector<ScenarioKey> flashing_keys() {
    std::vector<ScenarioKey> keys{
        {"flashing.units", "integer", "250", "Number of units whose firmware is to be flashed.",
         count(WATERSHED_PLACE(of<Flashing>().units), 1, 1'000'000'000)},
        {"flashing.workers", "list of integers", "",
         "Number of workers that take the units in turn, with a run for each number; required with system "
         "\"flashing\".",
         integers(WATERSHED_PLACE(of<Flashing>().workers), 1, 10'000)},
        {"flashing.load_time", "time \"63.6 s\"", "63.6 s",
         "Time until a unit runs the programmer, if its worker has the server alone.",
         text(WATERSHED_PLACE(of<Flashing>().load_time), parse_some_time)},
        {"flashing.flash_time", "time \"40 s\"", "40 s", "Time of the permanent flashing, in the background.",
         text(WATERSHED_PLACE(of<Flashing>().flash_time), parse_time)},
        {"flashing.threads_per_worker", "\"1.95\"", "1.95", "Number of threads at work while a worker loads.",
         ratio(WATERSHED_PLACE(of<Flashing>().threads_per_worker))},
        {"flashing.switching_loss", "\"1\"", "1",
         "With twice as many threads as the processor has, all are slower by 1 + this, beside taking turns.",
         ratio(WATERSHED_PLACE(of<Flashing>().switching_loss))},
    };
    const auto processor = processor_keys(
        "flashing.server", [](Scenario & s) -> auto& { return s.of<Flashing>().processor; });
    keys.insert(keys.end(), processor.begin(), processor.end());
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
