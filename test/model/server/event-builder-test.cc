// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/event-builder.h"

#include <string>

#include "test/catch.h"

using namespace watershed;

namespace {

/// A builder of events of two frames of 100 B, and what it says of them.
class Built {
  public:
    explicit Built(const Receiver& receiver)
        : builder_(receiver, {[this](const std::vector<FrameId>& frames) { received += frames.size(); },
                              [this](const FrameId& frame, Time time, const LossCause& cause) {
                                  losses += std::to_string(frame.event) + "." + std::to_string(frame.module) + " " +
                                            std::string(cause.reason) + " at " + std::to_string(time.count()) + "; ";
                              },
                              [](std::int64_t) { return 2; }, [](Time) {}}) {}

    void frame(std::int64_t event, int module, std::int64_t now) {
        builder_.add(
            {event, module, 0}, Bytes{100}, [&] { return Time{event}; }, Time{now});
    }
    Outcome::Server finish() {
        builder_.finish();
        Outcome::Server server;
        builder_.report(server);
        return server;
    }

    std::size_t received = 0;
    std::string losses;

  private:
    EventBuilder builder_;
};

Receiver with_timeout(std::int64_t ps) {
    Receiver receiver;
    receiver.timeout = Time{ps};
    return receiver;
}

}  // namespace

TEST_CASE("An event is complete with its last frame, so long after its trigger") {
    Built built{Receiver{}};
    built.frame(1, 1, 10);
    built.frame(2, 2, 11);
    built.frame(2, 1, 12);
    built.frame(1, 2, 20);
    const auto server = built.finish();
    CHECK(server.completions == std::vector<Outcome::Completion>{{2, Time{2}, Time{12}}, {1, Time{1}, Time{20}}});
    CHECK(server.completions.front().latency() == Time{10});
    CHECK(server.memory.peak() == 300);  // event 2 closes at 12 with its second frame, as the third there is
    CHECK(server.memory.drained() == Time{20});
    CHECK(built.received == 4);
}

TEST_CASE("A frame in the last instant of its event's time completes it, one after it is lost") {
    Built built(with_timeout(100));
    built.frame(1, 1, 0);
    built.frame(2, 1, 1);
    built.frame(1, 2, 100);
    built.frame(2, 2, 102);
    const auto server = built.finish();
    CHECK(server.completions.size() == 1);
    CHECK(server.timed_out == 1);
    CHECK(built.losses == "2.2 timeout at 102; ");
    CHECK(built.received == 3);  // the first of event 2 is handed on as it is
}

TEST_CASE("Discarded events lose what they had when their time was out") {
    Receiver receiver = with_timeout(100);
    receiver.keep_incomplete = false;
    Built built(receiver);
    built.frame(1, 1, 0);
    built.frame(2, 1, 500);
    built.frame(1, 2, 510);
    built.finish();
    CHECK(built.losses == "1.1 timeout at 100; 1.2 timeout at 510; 2.1 timeout at 600; ");
    CHECK(built.received == 0);
}

TEST_CASE("A frame that finds no memory is lost, and an event that waits for ever keeps its own") {
    Receiver receiver;
    receiver.memory = Bytes{200};
    Built built(receiver);
    built.frame(1, 1, 0);
    built.frame(2, 1, 1);
    built.frame(3, 1, 2);
    const auto server = built.finish();
    CHECK(built.losses == "3.1 memory-full at 2; ");
    CHECK(built.received == 2);
    CHECK(server.open == 2);
    CHECK(server.memory.recovering());
}

TEST_CASE("Events leave one after the other, and their memory with them") {
    Receiver receiver;
    receiver.output_rate = BitRate{8'000'000'000'000};  // a byte each picosecond: 200 ps an event
    Built built(receiver);
    built.frame(1, 1, 0);
    built.frame(1, 2, 10);
    built.frame(2, 1, 20);
    built.frame(2, 2, 30);
    const auto server = built.finish();
    CHECK(server.memory.peak() == 400);
    CHECK(server.memory.fullest() == Time{30});
    CHECK(server.memory.drained() == Time{10 + 200 + 200});
}
