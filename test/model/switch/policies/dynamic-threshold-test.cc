// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/buffer.h"
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

namespace {

/// Offers single cells to n queues in turn until every one is refused.
void fill(QueueAccounts& accounts, int n) {
    for (int refused = 0; refused < n;) {
        refused = 0;
        for (int queue = 0; queue < n; ++queue) {
            if (accounts.verdict(queue, 1) == Verdict::Granted)
                accounts.take(queue, 1);
            else
                ++refused;
        }
    }
}

}  // namespace

TEST_CASE("n congested queues come to rest at alpha / (1 + n alpha) of the pool each") {
    // q = alpha (B - n q)  =>  q = alpha B / (1 + n alpha); single cells overshoot by less than one each.
    for (const Ratio alpha : {Ratio{8, 1}, Ratio{1, 1}, Ratio{1, 8}, Ratio{3, 7}})
        for (const int n : {1, 2, 5, 44}) {
            constexpr std::int64_t kPool = 46080;
            const auto policy = made("dynamic-threshold", {n, 1, kPool, 0}, alpha);
            QueueAccounts& accounts = *policy;
            fill(accounts, n);
            const double rest = static_cast<double>(alpha.numerator * kPool) /
                                static_cast<double>(alpha.denominator + n * alpha.numerator);
            INFO("alpha " << alpha.numerator << "/" << alpha.denominator << ", " << n << " queues");
            for (int queue = 0; queue < n; ++queue)
                CHECK(std::abs(static_cast<double>(accounts.held(queue)) - rest) <= 1.0);
        }
}

TEST_CASE("What is reserved for a queue comes on top of its threshold and needs no free pool") {
    const auto policy = made("dynamic-threshold", {2, 1, 100, 7}, {1, 1});
    QueueAccounts& accounts = *policy;
    fill(accounts, 1);
    CHECK(accounts.held(0) == 50 + 7);
    accounts.take(1, 7);  // from its own reserve
    CHECK(accounts.free(1) == 50);
    CHECK(accounts.drawn(1) == 0);
}

TEST_CASE("A queue that is below its threshold takes a frame that carries it above") {
    const auto policy = made("dynamic-threshold", {1, 1, 100, 0}, {1, 1});
    QueueAccounts& accounts = *policy;
    accounts.take(0, 49);
    CHECK(accounts.verdict(0, 20) == Verdict::Granted);  // 49 < 51
    accounts.take(0, 20);
    CHECK(accounts.verdict(0, 1) == Verdict::AboveThreshold);
    CHECK(accounts.verdict(0, 32) == Verdict::PoolFull);
}

namespace {

/// Cells that a queue holds at most, found cell by cell, beside `others`, with so many bits of its threshold.
std::int64_t rest(const QueueAccounts::Layout& layout, Ratio alpha, std::int64_t mantissa, bool extra_step,
                  std::int64_t others = 0) {
    Buffer buffer;
    buffer.size = {layout.pool_size, MemorySize::Unit::Frame};
    buffer.alpha = alpha;
    buffer.threshold_mantissa = mantissa;
    buffer.threshold_extra_step = extra_step;
    const auto accounts = Sharing::named("dynamic-threshold")->make(buffer, MemoryUnits(buffer), layout);
    accounts->take(1, others);
    while (accounts->verdict(0, 1) == Verdict::Granted) accounts->take(0, 1);
    return accounts->held(0);
}

}  // namespace

TEST_CASE("Where frames are to fit whole, none takes a queue above its threshold") {
    // 100 in all, alpha 1, frames of 30. With 30 held 70 are free: 60 fit below 70. With 60 held 40 are free, and the
    // queue stands above. With 30 held a frame of 40 would just fit, one of 41 not; a queue that need only be below
    // takes both.
    for (const bool whole : {true, false}) {
        Buffer buffer;
        buffer.size = {100, MemorySize::Unit::Frame};
        buffer.threshold_whole = whole;
        const auto accounts =
            Sharing::named("dynamic-threshold")->make(buffer, MemoryUnits(buffer), QueueAccounts::Layout{2, 1, 100, 0});
        accounts->take(0, 30);
        CHECK(accounts->verdict(0, 40) == Verdict::Granted);
        CHECK(accounts->verdict(0, 41) == (whole ? Verdict::AboveThreshold : Verdict::Granted));
        accounts->take(0, 30);
        CHECK(accounts->verdict(0, 1) == Verdict::AboveThreshold);
    }
}

