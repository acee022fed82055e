// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/values.h"

#include <nlohmann/json.hpp>

#include "plots/page/html.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("The end of a member's name is its unit") {
    CHECK(value_in_words("simulated_s", 5.7552e-05) == "57.55 µs");
    CHECK(value_in_words("separation_us", 8.72) == "8.72 µs");
    CHECK(value_in_words("peak_bytes", 49220) == "49.22 kB");
    CHECK(value_in_words("rate_bits_per_s", 10'000'000'000) == "10 Gb/s");
    CHECK(value_in_words("utilisation", 0.8484848484848485) == "84.8 %");
    CHECK(value_in_words("probability", 1.0709627964835138e-12) == "1.071 × 10⁻¹²");
    CHECK(value_in_words("frames", 459536) == "459\u202f536");
    CHECK(value_in_words("overload", nullptr) == "–");
    CHECK(value_in_words("stop", true) == "yes");
    CHECK(name_in_words("simulated_s") == "simulated");
    CHECK(name_in_words("peak_frames") == "peak frames");
    // A rate alone, which was a time of 296.2 years.
    CHECK(value_in_words("bits_per_s", 9'346'000'000) == "9.346 Gb/s");
    CHECK(value_in_words("frames_per_s", 1072.0) == "1072 frames/s");
    CHECK(value_in_words("events_per_s", 7874.02) == "7874 per second");
    CHECK(name_in_words("bits_per_s") == "bits per second");
    CHECK(name_in_words("frames_per_s") == "frames per second");
    CHECK(name_in_words("rate_bits_per_s") == "rate");
    CHECK(name_in_words("events_per_s") == "events");
}

TEST_CASE("All that a result tells is told, wherever it stands, but what is told already") {
    const nlohmann::ordered_json result{
        {"program", "watershed 0"},
        {"plain", "pear"},
        {"nothing", nullptr},
        {"empty", nlohmann::ordered_json::array()},
        {"told_already", "apple"},
        {"inner", {{"deeper", {{"deepest", 4711}}}}},
        {"numbers", {1, 2, 31}},
        {"objects", {{{"colour", "red"}, {"of", {{"size_us", 3}}}}, {{"colour", "blue"}, {"taste", "sour"}}}}};
    const std::string html = other_values(result, {"told_already"});
    for (const char* word : {"pear", "inner, deeper, deepest", "4711", "1, 2, 31", "red", "blue", "sour", "3 µs"})
        CHECK_THAT(html, Contains(word));
    for (const char* word : {"apple", "nothing", "null", "watershed 0"}) CHECK_THAT(html, !Contains(word));
}

TEST_CASE("Neighbouring numbers are a range, and many ranges are counted") {
    CHECK(numbers_in_words({1, 4, 5, 6, 7, 9, 10}) == "1, 4 to 7, 9, 10");
    CHECK(numbers_in_words({}).empty());
    CHECK(numbers_in_words({1, 3, 5, 7}, 2) == "1, 3 and others: 4 in all");
}

TEST_CASE("Reasons of loss are words, and what is unknown stays as it is") {
    CHECK(loss_in_words("buffer-full") == "its memory was full (tail drop)");
    CHECK(loss_in_words("some-thing") == "some thing");
}

TEST_CASE("A column of nothing is left out, and every cell names its column for narrow pages") {
    Table table({"<switch", "price", "load"});
    table.add({"a<b", "–", "30 %"}, true);
    table.add_note("a note");
    table.add({"c", "", "40 %"});
    const std::string html = table.html();
    CHECK_THAT(html, !Contains("price"));
    CHECK(escaped("a\x1b[31m\tb") == "a\ufffd[31m\tb");
    CHECK_THAT(html, Contains("<td class=\"text\" data-label=\"switch\">a&lt;b</td><td data-label=\"load\">30 %</td>"));
    CHECK_THAT(html, Contains("<tr class=\"front\">"));
    CHECK_THAT(html, Contains("colspan=\"2\">a note"));
}

TEST_CASE("A figure is captioned by what it says of itself, and by nothing that gnuplot says") {
    CHECK(caption_of("<svg><title>Title</title><desc>What &lt;to&gt; see.</desc></svg>") == "What <to> see.");
    CHECK(caption_of("<svg><desc>What to see.</desc></svg>") == "What to see.");
    CHECK(caption_of("<svg><title>Gnuplot</title><desc>Produced by GNUPLOT 5.4</desc></svg>").empty());
    CHECK(caption_of("<svg></svg>").empty());
}
