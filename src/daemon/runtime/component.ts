import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The components of a daemon, and whether it can go on after an unexpected error in one. `core` and `schedule` write to notes:
 * after such an error the state in memory can't be trusted.
 */
const COMPONENTS = {
  core: { words: 'its core', isVital: true },
  schedule: { words: 'the schedule', isVital: true },
  unknown: { words: 'an unknown component', isVital: true },
  sources: { words: 'the sources', isVital: false },
  streams: { words: 'reading stream files', isVital: false },
  notifications: { words: 'the messages', isVital: false },
  plane: { words: 'the connection to Plane', isVital: false },
  roundtable: { words: 'the roundtable', isVital: false },
  retention: { words: 'the retention', isVital: false },
  housekeeping: { words: 'the hourly housekeeping', isVital: false },
  edits: { words: 'reading your edits', isVital: false },
  import: { words: 'the import', isVital: false },
  report: { words: 'the report', isVital: false },
  requests: { words: 'answering commands', isVital: false },
} as const;
export type Component = keyof typeof COMPONENTS;

const current = new AsyncLocalStorage<Component>();

/** Does some work as a component: errors that no code catches, in it and in everything that it starts, count as the component's. */
export function within<Result>(component: Component, work: () => Result): Result {
  return current.run(component, work);
}

/** Returns the component whose work is being done. */
export function currentComponent(): Component {
  return current.getStore() ?? 'unknown';
}

/** Returns a function that does its work as the present component, whoever calls it. */
export function bound<Result>(work: () => Result): () => Result {
  return AsyncLocalStorage.bind(work);
}

/** Whether a daemon has to restart after an unexpected error in a component. */
export function isVital(component: Component): boolean {
  return COMPONENTS[component].isVital;
}

/** Returns what a component does, as a part of a sentence. */
export function componentWords(component: string): string {
  return Object.entries(COMPONENTS).find(([name]) => name === component)?.[1].words ?? component;
}
