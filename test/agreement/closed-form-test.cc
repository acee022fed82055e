// SPDX-License-Identifier: GPL-2.0-only
#include "test/catch.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <vector>

#include "model/arrival-order.h"
#include "model/ns3/ns3-engine.h"
#include "random-scenario.h"

namespace watershed {
namespace {

/// A synchronous burst of M events of N fragments, one frame each, into a shared memory of B frames with one uplink.
/// With t = 8 wire / rate, a frame's exact time on a link, the frames of event m arrive together at
///     a_m = (m-1) d + ceil(t_in)   if d > t_in,   a_m = ceil(m t_in)   otherwise,
/// and an uplink that is busy from a_1 on has sent floor((a_m - a_1) / t_out) frames by then: floor((m-1) r), r = max(d, t_in) / t_out.
class Burst {
  public:
    explicit Burst(const Scenario& scenario)
        : bits_(8 * frames_of_fragment(scenario.frame).front().wire.count),
          in_(scenario.front_end.link_rate.count),
          out_(scenario.network_switch.uplink_rate.count),
          separation_(scenario.trigger.separation.count()),
          modules_(scenario.front_end.modules),
          events_(*scenario.trigger.events),
          room_(scenario.network_switch.buffer.size.amount) {}

    std::int64_t arrival(std::int64_t m) const {
        const bool queued = Wide{separation_} * in_ <= bits_ * kPicoseconds;
        const Wide slots = queued ? m : 1;
        return static_cast<std::int64_t>((slots * bits_ * kPicoseconds + in_ - 1) / in_ + (queued ? 0 : (m - 1) * separation_));
    }
    std::int64_t drained(std::int64_t time) const { return static_cast<std::int64_t>(Wide{time} * out_ / (bits_ * kPicoseconds)); }

    /// The first event m with m N - floor((m-1) r) > B, if any.
    std::optional<std::int64_t> first_lossy() const {
        for (std::int64_t m = 1; m <= events_; ++m)
            if (m * modules_ - drained(arrival(m) - arrival(1)) > room_) return m;
        return std::nullopt;
    }
    /// How many of its frames found room: B - ((m-1) N - floor((m-1) r)).
    std::int64_t found_room(std::int64_t m) const { return room_ - (m == 1 ? 0 : (m - 1) * modules_ - drained(arrival(m) - arrival(1))); }

    /// Trigger by trigger: q frames wait before event m, min(N, B - q) of it are stored, and an uplink that was idle begins anew.
    std::int64_t lost() const {
        std::int64_t stored = 0, sent = 0, busy_since = 0, lost = 0;
        for (std::int64_t m = 1; m <= events_; ++m) {
            sent = std::min(stored, drained(arrival(m) - busy_since));
            if (sent == stored) {
                stored = sent = 0;
                busy_since = arrival(m);
            }
            const std::int64_t taken = std::min<std::int64_t>(modules_, room_ - (stored - sent));
            stored += taken;
            lost += modules_ - taken;
        }
        return lost;
    }

  private:
    static constexpr Wide kPicoseconds = 1'000'000'000'000;
    Wide bits_, in_, out_;
    std::int64_t separation_, modules_, events_, room_;
};

/// The module whose frame is the n-th (from 0) of those of an event that arrive together.
int module_at(const Scenario& scenario, std::int64_t event, std::int64_t n) {
    const int modules = scenario.front_end.modules;
    const ArrivalRank rank(scenario.network_switch.arrival_order, modules, scenario.seed);
    std::vector<int> order(static_cast<std::size_t>(modules));
    std::iota(order.begin(), order.end(), 1);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return rank(event, a) < rank(event, b); });
    return order[static_cast<std::size_t>(n)];
}

}  // namespace

TEST_CASE("ns-3 loses nothing exactly when m N - floor((m-1) r) <= B for every m, and else what the recursion over triggers loses") {
    int lossless = 0, lossy_later = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        const Scenario scenario = random_burst(seed);
        const Burst burst(scenario);
        const Outcome outcome = Ns3Engine().run(scenario);
        std::ostringstream text;
        text << scenario;
        INFO(text.str());

        const auto event = burst.first_lossy();
        REQUIRE(outcome.first_loss.has_value() == event.has_value());
        REQUIRE(outcome.frames_lost() == burst.lost());
        if (event) {
            REQUIRE(outcome.first_loss->frame == FrameId{*event, module_at(scenario, *event, burst.found_room(*event)), 0});
            REQUIRE(outcome.first_loss->time.count() == burst.arrival(*event));
            lossy_later += *event > 1;
        } else {
            ++lossless;
        }
    }
    CHECK(lossless > 300);
    CHECK(lossy_later > 300);
}

}  // namespace watershed
