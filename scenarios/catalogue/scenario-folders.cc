// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/scenario-folders.h"

#include <filesystem>

namespace watershed {

std::vector<std::string> scenario_folders() {
    static const std::vector<std::string> kFolders = [] {
        std::vector<std::string> folders;
#ifdef WATERSHED_SOURCE_SCENARIOS
        folders.push_back(WATERSHED_SOURCE_SCENARIOS);
#endif
        std::error_code unknown;
        const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
        if (!unknown)
            folders.push_back((program.parent_path() / WATERSHED_INSTALLED_SCENARIOS).lexically_normal().string());
        return folders;
    }();
    return kFolders;
}

}  // namespace watershed
