import type { Door } from '../../src/model/provider.ts';

/** A door that lets everything pass, for tests of what is behind it. */
export const OPEN_DOOR: Door = { pass: async () => {}, heldOff: async () => {} };
