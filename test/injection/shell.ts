import fs from 'node:fs';
import { Writable } from 'node:stream';
import { type CommandContext, Printer } from '../../src/cli/terminal.ts';
import { KEY, type MessagesServer } from '../providers/messages-server.ts';
import type { Scene } from './scene.ts';

/** The context of a person's terminal in live mode, with a key. What the terminal shows ends up in `said`. */
export function contextFor({ vault }: Scene, server: MessagesServer, said: string[]): CommandContext {
  const out = `${vault.home}/out`;
  fs.mkdirSync(out, { recursive: true, mode: 0o700 });
  const env = {
    STEWARD_VAULT: vault.root,
    STEWARD_LIVE_MODE: 'live',
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: server.url,
    XDG_RUNTIME_DIR: out,
    XDG_STATE_HOME: out,
    HOME: out,
  };
  const heard = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk));
      done();
    },
  }) as NodeJS.WriteStream;
  const printer = new Printer(heard, env);
  return { out: printer, err: printer, env, cwd: vault.home };
}
