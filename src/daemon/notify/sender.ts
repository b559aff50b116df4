import type { Channel, NotSentKind, Sent } from '../../notify/channel.ts';
import { nextTry } from '../../source/retry-pace.ts';
import { quietUntil } from '../../steward/notify/hours.ts';
import type { Tray } from '../../steward/notify/memory.ts';
import type { Message } from '../../steward/notify/message.ts';
import type { News } from '../../steward/notify/news.ts';
import type { Policy } from '../../steward/notify/policy.ts';
import { diagnostic } from '../../vault/errors.ts';
import type { ModelAccess } from '../context/ports.ts';
import { keepTray, trayOf } from './tray.ts';

/** What is kept for the next try: it is certain that nothing was taken. */
const KEPT: readonly NotSentKind[] = ['away', 'busy', 'refused', 'ended'];
/** A token that is refused is tried once an hour: it may have been renewed at the server. */
const REFUSED_MS = 60 * 60_000;
/** A digest that could not be said at its hour keeps to the quiet hours. */
const LATE_MS = 30 * 60_000;
/** No pause is longer; what lies further ahead was noted before the clock was set back. */
const LONGEST_MS = 25 * 60 * 60_000;

/** Makes messages as they are now: what was answered meanwhile is left out. */
export interface Composer {
  readonly message: (news: readonly News[]) => { readonly message: Message; readonly told: readonly News[] } | null;
  readonly digest: (since: number) => Message | null;
}

interface SenderParts {
  readonly space: ModelAccess;
  readonly channel: Channel;
  readonly composer: Composer;
  readonly policy: () => Policy;
  readonly chance: () => number;
  readonly abort: AbortSignal;
}

/** One attempt: what is given to the channel, and what of it is put back where nothing was taken. */
interface Attempt {
  readonly message: Message;
  readonly things: number;
  readonly back: Pick<Tray, 'news' | 'digest'>;
}

/**
 * Says by one channel what is to be said. That something is being said is on disk before it is: after a crash nobody knows
 * whether it was taken, and nothing is said twice.
 */
export class Sender {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Says what can be said now. Returns when to come again (epoch ms); null where there is nothing to say. */
  async run(): Promise<number | null> {
    const { space, channel, abort } = this.#parts;
    for (let next = this.#held(); ; next = this.#held()) {
      if (next !== 'now' || abort.aborted || space.vault.away !== null) return next === 'now' ? null : next;
      const attempt = this.#taken();
      if (attempt === null) continue; // all of it was answered meanwhile
      this.#settle(attempt, await channel.send(attempt.message, abort));
    }
  }

  #held(): number | 'now' | null {
    const { space, channel, policy } = this.#parts;
    const { state, now: clock } = space.context;
    const [tray, now] = [trayOf(state, channel.name), clock()];
    if (tray.news.length === 0 && tray.digest === null) return null;
    if (tray.next > now && tray.next - now < LONGEST_MS) return tray.next;
    const quiet = quietUntil(policy().quiet, now);
    const isTimely = tray.digest !== null && Math.abs(now - (state.get('notify').digest ?? 0)) < LATE_MS;
    return quiet === null || isTimely ? 'now' : quiet;
  }

  // Off the tray on disk before it is sent.
  #taken(): Attempt | null {
    const { space, channel, composer } = this.#parts;
    const { state } = space.context;
    const { digest, news } = trayOf(state, channel.name);
    if (digest !== null) {
      keepTray(state, channel.name, (tray) => ({ ...tray, digest: null }));
      const message = composer.digest(digest);
      return message === null ? null : { message, things: 0, back: { news: [], digest } };
    }
    keepTray(state, channel.name, (tray) => ({ ...tray, news: [] }));
    const made = composer.message(news);
    return made === null
      ? null
      : { message: made.message, things: made.told.length, back: { news: [...made.told], digest: null } };
  }

  #settle({ things, back }: Attempt, sent: Sent): void {
    const { space, channel } = this.#parts;
    const { context, problems } = space;
    const fault = `notify ${channel.name}`;
    if (sent.ok) {
      const delivered = context.now();
      keepTray(context.state, channel.name, (tray) => ({ ...tray, tries: 0, next: 0, delivered, trouble: null }));
      problems.faults.delete(fault);
      context.emit({ what: 'notified', channel: channel.name, things });
      return;
    }
    keepTray(context.state, channel.name, (tray) => this.#after(tray, back, sent));
    if (sent.kind === 'ended') return;
    const trouble = diagnostic({ code: `notify-${channel.name}`, message: sent.message, hint: sent.hint });
    if (problems.faults.get(fault)?.message !== trouble.message) context.emit({ what: 'trouble', trouble });
    problems.faults.set(fault, trouble);
  }

  #after(tray: Tray, { news, digest }: Attempt['back'], sent: Extract<Sent, { ok: false }>): Tray {
    const { kind, message, hint, waitMs } = sent;
    const now = this.#parts.space.context.now();
    const kept = KEPT.includes(kind)
      ? { ...tray, news: [...news, ...tray.news], digest: digest ?? tray.digest }
      : { ...tray };
    if (kind === 'ended') return kept;
    const tries = tray.tries + 1;
    const pause = kind === 'refused' ? REFUSED_MS : nextTry(tries, waitMs, this.#parts.chance());
    return { ...kept, tries, next: now + pause, trouble: { message, hint } };
  }
}
