import fs from 'node:fs';
import path from 'node:path';
import type { ReadAccess, Targets, Workspace } from '../daemon/context.ts';
import { TaskBook, type Tiers, type TrainedReader } from '../reading/learnt.ts';
import { type TargetCandidate, TargetIndex } from '../reading/targets.ts';
import { isStateField, ourName } from '../steward/change.ts';
import { isKnownNote } from '../steward/records.ts';
import { pastAnswers } from '../steward/track-record.ts';
import type { PastAnswer, StreamEvent } from '../steward/types.ts';
import { eventSource } from '../streams/signal.ts';
import { syncTargets } from '../streams/target-sync.ts';
import type { Frontmatter, Yaml } from '../vault/frontmatter.ts';
import { noteMoment } from '../vault/note-text.ts';
import { type EventRecord, type ReversalRecord, stateMeant, type TargetRecord } from '../vault/record.ts';
import type { CommittedNote, GitPast } from './git-past.ts';
import {
  type GitVersion,
  type NotePast,
  type PastMove,
  type PresentNote,
  pastOfNote,
  valueAt,
  wasThere,
} from './note-past.ts';

/** A task or matter with its frontmatter as it is now, and what is known of its past. */
export interface RememberedNote {
  readonly record: TargetRecord;
  readonly data: Frontmatter;
  readonly past: NotePast;
}

/** Returns every task and matter of a vault with its past, by path. `git`: what git knows; null without it. */
export function rememberNotes(space: ReadAccess, git: GitPast | null): ReadonlyMap<string, RememberedNote> {
  const { catalogue } = space.vault;
  const records: TargetRecord[] = [...catalogue.each('matter'), ...catalogue.each('task')];
  return new Map(
    records.map((record) => {
      const data = space.notes.fresh(record.path)?.data ?? {};
      const committed = git?.notes.get(record.path) ?? null;
      const versions = committed?.map((version) => versionOf(space, version)) ?? null;
      const known = git === null || versions === null ? null : { versions, firstCommit: git.firstCommit };
      return [
        record.path,
        { record, data, past: pastOfNote(presentNote(space, record, data), ownMoves(space, record), known) },
      ];
    }),
  );
}

/** The names under which notes say when they were made: those of TaskNotes and of Obsidian's usual plugins. */
const CREATED = ['created', 'dateCreated', 'date_created', 'createdDate', 'creation_date'];

function presentNote(space: ReadAccess, record: TargetRecord, data: Frontmatter): PresentNote {
  const { fields } = record;
  const isTask = record.kind === 'task';
  const stat = fs.statSync(path.join(space.vault.root, record.path), { throwIfNoEntry: false });
  return {
    state: fields.state,
    due: isTask ? record.fields.due : null,
    completedDate: isTask ? record.fields.completedDate : textIn(data, 'completedDate'),
    created: CREATED.map((name) => textIn(data, name)).find((text) => text !== null) ?? null,
    mtimeMs: stat?.mtimeMs ?? 0,
    bornMs: stat === undefined || stat.birthtimeMs === 0 ? null : stat.birthtimeMs,
  };
}

function versionOf(space: ReadAccess, { at, data }: CommittedNote): GitVersion {
  const { field_mapping: mapping } = space.context.settings;
  const value = (wanted: string): Yaml => {
    const own = data[wanted];
    if (own !== undefined) return own;
    const [, mapped] = Object.entries(data).find(([name]) => ourName(name, mapping) === wanted) ?? [];
    return mapped ?? null;
  };
  const written = value('state') ?? value('status');
  const state = stateMeant(written, space.vault.catalogue.words) ?? 'open';
  return { at, state, due: textOf(value('due')), completedDate: textOf(value('completedDate')) };
}

function textIn(data: Frontmatter, name: string): string | null {
  return textOf(data[name] ?? null);
}

function textOf(value: Yaml): string | null {
  return typeof value === 'string' ? value : null;
}

// Every change that Steward has made, and every one that it has taken back, left its recipe.
function ownMoves(space: ReadAccess, { path: target }: TargetRecord): PastMove[] {
  const { catalogue } = space.vault;
  const events = catalogue.eventsAbout(target);
  const undos = events.flatMap((event) => catalogue.answersTo(event.name)).filter((one) => one.kind === 'reversal');
  return [...events, ...undos]
    .filter((note) => isKnownNote(space, note))
    .flatMap((note) => movesIn(space, note))
    .toSorted((one, other) => one.at - other.at);
}

