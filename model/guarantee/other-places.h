// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/guarantee/switch-guarantee.h"
#include "model/switch/switch.h"

/// Places in which frames wait beside one queue for each uplink.
namespace watershed {

/// Second tier of a memory (Buffer::dram).
struct SecondTier {
    MemorySize size, from;        ///< as Buffer::dram and Buffer::dram_from
    BitRate rate{0};              ///< as Buffer::dram_rate
    std::int64_t in_writing = 0;  ///< upper bound on the frames that wait to be written, or are
};

/// Returns an upper bound on the time in which a frame is written to the second tier: as if all that its link carries
/// were written.
inline TransmissionTime writing_time(const SecondTier& tier, const FrameSizes& frame) {
    return TransmissionTime::of(frame.wire, tier.rate);
}

/// Places of a switch that its bounds cover.
struct OtherPlaces {
    bool by_turns = false;       ///< virtual output queues: uplinks serve inputs in turn
    bool before_memory = false;  ///< input FIFOs: what the memory refuses may wait
    std::optional<SecondTier> tier{};
};

/// Returns a switch without those of its other places that the theorems below cover.
///
/// Cut-through. No frame cuts through to an uplink that is faster than the frame's link.
///
/// Input FIFOs. As long as the memory takes every frame, none waits before it. So a memory that fits without input
/// FIFOs loses nothing with them; one that does not may lose nothing either.
///
/// Virtual output queues. All frames have one size, so an uplink that never idles while a frame is ready has sent as
/// many frames at any time as first in, first out. Let a frame be number k, from 0, of its input's since this input had
/// none at the uplink. Until it has left, each of the m inputs has had at most k + 1 turns. So it has left after
/// k + 1 turns (m frames each) and the latency, counted from the first of these frames: its delay is at most
/// l + m (k + 1) s - e_k, as in Guarantee. Of the input there are only frames that came since, as if a queue were
/// served first in, first out (bound_out_of_step()). Modules in step: a frame of each comes at once, so a round of
/// turns serves the frames of one trigger, and no number of frames changes. But turns choose which modules' frames of
/// the oldest trigger have left.
///
/// Second tier. See conclude_two_tiers().
/// @param fastest  fastest link that leads to the switch
/// @param alone    true if only modules whose frames have one size and that keep to one uplink each send to it, and it
///                 feeds no other switch
/// @param places   receives what was removed
Switch with_one_queue(Switch whole, BitRate fastest, bool alone, OtherPlaces& places);

/// Returns true if a queue may hold more than it may keep in the first tier.
bool uses_second_tier(const SwitchGuarantee& guarantee, const SecondTier& tier, Bytes frame);

/// Compares the queues of a switch with a memory of two tiers.
///
/// All frames that move are written one after the other. The writer is a queue that gets no more than all frames of the
/// switch; its bounds are in_writing and a delay D. A frame may leave once its latency l has passed and it is written:
/// at most max(l, D) after it came. First in, first out, no frame leaves later than if all had this latency, so the
/// queues hold no more than with it.
///
/// The first tier holds of each queue at most `from`, because a frame that would exceed this moves, and the frames that
/// are not yet written. The second tier holds at most the frames of the queues that may exceed `from`.
/// @param guarantee  bounds with the latency max(l, D); receives `fits` and `needed`
/// @param frame      size of a frame in the memory
void conclude_two_tiers(SwitchGuarantee& guarantee, const SecondTier& tier, Bytes frame);

}  // namespace watershed
