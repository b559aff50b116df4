/** Why a request to Plane gave no answer that can be used. */
export interface PlaneFailure {
  /**
   * `away`: no server, no whole answer in time. `key`: none, or a wrong one. `forbidden`: not for this key. `missing`: no
   * such thing. `refused`: the request is not accepted as it is. `busy`: too many requests. `server`: it failed at it,
   * and may have done it all the same. `strange`: an answer that is none of Plane's. `ended`: the program ends.
   */
  readonly kind: 'away' | 'key' | 'forbidden' | 'missing' | 'refused' | 'busy' | 'server' | 'strange' | 'ended';
  /** One sentence in plain words; nothing that the server said stands in it. */
  readonly message: string;
  readonly hint: string;
  /** When the server may be asked again (epoch ms); null where it does not say. */
  readonly until: number | null;
}

/** What came of a request. */
export type Outcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: PlaneFailure };

const SAYS: Readonly<Record<PlaneFailure['kind'], { readonly message: string; readonly hint: string }>> = {
  away: {
    message: 'Plane cannot be reached.',
    hint: 'Nothing is lost: it is tried again. Check PLANE_BASE_URL and the server if it stays so.',
  },
  key: { message: 'Plane does not accept the key.', hint: 'Make a new key in Plane and set PLANE_API_KEY to it.' },
  forbidden: {
    message: 'Plane refuses this key (403): it is wrong, or it is not for this workspace or project.',
    hint: 'Check PLANE_API_KEY and PLANE_WORKSPACE, and that the key belongs to a member of the project.',
  },
  missing: {
    message: 'Plane knows no such project or work item.',
    hint: 'Check plane_issue_id of the task and plane_project_id of its matter.',
  },
  refused: { message: 'Plane does not accept the request.', hint: 'See what has changed in the project in Plane.' },
  busy: { message: 'Plane asks to wait: too many requests.', hint: 'It goes on by itself.' },
  server: {
    message: 'Plane failed at the request.',
    hint: 'Nothing is lost: it is looked up and tried again. See the log of the Plane server if it stays so.',
  },
  strange: {
    message: 'What answers is not as Plane answers.',
    hint: 'Check that PLANE_BASE_URL is the address of the Plane server itself.',
  },
  ended: { message: 'The program ends.', hint: 'It goes on at the next start.' },
};

/** Returns a failure; `says` is a sentence that tells more than its kind. */
export function failed(
  kind: PlaneFailure['kind'],
  { says, until = null }: { says?: string; until?: number | null } = {},
): { readonly ok: false; readonly failure: PlaneFailure } {
  const { message, hint } = SAYS[kind];
  return { ok: false, failure: { kind, message: says ?? message, hint, until } };
}

const BY_STATUS: ReadonlyMap<number, PlaneFailure['kind']> = new Map([
  [401, 'key'],
  [403, 'forbidden'],
  [404, 'missing'],
  [429, 'busy'],
]);

/** Returns what an HTTP status that is no success means. */
export function kindOf(status: number): PlaneFailure['kind'] {
  const known = BY_STATUS.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return 'server';
  return status >= 400 ? 'refused' : 'strange';
}