function movesIn({ context, vault }: ReadAccess, note: EventRecord | ReversalRecord): PastMove[] {
  const fields = note.fields.undo_recipe?.vault_patch.fields ?? {};
  const at = noteMoment(note.name, note.kind === 'event' ? note.fields.timestamp : note.fields.settled_at);
  return Object.entries(fields).flatMap(([name, { before, after }]): PastMove[] => {
    if (!Number.isFinite(at)) return [];
    if (isStateField(name)) {
      const meant = (value: Yaml) => stateMeant(value, vault.catalogue.words) ?? 'open';
      return [{ at, field: 'state', before: meant(before), after: meant(after), by: 'steward' }];
    }
    if (ourName(name, context.settings.field_mapping) !== 'due') return [];
    return [{ at, field: 'due', before: textOf(before), after: textOf(after), by: 'steward' }];
  });
}

/** A moment at which a note becomes another one. */
interface Turn {
  readonly at: number;
  readonly path: string;
}

/** Senders and keywords that notes would have besides their own, by path. */
export interface ExtraNames {
  readonly senders?: ReadonlyMap<string, readonly string[]>;
  readonly keywords?: ReadonlyMap<string, readonly string[]>;
}

/**
 * The notes that an event could be about, as they were at a moment that only moves on. Names, aliases, senders and keywords
 * are those of today.
 */
export class PastVault implements Targets {
  readonly index = new TargetIndex();
  readonly learnt: TrainedReader;
  readonly book: TaskBook;
  readonly tiers: Tiers;
  readonly #space: Workspace;
  readonly #notes: ReadonlyMap<string, RememberedNote>;
  readonly #candidates: ReadonlyMap<string, TargetCandidate>;
  readonly #turns: readonly Turn[];
  #next = 0;

  constructor(space: Workspace, notes: ReadonlyMap<string, RememberedNote>, extra: ExtraNames = {}) {
    const today = syncTargets(space);
    this.#space = space;
    this.#notes = notes;
    this.learnt = today.learnt;
    this.book = new TaskBook(today.learnt);
    const { propose_from: proposeFrom, ask_from: askFrom } = space.context.settings;
    this.tiers = { proposeFrom, askFrom };
    this.#candidates = new Map(
      [...notes.keys()].flatMap((path) => {
        const found = today.index.get(path);
        if (found === null) return [];
        const senders = [...found.senders, ...(extra.senders?.get(path) ?? [])];
        const keywords = [...found.keywords, ...(extra.keywords?.get(path) ?? [])];
        return [[path, { ...found, senders, keywords }] as const];
      }),
    );
    this.#turns = [...this.#candidates.keys()].flatMap((path) => this.#turnsOf(path)).toSorted((a, b) => a.at - b.at);
    for (const path of this.#candidates.keys()) this.#put(path, Number.NEGATIVE_INFINITY);
  }

  /** Moves on to a moment (epoch ms): no earlier one than before. */
  goTo(at: number): void {
    for (let turn = this.#turns[this.#next]; turn !== undefined && turn.at <= at; turn = this.#turns[this.#next]) {
      this.#put(turn.path, turn.at);
      this.#next += 1;
    }
  }

  // The answers that the vault's user had given by then. A rehearsal doesn't learn from itself.
  answers = (event: StreamEvent): readonly PastAnswer[] =>
    pastAnswers(this.#space, eventSource(event), Date.parse(event.originAt ?? ''));

  follow(): void {} // the past doesn't change

  #turnsOf(path: string): Turn[] {
    const past = this.#notes.get(path)?.past;
    if (past === undefined) return [];
    const moments = past.moves.map(({ at }) => at);
    return [...(past.created === null ? [] : [past.created.at]), ...moments].map((at) => ({ at, path }));
  }

  #put(path: string, at: number): void {
    const [note, candidate] = [this.#notes.get(path), this.#candidates.get(path)];
    if (note === undefined || candidate === undefined || !wasThere(note.past, at)) return;
    this.index.add({
      ...candidate,
      state: valueAt(note.past, 'state', at, candidate.state) ?? candidate.state,
      ...(candidate.due === undefined ? {} : { due: valueAt(note.past, 'due', at, candidate.due) }),
    });
  }
}
