# SPDX-License-Identifier: GPL-2.0-only
"""A queue between two interfaces, for kernels without RED, random loss and policers: real frames come in by one, what the queue keeps goes out by the other.

What it keeps follows from the times at which the kernel received the frames, not from those at which a busy machine lets it look; it hands them on when their last bit
would have left.

    relay.py IN OUT tail|red|random|police|late RATE DEPTH      bits per second and bytes
"""

import collections
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


def main():
    name_in, name_out, kind, rate, depth = sys.argv[1:]
    queue = Queue(kind, float(rate), float(depth))
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
        while waiting and waiting[0][0] <= now:
            sink.send(waiting.popleft()[1])
        if not select.select([source], [], [], max(0.0, waiting[0][0] - now) if waiting else None)[0]:
            continue
        frame, ancillary, _, address = source.recvmsg(2048, 64)
        if address[2] == PACKET_OUTGOING or frame[12:14] != b'\x08\x00':
            continue
        seconds, nanoseconds = struct.unpack('qq', ancillary[0][2])
        arrived = seconds + nanoseconds / 1e9
        if queue.keeps(len(frame), arrived):
            free = max(arrived, free) + 8 * len(frame) / queue.rate
            waiting.append(((arrived if kind == 'police' else free) + (0.5 if kind == 'late' else 0), frame))


main()
