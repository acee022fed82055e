// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/text/text-line.h"
#include "test/catch.h"

using namespace watershed;

namespace {

CatalogueSwitch entry(const std::string& id, const std::string& size, const std::string& source) {
    CatalogueSwitch one;
    one.id = id;
    one.name = "Maker " + id;
    one.ports.push_back({BitRate{10'000'000'000}, 48, "data sheet", "read"});
    one.values.push_back({"switch.buffer.size", KeyValue(size), source, "derived", ""});
    return one;
}

std::string found(const std::vector<std::string>& words) {
    const std::vector<CatalogueSwitch> all{entry("a", "16 MB", "data sheet of the chip Tomahawk"),
                                           entry("b", "6 MB", "a forum"), entry("c", "16.5 MB", "tomahawk 2")};
    return listed(switches_with(words, all), [](const CatalogueSwitch& one) { return one.id; });
}

}  // namespace

TEST_CASE("Every word must occur in something that is said of a switch, in large or small letters") {
    CHECK(found({}) == "a, b, c");
    CHECK(found({"tomahawk"}) == "a, c");
    CHECK(found({"TOMAHAWK", "sheet"}) == "a, c");
    CHECK(found({"tomahawk", "forum"}).empty());
    CHECK(found({"maker b"}) == "b");
    CHECK(found({"48 x 10 Gb/s", "derived"}) == "a, b, c");
}

TEST_CASE("A size is found with and without its blank, and is not the end of a longer number") {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"16 MB"}, {"16MB"}, {"16", "MB"}, {"16", "mb", "tomahawk"}}) {
        INFO(words.front());
        CHECK(found(words).front() == 'a');
    }
    CHECK(found({"6", "MB"}) == "b");
    CHECK(found({"5 MB"}).empty());
}

TEST_CASE("A size finds memories of about as many bytes, also in cells") {
    // 12 MiB are 12582912 B, 4.9 % more than 12 MB; 46080 cells of 208 B are 9.58 MB.
    CatalogueSwitch bytes = entry("bytes", "12582912 B", "forum"), cells = entry("cells", "46080 cells", "forum");
    cells.values.push_back({"switch.buffer.cell", KeyValue(std::string("208 B")), "", "", ""});
    const std::vector<CatalogueSwitch> all{bytes, cells, entry("frames", "12 frames", "forum")};
    REQUIRE(switches_with({"12", "MB"}, all).size() == 1);
    CHECK(switches_with({"12", "MB"}, all).front().id == "bytes");
    REQUIRE(switches_with({"9.6MB"}, all).size() == 1);
    CHECK(switches_with({"9.6MB"}, all).front().id == "cells");
    CHECK(switches_with({"11 MB"}, all).empty());
    CHECK(switches_with({"0 MB"}, all).empty());
}
