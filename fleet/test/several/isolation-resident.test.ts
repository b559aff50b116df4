import { testIsolation } from '../support/isolation.ts';
import { ResidentVaults } from '../support/vault-process.ts';

testIsolation('resident', (...names) => new ResidentVaults(...names));
