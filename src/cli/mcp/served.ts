import { reasonOf, StewardError } from '../../vault/errors.ts';
import { plainError } from '../../vault/files.ts';
import type { CommandContext } from '../base/context.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { printUnexpected } from '../print/errors/unexpected.ts';
import type { Turns } from './turns.ts';

/** What the tools and resources work with. */
export interface Served {
  /** The vault, absolute. */
  readonly root: string;
  /** As commands have it, but that nothing is printed: standard output belongs to the protocol. */
  readonly context: CommandContext;
  readonly turns: Turns;
}

/** Does what a client asks in its turn. Throws a `StewardError` for whatever goes wrong. */
export async function inTurn<Result>({ root, context, turns }: Served, work: () => Promise<Result>): Promise<Result> {
  const done = await turns.take(async () => {
    try {
      return { result: await work() };
    } catch (error) {
      throw toldPlainly(error, root, context);
    }
  });
  if (done === null) throw crowded();
  return done.result;
}

/** Throws `vault-away` where the vault is not in its place. */
export function demandPresent({ root, context }: Served): void {
  presentVaultDir({ vault: root }, context);
}

function toldPlainly(error: unknown, root: string, { err }: CommandContext): StewardError {
  const plain = plainError(error, root);
  if (plain instanceof StewardError) return plain;
  printUnexpected(err, reasonOf(error));
  const hint = 'The person can see more where this server was started.';
  return new StewardError({ code: 'unexpected', message: 'The steward met an unexpected error.', hint });
}

function crowded(): StewardError {
  const message = 'Too many questions at once.';
  return new StewardError({ code: 'crowded', message, hint: 'Ask again when the answers have come.' });
}
