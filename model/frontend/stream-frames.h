// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/timestamp.h"
#include "model/frontend/senders.h"

/// Frames of a stream beside the camera, whenever they come.
namespace watershed {

/// Returns the sizes of a frame of a stream. A stream sends datagrams that fit into a frame.
/// @throws std::invalid_argument as frames_of_fragment() does
FrameSizes frame_of_stream(const TrafficStream& stream, const FrameFormat& format);

/// Returns the rate of the link of a stream: its own, or its module's.
BitRate link_of_stream(const TrafficStream& stream, const Senders& senders);

/// Returns the time between two frames of a stream that comes at a rate; 0 for one without a rate.
TransmissionTime interval_of(const TrafficStream& stream, const FrameFormat& format);

/// Numbers of the streams' rhythms, the camera's first: those of one number, if it is not 0, send equally often with
/// neither clock nor jitter, so that their order never changes.
std::vector<int> rhythms_of(const std::vector<TrafficStream>& streams);

}  // namespace watershed
