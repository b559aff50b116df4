import { isDeepStrictEqual } from 'node:util';
import type { ListedSource } from '../../../daemon/sources/orders/listed-sources.ts';
import { unknownSource } from '../../../daemon/sources/orders/source-order.ts';
import { type TestAnswer, testHere } from '../../../daemon/sources/orders/test-here.ts';
import type { Grant } from '../../../source/grant.ts';
import { EXIT, StewardError } from '../../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../../base/context.ts';
import { handOver } from '../../base/hand-over.ts';
import { usageError } from '../../base/usage-error.ts';
import { presentVaultDir } from '../../base/vault-dir.ts';
import { printPasswordPlaces } from '../../print/sources/print-added.ts';
import { leadsWords, printDifference } from '../../print/sources/print-sources.ts';
import { type SourceAsking, terminalAsking } from './asking.ts';
import { allSources } from './knows.ts';
import { programWords } from './words.ts';

export interface TestOptions extends CommonOptions {
  readonly passwordCommand?: readonly string[];
  readonly yes?: boolean;
}
