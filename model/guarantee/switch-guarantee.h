// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/base/frame.h"
#include "model/base/unsupported-key.h"
#include "model/guarantee/admitted-triggers.h"
#include "model/network/network.h"

namespace watershed {

/// Upper bounds on the frames of one class in the queue of an uplink; a scheduler gives each class a queue of its own.
struct ClassGuarantee {
    int traffic_class = 0;
    std::int64_t frames = 0, bytes = 0, units = 0;  ///< as in QueueGuarantee
    double delay_s = 0;                             ///< seconds, as in QueueGuarantee
};

/// Upper bounds on the occupancy and the delay of the queue of one uplink, with a memory of unlimited size.
struct QueueGuarantee {
    std::string name;  ///< name of the uplink in Network
    int modules = 0;   ///< number of modules whose frames the queue gets
    int streams = 0;   ///< number of streams whose frames the queue gets
    double load = 0;   ///< load of the uplink if triggers always come as fast as the rules allow; one train counts as 0
    bool bounded = true;                ///< true if bounds exist; else the numbers below are 0
    std::int64_t frames = 0;            ///< frames in memory
    std::int64_t bytes = 0, units = 0;  ///< memory of these frames, in bytes and in the unit of the memory's size
    std::int64_t by_input = 0;  ///< frames of one module in the queue, the module that is last in every order of ties
    int fullest_inputs = 0;     ///< modules that hold by_input frames at once; the others hold one less
    std::vector<int> inputs{};  ///< inputs of these modules, from 0; empty unless each keeps to one uplink
    double delay_s = 0;  ///< seconds from the arrival of a frame's last bit until this bit has left by the uplink
    std::vector<ClassGuarantee> classes{};  ///< highest class first; empty unless a scheduler separates classes
};

/// Upper bounds on one switch with a memory of unlimited size.
struct SwitchGuarantee {
    std::string name;
    Buffer buffer;  ///< memory in the scenario
    int inputs = 0;
    std::vector<QueueGuarantee> queues;  ///< queues of the uplinks, in the order of the uplinks
    bool bounded = true;                 ///< true if all queues have bounds
    std::int64_t frames = 0;             ///< frames of all queues together
    std::int64_t bytes = 0, units = 0;   ///< memory of these frames, in bytes and in the unit of the memory's size
    bool fits = false;  ///< true if the scenario's memory loses no frame, in any order of simultaneous ones
    /// Returns the least switch.buffer.size that fits, which takes a search; std::nullopt if no size does.
    std::function<std::optional<MemorySize>()> needed = [] { return std::optional<MemorySize>(); };
    std::optional<std::int64_t> kept{};  ///< frames that each queue takes whatever the others get (kept_frames())
};

/// Upper bound on the output FIFO of a module; the frame that is being sent counts.
struct FifoGuarantee {
    std::int64_t limit = 0;     ///< size of the FIFO in the scenario, frames
    bool bounded = true;        ///< true if a bound exists; else `frames` is 0
    std::int64_t frames = 0;    ///< upper bound, frames
    Time least_distance{0};     ///< least distance of triggers with a bound; used if many trains are admitted
    std::vector<Time> witness;  ///< triggers that reach the bound; used if many trains are admitted

    bool fits() const { return bounded && frames <= limit; }
};

/// Flow control of switches that pause the modules before them. All numbers are upper bounds.
struct PauseGuarantee {
    std::int64_t until_pause = 0;          ///< frames of an input in memory when it is told to pause
    std::int64_t after_pause = 0;          ///< frames of an input that still come then
    std::optional<std::int64_t> headroom;  ///< headroom of each input that is enough, frames; absent: none is
    double longest_s = 0;                  ///< seconds that a module stays paused
};

/// Upper bounds on a camera server with limits, see bound_server().
struct ServerGuarantee {
    bool bounded = false;              ///< true if the numbers below bound anything
    std::int64_t frames = 0;           ///< frames in the ring of an interface
    double delay_s = 0;                ///< seconds from a frame's last bit until a core has taken it
    double complete_s = 0;             ///< seconds from a trigger until its event is complete
    std::int64_t bytes = 0;            ///< payload in memory, of events that are not yet handed on
    std::optional<MemorySize> ring{};  ///< size of a ring in the scenario
    bool ring_fits = true;             ///< true if `frames` find room in it
    std::optional<Bytes> memory{};     ///< memory in the scenario
    bool in_time = true;               ///< true if no time-out strikes

