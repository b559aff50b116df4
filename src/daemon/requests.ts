import { awayRefusal } from '../vault/errors.ts';
import { orderQuestions, recordErrand, reserveErrand } from './budget.ts';
import type { Workspace } from './context.ts';
import type { Streams } from './ingest-queue.ts';
import type { Notifier } from './notify.ts';
import type { RoundtableQueue } from './roundtable.ts';
import { withoutProgram } from './runtime/program-update.ts';
import type { Caller, Request } from './server.ts';
import type { SourceWork } from './source-work.ts';
import type { Ticker } from './ticker.ts';

/** What a command may ask for, but for how things stand. */
type Order = Exclude<Request, { op: 'status' | 'alive' }>;

interface RequestParts {
  readonly space: Workspace;
  readonly ticker: Ticker;
  readonly streams: Streams;
  readonly roundtables: RoundtableQueue;
  readonly sources: SourceWork;
  readonly notifier: Notifier;
}

/**
 * Does what a command asks of the running daemon, on the vault as it is now. Each is loaded when it is first asked for. Whoever waits for an import and goes away ends
 * what would still be put into the vault; what is there already is read all the same. Throws `vault-away` (75) where the vault
 * cannot be read, and what the work throws.
 */
export async function carryOutRequest(parts: RequestParts, asked: Order, caller: Caller): Promise<unknown> {
  try {
    return await carriedOut(parts, asked, caller);
  } catch (error) {
    throw withoutProgram(error);
  }
}

async function carriedOut(parts: RequestParts, asked: Order, caller: Caller): Promise<unknown> {
  const { space, ticker, streams, roundtables, sources, notifier } = parts;
  // What has happened is known by what the program did itself: nothing has to be listed for it.
  if (asked.op !== 'log') await space.vault.sweep();
  if (space.vault.away !== null) throw awayRefusal(space.vault.away);
  switch (asked.op) {
    case 'log':
      return (await import('./explain/audit-log.ts')).auditLog(space, asked.count, asked.matter);
    case 'undo':
      return (await import('./answers/answer-all.ts')).undoAll(space, asked);
    case 'answer':
      return (await import('./answers/answer-all.ts')).answerAll(space, asked);
    case 'propose':
      return (await import('./agents.ts')).propose(space, asked);
    case 'tick':
      return ticker.now(asked);
    case 'roundtable':
      return roundtables.hold(asked);
    case 'report':
      return (await import('./report-note.ts')).report(space, asked);
    case 'import':
      return (await import('./import.ts')).importFiles(space, asked.files, {
        read: (file, onProgress) => streams.read(file, onProgress),
        tell: caller.tell,
        abort: caller.gone,
      });
    case 'sources':
      return (await import('./sources/orders/listed-sources.ts')).listedSources(space);
    case 'source-try':
      return sources.try(asked, caller.gone);
    case 'source-add':
      return (await import('./sources/orders/add-source.ts')).addSource(space, asked);
    case 'source-pause':
      return (await import('./sources/orders/pause-source.ts')).pauseSource(space, asked);
    case 'bank-format':
      return (await import('./ingest/keep-bank-format.ts')).keepBankFormat(space, asked.line);
    case 'source-test':
      return sources.test(asked.name, asked.allow, caller.gone);
    case 'notify-test':
      return notifier.test(caller.gone);
    case 'reserve':
      return reserveErrand(space.context, asked.estimate);
    case 'question':
      return orderQuestions(space.context, asked.questions);
    case 'record':
      return recordErrand(space.context, asked);
  }
}
