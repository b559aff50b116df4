import fs from 'node:fs';
import path from 'node:path';
import { isOpen, openProposals } from '../../src/daemon/proposals.ts';
import { priorOf } from '../../src/steward/instinct.ts';
import type { Frontmatter } from '../../src/vault/records/values.ts';
import { DAY } from '../support/clock.ts';
import { fieldsOf, listOf } from './burst.ts';
import { isRecord, type Ledger } from './ledger.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

/** Troubles that a person's own doing brings about in a month; anything else is wrong. */
const EXPECTED_TROUBLES = ['parent-missing', 'target-missing', 'not-done', 'settings-invalid', 'reverses-nothing'];

export interface Month {
  readonly world: World;
  readonly ledger: Ledger;
  readonly person: Person;
}

/** What does not hold, in sentences. Looked at when everything that was taken up is done. */
export function wrongs(month: Month): string[] {
  month.ledger.enter();
  return [
    ...month.ledger.wrongs(),
    ...badNotes(month),
    ...weighedTwice(month),
    ...unstamped(month),
    ...unansweredReversals(month),
    ...flags(month),
    ...instincts(month),
    ...leftovers(month),
    ...unboundedState(month),
  ];
}

function badNotes({ world }: Month): string[] {
  return world.daemon
    .status()
    .trouble.filter(({ code }) => !EXPECTED_TROUBLES.includes(code))
    .map(({ code, file, message }) => `trouble ${code} in ${file}: ${message}`);
}

function actions({ ledger }: Month): [string, Frontmatter][] {
  return [...ledger.events].filter(([event]) => /^event\/(steward|signal)-action-\d/.test(event));
}

function weighedTwice(month: Month): string[] {
  const counts = new Map<string, string[]>();
  for (const [event, fields] of actions(month)) {
    if (fields.decision === 'rate_guarded') continue;
    for (const link of listOf(fields.signals)) counts.set(link, [...(counts.get(link) ?? []), event]);
  }
  return [...counts].filter(([, events]) => events.length > 1).map(([link, events]) => `${link} in ${events.join()}`);
}

/** Of an action, each signal that is still there says that it was applied, and names the action. */
function unstamped(month: Month): string[] {
  return actions(month)
    .filter(([, fields]) => isRecord(fields.undo_recipe))
    .flatMap(([event, fields]) =>
      listOf(fields.signals).flatMap((link) => {
        const file = `signal/${link.replace(/^\[\[|\]\]$/g, '')}.md`;
        if (!fs.existsSync(month.world.at(file))) return [];
        const { status, audit_record_path: audit } = fieldsOf(month.world, file);
        return status === 'applied' && audit === event
          ? []
          : [`${file}: ${String(status)}, ${String(audit)}, not ${event}`];
      }),
    );
}

function unansweredReversals({ ledger }: Month): string[] {
  return [...ledger.events]
    .filter(([event, fields]) => /-reversed-/.test(event) && typeof fields.outcome !== 'string')
    .map(([event]) => `${event} was not answered`);
}

function flags({ world, ledger }: Month): string[] {
  const { catalogue } = world.daemon.space.vault;
  const open = openProposals(catalogue);
  const one = catalogue.events().filter((event) => isOpen(catalogue, event));
  const flagged = new Set(
    open
      .filter(({ fields }) => fields.mode === 'live')
      .map(({ fields }) => ledger.whereabouts(fields.target_path ?? '')),
  );
  return [
    ...(one.length === open.length ? [] : [`${one.length} events are open, ${open.length} are listed as open`]),
    ...ledger.notes
      .filter((note) => (fieldsOf(world, note).pending_confirmation === true) !== flagged.has(note))
      .map((note) => `${note}: ${flagged.has(note) ? 'an open proposal and no flag' : 'a flag and no open proposal'}`),
  ];
}

/** Every step of a confidence stands in an event note, or was a person's own. */
function instincts({ world, ledger, person }: Month): string[] {
  return world.files('instinct').flatMap((file) => {
    const { source_type: source, confidence, observations } = fieldsOf(world, file);
    if (typeof source !== 'string' || typeof confidence !== 'number') return [`${file} names no source`];
    const steps = [...ledger.events.values()].map((event) => stepOf(event, source));
    const sum = priorOf(source) + steps.reduce((all, step) => all + step, 0) + (person.moved.get(source) ?? 0);
    return [
      ...(confidence >= 0 && confidence <= 1 ? [] : [`${file}: confidence ${confidence}`]),
      ...(Math.abs(sum - confidence) < 1e-6 ? [] : [`${file}: confidence ${confidence}, explained is ${sum}`]),
      ...(typeof observations === 'number' && observations >= 0 ? [] : [`${file}: observations ${observations}`]),
    ];
  });
}

function stepOf({ calibration }: Frontmatter, source: string): number {
  const written = isRecord(calibration) ? calibration[source] : null;
  const figures = typeof written === 'string' ? (written.match(/\d+(\.\d+)?/g) ?? []).map(Number) : [];
  return (figures[1] ?? 0) - (figures[0] ?? 0);
}

function leftovers({ world }: Month): string[] {
  const { journal, tmp } = world.places;
  const odd = fs
    .readdirSync(world.root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.\d{6,}$|\.part$|\.bad$/.test(file));
  return [
    ...fs.readdirSync(journal).map((name) => `the journal holds ${name}`),
    ...fs.readdirSync(tmp).map((name) => `.steward/tmp holds ${name}`),
    ...odd.map((file) => `${file} was left behind`),
  ];
}

/** State and history are no larger than what they are about. */
function unboundedState({ world, ledger }: Month): string[] {
  const { state, vault } = world.daemon.space;
  const signals = new Set(world.files('signal').map((file) => path.basename(file, '.md')));
  const schedules = Object.values(state.get('schedules'));
  const now = world.clock.now();
  // Each edit keeps the former bytes: at most those of the note, its signals and its sources.
  const recent = [...ledger.events.values()].filter((event) => Date.parse(momentOf(event)) > now - 8 * DAY);
  const kept = fs.readdirSync(world.places.history).length;
  const bounds: [string, number, number][] = [
    ['weighed', Object.keys(state.get('weighed')).length, signals.size],
    [
      'cursors',
      Object.keys(state.get('cursors')).length,
      vault.catalogue.count('matter') + vault.catalogue.count('task'),
    ],
    [
      'guarded',
      Object.keys(state.get('guarded')).length,
      vault.catalogue.count('matter') + vault.catalogue.count('task'),
    ],
    ['rate guard', state.get('rate-guard').entries.length, 6000],
    ['schedules', schedules.filter(({ last }) => last === null || now - last > 31 * DAY).length, 20],
    ['kept', state.get('kept').length, 0],
    ['history', kept, recent.length * 12 + 20],
  ];
  return bounds
    .filter(([, is, most]) => is > most)
    .map(([name, is, most]) => `${name}: ${is} entries, at most ${most}`);
}

function momentOf({ settled_at: settled, timestamp }: Frontmatter): string {
  return String(settled ?? timestamp ?? '');
}
