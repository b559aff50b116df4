import { sha256 } from '../../vault/hash.ts';
import type { Component } from './component.ts';
import { type Property, textOf } from './content-line.ts';
import { type When, whensIn, type Zones } from './when.ts';

/** The properties of an entry, by their names. Of several of one name, the first counts. */
export class Fields {
  readonly all: readonly Property[];

  constructor({ properties }: Component) {
    this.all = properties;
  }

  /** Returns the property of a name, or null. */
  first(wanted: string): Property | null {
    return this.all.find(({ name }) => name === wanted) ?? null;
  }

  /** Returns what a property says, without its escapes; empty where there is none. */
  text(wanted: string): string {
    const property = this.first(wanted);
    return property === null ? '' : textOf(property);
  }

  /** Returns when it says; null where there is none, or it is empty. Throws `Unreadable`. */
  when(wanted: string, zones: Zones): When | null {
    const property = this.first(wanted);
    return property === null || property.value.trim() === '' ? null : (whensIn(property, zones)[0] ?? null);
  }

  /** Its UID, or without one a hash of what it says, in whatever order its lines stand. */
  get uid(): string {
    const uid = this.text('UID').trim();
    if (uid !== '') return uid;
    const lines = this.all.map(({ name, params, value }) => JSON.stringify([name, [...params].toSorted(), value]));
    return `sha256:${sha256(lines.toSorted().join('\n'))}`;
  }
}
