import { type Diagnostic, diagnostic } from './errors.ts';

/** A stored value as it was parsed, before it is checked. */
export type Stored = Readonly<Record<string, unknown>>;

/** A step from the version before `to` to the version `to`. */
interface Migration {
  readonly to: number;
  readonly migrate: (value: Stored) => Stored;
}

/** What this program writes of one kind of stored thing, and how it reads what earlier versions wrote. */
interface Format {
  /** Where a value says its version. A value without one is of version 1. */
  readonly key: string;
  readonly version: number;
  /** Newest first. */
  readonly migrations: readonly Migration[];
}

/**
 * The versions of everything that is stored, and the way from each earlier one to ours. The cache has no way: a cache of
 * another version is discarded, and the notes are read again.
 */
export const FORMATS = {
  journal: { key: 'schemaVersion', version: 2, migrations: [{ to: 2, migrate: markedEntry }] },
  state: { key: 'format', version: 2, migrations: [{ to: 2, migrate: splitPerception }] },
  settings: { key: 'format', version: 1, migrations: [] },
  note: { key: 'steward_format', version: 1, migrations: [] },
  cache: { key: 'format', version: 16, migrations: [] },
} as const satisfies Readonly<Record<string, Format>>;

type FormatKind = keyof typeof FORMATS;

/** Returns the version that a stored value says: 1 where it says none, null where it isn't a whole number from 1 on. */
export function versionOf(kind: FormatKind, value: Stored): number | null {
  const written = value[FORMATS[kind].key] ?? 1;
  return typeof written === 'number' && Number.isInteger(written) && written >= 1 ? written : null;
}

/** Whether a stored value is of a version that only a newer program can read. */
export function isNewer(kind: FormatKind, value: Stored): boolean {
  return (versionOf(kind, value) ?? 1) > FORMATS[kind].version;
}

/** Returns a stored value of an earlier version, or of ours, in our version. */
export function upgraded(kind: FormatKind, value: Stored): Stored {
  const { migrations }: Format = FORMATS[kind];
  const from = versionOf(kind, value) ?? 1;
  return migrations.filter(({ to }) => to > from).reduceRight((before, { migrate }) => migrate(before), value);
}

/** Returns the problem of a stored thing that a newer version of the program wrote. `what`: its beginning, in words. */
export function newerFormat(kind: FormatKind, value: Stored, file: string, what: string): Diagnostic {
  const [written, ours] = [versionOf(kind, value), FORMATS[kind].version];
  return diagnostic({
    code: `${kind}-newer`,
    file,
    message: `A newer version of vault-steward wrote ${what} (format ${written}; this version reads up to ${ours}).`,
    hint: 'Start the newer version. This one leaves it exactly as it is.',
  });
}

// From version 2 on, every entry carries the program's mark; one of version 1 may lack it.
function markedEntry(entry: Stored): Stored {
  return { ...entry, schemaVersion: 2 };
}

// Version 1 kept what was found at each note in one file, with the pace.
function splitPerception(state: Stored): Stored {
  const { notes, touched, ...pace } = mapOf(state.perception);
  if (notes === undefined && touched === undefined) return state;
  return {
    ...state,
    perceived: { ...mapOf(state.perceived), ...mapOf(notes) },
    touched: { ...mapOf(state.touched), ...mapOf(touched) },
    perception: pace,
  };
}

function mapOf(value: unknown): Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
