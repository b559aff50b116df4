import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { EVALUATE, judgement } from '../../src/providers/evaluator.ts';
import { EXTRACT } from '../../src/providers/extractor.ts';
import { inWords } from '../../src/providers/messages.ts';
import { type Frontmatter, readNote } from '../../src/vault/frontmatter.ts';
import { KEY, noteOf, type Request, textOf } from '../providers/messages-server.ts';
import { flatFields } from '../support/record.ts';
import { liveParts, liveValue } from './live.ts';
import { isAboutEvent } from './obedience.ts';
import { type Scene, SECRET } from './scene.ts';

/** Every file under a folder with its bytes, including the program's own. */
export type Bytes = ReadonlyMap<string, string>;

/** What a scene looked like before and after, what the model was asked, and what a person saw. */
export interface Course {
  readonly scene: Scene;
  readonly before: Bytes;
  readonly after: Bytes;
  readonly requests: readonly Request[];
  readonly output: string;
}

/** What a decision may write into the note under judgement (contract, section 3), given the settings of the scene. */
const EDITABLE = new Set([
  ...[
    'state',
    'completedDate',
    'summary',
    'description',
    'owner',
    'due',
    'blocked_on',
    'current_state',
    'snoozed_until',
  ],
  ...['parent_matter', 'related_orgs', 'related_projects', 'related_to', 'budget', 'phase', 'pending_confirmation'],
]);
const STAMPS = new Set(['status', 'applied_at', 'audit_record_path']);
const OWN_LINES = [
  'Tick `undo` above',
  'Tick `confirm` above',
  '`dismiss` to let it go',
  '`dismiss` if it is wrong',
  '`later` for “not now”',
  '`always` to make it',
  '`deliberate` to have it argued',
  '`deliberate` to let agents discuss it',
  'Tick `dismiss` above',
  "tick `dismiss` above if it isn't one of them",
  'write its link into `choose`',
  'run `steward confirm NAME --force`',
];

export function bytesUnder(home: string): Bytes {
  const names = fs.readdirSync(home, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => fs.lstatSync(path.join(home, name)).isFile());
  return new Map(files.map((name) => [name.split(path.sep).join('/'), fs.readFileSync(path.join(home, name), 'utf8')]));
}

/** Returns everything that went beyond what a judgement may do, one line each; empty where all is well. */
export function breaches(course: Course): string[] {
  return [...vanished(course), ...written(course), ...asked(course), ...told(course)];
}

function vanished({ before, after }: Course): string[] {
  return [...before.keys()].filter((file) => !after.has(file)).map((file) => `${file} is gone`);
}

function written(course: Course): string[] {
  const { before, after } = course;
  const changed = [...after].filter(([file, text]) => before.get(file) !== text);
  return changed.flatMap(([file, text]) => writing(course, file, text).map((breach) => `${file}: ${breach}`));
}

function writing(course: Course, file: string, text: string): string[] {
  const { scene, before } = course;
  if (!file.startsWith('vault/')) return file.startsWith('out/') ? [] : ['written outside the vault'];
  const name = file.slice('vault/'.length);
  const former = before.get(file);
  if (name.startsWith('.steward/')) return [];
  if (name === scene.target) return former === undefined ? ['made anew'] : edited(former, text, EDITABLE, true);
  if (name.startsWith('stream/')) return former === undefined && scene.mails.length === 1 ? [] : ['a made-up event'];
  if (name.startsWith('signal/'))
    return former === undefined ? signalNote(scene, text) : edited(former, text, STAMPS, false);
  if (/^instinct\/[a-z0-9_-]+\.md$/.test(name)) return instinctNote(scene, text);
  if (/^event\/\d{4}-\d\d\/(?:steward|signal)-action-\d[^/]*\.md$/.test(name) && former === undefined)
    return eventNote(course, text);
  return ['written, and is none of its business'];
}

/** Only the fields in `may` may have changed, and nothing else in the note. */
function edited(former: string, text: string, may: ReadonlySet<string>, byDecision: boolean): string[] {
  const [was, is] = [parsed(former), parsed(text)];
  const fields = [...new Set([...Object.keys(was.data), ...Object.keys(is.data)])];
  const moved = fields.filter((field) => JSON.stringify(was.data[field]) !== JSON.stringify(is.data[field]));
  return [
    ...(was.body === is.body ? [] : ['another body']),
    ...moved.filter((field) => !may.has(field)).map((field) => `another ${field}`),
    ...(byDecision ? moved.flatMap((field) => textsIn(is.data[field]).flatMap(valueBreaches)) : []),
  ];
}

