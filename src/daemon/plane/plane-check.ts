import { planeId } from '../../plane/access.ts';
import { PlaneClient } from '../../plane/client.ts';
import type { PlaneFailure } from '../../plane/failure.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { MatterRecord } from '../../vault/index/record.ts';
import type { IndexAccess } from '../context/ports.ts';

/** What `doctor` says of Plane: one line, and what is wrong; null where the environment says nothing of it. */
interface PlaneCheck {
  readonly found: string;
  readonly trouble: readonly Diagnostic[];
}

/** How many projects are asked for. */
const MOST_PROJECTS = 20;

/** Tries the key, the workspace and each project that a matter names. Reads only. */
export async function checkPlane(space: IndexAccess): Promise<PlaneCheck | null> {
  const { env, now } = space.context;
  if (env.plane == null) return (env.planeMissing ?? []).length === 0 ? null : partly(env.planeMissing ?? []);
  const client = new PlaneClient(env.plane, now, new AbortController().signal);
  const where = `${client.host}, workspace ${env.plane.workspace}`;
  const wrong = await accessTrouble(client, env.plane.workspace);
  if (wrong !== null) return { found: `${where} (it cannot be used)`, trouble: [wrong] };
  const named = projectsOf(space).slice(0, MOST_PROJECTS);
  const found = await Promise.all(named.map(([project, matter]) => projectTrouble(client, project, matter)));
  const trouble = found.flatMap((one) => one ?? []);
  return { found: `${where} (${named.length - trouble.length} of ${named.length} projects can be used)`, trouble };
}

function partly(missing: readonly string[]): PlaneCheck {
  const names = missing.join(' and ');
  const message = `Plane is not used: ${names} ${missing.length === 1 ? 'is' : 'are'} missing.`;
  const hint = 'Set PLANE_API_KEY, PLANE_BASE_URL and PLANE_WORKSPACE, or none of them.';
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
    message: kind === 'missing' ? 'Plane knows no such project.' : 'The key is not allowed into this project of Plane.',
    hint:
      kind === 'missing'
        ? 'Copy plane_project_id from the address of the project in Plane.'
        : 'Let the owner of the key join the project, or mend plane_project_id.',
  });
}

function troubleOf({ kind, message, hint }: PlaneFailure): Diagnostic {
  return diagnostic({ code: `plane-${kind}`, message, hint });
}

function projectsOf({ vault }: IndexAccess): (readonly [string, MatterRecord])[] {
  const named = vault.catalogue.matters().flatMap((matter) => {
    const project = planeId.safeParse(matter.fields.plane_project_id);
    return project.success ? [[project.data, matter] as const] : [];
  });
  return [...new Map(named)];
}
