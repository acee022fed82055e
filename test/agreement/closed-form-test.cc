// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <sstream>
#include <tuple>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/network/network.h"
#include "model/ns3/engine/ns3-engine.h"
#include "model/switch/arrival-order.h"
#include "test/agreement/random-scenario.h"
#include "test/catch.h"

namespace watershed {
namespace {

/// A synchronous burst of M events of N fragments, one frame each, into a shared memory of B frames with one uplink.
/// A frame lasts t_in = 8 wire / R_in and t_out = 8 wire / R_out. The frames of event m arrive together at
///     a_m = (m-1) d + t_in   if d > t_in,   a_m = m t_in   otherwise,
/// and an uplink that is busy from a_1 on has sent floor((a_m - a_1) / t_out) frames by then: floor((m-1) r), r =
/// max(d, t_in) / t_out. All times are whole numbers of ps / (R_in R_out): no fraction is rounded.
class Burst {
  public:
    explicit Burst(const Scenario& scenario)
        : unit_(Wide{scenario.front_end.link_rate.count} * scenario.network_switch.uplink_rate.count),
          in_(slot(scenario) * scenario.network_switch.uplink_rate.count),
          out_(slot(scenario) * scenario.front_end.link_rate.count),
          separation_(scenario.trigger.separation.count() * unit_),
          modules_(scenario.front_end.modules),
          events_(*scenario.trigger.events),
          room_(scenario.network_switch.buffer.size.amount) {}

    Wide arrival(std::int64_t m) const { return std::max(in_, separation_) * (m - 1) + in_; }
    std::int64_t arrival_ps(std::int64_t m) const {
        return static_cast<std::int64_t>((arrival(m) + unit_ - 1) / unit_);
    }
    std::int64_t drained(Wide time) const { return static_cast<std::int64_t>(time / out_); }

    /// The first event m with m N - floor((m-1) r) > B, if any.
    std::optional<std::int64_t> first_lossy() const {
        for (std::int64_t m = 1; m <= events_; ++m)
            if (m * modules_ - drained(arrival(m) - arrival(1)) > room_) return m;
        return std::nullopt;
    }
    /// How many of its frames found room: B - ((m-1) N - floor((m-1) r)).
    std::int64_t found_room(std::int64_t m) const {
        return room_ - (m == 1 ? 0 : (m - 1) * modules_ - drained(arrival(m) - arrival(1)));
    }

    /// Trigger by trigger: q frames wait before event m, min(N, B - q) of it are stored, and an uplink that was idle
    /// begins anew.
    std::int64_t lost() const {
        std::int64_t stored = 0, sent = 0, lost = 0;
        Wide busy_since = 0;
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

    /// Whether some event arrives within the picosecond in which a frame leaves, or with it.
    bool is_close() const {
        for (std::int64_t m = 2; m <= events_; ++m) {
            const Wide rest = (arrival(m) - arrival(1)) % out_;
            if (rest < unit_ || rest > out_ - unit_) return true;
        }
        return false;
    }

  private:
    static Wide slot(const Scenario& scenario) {
        return Wide{8} * frames_of_fragment(scenario.frame).front().wire.count * 1'000'000'000'000;
    }

    Wide unit_, in_, out_, separation_;
    std::int64_t modules_, events_, room_;
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

TEST_CASE(
    "Both engines lose nothing exactly when m N - floor((m-1) r) <= B for every m, and else what the recursion over "
    "triggers loses") {
    int lossless = 0, lossy_later = 0, close = 0;
    for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
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
            REQUIRE(outcome.first_loss->frame ==
                    FrameId{*event, module_at(scenario, *event, burst.found_room(*event)), 0});
            REQUIRE(outcome.first_loss->time.count() == burst.arrival_ps(*event));
            lossy_later += *event > 1;
        } else {
            ++lossless;
        }
        close += burst.is_close();
        REQUIRE(outcome == ExactEngine().run(scenario));
        REQUIRE(outcome == ExactEngine(ExactEngine::Path::General).run(scenario));
        REQUIRE(outcome == run_event_driven(scenario, nullptr));
    }
    CHECK(lossless > 300);
    CHECK(lossy_later > 300);
    CHECK(close > 300);
}

// Two tiers, their links busy and idle in turn: a second simulation, of nothing but a list of arrivals for each switch.
// Modules of the first tier are spread over its switches, whose memory never fills; the uplinks meet at one switch with
// room for B frames.
TEST_CASE(
    "Behind a switch that sends at odd rates frames still leave before those that arrive at the same exact time") {
    int lossy = 0, lossless = 0;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        const Scenario scenario = random_two_tiers(seed);
        constexpr std::int64_t kStep = 10'000'000;  // of the rates
        const Wide in = scenario.front_end.link_rate.count / kStep,
                   up = scenario.network_switch.uplink_rate.count / kStep,
                   out = scenario.aggregation->uplink_rate.count / kStep;
        const Wide bits = Wide{8} * frames_of_fragment(scenario.frame).front().wire.count * (1'000'000'000'000 / kStep);
        const Wide unit = in * up * out;  // so many make a picosecond

        struct Arrival {
            Wide time;
            int input;
        };
        std::vector<Arrival> arrivals;
        for (int i = 0; i < scenario.network_switch.count; ++i) {
            const int modules = even_share(scenario.front_end.modules, scenario.network_switch.count, i);
            Wide link = 0, uplink = 0;
            for (std::int64_t event = 0; event < *scenario.trigger.events; ++event) {
                link = std::max(link, scenario.trigger.separation.count() * event * unit) + bits * up * out;
                for (int module = 0; module < modules; ++module) {
                    uplink = std::max(uplink, link) + bits * in * out;
                    arrivals.push_back({uplink, i});
                }
            }
        }
        std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
            return std::tie(a.time, a.input) < std::tie(b.time, b.input);
        });
        std::deque<Wide> departures;
        Wide end = 0;
        std::int64_t lost = 0;
        for (const Arrival& arrival : arrivals) {
            while (!departures.empty() && departures.front() <= arrival.time) departures.pop_front();
            if (static_cast<std::int64_t>(departures.size()) >= scenario.aggregation->buffer.size.amount) {
                ++lost;
                continue;
            }
            end = std::max(end, arrival.time) + bits * in * up;
            departures.push_back(end);
        }

        std::ostringstream text;
        text << scenario << "aggregation: " << scenario.aggregation->uplink_rate.count << " b/s, "
             << scenario.aggregation->buffer.size.amount << " frames";
        INFO(text.str());
        const Outcome outcome = Ns3Engine().run(scenario);
        REQUIRE(outcome.frames_lost() == lost);
        REQUIRE(outcome.simulated.count() ==
                static_cast<std::int64_t>((std::max(end, arrivals.back().time) + unit - 1) / unit));
        REQUIRE(outcome == ExactEngine().run(scenario));
        ++(lost > 0 ? lossy : lossless);
    }
    CHECK(lossy > 100);
    CHECK(lossless > 100);
}

}  // namespace watershed
