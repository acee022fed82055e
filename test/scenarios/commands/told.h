// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/commands/answers.h"
#include "scenarios/commands/commands.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

namespace watershed {

/// Keys that are set, and what the answer then must hold: parts of its text, with "!" before those that it must not,
/// and members of its JSON by their pointers.
struct Told {
    std::vector<std::string> set;
    std::vector<std::string> text;
    std::vector<std::pair<std::string, nlohmann::ordered_json>> members = {};
};

inline void check(const Answer& answer, const Told& told) {
    INFO(nlohmann::ordered_json(told.set).dump() << "\n" << answer.text);
    for (const std::string& part : told.text) {
        if (part.front() == '!')
            CHECK_THAT(answer.text, !Contains(part.substr(1)));
        else
            CHECK_THAT(answer.text, Contains(part));
    }
    for (const auto& [pointer, value] : told.members) {
        INFO(pointer);
        const nlohmann::ordered_json::json_pointer at(pointer);
        REQUIRE(answer.json.contains(at));
        if (value.is_number_float())
            CHECK(answer.json.at(at).get<double>() == Approx(value.get<double>()));
        else
            CHECK(answer.json.at(at) == value);
    }
}

/// Scenarios for tests of commands: three modules whose frames of 1024 B take 8.72 us on their links, 0.872 us on the
/// uplink and 1070 B of a memory for two of them. Random triggers come 20 us apart at least; `burst` are two
/// triggers for two modules, with room for one frame;
/// `tiers` are two such switches with two modules each before a third, with room for three frames.
class SmallCameras {
    TemporaryFolder folder_{};

  public:
    const std::string random = write("random", modules(3) + kRandom + kMemory),
                      burst = write("burst", modules(2) + kBurst +
                                                 "[switch.buffer]\nsharing = \"shared\"\nsize = \"1 frames\"\n"),
                      tiers = write("tiers", modules(4) + kRandom + "[switch]\ncount = 2\n" + kMemory + kSecond);

    std::string write(const std::string& name, const std::string& text) const {
        return folder_.write(name + ".toml", text);
    }

    static std::string modules(int number) { return "[front_end]\nmodules = " + std::to_string(number) + "\n"; }
    static constexpr auto kMemory = "[switch.buffer]\nsharing = \"shared\"\nsize = \"2 frames\"\n",
                          kRandom =
                              "[trigger]\npattern = \"poisson\"\nrate = \"8 kHz\"\nevents = 1000\ndead_time = "
                              "\"20 us\"\n",
                          kBurst = "[trigger]\npattern = \"burst\"\nevents = 2\nseparation = \"20 us\"\n",
                          kSecond =
                              "[aggregation]\nuplinks = 1\n[aggregation.buffer]\nsharing = \"shared\"\nsize = \"3 "
                              "frames\"\n";
};

/// Text that a command prints on standard output, and on standard error if the stream is named.
/// @param line  its name and options
inline std::string printed(const std::function<void(CLI::App&)>& add, const std::string& line,
                           std::ostream& from = std::cout) {
    CLI::App app;
    add(app);
    std::ostringstream out, other;
    std::ostream& beside = &from == &std::cout ? std::cerr : std::cout;
    std::streambuf *const before = from.rdbuf(out.rdbuf()), *const beside_before = beside.rdbuf(other.rdbuf());
    std::exception_ptr failed;
    try {
        app.parse(line);
    } catch (...) {
        failed = std::current_exception();
    }
    from.rdbuf(before), beside.rdbuf(beside_before);
    if (failed) std::rethrow_exception(failed);
    return out.str();
}

template <class Asked>
Asked asked_of(const std::string& scenario, const std::vector<std::string>& set, Asked asked = {}) {
    asked.scenario = scenario;
    asked.overrides = set;
    return asked;
}

}  // namespace watershed
