# SPDX-License-Identifier: GPL-2.0-only
"""One switch by the published rules of others, frame by frame, in whole picoseconds and bytes. It shares nothing with the model but the list of frames.

dt    Choudhury and Hahne 1998, as ns3-datacenter has it: a frame is lost that would take its queue above alpha times what is free.
cs    complete sharing: a frame is lost for which there is no room.
abm   Addanki et al., SIGCOMM 2022: the threshold of dt, divided by the number of congested queues of the same class, times the share of its port's rate at which
      the queue is served, of a round robin among the classes that wait there. A queue is congested that holds nine tenths of its threshold.
reverie  Addanki et al., NSDI 2024, as ns3-datacenter has it: the threshold of abm without that share, for what a low-pass filter follows of a queue, and counting
      queues by their filtered lengths over 20 kB, up to one.
fab   Apostolaki et al., Workshop on Buffer Sizing 2019, as ns3-datacenter has it: dt, with an alpha of its own for frames that begin within the first bytes of their flow,
      here by host and output; a flow of which nothing has come for first_idle begins anew. ns3-datacenter has the same under abm, here fab-abm.
lqd   Aiello, Kesselman and Mansour 2008, as ns3-datacenter has it: where there is no room the last frame of the longest queue goes, be it the arriving frame's own.
hpcc  Li et al., SIGCOMM 2019, the simulator's switch: frames of an input and class that would exceed their threshold go to its headroom, and it is told to pause.
sonic  ns3-datacenter's model of a switch, beside it: two pools at the outputs, of lossless classes and of the others, and one at the inputs, which lossless frames leave for
      headroom, the first one however little there is of it. Thresholds at the inputs may be those of abm.
reverie-pause  Reverie's other half, as ns3-datacenter has it: one pool for lossless classes by input and the others by output, and filters of both.

In each memory comes back when a frame begins to leave. Input: a line of JSON with the settings, then a line for each frame: when it is ready at its host, host, output,
class, bytes in memory, bytes on the link. Hosts send one frame after the other. Output: a line for each frame lost, and for each pause with what the memory holds; then the most
that it held, and bytes times picoseconds.
"""

import heapq
import json
import sys
from collections import deque
from fractions import Fraction


MICRO = 10**6


class Host:
    """Sends its frames in their order, but none of a class that is told to pause."""

    def __init__(self):
        self.waiting, self.free, self.paused, self.told = [], 0, set(), 0

    def next(self):
        return next((number for number, frame in enumerate(self.waiting) if frame[1] not in self.paused), None)


class Hpcc:
    """Bytes that an input holds of a class, in its reserve and the memory that all share, or on headroom."""

    def __init__(self, settings):
        self.size, self.reserve, self.offset = settings['size'], settings['reserve'], settings['offset']
        self.alpha, self.headrooms = Fraction(settings['alpha']), settings['headrooms']
        queues = [(host, each) for host in range(settings['inputs']) for each in range(settings['classes'])]
        self.ingress, self.on_headroom, self.shared = dict.fromkeys(queues, 0), dict.fromkeys(queues, 0), 0

    def threshold(self):
        return int(self.alpha * (self.size - self.shared))

    def used(self, queue):
        return max(0, self.ingress[queue] - self.reserve)

    def arrives(self, host, output, of_class, size):
        """@return whether it is taken"""
        queue = host, of_class
        if size + self.on_headroom[queue] > self.headrooms[of_class] and size + self.used(queue) > self.threshold():
            return False
        after = self.ingress[queue] + size
        if after > self.reserve and after - self.reserve > self.threshold():
            self.on_headroom[queue] += size
        else:
            self.ingress[queue] += size
            self.shared += max(0, min(size, after - self.reserve))
        return True

    def leaves(self, host, output, of_class, size):
        queue = host, of_class
        from_headroom = min(self.on_headroom[queue], size)
        from_shared = min(size - from_headroom, self.used(queue))
        self.on_headroom[queue] -= from_headroom
        self.ingress[queue] -= size - from_headroom
        self.shared -= from_shared

    def must_pause(self, queue):
        return self.on_headroom[queue] > 0 or self.used(queue) >= self.threshold()

    def may_go_on(self, queue):
        return self.on_headroom[queue] == 0 and (self.used(queue) == 0 or self.used(queue) + self.offset <= self.threshold())


