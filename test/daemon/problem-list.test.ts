import { expect, test } from 'vitest';
import { followHidden, hideProblems, listProblems, type ProblemList } from '../../src/daemon/problem-list.ts';
import { collectProblems } from '../../src/daemon/problems.ts';
import { diagnostic } from '../../src/vault/errors.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const ODD = { ...HOUSE, 'task/odd.md': task({ due: 'soon' }), 'task/far.md': task({ due: '2099-01-01' }) };

const codes = ({ shown, hidden }: ProblemList) => [shown, hidden].map((list) => list.map(({ code }) => code));
const listOf = (bench: Bench) => collectProblems(bench.ports);
const hide = (bench: Bench, ...names: readonly string[]) =>
  hideProblems(bench.ports.context, listOf(bench), { names, hide: true });
const follow = (bench: Bench) => followHidden(bench.ports.context, () => listOf(bench));

test('the most serious comes first, then what is about the settings, then by file', async () => {
  const { context } = (await Bench.open(new TempVault(HOUSE))).ports;
  const parts = [
    ['snooze-over', 'task/a.md'],
    ['field-invalid', 'task/b.md'],
    ['field-invalid', 'task/a.md'],
    ['settings-invalid', 'steward.md'],
    ['source-failing', 'source/inbox.md'],
  ] as const;
  const found = parts.map(([code, file]) => diagnostic({ code, file, message: 'It is so.', hint: 'Look.' }));
  const { shown } = listProblems(context, [...found, ...found]);
  expect(shown.map(({ severity, file }) => `${severity} ${file}`)).toEqual([
    'stops source/inbox.md',
    'limits steward.md',
    'limits task/a.md',
    'limits task/b.md',
    'note task/a.md',
  ]);
});

test('a known problem is hidden everywhere but in the list of hidden ones, also after a restart', async () => {
  const vault = new TempVault(ODD);
  const bench = await Bench.open(vault);
  expect(codes(listOf(bench))).toEqual([['date-invalid', 'date-far'], []]);
  expect(hide(bench, 'date-far').map(({ file }) => file)).toEqual(['task/far.md']);
  bench.close();
  const { trouble, knownTrouble } = (await Bench.reading(vault)).status();
  expect(codes({ shown: trouble, hidden: knownTrouble })).toEqual([['date-invalid'], ['date-far']]);
});

test('a name may be an id, a code or a file; an unknown one changes nothing', async () => {
  const bench = await Bench.open(new TempVault(ODD));
  expect(() => hide(bench, 'date-far', 'nonsense')).toThrow('There is no problem "nonsense".');
  expect(listOf(bench).hidden).toEqual([]);
  const [first, second] = listOf(bench).shown;
  hide(bench, first?.id ?? '', second?.file ?? '');
  expect(listOf(bench).shown).toEqual([]);
  expect(() => hide(bench, 'date-far')).toThrow('There is no problem "date-far".');
  hideProblems(bench.ports.context, listOf(bench), { names: ['date-far'], hide: false });
  expect(codes(listOf(bench))).toEqual([['date-far'], ['date-invalid']]);
});

test('a known problem that says something else is shown again, wherever its line is', async () => {
  const vault = new TempVault(ODD);
  const bench = await Bench.open(vault);
  hide(bench, 'date-invalid');
  vault.edit('task/odd.md', 'due:', 'note: new\ndue:');
  await bench.sweep();
  expect(codes(listOf(bench))).toEqual([['date-far'], ['date-invalid']]);
  vault.edit('task/odd.md', 'due: soon', 'due: later');
  await bench.sweep();
  expect(codes(listOf(bench))).toEqual([['date-invalid', 'date-far'], []]);
});

test('other numbers make it another problem only if its message does not count', async () => {
  const { context } = (await Bench.open(new TempVault(HOUSE))).ports;
  const idOf = (code: 'source-failing' | 'date-far', message: string) =>
    listProblems(context, [diagnostic({ code, message, hint: 'Look.' })]).shown[0]?.id;
  expect(idOf('source-failing', 'It failed 3 times.')).toBe(idOf('source-failing', 'It failed 12 times.'));
  expect(idOf('date-far', 'due is 2099-01-01.')).not.toBe(idOf('date-far', 'due is 2098-01-01.'));
});

test('a known problem that was gone for an hour is shown when it recurs; one that flickers stays hidden', async () => {
  const vault = new TempVault(ODD);
  const clock = new Clock();
  const bench = await Bench.open(vault, { clock });
  hide(bench, 'date-invalid');
  const turn = async (due: string, minutes: number) => {
    vault.write('task/odd.md', task({ due }));
    await bench.sweep();
    follow(bench);
    clock.move(minutes * MINUTE);
    follow(bench);
  };
  await turn('2026-12-01', 59);
  await turn('soon', 120);
  await turn('2026-12-01', 59);
  await turn('soon', 0);
  expect(listOf(bench).hidden).toHaveLength(1);
  await turn('2026-12-01', 60);
  await turn('soon', 0);
  expect(codes(listOf(bench))).toEqual([['date-invalid', 'date-far'], []]);
});

test('a running daemon hides what a command names, remembers it over a restart, and shows it when it recurs', async () => {
  const vault = new TempVault(ODD);
  const clock = new Clock();
  let running = await Running.start(vault, { clock });
  const shown = () => running.daemon.status().trouble.map(({ code }) => code);
  await running.ask({ op: 'hide-problems', names: ['task/odd.md'], hide: true });
  expect(shown()).toEqual(['date-far']);
  await running.stop();
  running = await Running.start(vault, { clock });
  expect(shown()).toEqual(['date-far']);
  vault.write('task/odd.md', task());
  await running.daemon.wake();
  clock.move(60 * MINUTE);
  await running.daemon.wake();
  vault.write('task/odd.md', ODD['task/odd.md']);
  await running.daemon.wake();
  expect(shown()).toEqual(['date-invalid', 'date-far']);
  await running.stop();
});
