// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/early-drop.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Frames go early never below Kmin, always from Kmax on, and between with Pmax (q - Kmin) / (Kmax - Kmin)") {
    const auto goes = [](std::int64_t held, std::uint64_t lot) {
        return goes_early(held, 400'000, 1'600'000, Ratio{1, 5}, lot);
    };
    CHECK_FALSE(goes(399'999, 0));
    CHECK(goes(1'600'000, ~std::uint64_t{0}));
    // at 1000 kB: 0.2 * 600 / 1200 = 0.1
    const auto lot = [](double uniform) { return static_cast<std::uint64_t>(uniform * 0x1p32) << 32; };
    CHECK(goes(1'000'000, lot(0.0999)));
    CHECK_FALSE(goes(1'000'000, lot(0.1001)));
    CHECK_FALSE(goes_early(1'600'000, 0, 0, Ratio{1, 5}, 0));  // there is none
}
