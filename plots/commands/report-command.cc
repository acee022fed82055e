// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "plots/commands/commands.h"
#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// No script and nothing from elsewhere: colours follow the reader's device, and the rows of a table become blocks on a
/// narrow one. On paper nothing is cut.
constexpr auto kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fbfcfd; --quiet: #5d6b7a; --line: #d9e0e7; --card: #ffffff; --accent: #0072B2 }
@media (prefers-color-scheme: dark) { :root { --ink: #e5eaf0; --paper: #12181f; --quiet: #9aa8b7; --line: #2d3945; --card: #18212a; --accent: #56B4E9 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 80rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 } h2 { font-size: 1.35rem; margin: 2.6rem 0 .6rem } h3 { font-size: 1.05rem; margin: 1.8rem 0 .5rem }
p, li { max-width: 60rem; overflow-wrap: anywhere } p { margin: .5rem 0 } ul { margin: .4rem 0; padding-left: 1.3rem }
.answer { font-size: 1.15rem; border-left: 4px solid var(--accent); padding-left: .8rem; margin: .8rem 0 }
.quiet, figcaption, footer { color: var(--quiet); font-size: .88rem }
table { border-collapse: collapse; margin: .8rem 0; max-width: 100%; font-size: .88rem; line-height: 1.4; font-variant-numeric: tabular-nums; background: var(--card); border: 1px solid var(--line) }
th, td { padding: .35rem .55rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line) }
th { color: var(--quiet); font-weight: 600; vertical-align: bottom } th.text, td.text { text-align: left; overflow-wrap: break-word } td:not(.text) { white-space: nowrap } td.note { color: var(--quiet) }
tr.front td:first-child { box-shadow: inset 3px 0 var(--accent) }
figure { margin: 1rem 0; padding: .6rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); max-width: 54rem }
figure svg { display: block; width: 100%; height: auto; margin: auto }
@media (prefers-color-scheme: dark) { figure svg { filter: invert(.91) hue-rotate(180deg) } }
code { overflow-wrap: anywhere; font-size: .86rem }
@media screen and (max-width: 46rem) {
thead { display: none } table, tbody, tr, td { display: block; width: 100% } tr { border-bottom: 2px solid var(--line); padding: .3rem 0 }
td, td.text { border: 0; padding: .1rem .55rem; display: flex; justify-content: space-between; gap: 1rem; text-align: right }
td::before { content: attr(data-label); color: var(--quiet); text-align: left; flex: 0 0 auto; max-width: 45% } td.note { display: block; text-align: left } td.note::before { content: none }
}
@media print {
:root { color-scheme: light; --ink: #000; --paper: #fff; --quiet: #444; --line: #bbb; --card: #fff } body { max-width: none; padding: 0; font-size: 10pt }
table { font-size: 7.5pt } th, td { padding: .15rem .25rem } figure, tr { break-inside: avoid } h2, h3 { break-after: avoid } figure { max-width: 15cm } thead { display: table-header-group }
}
)";

/// The file's part of the page.
std::string section(const std::string& file, std::string& provenance) {
    const std::string ending = fs::path(file).extension().string();
    if (ending == ".svg") {
        const std::string svg = contents(file);
        std::string caption = caption_of(svg);
        if (caption.empty()) {
            caption = fs::path(file).stem().string();
            std::replace(caption.begin(), caption.end(), '-', ' ');
        }
        return figure(svg_element(svg, file), caption);
    }
    if (ending == ".md" || ending == ".txt") return page_of_text(contents(file));
    if (ending == ".csv") return page_of_table(file);
    const auto result = read_json<Json>(file);
    const std::string html = page_of_result(result, file);
    const Json& first = result.is_array() ? result[0] : result;
    if (first.contains("command"))
        provenance += "<p><code>" + escaped(member<std::string>(first, "command")) + "</code></p>\n";
    return html;
}

void report(const std::vector<std::string>& inputs, const std::string& title, const std::string& output) {
    OutputFile page(output);
    std::string body, provenance;
    for (const std::string& file : inputs) body += section(file, provenance);
    page.stream() << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
                     "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
                     "img-src data:; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
                     "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<title>"
                  << escaped(title) << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n<h1>"
                  << escaped(title) << "</h1>\n"
                  << body << "<footer>\n<h2>Made by</h2>\n"
                  << provenance << "<p>" << escaped(Provenance::program()) << ": <code>"
                  << escaped(Provenance::command()) << "</code></p>\n</footer>\n</body>\n</html>\n";
    page.commit();
}

}  // namespace

void add_report_command(CLI::App& app) {
    struct Options {
        std::vector<std::string> inputs;
        std::string title = "Readout of a camera";
        std::string output;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("report", "Put results and figures on one HTML page that needs no other file");
    command
        ->add_option(
            "RESULT", options->inputs,
            "JSON of watershed explore, compare, validate, risk, size, run, fit, next …, tables of map and "
            "boundary (CSV), SVG figures of watershed plot, and texts (.md: paragraphs, # headings, - lists), in the "
            "order of the page")
        ->required();
    command->add_option("--title", options->title, "Heading of the page")->capture_default_str();
    command->add_option("-o,--output", options->output, "HTML file to write; - is standard output")->required();
    command->footer("Example: watershed report explore.json size.svg -o report.html");
    command->callback([options] { report(options->inputs, options->title, options->output); });
}

}  // namespace watershed
