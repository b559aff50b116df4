// Over 5 s: each case runs the real program, which takes a second to start from its source.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PAID_MAIL, task } from '../../support/notes.ts';
import { expectProblem, FaultyDaemon, type How } from './faulty-daemon.ts';

interface Injection {
  readonly component: string;
  /** The source file and the function that fails beside its work. */
  readonly target: readonly [file: string, target: string];
  /** What has the function called; null: the start does. */
  readonly trigger: ((daemon: FaultyDaemon) => unknown) | null;
}

const noteChanges = (daemon: FaultyDaemon) => daemon.works();

/** A fault in each of these is survived. */
const CAPABILITIES: Readonly<Record<string, Injection>> = {
  sources: {
    component: 'sources',
    target: ['sources/source-work.ts', 'SourceWork.prototype.follow'],
    trigger: (daemon) => daemon.write('source/inbox.md', '---\nkind: imap\nhost: imap.example\nuser: anna\n---\n'),
  },
  streams: {
    component: 'streams',
    target: ['streams/queue.ts', 'StreamQueue.prototype.add'],
    trigger: (daemon) => daemon.write('stream/paid.eml', PAID_MAIL),
  },
  notifications: {
    component: 'notifications',
    target: ['channels/notifier.ts', 'Notifier.prototype.changed'],
    trigger: noteChanges,
  },
  plane: {
    component: 'plane',
    target: ['features/plane-work.ts', 'PlaneWork.prototype.changed'],
    trigger: noteChanges,
  },
  edits: { component: 'edits', target: ['features/hand-edits.ts', 'Edits.prototype.changed'], trigger: noteChanges },
  roundtable: {
    component: 'roundtable',
    target: ['roundtable/capability.ts', 'RoundtableQueue.prototype.hold'],
    trigger: (daemon) => daemon.ask({ op: 'roundtable', briefing: 'none', recorded: false }),
  },
  housekeeping: {
    component: 'housekeeping',
    target: ['daemon/housekeeping.ts', 'Housekeeping.prototype.run'],
    trigger: null,
  },
  retention: { component: 'retention', target: ['features/retention.ts', 'retireOld'], trigger: null },
  import: {
    component: 'import',
    target: ['features/import.ts', 'importFiles'],
    trigger: (daemon) => daemon.ask({ op: 'import', files: [] }),
  },
  report: {
    component: 'report',
    target: ['features/report.ts', 'report'],
    trigger: (daemon) => daemon.ask({ op: 'report', since: null, matter: null }),
  },
  log: {
    component: 'log',
    target: ['features/audit-log.ts', 'auditLog'],
    trigger: (daemon) => daemon.ask({ op: 'log', count: 1, matter: null }),
  },
};

const targetsOf = (injections: Readonly<Record<string, Injection>>) =>
  Object.fromEntries(Object.entries(injections).map(([name, { target }]) => [name, target]));

/** Many processes start at once; a loaded machine takes its time. */
const PATIENCE = { timeout: 120_000 };

describe.concurrent('an unexpected error', PATIENCE, () => {
  test.for<How>(['throw', 'reject'])(
    'in each capability is a problem, and the daemon continues (%s)',
    async (how, context) => {
      const early = Object.keys(CAPABILITIES).filter((name) => CAPABILITIES[name]?.trigger === null);
      const daemon = new FaultyDaemon(context, targetsOf(CAPABILITIES), early, how);
      await daemon.started();
      for (const [name, { component, trigger }] of Object.entries(CAPABILITIES)) {
        if (trigger !== null) daemon.fail(name, how);
        await trigger?.(daemon);
        await daemon.until(() => daemon.log.includes(`injected in ${name}`));
        expectProblem(await daemon.status(), component, name);
      }
      await daemon.works();
      daemon.stop();
      expect(await daemon.ended).toBe(0);
      expect(daemon.remembered()).toEqual(
        Object.values(CAPABILITIES)
          .map(({ component }) => component)
          .toSorted(),
      );
    },
  );

  const VITAL: Readonly<Record<string, Injection>> = {
    core: {
      component: 'core',
      target: ['daemon/changes.ts', 'Reactions.prototype.changed'],
      trigger: (daemon) => daemon.write('task/new.md', task()),
    },
    schedule: {
      component: 'schedule',
      target: ['daemon/ticker.ts', 'Ticker.prototype.now'],
      trigger: (daemon) => void daemon.ask({ op: 'tick', matters: [], force: false, mode: null }),
    },
    unknown: { component: 'unknown', target: ['daemon/nothing.ts', 'none'], trigger: () => {} },
  };

  test.for(Object.keys(VITAL))('in %s ends the daemon in order, with exit code 75', async (name, context) => {
    const { component, trigger } = VITAL[name] as Injection;
    const daemon = new FaultyDaemon(context, targetsOf(VITAL));
    await daemon.started();
    daemon.fail(name, 'throw');
    await trigger?.(daemon);
    expect(await daemon.ended).toBe(75);
    expect(fs.existsSync(path.join(daemon.vault, '.steward/lock'))).toBe(false);
    expect(daemon.remembered()).toEqual([component]);
    expect(daemon.log).toContain('"code":"stopped"');
    expect(daemon.log).toMatch(/"code":"ended","trouble":"unexpected-fault"/);
  });

  test('is still a problem after the end, in what `steward status` prints', async (context) => {
    const daemon = new FaultyDaemon(context, targetsOf(VITAL));
    await daemon.started();
    daemon.fail('core', 'reject');
    await VITAL.core?.trigger?.(daemon);
    expect(await daemon.ended).toBe(75);
    const status = await daemon.printedStatus();
    expectProblem(status, 'core', 'core');
    expect(status.daemon.state).toBe('stopped');
  });

  test('in one capability again and again ends the daemon in order', async (context) => {
    const daemon = new FaultyDaemon(context, targetsOf(CAPABILITIES));
    await daemon.started();
    for (let nth = 1; nth <= 5; nth += 1) {
      daemon.fail('log', 'throw');
      await daemon.ask({ op: 'log', count: 1, matter: null });
      await daemon.until(() => daemon.log.split('"code":"fault"').length > nth).catch(() => {});
    }
    expect(await daemon.ended).toBe(75);
    expect(daemon.log.split('"code":"fault"')).toHaveLength(6);
    expect(fs.existsSync(path.join(daemon.vault, '.steward/lock'))).toBe(false);
  });
});
