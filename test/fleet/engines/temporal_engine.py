"""A workflow for each vault: an activity, a timer, and so on, as `vaultKeeper` has it."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

MOST_WAKES = 20


@workflow.defn
class Sleeper:
    @workflow.run
    async def run(self, vault: int, due: float, period: float) -> None:
        for _ in range(MOST_WAKES):
            await asyncio.sleep(max(0.001, due - workflow.time()))
            await workflow.execute_activity("visit", args=[vault, due], start_to_close_timeout=timedelta(minutes=1))
            due += period
        workflow.continue_as_new(args=[vault, due, period])


class Temporal:
    def command(self, binaries, home, port, _sync):
        return [
            *(binaries / "temporal", "server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", str(port)),
            *("--db-filename", str(home / "temporal.db"), "--log-level", "error"),
        ]

    @asynccontextmanager
    async def connected(self, port, woke):
        client = await self.connect(port)

        @activity.defn
        async def visit(vault: int, due: float) -> None:
            woke(vault, due)

        worker = Worker(
            client,
            task_queue="host",
            workflows=[Sleeper],
            activities=[visit],
            workflow_runner=UnsandboxedWorkflowRunner(),
            max_cached_workflows=200,
        )
        async with worker:
            yield Fleet(client)

    @staticmethod
    async def connect(port):
        for _ in range(100):
            try:
                return await Client.connect(f"127.0.0.1:{port}")
            except RuntimeError:
                await asyncio.sleep(0.2)
        raise RuntimeError("the server does not answer")


class Fleet:
    def __init__(self, client):
        self.client = client

    async def sleep(self, vault, due, period):
        await self.client.start_workflow("Sleeper", args=[vault, due, period], id=f"vault-{vault}", task_queue="host")
