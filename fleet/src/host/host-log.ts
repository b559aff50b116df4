import type { Printer } from '../steward.ts';

/** What a host says of itself. A vault is named by its id alone, and nothing that lies in it is told. */
export type HostEvent =
  | { readonly what: 'serving'; readonly host: string; readonly vaults: number }
  | {
      readonly what: 'visited';
      readonly vault: string;
      readonly until: string | null;
      readonly ms: number;
      readonly late_ms: number | null;
      readonly code: string | null;
    }
  /** A visit that was stopped, or failed: the engine has it made again, here or elsewhere. */
  | { readonly what: 'broken-off'; readonly vault: string; readonly code: string }
  | { readonly what: 'nudged'; readonly vault: string }
  | { readonly what: 'unwatched'; readonly vault: string }
  | { readonly what: 'engine'; readonly level: string; readonly says: string }
  | { readonly what: 'stopped' };

/** Returns who prints these, a line each: for people, or as JSON. */
export function hostLog(out: Printer, isJson: boolean): (event: HostEvent) => void {
  return (event) => {
    const at = new Date().toISOString();
    out.plain(isJson ? JSON.stringify({ at, ...event }) : `${at} ${wordsOf(event)}`);
  };
}

function wordsOf(event: HostEvent): string {
  switch (event.what) {
    case 'serving':
      return `serving ${event.vaults} vaults as ${event.host}`;
    case 'visited': {
      const until = event.until === null ? 'until something changes' : `until ${event.until}`;
      const late = event.late_ms === null ? '' : `, ${event.late_ms} ms late`;
      return `visited ${event.vault} in ${event.ms} ms${late}; sleeps ${until}${event.code === null ? '' : ` (${event.code})`}`;
    }
    case 'broken-off':
      return `broke off the visit of ${event.vault} (${event.code})`;
    case 'nudged':
      return `nudged ${event.vault}: something has changed`;
    case 'unwatched':
      return `unwatched ${event.vault}: the system watches no more folders; it is visited every 5 minutes`;
    case 'engine':
      return `engine ${event.level}: ${event.says}`;
    case 'stopped':
      return 'stopped';
  }
}
