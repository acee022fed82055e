# SPDX-License-Identifier: GPL-2.0-only
"""What one switch does by the published rules of others, frame by frame, in whole picoseconds and bytes. It shares nothing with the model but the list of frames.

dt    Choudhury and Hahne 1998, as ns3-datacenter has it: a frame is lost that would take its queue above alpha times what is free.
cs    complete sharing: a frame is lost for which there is no room.
abm   Addanki et al., SIGCOMM 2022: the threshold of dt, divided by the number of congested queues of the same class, times the share of its port's rate at which
      the queue is served, of a round robin among the classes that wait there. A queue is congested that holds nine tenths of its threshold.
reverie  Addanki et al., NSDI 2024, as ns3-datacenter has it: the threshold of abm without that share, for what a low-pass filter follows of a queue, and counting
      queues by their filtered lengths over 20 kB, up to one.
lqd   Aiello, Kesselman and Mansour 2008, as ns3-datacenter has it: where there is no room the last frame of the longest queue goes, be it the arriving frame's own.
hpcc  Li et al., SIGCOMM 2019, the simulator's switch: frames of an input that would exceed their threshold go to its headroom, and the input is told to pause.

In each memory comes back when a frame begins to leave. Input: a line of JSON with the settings, then a line for each frame: when it is ready at its host, host, output,
class, bytes in memory, bytes on the link. Hosts send one frame after the other. Output: a line for each frame lost or pause.
"""

import heapq
import json
import sys
from collections import deque
from fractions import Fraction


MICRO = 10**6


class Host:
    """Sends its frames in their order, but none while it is told to pause."""

    def __init__(self):
        self.waiting, self.free, self.paused = deque(), 0, False


