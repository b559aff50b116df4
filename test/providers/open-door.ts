import type { RequestGate } from '../../src/providers/provider.ts';

/** A door that lets everything pass, for tests of what is behind it. */
export const OPEN_DOOR: RequestGate = { pass: async () => {}, heldOff: async () => {} };
