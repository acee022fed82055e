// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/exact/event-queue.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/stream-train.h"

namespace watershed {

/// The streams beside a camera: which frame is ready when, on which of SenderPorts, and what their links have carried.
/// They count from 1.
class EventDrivenStreams {
  public:
    EventDrivenStreams(const Senders& senders, const SenderPorts& ports) {
        if (senders.traffic.empty()) return;
        const Time end = end_of_camera(senders);
        for (const TrafficStream& stream : senders.traffic)
            streams_.push_back({StreamTrain(stream, senders.frame, stream.stop.value_or(end), senders.seed),
                                frame_of_stream(stream, senders.frame), stream.traffic_class,
                                ports.of_stream(static_cast<int>(streams_.size()) + 1)});
    }

    int count() const { return static_cast<int>(streams_.size()); }
    int port(int stream) const { return at(stream).port; }
    /// The next frame of a stream; nothing after the last.
    std::optional<SentFrame> next(int number) {
        Stream& stream = at(number);
        const auto ready = stream.train.next();
        if (!ready) return std::nullopt;
        return SentFrame{
            {++stream.frames, 0, 0, number}, stream.sizes.buffer, stream.sizes.wire, *ready, stream.traffic_class};
    }
    /// What is known of a frame of theirs.
    SentFrame frame(const FrameId& id, Time ready) const {
        const Stream& stream = at(id.stream);
        return {id, stream.sizes.buffer, stream.sizes.wire, ready, stream.traffic_class};
    }
    void carried(const FrameId& frame) { ++at(frame.stream).carried; }
    /// Adds what the modules' links have carried of them.
    void add_to(std::vector<Outcome::Link>& module_links) const {
        for (const Stream& stream : streams_) {
            if (stream.port >= static_cast<int>(module_links.size())) continue;
            Outcome::Link& link = module_links[static_cast<std::size_t>(stream.port)];
            link.frames += stream.carried;
            link.wire += stream.sizes.wire * stream.carried;
        }
    }

  private:
    struct Stream {
        StreamTrain train;
        FrameSizes sizes;
        int traffic_class;
        int port;
        std::int64_t frames = 0;   ///< ready so far
        std::int64_t carried = 0;  ///< by its link
    };

    Stream& at(int number) { return streams_[static_cast<std::size_t>(number - 1)]; }
    const Stream& at(int number) const { return streams_[static_cast<std::size_t>(number - 1)]; }

    std::vector<Stream> streams_;
};

}  // namespace watershed
