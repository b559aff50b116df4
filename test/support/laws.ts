import fc from 'fast-check';
import { beforeAll } from 'vitest';

/*
 * One commit, one verdict: `npm test` draws the same examples every time. `npm run test:laws` draws new ones, and more
 * of them; fast-check prints the seed of what fails, and LAW_SEED draws that again.
 */
const seed = Number(process.env.LAW_SEED ?? 20_261_121);
const fresh = process.env.LAW_SEED === 'fresh';

beforeAll(() => {
  if (!fresh) fc.configureGlobal({ seed });
});
