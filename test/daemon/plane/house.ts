import { expect } from 'vitest';
import type { Environment } from '../../../src/daemon/environment.ts';
import { PlaneServer } from '../../plane/plane-server.ts';
import { matter, settings, signal, task } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { LIVE, type Setting } from '../../support/workspace.ts';

/** A vault with one task that has a work item in a Plane, and the Plane. */
export interface PlaneHouse {
  readonly server: PlaneServer;
  readonly item: string;
  readonly vault: TempVault;
  readonly env: Environment;
  /** Starts the daemon. */
  readonly start: (setting?: Setting) => Promise<Running>;
  /** The program's own event notes, by path. */
  readonly events: () => string[];
}

/** Makes such a house. `senders`: whom the matter names. */
export async function planeHouse(senders: readonly string[] = []): Promise<PlaneHouse> {
  const server = await PlaneServer.start();
  const item = server.item('Pay the roof');
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter({ plane_project_id: server.project, senders, discretion_threshold: 0.8 }),
    'task/pay.md': task({ plane_issue_id: item }),
  });
  const env: Environment = { ...LIVE, variables: server.env };
  return {
    ...{ server, item, vault, env },
    start: (setting = {}) => Running.start(vault, { env, ...setting }),
    events: () => vault.events().filter((name) => !name.includes('reversed')),
  };
}

/** Puts a signal into the vault that the task is done. */
export function paid(vault: TempVault, name = 'one'): void {
  vault.write(
    `signal/${name}.md`,
    signal({ from: 'Roof & <b>Sons</b>', raw_quote: 'is <script>alert(1)</script> & paid' }),
  );
}

/** Waits until Plane has so many comments of this program. */
export async function comments(server: PlaneServer, count: number): Promise<void> {
  await expect.poll(() => server.own.length).toBe(count);
}
