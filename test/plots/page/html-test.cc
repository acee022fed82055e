// SPDX-License-Identifier: GPL-2.0-only
#include "plots/page/html.h"

#include <filesystem>
#include <fstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A text in HTML is what it was, but for marks and for characters that HTML has not") {
    CHECK(escaped("a&b<c>d\"e'f g\nh\ti\x1f"
                  "j") == "a&amp;b&lt;c&gt;d&quot;e'f g\nh\ti\ufffdj");
    CHECK(heading("a<b") == "<h2>a&lt;b</h2>\n");
    CHECK(smaller_heading("a") == "<h3>a</h3>\n");
    CHECK(paragraph("a") == "<p>a</p>\n");
    CHECK(answer("a") == "<p class=\"answer\">a</p>\n");  // the end tag has no attribute
    CHECK(remark("a") == "<p class=\"quiet\">a</p>\n");
    CHECK(list_of({"a", "b"}) == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
    CHECK(list_of({}).empty());
}

TEST_CASE("The caption is the first description, if it has an end, with its marks as characters") {
    CHECK(caption_of("<desc>&lt;&lt;a&gt;&gt; &quot;&amp;amp;lt;</desc><desc>b</desc>") == "<<a>> \"&amp;lt;");
    for (const char* none : {"<desc>a", "a</desc>", "</desc><desc>", "<desc></desc>", "<desc>by GNUPLOT</desc>"})
        CHECK(caption_of(none).empty());
}

TEST_CASE("A figure is taken as it is drawn, without what stands before it and without comments") {
    for (const char* svg :
         {"<svg/>", "<svg></svg>", "<svg>\n<g ><text x = \"1\"\n y='2' >a</text ></g>\n</svg>",
          "<svg><title>a</title><desc>b</desc><g/></svg>", "<svg><g fill=\"url(#a)\"/><use xlink:href=\"#a\"/></svg>",
          "<svg style=\"stroke:a; fill:b;filter:c;font-size:d; ;\" class=\"position\"/>", "<svg width=\"\"/>"}) {
        CHECK(svg_element(svg, "a.svg") == svg);
        CHECK(svg_element("<?xml?><!-- a -->" + std::string(svg) + " \t\r\n", "a.svg") == svg);
    }
    CHECK(svg_element("<svg>a<!-- <b> -->c<!----><g/></svg>", "a.svg") == "<svg>ac<g/></svg>");
}

TEST_CASE("A figure that has in it what no figure of this program has is refused by what was found") {
    const auto [svg, found] = GENERATE(table<const char*, const char*>({
        {"<svg", "no <svg>"},
        {"<svg><g>a", "no </g>"},
        {"<svg><!-- a ->", "a comment without an end"},
        {"<svg></g></svg>", "</g>, but <svg> is open"},
        {"<svg></svg x>", "</svg>, but <svg> is open"},
        {"<svg><script/></svg>", "<script>"},
        {"<svg><?abcdefghijk?></svg>", "<?abcdefghi>"},  // 10 characters
        {"<svg><title><g/></title></svg>", "<g> in <title>"},
        {"<svg><desc><g/></desc></svg>", "<g> in <desc>"},
        {"<svg onload=\"a\"/>", "<svg onload=…>"},
        {"<svg width/>", "<svg width=…>"},
        {"<svg width \"1\"/>", "<svg width=…>"},
        {"<svg width=1/>", "<svg width=…>"},
        {"<svg width=1 1/>", "<svg width=…>"},
        {"<svg width=\"1'/>", "<svg width=…>"},
        {"<svg width='1\"/>", "<svg width=…>"},
        {"<svg width=\"a>b\"/>", "<svg width=…>"},
        {"<svg / width=\"1\">", "<svg =…>"},
        {"<svg><use xlink:href=\"a#\"/></svg>", "<use xlink:href=…>"},
        {"<svg><use xlink:href=\"\"/></svg>", "<use xlink:href=…>"},
        {"<svg width=\"&lt;\"/>", "<svg width=…>"},
        {"<svg width=\"a<\"/>", "<svg width=…>"},
        {"<svg width=\"\\\"/>", "<svg width=…>"},
        {"<svg style=\"@a\"/>", "<svg style=…>"},
        {"<svg fill=\"URL(a)\"/>", "<svg fill=…>"},
        {"<svg fill=\"url(#a) url( #b)\"/>", "<svg fill=…>"},
        {"<svg style=\"stroke:a; position:b\"/>", "<svg style=…>"},
        {"<svg/>a", "text behind </svg>"},
        {"<svg/><svg/>", "text behind </svg>"},
    }));
    CHECK_THROWS_WITH(svg_element(svg, "a.svg"),
                      "a.svg: found " + std::string(found) + ", expected what watershed plot or draw writes");
}

TEST_CASE("A file without a figure, and one that cannot be read, are refused by name") {
    CHECK_THROWS_WITH(svg_element("a", "a.svg"), "a.svg: expected an SVG figure");
    CHECK_THROWS_WITH(contents("no/such.svg"), "no/such.svg: cannot be read");
}

TEST_CASE("A figure is drawn into a folder that goes away, and stands above its caption") {
    std::string folder;
    {
        const Scratch scratch;
        folder = std::filesystem::path(scratch.path("a")).parent_path().string();
        CHECK(scratch.drawn("a", "b < c", [](const std::string& file) { std::ofstream(file) << "<?xml?><svg/>\n"; }) ==
              "<figure>\n<svg/>\n<figcaption>b &lt; c</figcaption>\n</figure>\n");
        CHECK(contents(scratch.path("a.svg")) == "<?xml?><svg/>\n");
    }
    CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("A table has the columns in which a row says something, a dash where it does not, and notes over all") {
    Table table({"<a", "b", "c", "d", "e"});
    CHECK(table.empty());
    table.add({"1", "", "–", "2"}, true);
    table.add_note("x & y");
    table.add({"", "", "–", "–", "<"});
    CHECK_FALSE(table.empty());
    CHECK(
        table.html() ==
        "<table>\n<thead><tr><th class=\"text\">a</th><th>d</th><th>e</th></tr></thead>\n<tbody>\n"
        "<tr class=\"front\"><td class=\"text\" data-label=\"a\">1</td><td data-label=\"d\">2</td>"
        "<td data-label=\"e\">–</td></tr>\n"
        "<tr><td class=\"text note\" colspan=\"3\">x &amp; y</td></tr>\n"
        "<tr><td class=\"text\" data-label=\"a\">–</td><td data-label=\"d\">–</td><td data-label=\"e\">&lt;</td></tr>\n"
        "</tbody></table>\n");
}
