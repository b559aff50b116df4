interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** How a person is asked. Each returns null where they break it off. */
export interface SourceAsking {
  /** Says something between two questions. */
  readonly tell: (text: string) => void;
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string | null>;
  /** `standing`: what an empty answer means; where it is empty an answer is wanted. `check`: says what is wrong with an answer. */
  readonly name: (
    message: string,
    standing: string,
    check?: (answer: string) => string | null,
  ) => Promise<string | null>;
  /** What is typed is not shown, and kept nowhere. */
  readonly secret: (message: string) => Promise<string | null>;
  /** Enter means no. */
  readonly agree: (message: string) => Promise<boolean | null>;
}

/** Returns how to ask the person at this terminal; null where nobody is there to be asked. */
export async function terminalAsking(): Promise<SourceAsking | null> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return null;
  const { confirm, isCancel, log, password, select, text } = await import('@clack/prompts');
  return {
    tell: (words) => log.message(words),
    choose: async (message, choices) => {
      const answer = await select({ message, options: choices.map((choice) => ({ ...choice })) });
      return isCancel(answer) ? null : answer;
    },
    name: async (message, standing, check = () => null) => {
      const shown = standing === '' ? {} : { placeholder: standing, defaultValue: standing };
      const validate = (answer: string | undefined) => complaint((answer ?? '').trim() || standing, check);
      const answer = await text({ message, ...shown, validate });
      return isCancel(answer) ? null : answer.trim();
    },
    secret: async (message) => {
      const answer = await password({ message });
      return isCancel(answer) ? null : answer;
    },
    agree: async (message) => {
      const answer = await confirm({ message, initialValue: false });
      return isCancel(answer) ? null : answer;
    },
  };
}

function complaint(answer: string, check: (answer: string) => string | null): string | undefined {
  return answer === '' ? 'An answer is needed; Ctrl-C breaks it off.' : (check(answer) ?? undefined);
}
