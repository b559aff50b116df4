import fs from 'node:fs';
import path from 'node:path';
import type { Workspace } from '../../src/daemon/context.ts';
import { isOpen, openProposals, proposalState } from '../../src/steward/proposals.ts';
import type { Frontmatter } from '../../src/vault/frontmatter.ts';
import { DAY, HOUR } from '../support/clock.ts';
import { fieldsOf, listOf } from './burst.ts';
import { instinctWrongs } from './instinct-laws.ts';
import { isRecord, type Ledger } from './ledger.ts';
import type { Person } from './person.ts';
import type { World } from './world.ts';

/** Troubles that a person causes within a month; any other is wrong. */
const EXPECTED_TROUBLES = [
  ...['parent-missing', 'target-missing', 'not-done', 'settings-invalid', 'reverses-nothing'],
  ...['snooze-without-date', 'snooze-over', 'signal-from-future'],
];

const UNDO_WINDOW = 7 * DAY;

export interface Month {
  readonly world: World;
  readonly ledger: Ledger;
  readonly person: Person;
}

/** What does not hold, in sentences: of the vault as `found` on disk when everything that was taken up is done. */
export function wrongs(month: Month, found: Workspace): string[] {
  month.ledger.enter();
  return [
    ...month.ledger.wrongs(),
    ...badNotes(month),
    ...weighedTwice(month, found),
    ...unstamped(month),
    ...unansweredReversals(month),
    ...flags(month, found),
    ...instinctWrongs(month),
    ...leftovers(month),
    ...unboundedState(month, found),
    ...history(month),
  ];
}

function badNotes({ world }: Month): string[] {
  return world.daemon
    .status()
    .trouble.filter(({ code }) => !EXPECTED_TROUBLES.includes(code))
    .map(({ code, file, message }) => `trouble ${code} in ${file}: ${message}`);
}

function actions({ ledger }: Month): [string, Frontmatter][] {
  return [...ledger.events].filter(([event]) => /^event\/(?:\d{4}-\d\d\/)?(steward|signal)-action-\d/.test(event));
}

function isOvertaken(found: Workspace, path: string): boolean {
  const event = found.vault.catalogue.get(path);
  return event?.kind === 'event' && proposalState(found, event).kind === 'superseded';
}

function weighedTwice(month: Month, found: Workspace): string[] {
  const counts = new Map<string, string[]>();
  for (const [event, fields] of actions(month)) {
    if (fields.decision === 'rate_guarded') continue;
    // A proposal whose note a person has changed since is judged again, and then closed by what it was judged as.
    if (isOvertaken(found, event)) continue;
    for (const link of listOf(fields.signals)) counts.set(link, [...(counts.get(link) ?? []), event]);
  }
  return [...counts].filter(([, events]) => events.length > 1).map(([link, events]) => `${link} in ${events.join()}`);
}

/** Each signal of an action that still exists must say that it was applied, and name the action. */
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

function flags({ world, ledger }: Month, found: Workspace): string[] {
  const open = openProposals(found).map(({ event }) => event);
  const one = found.vault.catalogue.events().filter((event) => isOpen(found, event));
  const listed = world.daemon.status().proposals.map(({ event }) => event);
  const isListed = open.map(({ name }) => name).join() === listed.join();
  const flagged = new Set(
    open
      .filter(({ fields }) => fields.mode === 'live')
      .map(({ fields }) => ledger.whereabouts(fields.target_path ?? '')),
  );
  return [
    ...(isListed
      ? []
      : [`the daemon lists ${listed.join()} as open, the notes say ${open.map(({ name }) => name).join()}`]),
    ...(one.length === open.length ? [] : [`${one.length} events are open, ${open.length} are listed as open`]),
    ...ledger.notes
      .filter((note) => (fieldsOf(world, note).pending_confirmation === true) !== flagged.has(note))
      .map((note) => `${note}: ${flagged.has(note) ? 'an open proposal and no flag' : 'a flag and no open proposal'}`),
  ];
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

/** What is remembered is about something that is there, and no more than that. */
function unboundedState({ world }: Month, { vault, context: { state } }: Workspace): string[] {
  const now = world.clock.now();
  const signals = new Set(world.files('signal').map((file) => path.basename(file, '.md')));
  const isThere = (file: string) => vault.catalogue.get(file) !== undefined;
  const schedules = Object.entries(state.get('schedules'));
  return [
    ...Object.keys(state.get('weighed')).filter((name) => !signals.has(name)),
    ...Object.keys(state.get('cursors')).filter((file) => !isThere(file)),
    ...Object.keys(state.get('guarded')).filter((file) => !isThere(file)),
    ...schedules
      .filter(([, { path: file, last }]) => !isThere(file) && now - (last ?? 0) > 31 * DAY)
      .map(([name]) => name),
    ...state.get('kept').map(({ note }) => note),
    ...(state.get('rate-guard').entries.length > 6000 ? ['the rate guard'] : []),
  ].map((name) => `${name} is remembered for nothing`);
}

/** When the act was that a history file is named after (epoch ms): the housekeeping of its own hour may have come before it. */
function madeAt(name: string): number {
  const [, day, hours, minutes] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)/.exec(name) ?? [];
  return day === undefined ? 0 : Date.parse(`${day}T${hours}:${minutes}:00Z`);
}

/**
 * Former bytes must be kept until the undo window closes, and not much longer. A file's age counts from real time, so
 * from when the simulation began: in its first week every action must still have its former bytes.
 */
function history({ world, ledger }: Month): string[] {
  const kept = fs.readdirSync(world.places.history);
  const now = world.clock.now();
  const isStale = (name: string) =>
    now - fs.statSync(path.join(world.places.history, name)).ctimeMs > UNDO_WINDOW + HOUR && now - madeAt(name) > HOUR;
  const made = [...ledger.events].filter(([, fields]) => isRecord(fields.undo_recipe)).map(([event]) => event);
  const isFirstWeek = now - Date.now() < UNDO_WINDOW - HOUR;
  const lost = made.filter((event) => !kept.some((name) => name.startsWith(`${path.basename(event, '.md')}.`)));
  return [
    ...kept.filter(isStale).map((name) => `the history still holds ${name}`),
    ...(isFirstWeek ? lost.map((event) => `the history holds nothing of ${event}`) : []),
  ];
}
