// Loaded before the program that is counted: lets its workers, which have no environment and write no files, report too.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { spawn } = childProcess;
const folder = process.env.NODE_V8_COVERAGE ?? '';
childProcess.spawn = ((program: string, args: readonly string[], options: childProcess.SpawnOptions) => {
  const at = args.indexOf('--permission');
  const allowed = at === -1 ? args : args.toSpliced(at, 0, `--allow-fs-write=${folder}`);
  const env = { ...(options.env ?? process.env), NODE_V8_COVERAGE: folder };
  return spawn(program, [...allowed], { ...options, env });
}) as typeof spawn;
syncBuiltinESMExports();
