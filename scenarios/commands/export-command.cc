// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>

#include "scenarios/commands/options.h"
#include "scenarios/sweep/campaign.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

struct ExportCommandOptions {
    std::string campaign;
    std::string output = "-";
};

void export_campaign(const ExportCommandOptions& options) {
    const Campaign campaign(options.campaign);
    OutputFile file(options.output);
    const auto stored = campaign.stored();
    file.stream() << campaign.header();
    if (stored.size() < campaign.pieces())
        file.stream() << "# unfinished: " << stored.size() << " of " << campaign.pieces() << " separations\n";
    for (const auto& [number, result] : stored) file.stream() << result;
    file.commit();
    if (options.output != "-")
        std::cout << options.output << ": " << stored.size() << " of " << campaign.pieces() << " separations\n";
}

}  // namespace

void add_export_command(CLI::App& app) {
    auto options = std::make_shared<ExportCommandOptions>();
    CLI::App* command = app.add_subcommand("export", "Write the points of a campaign, finished or not, as CSV");
    command
        ->add_option("CAMPAIGN", options->campaign, "Campaign file (SQLite), from map or boundary with -o FILE.sqlite")
        ->required();
    command->add_option("-o,--output", options->output, "CSV file to write; - is standard output")
        ->capture_default_str();
    command->footer("Example: watershed export night.sqlite -o map.csv");
    command->callback([options] { export_campaign(*options); });
}

}  // namespace watershed
