import { setTimeout as pause } from 'node:timers/promises';
import type { Inlet, Session, SourceProblem } from '../connector.ts';
import { SourceError } from '../failure.ts';
import type { ImapSettings } from '../source-note.ts';
import { Bookmarks } from './bookmarks.ts';
import { describeMailbox, signerOf } from './description.ts';
import { type FolderVisit, visitFolder } from './folder-visit.ts';
import type { ImapLimits } from './limits.ts';
import { Listening } from './listening.ts';
import { Selection } from './selection.ts';
import type { Wire } from './wire.ts';

const LOGOUT_MS = 2000;

/** A mailbox that is connected. One thing is done at a time; what it hears of meanwhile is not lost. */
export class MailboxSession implements Session {
  readonly #wire: Wire;
  readonly #inlet: Inlet;
  readonly #settings: ImapSettings;
  readonly #selection: Selection;
  readonly #listening: Listening;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(wire: Wire, inlet: Inlet, settings: ImapSettings, limits: ImapLimits) {
    this.#wire = wire;
    this.#inlet = inlet;
    this.#settings = settings;
    this.#selection = new Selection(wire, () => this.#listening.tell());
    const [first = 'INBOX'] = settings.folders;
    const look = () => this.#inTurn(() => this.#hasNews(first));
    this.#listening = new Listening(wire, limits, look);
  }

  /** Brings what is new in all folders, in the order of the note. A folder that is not there is said; the others go on. */
  async visit(): Promise<readonly SourceProblem[]> {
    const visits = await this.#inTurn(() => this.#visitAll());
    this.#listening.visited(visits.some(({ hasNews }) => hasNews));
    const problems = visits.flatMap(({ problem }) => (problem === null ? [] : [problem]));
    const [first] = problems;
    if (first !== undefined && visits.every(({ isThere }) => !isThere))
      throw new SourceError({ kind: 'missing', ...first });
    return problems;
  }

  /** Resolves when something has come into the first folder; only a server with IDLE says so at once. */
  async news(): Promise<void> {
    await this.#listening.news();
  }

  async describe(): Promise<readonly string[]> {
    return await this.#inTurn(() => describeMailbox(this.#wire, this.#selection, this.#settings.folders));
  }

  /** Returns the name that `mail_server` should have, as the newest mails show it, or null: a proposal for a person. */
  async signer(): Promise<string | null> {
    return await this.#inTurn(() => signerOf(this.#wire, this.#selection, this.#settings.folders[0] ?? 'INBOX'));
  }

  async close(): Promise<void> {
    const bye = this.#wire.client.logout().catch(() => {});
    await Promise.race([bye, this.#wire.lost.catch(() => {}), pause(LOGOUT_MS, undefined, { ref: false })]);
    this.#wire.client.close();
  }

  async #visitAll(): Promise<readonly FolderVisit[]> {
    const { folders } = this.#settings;
    const bookmarks = new Bookmarks(this.#inlet, folders);
    const visit = {
      wire: this.#wire,
      selection: this.#selection,
      inlet: this.#inlet,
      settings: this.#settings,
      bookmarks,
    };
    const visits: FolderVisit[] = [];
    for (const name of new Set(folders)) visits.push(await visitFolder(visit, name));
    return visits;
  }

  /** Opens the folder that is listened to, and says whether something came while another one was open. */
  async #hasNews(name: string): Promise<boolean> {
    if (this.#selection.isOpen(name)) return this.#selection.hasGrown(name);
    const mark = new Bookmarks(this.#inlet, this.#settings.folders).of(name);
    this.#wire.renew();
    const state = await this.#selection.open(name);
    return mark !== undefined && state !== null && state.next !== null && mark.next !== null && state.next > mark.next;
  }

  /** One after the other: a folder that is open for one must not be closed by another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}
