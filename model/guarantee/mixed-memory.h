// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/guarantee/switch-guarantee.h"

/// Memories with rules of outputs and classes, in which frames of several sizes wait.
namespace watershed {

/// Frames that one account of a memory holds at most: those of a queue or, with a scheduler, of one class in it.
struct HeldFrames {
    int output = 0, traffic_class = 0;
    std::int64_t units = 0;  ///< memory of these frames, in the unit of the memory's size
    std::int64_t least = 0;  ///< memory of the smallest of them
};

/// Returns the first key of the memory that is not covered, if frames of several sizes come or a scheduler separates
/// classes.
UnsupportedKey obstacle_of_accounts(const Buffer& buffer);

/// Returns true if a memory loses no frame, whatever their sizes.
///
/// Up to its first loss a switch behaves as with unlimited memory. Let U_q be a bound on what account q holds there. A
/// frame of size c comes to q only if h_q + c <= U_q, and all others then hold h_o <= U_o. Rules of outputs compare
/// the content of the account, with the frame or without it, with a limit that does not rise with what others hold
/// (SharingPolicy::is_monotone). Each of these amounts is largest if h_o = U_o and h_q = U_q - c, and c is the smallest
/// frame of q. A memory that grants this frame to each q therefore loses none. For frames of one size this is
/// takes_all(). A port's limit, and descriptors, are compared with the bounds of queues in the units of theirs.
/// @param by_class  true: each class of an output has an account of its own
bool takes_all(const SwitchGuarantee& guarantee, const std::vector<HeldFrames>& accounts, bool by_class,
               const Buffer& buffer);

}  // namespace watershed
