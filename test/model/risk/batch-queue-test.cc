// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/batch-queue.h"

#include <array>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "model/risk/work-density.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// P(W > t) of M/D/1 by Erlang's alternating sum (1909), in so many digits that nothing cancels:
/// P(W <= t) = (1 - rate service) sum over k service <= t of (-rate (t - k service))^k / k! exp(rate (t - k service)).
double m_d_1_tail(double rate, double service, double t) {
    using Number = boost::multiprecision::cpp_dec_float_100;
    Number sum = 0;
    for (int k = 0; k * service <= t; ++k) {
        const Number x = Number(rate) * (Number(t) - Number(service) * k);
        Number term = boost::multiprecision::exp(x);
        for (int i = 1; i <= k; ++i) term *= -x / i;
        sum += term;
    }
    return Number(1 - (1 - Number(rate) * Number(service)) * sum).convert_to<double>();
}

/// The camera of the NectarCAM test bench behind a memory of so many frames.
BatchQueue nectarcam(double rate, double room) {
    constexpr double kSlot = 0.872e-6;
    return {rate * kSlot, 2e-6 / kSlot, 10, 44, room};
}

/// P(the work that a cluster finds > y) in a memory without limit, by the density from which the chain is made.
Enclosure waiting_tail(const BatchQueue& queue, double y, double precision) {
    BatchQueue deep = queue;
    deep.room = y + static_cast<double>(queue.modules);
    const BorelLaw law(queue.link_load());
    const double empty = 1 - queue.trigger_rate * queue.growth() * law.excess(0);
    const auto sum = [&](std::int64_t frame, double border) {
        const Grid grid = Grid::of(deep, frame, border);
        WorkDensity queued(law, queue.trigger_rate, grid);
        double tail = 0;
        for (std::int64_t cell = 0;; ++cell) {
            queued.extend(cell + 1);
            if (cell < grid.room - grid.event) continue;
            tail += queued.mass(cell);
            if (cell % grid.growth == 0 && queued.mass(cell) < 1e-12 * tail / static_cast<double>(grid.growth))
                return empty * tail;
        }
    };
    for (std::int64_t frame = 16;; frame *= 2) {
        const Enclosure result{sum(frame, 0), sum(frame, 0.5), sum(frame, 1)};
        if (result.upper - result.lower < precision * result.upper || frame >= 4096) return result;
    }
}

}  // namespace

TEST_CASE("With links that take no time the queue is M/D/1, and its tail Erlang's down to 1e-17") {
    const BatchQueue queue{0.06, 0, 0, 10, 0};
    for (const double y : {5.0, 20.0, 100.0, 400.0}) {
        const double exact = m_d_1_tail(0.06, 10, y);
        const Enclosure tail = waiting_tail(queue, y, 0.05);
        INFO("P(W > " << y << ") = " << exact);
        CHECK(tail.lower <= exact);
        CHECK(tail.upper >= exact);
        CHECK(tail.estimate == Approx(exact).epsilon(1e-3));
    }
    CHECK(m_d_1_tail(0.06, 10, 400) < 3e-17);
}

TEST_CASE("The mean of what a batch finds is that of Pollaczek and Khinchine") {
    // E[W] = rate service^2 / (2 (1 - load)), the area under the tail.
    const BatchQueue queue{0.03, 0, 0, 20, 0};
    double area = 0;
    for (int y = 0; y < 480; y += 20)  // Simpson's rule between the kinks
        area += 20.0 / 6 *
                (waiting_tail(queue, y, 0.1).estimate + 4 * waiting_tail(queue, y + 10, 0.1).estimate +
                 waiting_tail(queue, y + 20, 0.1).estimate);
    CHECK(area == Approx(0.03 * 400 / (2 * 0.4)).epsilon(1e-3));
}

TEST_CASE("Room for one event alone loses every event that comes before the last has gone") {
    // Modules without links, one frame of work an event and room for one: Erlang's loss formula for one line, rate / (1
    // + rate).
    for (const double rate : {0.01, 0.5, 3.0}) {
        const Enclosure loss = log_loss_probability({rate, 0, 0, 1, 1}, 1e-3);
        CHECK(std::exp(loss.estimate) == Approx(rate / (1 + rate)).epsilon(1e-3));
        CHECK(loss.lower <= std::log(rate / (1 + rate)) + 1e-12);
        CHECK(loss.upper >= std::log(rate / (1 + rate)) - 1e-12);
    }
}