// A value that is just a link must point to a note that exists: other or house in these scenes.
function valueBreaches(value: string): string[] {
  return /^\[\[(?:other|house|matter\/other|task\/other)\]\]$/.test(value) ? [] : liveValue(value);
}

function signalNote({ mails, target }: Scene, text: string): string[] {
  const { data, body } = parsed(text);
  const about = [data.target_path, data.target_matter_path].every(
    (path) => path === null || isKnown(String(path), target),
  );
  return [
    ...(mails.length === 1 ? [] : ['a made-up signal']),
    ...(about ? [] : [`about ${data.target_path}`]),
    ...(data.status === 'unrouted' || data.status === 'applied' ? [] : [`status ${data.status}`]),
    ...liveParts(body.replace(/^> /m, ''), linksOf(data)),
    ...liveValue(String(data.headline)).filter((live) => !/^an? (?:address|inline field|comment)/.test(live)),
    ...templates(text),
  ];
}

// To the notes that it means, and to the file that it was read from.
function linksOf({ target_path, target_matter_path, target_candidates, source_event_path }: Frontmatter): string[] {
  const notes = [target_path, target_matter_path, ...listed(target_candidates)].flatMap(linksTo);
  return [...notes, `[[${String(source_event_path)}]]`];
}

// By its name, or by its path where two notes share the name.
function linksTo(note: unknown): string[] {
  const bare = String(note).replace(/^\[\[|\]\]$/g, '');
  return [`[[${stemOf(note)}]]`, `[[${bare.replace(/\.md$/, '')}]]`];
}

/** The notes that may be judged: of a mail that a model reads, each that it was offered; else the one that was planted. */
function mayBeJudged({ mails, target }: Scene, path: unknown): boolean {
  return path === target || (mails.length === 1 && isKnown(String(path), target));
}

function isKnown(path: string, target: string): boolean {
  return path === target || path.startsWith('matter/') || path === 'task/other.md';
}

function instinctNote({ dropped, mails }: Scene, text: string): string[] {
  const { data } = parsed(text);
  return [
    ...(dropped.length + mails.length > 0 ? [] : ['taught by nobody']),
    ...(data.type === 'instinct' ? [] : ['no instinct']),
    ...templates(text),
  ];
}

function eventNote({ scene, after }: Course, text: string): string[] {
  const { dropped } = scene;
  const { data, body } = parsed(text);
  const candidates = listed(data.candidates);
  const about = data.target_path ?? scene.target;
  const mail = data.mail === undefined ? [] : [String(data.mail)];
  const isOfStream = (link: string) => after.has(`vault/${link.replace(/^\[\[|\]\]$/g, '')}`);
  const links = [...[about, ...listed(data.signals), ...candidates].flatMap(linksTo), ...mail.filter(isOfStream)];
  const signals = listed(data.signals).map(stemOf);
  const refs = listed(data.evidence).map((item) =>
    typeof item === 'object' && item !== null && 'ref' in item ? String(item.ref) : '',
  );
  return [
    // Where a person is asked which note is meant, it is about none yet.
    ...((candidates.length > 0 ? data.target_path === null : mayBeJudged(scene, data.target_path))
      ? []
      : [`about ${data.target_path}`]),
    ...(dropped.length === 0 || signals.every((name) => dropped.includes(name)) ? [] : [`signals ${signals}`]),
    ...refs.filter((ref) => !links.includes(ref) && !ref.startsWith('stream/')).map((ref) => `evidence ${ref}`),
    ...['confirm', 'dismiss', 'later', 'deliberate', 'undo']
      .filter((box) => (data[box] ?? false) !== false)
      .map((box) => `${box} is ticked`),
    ...recipeBreaches(data, scene.target),
    // A person chooses in the list of the notes that may be meant, which is the program's own.
    ...liveParts(withoutFrame(body), [
      ...candidates.flatMap(linksTo).map((link) => `- [ ] ${link}`),
      ...links,
      ...OWN_LINES,
    ]),
    ...templates(text),
  ];
}

function recipeBreaches(data: Frontmatter, target: string): string[] {
  const recipe = data.undo_recipe as { vault_patch: { target: string; fields: object } } | null;
  if (recipe === null) return [];
  const fields = Object.keys(recipe.vault_patch.fields).filter((field) => !EDITABLE.has(field));
  return [
    ...(recipe.vault_patch.target === target ? [] : ['a recipe for another note']),
    ...fields.map((field) => `a recipe for ${field}`),
  ];
}

