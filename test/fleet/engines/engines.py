"""One durable timer for each sleeping vault, as each engine has it."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import datetime, timezone

import nats
from nats.errors import TimeoutError as NothingYet
from nats.js.api import AckPolicy, ConsumerConfig, KeyValueConfig, StreamConfig
from temporal_engine import Temporal


class Nats:
    """`how`: the way in which a message is held back until it is due."""

    def __init__(self, how):
        self.how = how

    def command(self, binaries, home, port, sync):
        config = home / "nats.conf"
        always = "\n  sync_interval: always" if sync else ""
        config.write_text(f'jetstream {{ store_dir: "{home / "js"}"{always}\n}}\n')
        return [binaries / "nats-server", "-a", "127.0.0.1", "-p", str(port), "-c", str(config)]

    @asynccontextmanager
    async def connected(self, port, woke):
        client = await self.connect(port)
        fleet = self.how(client, woke)
        await fleet.prepare()
        work = asyncio.create_task(fleet.work())
        try:
            yield fleet
        finally:
            ended = work.done()
            work.cancel()
            [how] = await asyncio.gather(work, return_exceptions=True)
            if ended:
                raise RuntimeError("the worker has ended before its time") from how
            await client.close()

    @staticmethod
    async def connect(port):
        for _ in range(100):
            try:
                return await nats.connect(
                    f"nats://127.0.0.1:{port}", max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=quiet
                )
            except (OSError, nats.errors.NoServersError):
                await asyncio.sleep(0.1)
        raise RuntimeError("the server does not answer")


async def quiet(_error):
    """What is lost with the connection is tried again."""


class Fleet:
    def __init__(self, client, woke):
        self.js, self.woke = client.jetstream(timeout=10), woke

    async def pull(self, subject, handle, ack_wait=30):
        config = ConsumerConfig(ack_policy=AckPolicy.EXPLICIT, ack_wait=ack_wait, max_ack_pending=1_000_000)
        due = await self.js.pull_subscribe(subject, durable="host", config=config)
        while True:
            try:
                for message in await due.fetch(50, timeout=5):
                    await handle(message)
            except (NothingYet, nats.errors.Error):
                await asyncio.sleep(0.05)


class Schedules(Fleet):
    """A message that the server publishes when it is due (since 2.12): one for each vault, the last one counts."""

    async def prepare(self):
        await self.js.add_stream(
            StreamConfig(
                name="vaults", subjects=["sleep.*", "due.*"], max_msgs_per_subject=1, allow_msg_schedules=True
            )
        )

    async def sleep(self, vault, due, period):
        at = datetime.fromtimestamp(due, timezone.utc).isoformat().replace("+00:00", "Z")
        headers = {"Nats-Schedule": f"@at {at}", "Nats-Schedule-Target": f"due.{vault}"}
        body = json.dumps([vault, due, period]).encode()
        await self.js.publish(f"sleep.{vault}", body, headers=headers)

    async def work(self):
        await self.pull("due.*", self.visit)

    async def visit(self, message):
        vault, due, period = json.loads(message.data)
        self.woke(vault, due)
        await self.sleep(vault, due + period, period)
        await message.ack()


class Nak(Fleet):
    """A message that is never done: whoever is given it hands it back, to be given again when it is due."""

    async def prepare(self):
        await self.js.add_stream(StreamConfig(name="vaults", subjects=["vault.*"], max_msgs_per_subject=1))
        self.due = {}

    async def sleep(self, vault, due, period):
        await self.js.publish(f"vault.{vault}", json.dumps([vault, due, period]).encode())

    async def work(self):
        await self.pull("vault.*", self.visit)

    async def visit(self, message):
        vault, first, period = json.loads(message.data)
        now = datetime.now().timestamp()
        due = self.due.get(vault, first)
        if due <= now + 0.001:
            self.woke(vault, due)
            due += period
        self.due[vault] = due
        await message.nak(delay=max(0.001, due - now))


class Ttl(Fleet):
    """A key that runs out; that it is gone is told as a marker (since 2.11)."""

    async def prepare(self):
        self.keys = await self.js.create_key_value(KeyValueConfig(bucket="vaults", limit_marker_ttl=3600))
        self.due = {}

    async def sleep(self, vault, due, period):
        self.due[vault] = (due, period)
        left = max(1, round(due - datetime.now().timestamp()))  # whole seconds are all there are
        await self.js.publish(f"$KV.vaults.{vault}", b"", headers={"Nats-TTL": f"{left}s"})

    async def work(self):
        await self.pull("$KV.vaults.*", self.visit)

    async def visit(self, message):
        if (message.headers or {}).get("Nats-Marker-Reason") == "MaxAge":
            vault = int(message.subject.rpartition(".")[2])
            due, period = self.due[vault]
            self.woke(vault, due)
            await self.sleep(vault, due + period, period)
        await message.ack()


ENGINES = {"temporal": Temporal(), "schedules": Nats(Schedules), "nak": Nats(Nak), "ttl": Nats(Ttl)}