class Sonic:
    """The same with all that it holds in one number, and beside it what outputs hold of each kind of class."""

    def __init__(self, settings):
        self.lossless, self.size, self.reserve = settings['lossless'], settings['size'], settings['reserve']
        self.xon, self.offset, self.headrooms = settings['xon'], settings['offset'], settings['headrooms']
        self.alphas = [Fraction(settings['alpha' if each in self.lossless else 'lossy_alpha']) for each in range(settings['classes'])]
        self.pools = {True: settings['lossless_pool'], False: settings['lossy_pool']}
        self.egress_alphas = {True: Fraction(settings['lossless_egress_alpha']), False: Fraction(settings['lossy_egress_alpha'])}
        self.in_pool = {True: 0, False: 0}
        queues = [(host, each) for host in range(settings['inputs']) for each in range(settings['classes'])]
        self.ingress, self.on_headroom = dict.fromkeys(queues, 0), dict.fromkeys(queues, 0)
        self.egress = {(output, each): 0 for output in range(settings['outputs']) for each in range(settings['classes'])}
        self.all_headroom = (settings['inputs'] + settings['outputs']) * sum(self.headrooms)   # every port has its own
        self.abm = settings.get('abm', False)

    def free(self):
        return max(0, self.size - sum(max(0, self.ingress[each] - self.reserve) - self.on_headroom[each] for each in self.ingress))

    def shared(self, queue):
        return self.ingress[queue] - self.on_headroom[queue]

    def parts(self, queue):
        """Among how many its alpha is divided: ABM's congested queues of its class, and the classes that wait at its input."""
        def classes(queue):
            return sum(each == queue or each[0] == queue[0] and self.shared(each) > 0 for each in self.ingress)
        if not self.abm:
            return 1
        alike = [each for each in self.ingress if each[1] == queue[1] and self.shared(each) > 0]
        congested = next((number for number in range(len(alike), 0, -1) if sum(
            self.shared(each) >= Fraction(9, 10) * self.alphas[queue[1]] * self.free() / number / classes(each) for each in alike) == number), 1)
        return congested * classes(queue)

    def threshold(self, queue, parts):
        return int(self.alphas[queue[1]] * self.free() / parts)

    def arrives(self, host, output, of_class, size):
        queue, is_lossless = (host, of_class), of_class in self.lossless
        after, on_headroom, parts = self.ingress[queue] + size, self.on_headroom[queue], self.parts(queue)
        all_on_headroom = sum(self.on_headroom.values())
        in_all = sum(self.ingress.values()) - all_on_headroom
        whole = self.size + len(self.ingress) * self.reserve
        if in_all + all_on_headroom + size > whole + self.all_headroom:
            return False
        if is_lossless:
            if on_headroom > 0 and (after > self.reserve and on_headroom + size > self.headrooms[of_class] or
                                    all_on_headroom + size > self.all_headroom):
                return False
        elif (after > self.threshold(queue, parts) and after > self.reserve) or in_all + size > whole:
            return False
        in_pool = self.in_pool[is_lossless]
        if self.egress[output, of_class] + size > int(self.egress_alphas[is_lossless] * max(0, self.pools[is_lossless] - in_pool)):
            return False
        if in_pool + size > self.pools[is_lossless]:
            return False
        self.ingress[queue] = after
        if is_lossless and (on_headroom > 0 or after > self.threshold(queue, parts)):
            self.on_headroom[queue] += size
        self.egress[output, of_class] += size
        self.in_pool[is_lossless] += size
        return True

    def leaves(self, host, output, of_class, size):
        queue = host, of_class
        self.ingress[queue] -= size
        self.on_headroom[queue] -= min(self.on_headroom[queue], size)
        self.egress[output, of_class] -= size
        self.in_pool[of_class in self.lossless] -= size

    def must_pause(self, queue):
        return self.on_headroom[queue] > 0

    def may_go_on(self, queue):
        held = self.ingress[queue]
        return self.on_headroom[queue] == 0 and (held < self.xon or held + self.offset <= self.threshold(queue, self.parts(queue)))


