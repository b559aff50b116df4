import { STATES, type State } from '../../vault/records/values.ts';
import { INIT_QUESTIONS, stateChoices } from '../print/setup/init-words.ts';

/** How a person is asked while a vault is set up. Each answers null where they break it off. */
export interface InitAsking {
  /** `standing`: what Enter means. */
  readonly agree: (message: string, standing?: boolean) => Promise<boolean | null>;
  /** What a word for a state means; `unknown` where the person leaves it open. */
  readonly meaning: (word: string, notes: number) => Promise<State | 'unknown' | null>;
}

/** Returns how to ask the person at this terminal; null where nobody is there to be asked. */
export async function initAsking(): Promise<InitAsking | null> {
  if (process.stdin.isTTY !== true) return null;
  const { confirm, isCancel, select } = await import('@clack/prompts');
  return {
    agree: async (message, standing = true) => {
      const answer = await confirm({ message, initialValue: standing });
      return isCancel(answer) ? null : answer;
    },
    meaning: async (word, notes) => {
      const options = [{ value: 'unknown' as const, label: INIT_QUESTIONS.leaveAlone }, ...stateChoices(STATES)];
      const answer = await select<State | 'unknown'>({ message: INIT_QUESTIONS.meaning(notes, word), options });
      return isCancel(answer) ? null : answer;
    },
  };
}

/** Returns how `--yes` answers: what Enter would, and it explains no word. */
export function alwaysYes(): InitAsking {
  return { agree: async (_, standing = true) => standing, meaning: async () => 'unknown' };
}
