import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventFields, reversalFields } from '../../src/vault/record.ts';
import { commandHere } from '../servers/command-here.ts';
import { HOUSE, signal, task, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const SHEET = fs.readFileSync(path.resolve(import.meta.dirname, '../../template/steward-event.css'), 'utf8');
const HIDDEN = [...SHEET.matchAll(/\[data-property-key="([^"]+)"\]/g)].map(([, key]) => key ?? '');
/** What a person reads or ticks above an event note, an answer or a reversal. */
const SHOWN = [
  ...[
    'choose',
    'confirm',
    'always',
    'dismiss',
    'later',
    'undo',
    'force',
    'deliberate',
    'change',
    'from',
    'quote',
    'mail',
    'outcome',
  ],
  ...['candidates', 'remark', 'plane_remark', 'plane_skipped', 'advice', 'reason', 'matter'],
];

/** Returns the keys of every kind of note that the program writes below `event/`, in a vault where all of it happens. */
async function writtenKeys(): Promise<ReadonlySet<string>> {
  const vault = new TempVault({
    ...HOUSE,
    'task/call.md': task(),
    'task/wait.md': task(),
    'signal/s1.md': signal({ effect_confidence: 1 }),
    'signal/s2.md': weak({ target_path: 'task/call.md' }),
    'signal/s3.md': signal({ target_ambiguous: true, target_candidates: ['task/wait.md', 'task/pay.md'] }),
  });
  const bench = await Bench.open(vault);
  await bench.tick();
  const named = (end: string) =>
    only(vault.events().filter((name) => name.endsWith(end) && !name.includes('-reversed-'))).slice(
      'event/'.length,
      -3,
    );
  vault.edit('task/pay.md', "'done'", "'archived'");
  await bench.undo(named('-pay.md'));
  await bench.undo(named('-pay.md'), { force: true, reason: 'It was another one.' }).catch(() => null);
  await bench.confirm(named('-call.md'));
  await bench.dismiss(named('-undecided.md'));
  await bench.follow();
  return new Set(vault.events().flatMap((event) => Object.keys(vault.fields(event))));
}

describe('the style sheet for event notes', () => {
  test('hides each field of an event note that is not for a person, and none that is', () => {
    // What is ticked in the body is no field of the frontmatter.
    const known = [...Object.keys(eventFields.shape), ...Object.keys(reversalFields.shape)].filter(
      (key) => key !== 'ticked',
    );
    expect(known.filter((key) => !SHOWN.includes(key) && !HIDDEN.includes(key))).toEqual([]);
    expect(HIDDEN.filter((key) => SHOWN.includes(key))).toEqual([]);
    expect(HIDDEN).toEqual([...new Set(HIDDEN)].sort());
  });

  test('knows every field that the program writes', async () => {
    const keys = [...(await writtenKeys())];
    expect(keys.filter((key) => !SHOWN.includes(key) && !HIDDEN.includes(key))).toEqual([]);
    expect(keys).toEqual(expect.arrayContaining(['undo', 'confirms', 'dismisses', 'reverses', 'candidates', 'says']));
  });

  test('names no colour and no size, so that any theme and a phone show it as they show any note', () => {
    expect(SHEET).not.toMatch(/color|background|font|width|@media/);
  });
});

const CHROMIUM = commandHere('chromium');
if (CHROMIUM === null) console.log('*** NO CHROMIUM on this machine: no style sheet is tried in a browser. ***');

describe.skipIf(CHROMIUM === null)('the style sheet in a browser', () => {
  /** The properties of a note as Obsidian lays them out. */
  function properties(keys: readonly string[]): string {
    const rows = keys.map(
      (key) =>
        `<div class="metadata-property" data-property-key="${key}"><div class="metadata-property-key">${key}</div></div>`,
    );
    return `<div class="metadata-container"><div class="metadata-content"><div class="metadata-properties">${rows.join('')}</div></div></div>`;
  }

  /** Returns the keys of the rows that a person sees in each view. */
  function seen(classes: string): Readonly<Record<string, readonly string[]>> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-page-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const panel = properties([...SHOWN, ...HIDDEN, 'my-own']);
    const page = `<!doctype html><style>.metadata-property { display: flex; }</style><style>${SHEET}</style>
      <div id="source" class="markdown-source-view cm-s-obsidian mod-cm6 is-live-preview ${classes}"><div class="cm-editor"><div class="cm-sizer">${panel}</div></div></div>
      <div id="preview" class="markdown-preview-view markdown-rendered ${classes}"><div class="markdown-preview-sizer">${panel}</div></div>
      <script>
        const of = (id) => [...document.querySelectorAll('#' + id + ' .metadata-property')]
          .filter((row) => getComputedStyle(row).display !== 'none').map((row) => row.dataset.propertyKey);
        document.body.innerHTML = JSON.stringify({ source: of('source'), preview: of('preview') });
      </script>`;
    const file = path.join(folder, 'page.html');
    fs.writeFileSync(file, page);
    const { stdout } = spawnSync(
      CHROMIUM ?? '',
      ['--headless=new', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}/profile`, '--dump-dom', file],
      { encoding: 'utf8', timeout: 100_000 },
    );
    return JSON.parse(/<body>(.*)<\/body>/s.exec(stdout)?.[1] ?? 'null');
  }

  test('an event note shows what is for a person, and what the person added', () => {
    const rows = [...SHOWN, 'my-own'];
    expect(seen('steward-event my-class')).toEqual({ source: rows, preview: rows });
  });

  test('any other note is as it was', () => {
    const rows = [...SHOWN, ...HIDDEN, 'my-own'];
    expect(seen('')).toEqual({ source: rows, preview: rows });
  });
});
