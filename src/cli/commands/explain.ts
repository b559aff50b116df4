import type { Explanation } from '../../features/explain.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { askDaemon, presentVaultDir } from '../client.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  formatMoment,
  formatWhen,
  type Printer,
  withTitles,
} from '../terminal.ts';

/** `steward explain NOTE`: why it did what it did, each gate with its figures, and what it would do now. */
export async function explain(note: string, options: CommonOptions, context: CommandContext): CommandResult {
  const explanation = await loadExplanation(context, presentVaultDir(options, context), note);
  if (options.json === true) context.out.json(explanation);
  else printExplanation(context.out, explanation);
  return EXIT.done;
}

const REFUSALS = ['note-unknown', 'note-ambiguous', 'file-ambiguous'];

/** Asks the running daemon; without one, or if it does not answer, reads the vault. Throws the codes of `REFUSALS`. */
export async function loadExplanation(context: CommandContext, root: string, note: string): Promise<Explanation> {
  const asked = await askDaemon(context, root, { op: 'explain', note });
  if (typeof asked === 'object' && asked.ok) return asked.result as Explanation; // by the same function
  if (typeof asked === 'object' && REFUSALS.includes(asked.trouble.code)) throw new StewardError(asked.trouble);
  const [{ explain: explainHere }, { readVault }] = await Promise.all([
    import('../../features/explain.ts'),
    import('../vault.ts'),
  ]);
  return explainHere(await readVault(context, root), note);
}

/** Prints an explanation: the one sentence that answers, then its sections. */
export function printExplanation(out: Printer, { sentence, sections }: Explanation): void {
  out.styled('bold', withTitles(withMoments(sentence)));
  for (const { title, lines } of sections) {
    out.heading(title);
    for (const line of lines) out.plain(`  ${withTitles(withMoments(line))}`);
  }
}

const ISO_TIME = /(\b(?:on|at) )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/g;

/** Returns a text with its ISO times as people say them: "today 14:05" has no "on" or "at" before it. */
export function withMoments(text: string): string {
  return text.replace(ISO_TIME, (_, before: string | undefined, time: string) =>
    before === undefined ? formatMoment(time) : formatWhen(time),
  );
}
