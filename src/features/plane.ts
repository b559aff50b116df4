import { ApiKey } from '../daemon/api-key.ts';
import type { Capability, ExternalAccess } from '../daemon/capability.ts';
import type { Context, IndexAccess, Workspace } from '../daemon/context.ts';
import { credential, type Environment, type Variables } from '../daemon/environment.ts';
import { currentMode } from '../steward/gates.ts';
import type { ExternalEffect, ExternalSystem, FieldProblem } from '../steward/types.ts';
import { type Diagnostic, diagnostic, EXIT, StewardError } from '../vault/errors.ts';
import { type MatterRecord, type TargetRecord, type State as TaskState, uuid } from '../vault/record.ts';
import { iso } from '../vault/time.ts';
import type { PlaneAccess, PlaneClient, PlaneFailure } from './plane-client.ts';
import { openOrders, PLANE_ORDERS, PLANE_SEEN } from './plane-orders.ts';

// The connection to a Plane server: what was done with a task is shown at its work item, and what others do there becomes
// stream files. The event notes say what Plane is to show; the rest of the program knows only an `ExternalSystem`.

const API_KEY = 'PLANE_API_KEY';
const CREDENTIAL = 'plane_api_key';
const BASE_URL = 'PLANE_BASE_URL';
const WORKSPACE = 'PLANE_WORKSPACE';
const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
/** Names and addresses of this machine itself, as `URL` spells them. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns how Plane is reached; null if the environment doesn't say all of it. The key may be a credential of the service.
 * Throws (exit 78) if a value can't be used.
 */
export function planeAccess(variables: Variables): PlaneAccess | null {
  const { key, baseUrl, workspace } = valuesIn(variables);
  if (key === '' || baseUrl === '' || workspace === '') return null;
  // The error about a key that no header can hold would otherwise repeat the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw unusable(`${API_KEY} contains a space or another forbidden character.`, MEND_KEY);
  if (!SLUG.test(workspace)) {
    throw unusable(
      "PLANE_WORKSPACE isn't the slug of a workspace.",
      'Set it to the word behind the host in the address of the workspace, as in https://plane.example/my-team/.',
    );
  }
  return { key: new ApiKey(key), baseUrl: baseAddress(baseUrl), workspace };
}

function accessIn({ variables = {} }: Environment): PlaneAccess | null {
  return planeAccess(variables);
}

function missingVariables(variables: Variables): readonly string[] {
  const { key, baseUrl, workspace } = valuesIn(variables);
  const values = [
    [API_KEY, key],
    [BASE_URL, baseUrl],
    [WORKSPACE, workspace],
  ] as const;
  const missing = values.filter(([, value]) => value === '');
  return missing.length === values.length ? [] : missing.map(([name]) => name);
}

function valuesIn(variables: Variables): {
  readonly key: string;
  readonly baseUrl: string;
  readonly workspace: string;
} {
  const value = (name: string) => variables[name]?.trim() ?? '';
  const key =
    value(API_KEY) || credential(variables, CREDENTIAL, (why) => unusable(`The key for Plane ${why}.`, MEND_KEY));
  return { key, baseUrl: value(BASE_URL), workspace: value(WORKSPACE) };
}

const MEND_KEY = `Correct ${API_KEY} or the credential ${CREDENTIAL}, or remove it.`;

// The error does not repeat the address: a name or password in it would be a secret.
function baseAddress(written: string): string {
  const address = URL.canParse(written) ? new URL(written) : null;
  const isPlain = address !== null && `${address.username}${address.password}${address.search}${address.hash}` === '';
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && LOOPBACK.test(address.hostname));
  if (address !== null && isPlain && isSafe) return `${address.origin}${address.pathname.replace(/(?<!\/)\/+$/, '')}`;
  throw unusable(
    "PLANE_BASE_URL isn't an address that the key may be sent to.",
    'Set it to one such as https://plane.example; http is for this machine alone (http://127.0.0.1:8080).',
  );
}

function unusable(message: string, hint: string): StewardError {
  return new StewardError({ code: 'settings-plane', message, hint }, EXIT.settings);
}

