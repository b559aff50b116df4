import fc from 'fast-check';
import { beforeAll } from 'vitest';

/*
 * `npm test` draws the same examples every time, so that a commit either passes or fails. `npm run test:laws` draws new
 * ones, and more of them. fast-check prints the seed of a failure; LAW_SEED draws its examples again.
 */
const seed = Number(process.env.LAW_SEED ?? 20_261_121);
const fresh = process.env.LAW_SEED === 'fresh';

beforeAll(() => {
  if (!fresh) fc.configureGlobal({ seed });
});
