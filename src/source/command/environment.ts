/** What a program is given of the environment in which this one runs. There are keys in the rest of it. */
const KEPT = ['PATH', 'HOME', 'LANG', 'TZ', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
const LOCALE = /^LC_[A-Z]{1,30}$/;

/** What a program is told besides. */
interface Told {
  /** What it last said; null where it has said nothing yet. */
  readonly cursor: string | null;
  readonly secret: string | null;
}

/** Returns the environment of a program that is asked for events. `own`: that of this program. */
export function environmentFor(
  own: Readonly<Record<string, string | undefined>>,
  { cursor, secret }: Told,
): Readonly<Record<string, string>> {
  const kept = Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && (KEPT.includes(name) || LOCALE.test(name)) ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(kept),
    STEWARD_CURSOR: cursor ?? '',
    ...(secret === null ? {} : { STEWARD_SECRET: secret }),
  };
}
