import fs from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';

/*
 * Makes `dist/workflow.js` of the workflow, once: a host that bundled it at each start would take seconds more.
 */

const FLEET = path.resolve(import.meta.dirname, '..');
const quiet = () => {};
const { code } = await bundleWorkflowCode({
  workflowsPath: path.join(FLEET, 'src', 'workflow', 'vault-keeper.ts'),
  failureConverterPath: path.join(FLEET, 'src', 'engine', 'failures.ts'),
  logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: console.warn, error: console.error },
});
fs.mkdirSync(path.join(FLEET, 'dist'), { recursive: true });
fs.writeFileSync(path.join(FLEET, 'dist', 'workflow.js'), code);
