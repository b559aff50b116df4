import { afterAll, vi } from 'vitest';
import './laws.ts';

/*
 * Test files share a process. Whatever a file changes of that process is put back when it ends: the environment (with
 * the time zone), the clock and spies.
 */
const environment = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
