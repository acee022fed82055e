// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-files.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "scenarios/design/explore-ways.h"
#include "scenarios/reader/scenario-text.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"

namespace watershed {

void write_scenarios(const std::string& path, int most, const Wanted& wanted, const std::vector<Explored>& ways,
                     const std::vector<CatalogueSwitch>& catalogue) {
    namespace fs = std::filesystem;
    const fs::path folder(path), switches = folder / "switches";
    std::error_code error;
    fs::create_directories(switches, error);
    std::set<std::string> written;
    const auto write_switch = [&](const CatalogueSwitch& entry) {
        if (!written.insert(entry.id).second) return;
        std::ostringstream text;
        if (!(text << std::ifstream(entry.file).rdbuf()))
            throw InputError(entry.file + ": cannot be read any more, expected the switch that was explored");
        OutputFile file((switches / (entry.id + ".toml")).string());
        file.stream() << text.str();
        file.commit();
    };
    for (const Explored& way : ways) {
        if (way.rank == 0 || way.rank > most) break;
        const auto [first, second] = entries_of(way.stacking, catalogue);
        const WayKeys keys = keys_of(wanted, way.stacking, first, second);
        write_switch(first);
        if (second) write_switch(*second);
        char name[40];
        std::snprintf(name, sizeof name, "rank-%03d.toml", way.rank);
        OutputFile file((folder / name).string());
        file.stream() << Provenance::comment() << scenario_text(wanted.scenario, keys.left_out, keys.overrides);
        file.commit();
    }
}

}  // namespace watershed
