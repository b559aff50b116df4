import fs from 'node:fs';
import path from 'node:path';
import type { SystemCalls } from '../disk/system-calls.ts';
import { openAsFolderAndSources } from '../disk-readers.ts';
import { awayRefusal, type Diagnostic, StewardError, systemCode } from '../errors.ts';
import { createWhole, insideVault, readBytes } from '../files.ts';
import { appendFields } from '../frontmatter/append.ts';
import { editFields } from '../frontmatter.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter-parse.ts';
import { sha256 } from '../hash.ts';
import { withHistory } from '../history-block.ts';
import { type FolderKind, RECORD_KINDS, type RecordKind } from '../layout.ts';
import { intentId } from '../note-text.ts';
import { withPart } from '../notes/kept-part.ts';
import { type NotePlacesVault, writtenPlaces } from '../notes/note-places.ts';
import { sourcesOf } from '../notes-core.ts';
import { same } from '../parsed-note.ts';
import type { Frontmatter, Yaml } from '../records/values.ts';
import type { OwnWrites } from '../transaction.ts';
import type { DisplacedFiles } from './displaced-files.ts';
import type { Edition } from './edition.ts';
import type { EditStep, Intent, Step } from './intent.ts';
import type { Publisher } from './publish.ts';

/** How often a following edit is made again on a note that somebody keeps writing. */
const TRIES = 5;
/** How long (ms) a note that is just being written may delay an action; after that it is left as it is. */
const PATIENCE_MS = 60_000;

/** What a transaction must know of the vault around it. */
export interface TransactionVault extends NotePlacesVault {
  /** Where files are written before they get their name. */
  readonly tmp: string;
  /** Returns how many records of a kind are known. */
  count(kind: RecordKind): number;
  /** Reads these files again. */
  look(files: readonly string[]): void;
  /** Lists the vault again, soon. */
  sweep(): void;
}

export interface StepExecutorParts {
  readonly vault: TransactionVault;
  readonly publisher: Publisher;
  readonly displaced: DisplacedFiles;
  readonly own: OwnWrites;
  /** Throws where the vault is no longer this process's to write to. */
  readonly demand: () => void;
  /** Loaded where it is first asked. */
  readonly system: () => SystemCalls | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Carries out the single steps of an intent on disk, and tells which of them happened. */
export class StepExecutor {
  readonly #parts: StepExecutorParts;

  constructor(parts: StepExecutorParts) {
    this.#parts = parts;
  }

  /**
   * Creates a new note, whole, and never in the place of another: false where the name is taken. Nobody can read it who may
   * not read what it is about. Throws `vault-away` where its folder held notes and is gone: no folder is created in the
   * empty place of a vault that went away. Throws `lock-lost` where another process has the vault by now.
   */
  create(file: string, text: string): boolean {
    return this.#create(file, text, this.#parts.demand);
  }

  /**
   * Makes a deciding edit exactly as it was decided. False where the note has changed since: nothing was written. Throws
   * the system's error where the disk refuses, and `lock-lost` where another process has the vault by now.
   */
  edit(intent: Intent, step: EditStep): boolean {
    return this.#edit(intent, step, this.#parts.demand);
  }

  #edit(intent: Intent, step: EditStep, mayPublish?: () => void): boolean {
    const { publisher, displaced, own } = this.#parts;
    const result = publisher.publish(editionOf(intent, step), mayPublish);
    if (result.done) {
      own.remember(step.path, step.after_sha256);
      displaced.keepWatch(step.path, result.displaced, step.before_sha256, result.apart);
    } else for (const file of result.found) displaced.report(step.path, file);
    return result.done;
  }

