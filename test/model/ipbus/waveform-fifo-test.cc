// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/waveform-fifo.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A FIFO of 8192 B takes four waveforms of 2032 B, and a fifth once 1968 B of the first are gone") {
    // 8192 - 4 * 2032 = 64 B are free: a fifth needs 1968 B = 492 words more.
    WaveformFifo fifo(2048, 508);
    for (int i = 0; i < 4; ++i) CHECK(fifo.store());
    CHECK_FALSE(fifo.store());
    CHECK(fifo.take(491) == 0);
    CHECK_FALSE(fifo.store());
    CHECK(fifo.take(1) == 491);
    CHECK(fifo.store());
    CHECK(fifo.accepted() == 5);
    CHECK(fifo.rejected() == 2);
    CHECK(fifo.words() == 5 * 508 - 492);
}
