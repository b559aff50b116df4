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
  /** A vault had no workflow, and has one again. */
  | { readonly what: 'repaired'; readonly vault: string }
  /** Registry, workflows and locks were compared. */
  | {
      readonly what: 'reconciled';
      readonly vaults: number;
      readonly kept_elsewhere: number;
      /** Without a workflow, since they were removed elsewhere. */
      readonly unkept: number;
      /** Should have been visited by now; they were nudged. */
      readonly overdue: number;
      /** Another process has their lock. */
      readonly locked: number;
      /** Have a workflow on this host, which doesn't know where they lie. */
      readonly unknown: number;
      /** For how long (ms) the oldest visit has lasted. */
      readonly oldest_visit_ms: number;
    }
  /** An error outside the work on any vault: the host ends. */
  | { readonly what: 'fault'; readonly code: string }
  | { readonly what: 'unwatched'; readonly vault: string }
  /** A problem of the budget for all vaults. */
  | { readonly what: 'budget'; readonly code: string; readonly says: string }
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
      return `serving ${vaultWords(event.vaults)} as ${event.host}`;
    case 'visited': {
      const until = event.until === null ? 'until something changes' : `until ${event.until}`;
      const late = event.late_ms === null ? '' : `, ${event.late_ms} ms late`;
      return `visited ${event.vault} in ${event.ms} ms${late}; sleeps ${until}${event.code === null ? '' : ` (${event.code})`}`;
    }
    case 'broken-off':
      return `broke off the visit of ${event.vault} (${event.code})`;
    case 'nudged':
      return `nudged ${event.vault}: something has changed`;
    case 'repaired':
      return `repaired ${event.vault}: it had no workflow`;
    case 'reconciled': {
      const { vaults, kept_elsewhere, unkept, overdue, locked, unknown, oldest_visit_ms } = event;
      const kept = `${vaultWords(vaults)}, ${kept_elsewhere} kept elsewhere, ${unkept} not kept, ${overdue} overdue`;
      return `reconciled ${kept}, ${locked} locked by others, ${unknown} unknown here; oldest visit ${oldest_visit_ms} ms`;
    }
    case 'fault':
      return `unexpected error (${event.code}): the host ends`;
    case 'unwatched':
      return `unwatched ${event.vault}: the system watches no more folders; it is visited every 5 minutes`;
    case 'budget':
      return `budget: ${event.says} (${event.code})`;
    case 'engine':
      return `engine ${event.level}: ${event.says}`;
    case 'stopped':
      return 'stopped';
  }
}

function vaultWords(count: number): string {
  return count === 1 ? '1 vault' : `${count} vaults`;
}
