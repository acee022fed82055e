// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/CLI.hpp>
#include <memory>

#include "plots/commands/commands.h"
#include "plots/commands/figure-kinds.h"
#include "plots/style/style.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {

void refuse_surplus_labels(const FigureRequest& request, std::size_t labelled) {
    if (request.labels.size() > labelled)
        throw InputError("--label: found " + std::to_string(request.labels.size()) + " labels, expected at most " +
                         std::to_string(labelled) + ", one for each curve or panel");
}

void add_plot_command(CLI::App& app) {
    CLI::App* plot = app.add_subcommand("plot", "Draw a figure: watershed plot KIND INPUT... -o FIGURE.(svg|pdf|png)");
    std::string examples =
        "Inputs are recognised by what is in them. The gnuplot script is kept beside the figure, as "
        "FIGURE.gp.\nExamples:\n";
    std::vector<std::string> names;
    for (const FigureKind& kind : figure_kinds()) {
        examples += "  " + kind.example + "\n";
        names.push_back(kind.name);
        CLI::App* command = plot->add_subcommand(kind.name, kind.summary);
        command->group("Kinds");
        const auto options = std::make_shared<PlotOptions>();
        command->add_option("INPUT", options->inputs, kind.inputs)->required()->type_name("");
        command->add_option("-o,--output", options->output, "The figure; its ending chooses SVG, PDF or PNG")
            ->required()
            ->type_name("FIGURE.(svg|pdf|png)");
        command->add_option("--title", options->title, "Text above the figure")->type_name("TEXT");
        kind.add_options(*command, *options);
        command->footer("Example:\n  " + kind.example + "\n");
        command->callback([&kind, options] {
            kind.draw(*options);
            const std::string& title = options->title;
            describe_svg(options->output, title.empty() ? kind.summary : title, kind.what_to_see);
        });
    }
    plot->footer(examples);

    // Words that name a kind are taken as such before they could be a value of this option.
    const std::string expected = "expected one of " + listed(names);
    plot->add_option("KIND", "One of the kinds below; each has its own help")
        ->check([expected, names](const std::string& found) {
            return "found \"" + found + "\", " + expected + did_you_mean(found, names);
        });
    plot->callback([plot, expected] {
        if (plot->get_subcommands().empty()) throw CLI::ValidationError("KIND", expected);
    });
}

}  // namespace watershed
