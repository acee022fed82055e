// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/ingest/capture.h"
#include "scenarios/text/loss-map.h"

/// What the camera server received, as rows of a loss map.
namespace watershed {

/// What a capture does not tell: what was sent.
struct SentBursts {
    int ports = 1;
    std::vector<Time> separations;     ///< one for all bursts, or one for each in the order of their capture
    std::vector<std::int64_t> events;  ///< likewise
    std::optional<Bytes> payload;      ///< nothing: that of the first fragment
    Time gap{1'000'000'000};           ///< a longer silence separates two bursts
    bool by_flow = false;              ///< do not look for event headers
};

/// Counts fragments by burst. Where a fragment bears the event header that names its event and module; without any, the
/// n-th packet of a flow within a burst is the n-th that arrived of that module. Fragments that belong to no burst that
/// was sent, or came before, go to the capture's refusals; what makes a row doubtful but may be true goes to its
/// warnings.
/// @throws InputError where the capture is not of what is said to have been sent, because then no row can be trusted:
/// nothing is left, more
///         events, modules or flows than expected, another payload, a silence within a burst, or a capture whose end is
///         missing; and for lists that do not suit the number of bursts
std::vector<LossMapRow> ingest(Capture& capture, const SentBursts& sent);

}  // namespace watershed
