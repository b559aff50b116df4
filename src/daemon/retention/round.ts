import { MAX_MAIL_BYTES } from '../../stream/mail/source-type.ts';
import { sameStat } from '../../vault/files.ts';
import { MAX_NOTE_BYTES } from '../../vault/frontmatter-parse.ts';
import type { EventRecord, SignalRecord } from '../../vault/index/record.ts';
import { retire } from '../../vault/transaction/retire.ts';
import type { Workspace } from '../context.ts';
import { retiredKey } from '../ingest.ts';
import { rememberTouches } from '../perception.ts';
import { nextRound, stepNow, written } from '../retention.ts';
import { type Leaving, leavingNow } from './plan.ts';

/**
 * Lets what is settled and older than the settings keep leave the vault, once a day: into the history, and after the undo
 * window for good. A day before the first time it is only said.
 */
export async function retireOld(space: Workspace): Promise<void> {
  const { settings, state, now } = space.context;
  const step = stepNow(settings, state.get('retention'), now());
  if (step === 'announce') announce(space);
  if (step === 'round') await round(space);
}

function announce({ context: { settings, state, now, emit } }: Workspace): void {
  const known = { ...state.get('retention'), at: now(), settings: written(settings) };
  state.set('retention', known);
  const [streamDays, eventDays] = [settings.keep_stream_days, settings.keep_event_days];
  emit({ what: 'retention', streamDays, eventDays, from: nextRound(settings, known) ?? now() });
}

async function round(space: Workspace): Promise<void> {
  const { settings, state, now, emit } = space.context;
  const leaving = await leavingNow(space);
  rememberAll(space, leaving);
  // The signals first: without the records that say so, nobody would know that they were weighed.
  const signals = await goneOf(leaving.signals, (one) => retireNote(space, one));
  const events = await goneOf(leaving.events, (one) => retireNote(space, one));
  const streams = await goneOf(leaving.streams, (one) => retireStream(space, one));
  state.set('retention', { at: now(), settings: written(settings), streams, events, signals });
  if (streams + events + signals > 0) emit({ what: 'retired', streams, events, signals });
}

// Durable before anything goes, so that what comes back after a crash is known as well.
function rememberAll(space: Workspace, { streams, events, signals }: Leaving): void {
  const { state, now } = space.context;
  if (events.length > 0) {
    rememberTouches(space, events);
    state.save('touched');
  }
  if (streams.length + signals.length === 0) return;
  const retired = state.get('retired');
  const weighed = state.get('weighed');
  for (const key of [...streams.map(({ sha256 }) => retiredKey(sha256)), ...signals.map(({ name }) => name)]) {
    retired[key] = now();
    state.touch('retired', key);
  }
  for (const { name } of signals) {
    weighed[name] ??= now();
    state.touch('weighed', name);
  }
  state.save('retired');
  state.save('weighed');
}

async function goneOf<Item>(items: readonly Item[], go: (item: Item) => Promise<boolean>): Promise<number> {
  let gone = 0;
  for (const item of items) {
    if (await go(item)) gone += 1;
    await new Promise(setImmediate);
  }
  return gone;
}

function retireStream(space: Workspace, { file, sha256 }: Leaving['streams'][number]): Promise<boolean> {
  return space.transactions.inTurn(sha256, async () => {
    return isGone(space, file, MAX_MAIL_BYTES, sha256);
  });
}

// Whoever has changed the note since it was looked at has a word about it.
function retireNote(space: Workspace, { path, stat }: EventRecord | SignalRecord): Promise<boolean> {
  return space.transactions.inTurn(path, async () => {
    space.transactions.finishHeldUp([path]);
    space.vault.look([path]);
    const now = space.vault.catalogue.get(path);
    const sha = space.notes.fresh(path)?.sha;
    if (now === undefined || sha === undefined || !sameStat(now.stat, stat)) return false;
    return isGone(space, path, MAX_NOTE_BYTES, sha);
  });
}

function isGone({ vault, transactions }: Workspace, file: string, maxBytes: number, sha256: string): boolean {
  transactions.demand();
  if (vault.away !== null) return false;
  const gone = retire(vault.root, vault.places, { file, maxBytes, fits: (found) => found === sha256 });
  if (gone) vault.lose([file]);
  return gone;
}
