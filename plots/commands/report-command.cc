// SPDX-License-Identifier: GPL-2.0-only
#include "plots/commands/report-command.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>

#include "plots/figures/explored-result.h"
#include "plots/page/compared-page.h"
#include "plots/page/explored-page.h"
#include "plots/page/html.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// No script and nothing from elsewhere: colours follow the reader's device, wide tables scroll in their own frame.
constexpr auto kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fbfcfd; --quiet: #5d6b7a; --line: #d9e0e7; --card: #ffffff; --accent: #0072B2; --good: #00664b }
@media (prefers-color-scheme: dark) { :root { --ink: #e5eaf0; --paper: #12181f; --quiet: #9aa8b7; --line: #2d3945; --card: #18212a; --accent: #56B4E9; --good: #3fc79a } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 66rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem } p { margin: .5rem 0 }
.quiet, figcaption, footer { color: var(--quiet); font-size: .88rem }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--card) }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .38rem .55rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line) } tr:last-child td { border-bottom: 0 }
th { color: var(--quiet); font-weight: 600; white-space: normal; vertical-align: bottom } td.text, th.text { text-align: left } td.remark { white-space: normal } tr.front td:first-child { box-shadow: inset 3px 0 var(--accent) }
figure { margin: 1rem 0; padding: .6rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card) }
figure svg { display: block; width: 100%; height: auto; max-width: 50rem; margin: auto }
@media (prefers-color-scheme: dark) { figure svg { filter: invert(.91) hue-rotate(180deg) } }
code { overflow-wrap: anywhere; font-size: .86rem } dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0 } dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
)";

/// Whether it is a list whose elements have all these members.
bool is_list_of(const Json& result, std::initializer_list<const char*> members) {
    return result.is_array() && !result.empty() && std::all_of(result.begin(), result.end(), [&](const Json& each) {
               return std::all_of(members.begin(), members.end(),
                                  [&](const char* name) { return each.contains(name); });
           });
}

/// What `watershed n-plus-1` writes, a row for each size of frames.
std::string bursts(const Json& result) {
    std::string html =
        "<div class=\"scroll\"><table>\n<tr><th>frame, B</th><th>longest burst without loss, frames</th><th>lost when "
        "it is one frame longer</th></tr>\n";
    for (const Json& each : result)
        html += "<tr><td>" + escaped(each["frame_bytes"].dump()) + "</td><td>" + escaped(each["lossless"].dump()) +
                "</td><td>" + escaped(each["drops"].dump()) + "</td></tr>\n";
    return html + "</table></div>\n";
}

/// Any other result: what it says in plain values.
std::string plain(const Json& result) {
    std::string html = "<dl>\n";
    const std::function<void(const Json&, const std::string&)> write = [&](const Json& value,
                                                                           const std::string& prefix) {
        for (const auto& [name, member] : value.items()) {
            if (member.is_object())
                write(member, prefix + name + " ");
            else if (!member.is_array() && name != "program" && name != "command")
                html += "<dt>" + escaped(prefix + name) + "</dt><dd>" +
                        escaped(member.is_string() ? member.get<std::string>() : member.dump()) + "</dd>\n";
        }
    };
    write(result, "");
    return html + "</dl>\n";
}

/// @throws InputError for what no command of this program writes
std::string section(const Json& result, const std::string& name, const std::string& file) {
    const std::string heading = "<h2>" + escaped(name) + "</h2>\n";
    if (is_list_of(result, {"verdict"})) {
        check_comparison(result, file);
        return compared_page(result);
    }
    if (is_list_of(result, {"frame_bytes", "lossless", "drops"})) return heading + bursts(result);
    if (result.is_array() && !result.empty() && std::all_of(result.begin(), result.end(), is_from_program)) {
        std::string html = heading;  // of a fit, one for each switch
        for (const Json& each : result) html += plain(each);
        return html;
    }
    if (!is_from_program(result))
        throw InputError(file +
                         ": found JSON that no command of watershed writes, expected what explore, validate, risk, "
                         "size, run, fit, next, n-plus-1, threshold or campaign-simulate write with --json");
    if (result.contains("ways")) {
        check_explored(result, file);
        return explored_page(result, file);
    }
    return heading + plain(result);
}

void report(const std::vector<std::string>& inputs, const std::string& title, const std::string& output) {
    OutputFile page(output);
    std::string body, provenance;
    for (const std::string& file : inputs) {
        const std::string name = fs::path(file).stem().string();
        if (fs::path(file).extension() == ".svg") {
            body += figure(svg_element(contents(file), file), name);
            continue;
        }
        const auto result = read_json<Json>(file);
        body += section(result, name, file);
        const Json& first = result.is_array() ? result[0] : result;
        if (first.contains("command"))
            provenance += "<p><code>" + escaped(member<std::string>(first, "command")) + "</code></p>\n";
    }
    page.stream() << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
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
        ->add_option("RESULT", options->inputs,
                     "JSON of watershed explore, validate, risk, size, run, fit …, and SVG figures of watershed plot, "
                     "in the order of the page")
        ->required();
    command->add_option("--title", options->title, "Heading of the page")->capture_default_str();
    command->add_option("-o,--output", options->output, "HTML file to write; - is standard output")->required();
    command->footer("Example: watershed report explore.json size.svg -o report.html");
    command->callback([options] { report(options->inputs, options->title, options->output); });
}

}  // namespace watershed
