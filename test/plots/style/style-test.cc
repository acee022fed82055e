// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/style.h"

#include <cmath>

#include "plots/style/chart.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Numbers in labels have the wanted digits and no exponent") {
    CHECK(plain_number(38.368, 4) == "38.37");
    CHECK(plain_number(26.0583, 4) == "26.06");
    CHECK(plain_number(5863, 4) == "5863");
    CHECK(plain_number(308000, 3) == "308000");
    CHECK(plain_number(0.00123, 2) == "0.0012");
    CHECK(plain_number(-0.2222, 3) == "-0.222");
    CHECK(plain_number(0, 3) == "0");
}

TEST_CASE("A small panel has three to seven tics at round numbers") {
    CHECK(tic_step(3) == Approx(1));
    CHECK(tic_step(12000) == Approx(2000));
    for (double width = 0.01; width < 1e6; width *= 1.07) {
        const double tics = width / tic_step(width);
        CHECK(tics >= 2.99);
        CHECK(tics <= 7.6);
    }
}

TEST_CASE("A logarithmic axis has two tics at least, even within a decade, and few across many") {
    CHECK(log_tics(90, 500, 4) == "('100' 100, '200' 200, '500' 500)");
    CHECK(log_tics(1, 1e6, 4) ==
          "('1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000, '100000' 100000, '1000000' 1e+06)");
    CHECK(log_tics(520, 680, 4) == "('550' 550, '600' 600, '650' 650)");
}

TEST_CASE("A logarithmic axis that no number above 0 bounds is left to gnuplot") {
    CHECK(log_tics(0, 10, 4) == "autofreq");
    CHECK(log_tics(5, 5, 4) == "autofreq");
    CHECK(log_tics(1, HUGE_VAL, 4) == "autofreq");
    CHECK(tic_step(0) == 1);
}

TEST_CASE("Only an axis without two powers of ten has other tics than gnuplot's") {
    CHECK(tics_of_few_powers(9, 101).empty());
    CHECK(tics_of_few_powers(200, 1100) == "('200' 200, '300' 300, '500' 500, '700' 700, '1000' 1000)");
}

TEST_CASE("A long text keeps its ends, whole letters, and no more of them than asked for") {
    CHECK(shortened("switch", 6) == "switch");
    CHECK(shortened("a-long-name-of-a-switch", 9) == "a-lo…itch");
    CHECK(shortened("ÄÖÜäöü", 6) == "ÄÖÜäöü");
    CHECK(shortened("ÄÖÜäöüß", 6) == "ÄÖÜ…üß");
    CHECK(shortened("測定測定", 8) == "測定測定");
    CHECK(shortened("測定測定測", 7) == "測…測");
}

TEST_CASE("A legend of more rows lowers the panel, a title takes the place of a row, and too many curves are refused") {
    Panel panel = panel_below("");
    make_room_for_legend(panel, 9, 3, 3, "map.csv");
    CHECK(panel.top == panel_below("").top);
    make_room_for_legend(panel, 10, 3, 3, "map.csv");
    CHECK(panel.top == Approx(panel_below("").top - 0.04));
    Chart titled("", "title", "map.csv");
    titled.panel().series.assign(9, {"a", {}, ""});
    make_room(titled);
    CHECK(titled.panel().place.top == Approx(panel_below("title").top - 0.04));
    CHECK_THROWS_WITH(make_room_for_legend(panel, 200, 3, 3, "map.csv"),
                      Contains("map.csv: found 200") && Contains("expected at most"));
}

TEST_CASE("Panels of a grid are equal, keep their gaps and fill the whole, row by row") {
    const Panel all{0.1, 0.9, 0.2, 0.8};
    const auto panels = panel_grid(all, 3, 2, 0.1, 0.2);
    REQUIRE(panels.size() == 6);
    // (0.8 - 2 x 0.1) / 3 wide, (0.6 - 0.2) / 2 high
    for (const Panel& panel : panels) {
        CHECK(panel.right - panel.left == Approx(0.2));
        CHECK(panel.top - panel.bottom == Approx(0.2));
    }
    CHECK(panels[0].left == Approx(all.left));
    CHECK(panels[0].top == Approx(all.top));
    CHECK(panels[1].left - panels[0].right == Approx(0.1));
    CHECK(panels[0].bottom - panels[3].top == Approx(0.2));
    CHECK(panels[5].right == Approx(all.right));
    CHECK(panels[5].bottom == Approx(all.bottom));
}

TEST_CASE("A quantity that varies much is drawn as it is, bytes in a unit that suits them") {
    const Axis frames = axis_for("depth", "frames", 46, 40, 52);
    CHECK(frames.label == "depth / frames");
    CHECK(frames(46) == 46);
    const Axis bytes = axis_for("depth", "bytes", 2e6, 1e6, 3e6);
    CHECK(bytes.label == "depth / MB");
    CHECK(bytes(2.5e6) == Approx(2.5));
}

TEST_CASE("A quantity that is known well is drawn as its deviation") {
    const Axis percent = axis_for("depth", "frames", 3080, 3060, 3100);
    CHECK(percent.label == "depth, deviation from 3080 frames / %");
    CHECK(percent(3080 * 1.001) == Approx(0.1));
    CHECK(axis_for("service rate", "frames/s", 1e6, 1e6 - 5, 1e6 + 5).label.find("ppm") != std::string::npos);
}

TEST_CASE("Millions of frames are counted in millions, not with exponents that cover the label") {
    const Axis axis = axis_for("service rate", "frames/s", 0.98e6, 0.7e6, 1.3e6);
    CHECK(axis.label == "service rate / million frames/s");
    CHECK(axis(1.3e6) == Approx(1.3));
}

TEST_CASE("Numbers that need many digits have a common power of a thousand, which the label names") {
    CHECK(axis_power(999'999).exponent == 0);
    CHECK(axis_power(0.001).exponent == 0);
    CHECK(axis_power(0).exponent == 0);
    CHECK(axis_power(4.8e10).exponent == 9);
    CHECK(axis_power(1e6).exponent == 6);
    CHECK(axis_power(5e-8).exponent == -9);
    CHECK(axis_power(4.8e10)(4.8e10) == Approx(48));
    const AxisPower power{9};
    CHECK(power.label("requested spacing / µs") == "requested spacing / (10⁹ µs)");
    CHECK(power.label("data / (Gb/s)") == "data / (10⁹ Gb/s)");
    CHECK(power.label("slots") == "slots / 10⁹");
    CHECK(AxisPower{}.label("slots") == "slots");
}
