// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/transmission-time.h"
#include "model/frontend/senders.h"

/// What a stream beside the camera is to a switch, whenever its frames come.
namespace watershed {

/// What a frame of a stream costs. A stream sends datagrams that fit into a frame.
/// @throws std::invalid_argument as frames_of_fragment() does
FrameSizes frame_of_stream(const TrafficStream& stream, const FrameFormat& format);

/// The link of a stream.
BitRate link_of_stream(const TrafficStream& stream, const FrontEnd& front_end);

/// Between two frames of a stream that comes at a rate; 0 of one that has none.
TransmissionTime interval_of(const TrafficStream& stream, const FrameFormat& format);

/// Numbers of the streams' rhythms, the camera's first: those of one number, if it is not 0, send equally often with
/// neither clock nor jitter, so that their order never changes.
std::vector<int> rhythms_of(const std::vector<TrafficStream>& streams);

}  // namespace watershed
