// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/values.h"

#include <nlohmann/json.hpp>

#include "scenarios/design/design-search.h"
#include "test/catch.h"
#include "test/plots/page/words.h"

using namespace watershed;
using Json = nlohmann::ordered_json;

TEST_CASE("The end of a member's name is its unit") {
    CHECK(value_in_words("simulated_s", 5.7552e-05) == "57.55 µs");
    CHECK(value_in_words("separation_us", 8.72) == "8.72 µs");
    CHECK(value_in_words("peak_bytes", 49220) == "49.22 kB");
    CHECK(value_in_words("rate_bits_per_s", 10'000'000'000) == "10 Gb/s");
    CHECK(value_in_words("utilisation", 0.8484848484848485) == "84.8 %");
    CHECK(value_in_words("probability", 1.0709627964835138e-12) == "1.071 × 10⁻¹²");
    CHECK(value_in_words("frames", 459536) == "459\u202f536");
    CHECK(value_in_words("overload", nullptr) == "–");
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
    const Json result{
        {"program", "watershed 0"},
        {"plain", "pear"},
        {"nothing", nullptr},
        {"empty", Json::array()},
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

TEST_CASE("A value has the digits and the unit that its name and its kind leave it") {
    const auto [name, value, words] = GENERATE(table<const char*, const char*, const char*>({
        {"a_bits_per_s", "999e6", "999 Mb/s"},
        {"a_bits_per_s", "1e9", "1 Gb/s"},
        {"bits_per_second", "5", "5 bit/s"},
        {"a_frames_per_s", "1234.56", "1234.6 frames/s"},
        {"a_per_hour", "3", "3 per hour"},
        {"a_per_night", "3", "3 per night"},
        {"a_frames", "1234.56789", "1234.56789"},
        {"a_mbps", "2", "2 Mb/s"},
        {"a_gbps", "2", "2 Gb/s"},
        {"a_khz", "2", "2 kHz"},
        {"a_hz", "2", "2 Hz"},
        {"a_hours", "0.5", "30 min"},
        {"a_ms", "2", "2 ms"},
        {"a_us", "2", "2 µs"},
        {"a_ns", "2", "2 ns"},
        {"a_s", "2", "2 s"},
        {"load", "0.5", "50 %"},
        {"link_load", "0.5", "50 %"},
        {"a_load", "1", "100 %"},
        {"payload", "0.5", "0.5"},
        {"a_fraction", "0.5", "50 %"},
        {"share", "0.5", "50 %"},
        {"a", "1.234567", "1.2346"},
        {"a", "-5", "-5"},
        {"a", "12345678", "12\u202f345\u202f678"},
        {"a", "true", "yes"},
        {"a", "false", "no"},
        {"a", "null", "–"},
        {"a", "\"\"", "–"},
        {"a", "\"b\"", "b"},
        {"a", "[]", ""},
        {"a_us", "[1, 2]", "1 µs, 2 µs"},
        {"a", "[\"b\", \"c\"]", "b; c"},
        {"a", "{}", "–"},
        {"a", "{\"b\": null}", "–"},
        {"a", "{\"b_c\": 1, \"d\": null, \"e_us\": 2}", "b c 1, e 2 µs"},
    }));
    CHECK(value_in_words(name, Json::parse(value)) == words);
    CHECK(value_in_words("a", Json(std::vector<int>(200, 1))).size() == 200 * 3 - 2);
    CHECK_THAT(value_in_words("a", Json(std::vector<int>(201, 1))), Contains("1, 1 … (201 values)"));
}

TEST_CASE("A name loses its unit, but not frames and not the time of a rate") {
    const auto [name, words] = GENERATE(table<const char*, const char*>({
        {"bits_per_second", "bits per second"},
        {"a_b_us", "a b"},
        {"a_frames_per_s", "a"},
        {"a_frames", "a frames"},
        {"a_per_hour", "a per hour"},
        {"a_per_night", "a per night"},
        {"us", "us"},
    }));
    CHECK(name_in_words(name) == words);
}

TEST_CASE("A list is a table with a column for each member, of objects inside too, and texts at the left") {
    CHECK(table_of(Json::array()).empty());
    CHECK(barred(table_of({1, 2})) == "|value|1|2|");
    const Json mixed{{{"a", 1}, {"b", "x"}, {"c", {1, 2}}, {"e", {{"f_us", 3}}}}, {{"b", 2}, {"a", "y"}}};
    CHECK(barred(table_of(mixed)) == "|a|b|c|e f|1|x|1, 2|3 µs|y|2|–|–|");
    for (const char* text : {"a", "b", "c"})  // a text in any row
        CHECK_THAT(table_of(mixed), Contains("<th class=\"text\">" + std::string(text) + "</th>"));
    CHECK_THAT(table_of(mixed), Contains("<th>e f</th>"));
    CHECK_THAT(table_of(Json(std::vector<int>(300, 7))), !Contains("note"));
    const std::string first = table_of(Json(std::vector<int>(301, 7)));
    CHECK_THAT(first, Contains(">The first 300 of 301; the file has all.<"));
    CHECK(barred(first).size() == barred(table_of(Json(std::vector<int>(300, 7)))).size() + 40);
}

TEST_CASE("A table of more than nine columns stands in several, each behind the first column") {
    Json row;
    for (char name = 'a'; name <= 'r'; ++name) row[std::string(1, name)] = std::string(1, name) + "1";
    const std::string one = "|a|b|c|d|e|f|g|h|i|a1|b1|c1|d1|e1|f1|g1|h1|i1|",
                      two = "a|j|k|l|m|n|o|p|q|a1|j1|k1|l1|m1|n1|o1|p1|q1|";
    CHECK(barred(table_of(Json::array({row}))) == one + two + "a|r|a1|r1|");
    row.erase("r");
    CHECK(barred(table_of(Json::array({row}))) == one + two);
    for (char name = 'j'; name <= 'q'; ++name) row.erase(std::string(1, name));
    CHECK(barred(table_of(Json::array({row}))) == one);
}

TEST_CASE("Other values are those that are not told at the top, with nothing for what is empty") {
    const auto result = Json::parse(
        R"({"a": 1, "told": 2, "program": "p", "command": "c", "b": {"told": 3, "program": "q"}, "d": [], "e": {},
            "f": [[1], [2]], "g": [{"h": 4}], "i": [5, 6]})");
    CHECK(barred(other_values(result, {"told"})) ==
          "|value of|is|a|1|b, told|3|b, program|q|i|5, 6|f|value|1|2|g|h|4|");
    CHECK(other_values({{"a", nullptr}, {"b", 1}}, {"b"}).empty());
    CHECK(barred(other_values({{"g", {{{"h", 4}}}}})) == "|g|h|4|");
}

TEST_CASE("Three numbers in a row make a range, two do not, and what is too much is counted") {
    CHECK(numbers_in_words({1, 2}) == "1, 2");
    CHECK(numbers_in_words({1, 2, 3}) == "1 to 3");
    CHECK(numbers_in_words({1, 3, 4, 6, 7, 8}) == "1, 3, 4, 6 to 8");
    CHECK(numbers_in_words({1, 3}, 2) == "1, 3");
    CHECK(loss_in_words("a-b-c") == "a b c");
}
