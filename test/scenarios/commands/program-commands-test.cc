// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/options.h"
#include "scenarios/text/input-error.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

/// A program of two commands: one with options of every form, one with kinds.
struct Toy {
    CLI::App app;
    std::string input, file, number = "3";
    int limited = 1;
    bool quiet = false;

    Toy() {
        CommandTable(app, "cut", "Cut a [thing]", "Example: watershed cut 'it'\n  now\n")
            .add("INPUT", input, "What to cut", {kRequired})
            .add("-o,--output", file, "File|s <to> write: all", {kShown})
            .add("--number", number, ".dot-first", {among({"3", "4"}), kShown})
            .add("--limit", limited, "How many", {from_to(1, 9)})
            .flag("--quiet", quiet, "Say nothing")
            .run([] {});
        CLI::App* const plot = app.add_subcommand("plot", "Draw");
        CLI::App* const map = plot->add_subcommand("map", "A map");
        map->add_option("--style", file, "Style")->check(CLI::IsMember(std::vector<std::string>{"a", "b"}));
        plot->add_subcommand("risk", "A risk")
            ->add_option("--style", input, "Style")
            ->check(CLI::IsMember(std::vector<std::string>{"a", "b"}));
        add_manual_command(app);
    }
    std::string manual(const std::string& format) {
        std::ostringstream out;
        std::streambuf* const before = std::cout.rdbuf(out.rdbuf());
        app.parse("manual --format " + format);
        std::cout.rdbuf(before);
        return out.str();
    }
};

std::string complaint(std::vector<std::string> words) {
    Toy toy;
    std::vector<const char*> argv{"watershed"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    toy.app.require_subcommand(1);
    try {
        toy.app.parse(static_cast<int>(argv.size()), argv.data());
    } catch (const CLI::ParseError& error) {
        return command_line_error(toy.app, error, static_cast<int>(argv.size()), argv.data());
    }
    return "";
}

std::vector<Comparison> agreeing(const Validation&) {
    Comparisons all("toy");
    all.from("a paper");
    all.theory({"drops", "frames"}, 3, 3, {}, "1 + 2");
    return all.all();
}

std::vector<Comparison> differing(const Validation&) {
    Comparisons all("toy");
    all.from("a paper");
    all.theory({"drops", "frames"}, 3, 5, {}, "1 + 2");
    return all.all();
}

}  // namespace

TEST_CASE("The reference has a row for each option, and the commands' kinds below them") {
    const std::string text = Toy().manual("markdown");
    CHECK_THAT(text,
               Contains("\n### watershed cut\n\nCut a [thing].\n\n| option | value | default | meaning "
                        "|\n|---|---|---|---|\n| `INPUT` | TEXT "
                        "(required) |  | What to cut |\n| `-o,--output` | TEXT |  | File\\|s &lt;to> write: all |\n"));
    CHECK_THAT(text,
               Contains("| `--number` | TEXT:{3,4} | 3 | .dot-first |\n") &&
                   Contains("| `--quiet` |  |  | Say nothing |\n\n    Example: watershed cut 'it'\n      now\n\n"));
    CHECK_THAT(text, Contains("\n### watershed plot\n\nDraw.\n\n\n#### watershed plot map\n\nA map.\n\n| option"));
    CHECK_THAT(text, !Contains("--help"));
    // A key with choices, one with limits and one without a default.
    CHECK_THAT(text, Contains("\n| `trigger.events` | an integer from ") && Contains("| none |") &&
                         Contains("\n| `switch.queueing` | one of \"output\"") &&
                         Contains("\n| `frame.split` | true or false | false |"));
}

TEST_CASE("The manual page hides control characters and dashes") {
    const std::string text = Toy().manual("man");
    CHECK_THAT(text, Contains("\n.SS cut\nCut a [thing].\n.TP\n\\fBINPUT\\fR \\fITEXT\\fR\nWhat to cut (required)\n"));
    CHECK_THAT(text, Contains("\n.TP\n\\fB\\-\\-number\\fR \\fITEXT:{3,4}\\fR\n\\&.dot\\-first [3]\n"));
    CHECK_THAT(
        text, Contains("\n.TP\n\\fB\\-\\-quiet\\fR\nSay nothing\n.PP\n.nf\nExample: watershed cut 'it'\n  now\n.fi\n"));
    CHECK_THAT(text, Contains("\n.SS plot map\nA map.\n") && Contains("\\fBframe.split\\fR = true or false\n") &&
                         Contains(" [none]\n"));
}

