import type { LinkPlace } from '../notify/channel.ts';
import {
  LABELS,
  type LinkClaim,
  type LinkDesk,
  LinkServer,
  linkKey,
  type Pressed,
  type Preview,
  tokenOf,
} from '../notify/links.ts';
import type { Waiting } from '../steward/attention-waiting.ts';
import { type MessageAction, type News, plainLine, titleOf, titleOfLink, withDays } from '../steward/notify.ts';
import { isKnownNote } from '../steward/ports/own-notes.ts';
import { type Answer, isDone } from '../undo/order.ts';
import { previewUndo } from '../undo/undo.ts';
import { awayRefusal, diagnostic, StewardError, systemCode } from '../vault/errors.ts';
import type { EventRecord } from '../vault/index/record.ts';
import { changeLine } from '../vault/note-text.ts';
import { previewAnswer } from './answers/answer.ts';
import { answerAll, undoAll } from './answers/answer-all.ts';
import type { WriteAccess } from './context.ts';
import { targetPath } from './effective-mode.ts';
import { sealKeyAt } from './seal-key.ts';

const GONE = 'What it was about is no longer there, or was changed by somebody else.';
const MAX_CHANGE = 300;

/** Returns the desk at which links in messages are answered: by the functions of the commands, on the program's own events alone. */
function linkDesk(space: WriteAccess): LinkDesk {
  const { state } = space.context;
  const keep = (used: Record<string, number>) => {
    state.set('notify', { ...state.get('notify'), used });
    state.save('notify');
  };
  return {
    preview: (claim) => previewOf(space, claim),
    use(id, until) {
      const { used } = state.get('notify');
      if (used[id] !== undefined) return false;
      keep({ ...used, [id]: until });
      return true;
    },
    giveBack(id) {
      const { [id]: _, ...others } = state.get('notify').used;
      keep(others);
    },
    press: (claim) => pressed(space, claim),
  };
}

function previewOf(space: WriteAccess, claim: LinkClaim): Preview {
  const event = ownEvent(space, claim);
  if (event === null) return { isOpen: false, reason: GONE };
  const would = wouldDo(space, event, claim);
  if (!isDone(would)) return { isOpen: false, reason: plainLine(would.message, MAX_CHANGE) };
  const { change, changes } = event.fields;
  const line = plainLine(withDays(change ?? changeLine(changes) ?? '', space.context.now()), MAX_CHANGE);
  const target = targetPath(space.vault, event);
  const chosen = claim.choose === null ? null : titleOfLink(claim.choose);
  return { isOpen: true, title: chosen ?? (target === null ? 'Steward' : titleOf(target)), change: line };
}

function wouldDo(space: WriteAccess, event: EventRecord, { answer, choose }: LinkClaim): Answer {
  return answer === 'undo' ? previewUndo(space, event, false) : previewAnswer(space, { kind: answer, event, choose });
}

async function pressed(space: WriteAccess, claim: LinkClaim): Promise<Pressed> {
  try {
    await space.vault.sweep(); // on the vault as it is now, as a command does it
    if (space.vault.away !== null) throw awayRefusal(space.vault.away);
    // A message shows what the program itself had written. What somebody has changed since is not what was agreed to.
    if (ownEvent(space, claim) === null) return { isDone: false, mayRetry: false, message: GONE };
    const [given] = await answered(space, claim);
    if (given === undefined) return { isDone: false, mayRetry: false, message: GONE };
    return { isDone: isDone(given), mayRetry: given.until !== null, message: plainLine(given.message, MAX_CHANGE) };
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return { isDone: false, mayRetry: true, message: plainLine(error.message, MAX_CHANGE) };
  }
}

function answered(space: WriteAccess, { event, answer, choose }: LinkClaim): Promise<Answer[]> {
  const asked = { events: [event], dryRun: false, by: 'link' as const };
  if (answer === 'undo') return undoAll(space, { ...asked, last: null, reason: null, force: false });
  return answerAll(space, { ...asked, kind: answer, choose });
}

function ownEvent(space: WriteAccess, { event }: LinkClaim): EventRecord | null {
  const found = space.vault.catalogue.resolve(event, ['event']);
  return found?.kind === 'event' && found.name === event && isKnownNote(space, found) ? found : null;
}

