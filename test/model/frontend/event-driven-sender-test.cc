// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/event-driven-sender.h"

#include "test/catch.h"

namespace watershed {

// Frames of 1090 B last 8.72 us. The first, of class 0, is sent. Class 0 is told to pause until 50 us: of the others,
// the oldest of class 3 goes next, then nothing, then class 0 again in its order.
TEST_CASE("A sender told to pause one class sends the oldest frame of another") {
    FrontEnd front_end;
    front_end.modules = 1;
    EventDrivenSender sender(front_end, 1, 1, {});
    for (const int traffic_class : {0, 0, 3, 0})
        REQUIRE(sender.offer({{1, 1, 0}, Bytes{1090}, Time{0}, traffic_class}));
    REQUIRE(sender.start(Time{0}));
    CHECK(sender.place_of_sent() == 0);
    sender.pause(Time{1'000'000}, Time{50'000'000}, 0);
    CHECK(sender.end() == Time{8'720'000});  // a frame being sent is completed
    sender.finish();
    REQUIRE(sender.start(Time{8'720'000}));
    CHECK(sender.sent().traffic_class == 3);
    CHECK(sender.place_of_sent() == 1);
    sender.finish();
    CHECK(!sender.start(Time{17'440'000}));
    REQUIRE(sender.start(Time{50'000'000}));
    CHECK(sender.place_of_sent() == 0);
    CHECK(sender.end() == Time{58'720'000});
    sender.finish();
    sender.pause(Time{58'720'000}, Time{70'000'000});
    CHECK(!sender.start(Time{58'720'000}));
    sender.pause(Time{60'000'000}, Time{60'000'000});
    REQUIRE(sender.start(Time{60'000'000}));
    CHECK(sender.begin() == Time{60'000'000});
}

// A frame that nothing waits for has left by itself, until another is offered while it is being sent.
TEST_CASE("A sender asks to be told of the end of a frame for which another waits, once") {
    EventDrivenSender sender(FrontEnd{}, 1, 1, {});
    REQUIRE(sender.offer({{1, 1, 0}, Bytes{1090}, Time{0}}));
    REQUIRE(sender.start(Time{0}));
    CHECK(!sender.needs_finish());
    sender.finish_until(Time{8'719'999});
    CHECK(!sender.start(Time{8'719'999}));
    sender.finish_until(Time{8'720'000});
    REQUIRE(sender.offer({{2, 1, 0}, Bytes{1090}, Time{8'720'000}}));
    REQUIRE(sender.start(Time{8'720'000}));
    REQUIRE(sender.offer({{3, 1, 0}, Bytes{1090}, Time{9'000'000}}));
    CHECK(sender.needs_finish());
    CHECK(!sender.needs_finish());
    sender.finish_until(Time{20'000'000});
    CHECK(!sender.start(Time{20'000'000}));
    sender.finish();
    CHECK(sender.start(Time{20'000'000}));
}

// The second frame waits for 10 us after the end of the first at 8.72 us; that time is told once.
TEST_CASE("A sender keeps the gap before a frame and tells when it is over") {
    EventDrivenSender sender(FrontEnd{}, 1, 1, {});
    REQUIRE(sender.offer({{1, 1, 0}, Bytes{1090}, Time{0}, 0}));
    REQUIRE(sender.offer({{1, 1, 1}, Bytes{1090}, Time{0}, 0, Time{10'000'000}}));
    REQUIRE(sender.start(Time{0}));
    sender.finish();
    CHECK(!sender.start(Time{8'720'000}));
    CHECK(sender.gap_over() == Timestamp(Time{18'720'000}));
    CHECK(!sender.start(Time{9'000'000}));
    CHECK(!sender.gap_over());
    REQUIRE(sender.start(Time{18'720'000}));
    CHECK(sender.begin() == Time{18'720'000});
}

// The second frame, of class 4, waits for 10 us after the end of the first at 8.72 us. At 11.392 us its class is told
// to pause: a frame of class 7 is ready then, but the link sends nothing before the gap is over at 18.72 us. Behind it
// the second frame has had its gap; the third waits for its own, from 28.112 to 38.112 us.
TEST_CASE("A pause of the class that waits for a gap does not end the gap") {
    EventDrivenSender sender(FrontEnd{}, 1, 1, {});
    REQUIRE(sender.offer({{1, 1, 0}, Bytes{1090}, Time{0}, 4}));
    REQUIRE(sender.offer({{1, 1, 1}, Bytes{1090}, Time{0}, 4, Time{10'000'000}}));
    REQUIRE(sender.start(Time{0}));
    REQUIRE(sender.offer({{1, 1, 2}, Bytes{1090}, Time{0}, 4, Time{10'000'000}}));
    REQUIRE(sender.offer({{0, 0, 0, 1}, Bytes{84}, Time{1'000'000}, 7}));
    sender.finish();
    CHECK(!sender.start(Time{8'720'000}));
    sender.pause(Time{11'392'000}, Time{19'000'000}, 4);
    CHECK(!sender.start(Time{11'392'000}));
    REQUIRE(sender.start(Time{18'720'000}));
    CHECK(sender.sent().traffic_class == 7);
    CHECK(sender.begin() == Time{18'720'000});
    CHECK(sender.end() == Time{19'392'000});
    sender.finish();
    REQUIRE(sender.start(Time{19'392'000}));
    CHECK(sender.begin() == Time{19'392'000});
    CHECK(sender.end() == Time{28'112'000});
    sender.finish();
    CHECK(!sender.start(Time{28'112'000}));
    REQUIRE(sender.start(Time{38'112'000}));
    CHECK(sender.begin() == Time{38'112'000});
}

}  // namespace watershed
