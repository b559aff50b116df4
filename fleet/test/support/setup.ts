import { hasTemporal, installTemporal } from './temporal-binary.ts';

/** Brings the server that the tests start; says in one line where it cannot be had. */
export default async function setup(): Promise<void> {
  try {
    await installTemporal();
  } catch (error) {
    console.log(
      `*** NO TEMPORAL: ${error instanceof Error ? error.message : error}: no fleet is run; those tests are left out. ***`,
    );
  }
  process.env.FLEET_HAS_SERVER = hasTemporal() ? '1' : '';
}
