// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/fit/fit.h"
#include "calibrate/posterior/parameter-posterior.h"

/// Kinds of memory that a map cannot tell apart: they hold the same frames, in another unit.
namespace watershed {

/// For each kind the place of one before it of which the same is to be said, where all bursts have frames of one size.
std::vector<std::optional<std::size_t>> alike_kinds(const std::vector<ModelFit>& kinds,
                                                    const std::vector<Burst>& bursts);

/// What is known of one kind, said of another that is alike: of all depths that hold as many frames, each is as likely.
ParameterPosterior in_unit_of(const QueueModel& model, const QueueModel& other, const Burst& any,
                              ParameterPosterior posterior);

/// Where nothing was lost all kinds of memory have the same peaks, but for what a frame takes: they get the evidence of
/// the first of them.
void leave_open_what_no_peak_tells(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts);

}  // namespace watershed