/**
 * Plane, as the core knows it. Null if the environment doesn't say how it is reached. Throws (exit 78) as `planeAccess`
 * does.
 */
function externalSystem({ env, vault }: ExternalAccess): ExternalSystem | null {
  if (accessIn(env) === null) return null;
  return {
    effect(task, state) {
      const issue = uuid.safeParse(task.fields.plane_issue_id);
      const project = uuid.safeParse(vault.catalogue.matterOf(task)?.fields.plane_project_id);
      return issue.success && project.success ? effectOf(project.data, issue.data, state) : null;
    },
    problem: idProblem,
  };
}

function effectOf(project_id: string, issue_id: string, state: TaskState | null): ExternalEffect {
  return {
    action: { project_id, issue_id, state },
    revert: (event) => ({ project_id, issue_id, comment: event, state: state === null ? null : 'former' }),
  };
}

function idProblem({ kind, fields }: TargetRecord): FieldProblem | null {
  const [field, written] =
    kind === 'task' ? ['plane_issue_id', fields.plane_issue_id] : ['plane_project_id', fields.plane_project_id];
  if (written === null || uuid.safeParse(written).success) return null;
  return {
    field,
    code: 'plane-id',
    message: `${field} isn't an id of Plane.`,
    hint: 'Copy the id (a UUID, as in 0f3c…-…) from the address in Plane; until then Steward ignores it.',
  };
}

/** How long `status` tells of what could not be said in Plane, in ms. */
const TELL_MS = 24 * 60 * 60 * 1000;

/** Returns what of the last day could not be said in Plane, or not taken back there. */
function planeProblems({ context }: Pick<IndexAccess, 'context'>): Diagnostic[] {
  return Object.values(context.state.get(PLANE_ORDERS))
    .filter(({ done, remark, at }) => done && remark !== null && context.now() - at < TELL_MS)
    .map(({ path, remark }) =>
      diagnostic({
        code: 'plane-left',
        file: path,
        message: remark ?? '',
        hint: 'Look at the work item in Plane; check plane_issue_id of the task and plane_project_id of its matter.',
      }),
    );
}

interface PlaneStatus {
  readonly waiting: number;
  /** Since when the oldest waits. */
  readonly since: string;
  readonly reason: string;
}

function planeStatus({ context }: Pick<IndexAccess, 'context'>): PlaneStatus | null {
  const open = openOrders({ context });
  const [oldest] = open;
  if (oldest === undefined) return null;
  return { waiting: open.length, since: iso(oldest[1].at), reason: reasonFor(context, oldest[1].remark) };
}

function reasonFor(context: Context, remark: string | null): string {
  if (accessIn(context.env) === null) return 'PLANE_API_KEY, PLANE_BASE_URL and PLANE_WORKSPACE are not all set here.';
  if (remark !== null) return remark;
  return currentMode(context, null) === 'shadow'
    ? 'In shadow, Steward writes no comment in Plane.'
    : 'It is sent by the daemon.';
}

/** The report of `doctor` about Plane: one line, and what is wrong; null if the environment doesn't configure it. */
interface PlaneCheck {
  readonly found: string;
  readonly trouble: readonly Diagnostic[];
}

const MOST_PROJECTS = 20;

/** Tries the key, the workspace and each project that a matter names. Reads only. */
export async function checkPlane(space: IndexAccess): Promise<PlaneCheck | null> {
  const { env, now } = space.context;
  const access = accessIn(env);
  const missing = missingVariables(env.variables ?? {});
  if (access === null) return missing.length === 0 ? null : partly(missing);
  const { PlaneClient } = await import('./plane-client.ts');
  const client = new PlaneClient(access, now, new AbortController().signal);
  const where = `${client.host}, workspace ${access.workspace}`;
  const wrong = await accessTrouble(client, access.workspace);
  if (wrong !== null) return { found: `${where} (it cannot be used)`, trouble: [wrong] };
  const named = projectsOf(space).slice(0, MOST_PROJECTS);
  const found = await Promise.all(named.map(([project, matter]) => projectTrouble(client, project, matter)));
  const trouble = found.flatMap((one) => one ?? []);
  return { found: `${where} (${named.length - trouble.length} of ${named.length} projects can be used)`, trouble };
}