  /**
   * Carries out a step after the deciding one. It must end done, whoever else wrote to the note meanwhile, and does
   * nothing twice, also where the vault was lost since: what was decided is made whole. Throws `note-busy` where somebody
   * keeps writing to the note.
   */
  follow(intent: Intent, step: Step): void {
    if (step.do === 'create') {
      this.#create(step.path, step.text);
      return;
    }
    const now = this.currentSha(step.path);
    if (now === null || now === step.after_sha256) return; // null: what is there is not a note, and stays as it is
    if (this.#edit(intent, step)) return;
    this.#editAgain(intent, step);
  }

  /** Does the same for a step that a crash or the disk may have cut off half way. */
  finish(intent: Intent, step: Step): void {
    if (step.do === 'edit') this.resolveEdit(intent, step, false);
    this.follow(intent, step);
  }

  /**
   * Whether an intent's deciding step happened. It may be long past: then one of the others shows that it did. An edit
   * that was cut off is put in order on the way.
   */
  wasDecided(intent: Intent): boolean {
    const [first, ...rest] = intent.steps;
    if (first === undefined) return false;
    const beyond = rest.some((step) => this.#isDone(intent, step));
    if (first.do === 'create') return beyond || this.#exists(first.path);
    return this.resolveEdit(intent, first, !beyond) || beyond;
  }

  /**
   * Puts an edit that was cut off in order, and returns whether it reached its note: the bytes it displaced are kept or
   * go back. `first`: no other step of the intent happened yet.
   */
  resolveEdit(intent: Intent, step: EditStep, first: boolean): boolean {
    const { publisher, displaced } = this.#parts;
    const resolution = publisher.resolve(editionOf(intent, step), first);
    if (resolution.displaced !== null) {
      displaced.keepWatch(step.path, resolution.displaced, step.before_sha256, resolution.apart);
    }
    if (resolution.found !== null) displaced.report(step.path, resolution.found);
    return resolution.published;
  }

  #create(file: string, text: string, mayAppear: () => void = () => {}): boolean {
    const { root, layout, tmp } = this.#parts.vault;
    const kind = layout.folderKindOf(file);
    if (kind !== null) this.#demandFolder(kind);
    return createWhole(root, tmp, file, text, (part, place) => {
      const sources = sourcesOf(file, text, (name) => this.#signalsNamed(name)).map((one) => path.join(root, one));
      openAsFolderAndSources(part, place, sources, this.#parts.system());
      mayAppear();
    });
  }

  // Wherever a person has moved it; where the vault is not read yet, where it was written.
  #signalsNamed(name: string): string[] {
    const { layout, named } = this.#parts.vault;
    const moved = named(name).filter((file) => layout.folderKindOf(file) === 'signal');
    return [...new Set([...writtenPlaces(layout.folders.signal, name), ...moved])];
  }

  #demandFolder(kind: FolderKind): void {
    const { vault } = this.#parts;
    const folder = vault.layout.folders[kind];
    const record = RECORD_KINDS.find((one) => one === kind);
    const count = record === undefined ? 0 : vault.count(record);
    if (count > 0 && !fs.existsSync(path.join(vault.root, folder))) {
      vault.sweep(); // the watcher may have missed its disappearance
      throw awayRefusal(`the folder ${folder}, which held ${count} notes, has vanished`);
    }
  }

  #isDone(intent: Intent, step: Step): boolean {
    if (step.do === 'edit') return this.currentSha(step.path) === step.after_sha256;
    return intentId(step.path) === intent.id && this.#exists(step.path);
  }

  #editAgain(intent: Intent, step: EditStep): void {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const note = this.#currentNote(intent, step.path);
      if (note === null || !isStillExpected(note.data, step)) return;
      const text = madeAgain(step, note.text);
      if (text === note.text) return;
      const retry = { ...step, before_sha256: sha256(note.text), after_sha256: sha256(text), text };
      if (this.#edit(intent, retry)) return;
    }
    throw busy(step.path);
  }

  #currentNote(intent: Intent, file: string): { data: Frontmatter; text: string } | null {
    const bytes = this.#currentBytes(file);
    const read = bytes === null ? null : readNote(file, bytes);
    if (read?.ok === false && this.#isBeingWritten(intent, read.trouble)) throw busy(file);
    return read?.ok ? read.note : null;
  }

  #isBeingWritten(intent: Intent, { code }: Diagnostic): boolean {
    const halfWritten = code === 'note-empty' || code === 'frontmatter-unclosed';
    return halfWritten && this.#parts.now() - Date.parse(intent.at) < PATIENCE_MS;
  }

  #exists(file: string): boolean {
    return fs.existsSync(path.join(this.#parts.vault.root, file));
  }

  /** Returns the hash of what a note holds now; null where it is gone, or no note. */
  currentSha(file: string): string | null {
    const bytes = this.#currentBytes(file);
    return bytes === null ? null : sha256(bytes);
  }

  #currentBytes(file: string): Buffer | null {
    try {
      return readBytes(insideVault(this.#parts.vault.root, file), MAX_NOTE_BYTES).bytes;
    } catch (error) {
      if (systemCode(error) === 'ENOENT' || error instanceof StewardError) return null;
      throw error;
    }
  }
}

function editionOf(intent: Intent, step: EditStep): Edition {
  return {
    path: step.path,
    beforeSha256: step.before_sha256,
    bytes: Buffer.from(step.text),
    keepAs: intent.id,
    keptBefore: intent.kept_before ?? 0,
  };
}

function madeAgain(step: EditStep, text: string): string {
  if (step.append !== undefined) return appendFields(step.path, text, step.append);
  if (step.again === undefined) return text;
  const edited = editFields(step.path, text, step.again).text;
  const told = step.part === undefined ? edited : (withPart(edited, step.part.marks, step.part.text) ?? edited);
  return withHistory(step.path, told, step.history ?? [], step.opening);
}

// A field that no longer holds what the edit was decided on belongs to the person now, or we have already written it.
function isStillExpected(data: Frontmatter, step: EditStep): boolean {
  return Object.entries(step.expects ?? {}).every(([field, value]) => same(data[field] ?? null, value as Yaml));
}

function busy(file: string): StewardError {
  return new StewardError({
    code: 'note-busy',
    file,
    message: `${file} is being written again and again just now.`,
    hint: 'The rest of the action is made as soon as the note is quiet.',
  });
}