class Reverie:
    """The lossless half by what a filter follows of an input and class, the lossy one by that of an output, in one pool."""

    def __init__(self, settings):
        self.lossless, self.size, self.classes = settings['lossless'], settings['size'], settings['classes']
        self.xon, self.offset, self.headrooms = settings['xon'], settings['offset'], settings['headrooms']
        self.alphas = [Fraction(settings['alpha' if each in self.lossless else 'lossy_alpha']) for each in range(self.classes)]
        self.held, self.filtered, self.on_headroom, self.shared = {}, {}, {}, 0
        self.all_headroom = (settings['inputs'] + settings['outputs']) * sum(self.headrooms)   # every port has its own

    def number(self, of_class):
        """Returns the number of congested queues, at least 1."""
        return max(1, sum(min(Fraction(1), Fraction(length, 20_000 * MICRO)) for queue, length in self.filtered.items() if queue[1] == of_class))

    def threshold(self, of_class):
        return self.alphas[of_class] * max(0, self.size - self.shared) / self.number(of_class)

    def length(self, queue):
        return Fraction(self.filtered.get(queue, 0), MICRO)

    def arrives(self, host, output, of_class, size):
        is_lossless = of_class in self.lossless
        queue = host if is_lossless else output, of_class
        on_headroom = self.on_headroom.get(queue, 0)
        all_on_headroom = sum(self.on_headroom.values())
        if sum(self.held.values()) + size > self.size + self.all_headroom:
            return False
        if is_lossless and on_headroom > 0 and (on_headroom + size > self.headrooms[of_class] or all_on_headroom + size > self.all_headroom):
            return False
        if not is_lossless and (self.length(queue) + size > self.threshold(of_class) or self.shared + size > self.size):
            return False
        self.held[queue] = self.held.get(queue, 0) + size
        self.shared += size
        # There a queue whose filter is empty fills the pool beyond its size.
        if is_lossless and (on_headroom > 0 or self.length(queue) > self.threshold(of_class) or self.shared > self.size):
            self.on_headroom[queue] = on_headroom + size
            self.shared -= size
        return True

    def leaves(self, host, output, of_class, size):
        queue = host if of_class in self.lossless else output, of_class
        self.held[queue] -= size
        now = self.held[queue] * MICRO
        self.filtered[queue] = min(now, (99 * self.filtered.get(queue, 0) + now) // 100)
        from_headroom = min(self.on_headroom.get(queue, 0), size)
        self.on_headroom[queue] = self.on_headroom.get(queue, 0) - from_headroom
        self.shared -= size - from_headroom

    def must_pause(self, queue):
        return self.on_headroom.get(queue, 0) > 0

    def may_go_on(self, queue):
        length = self.length(queue)
        return self.on_headroom.get(queue, 0) == 0 and (length < self.xon or length + self.offset <= self.threshold(queue[1]))


class Switch:
    def __init__(self, settings):
        self.rule, self.classes, self.outputs = settings['rule'], settings['classes'], settings['outputs']
        self.size, self.alpha = settings['size'], Fraction(settings['alpha'])
        self.queues = {(output, each): deque() for output in range(self.outputs) for each in range(self.classes)}
        self.held = dict.fromkeys(self.queues, 0)
        self.books = {'hpcc': Hpcc, 'sonic': Sonic, 'reverie-pause': Reverie}.get(self.rule, lambda settings: None)(settings)
        self.paused = set()
        self.last = [0] * self.outputs
        self.most = 0
        self.filtered = dict.fromkeys(self.queues, 0)   # in 10^-6 B
        self.first_bytes, self.first_alpha, self.flows = settings.get('first_bytes', 0), Fraction(settings.get('first_alpha', 1)), {}
        self.first_idle = settings.get('first_idle', 0)

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

    def threshold(self, queue, first):
        part = self.first_alpha / self.alpha if first else 1
        if self.rule in ('dt', 'fab'):
            return part * self.alpha * self.free()
        if self.rule in ('abm', 'fab-abm'):
            return part * self.abm(queue, self.congested(queue[1]))
        return self.size

    def reverie(self, queue):
        number = sum(min(Fraction(1), Fraction(self.filtered[each], 20_000 * MICRO)) for each in self.queues if each[1] == queue[1])
        return self.alpha * self.free() / max(1, number)

    # A frame arrives. @return the output that lost a frame, if one did
    def arrives(self, now, host, output, of_class, size, on_link):
        queue = output, of_class
        lost = None
        came, last = self.flows.get((host, output), (0, now))
        if 0 < self.first_idle < now - last:
            came = 0
        self.flows[host, output] = came + size, now
        if self.books:
            if not self.books.arrives(host, output, of_class, size):
                return output
        elif self.rule == 'lqd':
            while self.free() < size:
                longest = max(self.queues, key=lambda each: (self.held[each], each == queue, -each[0]))
                self.held[longest] -= self.queues[longest].pop()[1]
                lost = longest[0]
        elif self.rule == 'reverie':
            if self.free() < size or Fraction(self.filtered[queue], MICRO) + size > self.reverie(queue):
                return output
        elif self.free() < size or self.held[queue] + size > self.threshold(queue, came < self.first_bytes):
            return output
        self.queues[queue].append((host, size, on_link))
        self.held[queue] += size
        self.most = max(self.most, self.total())
        return lost

    def leaves(self, output):
        """A frame begins to leave, of the classes in turn. @return its host, its class and its bytes on the link"""
        turn = [(self.last[output] - step) % self.classes for step in range(1, self.classes + 1)]
        chosen = next((each for each in turn if self.queues[output, each]), None)
        if chosen is None:
            return None
        self.last[output] = chosen
        host, size, on_link = self.queues[output, chosen].popleft()
        self.held[output, chosen] -= size
        now = self.held[output, chosen] * MICRO
        self.filtered[output, chosen] = min(now, (99 * self.filtered[output, chosen] + now) // 100)
        if self.books:
            self.books.leaves(host, output, chosen, size)
        return host, chosen, on_link


def run(settings, frames):
    byte = settings['byte']
    switch = Switch(settings)
    hosts = [Host() for _ in range(settings['inputs'])]
    busy = [False] * settings['outputs']
    events, number = [], 0

    def later(time, what, *about):
        nonlocal number
        number += 1
        # At one instant: what leaves the switch, orders at hosts, what leaves hosts, and arrivals by host.
        place = {'done': 0, 'ordered': 1, 'sent': 2, 'ready': 3}.get(what, 4 + about[0])
        heapq.heappush(events, (time, place, number, what, about))

    def send(host, now):
        its = hosts[host]
        number = its.next()
        if number is None or its.free > now:
            return
        output, of_class, size, on_link = its.waiting.pop(number)
        its.free = now + on_link * byte
        later(its.free, 'sent', host)
        later(its.free + settings['delay'], 'arrives', host, output, of_class, size, on_link)

    def tell(what, now, host, of_class):
        print(what, now, host, of_class, switch.total())
        its = hosts[host]
        its.told = max(its.told, now) + settings['order']
        later(its.told + settings['delay'], 'ordered', host, of_class, what)

    def begin(output, now):
        if busy[output]:
            return
        leaving = switch.leaves(output)
        if leaving is None:
            return
        host, of_class, on_link = leaving
        busy[output] = True
        later(now + on_link * byte, 'done', output)
        if (host, of_class) in switch.paused and switch.books.may_go_on((host, of_class)):
            switch.paused.remove((host, of_class))
            tell('on', now, host, of_class)

    for ready, host, output, of_class, size, on_link in frames:
        later(ready, 'ready', host, output, of_class, size, on_link)
    area, last = 0, 0
    while events:
        now, _, _, what, about = heapq.heappop(events)
        area, last = area + (now - last) * switch.total(), now
        if what == 'ready':
            hosts[about[0]].waiting.append(about[1:])
            send(about[0], now)
        elif what == 'sent':
            send(about[0], now)
        elif what == 'ordered':
            host, of_class, order = about
            (hosts[host].paused.add if order == 'off' else hosts[host].paused.discard)(of_class)
            send(host, now)
        elif what == 'done':
            busy[about[0]] = False
            begin(about[0], now)
        else:
            host, output, of_class = about[:3]
            lost = switch.arrives(now, *about)
            if lost is not None:
                print('lost', now, lost)
            elif switch.books and of_class in settings['lossless'] and (host, of_class) not in switch.paused and switch.books.must_pause((host, of_class)):
                switch.paused.add((host, of_class))
                tell('off', now, host, of_class)
            begin(output, now)
    print('most', switch.most)
    print('held', area)


if __name__ == '__main__':
    run(json.loads(sys.stdin.readline()), [tuple(map(int, line.split())) for line in sys.stdin])
