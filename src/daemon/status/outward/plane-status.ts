import { planeId } from '../../../plane/access.ts';
import { type Diagnostic, diagnostic } from '../../../vault/errors.ts';
import type { TargetRecord } from '../../../vault/index/record.ts';
import { iso } from '../../../vault/time.ts';
import { modeOf } from '../../context/effective-mode.ts';
import type { Context, IndexAccess } from '../../context/ports.ts';
import { openOrders } from '../../plane/plane-orders.ts';
import { fieldLocation } from '../field-location.ts';

/** What is still to be told to Plane. */
export interface PlaneStatus {
  readonly waiting: number;
  /** Since when the oldest waits. */
  readonly since: string;
  readonly reason: string;
}

/** Returns what waits for Plane; null where nothing does. */
export function planeStatus(context: Context): PlaneStatus | null {
  const open = openOrders({ context });
  const [oldest] = open;
  if (oldest === undefined) return null;
  return { waiting: open.length, since: iso(oldest[1].at), reason: reasonFor(context, oldest[1].remark) };
}

function reasonFor(context: Context, remark: string | null): string {
  if (context.env.plane == null) return 'PLANE_API_KEY, PLANE_BASE_URL and PLANE_WORKSPACE are not all set here.';
  if (remark !== null) return remark;
  return modeOf(context, null) === 'shadow' ? 'In shadow nothing is said in Plane.' : 'It is sent by the daemon.';
}

/** How long `status` tells of what could not be said in Plane, in ms. */
const TELL_MS = 24 * 60 * 60 * 1000;

/** Returns what of the last day could not be said in Plane, or not taken back there. */
export function planeProblems({ context }: Pick<IndexAccess, 'context'>): Diagnostic[] {
  return Object.values(context.state.get('plane'))
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

/** Returns what is wrong with the ids by which a note names its place in Plane. */
export function planeIdProblems(space: IndexAccess, { kind, path, fields }: TargetRecord): Diagnostic[] {
  const [field, written] =
    kind === 'task' ? ['plane_issue_id', fields.plane_issue_id] : ['plane_project_id', fields.plane_project_id];
  if (space.context.env.plane == null || written === null || planeId.safeParse(written).success) return [];
  return [
    diagnostic({
      code: 'plane-id',
      file: path,
      ...fieldLocation(space, path, field),
      message: `${field} is no id of Plane.`,
      hint: 'Copy the id (a UUID, as in 0f3c…-…) from the address in Plane; until then the steward is silent there.',
    }),
  ];
}