TEST_CASE("The bounds close in on the estimate as the grid is refined, and more room never loses more") {
    double last = 0;
    for (double room = 44; room < 760; room += 65) {
        const Enclosure coarse = log_loss_probability(nectarcam(8000, room), 0.1),
                        fine = log_loss_probability(nectarcam(8000, room), 0.005);
        CHECK(fine.lower <= fine.estimate);
        CHECK(fine.estimate <= fine.upper);
        CHECK(fine.upper - fine.lower < 0.005);
        CHECK(coarse.lower <= fine.estimate);
        CHECK(fine.estimate <= coarse.upper);
        CHECK(fine.upper < last);
        last = fine.lower;
    }
    CHECK(last < std::log(1e-15));
}

TEST_CASE("A search for the room of a memory solves each density once, and finds what a single call finds") {
    const auto solve = [](double room) {
        const Enclosure loss = log_loss_probability(nectarcam(8100, room), 0.01);
        return std::array{loss.lower, loss.estimate, loss.upper};
    };
    std::vector<std::array<double, 3>> alone, search;
    for (int i = 0; i < 24; ++i)
        std::thread([&] { alone.push_back(solve(430 + i)); }).join();  // a new thread has solved none
    const std::int64_t before = solved_densities().solved();
    solve(430);
    const std::int64_t first = solved_densities().solved() - before;
    for (int i = 23; i >= 0; --i) search.insert(search.begin(), solve(430 + i));
    CHECK(first > 0);
    CHECK(solved_densities().solved() - before == first);
    CHECK(search == alone);
}

TEST_CASE("Deep memories continue the exponential tail without a seam") {
    // Between depths that are extrapolated and depths that are not the logarithm falls by the same amount per frame.
    const double at3 = log_loss_probability(nectarcam(8000, 3000)).estimate,
                 at7 = log_loss_probability(nectarcam(8000, 7000)).estimate,
                 at11 = log_loss_probability(nectarcam(8000, 11000)).estimate;
    CHECK((at3 - at7) / 4000 == Approx(decay_rate(nectarcam(8000, 0))).epsilon(1e-5));
    CHECK((at7 - at11) / 4000 == Approx((at3 - at7) / 4000).epsilon(1e-5));
}

TEST_CASE("A chance that no double holds has bounds in order, and is never none") {
    double before = 0;
    for (double room = 1000; room < 9000; room += 500) {
        BatchQueue queue = nectarcam(8000, room);
        queue.modules = 22;
        const Enclosure log = log_loss_probability(queue, 0.3);
        CAPTURE(room, log.lower, log.estimate, log.upper);
        CHECK(log.lower <= log.estimate);
        CHECK(log.estimate <= log.upper);
        CHECK(std::isfinite(log.lower));
        CHECK(log.lower < before);
        CHECK(log_loss_upper_bound(queue, 0.3) >= log.lower);
        before = log.upper;
    }
    CHECK(before < -600);
}

TEST_CASE("Cramer's root solves its equation") {
    // E[exp(s (modules - gap))] = 1 for a gap of dead time plus exponential.
    for (const double rate : {500.0, 8000.0, 20000.0, 26000.0, 40000.0}) {
        const BatchQueue queue = nectarcam(rate, 0);
        const double s = decay_rate(queue);
        CHECK(std::exp(s * (44 - queue.dead_time)) * queue.trigger_rate / (queue.trigger_rate + s) ==
              Approx(1).epsilon(1e-9));
        CHECK((s > 0) == (queue.load() < 1));
    }
}

TEST_CASE("Above capacity the uplink is always busy, and loses what it cannot carry") {
    // load 1.42 and deep: of the frames 1 - 1/1.42 = 0.296 are lost, and each lossy event loses at most the 34 that do
    // not drain meanwhile: at least 0.38 of the events are incomplete.
    const BatchQueue queue = nectarcam(40000, 4000);
    const double loss = std::exp(log_loss_probability(queue, 0.05).estimate);
    CHECK(loss > (1 - 1 / queue.load()) * 44 / 34);
    CHECK(loss < 1);
}

