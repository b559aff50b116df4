import { readFile } from 'node:fs/promises';

export interface Job {
  readonly id: string;
  readonly attempts: number;
  readonly dueAt: number;
}

/** A job that failed this often is put aside. */
const MAX_ATTEMPTS = 5;
const BASE_DELAY_MS = 750;

export class JobQueue {
  readonly #jobs: Job[] = [];

  enqueue(job: Job): void {
    this.#jobs.push(job);
    this.#jobs.sort((one, other) => one.dueAt - other.dueAt);
  }

  next(now: number): Job | null {
    const first = this.#jobs[0];
    if (first === undefined || first.dueAt > now) return null;
    return this.#jobs.shift() ?? null;
  }
}

export function backoff(attempts: number): number {
  return BASE_DELAY_MS * 2 ** Math.min(attempts, MAX_ATTEMPTS);
}

export function retry(job: Job, now: number): Job | null {
  if (job.attempts >= MAX_ATTEMPTS) return null;
  return { ...job, attempts: job.attempts + 1, dueAt: now + backoff(job.attempts) };
}

export async function loadJobs(file: string): Promise<Job[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