function partly(missing: readonly string[]): PlaneCheck {
  const names = missing.join(' and ');
  const message = `Plane is not used: ${names} ${missing.length === 1 ? 'is' : 'are'} missing.`;
  const hint = 'Set all of PLANE_API_KEY, PLANE_BASE_URL and PLANE_WORKSPACE, or unset them all.';
  return { found: 'not used', trouble: [diagnostic({ code: 'plane-partly', message, hint })] };
}

// A wrong key and a foreign workspace are refused alike: only whether the key is somebody's tells them apart.
async function accessTrouble(client: PlaneClient, workspace: string): Promise<Diagnostic | null> {
  const asked = await client.workspace();
  if (asked.ok) return null;
  const { failure } = asked;
  if (failure.kind !== 'forbidden' && failure.kind !== 'missing') return troubleOf(failure);
  const me = await client.me();
  if (!me.ok && (me.failure.kind === 'key' || me.failure.kind === 'forbidden')) {
    return diagnostic({
      code: 'plane-key',
      message: 'Plane does not accept the key.',
      hint: 'Make a new key in Plane and set PLANE_API_KEY to it.',
    });
  }
  if (!me.ok) return troubleOf(failure);
  return diagnostic({
    code: 'plane-workspace',
    message: `The key is good, but not for the workspace ${workspace}.`,
    hint: 'Set PLANE_WORKSPACE to the slug of a workspace that the owner of the key belongs to.',
  });
}

async function projectTrouble(client: PlaneClient, project: string, matter: MatterRecord): Promise<Diagnostic | null> {
  const asked = await client.project(project);
  if (asked.ok) return null;
  const { kind } = asked.failure;
  if (kind !== 'missing' && kind !== 'forbidden') return troubleOf(asked.failure);
  return diagnostic({
    code: 'plane-project',
    file: matter.path,
    message:
      kind === 'missing' ? "Plane doesn't have this project." : 'The key is not allowed into this project of Plane.',
    hint:
      kind === 'missing'
        ? 'Copy plane_project_id from the address of the project in Plane.'
        : 'Let the owner of the key join the project, or correct plane_project_id.',
  });
}

function troubleOf({ kind, message, hint }: PlaneFailure): Diagnostic {
  return diagnostic({ code: `plane-${kind}`, message, hint });
}

function projectsOf({ vault }: IndexAccess): (readonly [string, MatterRecord])[] {
  const named = vault.catalogue.matters().flatMap((matter) => {
    const project = uuid.safeParse(matter.fields.plane_project_id);
    return project.success ? [[project.data, matter] as const] : [];
  });
  return [...new Map(named)];
}

/** The connection to a Plane server, if the environment names one. */
export const plane = {
  name: 'plane',
  words: 'the connection to Plane',
  isSecret: true,
  state: [PLANE_ORDERS, PLANE_SEEN],
  follows: ['event', 'reversal'],
  external: externalSystem,
  readers: (space: IndexAccess) => [
    {
      name: 'plane',
      version: 1,
      takes: (file) => file.startsWith(`${space.vault.layout.folders.stream}/plane/`) && file.endsWith('.json'),
      read: async (file, bytes) => (await import('./plane-work.ts')).readWritten(space, file, bytes),
    },
  ],
  /** The orders that Plane has not received yet; null if there aren't any. */
  status: (space: Workspace) => ({ plane: planeStatus(space) }),
  problems: planeProblems,
  async start(own) {
    const access = accessIn(own.space.context.env);
    if (access === null) return null;
    const { PlaneClient } = await import('./plane-client.ts');
    const { PlaneWork } = await import('./plane-work.ts');
    const abort = new AbortController();
    const client = new PlaneClient(access, own.space.context.now, abort.signal);
    return new PlaneWork({ ...own, client, abort });
  },
} satisfies Capability;