/** A link is good for no longer than this, and for no longer than its answer means something. */
const GOOD_MS = 7 * 24 * 60 * 60_000;
const MAX_LABEL = 24;
/** With more notes to choose from there is no room for the buttons. */
const MOST_CHOICES = 2;
const FAULT = 'notify links';

/** The buttons of messages, and the server that answers them. */
export class Links {
  readonly #space: WriteAccess;
  readonly #place: LinkPlace;
  readonly #key: Uint8Array;
  #server: LinkServer | null = null;
  #isOpening = false;

  constructor(space: WriteAccess, place: LinkPlace) {
    this.#space = space;
    this.#place = place;
    const { env, state } = space.context;
    // The folder's place too: a copy of a vault remembers the same of itself.
    const vault = `${state.get('identity').id}\0${space.vault.root}`;
    this.#key = linkKey(sealKeyAt(env.sealKey ?? null, true).key, vault);
  }

  /** Listens where it does not yet; where the system refuses that, `status` says so, and the next call tries again. */
  async open(): Promise<void> {
    if (this.#server !== null || this.#isOpening) return;
    this.#isOpening = true;
    const { context } = this.#space;
    const parts = { place: this.#place, key: this.#key, desk: linkDesk(this.#space), now: context.now };
    const server = new LinkServer(parts);
    try {
      await server.listen((error) => this.#lost(error));
      this.#server = server;
      this.#space.problems.faults.delete(FAULT);
    } catch (error) {
      this.#lost(error);
    } finally {
      this.#isOpening = false;
    }
  }

  /** Ends the server. */
  async close(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }

  /** Returns the buttons for one thing; none while nobody would answer them. `entry`: what stands of it in the list. */
  actionsFor(news: News, entry: Waiting | null): MessageAction[] {
    const event = news.event === null ? null : this.#space.vault.catalogue.resolve(news.event, ['event']);
    if (this.#server === null || event?.kind !== 'event' || !isKnownNote(this.#space, event)) return [];
    const now = this.#space.context.now();
    const expires = Date.parse(event.fields.undo_recipe?.expires_at ?? '');
    const until = Math.min(now + GOOD_MS, Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires);
    return asksFor(news, entry).map(({ label, answer, choose }) => {
      const token = tokenOf(this.#key, { event: event.name, answer, choose, until });
      return { label, url: `${this.#place.base}/a/${token}` };
    });
  }

  #lost(error: unknown): void {
    this.#server = null;
    const { host, port } = this.#place;
    const why = systemCode(error) === 'EADDRINUSE' ? 'another program listens there' : (systemCode(error) ?? 'unknown');
    const trouble = diagnostic({
      code: 'notify-links',
      message: `The buttons of messages cannot be answered at ${host}:${port}: ${why}.`,
      hint: 'Until that is mended, messages have no buttons. Set STEWARD_NOTIFY_ACTIONS to an address and a port of this machine that are free.',
    });
    const { faults } = this.#space.problems;
    if (faults.get(FAULT)?.message !== trouble.message) this.#space.context.emit({ what: 'trouble', trouble });
    faults.set(FAULT, trouble);
  }
}

interface Asked extends Pick<LinkClaim, 'answer' | 'choose'> {
  readonly label: string;
}

function asksFor({ kind }: News, entry: Waiting | null): Asked[] {
  const plain = (answer: LinkClaim['answer'], label = LABELS[answer]): Asked => ({ label, answer, choose: null });
  if (kind === 'done') return [plain('undo')];
  if (entry === null) return [];
  const dismiss = entry.answers.includes('dismiss')
    ? [plain('dismiss', kind === 'question' ? 'Seen' : LABELS.dismiss)]
    : [];
  if (entry.answers.includes('choose')) return [...choices(entry), ...dismiss];
  return [...(entry.answers.includes('confirm') ? [plain('confirm')] : []), ...dismiss];
}

function choices({ candidates }: Waiting): Asked[] {
  if (candidates.length > MOST_CHOICES) return [];
  return candidates.map((choose) => ({ label: plainLine(titleOfLink(choose), MAX_LABEL), answer: 'confirm', choose }));
}