    bool fits() const { return bounded && ring_fits && in_time && (!memory || bytes <= memory->count); }
};

/// Upper bounds on queues, delays and FIFOs of a scenario. They hold for every train of triggers that it admits, and
/// for every order of frames that come at one instant.
///
/// Arrivals. Consider one switch whose modules all send one frame per trigger, at the same instants. The link of a
/// module hands on frames at least one slot apart, so the k-th frame arrives at a_k = max_j (t_(k-j) + (j + 1) slot),
/// j >= 0. A rule t_k >= t_(k-n) + T on the triggers therefore holds for the arrivals, too, which keep the rule
/// (1, slot) in addition. Let g_k be the earliest train of arrivals: g_0 = 0, and each arrival is as early as the rules
/// allow. Let N(x) be the number of k with g_k <= x. No train has more than N(x) arrivals in a closed interval of
/// length x that begins with an arrival.
///
/// One queue. A queue gets m frames of each trigger. It sends one frame in s, after a latency of l. Let a frame come at
/// t, and let u be the arrival that began the uplink's busy period. If the frames of n triggers came in [u, t], the
/// queue holds m n - floor((t - u - l) / s) frames, and n <= N(t - u). So the queue never holds more than the maximum
/// over k of
///     m (k + 1) - floor(max(g_k - l, 0) / s),
/// and no frame stays longer than the maximum over k of l + m (k + 1) s - g_k (Cruz, IEEE Transactions on Information
/// Theory 37, 1991). If m n s <= T for some rule (n, T), no k with g_k > l + T increases a maximum. If no rule
/// satisfies this, no bound exists.
///
/// Token buckets. A bucket of n tokens, refilled by one per T, is the set of rules (n + j, (j + 1) T), j >= 0. Once the
/// earliest train has waited for a token, each later trigger comes at least T after its predecessor. If m s <= T, no
/// trigger but the first that comes after the latency increases a maximum then.
///
/// Exactness. The rules also hold for a train that runs backwards. In each interval that ends with its last trigger,
/// the reversed earliest train has as many triggers as any train. All queues hold their maximum at this trigger, so the
/// reversed train is the witness. The maximum of the sum of all queues is therefore exact, too. So is each queue under
/// a dynamic threshold: whichever frame of the last trigger comes last finds the fullest queue beside the fullest
/// memory. If the scenario admits one train alone, this train is followed trigger by trigger. If, in addition, uplinks
/// carry unequal numbers of modules and have a dynamic threshold, `fits` assumes that all queues reach their maxima at
/// the same time.
///
/// Modules out of step. Each module has a skew and a clock of its own, and a jitter of at most J. Let h_k be the
/// earliest triggers without the rule of the link or, for one train alone, the least distance of two triggers that are
/// k apart. Two frames of one module that are k apart arrive at least h_k - J apart, and neighbours at least a slot of
/// the fastest link apart. Their distance is therefore at least e_k = max(e_(k-1) + slot, h_k - J). With e in place of
/// g, the maxima above bound each queue, whatever the phases are; the sum of these bounds all queues together. A link
/// delays no frame with e_k = h_k - J. Once this holds for as many successive frames as the widest rule counts, later
/// frames increase no maximum. bound_mixed_queue() bounds queues with token buckets or with streams beside the camera
/// of any phase; behind_queue() then gives the frames that come to the next tier. Both also serve modules out of step
/// in several tiers.
///
/// Tiers of modules in step. Let L_k be the least distance of two frames of a queue that are k apart in the order of
/// arrival. The queue sends its k-th frame at d_k = max(a_k + l, d_(k-1)) + s = max_j (a_(k-j) + l + (j + 1) s). So
/// departing frames keep the distances L_k, like frames of a link above, and are at least e_k = max(e_(k-1) + s, L_k)
/// apart, e_0 = 0 (a shaper keeps what bounds its input: Le Boudec and Thiran, Network Calculus, 2001, section 1.5). A
/// lost frame makes none of these distances shorter. In a closed interval of length x, a queue of the next switch gets
/// at most as many frames as its links together have e_k <= x. The sorted e_k of these links are the L_k of that queue;
/// for a queue fed by m modules directly, L_k = g_(floor(k / m)). The queue never holds more than the maximum over k of
///     k + 1 - floor(max(L_k - l, 0) / s),
/// and no frame stays longer than the maximum over k of l + (k + 1) s - L_k. Consider a link behind m modules and a
/// rule (n, T): at most min(m n, ceil(T / s)) of its e_k lie between x and x + T. If the queue sends the sum of these
/// numbers over its links in no more than T, no k with L_k > l + T increases a maximum; otherwise no bound is claimed.
/// The bounds of tiers may not be reached: they assume that all links are fullest at the same time, and all queues
/// together.
struct Guarantee {
    FrameSizes frame{};  ///< first frame of a fragment
    std::vector<SwitchGuarantee> switches;
    std::optional<PauseGuarantee> pauses;   ///< flow control; std::nullopt if no switch has any
    std::optional<FifoGuarantee> fifo;      ///< FIFO of each module; std::nullopt if it has no limit
    std::optional<ServerGuarantee> server;  ///< server; std::nullopt if it has no limits
    std::vector<TriggerSpacing> spacings;   ///< rules on triggers, if many trains are admitted
    bool one_train = false;                 ///< true if the scenario admits one train alone
    bool exact = true;                      ///< true if some train reaches the bounds; false if perhaps none does
    bool tiers = false;                     ///< true if switches feed other switches
    bool streams = false;                   ///< true if streams come beside the camera
    bool kinds = false;                     ///< true if frames are of several kinds, added up whatever their phases
    bool turns = false;                     ///< true if frames take turns among uplinks that get unequally many
    bool shapers = false;                   ///< true if shapers of classes hold up frames
    bool other_places = false;              ///< true if frames may wait in other places, so that `exact` is false
    bool own_triggers = false;              ///< true if groups have triggers of their own; there is no witness then
    bool in_step = true;                    ///< true if all modules of a switch send at the same instants
    /// Triggers whose last one brings every queue to its maximum, or a FIFO that may lose frames to its own; empty if
    /// no bound exists.
    std::vector<Time> witness;
    bool bounded = true;     ///< true if all bounds exist
    Time least_distance{0};  ///< least distance of triggers with a bound; used if many trains are admitted

    /// Returns true if neither switches nor FIFOs nor the server can lose a frame.
    bool fits() const;
    /// Returns true if some train brings all queues to their bounds. A FIFO that loses frames prevents this: a lost
    /// frame comes to no queue.
    bool reached() const { return exact && (!fifo || fifo->fits()); }
    std::int64_t frames() const;  ///< Returns the bound of the fullest switch, frames.

    /// Returns the bounds of a scenario; std::nullopt if they do not cover it.
    /// @param why  receives the first key that is not covered
    /// @throws std::invalid_argument as Network, SwitchMemory and TriggerTrain do
    static std::optional<Guarantee> of(const NetworkScenario& scenario, UnsupportedKey* why = nullptr);
    /// Returns the bounds with `admitted` in place of the scenario's triggers.
    static std::optional<Guarantee> of(const NetworkScenario& scenario, AdmittedTriggers admitted,
                                       UnsupportedKey* why = nullptr);
};

}  // namespace watershed
