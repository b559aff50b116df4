import type { LinkPlace } from '../../notify/access.ts';
import { LABELS, LinkServer } from '../../notify/links/link-server.ts';
import { type LinkClaim, linkKey, tokenOf } from '../../notify/links/link-token.ts';
import type { Waiting } from '../../steward/attention/waiting.ts';
import type { MessageAction } from '../../steward/notify/message.ts';
import type { News } from '../../steward/notify/news.ts';
import { plainLine, titleOfLink } from '../../steward/notify/words.ts';
import { isKnownNote } from '../../steward/ports/own-notes.ts';
import { diagnostic, systemCode } from '../../vault/errors.ts';
import type { WriteAccess } from '../context/ports.ts';
import { sealKeyAt } from '../context/seal-key.ts';
import { linkDesk } from './desk.ts';

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
