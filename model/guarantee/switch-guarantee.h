// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/base/frame.h"
#include "model/base/unsupported-key.h"
#include "model/exact/engine.h"
#include "model/frontend/senders.h"
#include "model/network/network.h"

namespace watershed {

/// A rule on triggers: each comes at least `apart` after the one that is `triggers` before it. A token bucket lets
/// `triggers` come at once, and one more in each `apart`. Rules do not change if all times are shifted, or run
/// backwards.
struct TriggerSpacing {
    std::int64_t triggers = 1;
    Time apart{0};
    bool bucket = false;
};

/// Returns dead time and rules, except those on the level of a memory.
std::vector<TriggerSpacing> spacings_of(const Trigger& trigger);

/// The trains of triggers that a scenario admits: one alone, or all that keep their distances, without end.
struct AdmittedTriggers {
    static constexpr std::size_t kMost = 1'000'000;  ///< triggers that are followed at most

    std::vector<Time> train;               ///< the only train; empty if there are many
    std::vector<TriggerSpacing> spacings;  ///< rules of many trains

    bool are_many() const { return train.empty(); }

    /// @param why  the first key that is not understood
    /// @throws std::invalid_argument as TriggerTrain does
    static std::optional<AdmittedTriggers> of(const Senders& senders, UnsupportedKey* why = nullptr);
};

/// The most that an uplink ever holds of one class, which a scheduler gives a queue of its own.
struct ClassGuarantee {
    int traffic_class = 0;
    std::int64_t frames = 0, bytes = 0, units = 0;  ///< like those of QueueGuarantee
    double delay_s = 0;
};

/// The most that the queue of an uplink ever holds, and how long a frame of it waits at most.
struct QueueGuarantee {
    std::string name;         ///< name of the uplink in Network
    int modules = 0;          ///< modules whose frames it carries
    int streams = 0;          ///< streams whose frames it carries
    double load = 0;          ///< load of the uplink, if triggers come as fast as they may for ever; 0 for one train
    bool bounded = true;      ///< the numbers below exist
    std::int64_t frames = 0;  ///< frames in memory
    std::int64_t bytes = 0, units = 0;  ///< memory that they take, in bytes and in the unit of the memory's size
    std::int64_t by_input = 0;          ///< frames of one module among these, which is the last in any order of ties
    double delay_s = 0;  ///< time from the arrival of a frame's last bit until its last bit has left by the uplink
    std::vector<ClassGuarantee> classes{};  ///< classes from the highest on, where a scheduler tells several apart
};

/// A switch that leads to the server alone, in a memory without limit.
struct SwitchGuarantee {
    std::string name;
    Buffer buffer;  ///< memory that the scenario gives it
    int inputs = 0;
    std::vector<QueueGuarantee> queues;  ///< queues of its uplinks, in their order
    bool bounded = true;
    std::int64_t frames = 0;            ///< most frames that all queues hold together
    std::int64_t bytes = 0, units = 0;  ///< memory that these take
    bool fits = false;  ///< the scenario's memory loses no frame, whatever the order of those that come at one instant
    std::optional<MemorySize> needed;  ///< the least switch.buffer.size with which it fits, if there is one
};

/// The most that the output FIFO of a module ever holds, the frame that is being sent among it.
struct FifoGuarantee {
    std::int64_t limit = 0;  ///< frames that the scenario gives it
    bool bounded = true;     ///< `frames` exists
    std::int64_t frames = 0;
    Time least_distance{0};     ///< distance of triggers from which on a bound exists; for many trains
    std::vector<Time> witness;  ///< triggers that reach the bound; for many trains

