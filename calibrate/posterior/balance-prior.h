// SPDX-License-Identifier: GPL-2.0-only
#pragma once

/// What is believed, before a burst-absorption table is read, of a limit on the number of frames beside memory.
///
/// Memory and descriptors of one switch are dimensioned for each other: what is likely is the memory for each
/// descriptor, in bytes. Frames that need less are limited by descriptors, frames that need more by memory. Of a limit
/// that no row shows this says where it may lie.
namespace watershed {

struct BalancePrior {
    /// That a switch limits the number of frames at all: three of the five of Miercom's report 100827 do.
    static constexpr double kDescriptors = 0.4;

    /// Per factor e of memory for each descriptor.
    static double density(double bytes);
    /// That there are fewer bytes of memory for each descriptor than these.
    static double below(double bytes);
};

}  // namespace watershed