TEST_CASE("A threshold of few bits is rounded down, or with a step more up to the next") {
    // 100 cells, alpha 1, two bits: thresholds are 96 = 3 x 32, 64 = 2 x 32, 48 = 3 x 16, 32 = 2 x 16, ...
    // With 48 held 52 are free, a threshold of 48: the queue stops.
    const QueueAccounts::Layout layout{2, 1, 100, 0};
    CHECK(rest(layout, {1, 1}, 2, false) == 48);
    // While 48 to 63 are free the next is 48 + 16, so it grows until 53 are held and 47 free: 32 + 16.
    CHECK(rest(layout, {1, 1}, 2, true) == 53);
    // All numbers below 2^7 have seven bits: as without, and with one cell more.
    CHECK(rest(layout, {1, 1}, 7, false) == 50);
    CHECK(rest(layout, {1, 1}, 7, true) == 51);
    // A threshold is a whole number: with 30 of 101 held 3/7 of what is free is 30.4 and counts as 30.
    CHECK(rest({2, 1, 101, 0}, {3, 7}, 62, false) == 30);
}

TEST_CASE("Silicon One G200 drops a lossy queue at 46.0 MiB, and by what others hold earlier") {
    // Buffers of 512 B, of 80 MiB 12 are kept, alpha 2. sonic-net/sonic-mgmt, qos_param_generator.py: 2/3 of 68 MiB are
    // 45.33; in five bits 22 x 2 MiB = 44.0; and a step more for lossy traffic, "due to queue occupancy quantization".
    // At q = 46 MiB twice what is free is 2 (68 - 46) = 44, so that the threshold is 46: there it stops.
    constexpr std::int64_t kMiB = 1024 * 1024 / 512, kPool = 68 * kMiB;
    const QueueAccounts::Layout layout{2, 1, kPool, 0};
    CHECK(rest(layout, {2, 1}, 5, true) == 46 * kMiB);
    // Pull request 25800 there: 46 MB hold while more than 34 of 80 are free, and a background of b lowers the drop
    // by b. With b held twice the free memory passes 44 MiB at q = 46 MiB - b.
    for (const std::int64_t b : {1, 40, 2000}) CHECK(rest(layout, {2, 1}, 5, true, b) == 46 * kMiB - b + 1);
    // Without the step it stops when twice what is free falls below 46 MiB, at q = 45 MiB.
    CHECK(rest(layout, {2, 1}, 5, false) == 45 * kMiB + 1);
}

TEST_CASE("The first frames of a flow have a threshold of their own, divided as the others' are") {
    const std::string policy = GENERATE("dynamic-threshold", "abm");
    CAPTURE(policy);
    Buffer buffer;
    buffer.size = {100, MemorySize::Unit::Frame};
    buffer.alpha = Ratio{1, 4};
    buffer.first_alpha = Ratio{1, 1};
    const auto accounts = Sharing::named(policy)->make(buffer, MemoryUnits(buffer), {2, 1, 100, 0});
    accounts->take(0, 20);  // a quarter of 80
    CHECK(accounts->verdict(0, 1) == Verdict::AboveThreshold);
    CHECK(accounts->verdict(0, 1, true) == Verdict::Granted);
    accounts->take(0, 30);
    CHECK(accounts->verdict(0, 1, true) == Verdict::AboveThreshold);
    CHECK(accounts->verdict(0, 51, true) == Verdict::PoolFull);
}