TEST_CASE("Shells complete commands, options, kinds and choices") {
    const std::string bash = Toy().manual("bash");
    CHECK_THAT(bash, Contains("compgen -W 'cut plot manual --help --version' --"));
    CHECK_THAT(bash, Contains("\n        'plot plot') COMPREPLY=($(compgen -W 'map risk --help' -- ") &&
                         !Contains("'cut cut')"));
    CHECK_THAT(bash, Contains("\n        'cut --number') COMPREPLY=($(compgen -W '3 4 ' --") &&
                         Contains("\n        'plot --style') COMPREPLY=($(compgen -W 'a b ' --"));
    CHECK_THAT(bash,
               Contains("\n        cut) COMPREPLY=($(compgen -W '--help -o --output --number --limit --quiet' --"));
    CHECK_THAT(bash, Contains("\n        plot) COMPREPLY=($(compgen -W '--help --style' --"));  // of both kinds once
    const std::string zsh = Toy().manual("zsh");
    CHECK_THAT(zsh, Contains("\n    'cut:Cut a (thing)'\n"));
    CHECK_THAT(
        zsh,
        Contains(
            "    cut) _arguments \\\n        '-o[File|s <to> write\\: all]:value:_files' \\\n        '--output[") &&
            Contains("'--number[.dot-first]:value:(3 4 )'") &&
            Contains("'--quiet[Say nothing]' \\\n        '*:file:_files' ;;\n"));
    CHECK_THAT(zsh, Contains("    plot) _arguments \\\n        '2:kind:(map risk )' \\\n"));
}

TEST_CASE("A mistake in the command line says what was found and expected, and which help tells more") {
    const std::string options = " (watershed cut --help lists the options)";
    CHECK(complaint({}) == "found no command, expected one of cut, plot, manual (watershed --help lists the commands)");
    CHECK(complaint({"cut", "a", "--limit", "12"}) == "--limit: found \"12\", expected a number from 1 to 9" + options);
    CHECK(complaint({"cut", "a", "--limit", "x"}) == "--limit: found \"x\", expected a number from 1 to 9" + options);
    CHECK(complaint({"cut", "a", "--number", "5"}) == "--number: found \"5\", expected one of 3, 4" + options);
    CHECK(complaint({"cut", "a", "--number"}) == "--number: found nothing, expected a value behind it" + options);
    CHECK(complaint({"cut"}) == "INPUT: missing, expected a value" + options);
    CHECK(complaint({"cut", "a", "b"}) == "found \"b\", expected no further word" + options);
    CHECK(complaint({"cut", "a", "--numbr", "3"}) == "--numbr: unknown option; did you mean --number?" + options);
    CHECK_THAT(complaint({"plot", "map", "--style", "c"}), Contains("(watershed plot map --help lists the options)"));
}

TEST_CASE("Keys are listed with their defaults, those like a switch's once") {
    const std::string keys = printed(add_keys_command, "keys");
    CHECK_THAT(
        keys, Contains("frame.split                             true or false                   default: false\n    "));
    CHECK_THAT(keys, Contains("\naggregation.KEY\n    All keys of [switch], for the second tier") &&
                         Contains("default: none\n") && !Contains("aggregation.uplink_rate"));
}

TEST_CASE("A scenario is copied to a file of its own, or all are listed") {
    CHECK_THAT(printed(add_example_command, "example"),
               Contains("\nrisk-cheap-switch ") && Contains("The cheap switch under random triggers"));
    const TemporaryFolder folder;
    CHECK_THAT(printed(add_example_command, "example risk-cheap-switch -o " + (folder / "mine.toml")),
               Contains("mine.toml: The cheap switch"));
    CHECK_THAT(folder.read("mine.toml"), Contains("[switch.buffer]"));
    CHECK_THROWS_AS(printed(add_example_command, "example risk-cheap-switch -o " + (folder / "mine.toml")), InputError);
}

TEST_CASE("A validation prints its comparisons, and fails where a number differs") {
    const auto validate = [](const std::vector<PublishedSystem>& further, const std::string& line) {
        return printed([&](CLI::App& app) { add_validate_command(app, exact_only(), further); }, "validate " + line);
    };
    CHECK_THAT(validate({{"toy", agreeing}}, "toy"),
               StartsWith("Every scenario runs with its own seed") && Contains("drops"));
    CHECK(nlohmann::json::parse(validate({{"toy", agreeing}}, "toy --json -")).size() > 0);
    CHECK_THROWS_WITH(validate({{"toy", differing}}, "toy"),
                      Contains("1 of 1 numbers differ from what they are compared with"));
    CHECK_THROWS_WITH(validate({{"toy", agreeing}}, "toy --scenarios /nowhere"),
                      Contains("--scenarios: found \"/nowhere\", expected a folder"));
}
