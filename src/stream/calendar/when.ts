import type { Component } from './component.ts';
import type { Property } from './content-line.ts';
import { dayStart, dayText, minuteText, readWritten, UTC, type Zone } from './wall.ts';
import { zoneByName } from './zone.ts';

/** When something is: a whole day, or a time on the clocks of a zone. */
export interface When {
  /** Of the day, or on the clocks of the zone (`wall.ts`). */
  readonly wall: number;
  readonly isDay: boolean;
  readonly zone: Zone;
}

/** Finds the zones of a calendar by their names. */
export interface Zones {
  /** The one that is meant where none is named: the person's. */
  readonly home: Zone;
  /** Null where nobody knows it. */
  readonly find: (name: string) => Zone | null;
}

/** Why an entry cannot be read: one sentence. */
export class Unreadable extends Error {}

const MAX_SHOWN = 40;

/** Returns the zones of a calendar, each worked out once. `own`: those that it describes by itself. */
export function zonesOf(own: ReadonlyMap<string, Component>, home: Zone): Zones {
  const known = new Map<string, Zone | null>();
  return {
    home,
    find(name) {
      const found = known.get(name);
      if (found !== undefined) return found;
      const zone = zoneByName(name, own.get(name) ?? null);
      known.set(name, zone);
      return zone;
    },
  };
}

/** Returns what the values of a property say. Throws `Unreadable` where one cannot be read, or its zone is not known. */
export function whensIn(property: Property, zones: Zones): readonly When[] {
  // Of a period, its beginning.
  return property.value.split(',').map((value) => whenOf(value.split('/')[0] ?? '', property, zones));
}

/** Returns it on the clocks of `home`: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:mm`. */
export function whenText({ wall, isDay, zone }: When, home: Zone): string {
  return isDay ? dayText(wall) : minuteText(home.wallOf(zone.momentOf(wall)));
}

/** Returns the moment at which it begins; of a day, on the clocks of `home`. */
export function momentOf({ wall, isDay, zone }: When, home: Zone): number {
  return (isDay ? home : zone).momentOf(wall);
}

function whenOf(value: string, { name, params }: Property, zones: Zones): When {
  const written = readWritten(value);
  if (written === null) throw new Unreadable(`${name} is no date: "${shown(value)}".`);
  const { wall, isUtc } = written;
  const isDay = written.isDay || params.get('VALUE')?.toUpperCase() === 'DATE';
  if (isDay) return { wall: dayStart(wall), isDay, zone: UTC };
  return { wall, isDay, zone: isUtc ? UTC : zoneIn(params.get('TZID'), zones) };
}

function zoneIn(name: string | undefined, zones: Zones): Zone {
  if (name === undefined || name.trim() === '') return zones.home;
  const zone = zones.find(name);
  if (zone === null) throw new Unreadable(`Nobody knows the time zone "${shown(name)}".`);
  return zone;
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