class Switch:
    def __init__(self, rule, outputs, classes, size, alpha, inputs, headroom, reserve, offset):
        self.rule, self.classes, self.outputs = rule, classes, outputs
        self.size, self.alpha, self.headroom, self.reserve, self.offset = size, Fraction(alpha), headroom, reserve, offset
        self.queues = {(output, each): deque() for output in range(outputs) for each in range(classes)}
        self.held = dict.fromkeys(self.queues, 0)
        self.shared, self.on_headroom = [0] * inputs, [0] * inputs   # of inputs, for hpcc
        self.paused = [False] * inputs
        self.last = [0] * outputs
        self.most = 0
        self.filtered = dict.fromkeys(self.queues, 0)   # in 10^-6 B

    def total(self):
        return sum(self.held.values())

    def free(self):
        return self.size - self.total()

    # Thresholds
    def share(self, queue):
        output, own = queue
        return Fraction(1, sum(each == own or self.held[output, each] > 0 for each in range(self.classes)))

    def abm(self, queue, congested):
        return self.alpha * self.free() * self.share(queue) / congested

    def congested(self, of_class):
        alike = [queue for queue in self.queues if queue[1] == of_class]
        for number in range(len(alike), 0, -1):
            if sum(self.held[queue] > 0 and self.held[queue] >= Fraction(9, 10) * self.abm(queue, number) for queue in alike) == number:
                return number
        return 1

    def threshold(self, queue):
        if self.rule == 'dt':
            return self.alpha * self.free()
        if self.rule == 'abm':
            return self.abm(queue, self.congested(queue[1]))
        return self.size

    def reverie(self, queue):
        number = sum(min(Fraction(1), Fraction(self.filtered[each], 20_000 * MICRO)) for each in self.queues if each[1] == queue[1])
        return self.alpha * self.free() / max(1, number)

    def pause_threshold(self):
        return self.alpha * (self.size - sum(max(0, each - self.reserve) for each in self.shared))

    # What happens. @return the output that lost a frame, if one did
    def arrives(self, host, output, of_class, size, on_link):
        queue = output, of_class
        lost = None
        if self.rule == 'hpcc':
            after = self.shared[host] + size
            fits = max(0, after - self.reserve) <= self.pause_threshold()
            if not fits and self.on_headroom[host] + size > self.headroom:
                return output
            (self.shared if fits else self.on_headroom)[host] += size
        elif self.rule == 'lqd':
            while self.free() < size:
                longest = max(self.queues, key=lambda each: (self.held[each], each == queue, -each[0]))
                self.held[longest] -= self.queues[longest].pop()[1]
                lost = longest[0]
        elif self.rule == 'reverie':
            if self.free() < size or Fraction(self.filtered[queue], MICRO) + size > self.reverie(queue):
                return output
        elif self.free() < size or self.held[queue] + size > self.threshold(queue):
            return output
        self.queues[queue].append((host, size, on_link))
        self.held[queue] += size
        self.most = max(self.most, self.total())
        return lost

    def must_pause(self, host):
        return self.on_headroom[host] > 0 or max(0, self.shared[host] - self.reserve) >= self.pause_threshold()

    def may_go_on(self, host):
        drawn = max(0, self.shared[host] - self.reserve)
        return self.on_headroom[host] == 0 and (drawn == 0 or drawn + self.offset <= self.pause_threshold())

    def leaves(self, output):
        """A frame begins to leave, of the classes in turn. @return its host and its bytes on the link"""
        turn = [(self.last[output] - step) % self.classes for step in range(1, self.classes + 1)]
        chosen = next((each for each in turn if self.queues[output, each]), None)
        if chosen is None:
            return None
        self.last[output] = chosen
        host, size, on_link = self.queues[output, chosen].popleft()
        self.held[output, chosen] -= size
        now = self.held[output, chosen] * MICRO
        self.filtered[output, chosen] = min(now, (99 * self.filtered[output, chosen] + now) // 100)
        from_headroom = min(self.on_headroom[host], size) if self.rule == 'hpcc' else 0
        self.on_headroom[host] -= from_headroom
        if self.rule == 'hpcc':
            self.shared[host] -= size - from_headroom
        return host, on_link


def run(settings, frames):
    byte = settings['byte']
    switch = Switch(settings['rule'], settings['outputs'], settings['classes'], settings['size'], settings['alpha'], settings['inputs'],
                    settings.get('headroom', 0), settings.get('reserve', 0), settings.get('offset', 0))
    hosts = [Host() for _ in range(settings['inputs'])]
    busy = [False] * settings['outputs']
    events, number = [], 0

    def later(time, what, *about):
        nonlocal number
        number += 1
        heapq.heappush(events, (time, number, what, about))

    def send(host, now):
        its = hosts[host]
        if not its.waiting or its.paused or its.free > now:
            return
        output, of_class, size, on_link = its.waiting.popleft()
        its.free = now + on_link * byte
        later(its.free, 'sent', host)
        later(its.free + settings['delay'], 'arrives', host, output, of_class, size, on_link)

    def begin(output, now):
        if busy[output]:
            return
        leaving = switch.leaves(output)
        if leaving is None:
            return
        host, on_link = leaving
        busy[output] = True
        later(now + on_link * byte, 'done', output)
        if switch.paused[host] and switch.may_go_on(host):
            switch.paused[host] = False
            print('on', now, host)
            later(now + settings['order'] + settings['delay'], 'ordered', host, False)

    for ready, host, output, of_class, size, on_link in frames:
        later(ready, 'ready', host, output, of_class, size, on_link)
    while events:
        now, _, what, about = heapq.heappop(events)
        if what == 'ready':
            hosts[about[0]].waiting.append(about[1:])
            send(about[0], now)
        elif what == 'sent':
            send(about[0], now)
        elif what == 'ordered':
            hosts[about[0]].paused = about[1]
            send(about[0], now)
        elif what == 'done':
            busy[about[0]] = False
            begin(about[0], now)
        else:
            host, output = about[:2]
            lost = switch.arrives(*about)
            if lost is not None:
                print('lost', now, lost)
            if settings['rule'] == 'hpcc' and not switch.paused[host] and switch.must_pause(host):
                switch.paused[host] = True
                print('off', now, host)
                later(now + settings['order'] + settings['delay'], 'ordered', host, True)
            begin(output, now)
    print('most', switch.most)


if __name__ == '__main__':
    run(json.loads(sys.stdin.readline()), [tuple(map(int, line.split())) for line in sys.stdin])
