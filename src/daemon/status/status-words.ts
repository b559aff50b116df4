import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { SETTINGS_FILE } from '../../vault/layout.ts';
import { wordKey } from '../../vault/records/status-words.ts';
import { STATES } from '../../vault/records/values.ts';
import type { IndexAccess } from '../context/ports.ts';

/** A note that is full of invented words is told in a few lines. */
const MOST_WORDS = 20;

/** Returns a problem for each status that nothing explains, with how many notes say it: these notes are left alone. */
export function statusWordProblems({ vault: { catalogue } }: IndexAccess): Diagnostic[] {
  return [...wordProblems('task', catalogue.agenda.doubtful()), ...wordProblems('matter', catalogue.matters())];
}

function wordProblems(kind: TargetRecord['kind'], notes: readonly TargetRecord[]): Diagnostic[] {
  const silent = notes.filter(({ fields }) => fields.unexplained !== null);
  const groups = [...Map.groupBy(silent, ({ fields }) => wordKey(fields.unexplained ?? '')).values()];
  return groups
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MOST_WORDS)
    .flatMap((group) => wordProblem(kind, group));
}

function wordProblem(kind: TargetRecord['kind'], group: readonly TargetRecord[]): Diagnostic[] {
  const [first] = group;
  const word = first?.fields.unexplained ?? null;
  if (first === undefined || word === null) return [];
  const [who, left] = group.length === 1 ? [`The ${kind} says`, 'it is'] : [`${group.length} ${kind}s say`, 'they are'];
  // A link begins with two brackets, a list with one.
  const isList = /^\[(?!\[)/.test(word);
  return [
    diagnostic({
      code: 'status-unexplained',
      file: group.length === 1 ? first.path : null,
      message: `${who} \`status: ${word}\`, which ${isList ? 'is more than one value' : 'the settings do not explain'}.`,
      hint: isList
        ? `Leave one value in each; until then ${left} left alone. The first is ${first.path}.`
        : `Add a line to status_values in ${SETTINGS_FILE}, such as "${word} = open" (${STATES.join(', ')}); until then ${left} left alone.`,
    }),
  ];
}
