/** How much a problem matters: it stops something, limits something, or is worth knowing. Most serious first. */
export const SEVERITIES = ['stops', 'limits', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * Every kind of problem that the program reports, by severity: `status` and `doctor` list them, most serious first.
 * `docs/make/problem-words.ts` says what to do about each, whichever note or source it is about.
 */
export const PROBLEMS = {
  stops: [
    // The vault and its disk
    'vault-away',
    'read-only',
    'not-writable',
    'no-permission',
    'disk-full',
    'disk-error',
    'other-disk',
    'own-folder-link',
    'folder-unreadable',
    // The program, its state and its writing
    'state-newer',
    'journal-newer',
    'reader-idle',
    'evaluator-idle',
    'daemon-ended',
    'program-unread',
    'program-updated',
    'lock-in-future',
    'lock-lost',
    'lock-no-file',
    'vault-locked',
    // Settings
    'settings-gone',
    // Notes
    'slug-twice',
    // Sources and what they bring
    'source-note',
    'source-not-allowed',
    'source-failing',
    'source-unanswered',
    // Models
    'evaluator-missing',
    'model-no-key',
    'model-key-refused',
    'model-unpaid',
    'model-unknown-model',
    // Messages
    'notify-ntfy',
    'notify-desktop',
    'notify-command',
    // Plane
    'plane-key',
    'plane-workspace',
    'plane-partly',
    'plane-strange',
  ],
  limits: [
    // The vault and its disk
    'folder-link',
    'not-readable',
    'too-many-open',
    'file-gone',
    'file-error',
    'link-loop',
    'name-too-long',
    'path-outside-vault',
    'not-a-file',
    'note-linked',
    'attributes-lost',
    'watcher',
    'clock-set-back',
    // The program, its state and its writing
    'learning-idle',
    'vault-from-elsewhere',
    'unexpected-fault',
    'request-failed',
    'state-unreadable',
    'note-newer',
    'settings-newer',
    'journal-unreadable',
    'journal-foreign',
    'unfinished',
    'held-up',
    'not-done',
    'edit-unreadable',
    'edit-unsupported',
    'edit-would-change-more',
    'note-not-ours',
    'output-lost',
    'seal-key',
    // Settings
    'settings-invalid',
    // Notes
    'field-invalid',
    'type-contradicts-folder',
    'frontmatter-aliases',
    'frontmatter-duplicate-key',
    'frontmatter-language',
    'frontmatter-misplaced',
    'frontmatter-not-a-mapping',
    'frontmatter-too-large',
    'frontmatter-unclosed',
    'frontmatter-yaml',
    'note-binary',
    'note-empty',
    'note-not-utf8',
    'note-too-large',
    'schedule-invalid',
    'parent-missing',
    'parent-circle',
    'target-missing',
    'status-unexplained',
    'signal-source-unknown',
    'date-invalid',
    'briefing-invalid',
    // Sources and what they bring
    'source-part',
    'source-silent',
    'names-taken',
    'mail-unvouched',
    'reading-ended',
    // Models
    'model-retired',
    'model-formless',
    'model-unavailable',
    'model-rejected',
    'model-too-long',
    // Messages
    'notify-digest',
    'notify-links',
    // Plane
    'plane-forbidden',
    'plane-project',
    'plane-id',
    'plane-missing',
    'plane-refused',
    'plane-away',
    'plane-server',
  ],
  note: [
    // The vault and its disk
    'conflict-copy',
    'note-away',
    // The program, its state and its writing
    'cache-newer',
    'changed-meanwhile',
    'note-busy',
    // Settings
    'settings-unknown',
    // Notes
    'signal-from-future',
    'date-far',
    'snooze-over',
    'snooze-without-date',
    'reverses-nothing',
    'answers-nothing',
    'source-twice',
    // Sources and what they bring
    'mail-empty',
    'mail-too-large',
    'mail-unreadable',
    'event-unreadable',
    // Models
    'model-unpriced',
    'model-rate-limited',
    'model-stopped',
    'model-no-room',
    'model-unrecorded',
    // Plane
    'plane-left',
    'plane-file',
    'plane-busy',
    'plane-ended',
    // Problems that a command reports while it works
    'evidence-root',
    'evidence-not-read',
    'plugin-unreadable',
  ],
} as const satisfies Readonly<Record<Severity, readonly string[]>>;

export type ProblemCode = (typeof PROBLEMS)[Severity][number];

/** Those whose messages count or tell the time: other numbers don't make them other problems. */
const COUNTING: ReadonlySet<string> = new Set<ProblemCode>([
  'learning-idle',
  'evaluator-idle',
  'daemon-ended',
  'reader-idle',
  'source-unanswered',
  'watcher',
  'clock-set-back',
  'unexpected-fault',
  'output-lost',
  'lock-in-future',
  'parent-missing',
  'status-unexplained',
  'source-failing',
  'source-part',
  'source-silent',
  'mail-unvouched',
  'plane-left',
]);

const SEVERITY: ReadonlyMap<string, Severity> = new Map(
  SEVERITIES.flatMap((severity) => PROBLEMS[severity].map((code): [string, Severity] => [code, severity])),
);

/**
 * Returns the row of a code. An error without a row that ended up as a problem counts as one that limits something
 * unknown.
 */
export function problemKind(code: string): { readonly severity: Severity; readonly counts: boolean } {
  return { severity: SEVERITY.get(code) ?? 'limits', counts: COUNTING.has(code) };
}