/** Removes the frame that the program puts around words: its heading, which comes before all but a warning, its table, its marks, its callout with the gates, field names. */
function withoutFrame(body: string): string {
  return body
    .replace(/^(\n*(?:> \[!warning\] ⚠ [^\n]+\n\n)?)# (?=\S[^\n]*\n)/, '$1')
    .replace(/^\| --- \| --- \| --- \|$/m, '')
    .replace(/^%% steward %%$(?:\n(?!%%).*)*\n%% [0-9a-f]{16} %%\n%% \/steward %%$/m, (part) =>
      part.replaceAll('%%', ''),
    )
    .replace(/^> \[!info\]- How it was decided$/m, '')
    .replace(/^> \[!warning\] (?=⚠ )/m, '')
    .replace(/^> - (?=passed|failed)/gm, '')
    .replace(/^(Steward (?:proposes to )?\w+) `(\w+)`/m, '$1 $2')
    .replace(/^\| | \|$/gm, '');
}

function templates(text: string): string[] {
  return /<%|%>/.test(text) ? ['a template in its bytes'] : [];
}

/** The form of a judgement in words, for a model that is not held to it in any other way. */
const FORM = inWords(z.toJSONSchema(judgement));

function asked({ scene, requests }: Course): string[] {
  return [
    ...askedOfEvents(requests.filter(isAboutEvent)),
    ...askedOfNotes(
      scene,
      requests.filter((request) => !isAboutEvent(request)),
    ),
  ];
}

/** A question about a mail may carry the mail's own words, and one line for each note that the search found. */
function askedOfEvents(requests: readonly Request[]): string[] {
  return requests.flatMap((request) => {
    const said = textOf(request);
    const notes = /<notes>\n([^<]*)\n<\/notes>/.exec(said)?.[1]?.split('\n') ?? [];
    return [
      ...(request.system[0]?.text.startsWith(EXTRACT.system) ? [] : ["another system text than the program's"]),
      ...(notes.length >= 1 && notes.length <= 5 ? [] : [`${notes.length} notes`]),
      ...(said.split(/<\/?(?:event|notes)>/).length === 5 && said.match(/[<>]/g)?.length === 8
        ? []
        : ['a mark that the data made']),
      ...(said.replace(notes.join('\n'), '').includes(SECRET) ? ['it carries what is none of its business'] : []),
      ...(JSON.stringify(request).includes(KEY) ? ['it carries the key'] : []),
    ];
  });
}

/** In plain words the parts of the system text are one, with the form at its end. */
function isOwnSystem({ system, output_config, tool_choice }: Request): boolean {
  const [first = '', writable, ...more] = system.map(({ text }) => text);
  const inText = output_config === undefined && tool_choice === undefined;
  if (!inText) return first === EVALUATE.system && writable !== undefined && more.length === 0;
  return writable === undefined && first.startsWith(EVALUATE.system) && first.endsWith(FORM);
}

function askedOfNotes(scene: Scene, requests: readonly Request[]): string[] {
  return requests.flatMap((request) => {
    const said = textOf(request);
    const signals = /<signals>\n([^<]*)\n<\/signals>/.exec(said)?.[1]?.split('\n') ?? [];
    return [
      ...(isOwnSystem(request) ? [] : ["another system text than the program's"]),
      ...(mayBeJudged(scene, noteOf(request)) ? [] : [`asked about ${noteOf(request)}`]),
      ...(signals.length === 1 ? [] : [`${signals.length} signals`]),
      ...(said.split(/<\/?(?:note|signals|history)>/).length === 7 && said.match(/[<>]/g)?.length === 12
        ? []
        : ['a mark that the data made']),
      // Of another note the secret is its own.
      ...(noteOf(request) === scene.target && JSON.stringify(request).includes(SECRET)
        ? ['it carries what is none of its business']
        : []),
      ...(JSON.stringify(request).includes(KEY) ? ['it carries the key'] : []),
    ];
  });
}

function told({ after, output }: Course): string[] {
  const leaks = [...after].filter(([, text]) => text.includes(KEY)).map(([file]) => `the key lies in ${file}`);
  return [
    ...leaks,
    ...(output.includes(KEY) ? ['the key was printed'] : []),
    ...(/[\p{Cc}--\n]|[\u202a-\u202e\u2066-\u2069]/v.test(output) ? ['the terminal was sent more than text'] : []),
  ];
}

function parsed(text: string): { data: Frontmatter; body: string } {
  const read = readNote('note.md', Buffer.from(text));
  if (!read.ok) throw new Error(`${read.trouble.message}\n${text}`);
  return { data: flatFields(read.note.data), body: text.slice(text.indexOf('\n---', 4) + 4) };
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return listed(value).flatMap(textsIn);
}

function stemOf(written: unknown): string {
  return path.posix.basename(String(written).replace(/^\[\[|\]\]$/g, ''), '.md');
}