    bool fits() const { return bounded && frames <= limit; }
};

/// Bounds that no train of triggers which a scenario admits exceeds, in no order of frames that come at one instant.
///
/// One switch, modules that send one frame each at the same instants. Each module's link hands on frames at least one
/// slot apart, and keeps all distances of triggers: if t_k >= t_(k-n) + T for the triggers, then for the arrivals, too,
/// since these are a_k = max_j (t_(k-j) + (j + 1) slot), j >= 0. So arrivals are again a train that keeps its
/// distances, with one more rule, (1, slot). Let g_k be the earliest such train that begins at g_0 = 0, each trigger as
/// early as the rules allow, and N(x) the number of its k with g_k <= x: no train has more in any interval of length x
/// that is closed and begins with an arrival.
///
/// A queue gets m frames of each trigger and sends one in s, after a latency of l. When a frame comes at t, let u be
/// the arrival with which the uplink's last busy time began: the queue holds m n - floor((t - u - l) / s) frames of the
/// n triggers in [u, t], with n <= N(t - u). So it never holds more than the maximum over k of
///     m (k + 1) - floor(max(g_k - l, 0) / s),
/// and a frame leaves at most l + m (k + 1) s - g_k after it came (Cruz, IEEE Transactions on Information Theory 37,
/// 1991). If m n s <= T for one rule (n, T), k beyond g_k = l + T adds nothing; if for none, no bound exists.
///
/// A token bucket of n, one in T, is all the rules (n + j, (j + 1) T), j >= 0. Once the earliest train has waited for a
/// token, each later trigger comes T or more after the one before it: if m s <= T, these add nothing.
///
/// Rules hold for a train that runs backwards as well. The earliest one, backwards, has in each interval that ends with
/// its last trigger as many as any: there all queues hold their most at once, and that is the witness. So the sum of
/// all queues is exact, too, and so is each queue of a dynamic threshold: whichever frame of the last trigger comes
/// last finds the fullest queue beside the fullest memory. Of one train alone all is followed trigger by trigger; where
/// its uplinks carry unlike numbers of modules and have a dynamic threshold, `fits` takes their fullest moments for
/// one.
///
/// Modules out of step: each has a skew and a clock of its own, and a jitter of at most J. Let h_k be the earliest
/// triggers without the rule of the link, or the least distance of two triggers of the only train that are k apart. Two
/// frames of one module that are k apart arrive at least h_k - J apart, and each at least a slot of the fastest link
/// after the one before: at least e_k = max(e_(k-1) + slot, h_k - J). With e in place of g the same maxima are bounds
/// for each queue, whatever the phases are; all queues together hold at most the sum. Once as many arrivals in a row
/// as the widest rule counts come when it wants, later ones add nothing. With token buckets, or with streams beside the
/// camera, whatever the phases of these are, bound_mixed_queue() tells what nothing exceeds, and behind_queue() what
/// comes to the next tier, as where modules out of step send through tiers.
///
/// Tiers of modules in step: let L_k be the least distance of two frames that come to a queue and are k apart in order.
/// It sends its k-th frame at d_k = max(a_k + l, d_(k-1)) + s, which is max_j (a_(k-j) + l + (j + 1) s), so that two
/// frames that leave keep L_k, too, as those of a link above do; they are at least e_k = max(e_(k-1) + s, L_k) apart,
/// e_0 = 0 (a shaper keeps what bounds its input: Le Boudec and Thiran, Network Calculus, 2001, section 1.5). A frame
/// that is lost takes none of these distances away. To a queue of the next switch all frames of its links come, in any
/// interval that is closed and as long as x at most as many as there are e_k <= x, of all links together. Sorted, these
/// are its L_k: for a queue fed by m modules L_k = g_(floor(k / m)). It never holds more than the maximum over k of
///     k + 1 - floor(max(L_k - l, 0) / s),
/// and a frame leaves at most l + (k + 1) s - L_k after it came. By a rule (n, T) at most m n more e_k are within x + T
/// than within x, for m modules behind a link, nor more than ceil(T / s). If, over all links, that many last no longer
/// than T, k beyond L_k = l + T adds nothing; otherwise no bound is claimed. Nothing may reach it: links that are
/// fullest at different times count as if they were so at once, and all queues together as if they were.
struct Guarantee {
    FrameSizes frame{};
    std::vector<SwitchGuarantee> switches;
    std::optional<FifoGuarantee> fifo;     ///< FIFO of each module, where it has a limit
    std::vector<TriggerSpacing> spacings;  ///< rules on triggers, where there are many trains
    bool one_train = false;                ///< the scenario admits one train alone
    bool exact = true;                     ///< some train reaches the bounds; else perhaps none does
    bool tiers = false;                    ///< switches feed others
    bool streams = false;                  ///< streams come beside the camera
    bool in_step = true;                   ///< all modules of a switch send at the same instants
    /// Triggers that reach every queue's most at their last one, or that of a FIFO which may lose some; nothing where
    /// there is no bound.
    std::vector<Time> witness;
    bool bounded = true;
    Time least_distance{0};  ///< distance of triggers from which on a bound exists; for many trains

    bool fits() const;
    /// Returns whether some train brings queues to their bounds: what a FIFO loses does not come to them.
    bool reached() const { return exact && (!fifo || fifo->fits()); }
    std::int64_t frames() const;  ///< frames in the fullest switch

    /// @param why  the first key that is not covered
    /// @throws std::invalid_argument as Network, SwitchMemory and TriggerTrain do
    static std::optional<Guarantee> of(const NetworkScenario& scenario, UnsupportedKey* why = nullptr);
    /// Returns the guarantee with these triggers instead of the scenario's.
    static std::optional<Guarantee> of(const NetworkScenario& scenario, AdmittedTriggers admitted,
                                       UnsupportedKey* why = nullptr);
};

/// Returns the scenario with these triggers instead of its own.
NetworkScenario with_triggers(NetworkScenario scenario, const std::vector<Time>& times);
/// Returns the scenario with a memory for `frames` frames and no rule, and FIFOs without limit.
NetworkScenario with_ample_memory(NetworkScenario scenario, std::int64_t frames);

/// Returns the first triggers, as early as dead time and rules of `rules` allow, of which the last one loses a frame in
/// the scenario's own memory and order of ties; std::nullopt if `limit` triggers lose none.
std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const NetworkScenario& scenario,
                                                       const Trigger& rules, std::int64_t limit);

}  // namespace watershed
