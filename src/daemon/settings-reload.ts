import { Layout, SETTINGS_FILE } from '../vault/layout.ts';
import {
  isUnknownSetting,
  readSettings,
  rememberGiven,
  type Settings,
  settingsAgain,
  type Workspace,
} from './context.ts';
import { followSettings } from './decide/evaluator-choice.ts';
import { followExtractor } from './ingest.ts';
import { type Streams, unreadStreams } from './ingest-queue.ts';
import type { RetryQueue } from './queues.ts';
import type { Schedules } from './schedule.ts';

interface SettingsReloadParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly streams: Streams;
  readonly schedules: Schedules;
}

/** Takes up an edit of `steward.md` while the daemon runs. */
export class SettingsReload {
  readonly #parts: SettingsReloadParts;

  constructor(parts: SettingsReloadParts) {
    this.#parts = parts;
  }

  /**
   * Reads the settings at once, before anything is judged that came after the edit. What the disk refuses is tried
   * again; until then the last good settings hold.
   */
  run(): void {
    try {
      this.#read();
    } catch {
      this.#parts.retries.add('settings', SETTINGS_FILE, async () => this.#read());
    }
  }

  #read(): void {
    const { context, vault, problems } = this.#parts.space;
    const before = context.settings;
    const { given } = context.state.get('settings');
    const { settings, troubles, unread, isMissing } = (given ? settingsAgain : readSettings)(vault.root, before);
    if (unread !== null) throw unread;
    if (!isMissing) rememberGiven(context.state);
    context.settings = settings;
    const isSame = sameValue([before, problems.settings], [settings, troubles]);
    problems.settings = troubles;
    if (isSame) return; // only the body was edited, by the program itself for one
    this.#follow(before);
    context.emit({ what: 'settings', troubles: troubles.filter((one) => !isUnknownSetting(one)).length });
    for (const trouble of troubles) context.emit({ what: 'trouble', trouble });
    this.#parts.schedules.setDefault(settings.default_schedule);
    if (layoutOf(before) !== layoutOf(settings)) this.#relayout(settings);
  }

  #follow(before: Settings): void {
    const { space, streams } = this.#parts;
    followSettings(space, before);
    followExtractor(space, before);
    streams.resume();
    // What a format says may be what a refused file lacked.
    if (!sameValue(before.bank_formats, space.context.settings.bank_formats)) {
      for (const file of unreadStreams(space)) streams.add(file);
    }
  }

  #relayout({ folders, field_mapping, status_values }: Settings): void {
    const { space, retries } = this.#parts;
    retries.add('relayout', SETTINGS_FILE, () =>
      space.vault.relayout(new Layout(folders), field_mapping, status_values),
    );
  }
}

function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The settings that say where records lie, and how their fields and states are called. */
function layoutOf({ folders, field_mapping, status_values }: Settings): string {
  return JSON.stringify([folders, field_mapping, status_values]);
}
