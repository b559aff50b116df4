import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Intervals } from '../../src/several/shared-loop.ts';

const SECOND = 1000;

function beats(): Intervals {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const made = new Intervals();
  onTestFinished(() => {
    made[Symbol.dispose]();
    vi.useRealTimers();
  });
  return made;
}

test('each comes at the phase at which it began, and not all at once', () => {
  const shared = beats();
  const heard: string[] = [];
  const at = () => `${Math.round(performance.now())}`;
  const began = performance.now();
  shared.every(SECOND, () => heard.push(`one ${Number(at()) - Math.round(began)}`));
  vi.advanceTimersByTime(300);
  shared.every(SECOND, () => heard.push(`two ${Number(at()) - Math.round(began)}`));
  vi.advanceTimersByTime(2_100);
  expect(heard).toEqual(['one 1000', 'two 1300', 'one 2000', 'two 2300']);
});

test('a beat that is ended comes no more, and those of others go on', () => {
  const shared = beats();
  const heard: string[] = [];
  const end = shared.every(SECOND, () => heard.push('one'));
  shared.every(SECOND, () => heard.push('two'));
  vi.advanceTimersByTime(SECOND + 30);
  end();
  vi.advanceTimersByTime(SECOND);
  expect(heard).toEqual(['one', 'two', 'two']);
});

test('beats that were missed are not made up for', () => {
  const shared = beats();
  let count = 0;
  shared.every(SECOND, () => {
    count += 1;
  });
  const stalled = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10 * SECOND);
  vi.advanceTimersByTime(SECOND);
  expect(count).toBe(1);
  stalled.mockRestore();
});

test('where many are due, others have their turn after each slice of them', async () => {
  const shared = new Intervals();
  onTestFinished(() => shared[Symbol.dispose]());
  const heard: string[] = [];
  const all = Promise.withResolvers<void>();
  const busy = (name: string) => () => {
    heard.push(name);
    for (const until = performance.now() + 6; performance.now() < until; );
    if (heard.filter((one) => one !== 'another').length === 3) all.resolve();
  };
  for (const name of ['one', 'two', 'three']) shared.every(50, busy(name));
  const others = setInterval(() => heard.at(-1) !== 'another' && heard.push('another'), 1);
  await all.promise;
  clearInterval(others);
  expect(heard.join(' ')).toMatch(/^(another )?one another two another three$/);
});

test('what a beat throws ends no other’s, and is known to be of the place that asked for it', async () => {
  const shared = new Intervals();
  onTestFinished(() => shared[Symbol.dispose]());
  const whose = new AsyncLocalStorage<string>();
  const thrown = Promise.withResolvers<string | undefined>();
  const former = process.rawListeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.once('uncaughtException', (error) => thrown.resolve(`${error.message} in ${whose.getStore()}`));
  onTestFinished(() => {
    for (const one of former) process.on('uncaughtException', one as (error: Error) => void);
  });
  const second = Promise.withResolvers<void>();
  const end = whose.run('a bad vault', () =>
    shared.every(5, () => {
      end();
      throw new Error('broken');
    }),
  );
  whose.run('a good vault', () => shared.every(5, () => second.resolve()));
  await expect(thrown.promise).resolves.toBe('broken in a bad vault');
  await second.promise;
});
