import { z } from 'zod';
import { type Capability, type Own, type Running, request } from '../daemon/capability.ts';
import type { Workspace } from '../daemon/context.ts';
import type { Awaiting } from '../daemon/queue.ts';
import { earliest } from '../daemon/timers.ts';
import { streams } from '../streams/streams.ts';
import { inSlices } from '../vault/time.ts';
import { AGENTS, agentProposal } from './agent-proposal.ts';
import type { ImportWork } from './import.ts';
import { changedSamples, isDue, lastWeek, SAMPLES, settledAt, unansweredSample, WEEK_MS } from './ledger-samples.ts';
import { acceptedOffers } from './rehearsal-accepted.ts';

// Capabilities that are loaded on use: those that only answer a command, with its first request.

/** `steward log` and `steward explain`. */
export const log = {
  name: 'log',
  words: 'the log',
  start: ({ space }) => ({
    requests: {
      log: {
        ...request({ count: z.number().int().min(1), matter: z.string().nullable() }, async ({ count, matter }) =>
          (await import('./audit-log.ts')).auditLog(space, count, matter),
        ),
        needsSweep: false, // the program knows what it did
      },
      explain: request({ note: z.string() }, async ({ note }) => (await import('./explain.ts')).explain(space, note)),
    },
  }),
} satisfies Capability;

/** `steward doctor`. */
export const examination = {
  name: 'examination',
  words: 'the examination for `steward doctor`',
  start: ({ space }) => ({
    requests: { examine: request({}, async () => (await import('./examination.ts')).examine(space)) },
  }),
} satisfies Capability;

/** `steward report`. */
export const report = {
  name: 'report',
  words: 'the report',
  start: ({ space }) => ({
    requests: {
      report: request({ since: z.number().nullable(), matter: z.string().nullable() }, async (asked) =>
        (await import('./report.ts')).report(space, asked),
      ),
    },
  }),
} satisfies Capability;

/** `steward ledger`, `steward teach`, and the weekly sample. The code for each is loaded on use. */
export const ledger = {
  name: 'ledger',
  words: 'the ledger',
  state: [SAMPLES],
  /** The note in which the user may tick what mattered; null while none waits. */
  status: (space: Workspace) => ({ sample: unansweredSample(space) }),
  start: (own) => new LedgerKeeper(own),
} satisfies Capability;

class LedgerKeeper implements Running {
  readonly requests = {
    ledger: request({ since: z.number().nullable(), most: z.number().int().min(0).nullable() }, async (asked) => {
      const { buildLedger } = await import('./ledger.ts');
      return inSlices(buildLedger(this.#own.space, asked));
    }),
    teach: request({ mail: z.string(), task: z.string(), set: z.record(z.string(), z.string()) }, async (asked) =>
      (await import('./teach.ts')).teach(this.#own.space, asked),
    ),
  };
  readonly #own: Own;
  /** The week of which a sample was asked for: it is written, or its work is tried again. */
  #asked = '';

  constructor(own: Own) {
    this.#own = own;
  }

  begin(): void {
    this.check();
  }

  check(): void {
    const { space, retries } = this.#own;
    const { week } = lastWeek(space.context.now());
    if (this.#asked !== week && isDue(space)) {
      this.#asked = week;
      retries.add('weekly sample', space.vault.layout.folders.event, async () => {
        await (await import('./ledger-sample-work.ts')).offerSample(space);
      });
    }
    for (const changed of changedSamples(space)) {
      const note = space.context.state.get(SAMPLES)[changed]?.note ?? '';
      retries.add(`sample ${changed}`, note, async () => {
        (await import('./ledger-sample-work.ts')).followSample(space, changed);
      });
    }
  }

  next({ now }: Awaiting): number | null {
    const { space } = this.#own;
    if (space.vault.catalogue.size === 0) return null;
    const { week, to } = lastWeek(now);
    const settled = changedSamples(space).map((changed) => settledAt(space, changed));
    return earliest([...settled, this.#asked !== week && isDue(space) ? now : to + WEEK_MS]);
  }
}

/** Proposals of agents, through `steward mcp`. */
export const agents = {
  name: 'agents',
  words: 'proposals of agents',
  state: [AGENTS],
  start: ({ space }) => ({
    requests: {
      propose: request(agentProposal.unwrap().shape, async (asked) =>
        (await import('./agents.ts')).propose(space, asked),
      ),
    },
  }),
} satisfies Capability;

/**
 * `steward import`. If the caller goes away, nothing more is put into the vault; what is there already is read nevertheless.
 */
export const importing = {
  name: 'import',
  words: 'the import',
  start: ({ space, find }) => ({
    requests: {
      /** `sentBy`: the address of the user, if they say that they sent these mails. */
      import: request(
        { files: z.array(z.string()), sentBy: z.string().optional() },
        async ({ files, sentBy }, { tell, gone }) => {
          const reader = find(streams);
          const work: ImportWork = {
            read: async (file, onProgress) => (reader === null ? null : reader.read(file, onProgress)),
            tell,
            abort: gone,
          };
          if (sentBy !== undefined) return (await import('./import.ts')).importSent(space, files, sentBy, work);
          return (await import('./import.ts')).importFiles(space, files, work);
        },
      ),
    },
  }),
} satisfies Capability;

/** What a person accepts after `steward rehearse`, which only reads. */
export const rehearsal = {
  name: 'rehearsal',
  words: 'the rehearsal',
  start: ({ space }) => ({
    requests: {
      'rehearsal-accept': request(acceptedOffers.shape, async (accepted) =>
        (await import('./rehearsal-yes.ts')).acceptOffers(space, accepted),
      ),
      'rehearsal-note': request({ text: z.string().max(MOST_NOTE_CHARS) }, async ({ text }) =>
        (await import('./rehearsal-yes.ts')).keepRehearsal(space, text),
      ),
    },
  }),
} satisfies Capability;

/** A note with more could not be sent to the daemon. */
const MOST_NOTE_CHARS = 500_000;
