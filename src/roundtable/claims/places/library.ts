import { filesNamed } from '../../../evidence/files/file-name.ts';
import type { RegisteredFile } from '../../../evidence/files/registered.ts';
import { type Source as FileText, tryRead } from '../../../evidence/files/source.ts';
import { outlineOf, type PlacedPart } from '../../../evidence/formats/outline.ts';
import { StewardError } from '../../../vault/errors.ts';

/** How much of the registered files one check reads. */
const MAX_READ = 48_000_000;

/** The registered files, each read and outlined once, and only where a message names it. */
export class Library {
  readonly #files: readonly RegisteredFile[];
  readonly #texts = new Map<string, FileText | null>();
  readonly #outlines = new Map<FileText, readonly PlacedPart[] | null>();
  #room = MAX_READ;

  constructor(files: readonly RegisteredFile[]) {
    this.#files = files;
  }

  /** The paths that a name in a message means; none where it is not registered. */
  named(name: string): readonly RegisteredFile[] {
    const found = filesNamed(this.#files, name);
    if (found.length > 0) return found;
    return this.#files.filter(({ path }) => path.includes('/') && name.endsWith(`/${path}`));
  }

  /** The text of a registered file; null where it cannot be read, or where too much has been read already. */
  text(file: RegisteredFile): FileText | null {
    const key = `${file.root}\0${file.path}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const read = this.#room > 0 ? tryRead(file) : null;
    this.#room -= read?.text.length ?? 0;
    this.#texts.set(key, read);
    return read;
  }

  /** What has a name in a file; null where its format is not understood. */
  outline(text: FileText): readonly PlacedPart[] | null {
    const known = this.#outlines.get(text);
    if (known !== undefined) return known;
    const made = tryOutline(text);
    this.#outlines.set(text, made);
    return made;
  }

  /** Whether one of the files that were read so far holds a text. */
  mentions(words: string): boolean {
    return [...this.#texts.values()].some((one) => one?.text.includes(words) === true);
  }
}

function tryOutline(text: FileText): readonly PlacedPart[] | null {
  try {
    return outlineOf(text);
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}
