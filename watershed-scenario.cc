// SPDX-License-Identifier: GPL-2.0-only
// The reader of scenario files in the library for simulations of others. It knows cameras alone, and looks for the
// catalogue's switches where they are installed with the library.
#include "model/ns3/helper/watershed-scenario.h"

#include <dlfcn.h>

#include <filesystem>

#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/keys/system.h"
#include "scenarios/reader/reader.h"

namespace watershed {

const std::vector<System>& all_systems() {
    static const std::vector<System> none;
    return none;
}

std::vector<std::string> scenario_folders() {
    Dl_info library{};
    dladdr(reinterpret_cast<const void*>(&scenario_folders), &library);
    const auto folder = std::filesystem::absolute(library.dli_fname).parent_path() / WATERSHED_INSTALLED_SCENARIOS;
    return {folder.lexically_normal().string()};
}

WatershedScenario WatershedScenario::Read(const std::string& file, const std::vector<std::string>& changes) {
    return WatershedScenario(read_scenario(Scope::camera().with_groups().with_sequences(), file, changes));
}

}  // namespace watershed
