import { onTestFinished } from 'vitest';
import type { SourceAsking } from '../../../src/cli/commands/source.ts';
import { type CommandContext, Printer } from '../../../src/cli/terminal.ts';
import { TempVault } from '../../support/temp-vault.ts';

/** A person at a terminal: answers the questions in order, and remembers what was asked. `null` breaks it off. */
export class Person implements SourceAsking {
  readonly asked: string[] = [];
  readonly told: string[] = [];
  readonly #answers: (string | boolean | null)[];

  constructor(...answers: (string | boolean | null)[]) {
    this.#answers = answers;
  }

  tell = (text: string) => void this.told.push(text);
  choose = async (message: string) => this.#text(message);
  secret = async (message: string) => this.#text(message);
  name = async (message: string, standing: string, check: (answer: string) => string | null = () => null) => {
    const answer = this.#text(message);
    const meant = answer === '' ? standing : answer;
    const wrong = meant === null ? null : check(meant);
    if (wrong !== null) throw new Error(`${message} ${wrong}`);
    return meant;
  };
  agree = async (message: string) => {
    const answer = this.#next(message);
    if (typeof answer === 'string') throw new Error(`${message} wants yes or no`);
    return answer;
  };

  #text(message: string): string | null {
    const answer = this.#next(message);
    if (typeof answer === 'boolean') throw new Error(`${message} wants a text`);
    return answer;
  }

  #next(message: string): string | boolean | null {
    this.asked.push(message);
    const [answer] = this.#answers.splice(0, 1);
    if (answer === undefined) throw new Error(`Nobody answers: ${message}`);
    return answer;
  }
}

/** A vault with this user's own folders, and a command that prints into `said`. */
export function shell(notes: Readonly<Record<string, string>> = {}, env: NodeJS.ProcessEnv = {}) {
  const vault = new TempVault({ 'steward.md': '', ...notes });
  const said: string[] = [];
  const out = new Printer({ write: (text) => void said.push(text) }, {});
  const own = { XDG_STATE_HOME: vault.home, XDG_RUNTIME_DIR: vault.home, HOME: vault.home };
  const context: CommandContext = { out, err: out, env: { ...own, ...env }, cwd: vault.home };
  onTestFinished(() => {
    said.length = 0;
  });
  return { vault, context, text: () => said.join(''), options: { vault: vault.root } };
}
