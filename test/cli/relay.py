# SPDX-License-Identifier: GPL-2.0-only
"""A queue between two interfaces, for kernels without RED, CoDel, random loss and policers: real frames come in by one, what the queue keeps goes out by the other.

What it keeps follows from the times at which the kernel received the frames, not from those at which a busy machine lets it look; it hands them on when their last bit
would have left.

    relay.py IN OUT tail|red|codel|random|police|late RATE DEPTH      bits per second and bytes
"""

import collections
import math
import random
import select
import socket
import struct
import sys
import time

ETH_P_ALL, SO_TIMESTAMPNS, SO_RCVBUFFORCE, PACKET_OUTGOING = 3, 35, 33, 4


class Queue:
    """The time of a frame is that of its last bit; departures come before arrivals."""

    def __init__(self, kind, rate, depth):
        self.kind, self.rate, self.depth = kind, rate, depth
        self.held, self.seen, self.average, self.random = 0.0, None, 0.0, random.Random(1)

    def keeps(self, size, now):
        if self.seen is not None:
            idle = self.held <= 0
            self.held = max(0.0, self.held - (now - self.seen) * self.rate / 8)
            if idle:   # as Floyd and Jacobson let the average fall while nothing is sent
                self.average *= 0.998 ** ((now - self.seen) * self.rate / 8 / 1000)
        self.seen = now
        self.average += 0.002 * (self.held - self.average)
        if self.kind == 'random' and self.random.random() < 0.01:
            return False
        if self.kind == 'red':
            least, most = 0.2 * self.depth, 0.6 * self.depth
            share = (self.average - least) / (most - least)
            if share >= 1 or self.random.random() < 0.1 * share:
                return False
        if self.held + size > self.depth:
            return False
        self.held += size
        return True


class CoDel:
    """Frames that waited for more than 5 ms, for 100 ms on end, are dropped as they leave: the next after 100 ms / sqrt(n) (RFC 8289). One queue, served when its turn is due."""
    TARGET, INTERVAL = 0.005, 0.1

    def __init__(self, rate, depth):
        self.rate, self.depth, self.held = rate, depth, 0
        self.queue, self.free, self.first_above, self.next, self.count, self.dropping = collections.deque(), 0.0, None, 0.0, 0, False

    def add(self, arrived, frame):
        if self.held + len(frame) <= self.depth:
            self.held += len(frame)
            self.queue.append((arrived, frame))

    def drops(self, arrived, now):
        above = now - arrived >= self.TARGET and self.held > 1500
        if not above:
            self.first_above, self.dropping = None, False
            return False
        self.first_above = self.first_above or now + self.INTERVAL
        if not self.dropping and now >= self.first_above:
            recently = self.count > 2 and now - self.next < 16 * self.INTERVAL
            self.dropping, self.count, self.next = True, self.count - 2 if recently else 1, now
        elif not self.dropping or now < self.next:
            return False
        else:
            self.count += 1
        self.next += self.INTERVAL / math.sqrt(self.count)
        return True

    def leaves(self, until):
        """Frames that begin to leave until then, each with the time of its last bit."""
        while self.queue and max(self.queue[0][0], self.free) <= until:
            arrived, frame = self.queue.popleft()
            begins = max(arrived, self.free)
            dropped = self.drops(arrived, begins)
            self.held -= len(frame)
            if not dropped:
                self.free = begins + 8 * len(frame) / self.rate
                yield self.free, frame


def main():
    name_in, name_out, kind, rate, depth = sys.argv[1:]
    queue = (CoDel if kind == 'codel' else lambda *sizes: Queue(kind, *sizes))(float(rate), float(depth))
    source = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    source.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 256 << 20)
    source.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    source.bind((name_in, ETH_P_ALL))
    sink = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    sink.bind((name_out, 0))
    print('ready', flush=True)
    waiting, free = collections.deque(), 0.0
    while True:
        now = time.time()
        if kind == 'codel':
            waiting.extend(queue.leaves(now))
        while waiting and waiting[0][0] <= now:
            sink.send(waiting.popleft()[1])
        soon = waiting[0][0] if waiting else queue.free if kind == 'codel' and queue.queue else None
        if not select.select([source], [], [], soon and max(0.0, soon - now))[0]:
            continue
        frame, ancillary, _, address = source.recvmsg(2048, 64)
        if address[2] == PACKET_OUTGOING or frame[12:14] != b'\x08\x00':
            continue
        seconds, nanoseconds = struct.unpack('qq', ancillary[0][2])
        arrived = seconds + nanoseconds / 1e9
        if kind == 'codel':
            queue.add(arrived, frame)
        elif queue.keeps(len(frame), arrived):
            free = max(arrived, free) + 8 * len(frame) / queue.rate
            waiting.append(((arrived if kind == 'police' else free) + (0.5 if kind == 'late' else 0), frame))


main()
