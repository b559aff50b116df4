import { type Appointment, NOT_VOUCHED, type StreamEvent } from '../../steward/ports/stream-event.ts';
import { utc } from '../../vault/time.ts';
import { readHtml } from '../html/html-text.ts';
import type { ItemContent, ItemDoor } from '../items/item.ts';
import { cutAt, oneLine, plainText } from '../mail/plain-text.ts';
import type { Component } from './component.ts';
import type { Property } from './content-line.ts';
import { Fields } from './fields.ts';
import { versionOf } from './revision.ts';
import { type Timing, timingOf } from './timing.ts';
import { UTC, type Zone } from './wall.ts';
import { momentOf, whenText, type Zones } from './when.ts';

/** What an entry is read with. */
interface Surroundings {
  readonly zones: Zones;
  /** What its calendar is for, in capitals: `REQUEST`, `CANCEL`; empty where it does not say. */
  readonly method: string;
  /** The RECURRENCE-IDs of the entries that stand for single ones of its series. */
  readonly replaced: readonly Property[];
  readonly door: ItemDoor;
}

const MAX_SUBJECT = 500;
const MAX_TEXT = 16_000;
const MAX_LOCATION = 300;
const MAX_NAME = 200;
const DAY_MS = 86_400_000;
const ADDRESS = /^(?:mailto:)?([^\s@<>"']{1,64}@[^\s@<>"']{1,255})$/i;
/** Some calendars write HTML where text is meant. */
const HTML = /<(?:br|p|div|span|a|b|ul|html|html-blob)(?:\s[^<>]{0,500})?\/?>/i;

/** Returns what an appointment of a calendar says. Throws `Unreadable` where that cannot be told. */
export function readEntry(entry: Component, { zones, method, replaced, door }: Surroundings): ItemContent {
  const fields = new Fields(entry);
  const timing = timingOf(fields, zones, replaced, door.now);
  const changed = changedAt(fields, zones, door.now);
  const appointment = appointmentOf(fields, timing, method, zones);
  const event: StreamEvent = {
    path: door.file,
    sourceType: door.sourceType,
    originAt: changed === null ? null : utc(changed),
    ...organiserIn(fields),
    ...{ to: [], subject: oneLine(fields.text('SUMMARY'), MAX_SUBJECT), text: textIn(fields), quoted: '' },
    ...{ bulk: false, bulkReason: null, ownNote: false, authentication: NOT_VOUCHED, warnings: [], shown: null },
    ...{ doubts: timing.doubts, appointment },
  };
  const start = whenText(timing.first, zones.home);
  const sequence = Number(fields.text('SEQUENCE'));
  const version = versionOf({ sequence, changed, status: appointment.status, start });
  const planned = timing.planned === null ? '' : whenText(timing.planned, UTC);
  return { what: 'event', event, identity: { key: `calendar ${fields.uid} ${planned}`, version, otherwise: 'newer' } };
}

function appointmentOf(fields: Fields, timing: Timing, method: string, { home }: Zones): Appointment {
  const start = whenText(timing.start, home);
  const planned = timing.planned === null ? null : whenText(timing.planned, home);
  return {
    uid: oneLine(fields.uid, MAX_SUBJECT),
    recurrence: planned,
    status: statusOf(fields, method),
    start,
    end: endText(timing, home),
    movedFrom: planned === start ? null : planned,
    location: oneLine(fields.text('LOCATION'), MAX_LOCATION) || null,
    ...(timing.isSeries ? { series: true as const } : {}),
  };
}

/** Its last day counts in; the calendar names the one after. */
function endText({ start, end }: Timing, home: Zone): string | null {
  if (end === null) return null;
  return whenText(end.isDay ? { ...end, wall: Math.max(start.wall, end.wall - DAY_MS) } : end, home);
}

function statusOf(fields: Fields, method: string): Appointment['status'] {
  const status = fields.text('STATUS').trim().toUpperCase();
  if (method === 'CANCEL' || status === 'CANCELLED') return 'cancelled';
  return status === 'TENTATIVE' ? 'tentative' : 'confirmed';
}

/** Exports set DTSTAMP anew each time, so the last change goes first. One in the future is a wrong clock, or forged. */
function changedAt(fields: Fields, zones: Zones, now: number): number | null {
  const stamps = ['LAST-MODIFIED', 'DTSTAMP'].flatMap((name) => stampsIn(fields, name, zones));
  return stamps.find((stamp) => stamp - now <= DAY_MS) ?? null;
}

/** Whatever else is wrong with such a line, the appointment is not worth less for it. */
function stampsIn(fields: Fields, name: string, zones: Zones): readonly number[] {
  try {
    const when = fields.when(name, zones);
    return when === null ? [] : [momentOf(when, zones.home)];
  } catch {
    return [];
  }
}

function organiserIn(fields: Fields): Pick<StreamEvent, 'from' | 'fromName'> {
  const organiser = fields.first('ORGANIZER');
  const address = ADDRESS.exec(plainText(organiser?.value ?? '').trim())?.[1]?.toLowerCase() ?? null;
  return { from: address, fromName: oneLine(organiser?.params.get('CN') ?? '', MAX_NAME) || null };
}

function textIn(fields: Fields): string {
  const written = fields.text('DESCRIPTION');
  const description = HTML.test(written) ? readHtml(written).seen : written;
  const parts = [description, fields.text('LOCATION'), fields.text('URL')].map((part) => plainText(part).trim());
  return cutAt(parts.filter((part) => part !== '').join('\n'), MAX_TEXT);
}
