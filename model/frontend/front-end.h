// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>

#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/frontend/output-fifo.h"
#include "model/frontend/senders.h"

namespace watershed {

/// Constant times of one module during a run, drawn once from the scenario and its seed.
struct ModuleTiming {
    Time skew{0};              ///< delay of its triggers
    ClockTolerance tolerance;  ///< deviation of its link's clock
};
ModuleTiming module_timing(const FrontEnd& front_end, std::uint64_t seed, int module);

/// True if every module sends every fragment at the same instants.
bool is_synchronous(const FrontEnd& front_end);

/// When the fragments of one module are ready, after its trigger's delay.
class FragmentTiming {
  public:
    /// @param module from 1
    FragmentTiming(const FrontEnd& front_end, std::uint64_t seed, int module);

    /// When the fragment of this event asks for a place in the FIFO. Fragments never overtake each other:
    /// call it once per event, in order.
    Time offer_time(std::int64_t event, Time trigger) {
        Time time = trigger + skew_;
        if (jitter_ != Time{0})
            time += Time{uniform_up_to(jitters_(static_cast<std::uint64_t>(event)), jitter_.count())};
        last_offer_ = std::max(last_offer_, time);
        return last_offer_;
    }

  private:
    Draws jitters_;  ///< by event
    Time skew_;
    Time jitter_;
    Time last_offer_{0};
};

/// The output port of one module: a FIFO in front of a link.
class FrontEndPort {
  public:
    static constexpr LossCause kFifoFull{"front-end", "fifo-full"};

    /// @param module from 1
    /// @param grid   of the times that offer() gives
    FrontEndPort(const FrontEnd& front_end, std::uint64_t seed, int module, TimeGrid grid = {})
        : timing_(front_end, seed, module),
          fifo_(front_end.link_rate, module_timing(front_end, seed, module).tolerance, front_end.fifo, grid) {}

    Time offer_time(std::int64_t event, Time trigger) { return timing_.offer_time(event, trigger); }
    /// @return when the frame has arrived at the far end, or nothing if the FIFO was full
    /// @param gap  that the link keeps after the frame before
    std::optional<Timestamp> offer(Time now, Bytes wire, Time gap = Time{0}) {
        return fifo_.offer(now, wire, now, gap);
    }
    /// When the last frame taken begins to be sent.
    Timestamp begin() const { return fifo_.begin(); }
    /// When the last frame taken has left.
    Timestamp free() const { return fifo_.free(); }

  private:
    FragmentTiming timing_;
    OutputFifo fifo_;
};

}  // namespace watershed