TEST_CASE("The bounds of memories of any depth are in order and close, below capacity, at it and above") {
    // The top of a deep memory above capacity is filled the same way whatever its depth.
    for (const double rate : {1e3, 8e3, 20e3, 26e3, 27.4e3, 27.49e3, 27.4933e3, 27.5e3, 28e3, 29e3, 40e3, 90e3})
        for (const double room : {44.0, 100.0, 1000.0, 3738.0, 308000.0}) {
            const Enclosure loss = log_loss_probability(nectarcam(rate, room), 0.1);
            INFO(rate << " Hz, room for " << room << ": " << loss.lower << ", " << loss.estimate << ", " << loss.upper);
            CHECK(loss.lower <= loss.estimate);
            CHECK(loss.estimate <= loss.upper);
            CHECK(loss.upper <= 0);
            if (rate > 8e3) CHECK(loss.upper - loss.lower < 0.4);
        }
    CHECK(log_loss_probability(nectarcam(29e3, 308'000)).estimate ==
          Approx(log_loss_probability(nectarcam(29e3, 3000)).estimate).margin(0.005));
}

TEST_CASE("A queue that is walked through event by event loses as often as the chain says, below capacity and above") {
    // Lindley's recursion in doubles, with links that take no time, where an event finds ceil(work) frames.
    std::mt19937_64 random(1);
    for (const double load : {0.7, 0.95, 1.004, 1.05}) {
        const double modules = 20, room = 100, rate = load / modules;
        std::exponential_distribution<double> wait(rate);
        double work = 0, incomplete = 0, events = 0, batch = 0, squares = 0;
        constexpr int kBatches = 100, kEach = 20'000;
        for (int b = -1; b < kBatches; ++b, batch = 0) {
            for (int i = 0; i < kEach; ++i) {
                work = std::max(0.0, work - wait(random));
                const double admitted = std::min(modules, room - std::ceil(work));
                batch += admitted < modules;
                work += admitted;
            }
            if (b < 0) continue;  // the first batch begins empty
            incomplete += batch;
            squares += batch * batch;
            events += kEach;
        }
        const double mean = incomplete / kBatches,
                     error = std::sqrt((squares / kBatches - mean * mean) / kBatches) / kEach;
        const Enclosure loss = log_loss_probability({rate, 0, 0, 20, room}, 0.01);
        INFO("load " << load << ": " << incomplete / events << " +- " << error << ", chain " << std::exp(loss.lower)
                     << " to " << std::exp(loss.upper));
        CHECK(std::exp(loss.lower) < incomplete / events + 3.5 * error);
        CHECK(std::exp(loss.upper) > incomplete / events - 3.5 * error);
    }
}

TEST_CASE("The loss of a queue lies between that of its first losses and what would wait without limit") {
    for (const double rate : {500.0, 8000.0, 20000.0, 26000.0})
        for (const double room : {50.0, 200.0, 1000.0, 5000.0}) {
            const BatchQueue queue = nectarcam(rate, room);
            const Enclosure loss = log_loss_probability(queue, 0.2);
            INFO(rate << " Hz, room for " << room);
            CHECK(log_loss_lower_bound(queue, queue, 0.2) <= loss.upper);
            CHECK(log_loss_upper_bound(queue, 0.2) >= loss.lower);
            CHECK(log_loss_lower_bound(queue, queue, 0.2) > loss.lower - 8);
            if (rate > 500)
                CHECK(log_loss_upper_bound(queue, 0.2) <
                      loss.upper + 8);  // else links are the narrower way, and the bound less steep
        }
    // M/D/1 with an event of 10 frames and room for 30: as Erlang has it, P(W > 20).
    CHECK(log_loss_upper_bound({0.06, 0, 0, 10, 30}, 0.01) == Approx(std::log(m_d_1_tail(0.06, 10, 20))).margin(0.02));
    // Room for one event: the first loss of a cycle comes if a second event comes before the first has left, with 1 -
    // exp(-rate); and a cycle has 1 / (1 - rate) events.
    CHECK(log_loss_lower_bound({0.3, 0, 0, 1, 1}, {0.3, 0, 0, 1, 1}, 1e-3) ==
          Approx(std::log((1 - std::exp(-0.3)) * 0.7)).margin(0.002));
    CHECK(log_loss_lower_bound(nectarcam(29e3, 4000), nectarcam(29e3, 4000)) ==
          Approx(std::log(1 - 1 / nectarcam(29e3, 0).load())));
}

TEST_CASE(
    "Too little room and links that never pause always lose, and an uplink that keeps pace with the links never") {
    CHECK(log_loss_probability(nectarcam(8000, 43.9)).estimate == 0);
    CHECK(log_loss_probability(nectarcam(200e3, 4000)).lower ==
          0);  // 6.72 us on the link beside the dead time, 1.3 triggers
    CHECK(std::isinf(log_loss_probability({0.01, 0, 50, 44, 44}).upper));
}
