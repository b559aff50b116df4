export const RETRY_LIMIT = 5;

export interface Session {
  readonly id: string;
  readonly opened: number;
}

export type Mode = 'shadow' | 'live';

export function openSession(id: string): Session {
  return { id, opened: 0 };
}

export const closeSession = (session: Session): string => {
  return session.id;
};

export class SessionStore {
  readonly #all = new Map<string, Session>();

  add(session: Session): void {
    this.#all.set(session.id, session);
  }
}
