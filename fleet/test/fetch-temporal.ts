/** Installs the Temporal server that the tests start, unless it is there: `node fleet/test/fetch-temporal.ts`. */
import { installTemporal } from './support/temporal-binary.ts';

try {
  await installTemporal();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
